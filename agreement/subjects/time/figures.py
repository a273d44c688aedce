"""How long rating takes, and how much of it is left.

What was done follows every filter. What is left follows facet, query and batch alone, since the
others choose pairs by ratings that they have.

Active seconds are what the workbench counts while a pair is in view and in use; those of a pair
that was looked at again are of all looks together.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from math import ceil
from typing import Self

import numpy as np
import numpy.typing as npt
from django.db.models import Q

from agreement.statistics.lists import Values
from agreement.study.filters import ALL
from agreement.study.ratings import Ids, Mask, Ratings
from agreement.study.selection import Selection, kept
from agreement.subjects.overview.course import AT_ONCE_SECONDS
from agreement.subjects.overview.report import facet_names
from annotation.models import Rating, Seat

HOUR = 3600
DAY = 24 * HOUR
# Of fewer answers with a recorded time a person's own mean says nothing; the study's stands in.
LEAST_TIMED = 10
RECENT_DAYS = 14
# Beyond, a date would pretend to know something.
FARTHEST_DAYS = 3650
# Two answers of a person that are closer came from a file, unless a time is recorded with them.
OF_FILE_SECONDS = 1.0
# A longer study is told by the week.
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
    """How many were given on the calendar days `since` to `until`, both included: the two weeks up
    to the last one, or less where the first was later. Days without any count too."""

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
class Forecast:
    """`left` answers to give, at `seconds_each`: the own mean where `is_own`, else the study's;
    None where nobody's time is recorded. `ends_on` is None where nothing is left, where there is
    no pace by the day, and where it would be more than ten years away."""

    left: int
    seconds_each: float | None
    is_own: bool
    recent: Recent | None
    ends_on: date | None

    @property
    def hours(self) -> float | None:
        return None if self.seconds_each is None else self.left * self.seconds_each / HOUR


@dataclass(frozen=True)
class Person:
    """`withheld_seats` are held in batches of which the viewer may know nothing."""

    pk: int
    spent: Spent
    forecast: Forecast
    withheld_seats: int


@dataclass(frozen=True)
class FacetTime:
    key: str
    name: str
    spent: Spent
    left: int


@dataclass(frozen=True)
class Decided:
    """An adjudicator's standing decisions."""

    pk: int
    decisions: int
    recent: Recent | None


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
class TimeReport:
    """`free` is of seats that nobody holds, `whole` of everything handed out. `waiting` pairs are
    in no batch, so that nobody has been asked; with the scheme's overlap they are
    `waiting_answers`. `of_file` answers came as those of an import do, many at a moment and
    without a time: they are in no pace by the day and in no period. `undecided` pairs wait for
    an adjudicator, until `decided_by` at the pace of `decisions_recent`.
    """

    people: list[Person]
    spent: Spent
    free: Forecast
    whole: Forecast
    facets: list[FacetTime]
    waiting: int
    waiting_answers: int
    withheld_batches: int
    of_file: int
    periods: list[Period]
    by_week: bool
    adjudicators: list[Decided]
    decisions_recent: Recent | None
    undecided: int
    decided_by: date | None

    @property
    def waiting_hours(self) -> float | None:
        each = self.spent.mean_seconds
        return None if each is None else self.waiting_answers * each / HOUR


