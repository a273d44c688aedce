"""Recognising and reading files by the registry, as an import does."""

from formats.files import Files
from formats.reading import Reader, Recognition
from formats.registry import ROWS


def recognise(files: Files) -> list[Recognition]:
    """The guesses of all readers of files, the most certain first."""
    guesses = [row.reader.recognise(files) for row in ROWS if not row.needs_command]
    return sorted(filter(None, guesses), key=lambda guess: -guess.certainty)


def reader_of(recognition: Recognition) -> Reader:
    return next(row.reader for row in ROWS if row.key == recognition.format)
