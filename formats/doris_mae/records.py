"""Plain records of a DORIS-MAE file. Identifiers are text here, the numbers of abstracts too.

A `record` is an entry's keys in their order, [[key, JSON text or None], ...]: None for what the
other fields hold, the text for everything else. It is JSON text because PostgreSQL keeps neither
the order of keys nor the spelling of numbers.
"""

import json
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from sys import intern
from typing import Any, BinaryIO

from formats.papers import Papers
from formats.records import places_in


@dataclass(frozen=True)
class AspectQuery:
    """An entry of Query. `sentences` are {"text", "topics": [aspect ids]} in reading order, `tree`
    the sub-aspects of each aspect, both in the file's order. `strays` are aspects that the file
    links with its sentences, and that are not in its tree.

    Two keys of its record, the maps between sentences and aspects, are derived from these fields:
    [key, the file's JSON text or "" where the file had none, the derived JSON text]. The file's
    text is written again as long as the same is derived.
    """

    query_id: str
    text: str
    sentences: list[dict[str, Any]]
    tree: dict[str, list[str]]
    pool: list[str]
    strays: list[str]
    metadata: dict[str, Any]
    record: list[list[Any]]
    place: str

    @property
    def aspects(self) -> list[str]:
        """The distinct ids in its tree, as they are read."""
        return list(dict.fromkeys(aspect for aspect, _ in places_in(self.tree)))


@dataclass(frozen=True)
class RatedPair:
    """An entry of Test_set: a value for each annotator, None for "cannot judge"."""

    aspect_id: str
    abstract_id: str
    answers: dict[str, int | None]
    record: list[list[Any]]
    place: str

    @property
    def key(self) -> tuple[str, str]:
        return self.aspect_id, self.abstract_id


@dataclass(frozen=True)
class MachineAnswer:
    """An entry of Annotation; `value` is None where the response could not be read as a score.

    `record` is empty for an entry with the usual keys in the usual order.
    """

    aspect_id: str
    abstract_id: str
    value: int | None
    response: str
    record: list[list[Any]]
    place: str

    @property
    def key(self) -> tuple[str, str]:
        return self.aspect_id, self.abstract_id


@dataclass
class Dataset(Papers):
    """Everything that was read, with the pooled abstracts. Machine answers are in a temporary file,
    as they are."""

    name: str  # of the file
    answer_spool: BinaryIO = field(default_factory=tempfile.TemporaryFile, kw_only=True)
    aspects: dict[str, str] = field(default_factory=dict)  # id -> text
    queries: list[AspectQuery] = field(default_factory=list)
    rated: list[RatedPair] = field(default_factory=list)
    # top-level keys in the file's order, as a record
    keys: list[list[Any]] = field(default_factory=list)
    # pooled abstracts without text -> the JSON text of their whole entry
    without_text: dict[str, str] = field(default_factory=dict)
    # aspect -> the abstracts to be judged under it: the union of the pools of its queries
    pairs: dict[str, dict[str, None]] = field(default_factory=dict)
    # (aspect, abstract) of each machine answer, in the order of Annotation
    answer_keys: list[tuple[str, str]] = field(default_factory=list)
    unparsed: list[str] = field(default_factory=list)  # the first of them, for people
    unparsed_count: int = 0
    abstracts_read: int = 0
    digest: str = ""
    # what is accepted but worth saying: sentences for people
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        weakref.finalize(self, self.answer_spool.close)

    @property
    def answers_count(self) -> int:
        return len(self.answer_keys)

    @property
    def unused_aspects(self) -> dict[str, str]:
        """{id: text} of aspects that stand in no query, so that nothing is judged under them."""
        used = {aspect for query in self.queries for aspect in query.aspects}
        return {aspect: text for aspect, text in self.aspects.items() if aspect not in used}

    def keep_answer(self, answer: MachineAnswer) -> None:
        self.answer_spool.write(json.dumps(list(vars(answer).values())).encode() + b"\n")
        # The same few thousand names come again and again: one text of each is enough.
        self.answer_keys.append((intern(answer.aspect_id), intern(answer.abstract_id)))

    def answers(self) -> Iterator[MachineAnswer]:
        """Yield the machine answers in the order of Annotation."""
        self.answer_spool.seek(0)
        for line in self.answer_spool:
            yield MachineAnswer(*json.loads(line))