@kept
def time_of(selection: Selection) -> TimeReport:
    """Of batches that are withheld from the viewer nothing but their own seat is told.

    Takes the same number of statements whatever the size.
    """
    to_rate = replace(
        selection.filters, facet=ALL, annotator="", since=None, until=None, version=None
    )
    whole = to_rate.chosen(selection.everything, selection.choices)
    chosen = _of_facet(whole, selection.filters.facet)
    seats = _open_seats(whole, selection.member)
    given, decided = _Given.of_answers(selection.chosen), _Given.of_decisions(selection.chosen)
    today = selection.everything.read_at.date()
    spent, recent = _spent(given.seconds), given.recent
    people = _people(selection, seats, given, spent, today)
    free = _forecast(_left(seats, None, selection.filters.facet), spent, spent, recent, today)
    waiting = int((chosen.batch == 0).sum())
    undecided = int((chosen.is_finished & (chosen.origin == 0)).sum())
    periods, by_week = _periods(given, decided)
    return TimeReport(
        people=people,
        spent=spent,
        free=free,
        whole=_together(people, free, recent, today),
        facets=_facets(selection, seats),
        waiting=waiting,
        waiting_answers=waiting * selection.collection.scheme.overlap,
        withheld_batches=np.unique(chosen.batch[chosen.is_withheld]).size,
        of_file=int((~given.is_live).sum()),
        periods=periods,
        by_week=by_week,
        adjudicators=[
            Decided(pk, own.person.size, own.recent)
            for pk in np.unique(decided.person).tolist()
            for own in [decided.only(decided.person == pk)]
        ],
        decisions_recent=decided.recent,
        undecided=undecided,
        decided_by=_end(today, undecided, decided.recent),
    )


def _people(selection, seats, given, spent, today) -> list[Person]:
    people = []
    for pk in (member.pk for member in selection.choices.annotators.values()):
        mine = given.only(given.person == pk)
        left = _left(seats, pk, selection.filters.facet)
        hidden = sum(
            seat.left is None
            for seat in seats
            if seat.holder == pk and selection.filters.facet in (ALL, *seat.facets)
        )
        if mine.person.size or left or hidden:
            spent_by_them = _spent(mine.seconds)
            people.append(
                Person(
                    pk,
                    spent_by_them,
                    _forecast(left, spent_by_them, spent, mine.recent, today),
                    hidden,
                )
            )
    return people


def _forecast(
    left: int, theirs: Spent, study: Spent, recent: Recent | None, today: date
) -> Forecast:
    is_own = theirs.timed >= LEAST_TIMED
    each = theirs.mean_seconds if is_own else study.mean_seconds
    return Forecast(left, each, is_own, recent, _end(today, left, recent))


@dataclass(frozen=True)
class _Given:
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
        given = ratings.is_answered
        person, when = ratings.annotator[given], ratings.given_at[given]
        seconds = ratings.seconds[given]
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


def _spent(seconds: Values) -> Spent:
    recorded = seconds[seconds > 0]
    median = float(np.median(recorded)) if recorded.size else None
    return Spent(len(seconds), recorded.size, float(recorded.sum()), median)


def _end(today: date, left: int, recent: Recent | None) -> date | None:
    if not left or recent is None:
        return None
    days = ceil(left / recent.per_day)
    return today + timedelta(days=days) if days <= FARTHEST_DAYS else None


def _together(
    people: Sequence[Person], free: Forecast, recent: Recent | None, today: date
) -> Forecast:
    """The study ends when everything could be done at its own pace, and not before the last of
    its people."""
    parts = [*(person.forecast for person in people), free]
    left = sum(part.left for part in parts)
    each = free.seconds_each
    if left and each is not None:
        each = sum(part.hours or 0.0 for part in parts) * HOUR / left
    end = _end(today, left, recent)
    ends = [part.ends_on for part in parts if part.ends_on]
    return Forecast(left, each, True, recent, max([end, *ends]) if end else None)


def _of_facet(ratings: Ratings, facet: str) -> Ratings:
    if facet == ALL:
        return ratings
    return ratings.of_topics(
        [number for number, topic in enumerate(ratings.topics) if topic.facet == facet]
    )


@dataclass(frozen=True)
class _OpenSeat:
    """A seat that is not handed in, or may not be: who holds it (None for nobody), and its pairs
    without an answer by facet; None where the viewer may not know."""

    holder: int | None
    facets: frozenset[str]
    left: Counter | None


def _left(seats: Sequence[_OpenSeat], holder: int | None, facet: str) -> int:
    return sum(
        number
        for seat in seats
        if seat.holder == holder and seat.left
        for key, number in seat.left.items()
        if facet in (ALL, key)
    )


