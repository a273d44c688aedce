"""Every query by itself, those to act on first."""

from collections.abc import Callable, Sequence

from agreement.statistics import MEASURES, Over, SummaryKind
from agreement.study.intervals import Wanted
from agreement.subjects.overview.report import Report, TopicFigures

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
        "worst": lambda one: _value(one, measure),
        "best": lambda one: _negative(_value(one, measure)),
        "differing": lambda one: _negative(differing(one)),
        "open": lambda one: -one.topic.undecided,
        "study": lambda one: one.topic.number,
    }
    key = keys[sort]

    def last_without(one):
        found = key(one)
        return (found is None, found or 0.0)

    return sorted(topics, key=last_without)


def differing(figures: TopicFigures) -> int | None:
    """Pairs whose raters gave different values; None as long as the topic is not rated."""
    return figures.before.disagreement.differing if figures.before else None


def queries_wanted(report: Report, topics: Sequence[TopicFigures]) -> list[Wanted]:
    """Intervals of each topic that is rated, in order: its pairs are resampled."""
    return [
        Wanted(
            report.before.topics.only([one.topic.number]),
            tuple(MEASURES),
            SummaryKind.POOLED,
            Over.PAIRS,
            method=report.filters.method,
        )
        for one in topics
        if one.before
    ]


def _value(one: TopicFigures, measure: str) -> float | None:
    return one.before.measures[measure].figure.value if one.before else None


def _negative(value: float | None) -> float | None:
    return None if value is None else -value
