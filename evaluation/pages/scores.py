"""The table of runs by measures, as drawn: the whole, and each facet beside the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from agreement.pages.charts import Axis, Mark
from audit.refusals import Refused
from evaluation.measures import Measure
from evaluation.pages.frame import Page, ask, facets_of, measure_control, show
from evaluation.runs.asked import ALL
from evaluation.runs.scores import Cell, People, Row, Scores, people_of, scores_of

STEP = 20


@dataclass(frozen=True)
class Line:
    """A run in the table, with its mark on the axis; `best` is where the best run stands that the
    same judge scored."""

    row: Row
    lead: Cell
    others: tuple[Cell, ...]
    mark: Mark
    address: str = ""
    best: str | None = None


@login_required
@require_safe
def scores(request: HttpRequest, slug: str) -> HttpResponse:
    page = ask(request, slug)
    measure = page.measure()
    context: dict[str, object] = {"own_controls": [measure_control(page, measure)]}
    asked = page.asked
    if asked.runs and not asked.judging.is_closed:
        try:
            context |= _figures(page, measure)
        except Refused as refused:
            context["refused"] = str(refused)
    return show(request, page, "evaluation:runs", "evaluation/runs/scores.html", context)


def _figures(page: Page, measure: Measure) -> dict[str, object]:
    asked = page.asked
    found = scores_of(asked, measure)
    people = people_of(asked, measure)
    axis = axis_of([found, people], measure)
    leader = found.rows[0].name if found.rows else ""
    return {
        "scores": found,
        "counted": asked.count_in_words(found.topics),
        "axis": axis,
        "lines": [
            _line(row, measure, axis, _compared(page, row.name, leader, found))
            for row in found.rows
        ],
        "people": [_line(row, measure, axis) for row in people.rows],
        "why_no_people": people.why_none,
        "protocol": asked.protocol.in_words,
        "by_facet": _by_facet(page, measure, found) if asked.facet == ALL else [],
    }


def _compared(page: Page, name: str, leader: str, found: Scores) -> str:
    """The comparison with the leader; of the leader with the next."""
    others = [row.name for row in found.rows if row.name != leader]
    other = name if name != leader else next(iter(others), "")
    if not other:
        return ""
    return page.address("evaluation:compare", a=leader, b=other, measure=found.by.name)


def axis_of(tables: Sequence[Scores | People], measure: Measure, step: int = STEP) -> Axis:
    """From 0 to the next step above the highest interval."""
    ends = [
        cell.high or cell.value or 0.0
        for table in tables
        for row in table.rows
        for cell in [row.cell(measure)]
    ]
    highest = 100 * max(ends, default=1.0)
    return Axis(0, max(step, step * ceil(min(highest, 100) / step)), step)


def _line(row: Row, measure: Measure, axis: Axis, address: str = "") -> Line:
    lead = row.cell(measure)
    others = tuple(cell for cell in row.cells if cell.measure != measure)
    best = None if row.best is None else axis.at(100 * row.best)
    return Line(row, lead, others, mark_of(lead, axis), address, best)


def mark_of(cell: Cell, axis: Axis) -> Mark:
    if cell.value is None:
        return Mark(None)
    at = axis.at(100 * cell.value)
    if cell.low is None or cell.high is None:
        return Mark(at)
    return Mark(at, axis.at(100 * cell.low), axis.at(100 * cell.high))


def _by_facet(page: Page, measure: Measure, whole: Scores) -> list[dict[str, object]]:
    """A small table for each facet, sorted by its own score."""
    tables = []
    for facet, name in facets_of(page.asked).items():
        other = page.asked.of_facet(facet)
        if other.topics:
            tables.append((facet, name, scores_of(other, measure)))
    axis = axis_of([table for *_, table in tables], measure, step=25)
    return [
        {
            "facet": facet,
            "name": name,
            "counted": page.asked.count_in_words(table.topics),
            "axis": axis,
            "lines": [(_line(row, measure, axis), whole.order[row.name]) for row in table.rows],
        }
        for facet, name, table in tables
    ]
