"""The lines of a text file, each with its number."""

import itertools
from collections.abc import Iterator

from formats import strict
from formats.files import SourceFile
from formats.strict import BadTextError

# By these it is told whether a file is a text.
FIRST_BYTES = 4096
# A cell with a whole paper has some hundred kilobytes.
MAX_LINE_BYTES = 16 << 20


def text_lines(
    file: SourceFile, *, most_bytes: int = 0, remedy: str = "Divide it, or leave the long cell out."
) -> Iterator[tuple[int, str]]:
    """Yield (number, text with its end) of each line of a UTF-8 file, without a byte order mark.

    Raises BadTextError for what is no such text, with its place. A line has at most `most_bytes`,
    MAX_LINE_BYTES if that is 0; `remedy` says how a longer one is mended.
    """
    most = most_bytes or MAX_LINE_BYTES
    with file.open() as stream:
        start = stream.read(FIRST_BYTES)
        strict.check_signature(start.removeprefix(strict.BOM), markup=True)
        strict.check_line_ends(start)
        stream.seek(0)
        for number in itertools.count(1):
            line = stream.readline(most + 1)
            if not line:
                return
            if len(line) > most:
                raise BadTextError(
                    f"a line of more than {most:,} bytes.", remedy, f"line {number:,}"
                )
            text = strict.decode(line, first_line=number)
            if "\x00" in text:
                raise BadTextError(
                    "a NUL character (U+0000); the database cannot store it.",
                    "Remove it.",
                    f"line {number:,}, character {text.index(chr(0)) + 1}",
                )
            yield number, text
