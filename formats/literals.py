"""Values of files as they are written: grades keep every digit, identifiers every zero."""

import json
import re
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from math import isfinite
from typing import Any

from formats import strict
from formats.decimals import MINUS
from formats.strict import BadTextError, shown

# Digits with at most one point or comma; neither thousands nor exponents are guessed at.
DECIMAL = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)\Z", re.ASCII)
SCIENTIFIC = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)[eE][+-]?\d{1,3}\Z", re.ASCII)
# An id of more digits is no number to any program.
MOST_DIGITS = 15
WITHOUT_ZEROS = (
    "pandas and spreadsheets drop the zeros at the beginning of numbers. Write the column as text; "
    "pandas reads it so with dtype=str."
)
AS_WHOLE_NUMBERS = (
    "pandas and spreadsheets write the whole numbers of a column as decimals where one of its "
    "cells is empty. Write the column as text, or in pandas as Int64."
)


class WrittenNumber(float):
    """A decimal number of a JSON text that keeps its spelling (`1.50`, `2e0`)."""

    literal: str

    def __new__(cls, literal: str) -> "WrittenNumber":
        # Checked for digits beyond all bounds and for infinity, as everywhere.
        number = super().__new__(cls, strict.finite_float(literal))
        number.literal = literal
        return number


DECODER = json.JSONDecoder(
    object_pairs_hook=strict.unique_keys,
    parse_int=strict.bounded_int,
    parse_float=WrittenNumber,
    parse_constant=strict.no_constant,
)


def literal_of(value: Any) -> str:
    """The text of a cell: numbers as they were written, nothing for null."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, WrittenNumber):
        return value.literal
    if isinstance(value, (int, float, Decimal)):
        return str(value)
    raise BadTextError(f"{strict.kind_of(value)}; expected text or a number.")


def identifier_of(value: Any) -> str:
    """The identifier in a cell, without white space around it; "" where there is none.

    A whole number is one, too; a decimal one is refused, since `1.0` and `1` would be two.
    """
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    kind = "a decimal number" if isinstance(value, float) else strict.kind_of(value)
    is_whole = isinstance(value, float) and value.is_integer()
    raise BadTextError(
        f"the identifier {shown(value)} is {kind}; expected text.",
        f"It may have been a whole number: {AS_WHOLE_NUMBERS}"
        if is_whole
        else "Write it as text: in JSON in quotation marks.",
    )


def rewritten(names: Iterable[str], is_known: Callable[[str], bool]) -> str:
    """A remedy where one of these unknown identifiers is the number of a known one, written in
    another way: of one of the two a program made a decimal, or dropped the zeros before it; ""
    elsewhere."""
    for name in names:
        whole = name.removesuffix(".0")
        if not whole.isdecimal():
            continue
        decimal = whole if whole != name else f"{name}.0"
        short = whole.lstrip("0") or "0"
        padded = [short.zfill(digits) for digits in range(1, MOST_DIGITS + 1)]
        for other in dict.fromkeys([decimal, *padded, f"{short}.0"]):
            if other != name and is_known(other):
                is_decimal = name.endswith(".0") or other.endswith(".0")
                why = AS_WHOLE_NUMBERS if is_decimal else WITHOUT_ZEROS
                return f"There is {other}, the same number as {name}: {why}"
    return ""


def decimal_of(literal: str) -> Decimal | None:
    """The number that a grade's literal is, with a decimal point or a decimal comma; else None."""
    text = literal.strip().replace(MINUS, "-", 1)
    if not DECIMAL.match(text) or len(text) > strict.MAX_DIGITS:
        return None
    try:
        return Decimal(text.replace(",", "."))
    except InvalidOperation:
        return None


@lru_cache(maxsize=1_000)  # a set has few grades, each of them many times
def number_of(literal: str) -> Decimal | None:
    """The same with an exponent, too; None for what no score can be computed with."""
    number = decimal_of(literal)
    if number is None and SCIENTIFIC.match(literal.strip()):
        number = Decimal(literal.strip())
    return number if number is None or isfinite(float(number)) else None
