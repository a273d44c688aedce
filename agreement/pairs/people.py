"""Lists of pairs that somebody rated or decided, and of when; people are named by pseudonym."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import numpy as np

from agreement.pairs.made import ANNOTATORS, TIME, Made, Maker, listed, wrong
from agreement.statistics import extremes
from agreement.study.counted import finished_of
from agreement.study.ratings import Ratings
from agreement.study.rows import ADJUDICATED, Mask
from agreement.study.selection import Selection
from datasets.models import Membership
from datasets.pseudonyms import pseudonym


def _annotator(selection: Selection, key: str) -> Membership:
    member = selection.choices.annotators.get(key)
    if member is None:
        raise wrong(key, "an annotator's pseudonym")
    return member


def _answers(words: str, choose: Callable[[Ratings], Mask]) -> Maker:
    """Pairs that have such an answer of the annotator, whose name stands in the words."""

    def make(selection: Selection, cell: str) -> Made:
        member, ratings = _annotator(selection, cell), selection.chosen
        answers = ratings.is_answered & (ratings.annotator == member.pk) & choose(ratings)
        mask = np.asarray(answers.any(axis=0))
        return listed(selection, ANNOTATORS, words.format(member.name), ratings, mask)

    return make


def _two(selection: Selection, cell: str) -> Made:
    """Pairs that two people gave values: "A-AAAAAA,A-BBBBBB", and with ",differ" different ones."""
    keys = cell.split(",")
    if len(keys) not in (2, 3) or keys[2:] not in ([], ["differ"]):
        raise wrong(cell, "two pseudonyms, and differ or nothing")
    members = [_annotator(selection, key) for key in keys[:2]]
    pairs = _finished(selection)
    both_values = [
        np.where((pairs.annotator == member.pk) & ~np.isnan(pairs.values), pairs.values, -np.inf)
        for member in members
    ]
    both_values = [values.max(axis=0, initial=-np.inf) for values in both_values]
    mask = np.isfinite(both_values[0]) & np.isfinite(both_values[1])
    words = f"{members[0].name} and {members[1].name}"
    if keys[2:]:
        mask, words = mask & (both_values[0] != both_values[1]), f"{words} differ"
    return listed(selection, ANNOTATORS, words, pairs, np.asarray(mask))


def _upheld(selection: Selection, cell: str) -> Made:
    """Pairs that an adjudicator gave the annotator's value where the raters differed."""
    member = _annotator(selection, cell)
    pairs = _finished(selection)
    is_rated = (pairs.annotator == member.pk) & pairs.is_answered
    lowest, highest = extremes(pairs.values)
    mask = (is_rated & (pairs.values == pairs.gold)).any(axis=0)
    mask &= (highest > lowest) & (pairs.origin == ADJUDICATED)
    return listed(selection, ANNOTATORS, f"{member.name} upheld", pairs, np.asarray(mask))


def _finished(selection: Selection) -> Ratings:
    return finished_of(selection.chosen, selection.filters.cannot_judge).ratings


def _decisions(selection: Selection, cell: str) -> Made:
    members = Membership.objects.filter(collection=selection.collection, is_adjudicator=True)
    member_of = {pseudonym(selection.collection, member): member for member in members}
    if cell not in member_of:
        raise wrong(cell, "an adjudicator's pseudonym")
    ratings = selection.chosen
    mask = ratings.is_decided & (ratings.adjudicator == member_of[cell].pk)
    return listed(selection, TIME, f"decided by {member_of[cell].name}", ratings, mask)


def _undecided(selection: Selection, cell: str) -> Made:
    ratings = selection.chosen
    mask = ratings.is_finished & (ratings.origin == 0)
    return listed(selection, "agreement:queries", "to decide", ratings, mask)


def _to_rate(selection: Selection) -> Ratings:
    """The pairs of which the page of time says what is left: not chosen by their ratings."""
    filters = replace(selection.filters, annotator="", since=None, until=None, version=None)
    return filters.chosen(selection.everything, selection.choices)


def _to_decide(selection: Selection, cell: str) -> Made:
    ratings = _to_rate(selection)
    mask = ratings.is_finished & (ratings.origin == 0)
    return listed(selection, TIME, "to decide", ratings, mask)


def _waiting(selection: Selection, cell: str) -> Made:
    ratings = _to_rate(selection)
    return listed(selection, TIME, "in no batch", ratings, ratings.batch == 0)


def _period(selection: Selection, cell: str) -> Made:
    """Pairs answered in a period, both days included: "2026-11-01,2026-11-07"."""
    try:
        first, last = (date.fromisoformat(day) for day in cell.split(","))
    except ValueError:
        raise wrong(cell, "two days such as 2026-11-01,2026-11-07") from None
    begin, end = (
        datetime.combine(day, time(), UTC).timestamp() for day in (first, last + timedelta(days=1))
    )
    ratings = selection.chosen
    in_period = ratings.is_answered & (ratings.given_at >= begin) & (ratings.given_at < end)
    words = f"rated on {first}" if first == last else f"rated from {first} to {last}"
    return listed(selection, TIME, words, ratings, np.asarray(in_period.any(axis=0)))


LISTS: dict[str, Maker] = {
    "answers": _answers("rated by {}", lambda ratings: ratings.is_answered),
    "skips": _answers("{} cannot judge", lambda ratings: ratings.option == 0),
    "flagged-by": _answers("flagged by {}", lambda ratings: ratings.is_flagged),
    "two": _two,
    "upheld": _upheld,
    "decisions": _decisions,
    "undecided": _undecided,
    "to-decide": _to_decide,
    "waiting": _waiting,
    "period": _period,
}
