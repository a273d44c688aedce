"""Who left out a pair that others of their batch rated.

A topic's raters hold its seats, and a seat is finished when each of its pairs has an answer. Where
a file says in which batch and seat an answer was given, only the people of a pair's batch can lack
one, and a seat that changed hands lacks none where one of its people rated the pair. Elsewhere a
topic is one batch, and each rater a seat. Where a file says how many answers a pair is to have,
nobody left it out: the lacking ones are still to come.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from formats.grouping import grouped
from formats.records import MAX_OVERLAP, NOT_RATED, Rating
from formats.whole_numbers import whole_number
from formats.words import listed

LISTED = 5
# A name of more digits is no number to anybody.
LARGEST_SEAT = 10**9


class SeatName(NamedTuple):
    """A seat of a topic's batch; where the file names no seats, each rater has one."""

    topic: str
    batch: str
    seat: str
    rater: str


def _seat_of(rating: Rating) -> SeatName:
    rater = "" if rating.seat else rating.rater
    return SeatName(rating.topic, rating.batch, rating.seat, rater)


def _order_of(seat: SeatName) -> tuple[bool, int]:
    """Seats by their numbers; others as they appear."""
    number = whole_number(seat.seat, most=LARGEST_SEAT)
    return number is not None, number or 0


def _raters_by_seat(ratings: Iterable[Rating]) -> dict[SeatName, list[str]]:
    """The people of each seat in the order in which they appear."""
    seats: dict[SeatName, list[str]] = {}
    for rating in ratings:
        raters = seats.setdefault(_seat_of(rating), [])
        if rating.rater not in raters:
            raters.append(rating.rater)
    return seats


def with_overlap(ratings: Iterable[Rating], overlap: int) -> list[Rating]:
    """The ratings, where the file names no overlap with this one; with that of the file for 0.

    A pair that more people rated waits for nobody.
    """
    all_ratings = list(ratings)
    if not overlap:
        return all_ratings
    counts = Counter((rating.topic, rating.document) for rating in all_ratings)
    return [
        rating
        if rating.overlap
        else rating._replace(overlap=max(overlap, counts[rating.topic, rating.document]))
        for rating in all_ratings
    ]


def completed_ratings(ratings: Iterable[Rating]) -> list[Rating]:
    """The ratings by topic, and "not rated" for each seat of a pair's batch without an answer.

    A batch with more raters than any batch has seats was rated by a crowd: nobody had to rate all
    of it, nothing is added, and what says so in the file is left out. Nor is anything added to a
    pair whose overlap the file names.
    """
    all_ratings = list(ratings)
    seats = _raters_by_seat(all_ratings)
    batches = grouped(((seat.topic, seat.batch), seat) for seat in seats)
    pairs: dict[str, dict[str, dict[str, Rating]]] = defaultdict(dict)
    for rating in all_ratings:
        pairs[rating.topic].setdefault(rating.document, {})[rating.rater] = rating
    # The seats of the batches in which the answers of a pair were given, in one order for all.
    appearance = {seat: number for number, seat in enumerate(seats)}
    seats_of: dict[tuple[str, frozenset[str]], list[SeatName]] = {}
    completed: list[Rating] = []
    for topic, documents in pairs.items():
        for pair in documents.values():
            names = frozenset(answer.batch for answer in pair.values())
            if (topic, names) not in seats_of:
                pair_seats = [seat for name in names for seat in batches[topic, name]]
                pair_seats.sort(key=lambda seat: (_order_of(seat), appearance[seat]))
                seats_of[topic, names] = pair_seats
            completed += _completed_pair(pair, seats_of[topic, names], seats)
    return completed


def _completed_pair(
    pair: dict[str, Rating], pair_seats: list[SeatName], seats: dict[SeatName, list[str]]
) -> list[Rating]:
    """The answers of a pair in the order of its seats, gaps among them."""
    by_seat = grouped((_seat_of(answer), answer) for answer in pair.values())
    is_crowd = len(pair_seats) > MAX_OVERLAP
    is_counted = any(answer.overlap for answer in pair.values())
    first = next(iter(pair.values()))
    completed: dict[str, Rating] = {}
    for seat in pair_seats:
        answers = by_seat[seat]
        completed |= {answer.rater: answer for answer in answers}
        if answers or is_crowd or is_counted:
            continue
        # Files do not say who held the seat when. Who is named last stands for it, unless they
        # rated the pair in another seat.
        free = [rater for rater in seats[seat] if rater not in pair and rater not in completed]
        if free:
            gap = Rating(
                first.topic, first.document, free[-1], None, NOT_RATED, "", "", first.place
            )
            completed[gap.rater] = gap._replace(batch=seat.batch, seat=seat.seat)
    answered = [answer for answer in completed.values() if not (is_crowd and _is_gap(answer))]
    return answered or list(completed.values())


def _is_gap(rating: Rating) -> bool:
    return rating.grade is None and rating.reason in ("", NOT_RATED)


def handover_notes(ratings: Iterable[Rating]) -> list[str]:
    """A note on seats with several people: each is a rater of what they rated."""
    people: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for rating in ratings:
        if rating.seat and not _is_gap(rating):
            people[rating.batch or rating.topic, rating.seat][rating.rater] = None
    shared = {place: raters for place, raters in people.items() if len(raters) > 1}
    if not shared:
        return []
    seats = [
        f"seat {seat} of {batch} ({', '.join(raters)})" for (batch, seat), raters in shared.items()
    ]
    return [
        f"Seats with several people: {listed(seats, LISTED, '; ')}. Each person comes in with the "
        "pairs that they rated, in a batch for each set of people. That a seat changed hands is "
        "not kept."
    ]
