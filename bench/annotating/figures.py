"""What was measured, the bars it is held to, and both as a report."""

import math
import os
import platform
from dataclasses import asdict, dataclass

FLOOR = "floor"
P50_TIMES, P95_TIMES = 3, 4  # of the floor's, at most
SHARE_OF_RATE = {"truncate": 0.7, "wal": 0.7, "postgresql": 0.55}  # at least, at 16
SAVE_MILLISECONDS = 8  # of the server's processor time, at most
GROWTH = 1.15  # of that, from the smallest batch to the largest: as good as none
BESIDE_IMPORT = {"p95": 300, "p99": 1000, "max": 5000}  # milliseconds, at most


@dataclass(frozen=True)
class Window:
    """What was measured: so many annotators at one target, for some seconds."""

    target: str  # FLOOR, or "12 pairs"
    annotators: int
    thinks: bool
    duration: float
    server_seconds: float
    milliseconds: list[float]  # of each save
    beside: str = ""

    @property
    def count(self):
        return len(self.milliseconds)

    @property
    def per_second(self):
        return self.count / self.duration

    @property
    def server_milliseconds(self):
        """Processor time of the web server for one save."""
        return self.server_seconds * 1000 / max(self.count, 1)

    def quantile(self, share):
        """By nearest rank; NaN where nothing was saved."""
        ordered = sorted(self.milliseconds)
        return ordered[max(math.ceil(share * len(ordered)) - 1, 0)] if ordered else math.nan

    @property
    def figures(self):
        return {
            "p50": self.quantile(0.5),
            "p95": self.quantile(0.95),
            "p99": self.quantile(0.99),
            "max": self.quantile(1),
            "per_second": self.per_second,
            "server_milliseconds": self.server_milliseconds,
        }


def joined(windows):
    """Rounds of the same measurement as one window."""
    first = windows[0]
    return Window(
        first.target,
        first.annotators,
        first.thinks,
        sum(window.duration for window in windows),
        sum(window.server_seconds for window in windows),
        [value for window in windows for value in window.milliseconds],
        first.beside,
    )


@dataclass(frozen=True)
class Bar:
    """A promise and what was measured; `limit` is the most, or the least, that keeps it."""

    name: str
    value: float
    limit: float
    is_least: bool = False

    @property
    def holds(self):
        # NaN, for nothing was measured, holds nothing.
        return self.value >= self.limit if self.is_least else self.value <= self.limit

    def __str__(self):
        word = "at least" if self.is_least else "at most"
        verdict = "holds" if self.holds else "FAILS"
        return f"{verdict}  {self.name}: {self.value:.2f}, {word} {self.limit:g}"


def judge(windows, journal):
    """The bars that these windows can tell of."""
    bars = []
    closed = [window for window in windows if not window.thinks]
    floors = {window.annotators: window for window in closed if window.target == FLOOR}
    rated = [window for window in closed if window.target != FLOOR]
    for window in rated:
        floor = floors[window.annotators]
        where = f"{window.annotators} annotators, {window.target}"
        for name, share, limit in (("p50", 0.5, P50_TIMES), ("p95", 0.95, P95_TIMES)):
            times = window.quantile(share) / floor.quantile(share)
            bars.append(Bar(f"{name} over the floor's, {where}", times, limit))
        if window.annotators == 16:
            share = window.per_second / floor.per_second
            limit = SHARE_OF_RATE[journal]
            bars.append(Bar(f"ratings per second of the floor's, {where}", share, limit, True))
        cost = window.server_milliseconds
        bars.append(Bar(f"processor ms of a save, {where}", cost, SAVE_MILLISECONDS))
    for annotators in floors:
        costs = [w.server_milliseconds for w in rated if w.annotators == annotators]
        if len(costs) > 1:
            name = f"processor time, largest batch over smallest, {annotators} annotators"
            bars.append(Bar(name, costs[-1] / costs[0], GROWTH))
    for window in windows:
        if window.beside:
            bars += [
                Bar(f"{name} in ms beside {window.beside}", window.figures[name], limit)
                for name, limit in BESIDE_IMPORT.items()
            ]
    return bars


def describe(windows, bars, journal):
    """The lines of a report."""
    lines = [
        f"{'':40}{'annotators':>10}{'saves':>7}{'p50 ms':>8}{'p95 ms':>8}{'p99 ms':>8}"
        f"{'per s':>8}{'CPU ms':>8}"
    ]
    for window in windows:
        kind = f" beside {window.beside}" if window.beside else " thinking" * window.thinks
        figures = window.figures
        lines.append(
            f"{window.target + kind:40}{window.annotators:10}{window.count:7}"
            f"{figures['p50']:8.1f}{figures['p95']:8.1f}{figures['p99']:8.1f}"
            f"{figures['per_second']:8.1f}{figures['server_milliseconds']:8.1f}"
        )
    return [f"Database: {journal}", *lines, *map(str, bars)]


def as_json(windows, bars, journal, driver):
    return {
        "database": journal,
        "sqlite": driver,
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "load": os.getloadavg()[0],
        "windows": [
            {
                "target": window.target,
                "annotators": window.annotators,
                "thinks": window.thinks,
                "beside": window.beside,
                "saves": window.count,
                "seconds": window.duration,
                **window.figures,
            }
            for window in windows
        ],
        "bars": [asdict(bar) | {"holds": bar.holds} for bar in bars],
    }
