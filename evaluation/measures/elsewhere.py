"""Every other measure that ir-measures knows, computed by it: whole grades, one source at once."""

import math
from subprocess import CalledProcessError
from typing import Any

import numpy as np

from evaluation.measures.grades import Ranked, Values
from evaluation.measures.measure import Measure

# What ir-measures and the programs that it asks raise for a name or a parameter there is not, and
# for grades that they cannot take.
WRONG = (
    *(NameError, ValueError, LookupError, SyntaxError, TypeError, ArithmeticError),
    *(AssertionError, RuntimeError, SystemError, CalledProcessError),
)


class UnfitError(ValueError):
    """A measure that cannot be computed of these grades; the message says why."""


def of_ir_measures(text: str, least: float) -> Measure:
    """The measure of a name, which takes the least relevant grade where it says none.

    ValueError for what ir-measures does not know, or cannot compute here.
    """
    # Imported by the first measure that asks for it: no other page should wait.
    import ir_measures

    try:
        measure = ir_measures.parse_measure(text)
        usual = measure.SUPPORTED_PARAMS.get("rel")
        if usual and usual.default == 1 != least and "rel" not in measure.params:
            # Grades are whole here, so that from 1.5 on is from 2 on.
            measure = measure(rel=math.ceil(least))
        # Some parameters are found to be wrong only where something is measured.
        list(ir_measures.iter_calc([measure], {"0": {"0": 1}}, {"0": {"0": 1.0}}))
    except WRONG as error:
        raise ValueError(f"There is no measure {text!r}.") from error

    def total(gains: Values, ranked: Ranked) -> Values:
        return _values(measure, ranked)

    return Measure(
        str(measure),
        "as ir-measures defines it",
        lambda ranked: ranked.gains,
        total,
        is_linear=False,
        depth=lambda ranked: measure.params.get("cutoff"),
    )


def _values(measure: Any, ranked: Ranked) -> Values:
    """(...,): the value of each order in which the documents stand."""
    import ir_measures

    values = ranked.pool.values
    if values.ndim != 1:
        raise UnfitError(f"{measure} is computed of one source at a time, not of draws.")
    grades = values[~np.isnan(values)]
    if (grades != np.round(grades)).any():
        raise UnfitError(f"{measure} takes whole grades, and the source of values has others.")
    # Numbers for names, which every program that it asks can read.
    qrels = {
        str(place): int(value) for place, value in enumerate(values.tolist()) if not np.isnan(value)
    }
    orders = np.atleast_2d(ranked.places).tolist()
    figures = dict.fromkeys(map(str, range(len(orders))), float("nan"))
    # trec_eval's nDCG never returns where every grade is negative.
    if ranked.size and max(qrels.values(), default=-1) >= 0:
        try:
            # Each order is a topic, so that a program which is started is started once.
            for metric in ir_measures.iter_calc(
                [measure],
                dict.fromkeys(figures, qrels),
                dict(zip(figures, map(_run, orders), strict=True)),
            ):
                figures[metric.query_id] = float(metric.value)
        except WRONG as error:
            raise UnfitError(f"{measure} cannot be computed of these grades.") from error
    return np.array(list(figures.values())).reshape(ranked.places.shape[:-1])


def _run(places: list[int]) -> dict[str, float]:
    return {
        str(place) if place >= 0 else f"unjudged{rank}": float(len(places) - rank)
        for rank, place in enumerate(places)
    }
