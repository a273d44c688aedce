"""Scales, the measures that have a meaning on them, and the names of these and of the times before
adjudication and after it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from accounts.parameters import one_of
from agreement.statistics import REGISTRY
from formats.decimals import printed_grade

BEFORE, AFTER = "before", "after"
NOT_YET = "not yet"
GROUPS = {BEFORE: "Before adjudication", AFTER: "After adjudication"}
MEASURE_NAMES = {
    "rho": "Spearman's rho",
    "alpha": "Krippendorff's alpha, ordinal",
    "kappa": "Cohen's kappa, unweighted",
    "percent": "Percent agreement",
}
# What the table of CSFCube does not have, beside it.
FURTHER_NAMES = {
    name: REGISTRY[name].title for name in ("kappa_linear", "kappa_quadratic", "ac1", "ac2")
}
# Of one grade against the rest, and of those from a grade on.
GRADE_NAMES = {name: MEASURE_NAMES[name] for name in ("percent", "kappa")}
# The row over facets that have scales of their own.
DIFFERENT_SCALES = "All: different scales, no figure over them"
# In the place of figures of order.
WITHOUT_ORDER = (
    "These labels have no order, so Spearman's rho and whatever else counts steps between grades "
    "are left out."
)


@dataclass(frozen=True)
class Scale:
    """The distinct values of a scale's options, ascending; options may share a value.

    Without an order values are labels, and `labels` are what they are called: no figure then rests
    on more or less.
    """

    values: tuple[float, ...]
    is_ordinal: bool = True
    labels: tuple[str, ...] = ()

    @property
    def lowest(self) -> float:
        return self.values[0]

    @property
    def names(self) -> list[str]:
        """By which addresses and files know them."""
        return [f"{value:g}" for value in self.values]

    @property
    def words(self) -> list[str]:
        """What people call them: labels by their names, grades by their values."""
        return list(self.labels) or [printed_grade(value) for value in self.values]

    @property
    def noun(self) -> str:
        return "grade" if self.is_ordinal else "label"

    @property
    def titles(self) -> dict[str, str]:
        """{name: words} for the heads of columns: "Grade 2", or the label itself."""
        words = self.labels or [f"Grade {word}" for word in self.words]
        return dict(zip(self.names, words, strict=True))

    def word(self, value: float) -> str:
        """What people call one of its values."""
        return (
            self.words[self.values.index(value)] if value in self.values else printed_grade(value)
        )

    def or_more(self, name: str) -> str:
        """A grade and those above it: "2 or more"; the highest alone."""
        word = self.words[self.names.index(name)]
        return word if name == self.names[-1] else f"{word} or more"


@dataclass(frozen=True)
class Measures:
    """Those of the table, and the further ones beside it: {key: title}."""

    names: Mapping[str, str]
    further: Mapping[str, str]

    @property
    def titles(self) -> dict[str, str]:
        return {**self.names, **self.further}

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.titles)


def _titles(*measures: str) -> dict[str, str]:
    return {name: REGISTRY[name].title for name in measures}


OF_GRADES = Measures(MEASURE_NAMES, FURTHER_NAMES)
# Labels are the same or not, and no more can be said of them.
OF_LABELS = Measures(_titles("alpha_nominal", "kappa", "percent"), _titles("ac1", "fleiss_kappa"))
OF_BOTH = Measures(
    _titles("rho") | {"alpha": MEASURE_NAMES["alpha"]} | dict(OF_LABELS.names),
    {**FURTHER_NAMES, **OF_LABELS.further},
)


def measure_of(parameters: Mapping[str, str], names: Iterable[str], among: Iterable[str]) -> str:
    """The measure that an address names, the first where it names none. What has a meaning on
    other scales `among` all becomes the first too: the address may be of another facet."""
    meant = list(names)
    measure = one_of(parameters, "measure", dict.fromkeys([*meant, *among]))
    return measure if measure in meant else meant[0]


def measures_of(*scales: Scale) -> Measures:
    """Those that have a meaning on one of these scales."""
    orders = {scale.is_ordinal for scale in scales}
    if len(orders) > 1:
        return OF_BOTH
    return OF_LABELS if orders == {False} else OF_GRADES
