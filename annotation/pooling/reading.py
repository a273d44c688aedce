"""The collection's input for a pool from runs: rankings, topics, texts, present candidates."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.models import Pair
from annotation.pooling.draw import Pool, Rankings
from datasets.models import Collection, Document, Level, Query, Run, Topic, TopicPlace
from datasets.runs.reading import rankings_of
from formats.grouping import grouped


@dataclass(frozen=True)
class Subject:
    """The subject of a ranking: a topic in its query, or a query with its topics."""

    query: Query
    topics: list[Topic]


def subjects_of(collection: Collection, level: str) -> dict[str, Subject]:
    """{external id: Subject}, by the level of the runs."""
    places = TopicPlace.objects.filter(
        query__collection=collection, topic__in=Topic.objects.filter(collection=collection)
    ).select_related("query", "topic")
    subjects: dict[str, Subject] = {}
    for place in places.order_by("query__position", "query", "position", "pk"):
        is_of_queries = level == Level.QUERIES
        name = place.query.external_id if is_of_queries else place.topic.external_id
        # A topic that stands in several queries takes its documents into the pool of the first.
        subject = subjects.setdefault(name, Subject(place.query, []))
        if place.topic not in subject.topics:
            subject.topics.append(place.topic)
    return subjects


def poolable_runs(collection: Collection) -> dict[str, list[Run]]:
    """{level: runs} of the levels that pools are drawn at; sub-queries share their query's pool."""
    runs = Run.objects.filter(system__collection=collection).select_related("system")
    return dict(grouped((run.level, run) for run in runs.exclude(level=Level.SUB_QUERIES)))


def labelled_rankings(runs: Iterable[Run], subjects: Iterable[str]) -> Rankings:
    """{label of a run: {subject: documents}} of what the collection has."""
    runs, subject_ids = list(runs), set(subjects)
    rankings = rankings_of(runs)
    return {
        run.label: {
            name: ranked for name, ranked in rankings[run.pk].items() if name in subject_ids
        }
        for run in runs
    }


@dataclass(frozen=True)
class Stock:
    """The collection's share of a pool: documents by external id, and the pairs that exist."""

    documents: dict[str, int]
    pairs: set[tuple[int, int]]  # topic, document

    @property
    def judged(self) -> dict[int, set[str]]:
        """{topic: ids of the documents that were ever to be judged for it}"""
        names = {key: name for name, key in self.documents.items()}
        judged: dict[int, set[str]] = defaultdict(set)
        for topic, document in self.pairs:
            judged[topic].add(names.get(document, ""))
        return judged

    def absent(self, rankings: Rankings) -> set[str]:
        """Ranked documents that the collection does not have."""
        lists = (ranked for of_run in rankings.values() for ranked in of_run.values())
        return set().union(*lists) - self.documents.keys()

    def without_text(self, pool: Pool) -> list[str]:
        """Documents of the pool that the collection does not have: they cannot be judged."""
        document_ids = {candidate.document for pooled in pool.values() for candidate in pooled}
        return sorted(document_ids - self.documents.keys())

    def new_pairs(self, pool: Pool, subjects: dict[str, Subject]) -> list[tuple[Topic, int]]:
        """Topic and document of the pairs that the pool asks for and that do not exist."""
        new, pairs = [], set(self.pairs)
        for name, pooled in pool.items():
            for topic in subjects[name].topics:
                for candidate in pooled:
                    document = self.documents.get(candidate.document)
                    if document is not None and (topic.pk, document) not in pairs:
                        pairs.add((topic.pk, document))
                        new.append((topic, document))
        return new


def stock_of(collection: Collection) -> Stock:
    documents = Document.objects.filter(collection=collection)
    pairs = Pair.including_inactive.filter(topic__collection=collection).order_by()
    return Stock(
        dict(documents.values_list("external_id", "pk")),
        set(pairs.values_list("topic", "document")),
    )


@dataclass(frozen=True)
class Material:
    """All that pools from runs of one level are drawn from; `rankings` are by a run's label."""

    subjects: dict[str, Subject]
    rankings: Rankings
    stock: Stock

    def of(self, runs: Iterable[Run]) -> Rankings:
        return {run.label: self.rankings[run.label] for run in runs}


def read_material(collection: Collection, runs: Sequence[Run]) -> Material:
    """Of runs of one level, at least one."""
    subjects = subjects_of(collection, runs[0].level)
    return Material(subjects, labelled_rankings(runs, subjects), stock_of(collection))
