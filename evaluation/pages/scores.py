"""The table of runs by measures, as drawn: the whole, and each facet beside the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from agreement.pages.frame import Control
from agreement.tables.cells import Axis, Mark
from audit.refusals import raised_as
from evaluation.measures import Measure
from evaluation.pages.controls import measure_control
from evaluation.pages.frame import Page, ask, or_refusal, show
from evaluation.runs.evaluation import ALL
from evaluation.runs.scores import (
    Cell,
    People,
    Row,
    Scores,
    number,
    people_of,
    rank_words,
    scores_of,
)
from evaluation.runs.two_sources import Beside
from evaluation.sources.choices import source_named, sources_of
from evaluation.sources.source import Source

STEP = 20
MOST_TAGS = 4


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


@dataclass(frozen=True)
class Group:
    """Small tables beside each other: a part of the topics each."""

    heading: str
    parts: list[dict[str, object]]


@require_safe
def scores(request: HttpRequest, slug: str) -> HttpResponse:
    page = ask(request, slug)
    measure = page.measure()
    evaluation = page.evaluation
    against = _against(page)
    context: dict[str, object] = {
        "own_controls": [measure_control(page.evaluation, measure), _against_control(page, against)]
    }
    if evaluation.runs and not evaluation.judging.is_closed:
        context |= or_refusal(lambda: _figures(page, measure, against))
    return show(request, page, "evaluation:runs", "evaluation/runs/scores.html", context)


def _against(page: Page) -> Source | None:
    """The source beside whose scores these are shown, under the same mapping; None for none."""
    address = page.parameters.get("against")
    if not address:
        return None
    with raised_as(BadRequest, ValueError):
        return source_named(page.evaluation.collection, address).read_as(page.evaluation.source)


def _against_control(page: Page, against: Source | None) -> Control:
    sources = [
        (source.address, source.in_words) for source in sources_of(page.evaluation.collection)
    ]
    other_sources = [source for source in sources if source[0] != page.evaluation.source.address]
    address = against.address if against else ""
    return Control("against", "Compared with", [("", "no other values"), *other_sources], address)


def _beside(page: Page, measure: Measure, against: Source) -> dict[str, object]:
    """Each run's score by the other source, and how alike the two orders are."""
    beside = Beside(page.evaluation, page.evaluation.by(against))
    if not beside.topics:
        return {"against": against, "alike": None}
    place = page.evaluation.protocol.parsed.index(measure)
    values = beside.means(beside.by_second)[place]
    words = rank_words(values)
    return {
        "against": against,
        "alike": beside.order(measure) if len(page.evaluation.runs) > 1 else None,
        "compared_on": page.evaluation.count_in_words(len(beside.topics)),
        "by_other": {
            name: (number(values[run]), words[run]) for run, name in enumerate(page.evaluation.runs)
        },
    }


def _figures(page: Page, measure: Measure, against: Source | None) -> dict[str, object]:
    evaluation = page.evaluation
    scores = scores_of(evaluation, measure)
    people = people_of(evaluation, measure)
    axis = axis_of([scores, people], measure)
    leader = scores.rows[0].name if scores.rows else ""
    return {
        "scores": scores,
        "counted": evaluation.count_in_words(scores.topics),
        "axis": axis,
        "groups_of_lines": [
            [
                _line(row, measure, axis, _compared(page, row.name, leader, scores))
                for row in scores.rows
            ],
            [_line(row, measure, axis) for row in people.rows],
        ],
        "people": people.rows,
        "why_no_people": people.why_none,
        "protocol": [
            *evaluation.protocol.in_words,
            *([("Without a value", scores.without_value)] if scores.without_value else []),
        ],
        "groups": _groups(page, measure, scores),
        **(_beside(page, measure, against) if against else {}),
    }


def _compared(page: Page, name: str, leader: str, scores: Scores) -> str:
    """The comparison with the leader; of the leader with the next."""
    others = [row.name for row in scores.rows if row.name != leader]
    other = name if name != leader else next(iter(others), "")
    if not other:
        return ""
    return page.address("evaluation:compare", a=leader, b=other, measure=scores.by.name)


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
    value, low, high = (
        None if part is None else 100 * part for part in (cell.value, cell.low, cell.high)
    )
    return axis.mark(value, low, high)


def _groups(page: Page, measure: Measure, overall: Scores) -> list[Group]:
    """The scores by facet, by fold and by each tag of the queries, where none is chosen yet."""
    evaluation = page.evaluation
    headed = []
    if evaluation.facet == ALL and (facets := evaluation.facet_names):
        parts = [(name, facet, {"facet": facet}) for facet, name in facets.items()]
        headed.append(("By facet", parts))
    if evaluation.fold == ALL and (folds := evaluation.folds.get(evaluation.facet)):
        headed.append(("By fold", [(fold, "", {"fold": fold}) for fold in folds]))
    if not evaluation.tag:
        names = dict.fromkeys(tag.partition("=")[0] for tag in evaluation.tags)
        for name in list(names)[:MOST_TAGS]:
            tags = [tag for tag in evaluation.tags if tag.partition("=")[0] == name]
            parts = [(tag.partition("=")[2], "", {"tag": tag}) for tag in tags]
            headed.append((f"By {name.replace('_', ' ')}", parts))
    groups = [(heading, _parts(page, measure, overall, parts)) for heading, parts in headed]
    return [Group(heading, parts) for heading, parts in groups if len(parts) > 1]


def _parts(
    page: Page, measure: Measure, overall: Scores, parts: Sequence[tuple[str, str, dict[str, str]]]
) -> list[dict[str, object]]:
    """A small table for each part that has topics, sorted by its own score."""
    tables = []
    for name, facet, filters in parts:
        other = page.evaluation.narrowed(**filters)
        if other.units:
            tables.append((name, facet, scores_of(other, measure)))
    axis = axis_of([table for *_, table in tables], measure, step=25)
    return [
        {
            "facet": facet,
            "name": name,
            "counted": page.evaluation.count_in_words(table.topics),
            "axis": axis,
            "lines": [(_line(row, measure, axis), overall.order[row.name]) for row in table.rows],
        }
        for name, facet, table in tables
    ]
