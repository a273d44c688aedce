"""Documents in BEIR's shape: one JSON object a line, with `_id`, `title` and `text`."""

from dataclasses import dataclass, field
from typing import Any

from formats.problems import Problems
from formats.strict import (
    BadTextError,
    check_identifier,
    check_signature,
    check_storable,
    decode,
    kind_of,
    parse_json,
    shown,
)

KEYS = {"_id", "title", "text", "metadata"}


@dataclass(frozen=True)
class CorpusDocument:
    """`extra` holds the keys that we do not interpret."""

    line: int
    external_id: str
    title: str
    text: str
    metadata: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)


def read_corpus(content: bytes, *, file: str) -> list[CorpusDocument]:
    """The documents of a corpus file's bytes, in order; BadInputError where any line is wrong."""
    problems = Problems()
    with problems.of(file):
        check_signature(content[:512])
    problems.raise_any()
    documents: list[CorpusDocument] = []
    first_line: dict[str, int] = {}
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            document = _read_line(line, number)
        except BadTextError as error:
            problems.add(file, error.place or f"line {number}", error.message, error.remedy)
            continue
        if document.external_id in first_line:
            problems.add(
                file,
                f"line {number}",
                f"the document {shown(document.external_id)} stands in line "
                f"{first_line[document.external_id]} already.",
                "Keep one of the two.",
            )
            continue
        first_line[document.external_id] = number
        documents.append(document)
    if not documents and not problems.total:
        problems.add(file, "", "the file has no document.", "Write one JSON object a line.")
    problems.raise_any()
    return documents


def _read_line(line: bytes, number: int) -> CorpusDocument:
    value = parse_json(decode(line, first_line=number), first_line=number)
    if not isinstance(value, dict):
        raise BadTextError(
            f"this is {kind_of(value)}; expected an object.",
            'Write {"_id": ..., "title": ..., "text": ...}.',
        )
    check_storable(value)
    for key in ["_id", "title", "text"]:
        if key not in value:
            raise BadTextError(f"the key {shown(key)} is missing.", "Every document has one.")
    check_identifier(value["_id"])
    for key in ["title", "text"]:
        if not isinstance(value[key], str):
            raise BadTextError(f"{shown(key)} is {kind_of(value[key])}; expected text.")
        if not value[key].strip():
            raise BadTextError(
                f"the document {shown(value['_id'])} has no {key}.",
                "A paper to be judged needs a title and its abstract.",
            )
    metadata = value.get("metadata", {})
    if not isinstance(metadata, dict):
        raise BadTextError(f"{shown('metadata')} is {kind_of(metadata)}; expected an object.")
    return CorpusDocument(
        line=number,
        external_id=value["_id"],
        title=value["title"],
        text=value["text"],
        metadata=metadata,
        extra={key: item for key, item in value.items() if key not in KEYS},
    )
