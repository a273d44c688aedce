"""Text that people open in a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterable

# A spreadsheet takes a cell that begins with one of these for a formula. Quotes before it make it
# text, so that a text that has quotes there itself gets one more: else nobody could tell the two.
FORMULA = re.compile(r"'*[=+\-@\t\r\x00]")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows as lines of CSV, which end in LF."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def escaped(text: str) -> str:
    """A text as a cell: with a quote before what a spreadsheet would take for a formula."""
    return f"'{text}" if FORMULA.match(text) else text


def unescaped(cell: str) -> str:
    """The text that `escaped` made this cell of."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell
