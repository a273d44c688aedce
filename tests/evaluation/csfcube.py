"""The half of CSFCube with its eleven runs, read without the product's importer."""

import json

import numpy as np

from evaluation.measures import Grades
from evaluation.results import Judged

FACETS = ("background", "method", "result")


def answers(folder):
    """{topic: (documents, ratings by seat with -1 for missing, adjudicated, annotators)}"""
    pools = {}
    for facet in FACETS:
        path = folder / "csfcube-half" / f"test-pid2anns-csfcube-{facet}.json"
        for paper, lists in json.loads(path.read_text(encoding="utf-8")).items():
            people = [key for key in lists if key.startswith("relevance_ann")]
            by_seat = np.array([lists[key] for key in people], dtype=float)
            adjudicated = np.array(lists["relevance_adju"], dtype=float)
            pools[f"{paper}_{facet}"] = (tuple(lists["cands"]), by_seat, adjudicated, people)
    return pools


def topics(folder, grades):
    """The topics with what `grades(by seat with missing as 0, adjudicated)` makes of a pool."""
    return [
        Judged(
            topic,
            Grades(
                documents,
                grades(np.maximum(by_seat, 0), adjudicated),
                query_paper=topic.split("_")[0],
            ),
            facet=topic.split("_")[1],
        )
        for topic, (documents, by_seat, adjudicated, _) in answers(folder).items()
    ]


def rankings(folder, names):
    return {name: read_run(folder / "csfcube-half" / "runs" / f"{name}.run") for name in names}


def read_run(path):
    """{topic: documents in the order of the file}"""
    rankings_of_run = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        topic, _, document, *_ = line.split()
        rankings_of_run.setdefault(topic, []).append(document)
    return rankings_of_run


def expected(folder):
    path = folder / "csfcube-half" / "runs" / "expected-runs.json"
    return json.loads(path.read_text(encoding="utf-8"))


def by_gold(by_seat, adjudicated):
    return adjudicated
