"""The sources that brought pairs into the pools: the methods, runs and citations of candidates.

Annotators never learn a source; what is made of this is for leads, and of pairs that are done.
"""

import json
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from django.db.models import TextField
from django.db.models.functions import Cast, Coalesce

from agreement.study.ratings import Ratings
from agreement.study.rows import Ids, Mask
from datasets.models import Candidate, TopicPlace

# `sources` is the number of a combination of sources; `document` is 0 for one without text.
CANDIDATE = np.dtype([("query", "i8"), ("document", "i8"), ("sources", "i8")])


@dataclass(frozen=True)
class Sources:
    """The sources of the pairs of some ratings.

    `of_pairs` (pairs by names) says which of the sources brought a pair; where several queries
    ask for a pair, all of theirs. `of_candidates` (candidates by names) is the same of entries in
    pools: a document under two facets of a query is two pairs and one candidate. `without_text`
    is the number of candidates of the same queries that can have no pair.
    """

    names: tuple[str, ...]
    of_pairs: Mask
    of_candidates: Mask
    without_text: int


def read_sources(collection, ratings: Ratings) -> Sources:
    """In two statements, whatever the size; sources in the order of their names."""
    pair, query = _queries_of_pairs(collection, ratings)
    candidates, combinations = _read_candidates(collection)
    candidates = candidates[np.isin(candidates["query"], query)]
    with_document = candidates[candidates["document"] > 0]
    row, at = _joined(with_document, query, ratings.document[pair])
    # Few combinations of sources occur, however many candidates there are. A source of none of
    # these pairs is not named either: it may be one of pairs that the viewer is not to know of.
    used = [combinations[number] for number in np.unique(with_document["sources"][at]).tolist()]
    names = tuple(sorted(set().union(*used)))
    brought = np.array(
        [[name in combination for name in names] for combination in combinations], dtype=bool
    )
    brought = brought.reshape(len(combinations), len(names))
    of_pairs = np.zeros((ratings.size, len(names)), dtype=bool)
    rows, number = np.nonzero(brought[with_document["sources"][at]])
    of_pairs[pair[row[rows]], number] = True
    return Sources(
        names=names,
        of_pairs=of_pairs,
        of_candidates=brought[with_document["sources"][np.unique(at)]],
        without_text=len(candidates) - len(with_document),
    )


def _queries_of_pairs(collection, ratings) -> tuple[Ids, Ids]:
    """(position of a pair, id of a query that has it in its pool): a row for each such query."""
    number_of = {topic.pk: number for number, topic in enumerate(ratings.topics)}
    pairs, queries = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for topic, query in (
        TopicPlace.objects.filter(topic__collection=collection)
        .order_by()
        .values_list("topic_id", "query_id")
        .distinct()
    ):
        if topic in number_of:
            of_topic = np.arange(*ratings.starts[number_of[topic] : number_of[topic] + 2])
            pairs.append(of_topic)
            queries.append(np.full(len(of_topic), query, dtype=np.int64))
    return np.concatenate(pairs), np.concatenate(queries)


def _read_candidates(collection) -> tuple[npt.NDArray[np.void], list[set[str]]]:
    """CANDIDATE rows, and the combinations of sources by number.

    As text, since reading each as JSON would take longer than all the rest.
    """
    numbers: dict[str, int] = {}
    candidates = (
        Candidate.objects.filter(query__collection=collection)
        .order_by()
        .values_list("query_id", Coalesce("document_id", 0), Cast("sources", TextField()))
    )
    rows = np.fromiter(
        (
            (query, document, numbers.setdefault(text, len(numbers)))
            for query, document, text in candidates
        ),
        dtype=CANDIDATE,
    )
    return rows, [set(json.loads(text)) for text in numbers]


def _joined(candidates, query: Ids, document: Ids) -> tuple[Ids, Ids]:
    """(row, its candidate) for every row of a query and a document that is in the query's pool."""
    if not len(candidates):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    width = max(candidates["document"].max(), document.max()) + 1
    keys = candidates["query"] * width + candidates["document"]
    order = np.argsort(keys)
    pair_keys = query * width + document
    at = order[np.minimum(np.searchsorted(keys[order], pair_keys), len(keys) - 1)]
    row = np.flatnonzero(keys[at] == pair_keys)
    return row, at[row]
