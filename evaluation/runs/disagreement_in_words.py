"""What disagreement does to the order of the runs: in a sentence, and in rows of files."""

from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.tables.table import Cell
from evaluation.orders.correlation import CLOSE
from evaluation.orders.differences import ALPHA
from evaluation.orders.draws import Drawn
from evaluation.orders.stability import Orders, Reference
from evaluation.points import decimals
from evaluation.runs.disagreement import Compared, Matter


def sentence_of(matter: Matter, draws: Drawn) -> list[tuple[str, bool]]:
    """The one sentence, in parts of which some are stressed."""
    orders, reference = matter.drawn(draws).orders, matter.reference
    tau = mean(orders.tau_b)
    never = int(np.count_nonzero(orders.reversed_shares == 0))
    pairs = len(reference.differences)
    rater = "a random rater" if draws is Drawn.TOPIC else "a random rater for each pair"
    parts = [
        (f"{len(reference.names)} systems: the order by {matter.by} agrees with ", False),
        (f"the order by {rater} to ", False),
        ("no tau at all" if tau is None else f"tau {decimals(tau)}", True),
        (". ", False),
        *_first_two(reference, orders),
        ("; ", False),
        (f"{never} of {pairs}", True),
        (" differences are never reversed", False),
    ]
    significant = reference.is_significant
    count = int(np.count_nonzero(significant))
    if not count:
        least = reference.least_adjusted
        bound = f"; no p after Holm can be below {least:.2f} here." if least > ALPHA else "."
        return [
            *parts,
            (", and ", False),
            (f"none is significant by {matter.by}", True),
            (bound, False),
        ]
    firm = int(np.count_nonzero(orders.reversed_shares[significant] == 0))
    return [
        *parts,
        (", among them ", False),
        (f"{firm} of the {count}", True),
        (" that are significant.", False),
    ]


def _first_two(reference: Reference, orders: Orders) -> list[tuple[str, bool]]:
    """What becomes of the difference at the top, if there is one."""
    first, second = reference.names[:2]
    if reference.differences[0] <= CLOSE:
        return [(f"{first} and {second}", True), (" are level", False)]
    share = share_in_words(float(orders.reversed_shares[0]))
    return [(f"{first} over {second}", True), (" is ", False), (share, True)]


def share_in_words(share: float) -> str:
    """ "reversed in 12.3% of the draws", "half" for 48 to 52%, "never reversed" for none."""
    if share == 0:
        return "never reversed"
    if 0.48 <= share <= 0.52:
        return "reversed in half of the draws"
    return f"reversed in {100 * share:.1f}% of the draws"


def mean(values: npt.ArrayLike) -> float | None:
    """Over draws, of what has a value."""
    numbers = np.asarray(values, dtype=np.float64)
    defined = numbers[~np.isnan(numbers)]
    return float(defined.mean()) if defined.size else None


def middle(values: npt.ArrayLike) -> tuple[float, float] | None:
    """The middle 95% of draws: a range, no confidence interval; None for a single value."""
    if np.ndim(values) == 0:
        return None
    numbers = np.asarray(values, dtype=np.float64)
    defined = numbers[~np.isnan(numbers)]
    if not defined.size:
        return None
    low, high = np.percentile(defined, [2.5, 97.5])
    return float(low), float(high)


def row_of(compared: Compared) -> dict[str, Cell]:
    """A line of the table of kinds of change, as JSON and files have it."""
    row: dict[str, Cell] = {"group": compared.group, "values_of": compared.name}
    for name, values in compared.orders.figures.items():
        ends = middle(values)
        row |= {
            name: mean(values),
            f"{name}_low": ends[0] if ends else None,
            f"{name}_high": ends[1] if ends else None,
        }
    return row


def pairs_of(matter: Matter, compared: Compared) -> list[dict[str, Any]]:
    """Every two systems: the difference by gold, its p, and its fate in the draws."""
    reference, orders = matter.reference, compared.orders
    first, second = reference.pairs
    return [
        {
            "above": reference.names[pair],
            "below": reference.names[other],
            "difference": float(reference.differences[place]),
            "p": float(reference.p[place]),
            "p_holm": float(reference.adjusted[place]),
            "significant": bool(reference.is_significant[place]),
            "reversed_share": float(orders.reversed_shares[place]),
            "kept_share": float(orders.kept_shares[place])
            if reference.is_significant[place]
            else None,
        }
        for place, (pair, other) in enumerate(zip(first.tolist(), second.tolist(), strict=True))
    ]
