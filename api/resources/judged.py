"""Pairs with their ratings and decisions. Everything starts from the rows that the viewer may
see."""

from django.db.models import Exists, OuterRef, QuerySet

from adjudication.models import Decision
from annotation.models import Pair, ProgramSave, Rating
from api.columns import Column, Convert, Kind, identifier
from api.resources.resource import Resource, is_none, pseudonym_of
from api.viewer import Viewer
from datasets.models import Scope


def visible_pairs(viewer: Viewer) -> QuerySet:
    """All pairs but those of unfinished batches in which the lead rates or rated."""
    pairs = Pair.objects.visible_to_lead(viewer.user)
    return pairs.filter(topic__collection=viewer.collection)


def visible_ratings(viewer: Viewer) -> QuerySet:
    ratings = Rating.objects.visible_to(viewer.user)
    # A lead's own ratings in a batch that they are blind to stand at their seat, not here.
    ratings = ratings.filter(pair__in=visible_pairs(viewer).order_by())
    saves = ProgramSave.objects.filter(revision__rating=OuterRef("pk"))
    return ratings.annotate(is_by_program=Exists(saves))


def _decisions(viewer: Viewer) -> QuerySet:
    """Every decision, also those that were changed or reopened since."""
    return Decision.objects.filter(pair__in=visible_pairs(viewer).order_by())


def first_query(viewer: Viewer) -> Convert:
    """The first query of a topic, as exports name it."""
    return lambda topic: next(iter(viewer.queries.get(topic, [])), "")


def about(prefix: str = "pair__") -> tuple[Column, ...]:
    """The subject of a row, in the words of the exported tables."""
    return (
        Column("topic", "The topic.", path=f"{prefix}topic__external_id"),
        Column("facet", "Its facet; empty for an aspect.", path=f"{prefix}topic__facet"),
        Column("query", "The topic's (first) query.", path=f"{prefix}topic", convert=first_query),
        Column("document", "The document.", path=f"{prefix}document__external_id"),
    )


def _filters(prefix: str = "pair__") -> dict[str, str]:
    return {
        "topic": f"{prefix}topic__external_id",
        "facet": f"{prefix}topic__facet",
        "document": f"{prefix}document__external_id",
        "batch": f"{prefix}batch__public_id",
    }


PAIRS = Resource(
    "pairs",
    "Topics with documents: the units that are rated, each with its state.",
    (
        identifier("The pair's public id."),
        *about(""),
        Column("batch", "Its batch; null while it waits for one.", Kind.ID, "batch__public_id"),
        Column("batch_name", "The batch's name.", path="batch__name"),
        Column("state", "open, partial, agreed, disputed, adjudicated or excluded."),
    ),
    visible_pairs,
    filters=_filters("") | {"state": "state"},
)
RATINGS = Resource(
    "ratings",
    "Every standing rating that you may read, people under pseudonyms.",
    (
        identifier("The rating's public id."),
        *about(),
        Column("pair", "The pair's public id.", Kind.ID, "pair__public_id"),
        Column("batch", "The batch's name.", path="pair__batch__name"),
        Column("overlap", "The batch's number of seats.", Kind.INTEGER, "pair__batch__overlap"),
        Column("seat", "The seat's number in its batch.", Kind.INTEGER, "seat__ordinal"),
        Column("annotator", "Who rated.", path="annotator", convert=pseudonym_of),
        Column("option", "The chosen option; null for “cannot judge”.", path="option__key"),
        Column("value", "The option's value.", Kind.NUMBER, "option__value"),
        Column("cannot_judge", "The reason, where the pair cannot be judged."),
        Column("note", "The annotator's note."),
        Column("is_flagged", "Whether they flagged it.", Kind.FLAG),
        Column("components", "Key components, with how far each is met.", Kind.DATA),
        Column("active_seconds", "Time spent on the pair.", Kind.NUMBER),
        Column("scheme_version", "The version they read.", Kind.INTEGER, "scheme_version__number"),
        Column("version", "How often it was saved.", Kind.INTEGER),
        Column("is_by_program", "Whether a program ever sent it.", Kind.FLAG),
        Column("created_at", "When it was first saved.", Kind.TIME),
    ),
    visible_ratings,
    scope=Scope.RATINGS,
    filters=_filters(),
)
DECISIONS = Resource(
    "decisions",
    "Decisions of adjudicators, earlier ones included.",
    (
        identifier("The decision's public id."),
        *about(),
        Column("pair", "The pair's public id.", Kind.ID, "pair__public_id"),
        Column("adjudicator", "Who decided.", path="adjudicator", convert=pseudonym_of),
        Column(
            "option",
            "The option decided for; null where the pair was left out.",
            path="option__key",
        ),
        Column("value", "The option's value.", Kind.NUMBER, "option__value"),
        Column("exclusion_reason", "Why the pair was left out."),
        Column("cause", "The cause of the disagreement."),
        Column("rationale", "Why it was decided so."),
        Column("decided_at", "When.", Kind.TIME),
        Column("is_standing", "Whether it holds today.", Kind.FLAG, "superseded_at", is_none),
        Column("reopening_reason", "Why a lead reopened it."),
    ),
    _decisions,
    scope=Scope.RATINGS,
    filters=_filters(),
)
GOLD = Resource(
    "gold",
    "The final values, and the pairs that were left out with a reason.",
    (
        *about(""),
        Column("state", "agreed, adjudicated or excluded."),
        Column("origin", "consensus, adjudicated or excluded.", path="gold_origin"),
        Column("option", "The option, where all chose the same.", path="gold_option__key"),
        Column("value", "The value; null where the pair is left out.", Kind.NUMBER, "gold_value"),
    ),
    lambda viewer: visible_pairs(viewer).exclude(gold_origin=""),
    scope=Scope.RATINGS,
    filters=_filters(""),
)
