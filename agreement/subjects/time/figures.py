"""The time spent on rating, and the time left.

What was done follows every filter. What is left follows facet, query and batch alone, since the
others choose pairs by ratings that they have.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

import numpy as np

from agreement.study.filters import ALL, Filters
from agreement.study.ratings import Ratings
from agreement.study.selection import Selection, kept
from agreement.subjects.overview.report import facet_names
from agreement.subjects.time.given import HOUR, Given, Period, Recent, Spent, periods_of, spent_of
from agreement.subjects.time.seats import OpenSeat, left_in, open_seats_of

# Of fewer answers with a recorded time a person's own mean says nothing; the study's stands in.
LEAST_TIMED = 10
# Beyond, a date would pretend to know something.
FARTHEST_DAYS = 3650


@dataclass(frozen=True)
class Forecast:
    """`answers_left` to give, at `seconds_each`: the own mean where `is_own`, else the study's;
    None where nobody's time is recorded. `ends_on` is None where nothing is left, where there is
    no pace by the day, and where it would be more than ten years away."""

    answers_left: int
    seconds_each: float | None
    is_own: bool
    recent: Recent | None
    ends_on: date | None

    @property
    def hours(self) -> float | None:
        return None if self.seconds_each is None else self.answers_left * self.seconds_each / HOUR


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
    answers_left: int


@dataclass(frozen=True)
class Decided:
    """An adjudicator's standing decisions."""

    pk: int
    decisions: int
    recent: Recent | None


@dataclass(frozen=True)
class TimeReport:
    """`free` is of seats that nobody holds, `whole` of everything handed out. `waiting` pairs are
    in no batch, so that nobody has been asked; with the scheme's overlap they are
    `waiting_answers`. `of_file` answers came as those of an import do, many at a moment and
    without a time, and so did `decisions_of_file`: they are in no pace by the day and in no
    period. `undecided` pairs wait for an adjudicator, until `decided_by` at the pace of
    `decisions_recent`.
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
    decisions_of_file: int
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
    """Of a batch that is withheld from the viewer, only their own seat counts.

    Takes the same number of statements whatever the size.
    """
    to_rate = Filters(query=selection.filters.query, batch=selection.filters.batch)
    whole = to_rate.chosen(selection.everything, selection.choices)
    chosen = _of_facet(whole, selection.filters.facet)
    seats = open_seats_of(whole, selection.member)
    answers, decisions = Given.of_answers(selection.chosen), Given.of_decisions(selection.chosen)
    today = selection.everything.read_at.date()
    spent, recent = spent_of(answers.seconds), answers.recent
    people = _people(selection, seats, answers, spent, today)
    nothing = spent_of(np.empty(0))
    free = _forecast(left_in(seats, None, selection.filters.facet), nothing, spent, recent, today)
    waiting = int((chosen.batch == 0).sum())
    undecided = int((chosen.is_finished & (chosen.origin == 0)).sum())
    periods, by_week = periods_of(answers, decisions)
    return TimeReport(
        people=people,
        spent=spent,
        free=free,
        whole=_together(people, free, recent, today),
        facets=_facets(selection, seats),
        waiting=waiting,
        waiting_answers=waiting * selection.collection.scheme.overlap,
        withheld_batches=np.unique(chosen.batch[chosen.is_withheld]).size,
        of_file=int((~answers.is_live).sum()),
        decisions_of_file=int((~decisions.is_live).sum()),
        periods=periods,
        by_week=by_week,
        adjudicators=[
            Decided(pk, theirs.person.size, theirs.recent)
            for pk in np.unique(decisions.person).tolist()
            for theirs in [decisions.only(decisions.person == pk)]
        ],
        decisions_recent=decisions.recent,
        undecided=undecided,
        decided_by=_end(today, undecided, decisions.recent),
    )


def _people(selection, seats, answers, spent, today) -> list[Person]:
    people = []
    for pk in (member.pk for member in selection.choices.annotators.values()):
        own_answers = answers.only(answers.person == pk)
        pairs_left = left_in(seats, pk, selection.filters.facet)
        hidden = sum(
            seat.unanswered is None
            for seat in seats
            if seat.holder == pk and selection.filters.facet in (ALL, *seat.facets)
        )
        if own_answers.person.size or pairs_left or hidden:
            spent_by_them = spent_of(own_answers.seconds)
            people.append(
                Person(
                    pk,
                    spent_by_them,
                    _forecast(pairs_left, spent_by_them, spent, own_answers.recent, today),
                    hidden,
                )
            )
    return people


def _forecast(
    answers_left: int, theirs: Spent, study: Spent, recent: Recent | None, today: date
) -> Forecast:
    is_own = theirs.timed >= LEAST_TIMED
    each = theirs.mean_seconds if is_own else study.mean_seconds
    return Forecast(answers_left, each, is_own, recent, _end(today, answers_left, recent))


def _end(today: date, answers_left: int, recent: Recent | None) -> date | None:
    if not answers_left or recent is None:
        return None
    days = ceil(answers_left / recent.per_day)
    return today + timedelta(days=days) if days <= FARTHEST_DAYS else None


def _together(
    people: Sequence[Person], free: Forecast, recent: Recent | None, today: date
) -> Forecast:
    """The study ends when everything could be done at its own pace, and not before the last of
    its people; without a date where one of them has none for being too far."""
    parts = [*(person.forecast for person in people), free]
    answers_left = sum(part.answers_left for part in parts)
    each = free.seconds_each
    if answers_left and each is not None:
        each = sum(part.hours or 0.0 for part in parts) * HOUR / answers_left
    ends = [_end(today, answers_left, recent)]
    ends += [part.ends_on for part in parts if part.answers_left and part.recent]
    known = [end for end in ends if end]
    return Forecast(
        answers_left, each, True, recent, max(known) if len(known) == len(ends) else None
    )


def _of_facet(ratings: Ratings, facet: str) -> Ratings:
    if facet == ALL:
        return ratings
    return ratings.of_topics(
        [number for number, topic in enumerate(ratings.topics) if topic.facet == facet]
    )


def _facets(selection: Selection, seats: Sequence[OpenSeat]) -> list[FacetTime]:
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
            spent_of(ratings.seconds[ratings.is_answered & (of_pair == codes[key])]),
            sum(seat.unanswered[key] for seat in seats if seat.unanswered),
        )
        for key, name in names.items()
    ]
