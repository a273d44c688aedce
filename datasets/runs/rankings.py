"""Rankings from the lines of a run, in the order in which trec_eval reads them. No Django."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise

from formats.grouping import grouped
from formats.records import Run, RunLine

SHOWN = 5


@dataclass(frozen=True)
class RankedList:
    """The documents that a run ranks for a topic, best first; scores and ranks are the file's."""

    external_id: str
    documents: list[str]
    scores: list[float]
    ranks: list[int]

    def columns(self) -> tuple[str, str, str, str]:
        """The topic, and documents, scores and ranks as text, one entry a line."""
        scores, ranks = map(plain_number, self.scores), map(str, self.ranks)
        return self.external_id, "\n".join(self.documents), "\n".join(scores), "\n".join(ranks)


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


def read_rankings(run: Run, *, by_rank: bool = False) -> RunReading:
    """Order the lines of a run, topic by topic in the order of the file.

    By score, descending; equal scores by the id of the document, descending. Scores are compared
    as trec_eval keeps them, in single precision: two that differ less than that are a tie. By rank
    when asked for: ascending, then as by score.
    """
    reading = RunReading([], len(run.lines), Oddity(), Oddity())
    for topic, lines in grouped((line.topic, line) for line in run.lines).items():
        ordered = _by_score(lines)
        _look(topic, ordered, reading)
        if by_rank:
            ordered.sort(key=lambda line: line.rank)  # equal ranks stay as by score
        reading.lists.append(
            RankedList(
                topic,
                [line.document for line in ordered],
                [line.score for line in ordered],
                [line.rank for line in ordered],
            )
        )
    return reading


def lines_of(columns: Iterable[tuple[str, str, str, str]]) -> list[RunLine]:
    """The lines of lists that are stored as columns of text."""
    return [
        RunLine(topic, document, int(rank), float(score), 0)
        for topic, *texts in columns
        for document, score, rank in zip(*(text.split("\n") for text in texts), strict=True)
    ]


def _by_score(lines: Sequence[RunLine]) -> list[RunLine]:
    single = array("f", [line.score for line in lines])
    places = sorted(
        range(len(lines)), key=lambda place: (single[place], lines[place].document), reverse=True
    )
    return [lines[place] for place in places]


def _look(topic: str, lines: list[RunLine], reading: RunReading) -> None:
    """Count ties and contradictions among neighbours of a list ordered by score."""
    scores = array("f", [line.score for line in lines])
    for place, (line, following) in enumerate(pairwise(lines)):
        if scores[place] == scores[place + 1]:
            reading.ties.add(
                f"topic {topic}: {line.document} and {following.document} both have "
                f"{plain_number(line.score)}"
            )
        elif line.rank >= following.rank:
            reading.contradictions.add(
                f"topic {topic}: {line.document} has rank {line.rank} and a higher score than "
                f"{following.document} with rank {following.rank}"
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
