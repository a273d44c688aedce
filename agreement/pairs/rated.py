"""Lists of pairs that figures before adjudication count."""

from collections.abc import Callable
from itertools import combinations

import numpy as np

from agreement.pairs.made import (
    DISAGREEMENTS,
    FACETS,
    OVERVIEW,
    Made,
    Maker,
    listed,
    one_value,
    two_values,
    wrong,
)
from agreement.statistics import extremes
from agreement.study.counted import Counted, rated_of
from agreement.study.rows import Mask
from agreement.study.selection import Selection
from agreement.subjects.disagreements.figures import (
    DECIDED,
    DECIDED_LABELS,
    WITH_VALUE,
    Outcome,
    became_of,
    labels_given,
)
from formats.decimals import printed_grade

# What may have become of pairs, by its word in a cell.
BECAME = {
    WITH_VALUE: [*DECIDED, *DECIDED_LABELS],
    **{outcome.value: [outcome] for outcome in Outcome},
}


def compared(selection: Selection) -> Counted:
    """The chosen pairs that figures before adjudication count."""
    return rated_of(selection.chosen, selection.progress, selection.filters.cannot_judge)


def _of(page: str, choose: Callable[[Counted, str], tuple[str, Mask]]) -> Maker:
    """`choose` gives the words and the mask of a cell."""

    def make(selection: Selection, cell: str) -> Made:
        counted = compared(selection)
        words, mask = choose(counted, cell)
        return listed(selection, page, words, counted.ratings, mask)

    return make


def _all(counted: Counted, cell: str) -> tuple[str, Mask]:
    return "rated by every seat", np.ones(counted.ratings.size, dtype=bool)


def _differing(counted: Counted, cell: str) -> tuple[str, Mask]:
    lowest, highest = extremes(counted.ratings.values)
    return "the raters differ", highest > lowest


def _raters(counted: Counted, cell: str) -> tuple[str, Mask]:
    seats = one_value(cell)
    return f"{seats:g} raters", counted.ratings.seats == seats


def _given(counted: Counted, cell: str) -> tuple[str, Mask]:
    value = one_value(cell)
    word = counted.ratings.scale.word(value)
    return f"somebody rated {word}", np.asarray((counted.ratings.values == value).any(axis=0))


def _values(counted: Counted, cell: str) -> tuple[str, Mask]:
    """Pairs by lowest and highest value: "0,3" or, with what became of them, "0,3,lower"; by all
    labels that were given where these have no order."""
    cell, outcome = _split(cell)
    if not counted.ratings.scale.is_ordinal:
        return _that_became(counted, outcome, *_labels(counted, cell))
    low, high = two_values(cell)
    lowest, highest = extremes(counted.ratings.values)
    mask = (lowest == low) & (highest == high)
    return _that_became(counted, outcome, f"{printed_grade(low)} and {printed_grade(high)}", mask)


def _labels(counted: Counted, cell: str) -> tuple[str, Mask]:
    """Pairs whose raters gave just these labels: "0,2"."""
    scale = counted.ratings.scale
    names = cell.split(",")
    if not set(names) <= set(scale.names):
        raise wrong(cell, f"some of {', '.join(scale.names)}")
    is_given = np.array([name in names for name in scale.names])
    words = " / ".join(scale.titles[name] for name in names)
    mask = (labels_given(counted.ratings) == is_given[:, np.newaxis]).all(axis=0)
    return words, mask


def _confusion(counted: Counted, cell: str) -> tuple[str, Mask]:
    first, second = two_values(cell)
    mask = np.zeros(counted.ratings.size, dtype=bool)
    for earlier, later in combinations(counted.ratings.values, 2):
        mask |= (earlier == first) & (later == second)
    scale = counted.ratings.scale
    return f"an earlier seat {scale.word(first)}, a later one {scale.word(second)}", mask


def _distance(counted: Counted, cell: str) -> tuple[str, Mask]:
    distance = one_value(cell)
    lowest, highest = extremes(counted.ratings.values)
    words = f"{distance:g} apart" if distance else "the same value"
    return words, np.isclose(highest - lowest, distance)


def _outcome(counted: Counted, cell: str) -> tuple[str, Mask]:
    """Pairs whose raters differed, by what became of them."""
    if cell not in BECAME:
        raise wrong(cell, f"one of {', '.join(BECAME)}")
    lowest, highest = extremes(counted.ratings.values)
    return _that_became(counted, cell, "they differed", highest > lowest)


def _cause(counted: Counted, cell: str) -> tuple[str, Mask]:
    """Decided pairs by the key of their cause, and by what became of them: "facet,lower"."""
    cell, outcome = _split(cell)
    ratings = counted.ratings
    lowest, highest = extremes(ratings.values)
    mask = (highest > lowest) & ratings.is_decided & (ratings.cause == cell)
    return _that_became(counted, outcome, f"cause: {cell or 'none recorded'}", mask)


def _split(cell: str) -> tuple[str, str]:
    """A cell, and what became of its pairs where that stands after the last comma."""
    value, comma, last = cell.rpartition(",")
    return (value, last) if comma and last in BECAME else (cell, "")


def _that_became(counted: Counted, outcome: str, words: str, mask: Mask) -> tuple[str, Mask]:
    """Those of the mask that an outcome befell; all of them without one."""
    if not outcome:
        return words, mask
    became = became_of(counted.ratings, *extremes(counted.ratings.values))
    return f"{words}, then: {outcome}", mask & np.isin(became, BECAME[outcome])


def _cannot_judge(counted: Counted, cell: str) -> tuple[str, Mask]:
    return "somebody cannot judge", np.asarray(counted.ratings.is_cannot_judge.any(axis=0))


LISTS: dict[str, Maker] = {
    "rated": _of(OVERVIEW, _all),
    "differing": _of("agreement:queries", _differing),
    "raters": _of(OVERVIEW, _raters),
    "given": _of(FACETS, _given),
    "values": _of(DISAGREEMENTS, _values),
    "confusion": _of(DISAGREEMENTS, _confusion),
    "distance": _of(DISAGREEMENTS, _distance),
    "outcome": _of(DISAGREEMENTS, _outcome),
    "cause": _of(DISAGREEMENTS, _cause),
    "cannot-judge": _of(OVERVIEW, _cannot_judge),
}
