"""Sheets of an Excel workbook as tables.

pandas reads them by calamine, which is quick and gives values as they are stored. It takes a
formula without a stored value for an empty cell, and 0007 for 7 where a number format shows the
zeros, so the sheets' own XML is looked at first.
"""

import re
import zipfile
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any
from xml.parsers import expat

from formats.files import WITHIN, SourceFile
from formats.records import Place
from formats.strict import BadTextError
from formats.tables.number_formats import OTHERWISE, Styles
from formats.tables.rows import Row, Table, checked_columns, with_name_or_value
from formats.words import listed

CHUNK_BYTES = 1 << 20
# Of a sheet from A1 to its last row and column. The engine takes room for the empty cells, too, and
# the process ends where there is not enough.
MAX_CELLS = 10_000_000
# A column of so many letters lies beyond MAX_CELLS, whichever they are.
MOST_LETTERS = 6
# The place of a cell (B7), or the number of a row.
PLACE = re.compile(rb"r\s*+=\s*+[\"']([A-Za-z]{0,%d})[A-Za-z]*+([0-9]{1,8})" % MOST_LETTERS)
# The beginning of a formula, an error, or a declaration of entities, in whatever namespace prefix.
SUSPICIOUS = re.compile(rb"<(\w+:)?f[ />]|t=[\"']e[\"']|<!DOCTYPE")
# Beyond this, Excel itself has lost digits of a number.
LARGEST_NUMBER = 10**15
LISTED = 5
# {(column, digits): rows} of the numbers that are shown with leading zeros.
Digits = dict[tuple[int, int], "array[int]"]


class Sheet(Table):
    """A sheet whose first row that is not empty names the columns; a row of one cell above wider
    ones is a heading."""

    question = "Is the first row the names of the columns?"

    def __init__(self, file: SourceFile, title: str, cells: list[list[Any]]):
        super().__init__(file)
        self.title, self.name = title, f"{file.name}{WITHIN}{title}"
        self._cells = cells
        self._header = _header_of(cells)
        names = [str(value) for value in _written(cells[self._header])]
        while names and not names[-1].strip():
            names.pop()
        self.width = len(names)
        columns = checked_columns(names, self.place(self._header + 1).inside)
        self.places = with_name_or_value(names, map(_written, cells[self._header + 1 :]))
        self.columns = [columns[place] for place in self.places]

    def place(self, line: int) -> Place:
        row = f", row {line:,}" if line else ""
        return Place(self.file.name, key=f"sheet {self.title}{row}")

    def rows(self) -> Iterator[Row]:
        for number, row in enumerate(self._cells[self._header + 1 :], start=self._header + 2):
            values = _written(row)
            if any(value.strip() for value in values[self.width :]):
                raise BadTextError(
                    "a cell to the right of the last column that has a name.",
                    "Give the column a name, or empty it. If a row stands above the names of the "
                    "columns, delete it.",
                    self.place(number).inside,
                )
            here = [values[place] for place in self.places if place < len(values)]
            cells = dict(zip(self.columns, here, strict=False))
            if any(value.strip() for value in cells.values()):
                yield Row(number, cells)


def sheets_of(file: SourceFile) -> list[Sheet]:
    """The sheets that are not empty; raises BadTextError."""
    import pandas

    try:
        digits = _digits_shown(file)
        frames = pandas.read_excel(
            file.path,
            sheet_name=None,
            header=None,
            dtype=object,
            na_filter=False,
            keep_default_na=False,
            engine="calamine",
        )
    except BadTextError:
        raise
    except Exception as error:  # the engine's own errors have no common base
        raise BadTextError(
            f"the workbook cannot be read: {str(error)[:200] or type(error).__name__}.",
            "Save it again as .xlsx, or as CSV.",
        ) from None
    sheets = []
    for title, frame in frames.items():
        cells = frame.values.tolist()
        _fill_up(cells, digits.get(str(title), {}))
        if any(map(_is_filled, cells)):
            sheets.append(Sheet(file, str(title), cells))
    if not sheets:
        raise BadTextError("the workbook is empty.", "The first row names the columns.")
    return sheets


