"""Reading a TREC run: `topic Q0 document rank score tag`, one system's ranking per file.

Refused, each with its line: other than six columns, a document twice for a topic, a score that is
no number or not finite, a rank that is not a whole number, a second tag. Documents are ordered by
score, as trec_eval does; the caller decides what to do with the ranks.

Where the first line has three columns, all have: `query document score`, best first, which the run
remarks. Its tag is the name of the file. Where the third column rises it may be a rank, and the
file is refused.
"""

from collections import Counter
from pathlib import PurePosixPath

from formats import strict
from formats.files import SourceFile
from formats.literals import decimal_of
from formats.problems import Problems
from formats.records import Place, Run, RunLine
from formats.strict import BadTextError, shown
from formats.trec.lines import (
    columns_of,
    has_three_columns,
    is_called,
    is_finite_number,
    is_number,
    looks_like,
)

MAX_TAG_LENGTH = 120
COLUMNS = "topic Q0 document rank score tag"
THREE_COLUMNS = (
    "{} has three columns, read as query, document and score; the run is called {} after its file."
)


def looks_like_run(file: SourceFile) -> bool:
    """Whether the first lines have six columns of which the fifth is a number.

    A file called a run is taken for one, too: the problems of its lines then say what is wrong.
    """
    if is_called(file, "run"):
        return True
    lines = looks_like(file, 6)
    return bool(lines) and all(is_number(line[4]) and is_number(line[3]) for line in lines)


def tag_after(file: SourceFile) -> str:
    """The tag of a run whose file has none: the name of the file, without white space."""
    return "-".join(PurePosixPath(file.base).stem.split())


def read_run(file: SourceFile, problems: Problems) -> Run | None:
    """The run of a file; None where it has no readable line. What is wrong is noted."""
    is_short = has_three_columns(file)
    reading, before = (_ShortReading if is_short else _Reading)(file, problems), problems.total
    for line, columns in columns_of(file, problems):
        reading.take(line, columns)
    if not reading.lines:
        if problems.total == before:
            problems.add(file.name, "", "the run is empty.", f"A line is {COLUMNS}.")
        return None
    remark = THREE_COLUMNS.format(file.name, reading.tag) if is_short else ""
    return Run(reading.tag, file.name, file.sha256, reading.lines, remark)


class _Reading:
    def __init__(self, file: SourceFile, problems: Problems):
        self.file, self.problems = file, problems
        self.lines: list[RunLine] = []
        self.tag, self.tag_line = "", 0
        self.first_lines: dict[tuple[str, str], int] = {}
        self.checked: set[str] = set()

    def take(self, line: int, columns: list[str]) -> None:
        if len(columns) != 6:
            self.add(line, "", f"{len(columns)} columns; a run has six.", f"A line is {COLUMNS}.")
            return
        topic, _, document, rank, score, tag = columns
        if not self.tag:
            self.tag, self.tag_line = tag, line
            if len(tag) > MAX_TAG_LENGTH:
                message = f"a tag of {len(tag):,} characters; at most {MAX_TAG_LENGTH} fit."
                self.add(line, "6", message, "Shorten it in every line.")
        elif tag != self.tag:
            self.add(
                line,
                "6",
                f"the tag {shown(tag)}; line {self.tag_line:,} has {shown(self.tag)}.",
                "A file has the run of one system: divide it.",
            )
        for column, identifier in (("1", topic), ("3", document)):
            self.check_identifier(identifier, line, column)
        number = self.number(score, line)
        first = self.first_lines.setdefault((topic, document), line)
        if first != line:
            self.add(
                line,
                "3",
                f"the document {shown(document)} stands for the topic {shown(topic)} in line "
                f"{first:,} already.",
                "Keep one of the two.",
            )
            return
        position = self.whole(rank, line)
        if number is not None and position is not None:
            self.lines.append(RunLine(topic, document, position, number, line))

    def check_identifier(self, identifier: str, line: int, column: str) -> None:
        if identifier in self.checked:
            return
        try:
            strict.check_identifier(identifier)
        except BadTextError as error:
            self.add(line, column, error.message, error.remedy)
        self.checked.add(identifier)

    def number(self, score: str, line: int) -> float | None:
        if not is_number(score):
            comma = " Write decimals with a point." if decimal_of(score) is not None else ""
            self.add(line, "5", f"the score {shown(score)} is no number.", comma.strip())
            return None
        if not is_finite_number(score):
            self.add(
                line,
                "5",
                f"the score {shown(score)} is not a finite number.",
                "A ranking needs one: correct it, or leave the document out.",
            )
            return None
        return float(score)

    def whole(self, rank: str, line: int) -> int | None:
        if len(rank) <= 9 and rank.isascii() and rank.removeprefix("-").isdigit():
            return int(rank)
        self.add(line, "4", f"the rank {shown(rank)} is not a whole number.", "Count from 1.")
        return None

    def add(self, line: int, column: str, message: str, remedy: str) -> None:
        self.problems.at(Place(self.file.name, line, column), message, remedy)


class _ShortReading(_Reading):
    """Lines of three columns; ranks are counted."""

    def __init__(self, file: SourceFile, problems: Problems):
        super().__init__(file, problems)
        self.name = tag_after(file)
        self.ranks: Counter[str] = Counter()
        self.scores: dict[str, float] = {}
        self.is_rising = False

    def take(self, line: int, columns: list[str]) -> None:
        if len(columns) != 3:
            message = f"{len(columns)} columns; the first line has three."
            self.add(line, "", message, f"A line is {COLUMNS}.")
            return
        topic, document, score = columns
        self.ranks[topic] += 1
        super().take(line, [topic, "Q0", document, str(self.ranks[topic]), score, self.name])
        self._check_order(topic, line)

    def _check_order(self, topic: str, line: int) -> None:
        """Note the first line whose number is higher than the one before it."""
        if self.is_rising or not self.lines or self.lines[-1].line != line:
            return
        score = self.lines[-1].score
        self.is_rising = score > self.scores.setdefault(topic, score)
        self.scores[topic] = score
        if self.is_rising:
            self.add(
                line,
                "3",
                f"the third column rises within the query {shown(topic)}, so that it may be a rank "
                "or a score.",
                f"Write six columns: {COLUMNS}.",
            )
