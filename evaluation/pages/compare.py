"""Two runs compared, as drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.parameters import is_yes, one_of
from agreement.pages.frame import Control
from agreement.tables.cells import Axis, Mark, Piece, rounded_step
from evaluation.measures import Measure
from evaluation.pages.controls import measure_control
from evaluation.pages.frame import Page, ask, or_refusal, show
from evaluation.runs.comparison import Comparison, Difference
from evaluation.runs.ranked import SHADES, RankedDocument, RankedTopic, TopicLine
from evaluation.runs.scores import scores_of

STEP = 5
HEIGHTS = dict(zip(SHADES, (7, 12, 17, 22), strict=True))
TOP = 22
# More topics than these are shown by their ends, unless all are asked for.
MOST_LINES, ENDS = 50, 15


@dataclass(frozen=True)
class Line:
    """A topic with the places of both runs on the axis from 0 to 100."""

    topic: TopicLine
    first: str
    second: str
    facet: str
    address: str

    @property
    def is_tied(self) -> bool:
        return self.first == self.second


@dataclass(frozen=True)
class Panel:
    """A deciding topic with its two rankings, each (name, value, documents, bars)."""

    topic: RankedTopic
    facet: str
    sides: list[tuple[str, float, tuple[RankedDocument, ...], list[Piece]]]


@require_safe
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    page = ask(request, slug)
    evaluation, measure = page.evaluation, page.measure()
    context: dict[str, object] = {"own_controls": [measure_control(page.evaluation, measure)]}
    names = list(evaluation.runs)
    if len(names) < 2:
        context["too_few"] = True
    elif not evaluation.judging.is_closed:
        context |= or_refusal(lambda: _two_of(page, measure, names))
    return show(request, page, "evaluation:compare", "evaluation/runs/compare.html", context)


def _two_of(page: Page, measure: Measure, names: Sequence[str]) -> dict[str, object]:
    """The choice of two runs, the best first, and their figures."""
    if page.evaluation.units:
        names = [row.name for row in scores_of(page.evaluation, measure).rows]
    first, second = two_runs(page, names)
    runs = [(name, name) for name in names]
    controls = [
        Control("a", "Run A", runs, first),
        Control("b", "Run B", runs, second),
        measure_control(page.evaluation, measure),
    ]
    comparison = Comparison(page.evaluation, measure, first, second)
    return {"own_controls": controls} | or_refusal(lambda: _figures(page, comparison))


def two_runs(page: Page, runs: Sequence[str]) -> tuple[str, str]:
    """The runs that the address names as `a` and `b`, by default the first two; never the same."""
    first = one_of(page.parameters, "a", runs)
    others = [name for name in runs if name != first]
    second = one_of({"b": page.parameters.get("b") or others[0]}, "b", runs)
    return first, second if second != first else others[0]


def _figures(page, comparison: Comparison) -> dict[str, object]:
    if comparison.difference is None:
        if not comparison.evaluation.units:
            return {"comparison": None}
        return {"refused": f"One of the two has no {comparison.measure.name} on these topics."}
    lines = comparison.lines
    topic = one_of(page.parameters, "topic", ["", *(line.unit.id for line in lines)])
    is_cut = not is_yes(page.parameters, "all") and len(lines) > MOST_LINES
    shown = [*lines[:ENDS], *lines[-ENDS:]] if is_cut else lines
    facets = page.evaluation.facet_names
    parameters = {"a": comparison.first, "b": comparison.second, "measure": comparison.measure.name}
    axis, around = Axis(0, 100, 25), _around_zero(comparison.by_sources)
    return {
        "comparison": comparison,
        "counted": page.evaluation.count_in_words(len(lines)),
        "holm": comparison.adjusted,
        "without": [
            (name, without)
            for name, sign in (("win", 1), ("loss", -1))
            if (without := comparison.without_extreme(sign)) is not None
        ],
        "source_axis": around,
        "by_sources": [
            (difference, _mark(difference, around)) for difference in comparison.by_sources
        ],
        "axis": axis,
        "lines": [
            Line(
                line,
                axis.at(100 * line.first),
                axis.at(100 * line.second),
                facets.get(line.unit.facet, ""),
                page.address("evaluation:compare", topic=line.unit.id, **parameters),
            )
            for line in shown
        ],
        "all_lines": len(lines) if is_cut else 0,
        "to_all": page.address("evaluation:compare", all="1", **parameters),
        "panels": [_panel(comparison, line, facets) for line in comparison.deciding(topic)],
        "chosen_topic": topic,
    }


def _mark(difference: Difference, axis: Axis) -> Mark:
    return axis.mark(100 * difference.mean, 100 * difference.low, 100 * difference.high)


def _around_zero(differences: list[Difference]) -> Axis:
    """Symmetric, one or two steps of 5 points or more each way, as all intervals fit."""
    reach = max(
        abs(100 * end)
        for difference in differences
        for end in (difference.low, difference.high, difference.mean)
    )
    step = max(STEP, rounded_step(reach / 2 or STEP))
    ends = max(step, step * ceil(reach / step))
    return Axis(-ends, ends, step)


def _panel(comparison: Comparison, topic: RankedTopic, facets: dict[str, str]) -> Panel:
    line = topic.line
    sides = [
        (comparison.first, line.first, topic.first, _bars(topic.strips[0], topic.depth)),
        (comparison.second, line.second, topic.second, _bars(topic.strips[1], topic.depth)),
    ]
    return Panel(topic, facets.get(line.unit.facet, ""), sides)


def _bars(strip, depth: int) -> list[Piece]:
    """A bar per rank: the higher the grade, the higher and darker."""
    heights = [HEIGHTS[shade] if grade is not None else 2 for grade, shade in strip]
    return [
        Piece(
            f"{100 * place / depth:.3f}%",
            f"{100 / depth:.3f}%",
            shade,
            f"{TOP - height}",
            f"{height}",
        )
        for place, ((_, shade), height) in enumerate(zip(strip, heights, strict=True))
    ]
