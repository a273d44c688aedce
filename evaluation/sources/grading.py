"""The grades of options and values: the values themselves, or those of a mapping."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from audit.refusals import Invalid
from evaluation.measures import Ids, Values
from evaluation.sources.mapping import Mapping
from formats.decimals import printed_grade


@dataclass(frozen=True)
class ScaleGrades:
    """The grades of one scale. `of_values` has the grade of a value, NaN where options of the value
    have different ones."""

    of_values: dict[float, float]
    lowest: float


@dataclass(frozen=True)
class Grading:
    """A mapping over the scales of a scheme. `of_options` is by the option's database id, `scales`
    by the facet of the scale."""

    mapping: Mapping
    of_options: dict[int, float] = field(default_factory=dict)
    scales: dict[str, ScaleGrades] = field(default_factory=dict)

    @classmethod
    def of(cls, scheme: Any, mapping: Mapping) -> "Grading":
        """Invalid with a sentence where the scheme has an option that the mapping lacks."""
        grades = {(facet, option): float(grade) for facet, option, grade in mapping.grades}
        grading = cls(mapping)
        for scale in scheme.all_scales:
            of_values: dict[float, set[float]] = {}
            for option in scale.option_list:
                grade = grades.get((scale.facet, option.key))
                if grade is None:
                    raise Invalid(
                        f"The mapping {mapping.in_words} has no grade for the option "
                        f"{option.key}{f' of {scale.facet}' if scale.facet else ''}. Make a "
                        "new version of it."
                    )
                grading.of_options[option.pk] = grade
                of_values.setdefault(float(option.value), set()).add(grade)
            grading.scales[scale.facet] = ScaleGrades(
                {
                    value: options.pop() if len(options) == 1 else float("nan")
                    for value, options in of_values.items()
                },
                min(grading.of_options[option.pk] for option in scale.option_list),
            )
        return grading

    def options(self, options: Ids) -> Values:
        """The grade of each option, NaN for 0, which is none."""
        return _each(self.of_options, options)

    def values(self, values: Values, facet: str) -> Values:
        """The grade of each value of a scale, NaN where it has none of its own.

        Invalid with a sentence for a value that no option stands for.
        """
        table = self.scales[facet].of_values
        for value in np.unique(values[~np.isnan(values)]).tolist():
            if value not in table:
                raise Invalid(
                    f"The value {printed_grade(value)} is no option's, so the mapping "
                    f"{self.mapping.in_words} has no grade for it."
                )
        return _each(table, values)


def _each(grades: dict[Any, float], keys: np.ndarray) -> Values:
    """The grade of each key, NaN where it has none."""
    distinct, place = np.unique(keys, return_inverse=True)
    of_distinct = [grades.get(key, np.nan) for key in distinct.tolist()]
    return np.array(of_distinct, dtype=float)[place.reshape(keys.shape)]
