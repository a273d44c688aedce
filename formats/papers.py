"""The papers of a published release, as its files have them."""

import io
import json
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from formats.records import Document, Place, Sentence


@dataclass(frozen=True)
class Paper:
    """`sentences` are {"text", "label"}; `place` is where it stands in its file.

    `record` is what else the file says of it, for writing it again: [[key, JSON text or None], ...]
    in the file's order, None for keys that the other fields hold. It is JSON text because
    PostgreSQL keeps neither the order of keys nor the spelling of numbers.
    """

    paper_id: str
    title: str
    sentences: list[dict[str, Any]]
    metadata: dict[str, Any]
    record: list[list[Any]]
    place: str = ""

    def as_document(self, file: str) -> Document:
        """The paper as studies have it."""
        return Document(
            self.paper_id,
            self.title,
            tuple(Sentence(**sentence) for sentence in self.sentences),
            None,
            self.metadata,
            Place(file, key=self.place),
            {"record": self.record},
        )


@dataclass(kw_only=True)
class Papers:
    """Papers in a temporary file, so that memory does not grow with their text."""

    spool: BinaryIO = field(default_factory=tempfile.TemporaryFile)
    # paper -> where it starts in the spool, in the order of the release
    offsets: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # A release has no end that every reader of it could mark.
        weakref.finalize(self, self.spool.close)

    def keep(self, paper: Paper) -> None:
        self.offsets[paper.paper_id] = self.spool.seek(0, io.SEEK_END)
        self.spool.write(json.dumps(vars(paper)).encode() + b"\n")

    def paper(self, paper_id: str) -> Paper:
        self.spool.seek(self.offsets[paper_id])
        return Paper(**json.loads(self.spool.readline()))

    def papers(self) -> Iterator[Paper]:
        """Yield those that were kept, in the order of the release."""
        for paper_id in self.offsets:
            yield self.paper(paper_id)
