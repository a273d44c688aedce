"""The report as JSON and as CSV; an undefined figure is null or empty, its reason beside it."""

from collections.abc import Iterator, Mapping

from agreement.statistics import Disagreement, Overruling, Summary
from agreement.study.counted import Counted
from agreement.study.scales import Scale, measures_of
from agreement.subjects.overview.figures import FacetFigures, Row, TopicFigures
from agreement.subjects.overview.raters import several_raters
from agreement.subjects.overview.report import Report
from formats.spreadsheets import csv_text, escaped

COLUMNS = [
    "scope",  # all, facet or topic
    "facet",
    "topic",
    "when",  # before or after adjudication
    "measure",
    "grade",  # "2" for one grade against the rest, "2+" for those from it on; empty for the whole
    "raters",  # of pairs with so many seats, where they differ; empty for all pairs
    "summary",  # median, mean or pooled over topics; empty for a single topic
    "cannot_judge",  # lowest, drop or gaps
    "value",
    "reason",  # why there is no value
    "figures",  # how many defined figures the value summarises
    "undefined",  # how many were left out as undefined
    "topics",
    "queries",  # that these topics stand under
    "pairs",
]


def as_json(report: Report) -> dict:
    """The whole report as plain data, in a stable order and without a clock time."""
    return {
        "collection": {"slug": report.collection.slug, "name": report.collection.name},
        "cannot_judge": {
            "rule": str(report.cannot_judge),
            "lowest_value": report.scale.lowest if report.scale.is_ordinal else None,
            "in_words": report.rule_in_words,
        },
        "summary": str(report.summary),
        "unit": report.unit.singular,
        "raters": report.raters_in_words,
        "measures": report.measures.titles,
        "facets": {facet.key: _facet(facet) for facet in report.facets},
        "all": _facet(report.whole),
        "several_raters": _several(report.finished),
        "topics": {
            figures.topic.key: _topic(figures, report.ratings.scale_under(figures.topic.facet))
            for figures in report.topics
        },
        "left_out_for_viewer": [topic.key for topic in report.withheld],
    }


def _several(counted: Counted) -> dict | None:
    """Three raters and more, all pairs of finished batches put together; None for two."""
    if not counted.has_several_raters:
        return None
    several = several_raters(counted)
    return {
        "raters": several.raters,
        "pairs": several.pairs,
        "pairs_by_raters": {str(seats): pairs for seats, pairs in several.overlaps.items()},
        "pairs_without_majority": several.with_majority.without,
        **{compared.key: _summaries(compared.average) for compared in several.compared},
        "together": _summaries(several.together),
    }


def _facet(facet: FacetFigures) -> dict:
    return {
        "name": facet.name,
        "topics": facet.topics,
        "pairs_compared": {
            f"{first} and {second}": pairs for (first, second), pairs in facet.compared.items()
        },
        "by_raters": [
            {"raters": overlap.seats, "before": _row(overlap.before), "after": _row(overlap.after)}
            for overlap in facet.overlaps
        ],
        "by_grade": {
            grade.cut.key: {
                "name": grade.cut.name,
                "before": _summaries(grade.before),
                "after": _summaries(grade.after),
            }
            for grade in facet.grades
        },
        "before": _row(facet.before) | {"not_yet": facet.topics - facet.before.topics},
        "after": _row(facet.after) | {"not_yet": facet.topics - facet.after.topics},
        "disagreement": _disagreement(facet.disagreement, facet.scale.is_ordinal),
        "overruling": {
            "mean_share": _summary(facet.overruling_share),
            **_overruling(facet.overruling, facet.scale.is_ordinal),
        },
    }


def _topic(figures: TopicFigures, scale: Scale) -> dict:
    topic, has_order = figures.topic, scale.is_ordinal
    facts = {"title": topic.title, "facet": topic.facet or None, "pairs": topic.pairs}
    if not topic.withheld:
        facts |= {
            "cannot_judge": topic.cannot_judge,
            "excluded": topic.excluded,
            "mixed_seats": topic.mixed_seats,
        }
    return facts | {
        "before": _row(figures.before) if figures.before else None,
        "after": _row(figures.after) if figures.after else None,
        "not_yet": {
            "before": figures.topic.not_yet_rated or None,
            "after": figures.topic.not_yet_decided or None,
        },
        "disagreement": (
            _disagreement(figures.before.disagreement, has_order) if figures.before else None
        ),
        "overruling": (
            _topic_overruling(figures.after.overruling, has_order) if figures.after else None
        ),
    }


def _row(row: Row) -> dict:
    return {**_counts(row), "measures": _summaries(row.figures)}


def _counts(row: Row) -> dict:
    return {"topics": row.topics, "queries": row.queries, "pairs": row.pairs}


