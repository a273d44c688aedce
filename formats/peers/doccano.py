"""Reading exports of doccano: JSON lines, JSON or CSV, a file for each annotator.

Only the name of the file tells who rated. An export with shared annotations (`all.jsonl`) has the
labels of all people in one list and nobody's name, and is refused. No label is no rating: doccano
knows no skipping.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from formats.assemble import Assembly
from formats.completing import completed
from formats.credits import data_files, texts_beside
from formats.files import Files, SourceFile
from formats.peers.tasks import Tasks, chosen_fields, columns_of, guess, part, recognition
from formats.reading import Options, Recognition
from formats.records import Place, Study
from formats.strict import BadTextError, kind_of
from formats.tables.cells import list_of, text_of
from formats.tables.rows import Row, is_json_list, open_tables

KEY = "doccano"
SHARED = "all"
LABEL, COMMENTS, META = "label", "Comments", "meta"
# Earlier versions call the list of labels so.
EARLIER_LABEL = "labels"
TOOL_FIELDS = {"id", LABEL, COMMENTS}
# What divides the labels, and the comments, in a cell of CSV.
BETWEEN = "#"
SEEN_LINES = 100


def recognise(files: Files) -> Recognition | None:
    exports = [file for file in data_files(files) if _is_export(file)]
    if not exports:
        return None
    parts = []
    for file in exports:
        rows = [row.cells for _, row in zip(range(SEEN_LINES), _rows(file), strict=False)]
        columns = columns_of(
            {key: value for key, value in row.items() if key not in TOOL_FIELDS} for row in rows
        )
        parts.append(part(file.name, columns, guess(columns, [LABEL], [COMMENTS])))
    # A member's file may hold nothing but an empty line.
    names = [file.base for file in exports if file.size > 1]
    return recognition(KEY, f"An export of doccano ({', '.join(names)}).", parts)


def _is_export(file: SourceFile) -> bool:
    if not (file.suffix in (".jsonl", ".csv") or (file.suffix == ".json" and is_json_list(file))):
        return False
    try:
        if file.suffix == ".csv" and not {"id", "text", LABEL, COMMENTS} <= _columns(file):
            return False
        rows = list(zip(range(SEEN_LINES), _rows(file), strict=False))
    except BadTextError:
        return False
    return bool(rows) and all(
        isinstance(row.cells.get(LABEL), list) and {"id", "text"} <= set(row.cells)
        for _, row in rows
    )


def _columns(file: SourceFile) -> set[str]:
    return set(open_tables(file)[0].columns)


def _rows(file: SourceFile) -> Iterator[Row]:
    """The rows as the newest version writes them in JSON lines."""
    for row in open_tables(file)[0].rows():
        yield Row(row.line, _as_today(row.cells, is_csv=file.suffix == ".csv"))


def _as_today(cells: dict[str, Any], *, is_csv: bool) -> dict[str, Any]:
    if is_csv:
        lists = {key: _divided(cells[key]) for key in (LABEL, COMMENTS) if key in cells}
        return cells | lists
    # Imported fields stood in an object of their own.
    meta = cells.get(META)
    if isinstance(meta, dict):
        cells = meta | {key: cell for key, cell in cells.items() if key != META}
    if LABEL not in cells and (isinstance(meta, dict) or COMMENTS in cells):
        return {LABEL if key == EARLIER_LABEL else key: cell for key, cell in cells.items()}
    return cells


def _divided(cell: str) -> list[str]:
    return [part for part in cell.split(BETWEEN) if part.strip()]


def read(files: Files, options: Options) -> Study:
    """The study that the exports hold; raises BadInputError."""
    study = Study(KEY, texts_beside=texts_beside(files), fingerprint=files.fingerprint)
    assembly = Assembly(study, options)
    recognition = recognise(files)
    for file_part in recognition.parts if recognition else ():
        fields = chosen_fields(file_part, options)
        file = files.named(file_part.file)
        if fields is None:
            continue
        if _rater(file).lower() == SHARED:
            assembly.problems.add(
                file.name,
                "whole file",
                "it does not name the raters: the labels of all people stand in one list.",
                "In doccano, take away “share annotations across all users” and export again; "
                "each annotator then has a file.",
            )
            continue
        _read_file(assembly, file, Tasks(assembly, fields, Place(file.name)))
    return completed(assembly)


def _rater(file: SourceFile) -> str:
    return PurePosixPath(file.base).stem


def _read_file(assembly: Assembly, file: SourceFile, tasks: Tasks) -> None:
    rater = _rater(file)
    if not tasks.is_matched:
        return
    try:
        for row in _rows(file):
            place = Place(file.name, row.line)
            try:
                _read_row(tasks, row.cells, rater, place)
            except BadTextError as error:
                assembly.problem(place, error.message, error.remedy)
    except BadTextError as error:
        assembly.problems.add(file.name, error.place, error.message, error.remedy)


def _read_row(tasks: Tasks, row: dict[str, Any], rater: str, place: Place) -> None:
    document, topics = tasks.topics(row, place)
    labels = row.get(LABEL)
    if not isinstance(labels, list) or any(isinstance(label, (list, dict)) for label in labels):
        raise BadTextError(
            f"the label is {kind_of(labels)}, or of parts of the text.",
            "Only labels of whole documents are read.",
        )
    note = "\n".join(text_of(comment) for comment in list_of(row.get(COMMENTS)))
    literals = [text_of(label) for label in labels]
    for topic in topics.values():
        tasks.answer(topic, document, rater, literals, note=note, time="", place=place)
