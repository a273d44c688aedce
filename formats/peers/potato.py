"""Reading studies of Potato: its data file, and what people answered.

Answers are taken from `user_state.json` of each person where it is there, since the automatic
export can lag behind it; else from an export (JSON lines, CSV, TSV). `annotation_history.jsonl`
has superseded answers and is left alone. Texts, topic and document of an instance stand in the
data file alone.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from formats import strict
from formats.assemble import Assembly
from formats.completing import completed
from formats.credits import data_files
from formats.files import Files, SourceFile
from formats.peers.tasks import Tasks, chosen_fields, columns_of, guess, part, recognition
from formats.reading import Options, Part, Recognition
from formats.records import Place, Study
from formats.strict import BadTextError, shown
from formats.tables.cells import text_of
from formats.tables.kinds import is_json_table, is_table
from formats.tables.opening import open_tables
from formats.tables.rows import Table
from formats.words import counted

KEY = "potato"
STATE = "user_state.json"
HISTORY = "annotation_history.jsonl"
INSTANCE, USER, LABELS = "instance_id", "user_id", "labels"
# Potato 1 calls them so; a file of one person names the person by its folder alone.
EARLIER_INSTANCE, EARLIER_USER, EARLIER_LABELS = "id", "user", "label_annotations"
EARLIER_SEPARATOR = ":::"
TEXT_BOX = "text_box"
# Inputs that have the name of their control, and the grade as their value: a slider, a number, and
# in Potato 1 the step of a Likert scale.
NAME_OF_CONTROL = re.compile(r"text_box|number|slider|scale_\d+")
SEEN_ROWS = 200
ANSWERS = "Answers"
MAX_STATE_BYTES = 1 << 28


@dataclass(frozen=True)
class Answer:
    """One person's answer to an instance: {schema: {name: value}}."""

    instance: str
    rater: str
    labels: Mapping[str, Mapping[str, str]]
    place: Place


def recognise(files: Files) -> Recognition | None:
    answers = _answer_files(files)
    if not answers:
        return None
    parts: list[Part] = []
    texts = [file for file in data_files(files) if _is_data(file)]
    grades, notes = _schemas(answers)
    for file in texts:
        columns = columns_of(row.cells for row in islice(_table(file).rows(), SEEN_ROWS))
        parts.append(part(file.name, columns, guess(columns, grades, notes)))
    parts += [Part(file.name, "answers", ANSWERS) for file in answers]
    people = counted(len(answers), "person", "people")
    source = people if answers[0].base == STATE else answers[0].base
    return recognition(KEY, f"A study of Potato ({source}).", parts)


def _answer_files(files: Files) -> list[SourceFile]:
    """The files of answers: everybody's state, else the best of the exports."""
    states = [file for file in files if file.base == STATE]
    if states:
        return states
    exports = [file for file in data_files(files) if _is_export(file)]
    # The command's exports are whole; the automatic one, in `exports`, may lag.
    rank = {".jsonl": 0, ".csv": 1, ".tsv": 2}
    exports.sort(key=lambda file: ("/exports/" in f"/{file.name}", rank.get(file.suffix, 3)))
    of_one_person = [file for file in exports if not {USER, EARLIER_USER} & _columns(file)]
    # Of Potato 1 there may be a file for each person.
    return exports if of_one_person == exports else exports[:1]


def _table(file: SourceFile) -> Table:
    return open_tables(file)[0]


def _columns(file: SourceFile) -> set[str]:
    try:
        may_be_table = is_table(file) or is_json_table(file)
        return set(_table(file).columns) if may_be_table else set()
    except BadTextError:
        return set()


def _is_export(file: SourceFile) -> bool:
    columns = _columns(file)
    has_labels = LABELS in columns or any("." in column for column in columns)
    is_export = {INSTANCE, USER} <= columns and has_labels
    return file.base != HISTORY and (is_export or _is_earlier_export(columns))


def _is_earlier_export(columns: set[str]) -> bool:
    """Whether these are columns of Potato 1, of everybody or of one person."""
    if EARLIER_LABELS in columns:
        return bool({INSTANCE, EARLIER_INSTANCE} & columns)
    return INSTANCE in columns and any(EARLIER_SEPARATOR in column for column in columns)


def _is_data(file: SourceFile) -> bool:
    return file.base != HISTORY and "id" in _columns(file) and not _is_export(file)


def _schemas(files: list[SourceFile]) -> tuple[list[str], list[str]]:
    """The schemas that give grades, and those that give texts."""
    grades: dict[str, None] = {}
    notes: dict[str, None] = {}
    for file in files:
        try:
            for answer in _answers(file):
                for schema, values in answer.labels.items():
                    (notes if TEXT_BOX in values else grades)[schema] = None
        except BadTextError:
            continue  # told when it is read
    return list(grades), list(notes)


