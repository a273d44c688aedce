"""Reading queries that are texts, with their trees of aspects, in a fixed number of statements."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef

from annotation.reading.aspects import TreePlace, aspects_of
from datasets.models import Candidate, Query, Topic, TopicPlace
from datasets.models.documents import read_untitled
from evaluation.scores import Aspect, ComplexQuery, Sentence
from formats.grouping import grouped


@dataclass(frozen=True)
class TextQuery:
    """A query that is a text, with its aspects, and the documents of its pool that have a text."""

    text: str
    tree: ComplexQuery
    documents: list[str]

    @property
    def query_id(self):
        return self.tree.id


@dataclass(frozen=True)
class ReadQuery:
    """A query's row, its tree in reading order, its record as scores and exports see it, and the
    number of its candidates, also of those without a text."""

    row: Query
    places: list[TreePlace]
    record: TextQuery
    pool_size: int

    @property
    def kind(self):
        """The query's type in the collection's words, such as ML or Composite; "" if it has
        none."""
        return str(self.row.metadata.get("query_type") or "")

    @property
    def tree(self):
        return self.record.tree


def has_text_queries(collection):
    aspects = TopicPlace.objects.filter(topic__facet="", query__document=None)
    return aspects.filter(query__in=Query.objects.filter(collection=collection)).exists()


@dataclass(frozen=True)
class FacetQuery:
    """A query judged under facets, a paper or a text, with its topics, one per facet, and the
    names of these; plain relevance has none."""

    row: Query
    topics: list[tuple[Topic, str]]
    pool_size: int

    @property
    def title(self):
        return self.row.document.heading if self.row.document else self.row.text


def read_facet_queries(collection):
    """The queries of a collection that are judged under facets, in their order."""
    places = TopicPlace.objects.exclude(topic__facet="")
    rows = Query.objects.filter(Exists(places.filter(query=OuterRef("pk"))), collection=collection)
    shown = rows.only("public_id", "external_id", "text", "document__title")
    rows = list(shown.select_related("document").annotate(pool_size=Count("candidates")))
    if not rows:
        return []
    read_untitled([row.document for row in rows if row.document])
    places = places.filter(query__collection=collection).select_related("topic")
    words = collection.scheme.current.words
    topics = grouped(
        (place.query_id, (place.topic, words.shown_name(place.topic.facet)))
        for place in places.order_by("topic__position", "topic")
    )
    return [FacetQuery(row, topics[row.pk], row.pool_size) for row in rows]


def read_text_queries(collection, *, using="default", public_id=None):
    """The queries of a collection that are texts with aspects, in their order; or one of them."""
    rows = Query.objects.using(using).filter(collection=collection, document=None)
    if public_id:
        rows = rows.filter(public_id=public_id)
    rows = list(rows)
    pools, places = _pools(rows, using), _places(rows, using)
    return [
        ReadQuery(row, places[row.pk], _record(row, places[row.pk], documents), size)
        for row in rows
        if row.pk in places
        for documents, size in [pools[row.pk]]
    ]


def _record(row, places, documents):
    below = []
    for place in places:
        if place.level == 0:
            below.append([])
        below[-1].append(place.topic_id)
    aspects = [Aspect(ids[0], tuple(dict.fromkeys(ids))) for ids in below]
    sentences = [
        Sentence(sentence["text"], frozenset(sentence["topics"])) for sentence in row.sentences
    ]
    return TextQuery(
        row.text, ComplexQuery(row.external_id, tuple(aspects), tuple(sentences)), documents
    )


def _places(rows, using):
    """{query: its tree in reading order}. Topics under a facet are no aspects."""
    places = TopicPlace.objects.using(using).filter(query__in=rows, topic__facet="")
    places = places.select_related("topic").order_by("position", "id")
    of_query = grouped((place.query_id, place) for place in places)
    return {query: aspects_of(in_order, key="external_id") for query, in_order in of_query.items()}


def _pools(rows, using):
    """{query: (ids of the documents of its pool that have a text, in order; candidates in all)}."""
    candidates = (
        Candidate.objects.using(using)
        .filter(query__in=rows)
        .order_by("position", "id")
        .values_list("query", "external_id", "document")
    )
    pools = grouped((query, (external_id, document)) for query, external_id, document in candidates)
    return {
        row.pk: ([name for name, document in pools[row.pk] if document], len(pools[row.pk]))
        for row in rows
    }
