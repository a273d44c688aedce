"""A study's records in the terms of a collection: its options and its members."""

from dataclasses import dataclass, field
from typing import NamedTuple

from annotation.models import Option
from datasets.models import Membership
from formats.decimals import printed_grade
from formats.records import Place
from imports.answers import NOT_IN_FILE, Answer

Key = tuple[str, str]  # (topic, document), by external ids


def in_words(answer: Answer) -> str:
    if answer.option is None:
        return "cannot judge"
    return printed_grade(answer.option.value)


def is_gap(answer: Answer) -> bool:
    """Whether a rater of the topic gave no answer for this pair."""
    return answer.option is None and answer.reason == NOT_IN_FILE


def is_unmatched(entry: "Answer | Verdict") -> bool:
    """Whether nobody has said yet what the grade in the file stands for; it is refused."""
    reason = entry.reason if isinstance(entry, Answer) else entry.exclusion
    return entry.option is None and not reason


class Verdict(NamedTuple):
    """An adjudicator's decision: an option, or the reason for leaving the pair out."""

    option: Option | None
    exclusion: str
    adjudicator: str
    cause: str
    rationale: str
    place: Place


@dataclass(slots=True)
class Person:
    """Somebody whom the files name. `member` is who they are here, None for a new member."""

    external_id: str
    name: str
    member: Membership | None = None


class SideText(NamedTuple):
    title: str
    text: str


@dataclass
class Resolved:
    """The entries to store, besides documents, queries and topics, which stay as they were read."""

    # {query: {document: its sources}}, and {topic: documents}, both in order.
    pools: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    pairs: dict[str, dict[str, None]] = field(default_factory=dict)
    side_texts: dict[Key, SideText] = field(default_factory=dict)
    # {pair: {person: answer}}; people are in the order in which they appear in the topic.
    answers: dict[Key, dict[str, Answer]] = field(default_factory=dict)
    # {pair: how many answers it is to have}, where the files say it.
    overlaps: dict[Key, int] = field(default_factory=dict)
    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    raters: dict[str, Person] = field(default_factory=dict)
    adjudicators: dict[str, Person] = field(default_factory=dict)
    # Documents in a pool that have no text, so that nobody rates them.
    without_text: list[str] = field(default_factory=list)
