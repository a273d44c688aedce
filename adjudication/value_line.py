"""The values of a scale with who gave each, as the adjudicator sees them above the options."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from formats.decimals import printed_grade


@dataclass(frozen=True)
class ValueMark:
    """One value of the scale; `reach` is where it stands in what the raters span: "from" the
    lowest "to" the highest, "gap" between them, empty outside.

    `is_own` is the adjudicator's first grade, given before they saw the ratings; it spans nothing.
    """

    value: Decimal
    raters: list[Any]
    is_own: bool
    reach: str

    @property
    def text(self) -> str:
        return printed_grade(self.value)


def value_line(
    values: Iterable[Decimal], raters: Iterable[Any], first_value: Decimal | None
) -> list[ValueMark]:
    """A mark for each value; none where nobody gave a value."""
    placed = [rater for rater in raters if rater.rating.option]
    rated_values = [rater.rating.option.value for rater in placed]
    if not rated_values:
        return []
    lowest, highest = min(rated_values), max(rated_values)
    return [
        ValueMark(
            value=value,
            raters=[rater for rater in placed if rater.rating.option.value == value],
            is_own=value == first_value,
            reach=_reach(value, lowest, highest),
        )
        for value in values
    ]


def _reach(value: Decimal, lowest: Decimal, highest: Decimal) -> str:
    if lowest == highest or not lowest <= value <= highest:
        return ""
    return {lowest: "from", highest: "to"}.get(value, "gap")
