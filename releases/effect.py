"""What a source of values does to the scores of the runs, beside those by gold."""

from typing import Any

import numpy as np

from audit.refusals import Refused
from datasets.models import Collection
from evaluation.definitions.reading import usual_protocol
from evaluation.orders.stability import Orders, Reference
from evaluation.results import Measured, Together
from evaluation.runs.asked import Asked, levels_of
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
    gold = Asked(collection, protocol, GOLD, viewer, levels[0], may_keep=False)
    other = Asked(collection, protocol, source, viewer, levels[0], may_keep=False)
    for asked in (gold, other):
        vars(asked)["judging"] = judging
    try:
        return _compared(gold, other)
    except Refused as refused:
        return {"protocol": other.protocol.data, "not_computed": str(refused)}


def _compared(gold: Asked, other: Asked) -> dict[str, Any]:
    by_gold, by_source = _measured(gold, other), _measured(other, gold)
    found: dict[str, Any] = {
        "protocol": other.protocol.data,
        "level": str(gold.level),
        "topics": [topic.id for topic in by_gold.topics],
        "left_out_batches": list(gold.judging.left_out),
        "runs": [
            {
                "run": name,
                "sha256": run.content_sha256,
                "by_gold": _means(gold, by_gold, place),
                "by_source": _means(other, by_source, place),
            }
            for place, (name, run) in enumerate(gold.runs.items())
        ],
    }
    if by_gold.topics and len(gold.runs) > 1:
        found["order"] = _order(gold, by_gold, other, by_source)
    return found


def _measured(asked: Asked, beside: Asked) -> Measured:
    """On the topics that the other source tells of, too."""
    both = {topic.id for topic in beside.units}
    topics = [topic for topic in asked.topics if topic.id in both]
    return asked.measure(topics, asked.protocol.parsed)


def _together(asked: Asked, measured: Measured) -> Together:
    ids = [topic.id for topic in measured.topics]
    return Together.of(asked.protocol.summary, ids, asked.folds, asked.facet)


def _means(asked: Asked, measured: Measured, run: int) -> dict[str, float | None]:
    together = _together(asked, measured)
    values = together(measured.counted(asked.protocol)[:, run])
    return {
        measure.name: number(value)
        for measure, value in zip(measured.measures, values.tolist(), strict=True)
    }


def _order(gold: Asked, by_gold: Measured, other: Asked, by_source: Measured) -> dict[str, Any]:
    """How alike the orders of the runs are by the first measure of the protocol."""
    together = _together(gold, by_gold)
    values = by_gold.counted(gold.protocol)[0]
    reference = Reference.of(tuple(gold.runs), values, together)
    names = list(gold.runs)
    rows = [names.index(name) for name in reference.names]
    orders = Orders(reference, by_source.counted(other.protocol)[0][rows])
    return {
        "measure": by_gold.measures[0].name,
        "tau_b": number(float(orders.tau_b)),
        "pairs_of_runs": len(reference.differences),
        "reversed": int(np.asarray(orders.swaps)),
    }
