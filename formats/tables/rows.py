"""The rows of a table, whatever kind of file it stands in.

CSV is read by the standard library, since messages need the line on which a row begins, quoted
line breaks or not, which pandas does not know. Excel goes through pandas, Parquet through Arrow in
batches. Everywhere a text stays a text: `007`, `1e5`, `1,50` and `NA` come as they are written.
"""

import csv
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple, Protocol

from formats import literals, strict
from formats.files import WITHIN, SourceFile
from formats.parquet_bytes import PARQUET
from formats.records import Place
from formats.spreadsheets import unescaped
from formats.stream import elements_of
from formats.strict import BadTextError, shown
from formats.tables.kinds import FIRST_BYTES, OFFICE, OLD_OFFICE, is_json_list

# A cell with a whole paper has some hundred kilobytes.
MAX_LINE_BYTES = 16 << 20
# JSON lines name their columns in each line; so many are looked at.
LINES_FOR_COLUMNS = 200
# Each is compared with all others and shown on the page of an import.
MAX_COLUMNS = 1_000
# The first line by which spreadsheets tell each other what divides the cells.
SEPARATOR_LINE = re.compile(r"sep=([,;\t])\s*\Z", re.IGNORECASE)


class Row(NamedTuple):
    """A row: the line on which it begins and its cells by column, lacking ones left out."""

    line: int
    cells: dict[str, Any]


class Table(Protocol):
    """A table in a file; a workbook has one for each sheet. `name` is what mappings call it."""

    name: str
    file: SourceFile
    columns: list[str]

    def rows(self) -> Iterator[Row]:
        """Yield its rows, each time from the first; raises BadTextError."""
        ...

    def place(self, line: int) -> Place: ...


def open_tables(file: SourceFile) -> list[Table]:
    """The tables of a file; raises BadTextError where it cannot be read."""
    # Several readers look at a file, and a workbook is read whole.
    if "tables" not in file.kept:
        file.kept["tables"] = _tables(file)
    tables: list[Table] = file.kept["tables"]
    return tables


def _tables(file: SourceFile) -> list[Table]:
    start = file.start(8)
    if start.startswith(PARQUET):
        from formats.tables.parquet import ParquetTable

        return [ParquetTable(file)]
    if start.startswith(OLD_OFFICE):
        raise BadTextError(
            "this is an old Excel file, or one with a password.",
            "Save it as .xlsx without a password, or as CSV.",
        )
    if start.startswith(OFFICE):
        from formats.tables.excel import sheets_of

        return list(sheets_of(file))
    if file.suffix in (".jsonl", ".ndjson", ".json"):
        return [JsonList(file) if is_json_list(file) else JsonLines(file)]
    return [DelimitedText(file)]


def text_lines(file: SourceFile) -> Iterator[tuple[int, str]]:
    """Yield (number, text with its end) of each line of a UTF-8 file, without a byte order mark."""
    with file.open() as data:
        start = data.read(FIRST_BYTES)
        strict.check_signature(start.removeprefix(strict.BOM), markup=True)
        strict.check_line_ends(start)
        data.seek(0)
        for number in itertools.count(1):
            line = data.readline(MAX_LINE_BYTES + 1)
            if not line:
                return
            if len(line) > MAX_LINE_BYTES:
                raise BadTextError(
                    f"a line of more than {MAX_LINE_BYTES:,} bytes.",
                    "Divide it, or leave the long cell out.",
                    f"line {number:,}",
                )
            text = strict.decode(line, first_line=number)
            if "\x00" in text:
                raise BadTextError(
                    "a NUL character (U+0000); the database cannot store it.",
                    "Remove it.",
                    f"line {number:,}, column {text.index(chr(0)) + 1}",
                )
            yield number, text


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


