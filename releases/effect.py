"""What a source of values does to the scores of the runs, beside those by gold."""

from typing import Any

from audit.refusals import Refused
from datasets.models import Collection
from evaluation.definitions.reading import usual_protocol
from evaluation.measures import Values
from evaluation.runs.beside import Beside
from evaluation.runs.evaluation import Evaluation, levels_of
from evaluation.runs.scores import number
from evaluation.sources.reading import Judging
from evaluation.sources.source import GOLD, Source


def effect_on_scores(collection: Collection, source: Source, viewer) -> dict[str, Any] | None:
    """Every run by gold and by the source, on the topics that both tell; and how alike the two
    orders are.

    None for gold itself, without runs, and where the collection keeps its scores closed. The
    protocol is that which fits the kind of study.
    """
    levels = levels_of(collection)
    if source.is_plain_gold or not levels:
        return None
    judging = Judging.of(collection, viewer, may_keep=False)
    if judging.is_closed:
        return None
    protocol = usual_protocol(collection)
    gold = Evaluation(collection, protocol, GOLD, viewer, levels[0], may_keep=False)
    other = Evaluation(collection, protocol, source, viewer, levels[0], may_keep=False)
    for evaluation in (gold, other):
        vars(evaluation)["judging"] = judging
    try:
        return _compared(gold, other)
    except Refused as refused:
        return {"protocol": other.protocol.data, "not_computed": str(refused)}


def _compared(gold: Evaluation, other: Evaluation) -> dict[str, Any]:
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
        alike = beside.order(first)
        effect["order"] = {
            "measure": first.name,
            "tau_b": alike.tau_b,
            "pairs_of_runs": alike.pairs,
            "reversed": alike.reversed,
        }
    return effect


def _by_measure(evaluation: Evaluation, values: Values) -> dict[str, float | None]:
    return {
        measure.name: number(value)
        for measure, value in zip(evaluation.protocol.parsed, values.tolist(), strict=True)
    }
