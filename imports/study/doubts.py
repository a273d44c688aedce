"""What a dry run asks about grades that seem misread."""

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal

from annotation.models import Option
from formats.decimals import printed_grade
from formats.literals import decimal_of
from imports.study.terms import Terms

# Most of a pool is not relevant. If the top option has more than this share, the scale was read
# upside down, or needs a look.
SUSPICIOUS_SHARE = 0.5
MIN_FOR_SUSPICION = 20

# {literal: how often each rater gave it}, and what each stands for; None where that is open.
Literals = Mapping[str, Counter[str]]
Meanings = Mapping[str, Option | None]


def doubt(
    terms: Terms, scale: str, literals: Literals, option_of: Meanings
) -> dict[str, str] | None:
    """A question, and why it is asked, where a scale with an order seems misread."""
    values = sorted({option.value for option in terms.options(scale)})
    if not values or not terms.is_ordinal(scale):
        return None
    return _begins_above(values, option_of) or _is_upside_down(values, literals, option_of)


def _begins_above(values: list[Decimal], option_of: Meanings) -> dict[str, str] | None:
    """Numbers one above the scale at both ends, as stars are, of which one is read as it is."""
    number_of = {literal: decimal_of(literal) for literal in option_of}
    lowest, highest, numbers = values[0], values[-1], set(number_of.values())
    if lowest in numbers or highest + 1 not in numbers:
        return None
    if not any(option and option.value == number_of[name] for name, option in option_of.items()):
        return None
    least, first, above = map(printed_grade, (lowest, lowest + 1, highest + 1))
    return {
        "question": f"Do the grades begin at {first}?",
        "because": f"The files have {above}, which is above the scale, and no {least}. "
        f"Then {first} means {least}, and so on.",
    }


def _is_upside_down(
    values: list[Decimal], literals: Literals, option_of: Meanings
) -> dict[str, str] | None:
    """The highest option has most of the ratings."""
    total = sum(counts.total() for counts in literals.values())
    at_top = sum(
        counts.total()
        for literal, counts in literals.items()
        if (option := option_of[literal]) and option.value == values[-1]
    )
    if total < MIN_FOR_SUSPICION or at_top <= SUSPICIOUS_SHARE * total:
        return None
    return {
        "question": "Is the scale upside down?",
        "because": f"{at_top:,} of {total:,} grades read as the highest option. In a pool most "
        "documents are not relevant.",
    }
