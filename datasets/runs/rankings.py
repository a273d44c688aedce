"""Rankings from the lines of a run, in the order in which trec_eval reads them. No Django."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import Protocol

SHOWN = 5


class RunLine(Protocol):
    """A line of a run as a reader gives it. `score` is a finite number."""

    @property
    def topic(self) -> str: ...
    @property
    def document(self) -> str: ...
    @property
    def rank(self) -> int: ...
    @property
    def score(self) -> float: ...


@dataclass(frozen=True)
class RankedList:
    """The documents that a run ranks for a topic, best first; scores and ranks are the file's."""

    external_id: str
    documents: tuple[str, ...]
    scores: tuple[float, ...]
    ranks: tuple[int, ...]

    def texts(self) -> tuple[str, str, str]:
        """Documents, scores and ranks as columns of text, one entry a line."""
        return (
            "\n".join(self.documents),
            "\n".join(map(plain_number, self.scores)),
            "\n".join(map(str, self.ranks)),
        )


@dataclass
class Oddity:
    """Something in a run that is not wrong and yet worth a look: how often, and where first."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, sentence: str) -> None:
        self.count += 1
        if len(self.first) < SHOWN:
            self.first.append(sentence)


@dataclass
class RunReading:
    """The lists of a run, and what its lines tell.

    `ties` are neighbours with one score, of which the order is that of their ids.
    `contradictions` are neighbours whose ranks say the reverse of their scores.
    """

    lists: list[RankedList]
    line_count: int
    ties: Oddity
    contradictions: Oddity

    @property
    def report(self) -> dict[str, object]:
        return {
            "lines": self.line_count,
            "topics": len(self.lists),
            "ties": vars(self.ties),
            "contradictions": vars(self.contradictions),
        }


def read_rankings(lines: Iterable[RunLine], *, by_rank: bool = False) -> RunReading:
    """Order the lines of a run, topic by topic in the order of the file.

    By score, descending; equal scores by the id of the document, descending. Scores are compared
    as trec_eval keeps them, in single precision: two that differ less than that are a tie. By rank
    when asked for: ascending, then as by score.
    """
    by_topic: dict[str, list[RunLine]] = defaultdict(list)
    for line in lines:
        by_topic[line.topic].append(line)
    reading = RunReading([], sum(map(len, by_topic.values())), Oddity(), Oddity())
    for topic, topic_lines in by_topic.items():
        reading.lists.append(_ordered(topic, topic_lines, by_rank, reading))
    return reading


def _ordered(
    topic: str, lines: Sequence[RunLine], by_rank: bool, reading: RunReading
) -> RankedList:
    single = array("f", [line.score for line in lines])
    rows = [
        (score, line.document, line.rank, line.score)
        for score, line in zip(single, lines, strict=True)
    ]
    rows.sort(reverse=True)
    _look(topic, rows, reading)
    if by_rank:
        rows.sort(key=lambda row: row[2])  # stable: equal ranks stay as by score
    return RankedList(
        topic,
        tuple([row[1] for row in rows]),
        tuple([row[3] for row in rows]),
        tuple([row[2] for row in rows]),
    )


def _look(topic: str, rows: list[tuple[float, str, int, float]], reading: RunReading) -> None:
    """Count ties and contradictions among neighbours of a list ordered by score."""
    for row, following in pairwise(rows):
        score, document, rank, _ = row
        next_score, next_document, next_rank, _ = following
        if score == next_score:
            reading.ties.add(
                f"topic {topic}: {document} and {next_document} both have {plain_number(score)}"
            )
        elif rank >= next_rank:
            reading.contradictions.add(
                f"topic {topic}: {document} has rank {rank} and a higher score than "
                f"{next_document} with rank {next_rank}"
            )


def plain_number(value: float) -> str:
    """A number in the shortest text that reads back as the same; whole ones without a point."""
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def hash_of_columns(columns: Iterable[tuple[str, ...]]) -> str:
    """The SHA-256 over lists that are stored as columns of text, whatever file they came in."""
    digest = sha256()
    for texts in sorted(columns):
        for text in texts:
            digest.update(f"{len(text)}:{text}".encode())
    return digest.hexdigest()
