"""Consensus rules: pure functions from the answers of a pair to what becomes of it.

An answer is a `Decimal` value, or `None` for "cannot judge". Rules compare values, never options.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from formats.decimals import printed_grade

Answers = Sequence[Decimal | None]


@dataclass(frozen=True)
class Verdict:
    """A rule's verdict on a complete set of answers; `value` is the consensus if they agree."""

    agreed: bool
    value: Decimal | None = None


DISPUTED = Verdict(agreed=False)


def any_difference(answers: Answers, distance: Decimal | None = None) -> Verdict:
    """Agreed when every seat gave the same value."""
    if None in answers or len(set(answers)) != 1:
        return DISPUTED
    return Verdict(agreed=True, value=answers[0])


def difference_of_at_least(answers: Answers, distance: Decimal | None = None) -> Verdict:
    """Disputed when two values lie `distance` or more apart; else the lower median is consensus.

    The lower median of an even number of values is one that somebody gave, and is the same for
    every order of the seats.
    """
    values = sorted(value for value in answers if value is not None)
    if len(values) < len(answers):
        return DISPUTED
    if distance is None:
        raise ValueError("the rule needs a distance")
    if values[-1] - values[0] >= distance:
        return DISPUTED
    return Verdict(agreed=True, value=values[(len(values) - 1) // 2])


def majority(answers: Answers, distance: Decimal | None = None) -> Verdict:
    """Agreed when more than half of all seats gave one value; "cannot judge" counts as a seat."""
    counts = Counter(value for value in answers if value is not None)
    for value, count in counts.items():
        if 2 * count > len(answers):
            return Verdict(agreed=True, value=value)
    return DISPUTED


def adjudicate_all(answers: Answers, distance: Decimal | None = None) -> Verdict:
    """Never agreed: an adjudicator decides every pair."""
    return DISPUTED


Rule = Callable[[Answers, Decimal | None], Verdict]

RULES: dict[str, Rule] = {
    "any_difference": any_difference,
    "difference_of_at_least": difference_of_at_least,
    "majority": majority,
    "adjudicate_all": adjudicate_all,
}

IN_WORDS = {
    "any_difference": "Any difference between the values goes to an adjudicator.",
    "difference_of_at_least": (
        "Values that lie {distance} or more apart go to an adjudicator; "
        "otherwise the lower median is the gold value."
    ),
    "majority": (
        "The value that more than half of the seats gave is gold; "
        "where there is none, an adjudicator decides."
    ),
    "adjudicate_all": "An adjudicator decides every pair.",
}


# A rule of distances needs values with an order.
OF_AN_ORDER = {"difference_of_at_least"}


def in_words(rule: str, *distances: Decimal | None) -> str:
    """The rule as a sentence for screens and reports; `distances` are those of the scales."""
    shown = [printed_grade(distance) for distance in distances if distance]
    several = f"the distance of their scale ({', '.join(shown)})"
    return IN_WORDS[rule].format(
        distance=several if len(set(shown)) > 1 else next(iter(shown), "a set distance")
    )


def judge(answers: Answers, *, rule: str, distance: Decimal | None = None) -> Verdict:
    """Apply a rule to the answers of all seats of a pair, in any order.

    Raises ValueError when there are no answers, since nothing can be agreed by nobody.
    """
    if not answers:
        raise ValueError("a verdict needs the answers of all seats")
    return RULES[rule](answers, distance)
