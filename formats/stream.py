"""A JSON object that may be larger than memory, read member by member, list by list.

The values are decoded by the standard library's scanner, which is written in C, one at a time on a
buffer that slides over the file. ijson, the usual library for this, lets a key stand twice in an
object and does not say where in the file a value stands; both are needed here.
"""

import codecs
import hashlib
import re
from collections.abc import Callable, Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Any, BinaryIO

from formats import strict
from formats.strict import BadTextError

CHUNK_BYTES = 1 << 20
# No value that is read whole is longer: elements of the large lists have some kilobytes.
MAX_VALUE_CHARACTERS = 1 << 26
FIRST_BYTES = 64
# A number may go on after the end of the buffer: the "1" of "1e+5" is a number, too.
LOOKAHEAD = 3
# The scanner reports a value that is cut off at its first character: -Infinity, or two escaped
# halves.
LONGEST_WORD = 12
# Of the levels that may be nested, the object around everything is one, a list around it another.
OWN_LEVELS = strict.MAX_DEPTH - 2
TOO_LONG = "a number of more digits than any identifier, year or grade has."
FETCH_AGAIN = "Fetch the file again, or correct it at this place."
_SPACE = re.compile(r"[ \t\n\r]*")


def elements_of(file: BinaryIO, decoder: JSONDecoder = strict.QUICK_DECODER) -> Iterator[Any]:
    """Yield the elements of a file that is one list, with a byte order mark or without."""
    start = len(strict.BOM) if file.read(len(strict.BOM)) == strict.BOM else 0
    file.seek(start)
    stream = JsonStream(file, decoder=decoder, first_byte=start)
    yield from stream.elements()
    stream.check_end()


