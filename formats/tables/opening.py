"""The tables of a file, by what it is: text, JSON, Parquet, or a workbook."""

from pathlib import PurePosixPath

from formats.files import WITHIN, SourceFile
from formats.parquet_bytes import PARQUET
from formats.strict import BadTextError
from formats.tables.delimited import DelimitedText
from formats.tables.excel import sheets_of
from formats.tables.json_rows import JsonLines, JsonList
from formats.tables.kinds import OFFICE, OLD_OFFICE, is_json_list
from formats.tables.parquet import ParquetTable
from formats.tables.rows import Table


def open_tables(file: SourceFile) -> list[Table]:
    """The tables of a file; raises BadTextError where it cannot be read."""
    # Several readers look at a file, and a workbook is read whole.
    if "tables" not in file.cache:
        file.cache["tables"] = _tables(file)
    tables: list[Table] = file.cache["tables"]
    return tables


def _tables(file: SourceFile) -> list[Table]:
    start = file.start(8)
    if start.startswith(PARQUET):
        return [ParquetTable(file)]
    if start.startswith(OLD_OFFICE):
        raise BadTextError(
            "this is an old Excel file, or one with a password.",
            "Save it as .xlsx without a password, or as CSV.",
        )
    if start.startswith(OFFICE):
        return list(sheets_of(file))
    if file.suffix in (".jsonl", ".ndjson", ".json"):
        return [JsonList(file) if is_json_list(file) else JsonLines(file)]
    return [DelimitedText(file)]


def stem_of(name: str) -> str:
    """The name of a table's file without folder and ending, in lower case."""
    return PurePosixPath(name.rsplit(WITHIN, 1)[-1]).stem.lower()
