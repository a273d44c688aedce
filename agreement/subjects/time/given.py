"""Answers and decisions by time: their pace by the day, and their periods.

Active seconds are what the workbench counts while a pair is in view and in use; those of a pair
that was looked at again are of all looks together.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Self

import numpy as np
import numpy.typing as npt

from agreement.statistics.arrays import Values
from agreement.study.ratings import AT_ONCE_SECONDS, Ratings
from agreement.study.rows import Ids, Mask

HOUR = 3600
DAY = 24 * HOUR
RECENT_DAYS = 14
# Two answers of a person that are closer came from a file, unless a time is recorded with them.
OF_FILE_SECONDS = 1.0
# A longer study is shown by the week.
MOST_DAYS = 92

Days = npt.NDArray[np.int64]  # since 1970, in UTC


@dataclass(frozen=True)
class Spent:
    """Time recorded with answers: `timed` of them have one, of `seconds` in all.

    The pace is of those alone.
    """

    answers: int
    timed: int
    seconds: float
    median_seconds: float | None

    @property
    def untimed(self) -> int:
        return self.answers - self.timed

    @property
    def hours(self) -> float | None:
        return self.seconds / HOUR if self.timed else None

    @property
    def mean_seconds(self) -> float | None:
        return self.seconds / self.timed if self.timed else None

    @property
    def per_hour(self) -> float | None:
        return self.timed / (self.seconds / HOUR) if self.timed else None


@dataclass(frozen=True)
class Recent:
    """The number given on the calendar days `since` to `until`, both included: the two weeks up to
    the last one, or less if the first was later. Days without any count too."""

    since: date
    until: date
    given: int

    @property
    def days(self) -> int:
        return (self.until - self.since).days + 1

    @property
    def per_day(self) -> float:
        return self.given / self.days


@dataclass(frozen=True)
class Period:
    """A day, or a week from its Monday: the answers given in it, by how many people, and the
    hours recorded with them; and the decisions."""

    start: date
    answers: int
    people: int
    hours: float
    decisions: int


@dataclass(frozen=True)
class Given:
    """Answers or decisions, one to an element: by whom, when (seconds since 1970), and the active
    seconds of answers.

    Those that are not live came within a second of another of the same person and without a
    recorded time, which nobody does and an import does.
    """

    person: Ids
    when: Values
    seconds: Values
    is_live: Mask

    @classmethod
    def of_answers(cls, ratings: Ratings) -> Self:
        answered = ratings.is_answered
        person, when = ratings.annotator[answered], ratings.given_at[answered]
        seconds = ratings.seconds[answered]
        return cls(person, when, seconds, _is_live(person, when, seconds))

    @classmethod
    def of_decisions(cls, ratings: Ratings) -> Self:
        decided = ratings.is_decided
        person, when = ratings.adjudicator[decided], ratings.decided_at[decided]
        seconds = np.zeros(len(person))
        return cls(person, when, seconds, _is_live(person, when, seconds))

    def only(self, mask: Mask) -> Self:
        columns = (self.person[mask], self.when[mask], self.seconds[mask], self.is_live[mask])
        return type(self)(*columns)

    @property
    def live(self) -> Self:
        return self.only(self.is_live)

    @property
    def days(self) -> Days:
        return (self.when // DAY).astype(np.int64)

    @property
    def recent(self) -> Recent | None:
        """None where all came at once, as what a script fills in does: that is no pace."""
        live = self.live
        if not live.when.size or np.ptp(live.when) < AT_ONCE_SECONDS:
            return None
        last = int(live.days.max())
        first = max(int(live.days.min()), last - RECENT_DAYS + 1)
        return Recent(_date(first), _date(last), int((live.days >= first).sum()))


def _is_live(person: Ids, when: Values, seconds: Values) -> Mask:
    order = np.lexsort((when, person))
    close = np.zeros(len(order) + 1, dtype=bool)
    close[1:-1] = (np.diff(person[order]) == 0) & (np.diff(when[order]) < OF_FILE_SECONDS)
    live = np.empty(len(order), dtype=bool)
    live[order] = ~(close[1:] | close[:-1])
    return live | (seconds > 0)


def spent_of(seconds: Values) -> Spent:
    recorded = seconds[seconds > 0]
    median = float(np.median(recorded)) if recorded.size else None
    return Spent(len(seconds), recorded.size, float(recorded.sum()), median)


def periods_of(answers: Given, decisions: Given) -> tuple[list[Period], bool]:
    """Every day from the first to the last with a live answer or decision, and whether they are
    weeks instead."""
    answers, decisions = answers.live, decisions.live
    days = np.concatenate([answers.days, decisions.days])
    if not days.size:
        return [], False
    by_week = bool(np.ptp(days) >= MOST_DAYS)
    length = 7 if by_week else 1
    # Day 0 was a Thursday, so the Monday of its week is day -3.
    first = (int(days.min()) + 3) // 7 * 7 - 3 if by_week else int(days.min())
    number = (int(days.max()) - first) // length + 1
    place = (answers.days - first) // length
    people, person = np.unique(answers.person, return_inverse=True)
    # Whole numbers in place of rows: a period and a person.
    present = np.unique(place * (len(people) + 1) + person) // (len(people) + 1)
    columns = (
        np.bincount(place, minlength=number),
        np.bincount(present, minlength=number),
        np.bincount(place, weights=answers.seconds, minlength=number) / HOUR,
        np.bincount((decisions.days - first) // length, minlength=number),
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [Period(_date(first + place * length), *row) for place, row in enumerate(rows)], by_week


def _date(day: int) -> date:
    return datetime.fromtimestamp(day * DAY, UTC).date()
