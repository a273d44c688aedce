"""Reading qrels: `topic iteration document grade`, grades kept exactly as they are written."""

from math import isfinite

from formats import strict
from formats.files import SourceFile
from formats.problems import Problems
from formats.records import Judgment, JudgmentSet, Level, Place
from formats.strict import BadTextError, shown
from formats.trec.lines import columns_of, is_called, looks_like
from formats.trec.runs import is_number

COLUMNS = "topic iteration document grade"


def looks_like_qrels(file: SourceFile) -> bool:
    """Whether the first lines have four columns of which the last is a number, or its name says
    so."""
    if is_called(file, "qrels"):
        return True
    lines = looks_like(file, 4)
    return bool(lines) and all(is_number(line[3]) for line in lines)


def read_qrels(
    file: SourceFile, problems: Problems, *, name: str, level: Level, note: str = ""
) -> JudgmentSet:
    """The judgments of a file; a document judged twice for a topic is noted."""
    judgments: list[Judgment] = []
    first_lines: dict[tuple[str, str], int] = {}
    for line, columns in columns_of(file, problems):
        place = Place(file.name, line)
        if len(columns) != 4:
            problems.at(place, f"{len(columns)} columns; qrels have four.", f"A line is {COLUMNS}.")
            continue
        topic, _, document, grade = columns
        try:
            strict.check_identifier(topic)
            strict.check_identifier(document)
        except BadTextError as error:
            problems.at(place, error.message, error.remedy)
            continue
        if not _is_grade(grade):
            problems.at(
                place.at("4"), f"the grade {shown(grade)} is no number.", "Correct the line."
            )
            continue
        first = first_lines.setdefault((topic, document), line)
        if first != line:
            problems.at(
                place,
                f"the document {shown(document)} is judged for {shown(topic)} in line {first:,} "
                "already.",
                "Keep one of the two.",
            )
            continue
        judgments.append(Judgment(topic, document, grade, "", place))
    if not judgments and not problems.total:
        problems.add(file.name, "", "there is no judgment in the file.", f"A line is {COLUMNS}.")
    return JudgmentSet(name, level, file.name, file.sha256, note, judgments)


def _is_grade(text: str) -> bool:
    """Whether other programs take it for a number, too: not `1_0`, other scripts' digits, 1e400."""
    return is_number(text) and text.isascii() and "_" not in text and isfinite(float(text))
