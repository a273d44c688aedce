"""The pictures of the page of stability: boards, ranks by lot, and differences that turn."""

from dataclasses import dataclass
from itertools import pairwise

from django.utils.text import capfirst

from accounts.parameters import is_yes
from agreement.tables.cells import Words, heat_step
from agreement.tables.crossed import HeatCell, HeatRow
from evaluation.orders.stability import Orders
from evaluation.pages.frame import Page
from evaluation.points import decimals, points
from evaluation.runs.disagreement import Compared, Matter
from evaluation.runs.disagreement_in_words import mean
from evaluation.sources.source import Kind

ROW_HEIGHT = 34
MOST_SYSTEMS = 25
LEAST_SHARE = 0.05
SIDES = 1


@dataclass(frozen=True)
class Column:
    """A leaderboard of the bump chart. `places` are rows by the order of the reference, `ranks`
    printed."""

    name: str
    note: str
    x: str
    places: list[int]
    ranks: list[str]


def percent_of(share: float) -> str:
    """As printed: whole, half up; "<1" and ">99" for what is not 0 or 100."""
    percent = int(100 * share + 0.5)
    if share > 0 and percent == 0:
        return "<1"
    if share < 1 and percent == 100:
        return ">99"
    return str(percent)


def shade_of(share: float) -> str:
    """The shade of the printed percent, so that equal numbers look equal; only 0 has none."""
    return heat_step(max(1, int(100 * share + 0.5)) / 100)


def columns_of(matter: Matter) -> list[Column]:
    """Seats beside the reference, which stays in the middle: each crossing is one rater against
    it. Beside another reference gold is on the left."""
    beside = (Kind.GOLD, Kind.SEAT)
    seats = [
        compared for compared in matter.alone if compared.source and compared.source.kind in beside
    ]
    seats_left, seats_right = seats[:SIDES], seats[SIDES : 2 * SIDES]
    names = matter.reference.names
    name = capfirst(matter.evaluation.source.in_words)
    middle = Compared("", name, Orders(matter.reference, matter.reference.values))
    seat_columns = [*seats_left, middle, *seats_right]
    xs = {1: [50], 2: [3, 97], 3: [3, 50, 97]}[len(seat_columns)]
    columns = []
    for compared, x in zip(seat_columns, xs, strict=True):
        ranks = compared.orders.ranks.tolist()
        # Equal systems take the places of their rank in the order of the reference.
        order = sorted(range(len(names)), key=lambda system: (ranks[system], system))
        place_of = {system: place for place, system in enumerate(order)}
        tau = mean(compared.orders.tau_b)
        note = (
            "the reference"
            if compared is middle
            else "no tau"
            if tau is None
            else f"tau {decimals(tau)}"
        )
        columns.append(
            Column(
                compared.name,
                note,
                f"{x}%",
                [place_of[system] for system in range(len(names))],
                [f"{rank}{'=' if ranks.count(rank) > 1 else ''}" for rank in ranks],
            )
        )
    return columns


def bump(matter: Matter, columns: list[Column]) -> dict[str, object]:
    """The lines of the systems, those of the sentence last so that they lie on top."""
    names = matter.reference.names

    def y(column: Column, system: int) -> float:
        return ROW_HEIGHT * (column.places[system] + 0.5)

    systems = []
    for system in [*range(2, len(names)), 1, 0]:
        points = [
            (column.x, y(column, system), y(column, system) + 4, column.ranks[system])
            for column in columns
        ]
        systems.append(
            {
                "name": names[system],
                "css": {0: "is-a", 1: "is-b"}.get(system, ""),
                "points": points,
                "segments": list(pairwise(points)),
                "title": f"{names[system]}: "
                + ", ".join(
                    f"{column.ranks[system]} by {column.name[:1].lower()}{column.name[1:]}"
                    for column in columns
                ),
            }
        )
    ends = [
        [
            (names[system], {0: "is-a", 1: "is-b"}.get(system, ""))
            for system in sorted(range(len(names)), key=lambda number: column.places[number])
        ]
        for column in (columns[0], columns[-1])
    ]
    return {"systems": systems, "left": ends[0], "right": ends[1]}


def lots(matter: Matter, orders: Orders) -> list[HeatRow]:
    """Per system, as by the reference, the share of draws in which it has each rank."""
    reference = matter.reference
    rows = zip(reference.names, reference.ranks.tolist(), orders.rank_shares.tolist(), strict=True)
    return [
        (
            f"{rank} {name}",
            [
                HeatCell(
                    Words(percent_of(share) if share else ""),
                    str(place),
                    shade_of(share) if share else "",
                    is_diagonal=place == rank,
                )
                for place, share in enumerate(shares, start=1)
            ],
        )
        for name, rank, shares in rows
    ]


def swaps(page: Page, matter: Matter, orders: Orders, more: dict[str, str]) -> dict[str, object]:
    """Above the diagonal shares of reversals, below differences by the reference in points."""
    reference = matter.reference
    names, (first, second) = reference.names, reference.pairs
    shown = list(range(len(names)))
    is_cut = not is_yes(page.parameters, "all") and len(shown) > MOST_SYSTEMS
    if is_cut:
        turning = orders.reversed_shares > LEAST_SHARE
        shown = sorted({*first[turning].tolist(), *second[turning].tolist()})
    place_of = {
        pair: place for place, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))
    }

    def head(system: int) -> str:
        return f"{reference.ranks[system]} {names[system]}"

    def cell(row: int, column: int) -> HeatCell:
        if row == column:
            return HeatCell(Words(""), head(column), "")
        place = place_of[min(row, column), max(row, column)]
        is_ringed = bool(reference.is_significant[place])
        if row > column:
            words = Words(points(float(reference.differences[place]), 1))
            return HeatCell(words, head(column), "", is_diagonal=is_ringed)
        share = float(orders.reversed_shares[place])
        percent = percent_of(share)
        words = Words(
            percent,
            page.address(
                "evaluation:compare", a=names[row], b=names[column], measure=more["measure"]
            ),
            f"{names[row]} over {names[column]}: reversed in {percent}% of draws",
        )
        shade = shade_of(share) if share else "h0"
        return HeatCell(words, head(column), shade, is_diagonal=is_ringed)

    return {
        "rows": [(head(row), [cell(row, column) for column in shown]) for row in shown],
        "hidden": len(names) - len(shown),
        "to_all": page.address("evaluation:stability", all="1", **more),
    }
