"""The common part of the tools: tasks that carry a pair in their own fields, and answers.

A task's fields are matched with ours as columns of a table are; the controls of the labelling
interface stand among them. Where a task names no facet and several controls give grades, each
control is a facet. Where it holds texts without ids, ids are made of the texts, the same for the
same text.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from formats import strict
from formats.assemble import Assembly
from formats.files import Files
from formats.flat import FlatPair, add_pair
from formats.literals import identifier_of
from formats.problems import Problems
from formats.reading import Column, Field, Options, Part, Recognition
from formats.records import Place, Rating
from formats.strict import BadTextError
from formats.tables.cells import text_of
from formats.tables.fields import FIELDS
from formats.tables.guess import guess_columns, lacking

LEFT = {"rater", "time", "grade", "status"}
GRADE = Field(
    "grade", "Grade", "the control that gives it; several are a facet each", is_required=True,
    is_list=True,
)  # fmt: skip
# The texts of which an id is made that no field of the tasks holds.
MADE_OF = {"query": ("query_title", "query_text"), "document": ("title", "text")}
TASK_FIELDS = (
    *(
        replace(field, help="its id; without one it is made of the text", is_required=False)
        if field.key in MADE_OF
        else field
        for field in FIELDS["pairs"]
        if field.key not in LEFT
    ),
    GRADE,
)
TEXTS = (
    "facet", "query_title", "query_text", "title", "text", "description", "narrative",
    "side_title", "side_text",
)  # fmt: skip
PART, LABEL = "tasks", "Tasks with their answers"
FIRST_VALUES, SHOWN_LENGTH = 3, 80
MAX_LIST_BYTES = 1 << 20
Columns = Mapping[str, "str | list[str]"]


def columns_of(tasks: Iterable[Mapping[str, Any]]) -> tuple[Column, ...]:
    """The fields of tasks with their first values."""
    values: dict[str, list[str]] = {}
    for task in tasks:
        for name, value in task.items():
            first = values.setdefault(name, [])
            if value not in (None, "", []) and len(first) < FIRST_VALUES:
                text = value if isinstance(value, str) else str(value)
                first.append(strict.cut(text, SHOWN_LENGTH))
    return tuple(Column(name, tuple(first)) for name, first in values.items())


def guess(
    columns: Sequence[Column], grades: Sequence[str], notes: Sequence[str]
) -> dict[str, str | list[str]]:
    """The guessed field of ours for each field of theirs; the controls are known by their kind."""
    controls = {*grades, *notes}
    matched = guess_columns(
        "pairs", [column.name for column in columns if column.name not in controls]
    )
    fields = {key: column for key, column in matched.items() if key not in LEFT}
    for key, (_, text) in MADE_OF.items():
        if text not in fields and _holds_texts(columns, fields.get(key)):
            fields[text] = fields.pop(key)
    fields["grade"] = list(grades)
    if notes:
        fields["note"] = notes[0]
    return fields


def _holds_texts(columns: Sequence[Column], name: Any) -> bool:
    """Whether a field that is called as an id may be holds words instead."""
    return any(
        " " in value.strip()
        for column in columns
        if column.name == name
        for value in column.first_values
    )


def part(file: str, columns: tuple[Column, ...], fields: Columns) -> Part:
    return Part(file, PART, LABEL, columns, fields)


def recognition(
    key: str, sentence: str, parts: Sequence[Part], along: Sequence[str] = ()
) -> Recognition:
    fields, labels = {PART: TASK_FIELDS}, {PART: LABEL}
    return Recognition(key, 3, sentence, tuple(parts), fields, labels, tuple(along))


def chosen_fields(part: Part, options: Options) -> Columns | None:
    """The fields of a part as they were matched, or as guessed; None for a file left alone."""
    file_mapping = (options.mapping.get("files") or {}).get(part.file)
    if file_mapping is None:
        return part.guess if part.key else None
    return dict(file_mapping.get("columns") or {}) if file_mapping.get("part") else None


class Tasks:
    """Takes tasks and answers of one file into an assembly."""

    def __init__(self, assembly: Assembly, fields: Columns, place: Place):
        self.assembly, self.fields = assembly, fields
        grades = fields.get("grade") or []
        self.grades = [grades] if isinstance(grades, str) else list(grades)
        self.notes = [str(fields["note"])] if fields.get("note") else []
        self.is_matched = self._check(place)

    def _check(self, place: Place) -> bool:
        """Whether all required fields are matched."""
        missing = [
            field.label
            for (field,) in lacking("pairs", dict(self.fields))
            if not any(self.fields.get(text) for text in MADE_OF.get(field.key, ()))
        ]
        for key in MADE_OF:
            if not missing and not self.fields.get(key):
                self.assembly.study.notes.append(
                    f"{place.file}: no field of the tasks is the id of a {key}, so the ids are "
                    f"made of the texts."
                )
        if not self.grades:
            missing.append(GRADE.label)
        for label in missing:
            self.assembly.problem(
                place, f"no field of the tasks is the {label.lower()}.", "Match a field with it."
            )
        return not missing

    def pair(self, task: Mapping[str, Any], place: Place) -> FlatPair:
        texts = {key: text_of(self._value(task, key)) for key in TEXTS}
        query, document = (
            identifier_of(self._value(task, key))
            if self.fields.get(key)
            else made_id(key, *(texts[text] for text in MADE_OF[key]))
            for key in MADE_OF
        )
        return FlatPair(query, document, place, **texts)

    def _value(self, task: Mapping[str, Any], key: str) -> Any:
        column = self.fields.get(key)
        return task.get(column) if isinstance(column, str) else None

    def topics(self, task: Mapping[str, Any], place: Place) -> tuple[str, dict[str, str]]:
        """The document of a task and, for each control that gives grades, the topic."""
        pair = self.pair(task, place)
        if pair.facet or len(self.grades) == 1:
            topic = add_pair(self.assembly, pair)
            return pair.document, dict.fromkeys(self.grades[:1], topic) if topic else {}
        topics = {}
        for control in self.grades:
            topic = add_pair(self.assembly, replace(pair, facet=control))
            if topic:
                topics[control] = topic
        return pair.document, topics

    def answer(
        self,
        topic: str,
        document: str,
        rater: str,
        literals: Sequence[str],
        *,
        note: str,
        time: str,
        place: Place,
    ) -> None:
        """The answer of one control. Several answers at once are none, and a problem."""
        if len(literals) > 1:
            self.assembly.problem(
                place,
                f"{rater} chose {len(literals)} grades at once ({', '.join(literals)}).",
                "A pair has one grade of each rater: correct it there, and export again.",
            )
        elif literals:
            self.assembly.add_rating(
                Rating(topic, document, rater, literals[0], "", note, time, place)
            )


def made_id(kind: str, title: str, text: str) -> str:
    """The id of a query or a document that has none; empty where it has no text either."""
    if not title and not text:
        return ""
    digest = hashlib.sha256(f"{title}\x1f{text}".encode()).hexdigest()
    return f"{kind}-{digest[:12]}"


def identifier(value: Any) -> str:
    """A tool's name for a person: an address, a name, or a number."""
    if isinstance(value, Mapping):
        value = value.get("email") or value.get("username") or value.get("id")
    if value in (None, "") or isinstance(value, (list, dict, bool)):
        raise BadTextError("the rater is not named.", "Export with the annotators.")
    return str(value).strip()


def named_by_number(files: Files, base: str, field: str, problems: Problems) -> dict[str, str]:
    """{number: name} of a list beside the exports, which has {"id": 3, field: name}."""
    names: dict[str, str] = {}
    for file in files:
        if file.base.lower() != base:
            continue
        with problems.of(file.name):
            entries = strict.parse_json(strict.decode(file.start(MAX_LIST_BYTES)))
            strict.check_storable(entries)
            for entry in entries if isinstance(entries, list) else []:
                if isinstance(entry, dict) and "id" in entry and entry.get(field):
                    names[text_of(entry["id"])] = text_of(entry[field])
    return names
