"""Systems and runs, judgments of others, machine scores: for leads alone."""

from django.db.models import QuerySet

from annotation.models import MachineRun, MachineScore
from api.columns import Column, Kind, identifier
from api.resources.judged import about, visible_pairs
from api.resources.resource import Resource
from api.viewer import Viewer
from datasets.models import JudgmentSet, Run, Scope, System
from evaluation.sources.choices import sources_of
from evaluation.sources.source import Source


def _machine_scores(viewer: Viewer) -> QuerySet:
    pairs = visible_pairs(viewer).order_by()
    return MachineScore.objects.filter(run__collection=viewer.collection, pair__in=pairs)


def _sources(viewer: Viewer) -> list[Source]:
    if not hasattr(viewer.collection, "scheme"):
        return []
    return sources_of(viewer.collection)


SYSTEMS = Resource(
    "systems",
    "What produced runs.",
    (
        identifier("The system's public id."),
        Column("key", "The key that tells it from others."),
        Column("name", "Its name."),
        Column("kind", "retrieval, reranking, human or machine."),
        Column("model_family", "The family of its model."),
        Column("is_pooled", "Whether its runs contributed to the pools.", Kind.FLAG),
    ),
    lambda viewer: System.objects.filter(collection=viewer.collection),
)
RUNS = Resource(
    "runs",
    "The rankings of systems, a file each.",
    (
        identifier("The run's public id."),
        Column("system", "The key of its system.", path="system__key"),
        Column("tag", "Its tag."),
        Column("level", "topics, queries or sub-queries: the level of its rankings."),
        Column("order", "score or rank: the order of its documents."),
        Column("file_name", "The last file that brought rankings of it."),
        Column("file_sha256", "That file's hash."),
        Column("content_sha256", "The hash of its rankings, whatever the file's format."),
        Column("report", "Notes from reading the file.", Kind.DATA),
        Column("created_at", "When it was stored.", Kind.TIME),
    ),
    lambda viewer: Run.objects.filter(system__collection=viewer.collection),
    filters={"tag": "tag", "level": "level"},
)
JUDGMENT_SETS = Resource(
    "judgments",
    "Sets of grades that were made elsewhere. They are never gold.",
    (
        identifier("The set's public id."),
        Column("key", "Its key, as `judgments:KEY` among the sources of values."),
        Column("name", "Its name."),
        Column("level", "topics, queries or sub-queries: the level of its judgments."),
        Column("scale_note", "What its grades mean."),
        Column("file_name", "The file it came in."),
        Column("file_sha256", "That file's hash."),
        Column("content_sha256", "The hash of its grades, whatever the file's format."),
        Column("created_at", "When it was stored.", Kind.TIME),
    ),
    lambda viewer: JudgmentSet.objects.filter(collection=viewer.collection),
)
MACHINE_RUNS = Resource(
    "machine-runs",
    "Runs of models over pairs. Their values are never gold by themselves.",
    (
        identifier("The run's public id, as `machine:ID` among the sources of values."),
        Column("model", "The model."),
        Column("name", "The run's name."),
    ),
    lambda viewer: MachineRun.objects.filter(collection=viewer.collection),
)
MACHINE_SCORES = Resource(
    "machine-scores",
    "Scores of pairs by models.",
    (
        Column("run", "The machine run's public id.", Kind.ID, "run__public_id"),
        Column("model", "The model.", path="run__model"),
        *about(),
        Column("value", "The value; null where the response has none.", Kind.NUMBER),
        Column("response", "The response as it came."),
    ),
    _machine_scores,
    scope=Scope.RATINGS,
    filters={"run": "run__public_id", "topic": "pair__topic__external_id"},
)
SOURCES = Resource(
    "sources",
    "Sources of values for figures and qrels: the choices for `values` elsewhere.",
    (
        Column("values", "As it stands in an address: `gold`, `seat:1`.", path="address"),
        Column(
            "kind",
            "gold, seat, member, majority, median, highest, lowest, machine, judgments.",
            path="kind__value",
        ),
        Column("name", "What people read.", path="in_words"),
    ),
    _sources,
)
