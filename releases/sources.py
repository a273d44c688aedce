"""The pairs of a collection as a source of values tells them."""

from collections.abc import Iterator
from decimal import Decimal

from annotation.models import Batch, MachineScore, Pair
from audit.refusals import Invalid
from datasets.models import Document
from evaluation.sources.pairs import grades_of_pairs
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
    grades = grades_of_pairs(collection, source, by, may_keep=False)
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
        value = _decimal(grades[pk], source) if pk in grades else None
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
