"""The scores of the runs by a source of values, beside those by gold."""

from typing import Any

from accounts.models import User
from audit.refusals import Refused
from datasets.models import Collection, JudgmentSet, Level
from evaluation.measures import Values
from evaluation.protocols import Protocol
from evaluation.runs.available import levels_of
from evaluation.runs.evaluation import Evaluation
from evaluation.runs.scores import number
from evaluation.runs.two_sources import Beside
from evaluation.sources.elsewhere import Grades
from evaluation.sources.reading import Judging
from evaluation.sources.source import GOLD, Kind, Source

DIFFERENT_SCALES = "Facets have scales of their own, and no figure is of several scales."


def effect_on_scores(
    collection: Collection, source: Source, protocol: Protocol, viewer: User | None
) -> dict[str, Any] | None:
    """Every run by gold and by the source, on the topics that both tell; and how alike the two
    orders are. Judgments from elsewhere count as the files hold them: of documents of the pools.

    None for gold itself, without runs, and where the collection keeps its scores closed.
    """
    level = _level_of(collection, source)
    if source.is_plain_gold or level is None:
        return None
    judging = Judging.of(collection, viewer, may_keep=False)
    if judging.is_closed:
        return None
    if judging.ratings.has_different_scales:
        return {"protocol": protocol.data, "not_computed": DIFFERENT_SCALES}
    gold = Evaluation(collection, protocol, GOLD, viewer, level, may_keep=False)
    other = Evaluation(collection, protocol, source, viewer, level, may_keep=False)
    for evaluation in (gold, other):
        vars(evaluation)["judging"] = judging
    try:
        return _compared(gold, other)
    except Refused as refused:
        return {"protocol": other.protocol.data, "not_computed": str(refused)}


def _level_of(collection: Collection, source: Source) -> Level | None:
    """The level of the runs to compare: that of the judgments from elsewhere, else the first one
    with runs."""
    levels = levels_of(collection)
    if source.kind is Kind.JUDGMENTS:
        judged = JudgmentSet.objects.using(collection._state.db)
        level = judged.get(collection=collection, key=source.key).level
        return Level(level) if level in levels else None
    return levels[0] if levels else None


def _compared(gold: Evaluation, other: Evaluation) -> dict[str, Any]:
    if other.elsewhere is not None:
        vars(other)["elsewhere"] = _of_pools(other, other.elsewhere)
    beside = Beside(gold, other)
    effect: dict[str, Any] = {
        "protocol": other.protocol.data,
        "level": str(gold.level),
        "topics": beside.topics,
        "left_out_batches": list(gold.judging.left_out),
    }
    by_gold, by_source = beside.means(beside.by_first), beside.means(beside.by_second)
    effect["runs"] = [
        {
            "run": name,
            "sha256": run.content_sha256,
            "by_gold": _by_measure(gold, by_gold[:, place]),
            "by_source": _by_measure(other, by_source[:, place]),
        }
        for place, (name, run) in enumerate(gold.runs.items())
    ]
    if beside.topics and len(gold.runs) > 1:
        first = gold.protocol.parsed[0]
        effect["order"] = beside.order(first).data(first)
    return effect


def _of_pools(evaluation: Evaluation, grades: Grades) -> Grades:
    of_pools = {
        unit.id: {
            document: grades[unit.id][document]
            for document in unit.documents
            if document in grades[unit.id]
        }
        for unit in evaluation.all_units
        if unit.id in grades
    }
    return {unit: of_documents for unit, of_documents in of_pools.items() if of_documents}


def _by_measure(evaluation: Evaluation, values: Values) -> dict[str, float | None]:
    return {
        measure.name: number(value)
        for measure, value in zip(evaluation.protocol.parsed, values.tolist(), strict=True)
    }
