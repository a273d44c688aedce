"""The pairs of a collection as a source of values tells them."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from django.db.models import QuerySet

from accounts.models import User
from annotation.models import Batch, MachineScore, Pair
from audit.refusals import Invalid
from datasets.models import Collection, JudgmentSet, Level
from datasets.runs.reading import literals_of
from evaluation.protocols import Missing
from evaluation.scores import Rule, sub_queries
from evaluation.sources.elsewhere import are_sums, judgments_of
from evaluation.sources.pairs import grades_of_pairs
from evaluation.sources.source import OF_SEATS, Kind, Source
from formats.decimals import printed_grade
from formats.literals import number_of
from releases.pair_rows import document_ids
from releases.records import (
    FILLED,
    NO_GRADE,
    UNMAPPED,
    UNREAD,
    UNSCORED,
    JudgedPair,
    QueryGrades,
    TextQuery,
)

EXCLUDED = Pair.Origin.EXCLUDED
DECIMALS = 3


def source_pairs(
    collection: Collection,
    pairs: QuerySet[Pair],
    source: Source,
    missing: Missing,
    by: User | None,
) -> Iterator[tuple[int, JudgedPair]]:
    """(topic, JudgedPair) in order, of pairs that `by` may see; without `by`, of all.

    What gold leaves out with a reason has no value under any source. Seats tell nothing of a batch
    before all of them are handed in. `missing` says how a pair counts to which a seat gave no
    value.
    """
    grades = grades_of_pairs(collection, source, by, missing=missing, may_keep=False)
    grade_of = grades
    if missing is Missing.LOWEST and source.kind in OF_SEATS:
        grade_of = grades_of_pairs(collection, source, by, may_keep=False)
    scored_pairs = _scored(pairs, source) if source.kind is Kind.MACHINE else set()
    documents = document_ids(pairs)
    batches = Batch.objects.using(pairs.db).filter(collection=collection)
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
            # Gold of which the mapping does not tell the grade is missing.
            origin, state = ("", UNMAPPED) if origin and value is None else (origin, state)
        elif source.kind in OF_SEATS and (batch is None or batch in unfinished):
            origin, value = "", None
            state = "agreed" if state == "disputed" else state
        elif value is not None:
            origin, state = str(source.kind) if pk in grade_of else FILLED, ""
        elif source.kind is Kind.MACHINE:
            origin, state = "", UNREAD if pk in scored_pairs else UNSCORED
        else:
            origin, state = NO_GRADE, ""
        yield (
            topic,
            JudgedPair(
                documents[document],
                names.get(batch, ""),
                state,
                origin,
                value,
                is_handed_in=batch not in unfinished,
            ),
        )


def query_grades(
    collection: Collection, source: Source, queries: Sequence[TextQuery], blind: QuerySet[Batch]
) -> QueryGrades | None:
    """Grades from elsewhere for whole queries or sub-queries; None if the source grades pairs. A
    query with a pair in one of the hidden batches has no grades."""
    if source.kind is not Kind.JUDGMENTS:
        return None
    using = collection._state.db
    judged = JudgmentSet.objects.using(using).get(collection=collection, key=source.key)
    if judged.level == Level.TOPICS:
        return None
    elsewhere = judgments_of(collection, source.key, source.mapping)
    pairs = Pair.objects.using(using).filter(batch__in=blind)
    hidden = set(pairs.values_list("topic__external_id", flat=True))
    trees = [query.tree for query in queries]
    # Which rule of sub-queries was chosen, the files say.
    parts = (
        trees
        if judged.level == Level.QUERIES
        else [part for tree in trees for rule in Rule for part in sub_queries(tree, rule=rule)]
    )
    sizes = {part.id: len(part.ids) for part in parts if not hidden.intersection(part.ids)}
    if not sizes:
        raise Invalid(
            f"The judgments {judged.name} are of {elsewhere.level.label}, and there is no such "
            "query with aspects whose every batch you may see."
        )
    grades = {name: grades for name, grades in elsewhere.grades.items() if name in sizes}
    values = [float(value) for scale in collection.scheme.all_scales for value in scale.values]
    return QueryGrades(
        source.in_words,
        judged.level,
        {
            name: {document: _number(text) for document, text in literals.items()}
            for name, literals in literals_of(judged).items()
            if name in sizes
        },
        are_sums(grades, sizes, tuple(values)),
    )


def _number(literal: str) -> Decimal:
    """A grade that was read as a number: exactly as written, but for a decimal comma."""
    number = number_of(literal)
    assert number is not None  # noqa: S101 - else the judgments were refused
    return number


def _decimal(grade: float, source: Source) -> Decimal:
    value = Decimal(str(round(grade, 9)))
    if value != round(value, DECIMALS):
        raise Invalid(
            f"By {source.in_words} a pair has the grade {printed_grade(value)}, and an export "
            f"holds at most {DECIMALS} decimal places. Choose another source, or a mapping."
        )
    return value


def _scored(pairs: QuerySet[Pair], source: Source) -> set[int]:
    """The pairs that the machine run has a row of, whether it could be read as a value or not."""
    rows = MachineScore.objects.using(pairs.db).filter(run__public_id=source.key)
    return set(rows.values_list("pair", flat=True).iterator())
