"""Text that people open in a spreadsheet."""

import csv
import re
from collections.abc import Iterable

# A spreadsheet takes a cell that begins with one of these for a formula. Quotes before it make it
# text, so that a text that has quotes there itself gets one more: else nobody could tell the two.
FORMULA = re.compile(r"'*[=+\-@\t\r\x00]")
# A negative grade is a number to a spreadsheet too, and to a program with a quote before it none.
NEGATIVE = re.compile(r"-[0-9]+(\.[0-9]+)?")


class _Lines(list[str]):
    """What a writer of CSV writes, a line at a time."""

    write = list.append


def csv_text(rows: Iterable[Iterable[object]], *, line_end: str = "\n") -> str:
    lines = _Lines()
    # Python's writer quotes a cell for the characters of its own line ends and, before 3.13, for no
    # others. A bare CR in a cell would end the line for every reader.
    csv.writer(lines, lineterminator="\r\n").writerows(rows)
    return "".join(line.removesuffix("\r\n") + line_end for line in lines)


def csv_table(rows: Iterable[Iterable[object]]) -> str:
    """Values as lines of CSV: nothing for no value, numbers with all their digits, and no text that
    a spreadsheet would take for a formula."""
    return csv_text([cell(value) for value in row] for row in rows)


def cell(value: object) -> str:
    if value is None:
        return ""
    # repr has all digits, so that a reader gets the same float back.
    return escaped(value) if isinstance(value, str) else repr(value)


def escaped(text: str) -> str:
    """A text as a cell: with a quote before what a spreadsheet would take for a formula."""
    return f"'{text}" if FORMULA.match(text) and not NEGATIVE.fullmatch(text) else text


def unescaped(cell: str) -> str:
    """The text that `escaped` made this cell of."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell
