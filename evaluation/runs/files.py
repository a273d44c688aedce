"""Every measure by run, facet, fold and topic, in full precision, as JSON has it."""

from typing import Any

import numpy as np

from evaluation.measures import Measure, Values
from evaluation.points import points
from evaluation.results import Together, bootstrap, means
from evaluation.results.summaries import standard_errors
from evaluation.runs.evaluation import ALL, Evaluation
from evaluation.runs.scores import number, people_of, scores_of


def all_figures(evaluation: Evaluation) -> dict[str, Any]:
    """The figures of all topics, of each facet with its own folds, and of each topic.

    `value` is what the protocol makes of the topics, `mean` their plain mean; the two differ where
    it is a mean of folds or of bootstrap means.
    """
    values = evaluation.measured.counted(evaluation.protocol)
    facets = {facet: evaluation.narrowed(facet=facet) for facet in _facets(evaluation)}
    return {
        **about(evaluation),
        "measures": [
            {"name": measure.name, "definition": measure.words}
            for measure in evaluation.protocol.parsed
        ],
        "runs": {
            name: {
                "system": run.system.key,
                "kind": run.system.kind,
                "sha256": run.content_sha256,
                "topics_without_ranking": int(np.count_nonzero(evaluation.measured.lacks[row])),
                "all": _figures(evaluation, evaluation.together, row),
                "facets": {
                    facet: _figures(other, other.together, row) for facet, other in facets.items()
                },
                "topics": _by_topic(evaluation, values[:, row]),
            }
            for row, (name, run) in enumerate(evaluation.runs.items())
        },
        "people": [
            {
                "name": row.name,
                "note": row.note,
                "measures": {cell.measure.name: cell.value for cell in row.cells},
            }
            for row in people_of(evaluation, evaluation.protocol.parsed[0]).rows
        ],
    }


def _facets(evaluation: Evaluation) -> list[str]:
    """The facets of the topics that count, in the scheme's order; none where there is one."""
    used = list(dict.fromkeys(unit.facet for unit in evaluation.units if unit.facet))
    scheme_facets = [facet.key for facet in evaluation.collection.scheme.facets.all()]
    ordered = sorted(
        used,
        key=lambda facet: (
            scheme_facets.index(facet) if facet in scheme_facets else len(scheme_facets)
        ),
    )
    return ordered if len(ordered) > 1 else []


def about(evaluation: Evaluation) -> dict[str, Any]:
    """The subject of the figures."""
    collection = evaluation.collection
    return {
        "collection": {"slug": collection.slug, "name": collection.name},
        "licence": collection.licence,
        "source_of_data": collection.source,
        "citation": collection.citation,
        "protocol": evaluation.protocol.data,
        "source": evaluation.source.data,
        "level": str(evaluation.level),
        "facet": evaluation.facet,
        "fold": evaluation.fold,
        "tag": evaluation.tag,
        "topics": [topic.id for topic in evaluation.topics],
        "not_yet": {topic.id: topic.reason for topic in evaluation.not_yet},
        "left_out_batches": list(evaluation.judging.left_out),
    }


def _figures(evaluation: Evaluation, together: Together, row: int) -> dict[str, Any]:
    values = evaluation.measured.counted(evaluation.protocol)[:, row]
    interval = bootstrap(values, together)
    errors = standard_errors(values)
    judged = means(evaluation.measured.judged[:, row])
    folds = evaluation.folds.get(evaluation.facet, {}) if evaluation.fold == ALL else {}
    of_fold = {
        fold: means(values[:, np.isin([topic.id for topic in evaluation.topics], list(topics))])
        for fold, topics in folds.items()
    }
    value, mean = together(values), means(values)
    return {
        measure.name: {
            "value": number(value[place]),
            "mean": number(mean[place]),
            "low": number(interval.low[place]),
            "high": number(interval.high[place]),
            "standard_error": number(errors[place]),
            "judged": number(judged[place]),
            "topics": int(np.count_nonzero(~np.isnan(values[place]))),
            "topics_without_value": int(
                np.count_nonzero(np.isnan(evaluation.measured.values[place, row]))
            ),
            "folds": {fold: number(averages[place]) for fold, averages in of_fold.items()},
        }
        for place, measure in enumerate(evaluation.protocol.parsed)
    }


def _by_topic(evaluation: Evaluation, values: Values) -> dict[str, dict[str, float | None]]:
    measures: tuple[Measure, ...] = evaluation.protocol.parsed
    return {
        topic.id: {
            measure.name: number(values[place, column]) for place, measure in enumerate(measures)
        }
        for column, topic in enumerate(evaluation.topics)
    }


def as_text(evaluation: Evaluation) -> str:
    """The table for a terminal."""
    scores = scores_of(evaluation)
    width = max([len(row.name) for row in scores.rows] + [3])
    lines = [
        f"{evaluation.collection.name}: {evaluation.protocol.name}, "
        f"by {evaluation.source.in_words}, "
        f"{evaluation.count_in_words(scores.topics)}; values times 100",
        "",
        " " * width + "".join(f"  {measure.name:>18}" for measure in scores.measures),
    ]
    for row in scores.rows:
        cells = "".join(f"  {points(cell.value):>18}" for cell in row.cells)
        lines.append(f"{row.name:<{width}}{cells}")
    lines += ["", *(f"{term}: {words}" for term, words in evaluation.protocol.in_words)]
    lines += [f"Not yet: {topic.id} ({topic.reason})" for topic in evaluation.not_yet]
    return "\n".join(lines)
