"""Plain records of a CSFCube release."""

from dataclasses import dataclass, field
from typing import Any

from formats.papers import Paper, Papers


@dataclass(frozen=True)
class QueryRow:
    """A row of queries-release.csv: one query paper under one facet."""

    paper_id: str
    facet: str
    fields: dict[str, str]  # the other columns, by name, as written
    line: int

    @property
    def topic_id(self) -> str:
        return f"{self.paper_id}_{self.facet}"


@dataclass(frozen=True)
class Pool:
    """The candidates of a query paper, in order, each with the methods that proposed it."""

    candidates: list[str]
    sources: list[list[str]]


@dataclass(frozen=True)
class Annotations:
    """The judged candidates of a query under a facet, and what was said of them.

    `ratings` maps the file's annotator ("1", "2" ...) to values parallel to `candidates`; the
    order of its keys is first, second. -1 is "gave none". `adjudicated` may be missing (None).
    """

    candidates: list[str]
    ratings: dict[str, list[int]]
    adjudicated: list[int] | None


@dataclass(frozen=True)
class JudgedCandidate:
    """A candidate of a readable file; `ratings` in seat order, -1 for "cannot judge"."""

    paper: Paper
    ratings: list[int]
    adjudicated: int
    sources: list[str]


@dataclass
class Release(Papers):
    """Everything that was read, with the pooled papers."""

    rows: list[QueryRow] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    line_end: str = "\r\n"
    pools: dict[str, Pool] = field(default_factory=dict)
    annotations: dict[str, dict[str, Annotations]] = field(default_factory=dict)
    splits: dict[str, Any] | None = None
    # topic id -> annotators as the readable file numbers them, first and second
    readable_numbers: dict[str, list[str]] = field(default_factory=dict)
    # what is accepted but worth saying: sentences for people
    notes: list[str] = field(default_factory=list)
    without_text: list[str] = field(default_factory=list)
    papers_read: int = 0
    fingerprint: str = ""

    def judged(self, row: QueryRow) -> list[str]:
        """The ids of the papers that are to be judged for a row, in order.

        The rating file says which candidates those are and in which order. Without one it is the
        pool, less the papers that are named there but have no text.
        """
        annotations = self.annotations.get(row.facet, {}).get(row.paper_id)
        if annotations:
            return annotations.candidates
        return [
            paper_id for paper_id in self.pools[row.paper_id].candidates if paper_id in self.offsets
        ]
