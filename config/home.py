"""A person's one page: what to do next, across collections.

An annotator's view of their seats depends on those seats alone, whatever other roles they have.
Disputes and progress are shown by the rules of the queue and of the lead's overview.
"""

from dataclasses import dataclass

from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.parameters import is_yes
from adjudication.audits.querysets import waiting_audits
from adjudication.querysets import dispute_counts
from annotation.closing import closed_collections
from annotation.progress.figures import Figures
from annotation.progress.overview import totals
from config.own_work import OwnWork
from datasets.models import Collection, Membership
from formats.words import counted


@require_safe
def home(request):
    members = list(
        Membership.objects.current()
        .filter(user=request.user)
        .select_related("collection__scheme", "user")
    )
    return render(
        request,
        "home.html",
        {
            "members": members,
            "work": OwnWork(
                request.user,
                words=request.GET.get("words", ""),
                is_all=is_yes(request.GET, "all"),
            ),
            "queues": dispute_queues(m for m in members if m.is_adjudicator),
            "studies": studies_of([m for m in members if m.is_lead]),
            "closed": _closed(members),
            "is_annotator": any(m.is_annotator for m in members),
            "is_adjudicator": any(m.is_adjudicator for m in members),
            "collection_count": Collection.objects.count() if request.user.is_site_admin else None,
        },
    )


def _closed(members):
    """The closed collections of which somebody is a member and no lead."""
    rated_in = [member.collection_id for member in members if not member.is_lead]
    return closed_collections().filter(pk__in=rated_in) if rated_in else []


@dataclass
class Queue:
    """Disputes, and pairs of audits, that wait for this adjudicator in one collection."""

    collection: Collection
    topic_count: int
    dispute_count: int
    audit_pair_count: int


def dispute_queues(members):
    """Queues with something in them, the fullest first."""
    queues = []
    for member in members:
        counts = dispute_counts(member=member)
        audits = waiting_audits(member)
        to_audit = sum(audit["pair_count"] - audit["decided_count"] for audit in audits)
        if counts or to_audit:
            queues.append(Queue(member.collection, len(counts), sum(counts.values()), to_audit))
    return sorted(queues, key=lambda queue: -queue.dispute_count)


@dataclass
class Study:
    """A collection for its lead. `blocks` are (sentence, label, address) of obstacles."""

    collection: Collection
    figures: object
    blocks: list[tuple[str, str, str]]


def studies_of(members):
    """The progress of the collections that a person leads, in the order of the memberships."""
    with_scheme = [member for member in members if hasattr(member.collection, "scheme")]
    numbers = {}
    if with_scheme:
        of_collections = list(Figures(*with_scheme).apart())
        numbers = dict(zip(with_scheme, totals(of_collections), strict=True))
    return [_study(member.collection, numbers.get(member)) for member in members]


def _study(collection, figures):
    """The progress of a collection, with the steps that only a lead can take."""
    if figures is None:
        return Study(collection, None, [("It has no scheme, so nothing can be rated.", "", "")])
    blocks = []

    def block(sentence, label, name):
        blocks.append((sentence, label, reverse(name, args=[collection.slug])))

    if not figures.has_topics:
        block("There is nothing to rate yet.", "Import data", "imports:import")
    if n := figures.waiting_pairs:
        in_none = counted(n, "pair is in no batch.", "pairs are in no batch.")
        block(in_none, "Make batches", "annotation:assign")
    if n := figures.free_seats:
        free = counted(n, "seat has nobody in it.", "seats have nobody in them.")
        block(free, "Assign", "annotation:assign")
    if n := figures.undecidable_pairs:
        stuck = counted(n, "dispute was", "disputes were")
        block(
            f"{stuck} rated by every adjudicator, so none may decide.",
            "See them",
            "annotation:undecidable",
        )
    return Study(collection, figures, blocks)
