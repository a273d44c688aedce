"""What an export is written from: plain records without database ids, names or times."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from datasets.formats.csfcube.records import Paper


@dataclass(frozen=True)
class Person:
    """A member under the names that may leave the house: a pseudonym, a number, and for CSFCube's
    text files another number."""

    pseudonym: str
    number: str
    readable_number: str


@dataclass(frozen=True)
class Choice:
    """An option and the value it stands for."""

    key: str
    value: Decimal


@dataclass(frozen=True)
class Answer:
    """One seat's rating; without a choice it is "cannot judge" with a reason."""

    seat: int
    annotator: Person
    choice: Choice | None
    cannot_judge: str
    note: str
    is_flagged: bool
    scheme_version: int


@dataclass(frozen=True)
class Verdict:
    """A decision; only the standing one of a pair counts, earlier ones are history."""

    adjudicator: Person
    choice: Choice | None
    exclusion_reason: str
    cause: str
    rationale: str
    is_standing: bool


@dataclass(frozen=True)
class JudgedPair:
    document: str
    batch: str
    state: str
    origin: str  # consensus, adjudicated, excluded, or "" as long as there is no gold
    value: Decimal | None
    option: str
    answers: list[Answer]
    verdicts: list[Verdict]


@dataclass
class JudgedTopic:
    """A topic with its pairs in order. `query` is the paper or text it is about."""

    topic_id: str
    facet: str
    query: str
    metadata: dict
    pairs: list[JudgedPair] = field(default_factory=list)

    @property
    def gold(self):
        """The pairs that have a final value."""
        return [pair for pair in self.pairs if pair.value is not None]


@dataclass
class Study:
    """One collection as an export sees it."""

    collection: dict
    scheme: dict
    topics: list[JudgedTopic]
    # query paper -> [(candidate, sources)]
    pools: dict[str, list[tuple[str, list[str]]]]
    extra: dict
    import_summaries: list[dict]
    withheld_batches: int  # left out: the person exporting still holds a seat in them
    batches: list[str]  # public ids of those that went in
    papers: Callable[[], Iterator[Paper]]

    @property
    def pairs(self):
        return [pair for topic in self.topics for pair in topic.pairs]

    @property
    def missing(self):
        """Pairs without gold, counted by where they stand."""
        counts = Counter(
            "waiting for a batch" if not pair.batch else MISSING[pair.state]
            for pair in self.pairs
            if not pair.origin
        )
        if self.withheld_batches:
            counts["in a batch in which you still rate"] = self.withheld_batches
        return dict(sorted(counts.items()))

    @property
    def is_incomplete(self):
        return bool(self.missing)


MISSING = {
    "open": "not rated",
    "partial": "partly rated",
    "agreed": "not handed in",
    "disputed": "not adjudicated",
}


def plain(value):
    """A decimal without trailing zeros or exponent, as text."""
    return f"{value.normalize():f}"
