"""Does it matter? The order of the runs under other values, as drawn."""

from dataclasses import dataclass
from itertools import pairwise

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from audit.refusals import Refused
from evaluation.orders.draws import Drawn
from evaluation.orders.stability import Orders
from evaluation.pages.frame import Page, ask, measure_control, one_of, show
from evaluation.runs.disagreement import Compared, Matter, mean, middle, pairs_of
from evaluation.sources.source import Kind

ROW_HEIGHT = 34
# Shades by the printed percent, so that equal numbers look equal.
SHADES = [(60, "h5"), (50, "h4"), (30, "h3"), (15, "h2"), (0, "h1")]
MOST_SYSTEMS = 25
LEAST_SHARE = 0.05
WORDS = {Drawn.TOPIC: "One rater per topic", Drawn.PAIR: "One rater per pair"}
SIDES = 1


@dataclass(frozen=True)
class ShareCell:
    """A share of draws: the printed percent and its shade; `is_marked` is drawn with a ring."""

    percent: str
    shade: str
    is_marked: bool = False
    address: str = ""
    words: str = ""


@dataclass(frozen=True)
class Column:
    """A leaderboard of the bump chart. `places` are rows by the order of the reference, `ranks`
    printed."""

    name: str
    note: str
    x: str
    places: list[int]
    ranks: list[str]


@dataclass(frozen=True)
class Figure:
    """A mean, with the middle 95% of draws where there are draws."""

    mean: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Change:
    compared: Compared
    figures: dict[str, Figure]
    kept: str
    turned: str

    @property
    def alike(self) -> list[Figure]:
        return [self.figures[name] for name in ("tau_b", "tau_ap", "rbo")]

    @property
    def counts(self) -> list[Figure]:
        return [self.figures[name] for name in ("kept", "lost", "turned", "new")]


@login_required
@require_safe
def stability(request: HttpRequest, slug: str) -> HttpResponse:
    page = ask(request, slug)
    measure = page.measure()
    draws = one_of(
        "draws",
        page.parameters.get("draws") or Drawn.TOPIC.value,
        {choice.value: choice for choice in Drawn},
    )
    evaluation = page.evaluation
    matter = Matter(evaluation, measure)
    context: dict[str, object] = {
        "own_controls": [measure_control(page, measure)],
        "draws": draws,
        "draw_links": [
            (
                words,
                page.address("evaluation:stability", draws=choice, measure=measure.name),
                choice is draws,
            )
            for choice, words in WORDS.items()
        ],
        "matter": matter,
        "by": matter.by,
    }
    if evaluation.runs and not evaluation.judging.is_closed:
        try:
            context["why_none"] = matter.why_none
            if not matter.why_none:
                context |= _figures(page, matter, draws)
        except Refused as refused:
            context["refused"] = str(refused)
    context["to_compare"] = page.address("evaluation:compare", measure=measure.name)
    return show(request, page, "evaluation:stability", "evaluation/runs/stability.html", context)


def _figures(page: Page, matter: Matter, draws: Drawn) -> dict[str, object]:
    """Shares come at once. The tests of every draw take seconds, so the page fetches them apart."""
    with_claims = bool(page.parameters.get("claims"))
    reference, orders = matter.reference, matter.drawn(draws).orders
    tau = middle(orders.tau_b)
    more = {"draws": draws.value, "measure": matter.measure.name}
    context: dict[str, object] = {
        "sentence": matter.sentence(draws),
        "reference": reference,
        "tau": Figure(mean(orders.tau_b), *(tau or (None, None))),
        "same_order": int((orders.swaps == 0).sum()),
        "never": int((orders.reversed_shares == 0).sum()),
        "pairs": len(reference.differences),
        "often": int((orders.reversed_shares > 0.5).sum()),
        "first_share": float(orders.reversed_shares[0]),
        "columns": (columns := _columns(matter)),
        "height": ROW_HEIGHT * len(reference.names),
        "bump": _bump(matter, columns),
        "lots": _lots(matter, orders),
        "swaps": _swaps(page, matter, orders, more),
        "turns_most": _turns_most(matter, orders),
        "significant": int(reference.is_significant.sum()),
        "with_claims": with_claims,
        "to_claims": page.address("evaluation:stability", claims="1", **more),
    }
    if with_claims:
        changes = matter.everything
        context |= {
            "claims": _claims(page, matter, draws, more),
            "changes": [_change(change, matter) for change in changes],
            "kept": mean(orders.count(orders.is_kept).astype(float)),
            "lost": mean(orders.count(orders.is_lost).astype(float)),
            "turned": mean(orders.count(orders.is_turned).astype(float)),
        }
    return context


def percent_of(share: float) -> str:
    """As printed: whole, half up; "<1" and ">99" for what is not 0 or 100."""
    percent = int(100 * share + 0.5)
    if share > 0 and percent == 0:
        return "<1"
    if share < 1 and percent == 100:
        return ">99"
    return str(percent)


