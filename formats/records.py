"""The neutral form of an imported study: every reader returns it, and one writer stores it.

A reader turns files of one kind (tables, a TREC collection, an export of Label Studio …) into a
`Study`. The writer knows no format: it takes the records below, in this order.

- `documents` and `queries` have their texts; a query is a text, or a query document.
- `topics` are what is rated against and have the qrels. Readers make them, so that nobody else
  has to know how a file names them: a query under a facet is `<query>_<facet>`, plain relevance
  has the query's own id, an aspect has an id and a text of its own and may stand in several
  queries.
- `pool` says which documents are to be rated, for a query (all of its topics) or one topic.
- `ratings` are people's answers, one per topic, document and rater. The order in which raters
  first appear in a topic is the order of its seats. `decisions` are adjudicators' answers.
- `judgments` are sets of grades made elsewhere, never gold; `runs` are rankings.

Grades are literals: the text as it stands in the file. Which option of a scheme a literal means
is for the writer to say, with the person who imports. Identifiers are text and stay as written.

Each record has a `place` for messages about later findings: the file, the line and, where it helps,
the column or key. Records that occur by the hundred thousand are named tuples, which are quick to
make. No record is ever changed. Documents may be many and long, so they are kept in a temporary
file (`Documents`).
"""

import io
import json
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal, NamedTuple

# Whether judgments speak of topics, or of queries over all of their topics.
Level = Literal["topic", "query"]
# The facet of plain relevance, which is not shown.
PLAIN_FACET = "relevance"
# All facets together, in addresses and in names of files; no facet is called so.
ALL_FACETS = "all"
# Annotators of a pair, who are seats of its batch.
MAX_OVERLAP = 9
MAX_TOPIC_ID_LENGTH = 240
# Why a rating without grade is there, where the file has none for a rater of the topic.
NOT_RATED = "not rated"


class Place(NamedTuple):
    """A place in a file, by line and column, or by a key where lines say little (`task 8`, `query
    12`, `sheet Ratings, row 5`). Line and column count from 1; 0 is unknown."""

    file: str
    line: int = 0
    column: str = ""
    key: str = ""

    def at(self, column: str) -> "Place":
        """The same place, in this column (its name, or its number)."""
        return self._replace(column=column)

    @property
    def inside(self) -> str:
        """The place without the file, as sentences have it."""
        parts = [self.key, f"line {self.line:,}" if self.line else ""]
        parts.append(f"column {self.column}" if self.column else "")
        return ", ".join(part for part in parts if part)

    def __str__(self) -> str:
        return f"{self.file}, {self.inside}" if self.inside else self.file


class Sentence(NamedTuple):
    """A sentence of an abstract, with the facet label it carries, if any."""

    text: str
    label: str | None = None


class Document(NamedTuple):
    """A paper or passage. `sentences` are in reading order; none is a document without text.

    `text` is the text as written where the file has it as one, None where it has sentences.
    `metadata` is never shown to annotators. `extra` is what else a published file says of it, kept
    to write that file again.
    """

    id: str
    title: str
    sentences: tuple[Sentence, ...]
    text: str | None
    metadata: dict[str, Any]
    place: Place
    extra: dict[str, Any] = {}


class Query(NamedTuple):
    """An information need: `text`, or `document`, the id of a query document (one of the two).

    `description` and `narrative` are TREC's, shown beside the query. `sentences` are {"text",
    "topics"}, where the file says which aspects a sentence asks for, and `tree` has the sub-aspects
    of each aspect in order, where the file gives it whole. `extra` is as a document's.
    """

    id: str
    text: str
    document: str
    description: str
    narrative: str
    metadata: dict[str, Any]
    place: Place
    sentences: list[dict[str, Any]] | None = None
    tree: dict[str, list[str]] | None = None
    extra: dict[str, Any] = {}

    @property
    def aspects(self) -> list[str]:
        """The distinct aspects of its tree, as they are read."""
        return list(dict.fromkeys(aspect for aspect, _ in places_in(self.tree or {})))


