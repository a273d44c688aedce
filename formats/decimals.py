"""Decimals as files write them."""

from decimal import Decimal


def plain(value: Decimal) -> str:
    """A decimal without trailing zeros or exponent, as text."""
    return f"{value.normalize():f}"
