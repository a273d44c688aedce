"""Flags with their answers, and audits."""

from agreement.subjects.audits.tables import audits_of
from annotation.flags.reports import flag_rows
from api.columns import Column, Convert, Kind, identifier
from api.resources.resource import Resource, Row
from api.viewer import Viewer
from datasets.models import Scope


def _flags(viewer: Viewer) -> list[Row]:
    if not hasattr(viewer.collection, "scheme"):
        return []
    return [
        (
            rating.public_id,
            row.pair.public_id,
            row.pair.topic.external_id,
            row.pair.topic.facet,
            row.pair.document.external_id,
            viewer.people[rating.annotator_id],
            rating.note,
            not answers,
            row.can_be_example,
            [{"kind": answer.kind, "text": answer.text} for answer in answers],
        )
        for row in flag_rows(collection=viewer.collection, user=viewer.user)
        for rating, answers in row.flags
    ]


def _pseudonyms(viewer: Viewer) -> Convert:
    return lambda members: [viewer.people[member.pk] for member in members.all()]


FLAGS = Resource(
    "flags",
    "The flags of ratings that you may read, with their answers.",
    (
        Column("rating", "The rating's public id, by which its flag is answered.", Kind.ID),
        Column("pair", "The pair's public id.", Kind.ID),
        Column("topic", "The topic."),
        Column("facet", "Its facet; empty for an aspect."),
        Column("document", "The document."),
        Column("annotator", "Who raised it."),
        Column("note", "Their note."),
        Column("is_open", "Whether nobody has answered yet.", Kind.FLAG),
        Column("can_be_example", "Whether a rule may name the pair and its gold.", Kind.FLAG),
        Column("answers", "The answers, each with its kind.", Kind.DATA),
    ),
    _flags,
    scope=Scope.RATINGS,
)
AUDITS = Resource(
    "audits",
    "Random samples of agreed pairs that adjudicators decide without seeing the ratings.",
    (
        identifier("The audit's public id."),
        Column("name", "Its name."),
        Column("facet", "The facet that it is limited to; empty for all."),
        Column("query", "The query that it is limited to.", path="query__external_id"),
        Column("batch", "The batch that it is limited to, by name.", path="batch__name"),
        Column("size", "How many agreed pairs were drawn.", Kind.INTEGER),
        Column("adjudicators", "Who decides, by pseudonym.", Kind.TEXTS, convert=_pseudonyms),
        Column("drawn_at", "When it was drawn.", Kind.TIME),
        Column("closed_at", "When its figures became final.", Kind.TIME),
    ),
    lambda viewer: audits_of(viewer.collection),
)
