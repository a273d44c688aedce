"""The working of one figure: its data, the data left out, the formula with its values."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from agreement.statistics import (
    REGISTRY,
    CannotJudge,
    Figure,
    Measure,
    RatedTopics,
    Raters,
    Summary,
    SummaryKind,
    confusion,
    counted_pairs,
    pooled,
    summarised,
)
from agreement.statistics.arrays import Values
from agreement.study.intervals import Wanted, wanted_of
from agreement.study.ratings import Ratings
from agreement.study.scales import AFTER, BEFORE, Scale, measures_of
from agreement.study.selection import Selection
from agreement.subjects.overview.figures import TopicFigures
from agreement.subjects.overview.formulas import steps
from agreement.subjects.overview.report import report_for
from agreement.tables import table
from agreement.tables.columns import UNDEFINED
from agreement.tables.table import Beside, Column, Head, Kind, Pairs, Table
from annotation.reading.formulas import plain_formulas
from formats.decimals import MINUS


@dataclass(frozen=True)
class Comparison:
    """Two lists: seats by number from 1, or gold. `table` counts the first list's values (rows)
    against the second's; `steps` are the formula with the values put in."""

    first: str
    second: str
    pairs: int
    table: list[list[int]]
    figure: Figure
    steps: list[str]


@dataclass(frozen=True)
class TopicValue:
    key: str
    title: str
    pairs: int
    summary: Summary


@dataclass(frozen=True)
class Working:
    """`topics` are those that went in, by their value, of so many `queries`; `comparisons` are
    those of a single topic or of all pairs pooled, and empty for a median or mean, which has one
    set for each topic, and for all seats at once."""

    measure: Measure
    definition: list[str]
    when: str
    scope: str
    kind: SummaryKind
    summary: Summary
    topics: list[TopicValue]
    queries: int
    pairs: int
    left_out: list[tuple[int, str]]
    not_yet: list[tuple[str, str]]
    comparisons: list[Comparison]
    wanted: Wanted


def working_of(selection: Selection, *, measure: str, when: str, topic: str) -> Working:
    """Of the facet that the filters choose, or of one topic by its key.

    `measure` is one of the table's, or one of the further ones; `when` is before or after
    adjudication. KeyError for a topic that there is not.
    """
    report = report_for(selection)
    facet = selection.filters.facet_key
    figures_of_topics = [figures for figures in report.topics if facet in ("", figures.topic.facet)]
    if topic:
        figures_of_topics = [{figures.topic.key: figures for figures in report.topics}[topic]]
    counted = report.before if when == BEFORE else report.after
    ready = [figures.topic.number for figures in figures_of_topics if getattr(figures, when)]
    topics = counted.topics.only(ready)
    kind = SummaryKind.POOLED if len(ready) == 1 else selection.filters.summary
    of_measure = REGISTRY[measure]
    return Working(
        measure=of_measure,
        definition=_definition(of_measure),
        when=when,
        scope=topic or selection.choices.facets.get(facet, "All"),
        kind=kind,
        summary=summarised(topics, [measure], kind=kind, comparing=counted.comparing)[measure],
        topics=_by_value(
            [figures for figures in figures_of_topics if getattr(figures, when)], measure, when
        ),
        queries=counted.ratings.queries(ready),
        pairs=topics.pairs,
        left_out=_left_out(
            selection.of_all_facets.of_topics(ready), counted, when, report.cannot_judge
        ),
        not_yet=[
            (late.key, late.not_yet_rated if when == BEFORE else late.not_yet_decided)
            for late in (
                figures.topic for figures in figures_of_topics if not getattr(figures, when)
            )
        ],
        comparisons=_comparisons(of_measure, counted.ratings.of_topics(ready), when)
        if kind is SummaryKind.POOLED
        else [],
        wanted=wanted_of(
            topics,
            selection.filters,
            counted.comparing,
            measures_of(counted.ratings.scale).keys,
        ),
    )