def shade_of(share: float) -> str:
    percent = int(100 * share + 0.5)
    return next(shade for least, shade in SHADES if percent >= least)


def _columns(matter: Matter) -> list[Column]:
    """Seats beside the reference, which stays in the middle: each crossing is one rater against
    it. Beside another reference gold is on the left."""
    beside = (Kind.GOLD, Kind.SEAT)
    seats = [
        compared for compared in matter.alone if compared.source and compared.source.kind in beside
    ]
    seats_left, seats_right = seats[:SIDES], seats[SIDES : 2 * SIDES]
    names = matter.reference.names
    name = matter.evaluation.source.in_words.capitalize()
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
            "the reference" if compared is middle else "no tau" if tau is None else f"tau {tau:.2f}"
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


def _bump(matter: Matter, columns: list[Column]) -> dict[str, object]:
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
                    f"{column.ranks[system]} by {column.name.lower()}" for column in columns
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


def _lots(matter: Matter, orders: Orders) -> list[tuple[str, str, list[ShareCell]]]:
    """Per system, as by the reference, the share of draws in which it has each rank."""
    reference = matter.reference
    return [
        (
            str(reference.ranks[system]),
            name,
            [
                ShareCell(
                    percent_of(share) if share else "",
                    shade_of(share) if share else "nil",
                    rank == reference.ranks[system],
                )
                for rank, share in enumerate(shares, start=1)
            ],
        )
        for system, (name, shares) in enumerate(
            zip(reference.names, orders.rank_shares.tolist(), strict=True)
        )
    ]


def _swaps(page: Page, matter: Matter, orders: Orders, more: dict[str, str]) -> dict[str, object]:
    """Above the diagonal shares of reversals, below differences by the reference in points."""
    reference = matter.reference
    names, (first, second) = reference.names, reference.pairs
    at = {
        pair: place for place, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))
    }
    shown = list(range(len(names)))
    is_cut = len(shown) > MOST_SYSTEMS and not page.parameters.get("all")
    if is_cut:
        turning = orders.reversed_shares > LEAST_SHARE
        shown = sorted({*first[turning].tolist(), *second[turning].tolist()})
    rows = []
    for row in shown:
        cells: list[ShareCell | None] = []
        for column in shown:
            if row == column:
                cells.append(None)
                continue
            place = at[min(row, column), max(row, column)]
            ringed = bool(reference.is_significant[place])
            if row < column:
                share = float(orders.reversed_shares[place])
                words = (
                    f"{names[row]} over {names[column]}: reversed in {percent_of(share)}% of draws"
                )
                address = page.address(
                    "evaluation:compare", a=names[row], b=names[column], measure=more["measure"]
                )
                shade = shade_of(share) if share else "h0"
                cells.append(ShareCell(percent_of(share), shade, ringed, address, words))
            else:
                points = 100 * float(reference.differences[place])
                cells.append(ShareCell(f"{points:.1f}", "d", ringed))
        rows.append((str(reference.ranks[row]), names[row], cells))
    return {
        "heads": [(str(reference.ranks[system]), names[system]) for system in shown],
        "rows": rows,
        "hidden": len(names) - len(shown),
        "to_all": page.address("evaluation:stability", all="1", **more),
    }


def _turns_most(matter: Matter, orders: Orders) -> str:
    shares = orders.reversed_shares
    place = int(shares.argmax())
    if not shares[place]:
        return "No difference turns in any draw."
    first, second = (matter.reference.names[side[place]] for side in matter.reference.pairs)
    return f"{first} over {second} turns most often, in {percent_of(shares[place])}% of the draws."


def _claims(
    page: Page, matter: Matter, draws: Drawn, more: dict[str, str]
) -> list[dict[str, object]]:
    """Significant differences by the reference, the most endangered first."""
    claims = [pair for pair in pairs_of(matter, matter.drawn(draws)) if pair["significant"]]
    claims.sort(key=lambda claim: (claim["kept_share"], claim["difference"]))
    return [
        claim
        | {
            "width": f"{100 * claim['kept_share']:.2f}%",
            "address": page.address(
                "evaluation:compare", a=claim["above"], b=claim["below"], measure=more["measure"]
            ),
        }
        for claim in claims
    ]


def _change(compared: Compared, matter: Matter) -> Change:
    orders = compared.orders
    counts = {
        "swaps": orders.swaps,
        "kept": orders.count(orders.is_kept),
        "lost": orders.count(orders.is_lost),
        "turned": orders.count(orders.is_turned),
        "new": orders.count(orders.is_new),
    }
    alike = {"tau_b": orders.tau_b, "tau_ap": orders.tau_ap, "rbo": orders.rbo}
    figures = {
        name: Figure(mean(values.astype(float)), *(middle(values) or (None, None)))
        for name, values in (alike | counts).items()
    }
    of = max(int(matter.reference.is_significant.sum()), 1)

    def width(name: str) -> str:
        return f"{100 * (figures[name].mean or 0) / of:.2f}%"

    return Change(compared, figures, width("kept"), width("turned"))