def _summaries(figures: Mapping[str, Summary]) -> dict:
    return {name: _summary(summary) for name, summary in figures.items()}


def _summary(summary: Summary) -> dict:
    return {
        "value": summary.figure.value,
        "reason": summary.figure.reason,
        "figures": summary.defined,
        "undefined": {str(reason): count for reason, count in sorted(summary.left_out.items())},
    }


def _disagreement(counts: Disagreement, has_order: bool) -> dict:
    """Labels have no distance."""
    distances = {f"{apart:g}": pairs for apart, pairs in counts.by_distance.items()}
    return {
        "pairs": counts.pairs,
        "differing": counts.differing,
        "by_distance": distances if has_order else None,
    }


def _topic_overruling(counts: Overruling, has_order: bool) -> dict:
    share = counts.share
    return {"share": share.value, "reason": share.reason, **_overruling(counts, has_order)}


def _overruling(counts: Overruling, has_order: bool) -> dict:
    """Nothing lies outside the range of labels, which have none."""
    return {
        "pairs": counts.pairs,
        "overruled": counts.overruled,
        "outside_range": counts.outside_range if has_order else None,
        "against_agreement": counts.against_agreement,
    }


def as_csv(report: Report) -> str:
    """One line per topic or facet, time and measure, with the columns above; lines end in LF."""
    return csv_text([COLUMNS, *([line.get(name) for name in COLUMNS] for line in _lines(report))])


def _lines(report: Report) -> Iterator[dict]:
    common = {"cannot_judge": str(report.cannot_judge)}
    for facet in (*report.facets, report.whole):
        scope = {"scope": "facet" if facet.key else "all", "facet": escaped(facet.key), **common}
        yield from ({**scope, **line} for line in _facet_lines(facet, str(report.summary)))
    for figures in report.topics:
        scope = {
            "scope": "topic",
            "facet": escaped(figures.topic.facet),
            "topic": escaped(figures.topic.key),
            **common,
        }
        scale = report.ratings.scale_under(figures.topic.facet)
        yield from ({**scope, **line} for line in _topic_lines(figures, scale))


def _facet_lines(facet: FacetFigures, summary: str) -> Iterator[dict]:
    for when, row in (("before", facet.before), ("after", facet.after)):
        yield from _measure_lines(when, row, {"summary": summary})
    for of_grade in facet.grades:
        for when, row, figures in (
            ("before", facet.before, of_grade.before),
            ("after", facet.after, of_grade.after),
        ):
            common = {"summary": summary, "grade": of_grade.cut.key}
            yield from _measure_lines(when, row, common, figures)
    if len(facet.pairs_by_raters) > 1:
        for overlap in facet.overlaps:
            common = {"summary": summary, "raters": str(overlap.seats)}
            yield from _measure_lines("before", overlap.before, common)
            yield from _measure_lines("after", overlap.after, common)
    share = _value(facet.overruling_share)
    numbers = _counts(facet.after)
    yield {"when": "after", "measure": "overruled_share", "summary": "mean", **share, **numbers}
    yield from _count_lines(facet.overruling, numbers, facet.scale)


def _topic_lines(figures: TopicFigures, scale: Scale) -> Iterator[dict]:
    for when, row, not_yet in (
        ("before", figures.before, figures.topic.not_yet_rated),
        ("after", figures.after, figures.topic.not_yet_decided),
    ):
        if row:
            yield from _measure_lines(when, row, {})
        else:
            for measure in measures_of(scale).keys:
                yield {"when": when, "measure": measure, "reason": f"not yet: {not_yet}"}
    if figures.after:
        counts = figures.after.overruling
        share = counts.share
        yield {
            "when": "after",
            "measure": "overruled_share",
            "value": share.value,
            "reason": share.reason or "",
            "pairs": counts.pairs,
        }
        yield from _count_lines(counts, {"pairs": counts.pairs}, scale)


def _measure_lines(
    when: str, row: Row, common: dict, figures: dict[str, Summary] | None = None
) -> Iterator[dict]:
    """Of all figures of the row, or of others that rest on the same pairs."""
    for measure, summary in (figures or row.figures).items():
        yield {
            "when": when,
            "measure": measure,
            **common,
            **_value(summary),
            **_counts(row),
        }


def _count_lines(counts: Overruling, numbers: dict, scale: Scale) -> Iterator[dict]:
    for name in ("overruled", "outside_range", "against_agreement"):
        if name == "outside_range" and not scale.is_ordinal:
            continue
        yield {"when": "after", "measure": name, "value": getattr(counts, name), **numbers}


def _value(summary: Summary) -> dict:
    return {
        "value": summary.figure.value,
        "reason": summary.figure.reason or "",
        "figures": summary.defined,
        "undefined": summary.undefined,
    }