class JsonStream:
    """The members of the JSON object that a binary file holds, under the rules of `strict`.

    Ask `keys()` for the keys in turn; after each call `value()` or go through `elements()`.
    `start` and `end` are the bytes between which the value stands that was read last. Raises
    BadTextError with the byte as its place; after that nothing more can be read. `first_byte` is
    the one at which the file stands. `progress(bytes read)` is told at each chunk; `digest` is the
    SHA-256 of what was read.
    """

    def __init__(
        self,
        file: BinaryIO,
        *,
        chunk_bytes: int = CHUNK_BYTES,
        progress: Callable[[int], None] | None = None,
        decoder: JSONDecoder = strict.QUICK_DECODER,
        first_byte: int = 0,
    ) -> None:
        self.start = self.end = 0
        self._json = decoder
        self.digest = hashlib.sha256()
        self._file, self._chunk_bytes = file, chunk_bytes
        self._progress = progress or (lambda done: None)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text, self._at = "", 0  # the buffer, and how much of it is done
        self._byte = first_byte  # where in the file that is
        self._read_bytes = first_byte
        self._is_over = False
        self._undecodable: BadTextError | None = (
            None  # the error, where the text ends before the file does
        )
        first = self._file.read(FIRST_BYTES)
        strict.check_signature(first)
        self._text = self._decode(first)

    def keys(self) -> Iterator[str]:
        """Yield the keys of the object; each value must be read before the next key."""
        self._expect("{", "an object")
        seen = set()
        if self._peek() == "}":
            self._step()
            self.check_end()
            return
        while True:
            if self._peek() != '"':
                raise self._broken("Expecting a key in double quotes.")
            key = self.value()
            if key in seen:
                raise BadTextError(
                    f"the key {strict.shown(key)} occurs twice in one object.",
                    "Keep one of the two.",
                    f"byte {self.start:,}",
                )
            seen.add(key)
            self._expect(":", "a colon")
            yield key
            if not self._goes_on("}"):
                break
        self.check_end()

    def value(self) -> Any:
        """The next value, whole."""
        self._peek()
        self.start = self._byte
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
                if self._is_over or end + LOOKAHEAD <= len(self._text):
                    break
            except JSONDecodeError as error:
                if self._is_over or not self._may_be_cut(error):
                    if self._undecodable and self._may_be_cut(error):
                        raise self._undecodable from None
                    self._move(error.pos)
                    raise self._broken(f"{error.msg.removesuffix(' starting at')}.") from None
            except RecursionError:
                raise self._at_byte(self.start, "the JSON is nested too deeply.") from None
            except BadTextError as error:
                raise self._at_byte(self.start, error.message, error.remedy) from None
            except ValueError:
                raise self._at_byte(self.start, TOO_LONG) from None
            self._fill_more()
        self._check_depth(value, end)
        self._move(end)
        self.end = self._byte
        return value

    def elements(self) -> Iterator[Any]:
        """Yield the elements of the next value, which must be a list, one at a time."""
        self._expect("[", "a list")
        if self._peek() == "]":
            self._step()
            return
        while True:
            yield self.value()
            if not self._goes_on("]"):
                return

    def next_kind(self) -> str:
        """The first character of the next value: "[" for a list, "{" for an object."""
        return self._peek()

    def check_end(self) -> None:
        """Refuse what follows the outermost value."""
        if self._peek() or self._undecodable:
            raise self._broken("Something follows the end.")

    # The buffer

    def _fill(self, characters: int = 1) -> bool:
        """Read at least so many more characters; False at the end of the file."""
        before = len(self._text) - self._at
        parts = [self._text[self._at :]]
        length = before
        while not self._is_over and length < before + characters:
            parts.append(self._decode(self._file.read(self._chunk_bytes)))
            length += len(parts[-1])
        self._text, self._at = "".join(parts), 0
        return length > before

    def _fill_more(self) -> None:
        """Twice as much of a value that does not fit into the buffer."""
        length = len(self._text) - self._at
        if length >= MAX_VALUE_CHARACTERS:
            raise self._at_byte(
                self.start,
                f"a value of more than {MAX_VALUE_CHARACTERS:,} characters.",
                "Remove it, or divide it.",
            )
        self._fill(length)

    def _may_be_cut(self, error: JSONDecodeError) -> bool:
        """Whether an error may only say that the buffer ends inside the value."""
        is_near_end = error.pos + LONGEST_WORD > len(self._text)
        return is_near_end or error.msg.startswith("Unterminated string")

    def _decode(self, chunk: bytes) -> str:
        self._is_over = not chunk
        pending = len(self._decoder.getstate()[0])
        try:
            text = self._decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            # Raised when the reading comes to it: only then is its value known.
            text = error.object[: error.start].decode()
            byte = error.object[error.start]
            self._undecodable = self._at_byte(
                self._read_bytes - pending + error.start,
                f"byte 0x{byte:02x} is not UTF-8.",
                "Save the file as UTF-8.",
            )
            self._is_over = True
        self._read_bytes += len(chunk)
        self.digest.update(chunk)
        self._progress(self._read_bytes)
        return text

    def _move(self, to: int) -> None:
        self._byte += self._width(self._at, to)
        self._at = to

    def _step(self) -> None:
        self._move(self._at + 1)

    def _width(self, start: int, end: int) -> int:
        """The number of bytes that a part of the buffer takes in the file."""
        if self._text.isascii():
            return end - start
        return len(self._text[start:end].encode())

    # Between values

    def _peek(self) -> str:
        """The next character that is no white space; "" at the end of the file."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._move(space.end() if space else self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill():
                return ""

    def _expect(self, character: str, expected: str) -> None:
        if self._peek() != character:
            raise self._broken(f"Expecting {expected}.")
        self._step()

    def _goes_on(self, closing: str) -> bool:
        """Whether a comma follows, not the closing bracket; steps over either."""
        if self._text.startswith(",", self._at):  # as in most files
            self._byte += 1
            self._at += 1
            return True
        character = self._peek()
        if character not in (",", closing) or not character:
            raise self._broken("Expecting a comma.")
        self._step()
        return character == ","

    def _check_depth(self, value: Any, end: int) -> None:
        # Most values have fewer brackets than may be nested, which is quicker to see.
        brackets = self._text.count("[", self._at, end) + self._text.count("{", self._at, end)
        if brackets > OWN_LEVELS:
            try:
                strict.check_depth(value, OWN_LEVELS)
            except BadTextError as error:
                raise self._at_byte(self.start, error.message, error.remedy) from None

    # What is wrong

    def _broken(self, message: str) -> BadTextError:
        if self._at >= len(self._text) and self._is_over:
            if self._undecodable:
                return self._undecodable
            message = "the file ends too early."
        return self._at_byte(self._byte, f"broken JSON: {message}", FETCH_AGAIN)

    @staticmethod
    def _at_byte(byte: int, message: str, remedy: str = "") -> BadTextError:
        return BadTextError(message, remedy, f"byte {byte:,}")
