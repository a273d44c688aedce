"""Many rankings read at once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeVar

from django.db.models import Model, QuerySet

from datasets.models import Judgments, JudgmentSet, Ranking, Run
from formats.grouping import in_chunks

Row = TypeVar("Row", bound=Model)
# Rows that a reader holds at once; each has all documents of a topic.
AT_ONCE = 10


def rankings_of(runs: Iterable[Run]) -> dict[int, dict[str, list[str]]]:
    """{run's key: {topic or query: documents, best first}} of runs, in one query."""
    runs = list(runs)
    rankings: dict[int, dict[str, list[str]]] = {run.pk: {} for run in runs}
    stored = Ranking.objects.using(runs[0]._state.db if runs else None)
    rows = stored.filter(run__in=rankings.keys()).order_by("run", "pk")
    for run, external_id, documents in rows.values_list("run", "external_id", "documents"):
        rankings[run][external_id] = documents.split("\n")
    return rankings


def literals_of(judgment_set: JudgmentSet) -> dict[str, dict[str, str]]:
    """{topic or query: {document: literal}} of a set."""
    literals: dict[str, dict[str, str]] = defaultdict(dict)
    stored = Judgments.objects.using(judgment_set._state.db)
    for row in stored.filter(judgment_set=judgment_set):
        literals[row.external_id] = row.by_document
    return dict(literals)


def rankings_in_turn(run: Run) -> Iterator[Ranking]:
    return _in_turn(Ranking.objects.filter(run=run))


def judgments_in_turn(judgment_set: JudgmentSet) -> Iterator[Judgments]:
    return _in_turn(Judgments.objects.filter(judgment_set=judgment_set))


def _in_turn(rows: QuerySet[Row]) -> Iterator[Row]:
    """A few rows at a time. Each time is a statement of its own: no reader, however slow, holds up
    who writes. Raises RuntimeError where rows were removed meanwhile: a part is not the whole."""
    numbers = list(rows.order_by("pk").values_list("pk", flat=True))
    for chunk in in_chunks(numbers, AT_ONCE):
        by_number = rows.in_bulk(chunk)
        if len(by_number) < len(chunk):
            raise RuntimeError("Some of the rows were removed while they were read.")
        yield from (by_number[number] for number in chunk)
