"""The ratings of each annotator, compared with others' of the same pairs and with the gold.

All of it rests on pairs whose batch is wholly handed in, whether or not the rest of their topic
is; skips, flags and times on all answers given so far.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from typing import Self

import numpy as np
import numpy.typing as npt

from agreement.statistics import (
    REGISTRY,
    CannotJudge,
    Figure,
    Interval,
    Raters,
    binomial_interval,
    extremes,
)
from agreement.statistics.arrays import Values
from agreement.study.counted import finished_of
from agreement.study.ratings import AT_ONCE_SECONDS, Ratings
from agreement.study.rows import ADJUDICATED, Mask
from agreement.study.scales import Scale
from agreement.study.selection import Selection

# Between two people: {key: title}.
MEASURES = {
    name: measure.title
    for name, measure in REGISTRY.items()
    if measure.raters is Raters.TWO and measure.unit != "grade"
}


def measures_between_two(scale: Scale) -> dict[str, str]:
    """Those that have a meaning on this scale."""
    return {
        name: title
        for name, title in MEASURES.items()
        if scale.is_ordinal or REGISTRY[name].level == "nominal"
    }


DECILES = 10
LEAST_RATINGS = 5 * DECILES  # below, a tenth of them says nothing


@dataclass(frozen=True)
class Two:
    """Two annotators over the pairs that both rated."""

    pairs: int
    figure: Figure


@dataclass(frozen=True)
class Upheld:
    """Decided pairs on which the annotator and another differed: how often gold is their value."""

    pairs: int
    upheld: int
    interval: Interval | None

    @property
    def share(self) -> float | None:
        return self.upheld / self.pairs if self.pairs else None


@dataclass(frozen=True)
class Times:
    """Active seconds of `ratings` answers of which any were recorded."""

    ratings: int
    lower: float
    median: float
    upper: float


@dataclass(frozen=True)
class Tenth:
    """One tenth of somebody's ratings in the order given: how many have the gold value."""

    ratings: int
    same: int

    @property
    def share(self) -> float:
        return self.same / self.ratings


@dataclass(frozen=True)
class Annotator:
    """`leniency` is the mean of (own value less the mean of the others' values) over `shared`
    pairs, in grades; above 0 is more lenient; labels have none. `no_drift` says why there are no
    `tenths`."""

    pk: int
    answers: int
    shared: int
    leniency: float | None
    upheld: Upheld
    skips: int
    flags: int
    times: Times | None
    tenths: list[Tenth]
    no_drift: str


@dataclass(frozen=True)
class Annotators:
    """Those `present`, by membership, gave an answer; `left_out` counts pairs that the rule for
    "cannot judge" leaves out. Each part is computed when it is first needed."""

    present: list[int]
    left_out: int
    _measure: str
    _ratings: Ratings = field(compare=False, repr=False)
    _pairs: Ratings = field(compare=False, repr=False)

    @cached_property
    def people(self) -> list[Annotator]:
        everybody = _Everybody.of(self._pairs)
        return [_annotator(pk, self._ratings, self._pairs, everybody) for pk in self.present]

    @cached_property
    def matrix(self) -> dict[tuple[int, int], Two]:
        """{(annotator, annotator): the two}, either way round."""
        return _matrix(self._pairs, self._measure)


def annotators_for(selection: Selection, measure: str, people: Iterable[int]) -> Annotators:
    """Of the chosen pairs, under the rule of the filters."""
    rule, people = selection.filters.cannot_judge, tuple(people)
    return selection.keep(
        ("annotators", measure, people),
        lambda: annotators_of(selection.chosen, rule, measure=measure, people=people),
    )


def annotators_of(
    ratings: Ratings, rule: CannotJudge, *, measure: str, people: Iterable[int]
) -> Annotators:
    """Of the memberships `people`, in that order, those who gave an answer.

    `measure` is one of the registry's for two raters.
    """
    counted = finished_of(ratings, rule)
    pairs = counted.ratings
    present = set(np.unique(ratings.annotator[ratings.is_answered]).tolist())
    return Annotators(
        [pk for pk in people if pk in present], counted.left_out, measure, ratings, pairs
    )


