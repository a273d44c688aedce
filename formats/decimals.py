"""Decimals as files write them, and as pages do."""

from decimal import Decimal

# The sign that typesetting and some spreadsheets put for the hyphen before a number.
MINUS = "\u2212"


def plain(value: Decimal) -> str:
    """A decimal without trailing zeros or exponent, as text."""
    return f"{value.normalize():f}"


def typeset(number: str) -> str:
    """A number as pages print it: with a minus instead of the hyphen of files."""
    return number.replace("-", MINUS)


def printed_grade(value: Decimal | float) -> str:
    """A grade wherever a person reads it; files, addresses and fields hold it `plain`."""
    return typeset(plain(value) if isinstance(value, Decimal) else f"{value:g}")
