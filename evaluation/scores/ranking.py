"""The pool of a query in order of score, with its ties."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from evaluation.scores.scoring import Scores, normalised


@dataclass(frozen=True)
class Place:
    """A document's place in a ranking.

    `rank` is its competition rank: 1 + the number of documents with a greater score, so that
    documents with equal scores share one and the next are skipped. Without a value for every
    aspect (`known` of `size`) there is no rank and no score, and it is not known to be relevant.
    `total` is S in thousandths.
    """

    document: str
    rank: int | None
    is_tied: bool
    total: int | None
    known: int
    size: int
    is_relevant: bool

    @property
    def score(self) -> Fraction | None:
        """S / |Q|."""
        return None if self.total is None else normalised(self.total, self.size)


def ranks(scores: Scores) -> npt.NDArray[np.int64]:
    """Competition ranks per row, 0 for documents without a complete score."""
    if not scores.sums.size:
        return np.zeros(scores.sums.shape, dtype=np.int64)
    complete = scores.is_complete
    # Below every score that an int64 sum of thousandths can reach in practice.
    lowest = np.iinfo(np.int64).min // 2
    rows = -np.where(complete, scores.sums, lowest)
    # How many of its row are before a document, which is the same for those that share a place.
    before = np.array([np.searchsorted(np.sort(row), row) for row in rows], dtype=np.int64)
    return np.where(complete, before + 1, 0)


def ranking(scores: Scores) -> list[Place]:
    """The documents of the first row: ranked ones by score, then the others by how much of them is
    known.

    Documents with equal scores stand in the order of their ids as text, so that the same values
    always give the same list.
    """
    rank = ranks(scores)[0]
    complete, relevant = scores.is_complete[0], scores.is_relevant[0]
    sharing = np.bincount(rank)
    places = [
        Place(
            document=document,
            rank=int(rank[number]) if complete[number] else None,
            is_tied=bool(complete[number] and sharing[rank[number]] > 1),
            total=int(scores.sums[0, number]) if complete[number] else None,
            known=int(scores.known[0, number]),
            size=int(scores.sizes[0]),
            is_relevant=bool(relevant[number]),
        )
        for number, document in enumerate(scores.documents)
    ]
    return sorted(
        places, key=lambda place: (place.rank is None, place.rank or -place.known, place.document)
    )
