"""Lines of a few columns that white space divides, as runs and qrels have them."""

import re
from collections.abc import Iterator
from math import isfinite

from formats import strict
from formats.files import SourceFile
from formats.problems import Problems
from formats.text_lines import FIRST_BYTES, text_lines

# No line of a run is longer: two identifiers, two numbers and a tag.
MAX_LINE_BYTES = 4096
TEXT_SUFFIXES = {"", ".txt", ".trec"}
# What stands between topic and document: `Q0`, or the iteration of qrels.
FILLERS = {"0", "Q0", "q0"}
# Broken lines beyond these say nothing new.
GIVE_UP_AFTER = 10_000


def columns_of(file: SourceFile, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, columns) of each line that is not empty; what cannot be read is noted."""
    remedy = "A line is a few columns: is this the right file?"
    with problems.of(file.name):
        for number, text in text_lines(file, most_bytes=MAX_LINE_BYTES, remedy=remedy):
            if columns := text.split():
                yield number, columns
            if problems.total >= GIVE_UP_AFTER:
                return


def is_called(file: SourceFile, word: str) -> bool:
    """Whether a text's name says what it is: `bm25.run`, `run.bm25.txt`, `qrels`; and `qrels.tsv`,
    which may be a table as well, where its first line names no columns."""
    words = re.split(r"[._-]", file.base.lower())
    if words[-1] == word:
        return True
    is_text = file.suffix in TEXT_SUFFIXES
    return words[0] == word and (is_text or (file.suffix == ".tsv" and has_three_columns(file)))


def first_lines(file: SourceFile) -> list[str]:
    """The lines among the first bytes that are whole and not empty."""
    start = file.start(FIRST_BYTES)
    if file.size > len(start):
        start = start[: start.rfind(b"\n") + 1]
    text = start.removeprefix(strict.BOM).decode("utf-8", "replace")
    return [line for line in re.split(r"[\r\n]+", text) if line.strip()]


def looks_like(file: SourceFile, columns: int) -> list[list[str]]:
    """The first lines of a file in columns, if all have so many; an empty list otherwise."""
    lines = [line.split() for line in first_lines(file)]
    return lines if all(len(line) == columns for line in lines) else []


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def is_finite_number(text: str) -> bool:
    """Whether other programs take it for a number, too: not `1_0`, other scripts' digits, 1e400."""
    return is_number(text) and text.isascii() and "_" not in text and isfinite(float(text))


def has_three_columns(file: SourceFile) -> bool:
    """Whether the first line is a query, a document and a number (or NTCIR's L2), as some programs
    write runs and qrels. Where the document looks like a filler, last columns may be lacking."""
    for _, columns in columns_of(file, Problems()):
        return (
            len(columns) == 3
            and columns[1] not in FILLERS
            and is_number(columns[2].removeprefix("L"))
        )
    return False
