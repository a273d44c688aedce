"""The pairs that a sample may be drawn from, by what it may be stratified."""

from collections import defaultdict

from django.db.models import TextChoices

from annotation.models import Pair
from annotation.sampling.drawing import Drawable, Stratum
from datasets.models import Candidate, Document, Query, Topic, TopicPlace
from formats.grouping import grouped

NONE_GIVEN = "none given"


class By(TextChoices):
    """The strata that a sample is in proportion to."""

    NOTHING = "nothing", "at random, not stratified"
    QUERY_TYPE = "query_type", "type of the query"
    LEVEL = "level", "aspect or sub-aspect, or facet"
    SOURCE = "source", "source of the candidate"


def drawn_as(batch):
    """`Batch.drawn` with its strata, and in words what it is in `proportion` to; both are empty
    unless the sample is stratified. None if the batch is no sample."""
    if batch.drawn is None:
        return None
    by = By(batch.drawn["stratified_by"])
    is_stratified = by != By.NOTHING
    return batch.drawn | {
        "proportion": by.label if is_stratified else "",
        "strata": [Stratum(*row) for row in batch.drawn["strata"]] if is_stratified else [],
    }


def drawable_pairs(collection, by=By.NOTHING):
    """All pairs that wait for a batch, as `Drawable`s; not those of locked topics.

    A pair that several queries ask for belongs to the stratum of all their types, or sources.
    """
    topics = dict(
        Topic.objects.filter(collection=collection, locked_at=None).values_list("pk", "external_id")
    )
    documents = dict(
        Document.objects.filter(collection=collection).values_list("pk", "external_id")
    )
    stratum_of = STRATA[by](collection)
    waiting = Pair.objects.waiting().filter(topic__collection=collection).order_by()
    return [
        Drawable(pair, f"{topics[topic]}\x1f{documents[document]}", stratum_of(topic, document))
        for pair, topic, document in waiting.values_list("pk", "topic_id", "document_id")
        if topic in topics
    ]


def _nothing(collection):
    return lambda topic, document: ""


def _query_types(collection):
    """The type of the query; of the query paper where the topic is one under a facet."""
    types = {
        pk: str(metadata.get("query_type") or NONE_GIVEN)
        for pk, metadata in Query.objects.filter(collection=collection).values_list(
            "pk", "metadata"
        )
    }
    of_papers = {
        pk: str(metadata.get("paper type") or NONE_GIVEN)
        for pk, metadata in Topic.objects.filter(collection=collection)
        .exclude(facet="")
        .values_list("pk", "metadata")
    }
    of_queries = _of_queries(collection, lambda query, sources: [types[query]])
    return lambda topic, document: of_papers.get(topic) or of_queries(topic, document)


def _sources(collection):
    return _of_queries(collection, lambda query, sources: sources or [NONE_GIVEN])


def _of_queries(collection, names):
    """The stratum of a pair from the queries that ask for it, by its own candidates there."""
    places = TopicPlace.objects.filter(query__collection=collection)
    queries = grouped(places.values_list("topic_id", "query_id"))
    candidates = Candidate.objects.filter(query__collection=collection).order_by()
    sources = {
        (query, document): names_of_sources
        for query, document, names_of_sources in candidates.values_list(
            "query_id", "document_id", "sources"
        )
    }

    def stratum(topic, document):
        asking = [query for query in queries[topic] if (query, document) in sources]
        of_pair = {name for query in asking for name in names(query, sources[query, document])}
        return " + ".join(sorted(of_pair)) or NONE_GIVEN

    return stratum


def _levels(collection):
    """A facet by its name; an aspect by the levels at which its text stands."""
    words = collection.scheme.current.words
    levels = defaultdict(set)
    for topic, facet, parent in TopicPlace.objects.filter(query__collection=collection).values_list(
        "topic_id", "topic__facet", "parent_id"
    ):
        if facet:
            levels[topic].add(words.facet_name(facet))
        else:
            levels[topic].add("aspect" if parent is None else "sub-aspect")
    label = {topic: " and ".join(sorted(names)) for topic, names in levels.items()}
    return lambda topic, document: label.get(topic, NONE_GIVEN)


STRATA = {
    By.NOTHING: _nothing,
    By.QUERY_TYPE: _query_types,
    By.LEVEL: _levels,
    By.SOURCE: _sources,
}
