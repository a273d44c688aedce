"""The pool lab: what each run found, and what it would score had it not been pooled."""

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from agreement.pages.frame import Control
from agreement.tables.cells import Words, heat_step
from agreement.tables.crossed import HeatCell
from evaluation.pages.controls import measure_control
from evaluation.pages.frame import Page, ask, or_refusal, show
from evaluation.points import points
from evaluation.runs.lab import DEPTHS, USUAL_DEPTH, Lab
from formats.whole_numbers import whole_number

MOST_DEPTH = 10_000
LEAST_RUNS = 2


@require_safe
def lab(request: HttpRequest, slug: str) -> HttpResponse:
    page = ask(request, slug)
    measure = page.measure()
    in_lab = lab_of(page)
    context: dict[str, object] = {
        "own_controls": [_depth_control(in_lab.depth), measure_control(page.evaluation, measure)],
        "depth": in_lab.depth,
        "measure": measure,
        "too_few": len(page.evaluation.runs) < LEAST_RUNS,
    }
    if len(page.evaluation.runs) >= LEAST_RUNS and not page.evaluation.judging.is_closed:
        context |= or_refusal(lambda: _figures(in_lab))
    return show(request, page, "evaluation:lab", "evaluation/runs/lab.html", context)


def lab_of(page: Page) -> Lab:
    text = page.parameters.get("depth") or str(USUAL_DEPTH)
    depth = whole_number(text, most=MOST_DEPTH)
    if not depth:
        raise BadRequest(f"depth is {text!r}; expected a number from 1 to {MOST_DEPTH:,}.")
    return Lab(page.evaluation, page.measure(), depth)


def _depth_control(depth: int) -> Control:
    options = [(str(option), f"{option:,}") for option in sorted({*DEPTHS, depth})]
    return Control("depth", "First documents", options, str(depth))


def _figures(in_lab: Lab) -> dict[str, object]:
    return {
        "lab": in_lab,
        "counted": in_lab.evaluation.count_in_words(len(in_lab.evaluation.units)),
        "rows": in_lab.rows if in_lab.evaluation.units else [],
        "overlap": [
            (f"{number} {name}", [_shared(*cell) for cell in enumerate(shares, start=1)])
            for number, (name, shares) in enumerate(in_lab.overlap, start=1)
        ],
    }


def _shared(other: int, share: float | None) -> HeatCell:
    """The share of a run's documents that another one has, too; None of the run itself."""
    if share is None:
        return HeatCell(Words(""), str(other), "")
    return HeatCell(Words(points(share, 0)), str(other), heat_step(share))
