"""Reading exports of Label Studio: JSON (also of a snapshot, a task in each line, or one task),
JSON-MIN, CSV.

Drafts, cancelled annotations and predictions are no ratings. An annotation may have several
results in any order, which are told apart by the control that gave them (`from_name`). Raters are
numbers in all exports but the snapshot; a `users.json` beside them (id, email) says who they are.
"""

from collections.abc import Mapping
from typing import Any

from formats import strict
from formats.assemble import Assembly
from formats.completing import completed
from formats.credits import data_files
from formats.files import Files, SourceFile
from formats.peers.label_studio_entries import ANNOTATIONS, first_entries, kind_of, read_entries
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
from formats.reading import Options, Part, Recognition
from formats.records import Place, Study
from formats.strict import BadTextError
from formats.tables.cells import list_of, text_of

KEY = "label-studio"
# What the tool adds to a task's own fields in JSON-MIN and CSV.
TOOL_FIELDS = {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"}
# A list of accounts beside the exports.
USERS = "users.json"
# Of several exports of one project the fullest is read.
KINDS = ("snapshot", "json", "min", "csv")
NAMES = {"snapshot": "a snapshot", "json": "JSON", "min": "JSON-MIN", "csv": "CSV"}


def recognise(files: Files) -> Recognition | None:
    """Exports among the files. Of those with the same tasks the fullest is taken."""
    exports = [(file, kind) for file in data_files(files) if (kind := kind_of(file))]
    if not exports:
        return None
    parts, ids_of_files = [], set()
    for file, kind in sorted(exports, key=lambda export: KINDS.index(export[1])):
        tasks = first_entries(file, kind)
        ids = frozenset(str(task.get("id")) for task in tasks)
        if ids in ids_of_files:
            parts.append(Part(file.name, "", "The same tasks as in another export"))
            continue
        ids_of_files.add(ids)
        parts.append(_part(file, kind, tasks))
    parts += [
        Part(file.name, "", "The labelling interface, which has no answers")
        for file in data_files(files)
        if file.suffix == ".xml" and b"<View" in file.start()
    ]
    used = [
        NAMES[kind] for file, kind in exports if any(p.key and p.file == file.name for p in parts)
    ]
    along = [file.name for file in files if file.base.lower() == USERS]
    return recognition(KEY, f"An export of Label Studio ({', '.join(used)}).", parts, along)


def _part(file: SourceFile, kind: str, tasks: list[dict[str, Any]]) -> Part:
    if kind in ("snapshot", "json"):
        columns = columns_of(task["data"] for task in tasks if isinstance(task.get("data"), dict))
        grades, notes = _controls(tasks)
    else:
        columns = columns_of(
            {key: value for key, value in task.items() if key not in TOOL_FIELDS} for task in tasks
        )
        grades, notes = _flat_controls(tasks)
    return part(file.name, columns, guess(columns, grades, notes))


def _controls(tasks: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The controls that give grades, and those that give notes, by their kind."""
    grades: dict[str, None] = {}
    notes: dict[str, None] = {}
    for task in tasks:
        for annotation in list_of(task.get(ANNOTATIONS)):
            for result in _results(annotation):
                name = str(result.get("from_name"))
                kind = result.get("type")
                if kind in ("choices", "rating", "number"):
                    grades[name] = None
                elif kind == "textarea":
                    notes[name] = None
    return list(grades), list(notes)


def _flat_controls(tasks: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The same where only columns are known: few values that come again and again are grades."""
    values: dict[str, set[str]] = {}
    for task in tasks:
        for name, value in task.items():
            if name not in TOOL_FIELDS and value not in (None, ""):
                values.setdefault(name, set()).add(str(value))
    pairs = guess(columns_of(tasks), [], [])
    used_columns = {
        column for key, column in pairs.items() if isinstance(column, str) and key != "note"
    }
    free_columns = [name for name in values if name not in used_columns]
    notes = [
        name for name in free_columns if name.lower() in ("note", "notes", "comment", "comments")
    ]
    few = [name for name in free_columns if name not in notes and len(values[name]) <= 20]
    grade_columns = [
        name for name in few if name.lower() in ("relevance", "grade", "rating", "label")
    ]
    return grade_columns or few, notes


def read(files: Files, options: Options) -> Study:
    """The study that the exports hold; raises BadInputError."""
    assembly = Assembly(Study(KEY, fingerprint=files.fingerprint), options)
    recognition = recognise(files)
    users = named_by_number(files, USERS, "email", assembly.problems)
    for file_part in recognition.parts if recognition else ():
        fields = chosen_fields(file_part, options)
        if fields is None:
            continue
        file = files.named(file_part.file)
        with assembly.problems.of(file.name):
            _Export(assembly, file, fields, users).read(kind_of(file))
    return completed(assembly)


def _results(annotation: Any) -> list[dict[str, Any]]:
    results = annotation.get("result") if isinstance(annotation, dict) else None
    entries = results if isinstance(results, list) else []
    return [result for result in entries if isinstance(result, dict)]


class _Export:
    def __init__(
        self,
        assembly: Assembly,
        file: SourceFile,
        fields: Mapping[str, str | list[str]],
        users: dict[str, str],
    ):
        self.assembly, self.file, self.users = assembly, file, users
        self.tasks = Tasks(assembly, fields, Place(file.name))

    def read(self, kind: str) -> None:
        if not self.tasks.is_matched:
            return
        take = self._task if kind in ("snapshot", "json") else self._row
        for number, entry in enumerate(read_entries(self.file, kind), start=1):
            name = str(entry.get("id"))
            key = name if name.isdecimal() else f"number {number}"
            place = Place(self.file.name, key=f"task {key}")
            try:
                strict.check_storable(entry)
                take(entry, place)
            except BadTextError as error:
                self.assembly.problem(place, error.message, error.remedy)

    def _rater(self, value: Any) -> str:
        name = identifier(value)
        return self.users.get(name, name)

    # JSON

    def _task(self, task: dict[str, Any], place: Place) -> None:
        data = task.get("data")
        if not isinstance(data, dict):
            raise BadTextError("the task has no data.", "Export again as JSON.")
        document, topics = self.tasks.topics(data, place)
        for draft in list_of(task.get("drafts")):
            if isinstance(draft, dict):
                self.assembly.study.leave_out(place, "A draft is no rating.")
        for annotation in list_of(task.get(ANNOTATIONS)):
            if isinstance(annotation, dict):
                self._annotation(annotation, document, topics, place)

    def _annotation(
        self, annotation: dict[str, Any], document: str, topics: dict[str, str], place: Place
    ) -> None:
        rater = self._rater(annotation.get("completed_by"))
        if annotation.get("was_cancelled"):
            self.assembly.study.leave_out(place, f"{rater} skipped the task.")
            return
        values_of: dict[str, list[str]] = {}
        for result in _results(annotation):
            values_of.setdefault(str(result.get("from_name")), []).extend(_values(result))
        note = "\n".join(
            text for control in self.tasks.notes for text in values_of.get(control, [])
        )
        time = text_of(annotation.get("updated_at") or annotation.get("created_at"))
        if not any(values_of.get(control) for control in topics):
            self.assembly.study.leave_out(place, f"{rater} gave no grade.")
        for control, topic in topics.items():
            self.tasks.answer(
                topic,
                document,
                rater,
                values_of.get(control, []),
                note=note,
                time=time,
                place=place,
            )

    # JSON-MIN and CSV

    def _row(self, row: dict[str, Any], place: Place) -> None:
        document, topics = self.tasks.topics(row, place)
        rater = self._rater(row.get("annotator"))
        note = "\n".join(
            text for control in self.tasks.notes for text in _flat_values(row.get(control))
        )
        time = text_of(row.get("updated_at") or row.get("created_at"))
        for control, topic in topics.items():
            literals = _flat_values(row.get(control))
            self.tasks.answer(topic, document, rater, literals, note=note, time=time, place=place)


def _values(result: dict[str, Any]) -> list[str]:
    """The literals of a result: {"choices": [...]}, {"rating": 3}, {"text": [...]}."""
    value = result.get("value")
    if not isinstance(value, dict):
        return []
    for key in ("choices", "rating", "number", "text"):
        if key in value:
            return [text_of(item) for item in list_of(value[key])]
    return []


def _flat_values(value: Any) -> list[str]:
    """The same where results are shortened: "2 Similar", [{"rating": 2}], {"choices": [...]}; in
    CSV as JSON text in a cell."""
    literals = []
    if isinstance(value, str) and value[:1] not in ("[", "{"):
        return [value] if value else []
    if isinstance(value, str) and value.startswith("{"):
        value = f"[{value}]"
    for item in list_of(value):
        if isinstance(item, dict):
            literals += _values({"value": item})
        else:
            literals.append(text_of(item))
    return literals
