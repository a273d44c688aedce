"""A pair as it is read: the paper, and the query beside it, what is about the topic marked."""

from dataclasses import dataclass

from django.db.models import Subquery

from annotation.models import Pair
from annotation.reading.aspects import TreePlace, aspects_of
from audit.statements import Select, padded
from datasets.models import Query, TopicPlace
from formats.grouping import grouped

PAIRS_AT_ONCE = 12


@dataclass(frozen=True)
class Sentence:
    """`facet` is the key of the facet its label counts as, empty for none; `tag` is printed."""

    text: str
    tag: str
    facet: str
    is_marked: bool

    @property
    def classes(self):
        """Its classes on the page: the facet, and whether it is marked."""
        return f"on {self.facet}".rstrip() if self.is_marked else self.facet


def sentences(document, *, facets, words, marked=""):
    """The sentences of a document in reading order; those of the facet `marked` are marked.

    Several labels may count as one facet (objective as background), and then carry its name.
    """
    facet_of = {label: facet.key for facet in facets for label in facet.sentence_labels}
    return [
        Sentence(
            text=sentence["text"],
            tag=_tag(sentence.get("label"), facet_of, words),
            facet=facet_of.get(sentence.get("label"), ""),
            is_marked=bool(marked) and facet_of.get(sentence.get("label")) == marked,
        )
        for sentence in document.sentences
    ]


def _tag(label, facet_of, words):
    if label in facet_of:
        return words.facet_name(facet_of[label])
    return (label or "").removesuffix("_label").replace("_", " ").capitalize()


@dataclass(frozen=True)
class AspectRow:
    """An aspect in the tree that is shown beside a document.

    `place` is the viewer's own pair of both, where there is one to go to.
    """

    aspect: TreePlace
    place: object | None
    is_current: bool
    is_above: bool  # the current aspect stands below it


@dataclass(frozen=True)
class ShownQuery:
    """The query that a pair is shown with, and its aspects where the topic is one of them."""

    query: Query
    sentences: list[Sentence]
    aspects: list[TreePlace]
    aspect: TreePlace | None

    @property
    def is_marked(self):
        return any(sentence.is_marked for sentence in self.sentences)

    @property
    def is_linked(self):
        """Whether anybody has said which sentences ask for which aspects."""
        return any(sentence["topics"] for sentence in self.query.sentences)

    def rows(self, own_places=None):
        """The tree; `own_places` are the viewer's places by topic."""
        above, level = set(), self.aspect.level if self.aspect else 0
        for aspect in reversed(self.aspects[: self._index]):
            if aspect.level < level:
                above.add(aspect)
                level = aspect.level
        return [
            AspectRow(
                aspect=aspect,
                place=(own_places or {}).get(aspect.topic_id),
                is_current=aspect is self.aspect,
                is_above=aspect in above,
            )
            for aspect in self.aspects
        ]

    @property
    def _index(self):
        return self.aspects.index(self.aspect) if self.aspect else 0


def shown_query(pair, *, facets, words):
    """The query that is read beside the pair's document, in one statement."""
    shown = Pair.objects.with_query().filter(pk=pair.pk).values("query_id")
    places = _places().filter(query=Subquery(shown))
    if pair.topic.facet:
        places = places.filter(topic=pair.topic)
    return _shown_query(pair, list(places), facets=facets, words=words)


def shown_queries(pairs, *, facets, words):
    """{pair: what is read beside its document}, by primary keys, in one statement.

    At most PAIRS_AT_ONCE pairs, loaded with their topics and with `PairQuerySet.with_query`.
    """
    rows = PLACES.rows(*padded({pair.query_id for pair in pairs}, PAIRS_AT_ONCE))
    places = grouped((place.query_id, place) for place in rows)
    shown = {}
    for pair in pairs:
        key = pair.query_id, pair.topic_id
        if key not in shown:
            shown[key] = _shown_query(pair, places[pair.query_id], facets=facets, words=words)
    return {pair.pk: shown[pair.query_id, pair.topic_id] for pair in pairs}


def _places():
    return TopicPlace.objects.select_related("topic", "query__document")


PLACES = Select(lambda *queries: _places().filter(query__in=queries), *[int] * PAIRS_AT_ONCE)


def _shown_query(pair, places, *, facets, words):
    """`places` are those of the query's tree; of a paper, one is enough."""
    query = places[0].query
    aspects = aspects_of(places) if pair.topic.text else []
    aspect = next((aspect for aspect in aspects if aspect.topic_id == pair.topic_id), None)
    if query.document:
        query_sentences = sentences(
            query.document, facets=facets, words=words, marked=pair.topic.facet
        )
    else:
        query_sentences = _asked_sentences(query, pair.topic, aspect.mark if aspect else "")
    return ShownQuery(query=query, sentences=query_sentences, aspects=aspects, aspect=aspect)


def _asked_sentences(query, topic, mark):
    """The sentences of a text; those that ask for the topic carry its mark.

    Empty where nobody has split the text into sentences.
    """
    return [
        Sentence(
            text=sentence["text"],
            tag=mark if topic.external_id in sentence["topics"] else "",
            facet="",
            is_marked=topic.external_id in sentence["topics"],
        )
        for sentence in query.sentences
    ]
