"""Every query by itself, those to act on first: their order, their intervals, their table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from django.urls import reverse

from accounts.parameters import one_of
from agreement.study.intervals import Intervals, Wanted, known_intervals
from agreement.study.scales import AFTER, BEFORE, NOT_YET, OF_BOTH, measure_of
from agreement.study.selection import Selection
from agreement.subjects.overview.figures import TopicFigures
from agreement.subjects.overview.report import Report, report_for, rows_chosen
from agreement.tables.columns import (
    NUMBERS,
    Gaps,
    Unit,
    dots,
    intervals_note,
    measure_cells,
    measure_columns,
)
from agreement.tables.table import (
    GRID,
    Beside,
    Column,
    Grid,
    Head,
    Kind,
    Link,
    Makers,
    Pairs,
    Series,
    Table,
    Working,
)
from annotation.reading.formulas import plain_formulas

# Topics, and the intervals of those that are rated.
Shown = tuple[Sequence[TopicFigures], Sequence[Intervals | None]]
# What a table of queries can be sorted by; the key of a topic and the measure that is shown.
SORTS: dict[str, str] = {
    "worst": "lowest value first",
    "best": "highest value first",
    "differing": "most pairs with different values first",
    "open": "most pairs to decide first",
    "study": "in the order of the study",
}


def in_order(topics: Sequence[TopicFigures], sort: str, measure: str) -> list[TopicFigures]:
    """Sorted by the value before adjudication, or by counts; those without one at the end."""
    keys: dict[str, Callable[[TopicFigures], float | None]] = {
        "worst": lambda figures: _value(figures, measure),
        "best": lambda figures: _negative(_value(figures, measure)),
        "differing": lambda figures: _negative(differing(figures)),
        "open": lambda figures: -figures.topic.undecided,
        "study": lambda figures: figures.topic.number,
    }
    key = keys[sort]

    def last_without(figures):
        rank = key(figures)
        return (rank is None, rank or 0.0)

    return sorted(topics, key=last_without)


def differing(figures: TopicFigures) -> int | None:
    """Pairs whose raters gave different values; None as long as the topic is not rated."""
    return figures.before.disagreement.differing if figures.before else None


def queries_wanted(report: Report, topics: Sequence[TopicFigures]) -> list[Wanted]:
    """Intervals of each topic that is rated, in order."""
    return [report.wanted_of(figures.topic.number) for figures in topics if figures.before]


def _value(figures: TopicFigures, measure: str) -> float | None:
    return figures.before.figures[measure].figure.value if figures.before else None


def _negative(value: float | None) -> float | None:
    return None if value is None else -value


def makers_of(
    selection: Selection, parameters: Mapping[str, str], shown: Shown | None = None
) -> Makers:
    """A file has all queries, a page those that it has `shown`."""
    return {"queries": partial(_queries, selection, parameters, shown)}


def _queries(selection: Selection, parameters: Mapping[str, str], shown: Shown | None) -> Table:
    """`measure` and `sort` as on the page."""
    sort = one_of(parameters, "sort", SORTS)
    report = report_for(selection)
    facet, chosen = rows_chosen(selection, report)
    names = facet.titles.names
    measure = measure_of(parameters, names, OF_BOTH.names)
    if shown:
        topics, known = shown
    else:
        topics = in_order(chosen, sort, measure)
        known, _ = known_intervals(selection.collection, queries_wanted(report, topics))
    rated = [figures.topic.number for figures in topics if figures.before]
    intervals = dict(zip(rated, known, strict=True))
    columns = _columns(names, measure, selection.unit)
    rows = [
        _row(figures, names, measure, intervals.get(figures.topic.number)) for figures in topics
    ]
    waiting = sum(topic.before is None for topic in topics)
    return Table(
        "queries",
        f"Agreement by {selection.unit.singular}: {facet.name}",
        tuple(columns),
        rows,
        notes=(
            f"{NUMBERS[len(names)].capitalize()} measures before adjudication, {names[measure]} "
            f"after it; {SORTS[sort]}.",
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
            f"{names[measure]}; dashed: over all of them, before",
            line=facet.before.figures[measure].figure.value,
            after=f"after_{measure}",
        ),
        grid=Grid("Values", "differing", facet.scale.words, "first seat", "later seat"),
        # A page's additions are slow to make of thousands of topics, and no file has them.
        beside=[_beside(selection, report, figures, measure) for figures in topics]
        if shown
        else (),
    )


def _beside(selection: Selection, report: Report, figures: TopicFigures, measure: str) -> Beside:
    topic = figures.topic
    address = reverse("annotation:topic", args=[selection.collection.slug, topic.public_id])
    skipped = f" · {topic.cannot_judge} “cannot judge”" if topic.cannot_judge else ""
    excluded = f" · {topic.excluded} excluded" if topic.excluded else ""
    head = Head(plain_formulas(topic.title), address, (f"{topic.key}{skipped}{excluded}",))
    links: dict[str, Link] = {"pairs": Pairs("topic", topic.public_id, topic.title)}
    if figures.before is None:
        return Beside(links, head=head, instead=f"not yet: {figures.topic.not_yet_rated}")
    gaps, of_topic = Gaps(), {"words": topic.title, "topic": topic.key}
    links |= {key: Pairs(key, **of_topic) for key in ("differing", "overruled")}
    links["to_decide"] = Pairs("undecided", **of_topic)
    links[GRID] = Working(measure, BEFORE, topic=topic.key)
    for name, summary in figures.before.measures.items():
        links[f"before_{name}"] = Working(name, BEFORE, topic=topic.key)
        gaps.tell(f"before_{name}", summary)
    if figures.after:
        links[f"after_{measure}"] = Working(measure, AFTER, topic=topic.key)
        gaps.tell(f"after_{measure}", figures.after.figures[measure])
    else:
        gaps.missing |= dict.fromkeys((f"after_{measure}", "overruled"), NOT_YET)
    return replace(
        gaps.beside(links), head=head, grid=report.before.confusion([topic.number]).tolist()
    )


def _columns(names: Mapping[str, str], measure: str, unit: Unit) -> list[Column]:
    return [
        Column("topic", unit.singular.capitalize()),
        Column("title", "Title", printed=False),
        Column("pairs", "Pairs", Kind.COUNT),
        *measure_columns(names, BEFORE, "Before"),
        *measure_columns({measure: names[measure]}, AFTER, "After", intervals=False),
        Column("differing", "Differing", Kind.COUNT),
        Column("to_decide", "To decide", Kind.COUNT),
        Column("overruled", "Overruled", Kind.COUNT),
    ]


def _row(
    topic_figures: TopicFigures,
    names: Mapping[str, str],
    measure: str,
    intervals: Intervals | None,
):
    before = topic_figures.before.figures if topic_figures.before else None
    after = topic_figures.after.figures[measure].figure.value if topic_figures.after else None
    return (
        topic_figures.topic.key,
        topic_figures.topic.title,
        topic_figures.topic.pairs,
        *measure_cells(before, names, intervals),
        after,
        differing(topic_figures),
        topic_figures.topic.undecided if topic_figures.before else None,
        topic_figures.after.overruling.overruled if topic_figures.after else None,
    )
