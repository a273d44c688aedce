"""Every measure by run, facet, fold and topic, in full precision, as JSON has it."""

from typing import Any

import numpy as np

from evaluation.measures import Measure, Values
from evaluation.results import Together, bootstrap, means
from evaluation.results.summaries import standard_errors
from evaluation.runs.asked import ALL, Asked
from evaluation.runs.scores import facet_names, number, people_of, scores_of


def evaluation_of(asked: Asked) -> dict[str, Any]:
    """Of all topics, of each facet with its own folds, and of each topic.

    `value` is what the protocol makes of the topics, `mean` their plain mean; the two differ where
    it is a mean of folds or of bootstrap means.
    """
    values = asked.measured.counted(asked.protocol)
    facets = {facet: asked.of_facet(facet) for facet in facet_names(asked)}
    return {
        **about(asked),
        "measures": [{"name": one.name, "definition": one.words} for one in asked.protocol.parsed],
        "runs": {
            name: {
                "system": run.system.key,
                "kind": run.system.kind,
                "sha256": run.content_sha256,
                "topics_without_ranking": int(np.count_nonzero(asked.measured.lacks[row])),
                "all": _figures(asked, asked.together, row),
                "facets": {
                    facet: _figures(other, other.together, row) for facet, other in facets.items()
                },
                "topics": _by_topic(asked, values[:, row]),
            }
            for row, (name, run) in enumerate(asked.runs.items())
        },
        "people": [
            {
                "name": row.name,
                "note": row.note,
                "measures": {cell.measure.name: cell.value for cell in row.cells},
            }
            for row in people_of(asked, asked.protocol.parsed[0]).rows
        ],
    }


def about(asked: Asked) -> dict[str, Any]:
    """What the figures are of."""
    collection = asked.collection
    return {
        "collection": {"slug": collection.slug, "name": collection.name},
        "licence": collection.licence,
        "source_of_data": collection.source,
        "citation": collection.citation,
        "protocol": asked.protocol.data,
        "source": asked.source.data,
        "level": str(asked.level),
        "facet": asked.facet,
        "fold": asked.fold,
        "tag": asked.tag,
        "topics": [topic.id for topic in asked.topics],
        "not_yet": {one.id: one.reason for one in asked.not_yet},
        "left_out_batches": list(asked.judging.left_out),
    }


def _figures(asked: Asked, together: Together, row: int) -> dict[str, Any]:
    values = asked.measured.counted(asked.protocol)[:, row]
    interval = bootstrap(values, together)
    errors = standard_errors(values)
    judged = means(asked.measured.judged[:, row])
    folds = asked.folds.get(asked.facet, {}) if asked.fold == ALL else {}
    of_fold = {
        fold: means(values[:, np.isin([one.id for one in asked.topics], list(topics))])
        for fold, topics in folds.items()
    }
    value, mean = together(values), means(values)
    return {
        one.name: {
            "value": number(value[place]),
            "mean": number(mean[place]),
            "low": number(interval.low[place]),
            "high": number(interval.high[place]),
            "standard_error": number(errors[place]),
            "judged": number(judged[place]),
            "topics": int(np.count_nonzero(~np.isnan(values[place]))),
            "topics_without_value": int(
                np.count_nonzero(np.isnan(asked.measured.values[place, row]))
            ),
            "folds": {fold: number(found[place]) for fold, found in of_fold.items()},
        }
        for place, one in enumerate(asked.protocol.parsed)
    }


def _by_topic(asked: Asked, values: Values) -> dict[str, dict[str, float | None]]:
    measures: tuple[Measure, ...] = asked.protocol.parsed
    return {
        topic.id: {one.name: number(values[place, column]) for place, one in enumerate(measures)}
        for column, topic in enumerate(asked.topics)
    }


def as_text(asked: Asked) -> str:
    """The table for a terminal."""
    scores = scores_of(asked)
    width = max([len(row.name) for row in scores.rows] + [3])
    lines = [
        f"{asked.collection.name}: {asked.protocol.name}, by {asked.source.in_words}, "
        f"{asked.count_in_words(scores.topics)}; values times 100",
        "",
        " " * width + "".join(f"  {one.name:>18}" for one in scores.measures),
    ]
    for row in scores.rows:
        cells = "".join(
            f"  {'-' if cell.value is None else f'{100 * cell.value:.2f}':>18}"
            for cell in row.cells
        )
        lines.append(f"{row.name:<{width}}{cells}")
    lines += ["", *(f"{what}: {how}" for what, how in asked.protocol.in_words)]
    lines += [f"Not yet: {one.id} ({one.reason})" for one in asked.not_yet]
    return "\n".join(lines)