@dataclass(frozen=True)
class _Everybody:
    """What all raters of each pair gave: how many values, their sum, and whether an adjudicator
    decided between different ones."""

    number: npt.NDArray[np.int_]
    total: Values
    was_decided: Mask

    @classmethod
    def of(cls, pairs: Ratings) -> Self:
        lowest, highest = extremes(pairs.values)
        return cls(
            np.count_nonzero(~np.isnan(pairs.values), axis=0),
            np.nansum(pairs.values, axis=0),
            (highest > lowest) & (pairs.origin == ADJUDICATED),
        )


def _annotator(pk: int, ratings: Ratings, pairs: Ratings, everybody: _Everybody) -> Annotator:
    answers = ratings.is_answered & (ratings.annotator == pk)
    own_values = _of_person(pairs, pk)
    others, number = _others(everybody, own_values)
    shared = number > 0
    tenths, no_drift = _drift(pairs, pk, own_values)
    return Annotator(
        pk=pk,
        answers=int(answers.sum()),
        shared=int(shared.sum()),
        leniency=float((own_values[shared] - others[shared]).mean())
        if shared.any() and pairs.scale.is_ordinal
        else None,
        upheld=_upheld(pairs, everybody, own_values),
        skips=int((answers & (ratings.option == 0)).sum()),
        flags=int((answers & ratings.is_flagged).sum()),
        times=_times(ratings.seconds[answers]),
        tenths=tenths,
        no_drift=no_drift,
    )


def _of_person(pairs: Ratings, pk: int) -> Values:
    """This person's value of every pair; NaN where they gave none."""
    is_theirs = (pairs.annotator == pk) & pairs.is_answered
    own_values = np.where(is_theirs, pairs.values, 0.0).sum(axis=0)
    return np.where(is_theirs.any(axis=0), own_values, np.nan)


def _others(everybody: _Everybody, own_values: Values) -> tuple[Values, npt.NDArray[np.int_]]:
    """The mean of the other raters' values of the pairs that the person rated, and their number."""
    rated = ~np.isnan(own_values)
    number = np.where(rated, everybody.number - 1, 0)
    total = everybody.total - np.nan_to_num(own_values)
    return total / np.maximum(number, 1), number


def _upheld(pairs: Ratings, everybody: _Everybody, own_values: Values) -> Upheld:
    decided = everybody.was_decided & ~np.isnan(own_values)
    number, upheld = int(decided.sum()), int((decided & (pairs.gold == own_values)).sum())
    return Upheld(number, upheld, binomial_interval(upheld, number) if number else None)


def _times(seconds: Values) -> Times | None:
    recorded = seconds[seconds > 0]
    if not recorded.size:
        return None
    return Times(recorded.size, *np.percentile(recorded, [25, 50, 75]).tolist())


def _drift(pairs: Ratings, pk: int, own_values: Values) -> tuple[list[Tenth], str]:
    comparable = ~np.isnan(own_values) & ~np.isnan(pairs.gold)
    if comparable.sum() < LEAST_RATINGS:
        return [], f"fewer than {LEAST_RATINGS} ratings with gold"
    when = np.where(pairs.annotator == pk, pairs.given_at, 0.0).sum(axis=0)[comparable]
    if np.ptp(when) < AT_ONCE_SECONDS:
        return [], "all ratings carry one time"
    same = (pairs.gold == own_values)[comparable][np.argsort(when, kind="stable")]
    return [Tenth(part.size, int(part.sum())) for part in np.array_split(same, DECILES)], ""


def _matrix(pairs: Ratings, measure: str) -> dict[tuple[int, int], Two]:
    function = REGISTRY[measure].function
    # Few people: a small number for each two of them sorts many times faster than their ids.
    people = np.unique(pairs.annotator)
    person, rated = np.searchsorted(people, pairs.annotator), ~np.isnan(pairs.values)
    twos, values = [], []
    for seat, other_seat in permutations(range(len(pairs.values)), 2):
        both = np.flatnonzero(rated[seat] & rated[other_seat])
        twos.append((person[seat] * people.size + person[other_seat]).take(both))
        values.append(pairs.values[[seat, other_seat]].take(both, axis=1))
    if not values:
        return {}
    lists = np.hstack(values)
    two = np.concatenate(twos).astype(np.min_scalar_type(people.size**2))
    order = np.argsort(two, kind="stable")
    every_two, bounds = np.unique(two[order], return_index=True)
    return {
        (int(people[two_people // people.size]), int(people[two_people % people.size])): Two(
            columns.shape[1], function(*columns)
        )
        for two_people, columns in zip(
            every_two.tolist(), np.split(lists[:, order], bounds[1:], axis=1), strict=False
        )
    }