def _answers(file: SourceFile) -> Iterator[Answer]:
    if file.base == STATE:
        yield from _state_answers(file)
        return
    for row in _table(file).rows():
        cells = row.cells
        labels = cells.get(LABELS, cells.get(EARLIER_LABELS))
        if not isinstance(labels, dict):
            labels = _columns_as_labels(cells)
        yield Answer(
            text_of(cells.get(INSTANCE, cells.get(EARLIER_INSTANCE))),
            text_of(cells.get(USER, cells.get(EARLIER_USER, file.folder))),
            {
                str(schema): {str(name): text_of(value) for name, value in values.items()}
                for schema, values in labels.items()
                if isinstance(values, dict)
            },
            Place(file.name, row.line),
        )


def _columns_as_labels(row: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The labels of a row of CSV, whose columns are called `schema.name`."""
    labels: dict[str, dict[str, str]] = {}
    for column, value in row.items():
        schema, separator, name = column.partition(EARLIER_SEPARATOR)
        if not separator:
            schema, separator, name = column.partition(".")
        if separator and value not in ("", None):
            labels.setdefault(schema, {})[name] = text_of(value)
    return labels


def _state_answers(file: SourceFile) -> Iterator[Answer]:
    if file.size > MAX_STATE_BYTES:
        raise BadTextError(f"a file of {file.size:,} bytes.", "Bring the study's export.")
    state = strict.parse_json(strict.decode(file.start(MAX_STATE_BYTES)))
    strict.check_storable(state)
    answers = state.get("instance_id_to_label_to_value") if isinstance(state, dict) else None
    if not isinstance(answers, dict):
        raise BadTextError(
            "there are no answers in it (instance_id_to_label_to_value).", "Is it Potato 2's?"
        )
    rater = state.get(USER) or file.folder
    for instance, entries in answers.items():
        labels: dict[str, dict[str, str]] = {}
        for entry in entries if isinstance(entries, list) else []:
            is_pair = isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], dict)
            if not is_pair:
                raise BadTextError(
                    f"the answer to {shown(instance)} is none.", "Bring the study's export."
                )
            name = entry[0]
            labels.setdefault(str(name.get("schema")), {})[str(name.get("name"))] = text_of(
                entry[1]
            )
        yield Answer(instance, str(rater), labels, Place(file.name, key=f"instance {instance}"))


def read(files: Files, options: Options) -> Study:
    """The study that data and answers hold; raises BadInputError."""
    assembly = Assembly(Study(KEY, fingerprint=files.fingerprint), options)
    recognition = recognise(files)
    reader = _Reader(assembly)
    for file_part in recognition.parts if recognition else ():
        file = files.named(file_part.file)
        fields = chosen_fields(file_part, options)
        if fields is None:
            continue
        with assembly.problems.of(file.name):
            if file_part.key == "answers":
                for answer in _answers(file):
                    reader.answer(answer)
            else:
                reader.data(file, fields)
    return completed(assembly)


def _literals(values: Mapping[str, str]) -> list[str]:
    """The grades of a schema: the names of what was chosen, or values where the name says
    nothing."""
    return [
        value if NAME_OF_CONTROL.fullmatch(name) else name
        for name, value in values.items()
        if value.strip() and value != "false"
    ]


class _Reader:
    def __init__(self, assembly: Assembly):
        self.assembly = assembly
        self.tasks: Tasks | None = None
        # Of each instance: its document, and the topic of each schema.
        self.instances: dict[str, tuple[str, dict[str, str]]] = {}

    def data(self, file: SourceFile, fields: Mapping[str, str | list[str]]) -> None:
        self.tasks = Tasks(self.assembly, fields, Place(file.name))
        if not self.tasks.is_matched:
            return
        table = _table(file)
        for row in table.rows():
            place = table.place(row.line)
            instance = text_of(row.cells.get("id"))
            if instance in self.instances:
                self.assembly.problem(
                    place, f"the instance {shown(instance)} stands twice.", "Keep one of the two."
                )
                continue
            try:
                self.instances[instance] = self.tasks.topics(row.cells, place)
            except BadTextError as error:
                self.assembly.problem(place, error.message, error.remedy)

    def answer(self, answer: Answer) -> None:
        if self.tasks is None:
            raise BadTextError(
                "the data file of the study is missing.",
                "Bring it too (data_files in config.yaml): it says which query and document an "
                "instance is.",
            )
        if not self.tasks.is_matched:
            return
        if answer.instance not in self.instances:
            self.assembly.problem(
                answer.place,
                f"the instance {shown(answer.instance)} is not in the data file.",
                "Bring the data file with which the study ran.",
            )
            return
        document, topics = self.instances[answer.instance]
        note = "\n".join(
            value for schema in self.tasks.notes for value in answer.labels.get(schema, {}).values()
        )
        for schema, topic in topics.items():
            self.tasks.answer(
                topic,
                document,
                answer.rater,
                _literals(answer.labels.get(schema, {})),
                note=note,
                time="",
                place=answer.place,
            )
