"""The records that an export is written from, without database ids, names or times."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from agreement.pairs.standing import LACKING
from evaluation.protocols import Missing
from evaluation.queries.reading import TextQuery
from evaluation.scores import scaled
from evaluation.sources.source import GOLD, Source
from formats.papers import Paper
from releases.aspect_rows import AspectRows


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
    is_by_program: bool = False


@dataclass(frozen=True)
class Answered:
    """Counts of one person's ratings in one topic: all of them, those that are "cannot judge", and
    those that a program of theirs sent."""

    topic_id: str
    annotator: Person
    ratings: int
    cannot_judge: int
    by_program: int = 0


@dataclass(frozen=True)
class Verdict:
    """A decision; only the standing one of a pair counts, earlier ones are history."""

    adjudicator: Person
    choice: Choice | None
    exclusion_reason: str
    cause: str
    rationale: str
    is_standing: bool


@dataclass(frozen=True, slots=True)
class SideText:
    """A text that was shown beside the document of a pair, such as a model's answer."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A pair as one source tells it: gold with how it came about, or the grade by another source.

    `origin` is consensus, adjudicated, excluded, or the kind of source; NO_GRADE where the source
    has spoken and gives none; and "" where its value is missing: `state` then says why.
    """

    document: str
    batch: str
    state: str
    origin: str
    value: Decimal | None
    option: str = ""
    overlap: int = 0  # of its batch
    is_handed_in: bool = True  # its batch, by every seat
    answers: Sequence[Answer] = ()
    verdicts: Sequence[Verdict] = ()
    side_text: SideText | None = None


@dataclass
class JudgedTopic:
    """A topic with its pairs in order. `query` is the id of what it is about: `paper` is the id of
    that document where it is one, else `query_text` is what is asked; `text` is that of an aspect.
    """

    topic_id: str
    facet: str
    query: str
    metadata: dict[str, Any]
    pairs: list[JudgedPair] = field(default_factory=list)
    text: str = ""
    paper: str = ""
    query_text: str = ""

    @property
    def gold(self) -> list[JudgedPair]:
        """The pairs that have a final value, or a grade by the source."""
        return [pair for pair in self.pairs if pair.value is not None]

    @property
    def grades(self) -> dict[str, Decimal]:
        """{document: the value of its pair} of the same pairs."""
        return {pair.document: pair.value for pair in self.pairs if pair.value is not None}


@dataclass(frozen=True)
class WaivedRatings:
    """`count` ratings of one person in one batch, who could have read others' ratings of it before
    and was let rate by a lead, for `reason`."""

    annotator: Person
    batch: str
    count: int
    reason: str


@dataclass(frozen=True)
class QueryGrades:
    """Judgments from elsewhere of whole queries or sub-queries: {query: {document: grade}}, each
    grade as it was written. `are_sums`: they are S, not S / |Q|."""

    name: str
    level: str
    of: Mapping[str, Mapping[str, Decimal]]
    are_sums: bool


@dataclass
class Study:
    """One collection as an export sees it."""

    collection: dict[str, str]
    scheme: dict[str, Any]
    topics: list[JudgedTopic]
    # query paper -> [(candidate, sources)]
    pools: dict[str, list[tuple[str, list[str]]]]
    extra: dict[str, Any]
    import_summaries: list[dict[str, Any]]
    withheld_batches: int  # left out: the person exporting still holds a seat in them
    batches: list[str]  # public ids of those that went in
    papers: Callable[[], Iterator[Paper]]
    # What the official DORIS-MAE file holds.
    aspect_rows: Callable[[], AspectRows]
    answered: list[Answered] = field(default_factory=list)
    waived: list[WaivedRatings] = field(default_factory=list)
    # Pairs that were to be left out since a program rated them.
    left_to_programs: int = 0
    # Whose values stand in place of gold, and what they do to the scores of the runs.
    source: Source = GOLD
    missing_values: Missing = Missing.UNJUDGED
    # In place of values of pairs, where the source grades queries.
    query_grades: QueryGrades | None = None
    effect: dict[str, Any] | None = None
    text_queries: list[TextQuery] = field(default_factory=list)
    # facet -> labels of the sentences that are about it
    facet_labels: dict[str, list[str]] = field(default_factory=dict)

    @property
    def pairs(self) -> list[JudgedPair]:
        return [pair for topic in self.topics for pair in topic.pairs]

    @property
    def names_programs(self) -> bool:
        """Whether to tell ratings by program from others: only where there are such."""
        return any(part.by_program for part in self.answered)

    @cached_property
    def values(self) -> dict[str, dict[str, int]]:
        """{topic: {document: value in thousandths}} of all pairs that have one."""
        return {
            topic.topic_id: {document: scaled(value) for document, value in topic.grades.items()}
            for topic in self.topics
        }

    @cached_property
    def missing(self) -> dict[str, int]:
        """Pairs without a value of the source, counted by where they stand."""
        counts = Counter(_what_lacks(pair) for pair in self.pairs if not pair.origin)
        if self.withheld_batches:
            counts["in a batch in which you still rate"] = self.withheld_batches
        if self.left_to_programs:
            counts["rated by a program and left out"] = self.left_to_programs
        return dict(sorted(counts.items()))

    @property
    def is_incomplete(self) -> bool:
        return bool(self.missing)


# Where a pair stands with a machine run that has no value for it, and with gold by a mapping.
UNSCORED, UNREAD, UNMAPPED = "unscored", "unread", "unmapped"
# The source has spoken of the pair, and gives it no grade: "cannot judge", or no majority.
NO_GRADE = "no grade"
# The seats gave the pair no value, and the protocol counts that as the lowest grade.
FILLED = "no value, so the lowest grade"

# What manifests call an open dispute: a key of theirs since the first.
NOT_ADJUDICATED = "not adjudicated"

MISSING = {
    **LACKING,
    "disputed": NOT_ADJUDICATED,
    UNSCORED: "without a score of the run",
    UNREAD: "whose answer could not be read as a value",
    UNMAPPED: "rated by options of one value and of different grades",
}


def _what_lacks(pair: JudgedPair) -> str:
    if pair.state == "open" and not pair.batch:
        return MISSING["waiting"]
    is_early = pair.state == "disputed" and not pair.is_handed_in
    return MISSING["agreed" if is_early else pair.state]
