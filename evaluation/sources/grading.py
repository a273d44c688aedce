"""The grades of options and values: the values themselves, or those of a mapping."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from audit.refusals import Invalid
from evaluation.measures import Ids, Values
from evaluation.sources.mapping import Mapping


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
        distinct, place = np.unique(options, return_inverse=True)
        grades = np.array(
            [self.of_options.get(value, np.nan) for value in distinct.tolist()], dtype=float
        )
        return grades[place.reshape(options.shape)] if len(distinct) else np.empty(options.shape)

    def values(self, values: Values, facet: str) -> Values:
        """The grade of each value of a scale, NaN where it has none of its own.

        Invalid with a sentence for a value that no option stands for.
        """
        table = self.scales[facet].of_values
        distinct, place = np.unique(values, return_inverse=True)
        for value in distinct.tolist():
            if value == value and value not in table:
                raise Invalid(
                    f"The value {value:g} is no option's, so the mapping "
                    f"{self.mapping.in_words} has no grade for it."
                )
        grades = np.array([table.get(value, np.nan) for value in distinct.tolist()], dtype=float)
        return grades[place.reshape(values.shape)] if len(distinct) else np.empty(values.shape)
