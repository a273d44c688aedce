"""Reading exports of doccano: JSON lines, JSON or CSV, a file for each annotator.

Only the name of the file tells who rated. An export with shared annotations (`all.jsonl`) has the
labels of all people in one list and nobody's name, and is refused. No label is no rating: doccano
knows no skipping.

Earlier versions also wrote `annotations`: numbers of labels and of the people who gave them. The
labels' own export beside it (`label_config.json`) says what the numbers mean; without it they could
be taken for grades, and are refused.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from formats.assemble import Assembly
from formats.completing import completed
from formats.credits import data_files
from formats.files import Files, SourceFile
from formats.peers.tasks import (
    Tasks,
    chosen_fields,
    columns_of,
    guess,
    identifier,
    named_by_number,
    part,
    recognition,
)
from formats.reading import Options, Recognition
from formats.records import Place, Study
from formats.strict import BadTextError, kind_of, shown
from formats.tables.cells import list_of, text_of
from formats.tables.kinds import is_json_list
from formats.tables.opening import open_tables
from formats.tables.rows import Row

KEY = "doccano"
SHARED = "all"
LABEL, COMMENTS, META = "label", "Comments", "meta"
# Earlier versions call the list of labels so.
EARLIER_LABEL = "labels"
# The list of labels by number, and who gave one, by number as well.
NUMBERED, USER = "annotations", "user"
TOOL_FIELDS = {"id", LABEL, COMMENTS, NUMBERED, "annotation_approver"}
# The export of the labels: a list of {"id": 3, "text": "2 Similar"}.
LABELS_FILE = "label_config.json"
# What divides the labels, and the comments, in a cell of CSV.
SEPARATOR = "#"
SEEN_LINES = 100


def recognise(files: Files) -> Recognition | None:
    exports = [file for file in data_files(files) if _is_export(file)]
    if not exports:
        return None
    parts = []
    for file in exports:
        columns = columns_of(
            {key: value for key, value in cells.items() if key not in TOOL_FIELDS}
            for cells in _first_cells(file)
        )
        parts.append(part(file.name, columns, guess(columns, [LABEL], [COMMENTS])))
    # A member's file may hold nothing but an empty line.
    names = [file.base for file in exports if file.size > 1]
    along = [file.name for file in files if file.base.lower() == LABELS_FILE]
    return recognition(KEY, f"An export of doccano ({', '.join(names)}).", parts, along)


def _first_cells(file: SourceFile) -> list[dict[str, Any]]:
    return [row.cells for row in itertools.islice(_rows(file), SEEN_LINES)]


def _is_export(file: SourceFile) -> bool:
    if not (file.suffix in (".jsonl", ".csv") or (file.suffix == ".json" and is_json_list(file))):
        return False
    try:
        columns = {"id", "text", LABEL, COMMENTS}
        if file.suffix == ".csv" and not columns.issubset(open_tables(file)[0].columns):
            return False
        cells = _first_cells(file)
    except BadTextError:
        return False
    have_labels = [isinstance(row.get(LABEL), list) or _is_numbered(row) for row in cells]
    # A row that nobody labelled has an empty list of numbered labels.
    is_labelled = [
        has or row.get(NUMBERED) == [] for row, has in zip(cells, have_labels, strict=True)
    ]
    return (
        any(have_labels) and all(is_labelled) and all({"id", "text"} <= set(row) for row in cells)
    )


def _is_numbered(cells: Mapping[str, Any]) -> bool:
    """Whether a row has labels by number, each given by somebody to the whole text."""
    entries = cells.get(NUMBERED)
    return (
        LABEL not in cells
        and isinstance(entries, list)
        and bool(entries)
        and all(
            isinstance(entry, dict) and {LABEL, USER} <= set(entry) and "start_offset" not in entry
            for entry in entries
        )
    )


def _rows(file: SourceFile) -> Iterator[Row]:
    """The rows as the newest version writes them in JSON lines."""
    for row in open_tables(file)[0].rows():
        yield Row(row.line, _as_today(row.cells, is_csv=file.suffix == ".csv"))


def _as_today(cells: dict[str, Any], *, is_csv: bool) -> dict[str, Any]:
    if is_csv:
        return cells | {
            key: [part for part in cells[key].split(SEPARATOR) if part.strip()]
            for key in (LABEL, COMMENTS)
            if key in cells
        }
    # Imported fields stood in an object of their own.
    meta = cells.get(META)
    if isinstance(meta, dict):
        cells = meta | {key: cell for key, cell in cells.items() if key != META}
    if (
        LABEL not in cells
        and NUMBERED not in cells
        and (isinstance(meta, dict) or COMMENTS in cells)
    ):
        return {LABEL if key == EARLIER_LABEL else key: cell for key, cell in cells.items()}
    return cells


def read(files: Files, options: Options) -> Study:
    """The study that the exports hold; raises BadInputError."""
    assembly = Assembly(Study(KEY, fingerprint=files.fingerprint), options)
    recognition = recognise(files)
    label_names = named_by_number(files, LABELS_FILE, "text", assembly.problems)
    for file_part in recognition.parts if recognition else ():
        fields = chosen_fields(file_part, options)
        file = files.named(file_part.file)
        if fields is None:
            continue
        if any(map(_is_numbered, _first_cells(file))):
            if label_names:
                tasks = Tasks(assembly, fields, Place(file.name))
                _read_file(file, tasks, partial(_read_numbered_row, tasks, label_names))
            else:
                assembly.problems.add(
                    file.name,
                    "whole file",
                    "its labels are numbers, and nothing says what they mean.",
                    f"Bring {LABELS_FILE} too, doccano's export of the labels, or export again "
                    "with the labels' texts.",
                )
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
        tasks = Tasks(assembly, fields, Place(file.name))
        _read_file(file, tasks, partial(_read_row, tasks, _rater(file)))
    return completed(assembly)


def _rater(file: SourceFile) -> str:
    return PurePosixPath(file.base).stem


def _read_file(
    file: SourceFile, tasks: Tasks, read_row: Callable[[dict[str, Any], Place], None]
) -> None:
    """Read each row; what is wrong with one is noted, and the next is read."""
    assembly = tasks.assembly
    if not tasks.is_matched:
        return
    with assembly.problems.of(file.name):
        for row in _rows(file):
            place = Place(file.name, row.line)
            try:
                read_row(row.cells, place)
            except BadTextError as error:
                assembly.problem(place, error.message, error.remedy)


def _read_numbered_row(
    tasks: Tasks, names: Mapping[str, str], row: dict[str, Any], place: Place
) -> None:
    """A row whose labels are numbers. Each is of a person, who is a number as well."""
    document, topics = tasks.topics(row, place)
    literals: dict[str, list[str]] = {}
    for entry in list_of(row.get(NUMBERED)):
        number = text_of(entry.get(LABEL)) if isinstance(entry, dict) else ""
        if number not in names:
            raise BadTextError(
                f"the label number {shown(number)} has no name in {LABELS_FILE}.",
                "Export the labels again.",
            )
        literals.setdefault(identifier(entry.get(USER)), []).append(names[number])
    for topic in topics.values():
        for rater, labels in literals.items():
            tasks.answer(topic, document, rater, labels, note="", time="", place=place)


def _read_row(tasks: Tasks, rater: str, row: dict[str, Any], place: Place) -> None:
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
