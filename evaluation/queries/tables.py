"""The statistics as rows of tables and bars: templates only print them."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from evaluation.queries.reports import heat_of, shown
from evaluation.queries.statistics import Part
from evaluation.scores import Histogram


def tables(parts: list[Part], scale: tuple[int, ...]) -> dict:
    """The tables beside the parts: shares of values per part, a histogram per part that has scores,
    and the same histograms by their steps."""
    histograms = [
        (part, bars(part.scores), ticks(part.scores))
        for part in parts
        if part.scores and part.scored
    ]
    return {
        "value_rows": [(part, value_cells(part, scale)) for part in parts],
        "histograms": histograms,
        "steps": list(zip(*(counts for _, counts, _ in histograms), strict=True)),
    }


@dataclass(frozen=True)
class Share:
    """Pairs with one value: how many, their percentage, and their piece of a stacked bar."""

    label: str
    count: int
    percent: str
    x: str
    width: str
    heat: str


def value_cells(part: Part, scale: tuple[int, ...]) -> list[Share]:
    """One for each value, as shares of the pairs that have one."""
    shares, done = [], 0
    for value, count in part.values.items():
        share = Fraction(count, part.valued) if part.valued else Fraction(0)
        shares.append(
            Share(
                label=shown(value),
                count=count,
                percent=f"{float(100 * share):.1f}%" if part.valued else "",
                x=f"{100 * done / part.valued if part.valued else 0:.2f}%",
                width=f"{float(100 * share):.2f}%",
                heat=heat_of(value, scale),
            )
        )
        done += count
    return shares


@dataclass(frozen=True)
class Bar:
    """A step of a histogram. `x`, `y`, `width` and `height` are percentages of the drawing."""

    span: str
    count: int
    percent: str
    x: str
    y: str
    width: str
    height: str
    is_relevant: bool


# Room between two bars, in percent of the drawing's width.
GAP = 0.6


def bars(scores: Histogram) -> list[Bar]:
    """The steps of a histogram that counts anything."""
    counts, borders = scores.counts, scores.borders
    most, total, width = max(counts), sum(counts), 100 / len(counts)
    return [
        Bar(
            span=_span(low, high, is_last=number == len(counts) - 1),
            count=count,
            percent=f"{100 * count / total:.1f}%",
            x=f"{number * width + GAP / 2:.2f}%",
            y=f"{100 - 100 * count / most:.2f}%",
            width=f"{width - GAP:.2f}%",
            height=f"{100 * count / most:.2f}%",
            is_relevant=low >= 1,
        )
        for number, (count, low, high) in enumerate(zip(counts, borders, borders[1:], strict=False))
    ]


def _span(low, high, *, is_last):
    """0 to below 0.1; the last step has its upper border too."""
    return f"{float(low):g} to {'' if is_last else 'below '}{float(high):g}"


def ticks(scores: Histogram) -> list[tuple[str, str]]:
    """(x in percent, label) of the whole numbers on the scale of a histogram."""
    low, high = scores.borders[0], scores.borders[-1]
    return [
        (f"{float(100 * (number - low) / (high - low)):.2f}%", str(number))
        for number in range(ceil(low), floor(high) + 1)
    ]
