"""Queries as a lead writes them: the tree, the sentences, the pool, and hints."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.authoring.rules import topics_of, tree_of, trees_of
from annotation.models import Pair
from annotation.reading.fixed import fixed_topics
from datasets.hints import hints, word_count
from datasets.models import Query, Topic, TopicPlace
from datasets.tree import Step, marks, possible, walk
from formats.grouping import grouped


@dataclass
class AspectRow:
    """One place of the tree, as it is read. `elsewhere` counts the other places of its topic.

    `focus` is the control that takes the focus ("self" for the aspect as such), `typed` a text
    that was refused.
    """

    place: int
    mark: str
    topic: Topic
    is_sub: bool
    steps: set[Step]
    is_fixed: bool
    elsewhere: int
    focus: str = ""
    typed: str = ""


@dataclass
class Tick:
    """Whether a sentence asks for a topic; `marks` are those of its places."""

    topic: Topic
    marks: list[str]
    is_on: bool
    is_fixed: bool


@dataclass
class SentenceRow:
    number: int
    text: str
    ticks: list[Tick]


@dataclass
class QueryPage:
    """A query with all that its page shows."""

    query: Query
    aspects: list[AspectRow]
    sentences: list[SentenceRow]
    hints: list[str]
    words: int
    is_fixed: bool
    pool: int
    pairs: int
    waiting: int

    @property
    def parents(self):
        """The aspects under which this one may be put as a sub-aspect."""
        return [row for row in self.aspects if not row.is_sub]


def query_page(query):
    """All that the page of a query shows to a lead."""
    tree = tree_of(query)
    topics = {topic.external_id: topic for topic in topics_of(query)}
    texts = {key: topic.text for key, topic in topics.items()}
    fixed = set(fixed_topics(topics_of(query)))
    aspects = _aspect_rows(tree, topics, fixed)
    pairs = Pair.objects.filter(
        topic__in=topics.values(), document__in=query.candidates.values("document")
    ).aggregate(all=Count("pk"), waiting=Count("pk", filter=Q(batch=None)))
    return QueryPage(
        query=query,
        aspects=aspects,
        sentences=_sentence_rows(query, aspects, fixed),
        hints=hints(query.text, query.sentences, tree, texts),
        words=word_count(query.text),
        is_fixed=bool(fixed),
        pool=query.candidates.count(),
        pairs=pairs["all"],
        waiting=pairs["waiting"],
    )


def _aspect_rows(tree, topics, fixed):
    places = TopicPlace.objects.filter(topic__in=topics.values())
    everywhere = Counter(places.values_list("topic__external_id", flat=True))
    mark_of = dict(marks(tree))
    return [
        AspectRow(
            place=aspect.key,
            mark=mark_of[aspect.key],
            topic=topics[aspect.topic],
            is_sub=parent is not None,
            steps=possible(tree, aspect.key),
            is_fixed=not fixed.isdisjoint({aspect.topic, *(sub.topic for sub in aspect.subs)}),
            elsewhere=everywhere[aspect.topic] - 1,
        )
        for aspect, parent, _ in walk(tree)
    ]


def _sentence_rows(query, aspects, fixed):
    """A sentence has a tick for each topic, however many places this has."""
    marks_of = grouped((aspect.topic, aspect.mark) for aspect in aspects)
    return [
        SentenceRow(
            number,
            sentence["text"],
            [
                Tick(
                    topic,
                    topic_marks,
                    topic.external_id in sentence["topics"],
                    topic.external_id in fixed,
                )
                for topic, topic_marks in marks_of.items()
            ],
        )
        for number, sentence in enumerate(query.sentences, start=1)
    ]


@dataclass
class QueryRow:
    """One query in the list of all that are texts."""

    query: Query
    aspects: int
    sub_aspects: int
    pool: int
    hints: int


def query_rows(collection):
    """The text queries of a collection of aspects, in its order, with few statements however
    many."""
    queries = Query.objects.filter(collection=collection, document=None)
    topics = Topic.objects.filter(collection=collection, facet="")
    texts = dict(topics.values_list("external_id", "text"))
    trees = trees_of(queries)
    rows = []
    for query in queries.annotate(pool=Count("candidates")).order_by("position", "pk"):
        tree = trees.get(query.pk, ())
        rows.append(
            QueryRow(
                query=query,
                aspects=len(tree),
                sub_aspects=sum(len(aspect.subs) for aspect in tree),
                pool=query.pool,
                hints=len(hints(query.text, query.sentences, tree, texts)),
            )
        )
    return rows
