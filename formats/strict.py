"""Reading strangers' input: JSON without its loopholes, text that the database can keep."""

import json
import math
import unicodedata
from typing import Any

MAX_ID_LENGTH = 200
# No identifier, year or grade is longer; Python itself refuses 4,300 digits, PostgreSQL more.
MAX_DIGITS = 300
MAX_DEPTH = 64

# First bytes of files that people often rename, with their real kind. Pickles are never opened:
# reading one runs any code in it.
SIGNATURES = [
    (b"\x80", "a Python pickle or another binary file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a zip archive (or an Office file)"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"PAR1", "a Parquet file"),
    (b"%PDF", "a PDF file"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
    (b"\x89PNG", "an image"),
]
BOM = b"\xef\xbb\xbf"


class BadTextError(ValueError):
    """Why this text cannot be read; `place` is the line and column where that is known."""

    def __init__(self, message: str, remedy: str = "", place: str = "") -> None:
        super().__init__(message)
        self.message, self.remedy, self.place = message, remedy, place

    @property
    def sentence(self) -> str:
        """All of it in one line."""
        place = f"{self.place}: " if self.place else ""
        return f"{place}{self.message} {self.remedy}".rstrip()


def check_signature(start: bytes, *, markup: bool = False) -> None:
    """Refuse a file that is no text by its content, whatever its name.

    `start` is its first bytes; `markup` says that it may begin with a tag.
    """
    for signature, kind in SIGNATURES:
        if start.startswith(signature):
            is_text = kind.startswith("text")
            raise BadTextError(
                f"this is {kind}, not {'UTF-8' if is_text else 'text'}.",
                "Save it as UTF-8."
                if is_text
                else "Convert it to the plain file that the name promises.",
            )
    if _is_two_bytes_wide(start):
        raise BadTextError("this is text in UTF-16, not UTF-8.", "Save it as UTF-8.")
    if start.startswith(BOM):
        raise BadTextError(
            "the file starts with a byte order mark.", "Save it as UTF-8 without one."
        )
    if start.lstrip()[:1] == b"<" and not markup:
        raise BadTextError(
            "this looks like HTML or XML.", "Was a web page saved instead of the file?"
        )


def _is_two_bytes_wide(start: bytes) -> bool:
    """Whether the first letters are Latin ones in UTF-16 without a byte order mark."""
    first = start[:8]
    return len(first) == 8 and any(
        not any(first[at::2]) and all(first[1 - at :: 2]) for at in (0, 1)
    )


def check_line_ends(start: bytes) -> None:
    """Refuse lines that end as on the oldest Macs; `start` is the beginning of a text."""
    if b"\r" in start.rstrip(b"\r") and b"\n" not in start:
        raise BadTextError(
            "its lines end with a carriage return alone (CR).",
            "Save it with line ends as Unix or Windows have them (LF or CRLF).",
            "line 1",
        )


def decode(content: bytes, *, first_line: int = 1) -> str:
    """The text of UTF-8 bytes, without the byte order mark that a file may begin with."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + content.count(b"\n", 0, error.start)
        column = error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        raise BadTextError(
            f"byte 0x{content[error.start]:02x} is not UTF-8.",
            "Save the file as UTF-8.",
            f"line {line}, byte {column}",
        ) from None
    return text.removeprefix("\ufeff") if first_line == 1 else text


def parse_json(text: str, *, first_line: int = 1, decoder: json.JSONDecoder | None = None) -> Any:
    """The value of a JSON text. It refuses what most parsers accept in silence.

    Refused are a key twice in one object (one value would be lost), NaN and infinities, numbers
    beyond MAX_DIGITS digits, and nesting deeper than MAX_DEPTH.
    """
    try:
        value = (decoder or DECODER).decode(text)
    except json.JSONDecodeError as error:
        raise BadTextError(
            f"broken JSON: {error.msg.removesuffix(' at')}.",
            "Fix it at this place, or fetch it again.",
            f"line {first_line + error.lineno - 1}, column {error.colno}",
        ) from None
    except RecursionError:
        raise BadTextError("the JSON is nested too deeply.") from None
    check_depth(value)
    return value


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen = set()
        for key, _ in pairs:
            if key in seen:
                raise BadTextError(
                    f"the key {shown(key)} occurs twice in one object.", "Keep one of the two."
                )
            seen.add(key)
    return value


def bounded_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise BadTextError(f"a number of {len(digits):,} digits; at most {MAX_DIGITS} are read.")
    return int(digits)


def finite_float(digits: str) -> float:
    value = float(digits)
    if len(digits) > MAX_DIGITS or not math.isfinite(value):
        raise BadTextError(f"the number {shown(digits)} is too large.")
    return value


def no_constant(name: str) -> Any:
    raise BadTextError(f"{name} is not a number in JSON.", "Write null, or leave the key out.")


# For readers that decode a text piece by piece; depth is checked apart.
DECODER = json.JSONDecoder(
    object_pairs_hook=unique_keys,
    parse_int=bounded_int,
    parse_float=finite_float,
    parse_constant=no_constant,
)


# The same, quicker, where what is kept is looked at by `check_storable` anyway: Python itself reads
# whole numbers of up to 4,300 digits and raises ValueError beyond.
QUICK_DECODER = json.JSONDecoder(
    object_pairs_hook=unique_keys, parse_float=finite_float, parse_constant=no_constant
)


def check_depth(value: Any, limit: int = MAX_DEPTH) -> None:
    # Without recursion, since this guards against what exhausts it.
    level = [value]
    for _ in range(limit):
        level = [
            child
            for item in level
            if isinstance(item, (dict, list))
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return
    raise BadTextError(f"the JSON is nested deeper than {limit} levels.")


# Of numbers with more than MAX_DIGITS digits; a few of one more have no more bits.
MAX_BITS = 1000


def check_storable(value: Any) -> None:
    """Refuse, anywhere inside `value`, what the database cannot keep as it is."""
    if isinstance(value, str):
        # Most texts are plain, which is quicker to see than to look for what is not.
        if not value.isascii() or "\x00" in value:
            _check_text(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            check_storable(key)
            if item is not None:
                check_storable(item)
    elif isinstance(value, list):
        for item in value:
            # Lists of numbers are long: no call for each.
            if type(item) is not int or item.bit_length() > MAX_BITS:
                check_storable(item)
    elif isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise BadTextError(
            f"a number of {len(str(abs(value))):,} digits; at most {MAX_DIGITS} are read."
        )


def _check_text(value: str) -> None:
    if "\x00" in value:
        raise BadTextError(
            f"a NUL character (U+0000) at position {value.index(chr(0)) + 1} "
            f"of {shown(value)}; the database cannot store it.",
            "Remove it.",
        )
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadTextError(
            f"half a character (lone surrogate U+{ord(value[error.start]):04X}) at position "
            f"{error.start + 1} of {shown(value)}.",
            "The text was cut in the middle of a character; fetch it again.",
        ) from None


def check_identifier(value: Any) -> None:
    """Refuse what would break a line of qrels, hide in it, or not fit."""
    if not isinstance(value, str):
        raise BadTextError(
            f"the identifier {shown(value)} is {kind_of(value)}; expected text.",
            "Put it in quotation marks.",
        )
    if not value:
        raise BadTextError("an empty identifier.")
    if len(value) > MAX_ID_LENGTH:
        raise BadTextError(
            f"an identifier of {len(value):,} characters; at most {MAX_ID_LENGTH} fit.",
            "Shorten it wherever it stands.",
        )
    for position, character in enumerate(value, start=1):
        if is_invisible(character):
            kind = "white space" if character.isspace() else "an invisible or control character"
            raise BadTextError(
                f"the identifier {shown(value)} has {kind} (U+{ord(character):04X}) "
                f"at position {position}.",
                "Write it without, wherever it stands: in qrels white space divides the columns.",
            )


def is_invisible(character: str) -> bool:
    """Whether it is a control, format, surrogate or separator character."""
    categories = {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}
    return character.isspace() or unicodedata.category(character) in categories


def as_seen(text: str) -> str:
    """What is seen of a text, however its letters are composed."""
    seen = "".join(character for character in text if not is_invisible(character))
    return unicodedata.normalize("NFC", seen)


def kind_of(value: Any) -> str:
    """The kind of a JSON value in words."""
    kinds: dict[type, str] = {
        type(None): "null",
        bool: "true or false",
        int: "a number",
        float: "a decimal number",
        str: "text",
        list: "a list",
        dict: "an object",
    }
    return kinds.get(type(value), "something else")


def shown(value: Any, limit: int = 60) -> str:
    """A value as it can stand in a sentence: quoted, short, what cannot be seen escaped."""
    if not isinstance(value, str):
        text = json.dumps(value, ensure_ascii=True)
    else:
        # Letters that are composed otherwise look alike and are not.
        text = repr(value) if unicodedata.is_normalized("NFC", value) else ascii(value)
    return cut(text, limit)


def cut(text: str, limit: int) -> str:
    """A text of at most so many characters; "…" stands for the rest of a longer one."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
