"""The table of the page of queries."""

from collections.abc import Mapping
from functools import partial

from agreement.study.intervals import known_intervals
from agreement.study.selection import Selection, one_of
from agreement.subjects.overview.overview import rows_chosen
from agreement.subjects.overview.report import MEASURE_NAMES, SHORT_NAMES, TopicFigures, report_for
from agreement.subjects.overview.uncertainty import Intervals
from agreement.subjects.queries.figures import SORTS, differing, in_order, queries_wanted
from agreement.tables.columns import (
    dots,
    figure_cells,
    intervals_note,
    kind_of,
    with_interval,
)
from agreement.tables.table import Column, Kind, Makers, Series, Table
from agreement.tables.words import Unit


def makers_of(selection: Selection, parameters: Mapping[str, str]) -> Makers:
    return {"queries": partial(_queries, selection, parameters)}


def _queries(selection: Selection, parameters: Mapping[str, str]) -> Table:
    """All queries, not a page of them; `measure` and `sort` as on the page."""
    measure = one_of(parameters, "measure", MEASURE_NAMES)
    sort = one_of(parameters, "sort", SORTS)
    report = report_for(selection)
    facet, chosen = rows_chosen(selection, report)
    topics = in_order(chosen, sort, measure)
    wanted = queries_wanted(report, topics)
    known, _ = known_intervals(selection.collection, wanted)
    rated = [figures.topic.number for figures in topics if figures.before]
    intervals = dict(zip(rated, known, strict=True))
    columns = _columns(measure, selection.unit)
    rows = [_row(figures, measure, intervals.get(figures.topic.number)) for figures in topics]
    waiting = sum(topic.before is None for topic in topics)
    return Table(
        "queries",
        f"Agreement by {selection.unit.one}: {facet.name}",
        tuple(columns),
        rows,
        notes=(
            f"Four measures before adjudication, {MEASURE_NAMES[measure]} after it; {SORTS[sort]}.",
            "Differing: pairs with different values. Overruled: gold that no rater gave.",
            selection.cannot_judge_rule,
            *([f"Not yet rated by every seat: {waiting:,} of {len(rows):,}."] * bool(waiting)),
            *intervals_note(known, selection.unit),
        ),
        picture=dots(
            (
                Series(f"before_{measure}", "before adjudication"),
                Series(f"after_{measure}", "after"),
            ),
            columns,
            rows,
            f"{MEASURE_NAMES[measure]}; dashed: over all of them, before",
            line=facet.before.measures[measure].figure.value,
        ),
    )


def _columns(measure: str, unit: Unit) -> list[Column]:
    columns = [
        Column("topic", unit.one.capitalize()),
        Column("title", "Title", printed=False),
        Column("pairs", "Pairs", Kind.COUNT),
    ]
    for name in MEASURE_NAMES:
        columns += with_interval(f"before_{name}", SHORT_NAMES[name], kind_of(name), "Before")
    return [
        *columns,
        Column(f"after_{measure}", SHORT_NAMES[measure], kind_of(measure), "After"),
        Column("differing", "Differing", Kind.COUNT),
        Column("to_decide", "To decide", Kind.COUNT),
        Column("overruled", "Overruled", Kind.COUNT),
    ]


def _row(topic_figures: TopicFigures, measure: str, intervals: Intervals | None):
    before = topic_figures.before.measures if topic_figures.before else {}
    after = topic_figures.after.measures[measure].figure.value if topic_figures.after else None
    return (
        topic_figures.topic.key,
        topic_figures.topic.title,
        topic_figures.topic.pairs,
        *(
            cell
            for name in MEASURE_NAMES
            for cell in figure_cells(before.get(name), intervals[name] if intervals else None)
        ),
        after,
        differing(topic_figures),
        topic_figures.topic.undecided if topic_figures.before else None,
        topic_figures.after.overruling.overruled if topic_figures.after else None,
    )
