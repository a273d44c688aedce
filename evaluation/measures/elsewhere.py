"""Every other measure that ir-measures knows, computed by it: whole grades, one source at once."""

from typing import Any

import numpy as np

from evaluation.measures.grades import Ranked, Values
from evaluation.measures.measure import Measure


class UnfitError(ValueError):
    """A measure that cannot be computed of these grades; the message says why."""


def of_ir_measures(text: str) -> Measure:
    """ValueError for what ir-measures does not know, or cannot compute here."""
    # Imported by the first measure that asks for it: no other page should wait.
    import ir_measures

    try:
        measure = ir_measures.parse_measure(text)
        ir_measures.evaluator([measure], [ir_measures.Qrel("q", "d", 1)])
    except (NameError, ValueError, KeyError, SyntaxError, AssertionError, RuntimeError) as error:
        raise ValueError(f"There is no measure {text!r}.") from error

    def total(gains: Values, ranked: Ranked) -> Values:
        return np.array(_value(measure, ranked))

    return Measure(
        str(measure),
        "as ir-measures defines it",
        lambda ranked: ranked.gains,
        total,
        is_linear=False,
        depth=lambda ranked: measure.params.get("cutoff"),
    )


def _value(measure: Any, ranked: Ranked) -> float:
    import ir_measures

    values, documents = ranked.pool.values, ranked.pool.documents
    if values.ndim != 1:
        raise UnfitError(f"{measure} is computed of one source at a time, not of draws.")
    grades = values[~np.isnan(values)]
    if (grades != np.round(grades)).any():
        raise UnfitError(f"{measure} takes whole grades, and the source of values has others.")
    qrels = {
        "q": {
            document: int(value)
            for document, value in zip(documents, values.tolist(), strict=True)
            if not np.isnan(value)
        }
    }
    names = [
        documents[place] if place >= 0 else f"\x00{n}" for n, place in enumerate(ranked.places)
    ]
    run = {"q": {name: float(len(names) - rank) for rank, name in enumerate(names)}}
    if not qrels["q"] or not names:
        return float("nan")
    return float(ir_measures.calc_aggregate([measure], qrels, run)[measure])
