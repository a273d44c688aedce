"""Texts that lie beside data: licence, citation and source."""

import re
from dataclasses import dataclass
from typing import Literal

from formats.files import Files, SourceFile

Kind = Literal["licence", "citation", "attribution", "readme"]

# By the beginning of the name; the endings are those of text alone.
KINDS: list[tuple[str, Kind]] = [
    (r"(LICEN[CS]E|COPYING)", "licence"),
    (r"CITATION", "citation"),
    (r"(ATTRIBUTION|NOTICE|AUTHORS)", "attribution"),
    (r"READ[-_]?ME", "readme"),
]
TEXT_NAME = r"([-_.][\w.-]*)?\Z"
# Of a text that is shown to be confirmed; a licence in full has some 20 kilobytes.
MAX_BYTES = 1 << 18
DATA_SUFFIXES = {".csv", ".tsv", ".jsonl", ".json", ".xlsx", ".parquet", ".xml"}


@dataclass(frozen=True)
class TextBeside:
    """A text that lies beside the data and may fill an empty field of the collection."""

    kind: Kind
    file: str
    text: str


def kind_of(file: SourceFile) -> Kind | None:
    """The kind of such a text by the file's name; None for data."""
    if file.suffix in DATA_SUFFIXES:
        return None
    for beginning, kind in KINDS:
        if re.match(beginning + TEXT_NAME, file.base, re.IGNORECASE):
            return kind
    return None


def texts_beside(files: Files) -> list[TextBeside]:
    """The texts in the order of their names; what is no UTF-8 or too long is left alone."""
    texts = []
    for file in files:
        kind = kind_of(file)
        if kind and file.size <= MAX_BYTES:
            try:
                text = file.start(MAX_BYTES).decode("utf-8-sig")
            except UnicodeDecodeError:
                continue
            texts.append(TextBeside(kind, file.name, text.strip()))
    return texts


def data_files(files: Files) -> list[SourceFile]:
    """The files that are none of these."""
    return [file for file in files if kind_of(file) is None]
