"""The pairs of a collection as a source of values tells them."""

from collections.abc import Iterator
from decimal import Decimal

import numpy as np

from annotation.models import Batch, MachineScore, Pair
from audit.refusals import Invalid
from datasets.models import Document, JudgmentSet, Topic
from evaluation.protocols import Missing
from evaluation.sources.reading import Judging, judgments_of
from evaluation.sources.source import OF_SEATS, Kind, Source
from formats.decimals import plain
from releases.records import NO_GRADE, UNMAPPED, UNREAD, UNSCORED, JudgedPair

EXCLUDED = Pair.Origin.EXCLUDED
DECIMALS = 3


def source_pairs(collection, pairs, source: Source, by) -> Iterator[tuple[int, JudgedPair]]:
    """(topic, JudgedPair) in order, of pairs that `by` may see; without `by`, of all.

    What gold leaves out with a reason has no value under any source. Seats tell nothing of a batch
    before all of them are handed in.
    """
    grades = _grades(collection, pairs, source, by)
    read = _scored(pairs, source) if source.kind is Kind.MACHINE else set()
    using = pairs.db
    documents = dict(
        Document.objects.using(using)
        .filter(pk__in=pairs.order_by().values("document"))
        .values_list("pk", "external_id")
    )
    batches = Batch.objects.using(using).filter(collection=collection)
    names = dict(batches.values_list("pk", "name"))
    unfinished = set(batches.unfinished().values_list("pk", flat=True))
    rows = pairs.order_by("position", "id").values_list(
        "pk", "topic", "document", "batch", "state", "gold_origin"
    )
    for pk, topic, document, batch, state, origin in rows.iterator():
        value = grades.get(pk)
        if origin == EXCLUDED:
            origin, value = EXCLUDED, None
        elif source.kind is Kind.GOLD:
            origin, state = _of_gold(origin, state, value)
        elif source.kind in OF_SEATS and (batch is None or batch in unfinished):
            origin, value = "", None
            state = "agreed" if state == "disputed" else state
        elif value is not None:
            origin, state = str(source.kind), ""
        elif source.kind is Kind.MACHINE:
            origin, state = "", UNREAD if pk in read else UNSCORED
        else:
            origin, state = NO_GRADE, ""
        yield topic, JudgedPair(documents[document], names.get(batch, ""), state, origin, value)


def _of_gold(origin: str, state: str, value: Decimal | None) -> tuple[str, str]:
    """(origin, state): gold of which the mapping does not tell the grade is missing."""
    return ("", UNMAPPED) if origin and value is None else (origin, state)


def _grades(collection, pairs, source: Source, by) -> dict[int, Decimal]:
    """{pair: its grade}"""
    if source.kind is Kind.JUDGMENTS:
        return _judged(collection, pairs, source)
    judging = Judging.of_pairs(collection, by)
    grades = judging.grades(source, Missing.UNJUDGED)
    known = ~np.isnan(grades)
    return {
        pair: _decimal(grade, source)
        for pair, grade in zip(
            judging.ratings.pair[known].tolist(), grades[known].tolist(), strict=True
        )
    }


def _judged(collection, pairs, source: Source) -> dict[int, Decimal]:
    elsewhere = judgments_of(collection, source.key, source.mapping)
    if elsewhere.level != "topics":
        judged = JudgmentSet.objects.using(pairs.db).get(collection=collection, key=source.key)
        raise Invalid(
            f"The judgments {judged.name} are of {elsewhere.level.label}, and an export is made of "
            "the grades of topics. Download them as qrels from their own page."
        )
    topics = Topic.objects.using(pairs.db).filter(collection=collection)
    names = dict(topics.values_list("pk", "external_id"))
    rows = pairs.values_list("pk", "topic", "document__external_id").order_by()
    return {
        pk: _decimal(grade, source)
        for pk, topic, document in rows.iterator()
        if (grade := elsewhere.grades.get(names[topic], {}).get(document)) is not None
        and grade == grade
    }


def _decimal(grade: float, source: Source) -> Decimal:
    value = Decimal(str(round(grade, 9)))
    if value != round(value, DECIMALS):
        raise Invalid(
            f"By {source.in_words} a pair has the grade {plain(value)}, and an export holds at "
            f"most {DECIMALS} decimal places. Choose another source, or a mapping."
        )
    return value


def _scored(pairs, source: Source) -> set[int]:
    """The pairs that the machine run has a row of, whether it could be read as a value or not."""
    rows = MachineScore.objects.using(pairs.db).filter(run__public_id=source.key)
    return set(rows.values_list("pair", flat=True).iterator())
