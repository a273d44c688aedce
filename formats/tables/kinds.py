"""Which files are tables, known before they are read."""

import re
import zipfile

from formats import strict
from formats.archives import BROKEN_ZIP
from formats.files import SourceFile
from formats.parquet_bytes import PARQUET
from formats.text_lines import FIRST_BYTES

SUFFIXES = {".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".parquet"}
OFFICE = b"PK\x03\x04"
OLD_OFFICE = b"\xd0\xcf\x11\xe0"
# So much of a file called JSON is looked at for the end of its first object.
SEEN_BYTES = 1 << 20
# Line breaks match in one way only, since many ways take for ever in a file of empty lines.
OBJECT_AFTER_OBJECT = re.compile(rb"\}[^\S\n]*\n\s*\{")


def is_table(file: SourceFile) -> bool:
    """Whether a file may be a table, by its first bytes and, for text, by its name."""
    start = file.start(8)
    return (
        start.startswith(PARQUET)
        or file.suffix in SUFFIXES
        or (start.startswith(OFFICE) and is_workbook(file))
        or (start.startswith(OLD_OFFICE) and file.suffix == ".xls")
    )


def is_workbook(file: SourceFile) -> bool:
    """Whether an Office file is a workbook, whatever its name."""
    try:
        with zipfile.ZipFile(file.path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except BROKEN_ZIP:
        return False


def is_json_list(file: SourceFile) -> bool:
    """Whether a text begins as a JSON list of objects does."""
    start = file.start(FIRST_BYTES).removeprefix(strict.BOM).lstrip()
    return start.startswith(b"[") and start[1:].lstrip().startswith(b"{")


def is_json_table(file: SourceFile) -> bool:
    """Whether a file called JSON is a list of objects, or has an object in each line."""
    if file.suffix != ".json":
        return False
    return is_json_list(file) or bool(OBJECT_AFTER_OBJECT.search(file.start(SEEN_BYTES)))
