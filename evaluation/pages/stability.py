"""Does it matter? The order of the runs under other values, as drawn."""

from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.parameters import is_yes
from agreement.tables.crossed import heat_key
from agreement.tables.table import Bars, Beside, Head, Series, Table
from evaluation.orders.draws import Drawn
from evaluation.orders.stability import Orders
from evaluation.pages.controls import measure_control
from evaluation.pages.frame import Page, ask, or_refusal, show
from evaluation.pages.stability_pictures import (
    ROW_HEIGHT,
    bump,
    columns_of,
    lots,
    percent_of,
    swaps,
)
from evaluation.runs.disagreement import Matter
from evaluation.runs.disagreement_in_words import mean, middle, pairs_of, sentence_of
from evaluation.runs.tables import changes_sheet

WORDS = {Drawn.TOPIC: "One rater per topic", Drawn.PAIR: "One rater per pair"}


@dataclass(frozen=True)
class Figure:
    """A mean, with the middle 95% of draws where there are draws."""

    mean: float | None
    low: float | None = None
    high: float | None = None


@require_safe
def stability(request: HttpRequest, slug: str) -> HttpResponse:
    page = ask(request, slug)
    measure = page.measure()
    draws = page.draws
    evaluation = page.evaluation
    matter = Matter(evaluation, measure)
    context: dict[str, object] = {
        "own_controls": [measure_control(page.evaluation, measure)],
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
        context |= or_refusal(lambda: _figures(page, matter, draws))
    context["to_compare"] = page.address("evaluation:compare", measure=measure.name)
    return show(request, page, "evaluation:stability", "evaluation/runs/stability.html", context)


def _figures(page: Page, matter: Matter, draws: Drawn) -> dict[str, object]:
    """Shares come at once. The tests of every draw take seconds, so the page fetches them apart."""
    if why_none := matter.why_none:
        return {"why_none": why_none}
    with_claims = is_yes(page.parameters, "claims")
    more = {"draws": draws.value, "measure": matter.measure.name}
    context: dict[str, object] = {
        **_shares(page, matter, draws, more),
        "with_claims": with_claims,
        "to_claims": page.address("evaluation:stability", claims="1", **more),
    }
    if with_claims:
        orders = matter.drawn(draws).orders
        context |= {
            "claims": _claims(page, matter, draws, more),
            "changes": _changes(matter),
            "kept": mean(orders.count(orders.is_kept).astype(float)),
            "lost": mean(orders.count(orders.is_lost).astype(float)),
            "turned": mean(orders.count(orders.is_turned).astype(float)),
        }
    return context


def _shares(page: Page, matter: Matter, draws: Drawn, more: dict[str, str]) -> dict[str, object]:
    """What the page shows of the draws, once for all requests: a thousand draws of a large study
    take seconds. Values of topics and draws are not among it, since they are large."""

    def make() -> dict[str, object]:
        reference, orders = matter.reference, matter.drawn(draws).orders
        tau = middle(orders.tau_b)
        return {
            "sentence": sentence_of(matter, draws),
            "names": reference.names,
            "first_difference": float(reference.differences[0]),
            "first_p": float(reference.p[0]),
            "tau": Figure(mean(orders.tau_b), *(tau or (None, None))),
            "same_order": int((orders.swaps == 0).sum()),
            "never": int((orders.reversed_shares == 0).sum()),
            "pairs": len(reference.differences),
            "often": int((orders.reversed_shares > 0.5).sum()),
            "first_share": float(orders.reversed_shares[0]),
            "columns": (columns := columns_of(matter)),
            "height": ROW_HEIGHT * len(reference.names),
            "bump": bump(matter, columns),
            "lots": lots(matter, orders),
            "share_key": heat_key(100)[1:],
            "swaps": swaps(page, matter, orders, more),
            "turns_most": _turns_most(matter, orders),
            "significant": int(reference.is_significant.sum()),
        }

    is_whole = is_yes(page.parameters, "all")
    address = page.address("evaluation:stability", **more)
    return matter.evaluation.keep(("stability", is_whole, address), make)


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


def _changes(matter: Matter) -> Table:
    """The table of its files, with a bar of what became of claims in each row."""
    series = (
        Series("kept", "kept", "kept"),
        Series("lost", "lost", "lost"),
        Series("reversed", "reversed", "rev"),
    )
    return replace(
        changes_sheet(matter),
        picture=Bars(series, "significant differences"),
        beside=[
            Beside(head=Head(compared.name, below=(compared.note or compared.group,)))
            for compared in matter.everything
        ],
    )
