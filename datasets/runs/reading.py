"""Many rankings read at once."""

from collections import defaultdict
from collections.abc import Iterable

from datasets.models import Judgments, JudgmentSet, Ranking, Run


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