def _fill_up(cells: list[list[Any]], digits: Digits) -> None:
    """Write whole numbers as they are shown."""
    for (column, count), rows in digits.items():
        for row in rows:
            value = cells[row - 1][column - 1]
            # Unlike int(), this takes what a broken file may hold: infinity and NaN.
            is_whole = isinstance(value, (int, float)) and value % 1 == 0 and value >= 0
            if is_whole and not isinstance(value, bool):
                cells[row - 1][column - 1] = _text(value).zfill(count)


def _written(row: list[Any]) -> list[str]:
    return [_text(value) for value in row]


def _header_of(cells: list[list[Any]]) -> int:
    filled = [number for number, row in enumerate(cells) if _is_filled(row)]
    wide = (number for number in filled if sum(bool(text) for text in _written(cells[number])) > 1)
    return next(wide, filled[0])


def _is_filled(row: list[Any]) -> bool:
    return any(text.strip() for text in _written(row))


def _text(value: Any) -> str:
    """The text of a cell. A number is written as short as it can be; a date as ISO has it."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        if not abs(value) < LARGEST_NUMBER:  # nor is NaN, which a broken file may hold
            raise BadTextError(
                f"the number {value:.15g} has more digits than a spreadsheet keeps.",
                "Format the column as text and enter the identifiers again.",
            )
        return str(int(value)) if value == int(value) else repr(float(value))
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).removesuffix("T00:00:00")
    return str(value)


def _digits_shown(file: SourceFile) -> dict[str, Digits]:
    """Where each sheet shows numbers with leading zeros. Refuses what a reader of values alone
    would take for something else."""
    digits = {}
    with zipfile.ZipFile(file.path) as archive:
        names = archive.namelist()
        if "xl/workbook.xml" not in names:
            raise BadTextError(
                "this is an Office file, but no .xlsx workbook.", "Save it as .xlsx, or as CSV."
            )
        titles = _titles(archive)
        styles = _styles(archive)
        suspicious = SUSPICIOUS
        if styles:
            of_style = rf"""\ss=["'](?:{"|".join(styles)})["']""".encode()
            suspicious = re.compile(SUSPICIOUS.pattern + b"|" + of_style)
        for name in names:
            title = titles.get(_base(name))
            if title is not None and _is_suspicious(archive, name, suspicious):
                digits[title] = _checked_cells(archive, name, title, styles)
    return digits


def _is_suspicious(archive: zipfile.ZipFile, name: str, suspicious: re.Pattern[bytes]) -> bool:
    """Whether a sheet may have a formula, an error, a declaration, a number with leading zeros or
    too many cells, by a quick look."""
    last_row = last_column = 1
    with archive.open(name) as data:
        tag = b""
        while chunk := data.read(CHUNK_BYTES):
            chunk = tag + chunk
            tag = chunk[chunk.rfind(b"<") :]
            if places := PLACE.findall(chunk):
                columns, rows = zip(*places, strict=True)
                last_row = max(last_row, *map(int, rows))
                last_column = max(last_column, *(_column(name.decode()) for name in set(columns)))
            is_large = last_row * last_column > MAX_CELLS or len(tag) > CHUNK_BYTES
            if is_large or suspicious.search(chunk):
                return True
    return False


def _column(letters: str) -> int:
    """The number of a column: 1 for A, 27 for AA. Of more letters than MOST_LETTERS it is that of
    the first ones, since a number of a million digits takes hours."""
    number = 0
    for letter in letters[:MOST_LETTERS].upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


class _Cells:
    """Follows a sheet's XML and notes formulas without value, errors, numbers that are shown with
    leading zeros, and how far it reaches. `styles` are those that show such."""

    def __init__(self, styles: Mapping[str, int]) -> None:
        self.styles = styles
        self.uncached: list[str] = []
        self.errors: list[str] = []
        self.digits: Digits = defaultdict(lambda: array("L"))
        self.shown_otherwise: list[str] = []
        self.last_row = self.last_column = 0
        self._row = self._row_of_cell = self._column = 0
        self._cell, self._kind = "", ""
        self._digits: int | None = None
        self._has_formula = self._has_value = self._is_value = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        if tag == "row":
            self._row, self._column = int(attributes.get("r", self._row + 1)), 0
        elif tag == "c":
            self._cell, self._kind = attributes.get("r", "?"), attributes.get("t", "n")
            self._digits = self.styles.get(attributes.get("s", ""))
            self._has_formula = self._has_value = False
            letters = self._cell.rstrip("0123456789")
            # A cell without a place stands in its row, beside the one before.
            self._column = _column(letters) if letters.isalpha() else self._column + 1
            self._row_of_cell = int(self._cell.removeprefix(letters) or self._row)
        elif tag in ("v", "is"):
            self.last_row = max(self.last_row, self._row_of_cell)
            self.last_column = max(self.last_column, self._column)
        if tag == "f":
            self._has_formula = True
        elif tag == "v":
            self._is_value = True
            # A formula may give an empty text, which is stored as one.
            self._has_value = self._kind == "str"

    def text(self, data: str) -> None:
        self._has_value = self._has_value or (self._is_value and bool(data))

    def end(self, name: str) -> None:
        tag = name.rpartition(":")[2]
        if tag == "v":
            self._is_value = False
        if tag != "c":
            return
        if self._has_formula and not self._has_value:
            self.uncached.append(self._cell)
        elif self._kind == "e":
            self.errors.append(self._cell)
        elif self._kind == "n" and self._has_value and self._digits is not None:
            if self._digits == OTHERWISE:
                self.shown_otherwise.append(self._cell)
            else:
                self.digits[self._column, self._digits].append(self._row_of_cell)


def _checked_cells(
    archive: zipfile.ZipFile, name: str, title: str, styles: Mapping[str, int]
) -> Digits:
    cells = _Cells(styles)
    try:
        _follow(archive, name, cells.start, cells.end, cells.text)
    except expat.ExpatError as error:
        raise BadTextError(f"the sheet {title} is broken: {error}.", "Save it again.") from None
    if cells.last_row * cells.last_column > MAX_CELLS:
        raise BadTextError(
            f"cells as far down as row {cells.last_row:,}, and as far right as column "
            f"{cells.last_column:,}; at most {MAX_CELLS:,} are read, empty ones among them.",
            "Delete what stands far from the table, or save the sheet as CSV.",
            f"sheet {title}",
        )
    if cells.uncached:
        raise BadTextError(
            f"formulas without a stored value in {listed(cells.uncached, LISTED)}.",
            "Open the file in a spreadsheet and save it, or replace formulas by their values.",
            f"sheet {title}",
        )
    if cells.errors:
        raise BadTextError(
            f"formulas that gave an error in {listed(cells.errors, LISTED)}.",
            "Correct them, or replace them by values.",
            f"sheet {title}",
        )
    if cells.shown_otherwise:
        raise BadTextError(
            "numbers that a format shows with leading zeros and other signs in "
            f"{listed(cells.shown_otherwise, LISTED)}.",
            "Format these cells as text and enter what they show, or save the sheet as CSV.",
            f"sheet {title}",
        )
    return cells.digits


def _styles(archive: zipfile.ZipFile) -> dict[str, int]:
    """{number of a style: digits} of those that show leading zeros."""
    styles = Styles()
    # A workbook need not have styles, and the engine says whether they are broken.
    with suppress(KeyError, expat.ExpatError):
        _follow(archive, "xl/styles.xml", styles.start, styles.end)
    return styles.digits


def _follow(
    archive: zipfile.ZipFile, name: str, start: Any, end: Any = None, text: Any = None
) -> None:
    """Tell the parts of a member's XML to these; raises ExpatError, and KeyError where there is no
    such member."""
    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse_declaration
    with archive.open(name) as data:
        parser.ParseFile(data)


def _refuse_declaration(*_: Any) -> None:
    raise BadTextError("the workbook declares XML entities.", "Save it again by a spreadsheet.")


def _base(path: str) -> str:
    """The end of a path, whose letters the engine takes in either case."""
    return path.rsplit("/", 1)[-1].lower()


def _titles(archive: zipfile.ZipFile) -> dict[str, str]:
    """{file of a sheet: its title}."""
    relations: dict[str, str] = {}
    titles: dict[str, str] = {}

    def relation(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] == "Relationship":
            relations[attributes.get("Id", "")] = _base(attributes.get("Target", ""))

    def sheet(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] == "sheet":
            link = next((item for key, item in attributes.items() if key.endswith(":id")), "")
            titles[relations.get(link, "")] = attributes.get("name", "")

    for path, handler in [("xl/_rels/workbook.xml.rels", relation), ("xl/workbook.xml", sheet)]:
        try:
            _follow(archive, path, handler)
        except (KeyError, expat.ExpatError) as error:
            raise BadTextError(f"the workbook is broken: {error}.", "Save it again.") from None
    return titles
