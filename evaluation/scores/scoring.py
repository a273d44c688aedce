"""Scores of all documents of a pool for many sets of ids at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from evaluation.scores.values import SCALE, ValueTable


@dataclass(frozen=True)
class Scores:
    """Rows are sets of ids (a query, its sub-queries), columns the documents of the table.

    `sizes` is |Q| of each row; `sums` is S in thousandths, of what is known; `known` counts the
    ids with a value. Only where all have one is S the score: see `is_complete`.
    """

    documents: tuple[str, ...]
    sizes: npt.NDArray[np.int64]
    sums: npt.NDArray[np.int64]
    known: npt.NDArray[np.int64]

    @property
    def is_complete(self) -> npt.NDArray[np.bool_]:
        """Whether every id of the row has a value."""
        return np.equal(self.known, self.sizes[:, np.newaxis])

    @property
    def is_relevant(self) -> npt.NDArray[np.bool_]:
        """Whether S / |Q| >= 1, and the row is complete."""
        return self.is_complete & (self.sums >= SCALE * self.sizes[:, np.newaxis])


def score(table: ValueTable, id_sets: Sequence[Iterable[str]]) -> Scores:
    """Scores for each set of ids, in which an id counts once however often it is named.

    ValueError for an empty set, which has no score; KeyError for an id that the table lacks.
    """
    row_of = {aspect_id: number for number, aspect_id in enumerate(table.ids)}
    membership = np.zeros((len(id_sets), len(table.ids)), dtype=np.int64)
    for number, ids in enumerate(id_sets):
        membership[number, [row_of[aspect_id] for aspect_id in ids]] = 1
    sizes = membership.sum(axis=1)
    if not sizes.all():
        raise ValueError("A score needs at least one aspect.")
    return Scores(
        documents=table.documents,
        sizes=sizes,
        sums=membership @ table.thousandths,
        known=membership @ table.is_known.astype(np.int64),
    )


def normalised(total: int, size: int) -> Fraction:
    """S / |Q|, exactly, from S in thousandths."""
    return Fraction(int(total), SCALE * int(size))


def as_float(total: int, size: int) -> float:
    """S / |Q| as the nearest double, as dividing the integers S and |Q| gives it: 13/15 is
    0.8666666666666667."""
    return int(total) / (SCALE * int(size))
