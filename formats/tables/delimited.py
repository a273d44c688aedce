"""CSV and TSV as tables.

They are read by the standard library, since messages need the line on which a row begins, quoted
line breaks or not, which pandas does not know.
"""

import csv
import re
from collections.abc import Iterator

from formats.files import SourceFile
from formats.spreadsheets import unescaped
from formats.strict import BadTextError
from formats.tables.rows import Row, Table, checked_columns, with_name_or_value
from formats.text_lines import MAX_LINE_BYTES, text_lines

# The first line by which spreadsheets tell each other what divides the cells.
SEPARATOR_LINE = re.compile(r"sep=([,;\t])\s*\Z", re.IGNORECASE)
# Columns that tell the CSV files of this program: exports, the API's lists, and the input of
# figures. In these a quote stands before what spreadsheets would take for a formula.
WRITTEN_HERE = [
    {"topic", "document", column}
    for column in ("scheme_version", "exclusion_reason", "origin", "gold_origin")
]
WRITTEN_HERE += [
    {"topic", "query", "document", "side_title", "side_text"},
    {"query", "document", "position", "sources", "ranks"},
]


class DelimitedText(Table):
    """CSV or TSV with a line of column names; commas, semicolons or tabs divide the cells.

    Of `width` cells a line, `named` lead to the last column that has a name; `places` are those of
    the `columns`.
    """

    question = (
        "Is the first row the names of the columns, and are the cells divided by commas, "
        "semicolons or tabs?"
    )
    width: int
    named: int

    def __init__(self, file: SourceFile):
        super().__init__(file)
        self.delimiter = _delimiter(file)
        self.places, self.columns = self._columns()
        self.is_written_here = any(known.issubset(self.columns) for known in WRITTEN_HERE)

    def _columns(self) -> tuple[list[int], list[str]]:
        records = self._records()
        for line, names in records:
            self.width = len(names)
            self.named = max(n for n, name in enumerate(names, start=1) if name.strip())
            columns = checked_columns(names, f"line {line:,}")
            places = with_name_or_value(names, (values for _, values in records))
            return places, [columns[place] for place in places]
        raise BadTextError("the file is empty.", "The first line names the columns.")

    def rows(self) -> Iterator[Row]:
        columns, places, width = self.columns, self.places, self.width
        records = self._records()
        next(records)
        for line, values in records:
            if len(values) != width:
                self._fit(values, line)
            if len(places) < width:
                values = [values[place] for place in places]
            if self.is_written_here:
                values = [unescaped(cell) for cell in values]
            yield Row(line, dict(zip(columns, values, strict=True)))

    def _fit(self, values: list[str], line: int) -> None:
        """Take off the empty cells that some programs write at the end of a line, and fill up
        where only columns without a name are lacking."""
        width, length = self.width, len(values)
        while len(values) > width and not values[-1].strip():
            values.pop()
        if self.named <= length < width:
            values += [""] * (width - length)
        if len(values) != width:
            raise BadTextError(
                f"{length} cells; expected {width}.",
                f"Put a cell that contains “{_named(self.delimiter)}” or a quotation mark in "
                "quotation marks.",
                f"line {line:,}",
            )

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield (line on which it begins, cells) of each record that is not empty."""
        csv.field_size_limit(MAX_LINE_BYTES)
        lines = (
            "\n" if number == 1 and SEPARATOR_LINE.match(text) else text
            for number, text in text_lines(self.file)
        )
        records = csv.reader(lines, delimiter=self.delimiter, strict=True)
        begins = 1
        try:
            for values in records:
                if any(values) and any(value.strip() for value in values):
                    yield begins, values
                begins = records.line_num + 1
        except csv.Error as error:
            raise BadTextError(
                f"broken CSV: {error}.",
                "Inside a quoted cell quotation marks are doubled; every quoted cell is closed.",
                f"line {begins:,}",
            ) from None


def _delimiter(file: SourceFile) -> str:
    """The delimiter of the first line: the most frequent sign outside quotes."""
    if file.suffix in (".tsv", ".tab"):
        return "\t"
    first = next((text for _, text in text_lines(file) if text.strip()), "")
    if separator := SEPARATOR_LINE.match(first):
        return separator.group(1)
    outside = "".join(first.split('"')[::2])
    return max(",;\t", key=lambda sign: (outside.count(sign), sign == ","))


def _named(delimiter: str) -> str:
    return "a tab" if delimiter == "\t" else delimiter
