"""Progress, jobs, imports, exports and the trail."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Batch, Pair
from annotation.progress.figures import Figures
from annotation.progress.overview import topic_rows
from api.columns import Column, Convert, Kind, identifier
from api.resources.judged import visible_pairs
from api.resources.resource import Resource, Row
from api.viewer import Viewer
from audit.models import Event
from audit.verbs import Verb
from datasets.models import Import, Scope
from imports.summaries import rates_in, readable
from jobs.access import readable_errors
from jobs.models import Job
from releases.access import visible_exports

QUOTING = (
    "Further problems quote ratings: a token reads them with the scope “ratings”, and you on the "
    "page of the job."
)

NAMING = (
    "Remarks name raters: a token reads them with the scope “ratings”, and you on the page of the "
    "job."
)


def _progress(viewer: Viewer) -> list[Row]:
    """A row for each topic. Where the lead rates in it, what the overview leaves out is null."""
    if not hasattr(viewer.collection, "scheme"):
        return []
    return [
        (
            row.topic.external_id,
            row.topic.facet,
            row.title,
            None if row.is_hidden else row.state.value,
            row.pairs,
            row.waiting,
            sum(seats.size for seats in row.lists),
            None if None in (rated := [seats.rated for seats in row.lists]) else sum(rated),
            None if row.is_hidden else row.disputes,
            None if row.is_hidden else row.decided,
        )
        for row in topic_rows(Figures(viewer.member))
    ]


def _jobs(viewer: Viewer) -> QuerySet:
    """Those that the person started in the collection."""
    return Job.objects.filter(created_by=viewer.user, collection=viewer.collection.public_id)


def _trail(viewer: Viewer) -> QuerySet:
    """The collection's events, but nothing that a batch in which the lead rates has to do with."""
    events = Event.objects.of_collection(viewer.collection)
    blind = Batch.objects.filter(collection=viewer.collection).blind_to(viewer.user)
    if not blind.exists():
        return events
    # Whatever is about judging is shown only where it is about a pair that is in view. An import
    # says who rated what.
    pair_in_view = visible_pairs(viewer).order_by().filter(public_id=OuterRef("pair_id"))
    return events.with_ids(pair_id=Pair).filter(
        Q(subject_type__startswith="datasets.") & ~Q(verb=Verb.IMPORT) | Exists(pair_in_view)
    )


def _actors(viewer: Viewer) -> Convert:
    """The pseudonym of an account's member; empty for others, and for the server's shell."""
    people = {
        user: viewer.people[pk]
        for pk, user in viewer.collection.memberships.values_list("pk", "user")
    }
    return lambda account: people.get(account, "") if account else ""


def _summary(viewer: Viewer) -> Convert:
    rates = rates_in(viewer.collection, viewer.user)
    may_read_ratings = Scope.RATINGS in viewer.scopes
    return lambda summary: readable(summary, rates=rates, may_read_ratings=may_read_ratings)


def _fingerprint(viewer: Viewer) -> Convert:
    """Whoever knows what a small file looks like could try which grades have its fingerprint."""
    rates = rates_in(viewer.collection, viewer.user)
    may_read = Scope.RATINGS in viewer.scopes and not rates
    return lambda fingerprint: fingerprint if may_read else None


def _message(viewer: Viewer) -> Convert:
    may_read_ratings = Scope.RATINGS in viewer.scopes

    def message_of(result: dict[str, Any]) -> str:
        remarks = result.get("remarks", [])
        if remarks and not may_read_ratings:
            remarks = [NAMING]
        return " ".join([result.get("message", ""), *remarks]).strip()

    return message_of


def _problems(viewer: Viewer, numbers: Sequence[int]) -> Convert:
    """The problems on the page of a job, as far as the viewer may read them now."""
    failed = _jobs(viewer).filter(state=Job.State.FAILED).in_bulk(numbers)
    may_read_ratings = Scope.RATINGS in viewer.scopes

    def problems_of(pk: int) -> list[str]:
        if pk not in failed:
            return []
        job = failed[pk]
        texts, are_all = readable_errors(viewer.user, job, with_subjects=may_read_ratings)
        return texts if are_all or may_read_ratings else [*texts, QUOTING]

    return problems_of


PROGRESS = Resource(
    "progress",
    "The progress of each topic. Of a topic that you rate in, hidden figures are null.",
    (
        Column("topic", "The topic."),
        Column("facet", "Its facet; empty for an aspect."),
        Column("title", "The title of its query, or its own text."),
        Column("state", "locked, empty, waiting, unassigned, rating, adjudication or done."),
        Column("pairs", "How many pairs it has.", Kind.INTEGER),
        Column("waiting", "How many of them are in no batch.", Kind.INTEGER),
        Column("ratings_wanted", "How many ratings its seats ask for.", Kind.INTEGER),
        Column("ratings_given", "How many of them there are.", Kind.INTEGER),
        Column("disputes", "Pairs that went to adjudication, audits apart.", Kind.INTEGER),
        Column("decided", "How many of these are decided.", Kind.INTEGER),
    ),
    _progress,
)
JOBS = Resource(
    "jobs",
    "Background work that you started. Ask again until `state` is done or failed.",
    (
        identifier("The job's public id."),
        Column("kind", "What it does."),
        Column("state", "queued, running, done or failed."),
        Column("stage", "What it is at."),
        Column("progress_done", "How far it is.", Kind.INTEGER),
        Column("progress_total", "Of how much; 0 where that is not known.", Kind.INTEGER),
        Column("message", "What was done.", path="result", convert=_message),
        Column("error", "Why it failed."),
        Column("problems", "What was wrong, one by one.", Kind.TEXTS, lookup=_problems),
        Column("created_at", "When it was asked for.", Kind.TIME),
        Column("finished_at", "When it ended.", Kind.TIME),
    ),
    _jobs,
)
IMPORTS = Resource(
    "imports",
    "What was brought in.",
    (
        identifier("The import's public id."),
        Column("kind", "The format."),
        Column(
            "fingerprint",
            "The hash of its input and options; needs the scope “ratings”, else null.",
            convert=_fingerprint,
        ),
        Column(
            "summary",
            "What it brought. Its `notes` name raters, and need the scope “ratings”.",
            Kind.DATA,
            convert=_summary,
        ),
        Column("created_at", "When it began.", Kind.TIME),
        Column("activated_at", "When it became visible.", Kind.TIME),
    ),
    lambda viewer: Import.objects.filter(collection=viewer.collection, state=Import.State.ACTIVE),
)
EXPORTS = Resource(
    "exports",
    "Files that were made of the gold, with their hashes.",
    (
        identifier("The export's public id."),
        Column("format", "trec, csfcube, csv, doris-mae, birco or beir."),
        Column("options", "What was chosen.", Kind.DATA),
        Column("is_incomplete", "Whether gold was missing.", Kind.FLAG),
        Column("counts", "What it holds.", Kind.DATA),
        Column("files", "Name, size and SHA-256 of each file, the manifest first.", Kind.DATA),
        Column("archive", "The name of all files in one.", path="archive_name"),
        Column("created_at", "When it was made.", Kind.TIME),
    ),
    lambda viewer: list(visible_exports(viewer.user, viewer.collection)),
    scope=Scope.EXPORT,
)
TRAIL = Resource(
    "trail",
    "Who did what to which object, from what to what, and why.",
    (
        Column("at", "When.", Kind.TIME),
        Column("actor", "Who, by pseudonym.", path="actor", convert=_actors),
        Column("verb", "What was done."),
        Column("subject_type", "The kind of object."),
        Column("subject", "Its public id.", path="subject_id"),
        Column("before", "What it was.", Kind.DATA),
        Column("after", "What it became.", Kind.DATA),
        Column("reason", "Why."),
        Column(
            "request", "The `X-Request-ID` of the request that caused it.", Kind.ID, "request_id"
        ),
    ),
    _trail,
    scope=Scope.RATINGS,
    filters={"kind": "verb"},
)
