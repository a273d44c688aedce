"""The tables that take part in a study, and the fields that their columns are."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from formats.credits import data_files
from formats.files import Files, SourceFile
from formats.problems import Problems
from formats.reading import UNKNOWN, Column, Part
from formats.runs_and_qrels import LABELS as BESIDE
from formats.runs_and_qrels import part_of
from formats.strict import BadTextError, cut, shown
from formats.tables.cells import Mapped
from formats.tables.fields import FIELDS, LABELS
from formats.tables.guess import Guess, guess_by_name, guess_part, lacking
from formats.tables.kinds import is_json_table, is_table
from formats.tables.no_part import why_no_part
from formats.tables.opening import open_tables
from formats.tables.rows import Table
from formats.words import listed

FIRST_ROWS = 20
FIRST_VALUES = 3
LISTED_COLUMNS = 8
SHOWN_LENGTH = 80


def _is_table(file: SourceFile) -> bool:
    """Whether a file may be a table: by its ending, or a text that names columns of a study."""
    may_name_columns = file.suffix in ("", ".txt") or is_json_table(file)
    return is_table(file) or (may_name_columns and _names_columns(file))


def _names_columns(file: SourceFile) -> bool:
    try:
        columns = [Column(name, ()) for table in open_tables(file) for name in table.columns]
    except BadTextError:
        return False
    return len(columns) > 1 and bool(guess_part(file.name, columns)[0])


def parts_seen(files: Files) -> list[Part]:
    """Tables among the files, each with a guess of its part and columns; and, beside tables alone,
    runs and qrels."""
    parts, parts_beside = [], []
    for file in data_files(files):
        if not _is_table(file):
            key = part_of(file)
            parts_beside += [Part(file.name, key, BESIDE[key])] if key else []
            continue
        try:
            parts += _parts(open_tables(file))
        except BadTextError:
            parts.append(Part(file.name, UNKNOWN, "Cannot be read"))
    return parts + parts_beside if parts else []


def _guess(table: Table, columns: Sequence[Column]) -> tuple[str, Guess]:
    """The part that fits, else the one after which the table is called."""
    part, guess = guess_part(table.name, columns)
    return (part, guess) if part else guess_by_name(table.name, columns)


def _parts(tables: Sequence[Table]) -> list[Part]:
    """The tables of a file. Beside a sheet that is recognised, others are left alone."""
    guesses = [(table, columns := first_columns(table), _guess(table, columns)) for table in tables]
    is_any_known = any(key for _, _, (key, _) in guesses)
    unknown = "" if is_any_known else UNKNOWN
    return [
        Part(table.name, key or unknown, LABELS.get(key, "Not recognised"), columns, fields)
        for table, columns, (key, fields) in guesses
    ]


def first_columns(table: Table) -> tuple[Column, ...]:
    values: dict[str, list[str]] = {name: [] for name in table.columns}
    try:
        for row in islice(table.rows(), FIRST_ROWS):
            for name, cell in row.cells.items():
                text = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
                if text not in ("", "null") and len(values.setdefault(name, [])) < FIRST_VALUES:
                    values[name].append(cut(text, SHOWN_LENGTH))
    except BadTextError:
        pass  # told when it is read
    return tuple(Column(name, tuple(first)) for name, first in values.items())


def other_columns(names: Iterable[str], columns: Mapping[str, str | list[str]]) -> list[str]:
    """The columns of a file that no field takes."""
    matched: set[str] = set()
    for column in columns.values():
        matched.update(column if isinstance(column, list) else [column])
    return [name for name in names if name not in matched]


def mapped_tables(files: Files, mapping: Mapping[str, Any], problems: Problems) -> list[Mapped]:
    """The tables that take part, each with its columns by field; what does not fit is noted."""
    file_choices = mapping.get("files") or {}
    tables = []
    for file in data_files(files):
        if not _is_table(file):
            continue
        try:
            for table in open_tables(file):
                mapped = _mapped(table, file_choices.get(table.name), problems)
                if mapped:
                    tables.append(mapped)
        except BadTextError as error:
            problems.add(
                file.name,
                error.place,
                f"it cannot be read as a table: {error.message}",
                error.remedy,
            )
    return tables


def unread_sheets(files: Files, mapping: Mapping[str, Any], mapped: Sequence[Mapped]) -> list[str]:
    """A note on sheets that fit no part, beside others that were recognised."""
    chosen = mapping.get("files") or {}
    read_names = {table.table.name for table in mapped}
    unread_names = []
    for file in data_files(files):
        tables = file.cache.get("tables", [])
        if len(tables) > 1:
            unread_names += [
                table.name
                for table in tables
                if table.name not in read_names and not chosen.get(table.name, {}).get("part")
            ]
    names = listed(unread_names, LISTED_COLUMNS)
    return [f"Sheets of which nothing was read: {names}."] if unread_names else []


def _mapped(table: Table, choice: Mapping[str, Any] | None, problems: Problems) -> Mapped | None:
    if choice is None:
        part, columns = _guess(table, first_columns(table))
        part = part or UNKNOWN
    else:
        part = str(choice.get("part") or "")
        columns = dict(choice.get("columns") or {})
    if not part:
        return None
    if part == UNKNOWN:
        problems.at(table.place(0), *_why_unknown(table))
        return None
    if part not in FIELDS:
        problems.at(
            table.place(0), f"there is no part {shown(part)}.", f"One of {', '.join(FIELDS)}."
        )
        return None
    fields = {field.key for field in FIELDS[part]}
    columns = {key: column for key, column in columns.items() if column and key in fields}
    if not _are_matched(table, part, columns, problems):
        return None
    settings = {
        key: value for key, value in (choice or {}).items() if key not in ("part", "columns")
    }
    return Mapped(table, part, columns, settings)


def _are_matched(table: Table, part: str, columns: Guess, problems: Problems) -> bool:
    """Whether the table has these columns, and the part every field that it needs."""
    for column in columns.values():
        for name in column if isinstance(column, list) else [column]:
            if name not in table.columns:
                problems.at(
                    table.place(0), f"there is no column {shown(name)}.", "Match the columns again."
                )
                return False
    missing = lacking(part, columns)
    for fields_that_will_do in missing:
        labels = " or ".join(field.label for field in fields_that_will_do)
        problems.at(
            table.place(0), f"no column is matched with {labels}.", "Match one under Columns."
        )
    return not missing


def _why_unknown(table: Table) -> tuple[str, str]:
    """A table that fits no part: what is wrong with it, and how to mend that."""
    if not table.columns:
        return "there is no row in it.", "Leave it out."
    if reason := why_no_part(table.columns):
        return reason
    columns = ", ".join(shown(name) for name in table.columns[:LISTED_COLUMNS])
    return (
        f"its columns fit no part of a study: {columns}.",
        f"Choose its part and match its columns, or leave it out. {table.question}".rstrip(),
    )