def _open_seats(ratings: Ratings, member) -> list[_OpenSeat]:
    """Those with any of the pairs. In a batch that is withheld from the lead `member` they know of
    their own seat and of what they themselves rated in it, as on the collection's overview."""
    order = np.argsort(ratings.batch, kind="stable")
    batches, starts = np.unique(ratings.batch[order], return_index=True)
    pairs_of = dict(zip(batches.tolist(), np.split(order, starts[1:]), strict=True))
    facets = np.array([topic.facet for topic in ratings.topics], dtype=object)
    withheld = np.unique(ratings.batch[ratings.is_withheld]).tolist()
    rated_by_viewer = _own_pairs(member)
    open_seats = []
    for batch, ordinal, holder in (
        Seat.objects.filter(batch__collection=member.collection_id)
        # Where progress is withheld, a seat that is handed in must look like one that is not.
        .filter(Q(handed_in_at=None) | Q(batch__in=withheld))
        .order_by("batch", "ordinal")
        .values_list("batch", "ordinal", "holder")
    ):
        pairs = pairs_of.get(batch)
        if pairs is None:
            continue
        of_pair = facets[ratings.topic[pairs]]
        unrated = np.ones(len(pairs), dtype=bool)
        is_told = True
        if ratings.is_withheld[pairs[0]]:
            is_told = holder == member.pk
            unrated = ~np.isin(ratings.pair[pairs], rated_by_viewer)
        elif ordinal <= len(ratings.is_answered):
            unrated = ~ratings.is_answered[ordinal - 1, pairs]
        left = Counter(of_pair[unrated].tolist()) if is_told else None
        open_seats.append(_OpenSeat(holder, frozenset(of_pair.tolist()), left))
    return open_seats


def _own_pairs(member) -> Ids:
    """The pairs that the viewer rated in seats which they hold."""
    rated = Rating.objects.filter(annotator=member, seat__holder=member)
    return np.array(list(rated.values_list("pair", flat=True)), dtype=np.int64)


def _facets(selection: Selection, seats: Sequence[_OpenSeat]) -> list[FacetTime]:
    ratings = selection.of_all_facets
    names = facet_names(
        selection.collection, {topic.facet for topic in selection.everything.topics}
    )
    codes = {key: code for code, key in enumerate(names)}
    of_topic = np.array([codes.get(topic.facet, -1) for topic in ratings.topics], dtype=np.int64)
    of_pair = of_topic[ratings.topic]
    return [
        FacetTime(
            key,
            name,
            _spent(ratings.seconds[ratings.is_answered & (of_pair == codes[key])]),
            sum(seat.left[key] for seat in seats if seat.left),
        )
        for key, name in names.items()
    ]


def _periods(given: _Given, decided: _Given) -> tuple[list[Period], bool]:
    """Every day from the first to the last with a live answer or decision, and whether they are
    weeks instead."""
    given, decided = given.live, decided.live
    every = np.concatenate([given.days, decided.days])
    if not every.size:
        return [], False
    by_week = bool(np.ptp(every) >= MOST_DAYS)
    length = 7 if by_week else 1
    # Day 0 was a Thursday, so the Monday of its week is day -3.
    first = (int(every.min()) + 3) // 7 * 7 - 3 if by_week else int(every.min())
    number = (int(every.max()) - first) // length + 1
    place = (given.days - first) // length
    people, person = np.unique(given.person, return_inverse=True)
    # Whole numbers in place of rows: a period and a person.
    present = np.unique(place * (len(people) + 1) + person) // (len(people) + 1)
    columns = (
        np.bincount(place, minlength=number),
        np.bincount(present, minlength=number),
        np.bincount(place, weights=given.seconds, minlength=number) / HOUR,
        np.bincount((decided.days - first) // length, minlength=number),
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [Period(_date(first + place * length), *row) for place, row in enumerate(rows)], by_week


def _date(day: int) -> date:
    return datetime.fromtimestamp(day * DAY, UTC).date()
