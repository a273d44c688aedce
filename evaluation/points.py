"""Scores as pages print them: times 100, as in papers. What rounds to 0 has no sign."""

from agreement.tables.cells import NONE, printed
from agreement.tables.table import Kind
from formats.decimals import typeset


def decimals(value: float | None, places: int = 2) -> str:
    return NONE if value is None else typeset(f"{value:z.{places}f}")


def points(value: float | None, places: int = 2) -> str:
    """0.5391 as 53.91."""
    return decimals(None if value is None else 100 * value, places)


def signed_points(value: float | None, places: int = 2) -> str:
    """With its sign, also above 0."""
    text = points(value, places)
    return f"+{text}" if value is not None and round(100 * value, places) > 0 else text


def span(ends) -> str:
    """The two ends of an interval: "46.9 to 60.7"."""
    low, high = ends.low, ends.high
    if low is None or high is None:
        return ""
    return f"{points(low, 1)} to {points(high, 1)}"


def whole_percent(value: float | None) -> str:
    """0.5 as 50%; what is not all is never 100%."""
    if value is None:
        return NONE
    return f"{100 if value == 1 else min(99, round(100 * value))}%"


def p_value(value: float | None) -> str:
    return "undefined" if value is None else printed(value, Kind.P)
