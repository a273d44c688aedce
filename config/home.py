"""A person's one page: what to do next, across collections.

What an annotator sees of their seats depends on those seats alone, however many other roles they
have; disputes and progress are shown by the rules of the queue and of the lead's overview.
"""

from collections import defaultdict
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.db.models import Count, F, Q
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from adjudication.querysets import queue_topics
from annotation.closing import closed_collections
from annotation.models import Batch, Pair, Scheme, Seat
from annotation.progress.figures import Figures, facet_names, percent, titles
from annotation.progress.overview import totals
from datasets.models import Collection, Membership


@login_required
@require_safe
def home(request):
    members = list(
        Membership.objects.current().filter(user=request.user).select_related("collection", "user")
    )
    return render(
        request,
        "home.html",
        {
            "members": members,
            "seats": open_seats(request.user),
            "handed_in_count": Seat.objects.of(request.user).handed_in().count(),
            "queues": dispute_queues(m for m in members if m.is_adjudicator),
            "studies": [study_progress(m) for m in members if m.is_lead],
            "closed": _closed(members),
            "is_annotator": any(m.is_annotator for m in members),
            "is_adjudicator": any(m.is_adjudicator for m in members),
            "collection_count": Collection.objects.count() if request.user.is_site_admin else None,
        },
    )


def _closed(members):
    """The closed collections of which somebody is a member and no lead."""
    own = [member.collection_id for member in members if not member.is_lead]
    return closed_collections().filter(pk__in=own) if own else []


@dataclass
class Work:
    """An open seat as its holder sees it. `size` leaves out what a predecessor rated in it."""

    seat: Seat
    title: str
    facets: list[tuple[str, str]]
    size: int
    rated: int

    @property
    def percent(self):
        return percent(self.rated, self.size)

    @property
    def is_complete(self):
        return self.rated >= self.size


def open_seats(user):
    """What this person has to rate: returned seats first, then begun ones, then the rest."""
    by_holder = Q(ratings__annotator=F("holder"))
    seats = list(
        Seat.objects.of(user)
        .open()
        .filter(batch__in=Batch.objects.all())
        .select_related("batch__collection__scheme")
        .annotate(
            own_count=Count("ratings", filter=by_holder, distinct=True),
            other_count=Count("ratings", filter=~by_holder, distinct=True),
        )
        .order_by("batch__collection__name", "batch__position", "batch")
    )
    sizes, topics_of = _batch_contents(seats)
    words = {
        collection: (titles(collection), facet_names(collection.scheme))
        for collection in {seat.batch.collection for seat in seats}
    }
    works = []
    for seat in seats:
        title_of, name_of = words[seat.batch.collection]
        topics = topics_of[seat.batch_id]
        names = sorted({title_of.get(topic, "") for topic, _ in topics} - {""})
        works.append(
            Work(
                seat=seat,
                title=names[0] if len(names) == 1 else seat.batch.name,
                facets=[
                    (key, name_of.get(key, key)) for key in sorted({f for _, f in topics if f})
                ],
                size=sizes[seat.batch_id] - seat.other_count,
                rated=seat.own_count,
            )
        )
    return sorted(works, key=lambda work: (not work.seat.return_reason, not work.rated))


def _batch_contents(seats):
    """({batch id: pairs}, {batch id: [(topic id, facet), ...]}) of these seats' batches."""
    sizes: dict[int, int] = defaultdict(int)
    topics: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = (
        Pair.objects.filter(batch__in={seat.batch_id for seat in seats})
        .order_by("topic__position", "topic")
        .values_list("batch", "topic", "topic__facet")
        .annotate(pair_count=Count("pk"))
    )
    for batch, topic, facet, pair_count in rows:
        sizes[batch] += pair_count
        topics[batch].append((topic, facet))
    return sizes, topics


@dataclass
class Queue:
    """Disputes that wait for this adjudicator in one collection."""

    collection: Collection
    topic_count: int
    dispute_count: int


def dispute_queues(members):
    """Queues with something in them, the fullest first."""
    queues = []
    for member in members:
        topics = queue_topics(member=member)
        if topics:
            disputes = sum(topic.disputed_count for topic in topics)
            queues.append(Queue(member.collection, len(topics), disputes))
    return sorted(queues, key=lambda queue: -queue.dispute_count)


@dataclass
class Study:
    """A collection for its lead. `blocks` are (sentence, label, address) of what stops it."""

    collection: Collection
    figures: object
    blocks: list[tuple[str, str, str]]


def study_progress(member):
    """How far a collection is, with the steps only a lead can take."""
    collection = member.collection
    if not Scheme.objects.filter(collection=collection).exists():
        return Study(collection, None, [("It has no scheme, so nothing can be rated.", "", "")])
    figures = totals(Figures(member))
    blocks = []

    def block(sentence, label, name):
        blocks.append((sentence, label, reverse(name, args=[collection.slug])))

    if not figures.has_topics:
        block("There is nothing to rate yet.", "Import data", "imports:import")
    if n := figures.waiting_pairs:
        in_none = "1 pair is in no batch." if n == 1 else f"{n:,} pairs are in no batch."
        block(in_none, "Make batches", "annotation:assign")
    if n := figures.free_seats:
        free = "1 seat has nobody in it." if n == 1 else f"{n:,} seats have nobody in them."
        block(free, "Assign", "annotation:assign")
    if n := figures.undecidable_pairs:
        stuck = "1 dispute was" if n == 1 else f"{n:,} disputes were"
        block(
            f"{stuck} rated by every adjudicator, so none may decide.",
            "See them",
            "annotation:undecidable",
        )
    return Study(collection, figures, blocks)
