"""The sizes of pools as bars, largest first."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

LEFT, WIDTH, BOTTOM, HEIGHT = 30.0, 530.0, 172.0, 154.0
# Between bars, as a share of their width.
GAP = 0.2


@dataclass(frozen=True)
class Bar:
    name: str
    count: int
    x: float
    y: float
    width: float
    height: float
    is_large: bool


@dataclass(frozen=True)
class SizesChart:
    """Bars of topics and lines of the axis, in the units of a picture 560 wide and 200 high."""

    bars: list[Bar]
    lines: list[tuple[int, float]]  # value, y
    median_y: float


def sizes_chart(counts: Mapping[str, int], *, median: float, large: Collection[str]) -> SizesChart:
    """The chart of {topic: number of documents}."""
    top = max(counts.values(), default=0) or 1
    scale = HEIGHT / top
    step = WIDTH / max(len(counts), 1)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    bars = [
        Bar(
            name,
            count,
            round(LEFT + place * step, 1),
            round(BOTTOM - count * scale, 1),
            round(step * (1 - GAP), 2),
            round(count * scale, 1),
            name in large,
        )
        for place, (name, count) in enumerate(ordered)
    ]
    unit = _unit(top)
    lines = [(value, round(BOTTOM - value * scale, 1)) for value in range(0, top + 1, unit)]
    return SizesChart(bars, lines, round(BOTTOM - median * scale, 1))


def _unit(top: int) -> int:
    """1, 2, 5, 10 or another round number, of which at most five fit into `top`."""
    unit = 1
    while top / unit > 5:
        unit = unit * 5 // 2 if str(unit)[0] == "2" else unit * 2
    return unit
