"""Every measure of agreement by name: what it is called, its range, and how a stack is computed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from agreement.statistics import any_raters, arrays
from agreement.statistics.any_raters import (
    ac1_of_features,
    ac2_of_features,
    alpha_of_coincidences,
    alpha_of_tables,
    coincidences_of,
    fleiss_kappa,
    fleiss_kappa_of_features,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
    ordinal_alpha,
    ordinal_features,
    plain_features,
)
from agreement.statistics.arrays import Positions, Values, of_cells
from agreement.statistics.figures import Figure, Reason
from agreement.statistics.two_raters import (
    cohen_kappa,
    kappa_of_tables,
    kendall_tau_b,
    macro_f1,
    macro_f1_of_tables,
    mean_signed_difference,
    percent_agreement,
    percent_of_tables,
    rho_of_tables,
    signed_difference_of_tables,
    spearman_rho,
    tau_b_of_tables,
)

Features = Callable[[Positions, Values], Values]
Kernel = Callable[[Values, Values], Values]
Mask = npt.NDArray[np.bool_]
Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


class Raters(StrEnum):
    """The number of lists that a measure takes; of more than two, TWO averages over every two."""

    TWO = "two raters"
    ANY = "any number of raters, with gaps"


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure.

    ``function`` computes it plainly: of two lists (TWO), or of a matrix of raters by units (ANY);
    its docstring has the definition and its module the source. ``lowest`` and ``highest`` bound its
    values, None where the scale does; ``unit`` is "%", "grade" (the scale's own unit) or "".
    ``level`` is what it takes from the values: equality, order or distance.

    ``features`` turns rows of positions (a row per pair, a column per rater) into numbers that add
    up over pairs, ``kernel`` turns any stack of such sums into values, NaN for undefined, and
    ``why`` says of one undefined sum why. ``paired`` says of each sum whether it holds anything to
    compare.
    """

    name: str
    title: str
    raters: Raters
    level: Level
    function: Callable[..., Figure]
    features: Features
    kernel: Kernel
    why: Callable[[Values], Reason]
    paired: Callable[[Values], Mask] = arrays.any_pair
    lowest: float | None = -1.0
    highest: float | None = 1.0
    unit: Literal["", "%", "grade"] = ""


_of_two = partial(Measure, raters=Raters.TWO, features=arrays.cells_of)
_of_coincidences = partial(
    Measure, raters=Raters.ANY, features=coincidences_of, why=arrays.why_in_one_value
)
_of_units = partial(
    Measure, raters=Raters.ANY, why=any_raters.why_undefined, paired=any_raters.any_pair
)

# The first four in the order of CSFCube's table.
_ALL = [
    _of_two(
        name="rho",
        title="Spearman's rho",
        level="ordinal",
        function=spearman_rho,
        kernel=of_cells(rho_of_tables),
        why=arrays.why_constant,
    ),
    _of_two(
        name="alpha",
        title="Krippendorff's alpha, ordinal, two by two",
        level="ordinal",
        function=ordinal_alpha,
        kernel=of_cells(alpha_of_tables, level="ordinal"),
        why=arrays.why_in_one_value,
    ),
    _of_two(
        name="kappa",
        title="Cohen's kappa, unweighted",
        level="nominal",
        function=cohen_kappa,
        kernel=of_cells(kappa_of_tables),
        why=arrays.why_in_one_value,
    ),
    _of_two(
        name="percent",
        title="Percent agreement",
        level="nominal",
        function=percent_agreement,
        kernel=of_cells(percent_of_tables),
        why=arrays.why_without_pairs,
        lowest=0.0,
        highest=100.0,
        unit="%",
    ),
    *(
        _of_two(
            name=f"kappa_{weights}",
            title=f"Cohen's kappa, {weights} weights",
            level="interval",
            function=partial(cohen_kappa, weights=weights),
            kernel=of_cells(kappa_of_tables, weights=weights),
            why=arrays.why_in_one_value,
        )
        for weights in ("linear", "quadratic")
    ),
    _of_two(
        name="tau_b",
        title="Kendall's tau-b",
        level="ordinal",
        function=kendall_tau_b,
        kernel=of_cells(tau_b_of_tables),
        why=arrays.why_constant,
    ),
    _of_two(
        name="macro_f1",
        title="Macro F1",
        level="nominal",
        function=macro_f1,
        kernel=of_cells(macro_f1_of_tables),
        why=arrays.why_without_pairs,
        lowest=0.0,
    ),
    _of_two(
        name="mean_signed_difference",
        title="Mean signed difference, first less second",
        level="interval",
        function=mean_signed_difference,
        kernel=of_cells(signed_difference_of_tables),
        why=arrays.why_without_pairs,
        lowest=None,
        highest=None,
        unit="grade",
    ),
    *(
        _of_coincidences(
            name=f"alpha_{level}",
            title=f"Krippendorff's alpha, {level}",
            level=level,
            function=partial(krippendorff_alpha, level=level),
            kernel=of_cells(alpha_of_coincidences, level=level),
        )
        for level in LEVELS
    ),
    _of_units(
        name="ac1",
        title="Gwet's AC1",
        level="nominal",
        function=gwet_ac1,
        features=plain_features,
        kernel=ac1_of_features,
    ),
    _of_units(
        name="ac2",
        title="Gwet's AC2, ordinal weights",
        level="ordinal",
        function=gwet_ac2,
        features=ordinal_features,
        kernel=ac2_of_features,
    ),
    _of_units(
        name="fleiss_kappa",
        title="Fleiss' kappa",
        level="nominal",
        function=fleiss_kappa,
        features=plain_features,
        kernel=fleiss_kappa_of_features,
    ),
]

REGISTRY: Mapping[str, Measure] = {measure.name: measure for measure in _ALL}

# The four columns of CSFCube's agreement table, in its order: Mysore, S., O'Gorman, T., McCallum,
# A., Zamani, H. (2021). CSFCube: a test collection of computer science research articles for
# faceted query by example. NeurIPS Datasets and Benchmarks, Table 2.
MEASURES = ("rho", "alpha", "kappa", "percent")