class TopicPlace(NamedTuple):
    """A topic in the tree of a query; `parent` is the id of the aspect above it there."""

    query: str
    parent: str | None = None


class Topic(NamedTuple):
    """The subject of ratings. `facet` is a key of the scheme, "" for an aspect, whose text is
    `text`. `places` are the queries in which it stands, in order; a facet has one."""

    id: str
    facet: str
    text: str
    places: tuple[TopicPlace, ...]
    metadata: dict[str, Any]
    place: Place


class PoolEntry(NamedTuple):
    """A document to be rated for a query, under all of its topics or under `topic` alone.

    `sources` name what proposed it (methods, runs, citation). `rank` is the order in the pool that
    the file gives, if any; the order of the records is the order that counts. Side text is shown
    beside the document, under its title.
    """

    query: str
    topic: str | None
    document: str
    sources: tuple[str, ...]
    rank: int | None
    side_title: str
    side_text: str
    place: Place


class Rating(NamedTuple):
    """One rater's answer for a topic with a document. `rater` is the person's name in the file.

    `grade` is the literal, or None for "cannot judge" with its `reason`. `time` is as written.
    `batch` and `seat` are where the file says in which the answer was given, "" elsewhere: only the
    people of a pair's batch can have left it out, and only where nobody in their seat rated it.
    `overlap` is how many answers the pair is to have, 0 where the file does not say: fewer are not
    all of them, and nobody left it out.
    """

    topic: str
    document: str
    rater: str
    grade: str | None
    reason: str
    note: str
    time: str
    place: Place
    batch: str = ""
    seat: str = ""
    overlap: int = 0


class Decision(NamedTuple):
    """An adjudicator's decision. `grade` is None if the pair was excluded, with `reason`.

    `adjudicator` is "" where the file names nobody.
    """

    topic: str
    document: str
    adjudicator: str
    grade: str | None
    reason: str
    cause: str
    rationale: str
    time: str
    place: Place


class Judgment(NamedTuple):
    """A grade made elsewhere, for a topic or a query (`subject`), as the set says.

    `literal` is exactly what the file has. `size` is what the file says of the number of aspects
    and sub-aspects of the query, to be compared with the collection; "" where it says nothing.
    """

    subject: str
    document: str
    literal: str
    size: str
    place: Place


@dataclass(frozen=True)
class JudgmentSet:
    """Judgments of one file. `file` is its name, `sha256` the hash of its bytes as they came.
    `remark` says what was made of an unusual file."""

    name: str
    level: Level
    file: str
    sha256: str
    note: str
    judgments: list[Judgment]
    remark: str = ""


class RunLine(NamedTuple):
    """A ranked document. The order of a run is by score, descending, whatever the ranks say."""

    topic: str
    document: str
    rank: int
    score: float
    line: int


@dataclass(frozen=True)
class Run:
    """A ranking by one system. Its lines are in the order of the file; `sha256` is that of the
    file's bytes as they came (packed, where it was gzipped). `remark` says what was made of an
    unusual file."""

    tag: str
    file: str
    sha256: str
    lines: list[RunLine]
    remark: str = ""

    @property
    def topics(self) -> list[str]:
        return list(dict.fromkeys(line.topic for line in self.lines))


@dataclass
class LeftOut:
    """Something that looks like a rating and is none, or is not wanted: what, why and where, and in
    how many further places of the file."""

    sentence: str
    place: Place
    further: int = 0

    @property
    def places(self) -> str:
        return f"{self.place}, and {self.further:,} further" if self.further else str(self.place)


@dataclass(frozen=True)
class MachineAnswers:
    """The answers of one run of a model. They may be many and long: `read` goes through them.

    Each has a `key` (topic, document), a `value` (None where the response could not be read as a
    score), a `response`, a `record` with what else the file says of it, and a `place`.
    """

    model: str = ""
    run: str = ""
    file: str = ""
    count: int = 0
    read: Callable[[], Iterable[Any]] = list


