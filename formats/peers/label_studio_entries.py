"""Tasks in exports of Label Studio, whatever their kind: a snapshot, JSON, JSON-MIN or CSV."""

import itertools
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from formats import strict
from formats.files import SourceFile
from formats.stream import elements_of
from formats.strict import BadTextError
from formats.tables.kinds import is_json_list, is_json_table
from formats.tables.opening import open_tables

# Before version 1 annotations were called so, and each task had a file.
ANNOTATIONS, EARLIER_ANNOTATIONS = "annotations", "completions"
MAX_TASK_BYTES = 1 << 20
SEEN_TASKS = 500
LINES = (".jsonl", ".ndjson")


def kind_of(file: SourceFile) -> str:
    """The kind of export by a file's content; "" for none."""
    start = file.start(64).removeprefix(strict.BOM).lstrip()
    try:
        if start.startswith(b"[") or (start.startswith(b"{") and file.suffix in (*LINES, ".json")):
            first = next(_json_entries(file), None)
            return _kind_of_entry(first) if isinstance(first, dict) else ""
        if file.suffix == ".csv":
            columns = set(open_tables(file)[0].columns)
            return "csv" if {"annotation_id", "annotator", "lead_time"} <= columns else ""
    except BadTextError:
        pass
    return ""


def _kind_of_entry(entry: dict[str, Any]) -> str:
    if isinstance(entry.get(ANNOTATIONS), list) and isinstance(entry.get("data"), dict):
        raters = [
            annotation.get("completed_by")
            for annotation in entry[ANNOTATIONS]
            if isinstance(annotation, dict)
        ]
        return "snapshot" if any(isinstance(rater, dict) for rater in raters) else "json"
    return "min" if {"annotation_id", "annotator"} <= set(entry) else ""


def first_entries(file: SourceFile, kind: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    with suppress(BadTextError):  # told when it is read
        for entry in itertools.islice(read_entries(file, kind), SEEN_TASKS):
            entries.append(entry)
    return entries


def read_entries(file: SourceFile, kind: str) -> Iterator[dict[str, Any]]:
    if kind == "csv":
        for row in open_tables(file)[0].rows():
            yield row.cells
        return
    for entry in _json_entries(file):
        if isinstance(entry, dict):
            yield entry


def _json_entries(file: SourceFile) -> Iterator[Any]:
    for entry in _written_entries(file):
        if isinstance(entry, dict) and ANNOTATIONS not in entry and EARLIER_ANNOTATIONS in entry:
            yield entry | {ANNOTATIONS: entry[EARLIER_ANNOTATIONS]}
        else:
            yield entry


def _written_entries(file: SourceFile) -> Iterator[Any]:
    if file.suffix in LINES or (is_json_table(file) and not is_json_list(file)):
        for row in open_tables(file)[0].rows():
            yield row.cells
        return
    if file.start(64).removeprefix(strict.BOM).lstrip().startswith(b"{"):
        # A larger object is none that people made.
        if file.size <= MAX_TASK_BYTES:
            yield strict.parse_json(strict.decode(file.start(MAX_TASK_BYTES)))
        return
    with file.open() as data:
        yield from elements_of(data)