def values_table(
    selection: Selection, working: Working, topics: Sequence[TopicValue], pairs_list: str
) -> Table:
    """Some of the topics that went in; each opens to its own table and formula."""
    unit, measure = selection.unit, working.measure.name
    return Table(
        "values",
        f"The values of the {unit.many}",
        (
            Column("topic", unit.singular.capitalize()),
            Column("pairs", "Pairs", Kind.COUNT),
            Column("value", "Value", Kind.NUMBER),
        ),
        [(topic.title, topic.pairs, topic.summary.figure.value) for topic in topics],
        beside=[
            Beside(
                {
                    "pairs": Pairs(pairs_list, words=topic.key, topic=topic.key),
                    "value": table.Working(measure, working.when, topic=topic.key),
                },
                missing={"value": UNDEFINED},
                why={"value": str(topic.summary.figure.reason or "")},
                head=Head(plain_formulas(topic.title), below=(topic.key,)),
            )
            for topic in topics
        ],
    )


def _definition(measure: Measure) -> list[str]:
    """The paragraphs of the function's docstring, without its example."""
    function = getattr(measure.function, "func", measure.function)
    text = (function.__doc__ or "").split(">>>")[0].replace("``", "")
    text = re.sub(r"\B-(?=\d)", MINUS, text)  # the sign of a number, not a hyphen
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def _left_out(ratings, counted, when, rule):
    """[(pairs, why)] of the topics that went in."""
    skipped = ratings.is_cannot_judge.any(axis=0)
    is_counted = np.isin(ratings.pair, counted.ratings.pair)
    is_dropped = ~counted_pairs(ratings.is_cannot_judge, rule)
    counts = [(int(is_dropped.sum()), "with a “cannot judge”, which the rule leaves out")]
    if when == AFTER:
        excluded = int((~is_dropped & np.isnan(ratings.gold)).sum())
        counts.append((excluded, "excluded by an adjudicator"))
    if rule is CannotJudge.GAPS:
        gaps = int((skipped & is_counted).sum())
        counts.append((gaps, "with a “cannot judge” from the comparisons of that seat"))
    return [(number, reason) for number, reason in counts if number]


def _by_value(topics: Sequence[TopicFigures], measure: str, when: str) -> list[TopicValue]:
    """Lowest first; those without a value at the end."""
    rows = [
        TopicValue(
            figures.topic.key,
            figures.topic.title,
            getattr(figures, when).pairs,
            getattr(figures, when).figures[measure],
        )
        for figures in topics
    ]
    return sorted(
        rows,
        key=lambda row: (row.summary.figure.value is None, row.summary.figure.value or 0.0),
    )


def _comparisons(measure: Measure, ratings: Ratings, when: str) -> list[Comparison]:
    """Of two lists each; none for a figure of all seats at once, where there are more."""
    if when == BEFORE and measure.raters is Raters.ANY and len(ratings.values) > 2:
        return []
    seats = [(f"seat {number}", row) for number, row in enumerate(ratings.values, start=1)]
    pairs = list(combinations(seats, 2))
    if when == AFTER:
        pairs = [(seat, ("gold", ratings.gold)) for seat in seats]
    comparisons = [_comparison(measure, *first, *second, ratings.scale) for first, second in pairs]
    # A seat that none of these pairs has is compared with nothing.
    return [comparison for comparison in comparisons if comparison.pairs] or comparisons


def _comparison(measure, first, x: Values, second, y: Values, scale: Scale) -> Comparison:
    both = ~(np.isnan(x) | np.isnan(y))
    x, y = x[both], y[both]
    if measure.raters is Raters.TWO:
        figure = measure.function(x, y)
    else:
        topics = RatedTopics.of_columns([x, y], np.zeros(len(x)), topics=1, values=scale.values)
        figure = pooled(topics, [measure.name])[measure.name].figure
    return Comparison(
        first,
        second,
        len(x),
        confusion(x, y, values=scale.values).tolist(),
        figure,
        steps(measure.name, x, y, scale) if figure.is_defined else [],
    )
