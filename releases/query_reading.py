"""Reading queries that are texts, with their trees of aspects, in a fixed number of statements."""

from collections import defaultdict
from dataclasses import dataclass

from datasets.models import Candidate, Query, TopicPlace
from releases.records import TextQuery
from releases.scores import Aspect, ComplexQuery, Sentence


@dataclass(frozen=True)
class Node:
    """A place in a query's tree: the topic that stands there, and what stands below it."""

    topic_id: str
    text: str
    children: list

    def walk(self):
        """This place and all below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class ReadQuery:
    """A query's row, its tree as it is shown, and its record as scores and exports see it."""

    row: Query
    roots: list[Node]
    record: TextQuery

    @property
    def kind(self):
        """What the collection calls its type, such as ML or Composite; "" if it names none."""
        return str(self.row.metadata.get("query_type") or "")


def has_text_queries(collection):
    """Whether any query of the collection is a text with aspects."""
    aspects = TopicPlace.objects.filter(topic__facet="", query__document=None)
    return aspects.filter(query__in=Query.objects.filter(collection=collection)).exists()


def read_text_queries(collection, *, using="default", public_id=None):
    """The queries of a collection that are texts with aspects, in their order; or one of them."""
    rows = Query.objects.using(using).filter(collection=collection, document=None)
    if public_id:
        rows = rows.filter(public_id=public_id)
    rows = list(rows)
    pools, roots = _pools(rows, using), _roots(rows, using)
    return [
        ReadQuery(row, roots[row.pk], _record(row, roots[row.pk], pools[row.pk]))
        for row in rows
        if roots[row.pk]
    ]


def _record(row, roots, documents):
    aspects = [
        Aspect(root.topic_id, tuple(dict.fromkeys(node.topic_id for node in root.walk())))
        for root in roots
    ]
    sentences = [
        Sentence(sentence["text"], frozenset(sentence["topics"])) for sentence in row.sentences
    ]
    tree = ComplexQuery(row.external_id, tuple(aspects), tuple(sentences))
    return TextQuery(row.text, tree, documents)


def _roots(rows, using):
    """{query: its aspects in order, as nodes}. Topics under a facet are no aspects."""
    places = (
        TopicPlace.objects.using(using)
        .filter(query__in=rows, topic__facet="")
        .select_related("topic")
        .order_by("position", "id")
    )
    nodes, roots = {}, defaultdict(list)
    for place in places:
        nodes[place.pk] = (place, Node(place.topic.external_id, place.topic.text, []))
    for place, node in nodes.values():
        siblings = nodes[place.parent_id][1].children if place.parent_id else roots[place.query_id]
        siblings.append(node)
    return roots


def _pools(rows, using):
    """{query: ids of the documents of its pool that have a text, in the order of the pool}."""
    candidates = (
        Candidate.objects.using(using)
        .filter(query__in=rows, document__isnull=False)
        .order_by("position", "id")
        .values_list("query", "external_id")
    )
    pools = defaultdict(list)
    for query, document in candidates:
        pools[query].append(document)
    return pools
