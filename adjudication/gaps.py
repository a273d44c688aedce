"""The distance between the ratings of a pair, in words."""

from dataclasses import dataclass
from decimal import Decimal

from adjudication.scale import Scale

NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]


# The keys of gaps with the words of their filters.
GAPS = {
    "same": "Same grade",
    "one": "1 apart",
    "more": "2 or more",
    "differ": "Different",
    "cannot-judge": "Cannot judge",
}


@dataclass(frozen=True)
class Gap:
    """The difference between the ratings of a pair: the key of its filter, and a headline."""

    key: str
    words: str


def gap_of(
    scale: Scale,
    *,
    lowest: Decimal | None,
    highest: Decimal | None,
    rating_count: int,
    cannot_judge_count: int,
) -> Gap:
    """The gap between `rating_count` answers with these values, some of them "cannot judge"."""
    if cannot_judge_count == rating_count:
        return Gap("cannot-judge", "Nobody can judge")
    if cannot_judge_count:
        return Gap("cannot-judge", f"{NUMBERS[cannot_judge_count]} cannot judge")
    steps = scale.steps(lowest, highest)
    if steps == 0:
        return Gap("same", "The same grade")
    if not scale.is_ordinal:
        return Gap("differ", "Different grades")
    return Gap("one" if steps == 1 else "more", apart(steps))


def apart(steps: int) -> str:
    count = NUMBERS[steps] if steps < len(NUMBERS) else str(steps)
    return f"{count} grade apart" if steps == 1 else f"{count} grades apart"
