"""Writing a study as BIRCO's JSON: as parsed JSON, what was read."""

import json
from typing import Any

from formats.records import JudgmentSet, Run, Study


def write_task(study: Study, judgments: JudgmentSet) -> bytes:
    """The task with these judgments as relevance, in the literals that they have."""
    qrel: dict[str, dict[str, Any]] = {}
    for judgment in judgments.judgments:
        # A literal was a number of JSON, so that it is one again; nothing is rounded by hand.
        relevance = json.loads(judgment.literal)
        qrel.setdefault(judgment.subject, {})[judgment.document] = relevance
    return _json(
        {
            "query": {query.id: query.text for query in study.queries},
            "corpus": {document.id: document.text for document in study.documents},
            "qrel": qrel,
        }
    )


def write_ranking(run: Run) -> bytes:
    """A run whose lines are in the order of its ranks."""
    ranked: dict[str, list[str]] = {}
    for line in run.lines:
        ranked.setdefault(line.topic, []).append(line.document)
    return _json(ranked)


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
