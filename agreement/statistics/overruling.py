"""How often adjudication ends on a value that no rater gave."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure, Reason
from agreement.statistics.lists import Values


@dataclass(frozen=True, slots=True)
class Overruling:
    """Counts over the pairs of one query.

    A pair counts once it has a rating. ``overruled``: gold equals no rating. ``outside_range``:
    gold below the lowest or above the highest rating. ``against_agreement``: gold differs from a
    value that all raters gave, two at least; this never happens in CSFCube and deserves a look
    wherever it does.
    """

    pairs: int
    overruled: int
    outside_range: int
    against_agreement: int

    @property
    def share(self) -> Figure:
        """Overruled pairs as a share of all the query's pairs, from 0 to 1."""
        if self.pairs == 0:
            return Figure.undefined(Reason.NO_PAIRS)
        return Figure(self.overruled / self.pairs)


def overruling(ratings: Values, gold: npt.ArrayLike) -> Overruling:
    """Count over columns of ``ratings`` (seats by pairs) against one gold value each.

    NaN is a missing rating; a gold value is never missing.
    """
    [whole] = overruling_by_topic(ratings, gold, [0, np.asarray(gold).size])
    return whole


def overruling_by_topic(
    ratings: Values, gold: npt.ArrayLike, starts: npt.ArrayLike
) -> list[Overruling]:
    """The same for each topic, whose pairs are those from one of the ``starts`` to the next."""
    final, ends = np.asarray(gold, dtype=np.float64), np.asarray(starts, dtype=np.int_)
    sizes = ends[1:] - ends[:-1]
    if ratings.ndim != 2 or final.shape != ratings.shape[1:]:
        raise ValueError(f"Ratings {ratings.shape} and gold {final.shape} are not the same pairs.")
    if not np.isfinite(final).all():
        raise ValueError("A gold value is missing; leave out the pair.")
    given = np.count_nonzero(~np.isnan(ratings), axis=0)
    topic = np.repeat(np.arange(sizes.size), sizes)[given > 0]
    rated, final, given = ratings[:, given > 0], final[given > 0], given[given > 0]
    if 0 in rated.shape:
        return [Overruling(0, 0, 0, 0) for _ in range(sizes.size)]
    lowest, highest = np.nanmin(rated, axis=0), np.nanmax(rated, axis=0)
    outside = (final < lowest) | (final > highest)
    agreed = (lowest == highest) & (given > 1)
    masks = (np.ones(final.size, dtype=bool), (rated != final).all(axis=0), outside)
    counts = [np.bincount(topic[mask], minlength=sizes.size) for mask in (*masks, outside & agreed)]
    return [Overruling(*row) for row in np.stack(counts, axis=1).tolist()]


def overruling_in_all(parts: Iterable[Overruling]) -> Overruling:
    """The counts added up; its share is over pairs, where the table has the mean over topics."""
    counts = [(p.pairs, p.overruled, p.outside_range, p.against_agreement) for p in parts]
    if not counts:
        return Overruling(0, 0, 0, 0)
    return Overruling(*(sum(column) for column in zip(*counts, strict=True)))