class DelimitedText:
    """CSV or TSV with a line of column names; commas, semicolons or tabs divide the cells.

    Of `width` cells a line, `named` lead to the last column that has a name; `places` are those of
    the `columns`.
    """

    width: int
    named: int

    def __init__(self, file: SourceFile):
        self.file, self.name = file, file.name
        self.delimiter = _delimiter(file)
        self.places, self.columns = self._columns()
        self.is_written_here = any(known.issubset(self.columns) for known in WRITTEN_HERE)

    def place(self, line: int) -> Place:
        return Place(self.name, line)

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


def with_name_or_value(names: Sequence[str], rows: Iterable[Sequence[str]]) -> list[int]:
    """The places of the columns that have a name, or a value in some row. The others are what
    spreadsheets write beside a table."""
    empty = {place for place, name in enumerate(names) if not name.strip()}
    if empty:
        try:
            for values in rows:
                empty = {n for n in empty if n >= len(values) or not values[n].strip()}
        except BadTextError:
            pass  # told when it is read
    return [place for place in range(len(names)) if place not in empty]


def checked_columns(values: Sequence[str], place: str) -> list[str]:
    """The names of columns, in one line each; those without name are called by their number.

    Spreadsheets break lines in names, and a form of a page gives other line breaks than it got.
    """
    _check_count(values, place)
    columns = [
        " ".join(value.split()) or f"column {number}"
        for number, value in enumerate(values, start=1)
    ]
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise BadTextError(
            f"two columns are called {shown(twice)}.", "Give one of them another name.", place
        )
    return columns


def _check_count(columns: Collection[str], place: str = "") -> None:
    if len(columns) > MAX_COLUMNS:
        raise BadTextError(
            f"{len(columns):,} columns; at most {MAX_COLUMNS:,} are read.",
            "Leave out those that the import does not need.",
            place,
        )


class JsonLines:
    """One JSON object a line; a column is a key of any of the first lines."""

    def __init__(self, file: SourceFile):
        self.file, self.name = file, file.name
        self.columns = _first_keys(self.rows())

    def place(self, line: int) -> Place:
        return Place(self.name, line)

    def rows(self) -> Iterator[Row]:
        for number, text in text_lines(self.file):
            if not text.strip():
                continue
            yield Row(number, _object(parse_line(text, number), f"line {number:,}"))


class JsonList:
    """A JSON list of objects, read one at a time; `line` counts them from 1."""

    def __init__(self, file: SourceFile):
        self.file, self.name = file, file.name
        self.columns = _first_keys(self.rows())

    def place(self, line: int) -> Place:
        return Place(self.name, key=f"entry {line:,}" if line else "")

    def rows(self) -> Iterator[Row]:
        with self.file.open() as data:
            for number, value in enumerate(elements_of(data, literals.DECODER), start=1):
                yield Row(number, _checked_entry(value, f"entry {number:,}"))


def _first_keys(rows: Iterator[Row]) -> list[str]:
    columns: dict[str, None] = {}
    for row in itertools.islice(rows, LINES_FOR_COLUMNS):
        columns.update(dict.fromkeys(row.cells))
        _check_count(columns)
    return list(columns)


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadTextError(
            f"this is {strict.kind_of(value)}; expected an object.",
            "Write one JSON object a line, or a list of objects.",
            place,
        )
    return value


def _checked_entry(value: Any, place: str) -> dict[str, Any]:
    try:
        strict.check_storable(value)
    except BadTextError as error:
        raise BadTextError(error.message, error.remedy, place) from None
    return _object(value, place)


def parse_line(text: str, number: int) -> Any:
    """The value of a line of JSON; decimal numbers know how they were written."""
    try:
        value = strict.parse_json(text, first_line=number, decoder=literals.DECODER)
        strict.check_storable(value)
    except BadTextError as error:
        place = error.place or f"line {number:,}"
        raise BadTextError(error.message, error.remedy, place) from None
    return value


def stem_of(name: str) -> str:
    """The name of a table's file without folder and ending, in lower case."""
    return PurePosixPath(name.rsplit(WITHIN, 1)[-1]).stem.lower()
