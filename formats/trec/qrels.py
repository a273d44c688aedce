"""Reading qrels: `topic iteration document grade`, grades kept exactly as they are written.

Where the first line has three columns, all have: `query document grade`, which the set remarks.
"""

from formats import strict
from formats.files import SourceFile
from formats.problems import Problems
from formats.records import Judgment, JudgmentSet, Level, Place
from formats.strict import BadTextError, shown
from formats.trec.lines import (
    columns_of,
    has_three_columns,
    is_called,
    is_finite_number,
    is_number,
    looks_like,
)

COLUMNS = "topic iteration document grade"
THREE_COLUMNS = "{} has three columns, read as query, document and grade."


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
    is_short = has_three_columns(file)
    for line, columns in columns_of(file, problems):
        place = Place(file.name, line)
        if len(columns) != (3 if is_short else 4):
            expected = "the first line has three" if is_short else "qrels have four"
            problems.at(place, f"{len(columns)} columns; {expected}.", f"A line is {COLUMNS}.")
            continue
        topic, document, grade = columns[0], columns[-2], columns[-1]
        try:
            strict.check_identifier(topic)
            strict.check_identifier(document)
        except BadTextError as error:
            problems.at(place, error.message, error.remedy)
            continue
        if not is_finite_number(grade):
            message = f"the grade {shown(grade)} is no number."
            problems.at(place.at(str(len(columns))), message, _remedy_for(grade))
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
    remark = THREE_COLUMNS.format(file.name) if is_short else ""
    return JudgmentSet(name, level, file.name, file.sha256, note, judgments, remark)


def _remedy_for(grade: str) -> str:
    if grade.startswith("L") and is_finite_number(grade[1:]):
        return f"NTCIR's {grade} is {grade[1:]}: take off the letter, in every line."
    return "Correct the line."
