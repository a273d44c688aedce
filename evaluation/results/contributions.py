"""Each run's share of a pool of the first k documents of all runs, and the pool without it.

Zobel (1998), How reliable are the results of large-scale information retrieval experiments?
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.measures import Grades, Ids, Measure, Values
from evaluation.protocols import Protocol
from evaluation.results.measured import Judged, Rankings, left_out, measure_runs, without


@dataclass(frozen=True, eq=False)
class Contributions:
    """Counts of the first `depth` documents of each run, summed over topics; arrays are (runs,).

    `ranked` counts documents, `judged` those with a grade, `relevant` those of the least relevant
    grade, `alone` those that no other run has so high, `relevant_alone` the relevant among them.
    `shared` is (runs, runs): the documents that both have; its diagonal is `ranked`. `finds` are
    those relevant documents of each run, (topic, document).
    """

    depth: int
    ranked: Ids
    judged: Ids
    relevant: Ids
    alone: Ids
    relevant_alone: Ids
    shared: Ids
    finds: tuple[tuple[tuple[str, str], ...], ...]

    @property
    def unjudged(self) -> Ids:
        return self.ranked - self.judged


def contributions(
    topics: Sequence[Judged], rankings: Rankings, protocol: Protocol, depth: int
) -> Contributions:
    runs = list(rankings)
    counts = np.zeros((5, len(runs)), dtype=np.int64)
    shared = np.zeros((len(runs), len(runs)), dtype=np.int64)
    finds: list[list[tuple[str, str]]] = [[] for _ in runs]
    for topic in topics:
        tops = _tops(topic, rankings, protocol, depth)
        of_documents = Counter(document for top in tops for document in top)
        grades = dict(zip(topic.grades.documents, topic.grades.values.tolist(), strict=True))
        for row, top in enumerate(tops):
            judged_here = {
                document for document in top if not np.isnan(grades.get(document, np.nan))
            }
            relevant_here = {
                document for document in judged_here if grades[document] >= protocol.least
            }
            only_it = {document for document in top if of_documents[document] == 1}
            counts[:, row] += [
                len(top),
                len(judged_here),
                len(relevant_here),
                len(only_it),
                len(relevant_here & only_it),
            ]
            shared[row] += [len(top & other) for other in tops]
            finds[row] += [(topic.id, document) for document in sorted(relevant_here & only_it)]
    ranked, judged, relevant, alone, relevant_alone = counts
    return Contributions(
        depth, ranked, judged, relevant, alone, relevant_alone, shared, tuple(map(tuple, finds))
    )


def without_each(
    topics: Sequence[Judged],
    rankings: Rankings,
    protocol: Protocol,
    measure: Measure,
    depth: int,
) -> Values:
    """(runs left out, runs, topics): every run measured as if what one run alone has among its
    first `depth` had never been judged."""
    runs = list(rankings)
    full_values = measure_runs(topics, rankings, protocol, [measure]).counted(protocol)[0]
    values = np.repeat(full_values[np.newaxis], len(runs), axis=0)
    for column, topic in enumerate(topics):
        tops = _tops(topic, rankings, protocol, depth)
        of_documents = Counter(document for top in tops for document in top)
        for row, top in enumerate(tops):
            alone = {document for document in top if of_documents[document] == 1}
            grades = _unjudged(topic.grades, alone)
            if grades is not topic.grades:
                measured = measure_runs(
                    [replace(topic, grades=grades)], rankings, protocol, [measure]
                )
                values[row, :, column] = measured.counted(protocol)[0, :, 0]
    return values


def _tops(topic: Judged, rankings: Rankings, protocol: Protocol, depth: int) -> list[set[str]]:
    away = left_out(protocol, topic)
    return [
        set(without(of_topics.get(topic.id, ()), away)[:depth]) for of_topics in rankings.values()
    ]


def _unjudged(grades: Grades, documents: set[str]) -> Grades:
    """The topic without the grades of some documents; itself where these have none."""
    mask = np.isin(grades.documents, list(documents)) & ~np.isnan(grades.values)
    if not mask.any():
        return grades
    return replace(grades, values=np.where(mask, np.nan, grades.values))
