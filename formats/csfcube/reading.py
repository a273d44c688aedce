"""A release while it is read: its files, the records so far, and the problems."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from formats import strict
from formats.csfcube.records import Release
from formats.csfcube.sources import Sources
from formats.problems import Problems
from formats.records import Place
from formats.strict import BadTextError

# One paper; the longest abstract of the release has a few thousand characters.
MAX_LINE_BYTES = 16 * 2**20
FIRST_BYTES = 64
Progress = Callable[[int, int], None]
Scales = Mapping[str, Iterable[int]]

FETCH_AGAIN = "Fetch the official release again, or correct the file."


class Reading:
    """The state that the readers of the files share."""

    def __init__(self, sources: Sources, *, scales: Scales, progress: Progress | None) -> None:
        self.sources = sources
        self.scales = scales
        self.progress = progress or (lambda done, total: None)
        self.problems = Problems()
        self.release = Release()
        self.digests: list[str] = []
        self.raw: dict[str, str] = {}
        self.has_changed_lines = False

    def refuse(self, at: Place, message: str, remedy: str = "") -> None:
        self.problems.at(at, message, remedy)

    def refuse_text(self, at: Place, error: BadTextError) -> None:
        """What is wrong with a text stands at its own place, if it knows one."""
        self.refuse(at._replace(key=error.place or at.key), error.message, error.remedy)

    def bytes_of(self, name: str, path: Path | None) -> bytes:
        content = given_file(path).read_bytes()
        self.digests.append(f"{name} {hashlib.sha256(content).hexdigest()}")
        return content

    def text_of(self, name: str, path: Path | None) -> str | None:
        """The text of a file; None, and a problem, when it is no text."""
        try:
            content = self.bytes_of(name, path)
            strict.check_signature(content[:FIRST_BYTES])
            return strict.decode(content)
        except BadTextError as error:
            self.refuse_text(Place(name), error)
            return None

    def json_object(self, name: str, path: Path | None) -> dict[str, Any]:
        """The object that a file holds; an empty one, and a problem, when it cannot be read."""
        text = self.text_of(name, path)
        if text is None:
            return {}
        try:
            value = strict.parse_json(text)
            strict.check_storable(value)
        except BadTextError as error:
            self.refuse_text(Place(name), error)
            return {}
        if not isinstance(value, dict):
            self.refuse(Place(name), f"the file holds {strict.kind_of(value)}; expected an object.")
            return {}
        self.raw[name] = text
        return value

    def check_identifier(self, value: Any, at: Place) -> bool:
        try:
            strict.check_identifier(value)
        except BadTextError as error:
            self.refuse(at, error.message, error.remedy)
            return False
        return True


def given_file(path: Path | None) -> Path:
    """A file of the sources, which `read_release` has found there."""
    if path is None:
        raise ValueError("The files that a release needs were not checked.")
    return path
