"""The units that runs of a level rank: topics, complex queries, or some aspects of one.

A unit knows which pairs it is made of, and makes its grades from theirs: its own, or S / |Q| over
the pairs of all its aspects, where every one of them has a grade.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from datasets.models import Level, Query
from datasets.runs.rankings import plain_number
from evaluation.measures import Grades, Ids, Values
from evaluation.queries.reading import ReadQuery, read_text_queries
from evaluation.results import Judged
from evaluation.scores import sub_queries
from evaluation.sources.picking import DIGITS
from evaluation.sources.reading import Judging, query_papers

NO_PAIR = -1
# Tags are what few queries share; a query's own text or number is none.
MOST_TAG_VALUES = 12


@dataclass(frozen=True, eq=False)
class Unit:
    """`places` (aspects, documents) are positions of pairs in the ratings, NO_PAIR for none.
    `topics` are the positions of the topics that it rests on."""

    id: str
    title: str
    facet: str
    topics: tuple[int, ...]
    documents: tuple[str, ...]
    places: Ids
    query_paper: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    public_id: str = ""

    @cached_property
    def pairs(self) -> Ids:
        """The positions of its pairs, each once, ascending."""
        return np.unique(self.places[self.places != NO_PAIR])

    def judged(self, values: Values) -> Judged:
        """With the grades of all pairs of the ratings, (..., pairs)."""
        return self.judged_by_own(values[..., self.pairs])

    def judged_by_own(self, values: Values) -> Judged:
        """With the grades of `pairs` alone, in their order."""
        places = np.searchsorted(self.pairs, np.where(self.places == NO_PAIR, 0, self.places))
        places = np.minimum(places, max(values.shape[-1] - 1, 0))
        if values.shape[-1]:
            sums = np.where(self.places == NO_PAIR, np.nan, values[..., places]).sum(axis=-2)
            # S of decimals without the last bits of their sum, which may fall short of |Q|.
            grades = np.round(sums, DIGITS) / len(self.places)
        else:
            grades = np.full((*values.shape[:-1], len(self.documents)), np.nan)
        return self.with_grades(Grades(self.documents, grades, len(self.places), self.query_paper))

    def judged_elsewhere(self, grades: Mapping[str, float]) -> Judged:
        """With judgments that name documents of their own. Sums over aspects, which exceed what
        one aspect can have, are divided by |Q| before this."""
        values = np.array(list(grades.values()), dtype=float)
        return self.with_grades(Grades(tuple(grades), values, len(self.places), self.query_paper))

    def with_grades(self, grades: Grades) -> Judged:
        return Judged(self.id, grades, facet=self.facet, title=self.title, tags=self.tags)


@dataclass(frozen=True)
class NotYet:
    """A topic without figures, and why."""

    id: str
    title: str
    reason: str


def units_of(judging: Judging, level: Level) -> list[Unit]:
    """All units of a level that the viewer may see, in the collection's order."""
    if level == Level.TOPICS:
        return list(_topics(judging))
    return list(_of_trees(judging, level))


def _topics(judging: Judging) -> Iterator[Unit]:
    ratings, documents = judging.ratings, judging.documents
    papers, tags = query_papers(judging.collection), tags_of(judging.collection)
    for number, topic in enumerate(ratings.topics):
        start, end = ratings.starts[number : number + 2].tolist()
        yield Unit(
            id=topic.key,
            title=topic.title,
            facet=topic.facet,
            topics=(number,),
            documents=tuple(documents[start:end]),
            places=np.arange(start, end)[np.newaxis],
            query_paper=papers.get(topic.pk, ""),
            tags=tags.get(topic.queries[0], {}) if topic.queries else {},
            public_id=topic.public_id,
        )


def _of_trees(judging: Judging, level: Level) -> Iterator[Unit]:
    ratings = judging.ratings
    number_of = {topic.key: number for number, topic in enumerate(ratings.topics)}
    place_of: dict[int, dict[str, int]] = defaultdict(dict)
    for place, (topic, document) in enumerate(
        zip(ratings.topic.tolist(), judging.documents, strict=True)
    ):
        place_of[topic][document] = place
    tags = tags_of(judging.collection)
    using = judging.collection._state.db
    for query in read_text_queries(judging.collection, using=using):
        for name, title, ids in _parts(query, level):
            # A topic that the viewer may not see takes the whole query with it.
            if any(pair_id not in number_of for pair_id in ids):
                continue
            topics = tuple(number_of[pair_id] for pair_id in ids)
            documents = tuple(query.record.documents)
            places = np.array(
                [
                    [place_of[topic].get(document, NO_PAIR) for document in documents]
                    for topic in topics
                ],
                dtype=np.int64,
            ).reshape(len(topics), len(documents))
            yield Unit(name, title, "", topics, documents, places, tags=tags.get(name, {}))


def _parts(query: ReadQuery, level: Level) -> Iterator[tuple[str, str, Sequence[str]]]:
    """(id, title, ids of its aspects) of the query, or of each of its sub-queries."""
    if level == Level.QUERIES:
        yield query.tree.id, query.record.text, query.tree.ids
        return
    for part in sub_queries(query.tree):
        yield part.id, part.text, part.ids


def tags_of(collection) -> dict[str, dict[str, str]]:
    """{query: {name: value}} of metadata that several queries share: words, numbers and booleans
    with few different values."""
    queries = Query.objects.using(collection._state.db).filter(collection=collection)
    rows = list(queries.values_list("external_id", "metadata"))
    values: dict[str, set[str]] = defaultdict(set)
    plain = {
        query: {
            str(name): _tag_value(value)
            for name, value in (metadata or {}).items()
            if isinstance(value, str | int | float) and str(value)
        }
        for query, metadata in rows
    }
    for tags in plain.values():
        for name, value in tags.items():
            values[name].add(value)
    few = {name for name, tag_values in values.items() if len(tag_values) <= MOST_TAG_VALUES}
    return {
        query: {name: value for name, value in tags.items() if name in few}
        for query, tags in plain.items()
    }


def _tag_value(value: str | int | float) -> str:
    """A whole number as such: a column of Parquet in which one is missing holds 1 as 1.0."""
    return plain_number(value) if isinstance(value, float) else str(value)
