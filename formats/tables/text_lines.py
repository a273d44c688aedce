"""The lines of a text file, each with its number."""

import itertools
from collections.abc import Iterator

from formats import strict
from formats.files import SourceFile
from formats.strict import BadTextError
from formats.tables.kinds import FIRST_BYTES

# A cell with a whole paper has some hundred kilobytes.
MAX_LINE_BYTES = 16 << 20


def text_lines(file: SourceFile) -> Iterator[tuple[int, str]]:
    """Yield (number, text with its end) of each line of a UTF-8 file, without a byte order mark."""
    with file.open() as data:
        start = data.read(FIRST_BYTES)
        strict.check_signature(start.removeprefix(strict.BOM), markup=True)
        strict.check_line_ends(start)
        data.seek(0)
        for number in itertools.count(1):
            line = data.readline(MAX_LINE_BYTES + 1)
            if not line:
                return
            if len(line) > MAX_LINE_BYTES:
                raise BadTextError(
                    f"a line of more than {MAX_LINE_BYTES:,} bytes.",
                    "Divide it, or leave the long cell out.",
                    f"line {number:,}",
                )
            text = strict.decode(line, first_line=number)
            if "\x00" in text:
                raise BadTextError(
                    "a NUL character (U+0000); the database cannot store it.",
                    "Remove it.",
                    f"line {number:,}, column {text.index(chr(0)) + 1}",
                )
            yield number, text
