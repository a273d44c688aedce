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
    """Intervals of each topic that is rated, in order: its pairs are resampled."""
    return [
        Wanted(
            report.before.topics.only([figures.topic.number]),
            tuple(MEASURES),
            SummaryKind.POOLED,
            Over.PAIRS,
            method=report.filters.method,
        )
        for figures in topics
        if figures.before
    ]


def _value(figures: TopicFigures, measure: str) -> float | None:
    return figures.before.measures[measure].figure.value if figures.before else None


def _negative(value: float | None) -> float | None:
    return None if value is None else -value