@dataclass(frozen=True)
class Published:
    """What a published dataset has besides.

    It says everything of what it names: its sources and trees take the place of the stored ones,
    its ratings come only with their pairs, and a grade that is what its raters agree on is no
    decision.
    """

    # {topic: the documents to be rated under it}, both in order; the pool has the candidates alone.
    pairs: dict[str, dict[str, None]]
    # What a collection keeps beside its rows, to write the files again.
    extra: dict[str, Any]
    # The batch of all ratings, "" where each topic has its own.
    batch: str = ""
    # Names of the people whom the files call by a number alone. Their numbers in text files, each
    # with the topic of such a file.
    names: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, tuple[str, Place]] = field(default_factory=dict)
    # For the import's summary.
    counts: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Study:
    """Everything that was read, with what was left out on purpose, and `notes` for people."""

    format: str
    documents: "Documents" = field(default_factory=lambda: Documents())
    queries: list[Query] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    pool: list[PoolEntry] = field(default_factory=list)
    ratings: list[Rating] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    judgments: list[JudgmentSet] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    machine: MachineAnswers = field(default_factory=MachineAnswers)
    published: Published | None = None
    # The number of documents in the files that no pool has. They are kept only on request.
    unpooled_documents: int = 0
    # The first hundred kinds of what was left out on purpose, and how many there are in all.
    left_out: list[LeftOut] = field(default_factory=list)
    left_out_count: int = 0
    notes: list[str] = field(default_factory=list)
    # SHA-256 over the names and bytes of what was read, and the options that it was read with.
    fingerprint: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was read, good or bad."""
        read = (self.queries, self.topics, self.pool, self.ratings, self.judgments, self.runs)
        return not (len(self.documents) or self.unpooled_documents or any(read) or self.decisions)

    def leave_out(self, place: Place, sentence: str) -> None:
        self.left_out_count += 1
        for entry in reversed(self.left_out):
            if (entry.sentence, entry.place.file) == (sentence, place.file):
                entry.further += 1
                return
        if len(self.left_out) < 100:
            self.left_out.append(LeftOut(sentence, place))

    @property
    def left_out_in_words(self) -> list[str]:
        sentences = [f"Left out: {entry.places}: {entry.sentence}" for entry in self.left_out]
        if self.left_out_count > len(sentences):
            sentences.append(f"Left out in all: {self.left_out_count:,}.")
        return sentences


class Documents:
    """Documents by id, in the order in which they were kept, in a temporary file."""

    def __init__(self) -> None:
        self._spool: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - lives with the study
        self._offsets: dict[str, int] = {}
        # Ids of documents that have no text: named in a file, never rated.
        self.without_text: set[str] = set()
        weakref.finalize(self, self._spool.close)

    def keep(self, document: Document) -> None:
        self._offsets[document.id] = self._spool.seek(0, io.SEEK_END)
        self._spool.write(json.dumps(document).encode() + b"\n")
        if not document.sentences:
            self.without_text.add(document.id)

    def __len__(self) -> int:
        return len(self._offsets)

    def __contains__(self, document_id: object) -> bool:
        return document_id in self._offsets

    def __getitem__(self, document_id: str) -> Document:
        self._spool.seek(self._offsets[document_id])
        name, title, sentences, text, metadata, place, extra = json.loads(self._spool.readline())
        sentences = tuple(Sentence(*sentence) for sentence in sentences)
        return Document(name, title, sentences, text, metadata, Place(*place), extra)

    def __iter__(self) -> Iterator[Document]:
        """Yield the documents in order, one in memory at a time."""
        for document_id in self._offsets:
            yield self[document_id]

    @property
    def ids(self) -> list[str]:
        return list(self._offsets)


def places_in(tree: Mapping[str, Iterable[str]]) -> list[tuple[str, str | None]]:
    """(aspect, the aspect above it or None) as they are read."""
    return [
        place
        for root, below in tree.items()
        for place in [(root, None), *((aspect, root) for aspect in below)]
    ]


def topic_id(query: str, facet: str) -> str:
    """The name of a query's topic under a facet; plain relevance has the query's own name."""
    return query if facet in ("", PLAIN_FACET) else f"{query}_{facet}"
