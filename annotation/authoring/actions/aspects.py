"""Writing the aspects of a query, as a tree of topics."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from annotation.authoring.rules import (
    add_missing_pairs,
    drop_stray_pairs,
    lock_query,
    next_topic_id,
    place_in,
    topics_of,
    tree_of,
)
from annotation.models import Pair
from annotation.reading.fixed import Fixed, fixed_topics, shown_as_before
from audit.actions import record
from audit.refusals import Invalid, raised_as
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.models import Collection, Query, Topic, TopicPlace
from datasets.positions import next_position
from datasets.tree import MAX_LEVELS, CannotMoveError, Step, Tree, rearranged, walk

MAX_ASPECT_LENGTH = 500
MAX_ASPECTS = 100


@one_transaction
def add_aspect(
    *, query: Query, text: str, by: User, parent: TopicPlace | None = None
) -> TopicPlace:
    """Put an aspect at the end of the query's tree, or of the sub-aspects of the place `parent`.

    A text that the collection has already is the same topic, standing at one more place; its
    ratings count here too. New pairs with the query's pool wait for a batch. Returns the place.
    """
    query = lock_query(query)
    text = _checked(text)
    if parent is not None:
        parent = place_in(query, parent.pk)
        if parent.parent_id is not None:
            raise Invalid(
                f"A sub-aspect has no sub-aspects: the tree has {MAX_LEVELS} levels, as the "
                "published one."
            )
    if query.places.count() >= MAX_ASPECTS:
        raise Invalid(f"A query has at most {MAX_ASPECTS} aspects and sub-aspects.")
    topic = _topic_of(query, text)
    siblings = TopicPlace.objects.filter(query=query, parent=parent)
    _refuse_twice(topic, siblings, parent)
    with shown_as_before(_stakes(query, topic)):
        place = TopicPlace.objects.create(
            query=query, topic=topic, parent=parent, position=next_position(siblings)
        )
    pairs = add_missing_pairs(query)
    record(
        Verb.ADD_ASPECT,
        topic,
        by=by,
        collection=query.collection,
        after=_trace(place) | {"text": topic.text, "pairs": pairs},
    )
    return place


@one_transaction
def edit_aspect(*, place: TopicPlace, text: str, by: User) -> TopicPlace:
    """Change the text of an aspect, at this place alone. Returns the place.

    If its topic stands at other places too, or if another topic has the new text, this place gets
    another topic. So no aspect changes that is not in view.
    """
    query = lock_query(place.query)
    place = place_in(query, place.pk)
    topic, text = place.topic, _checked(text)
    if _same(topic.text, text):
        return place
    _refuse_fixed(query, place)
    before = _trace(place) | {"text": topic.text}
    stands_elsewhere = topic.places.exclude(pk=place.pk).exists()
    if not stands_elsewhere and _find(query.collection, text) is None:
        topic.text = text
        topic.save(update_fields=["text", "text_sha256"])
    else:
        other = _topic_of(query, text)
        with shown_as_before(_stakes(query, other)):
            _put(query, place, other, by)
    record(
        Verb.EDIT_ASPECT,
        place.topic,
        by=by,
        collection=query.collection,
        before=before,
        after=_trace(place) | {"text": text},
    )
    return place


@one_transaction
def move_aspect(*, place: TopicPlace, step: str, by: User) -> Query:
    """Rearrange the tree by one step of a place: up, down, nest, unnest, or remove.

    The sub-aspects of one that is removed take its place. Its pairs that wait are deleted with it;
    it stays where some are handed out. Returns the query.
    """
    query = lock_query(place.query)
    place = place_in(query, place.pk)
    _refuse_fixed(query, place)
    before, trace = tree_of(query), _trace(place)
    with raised_as(Invalid, CannotMoveError):
        after = rearranged(before, place.pk, Step(step))
    remaining = {aspect.key for aspect, _, _ in walk(after)}
    removed = [aspect.key for aspect, _, _ in walk(before) if aspect.key not in remaining]
    with shown_as_before(_stakes(query)):
        _write(query, after)
        if removed:
            _remove(query, removed, by)
    if removed:
        return query
    place.refresh_from_db()
    record(
        Verb.MOVE_ASPECT,
        place.topic,
        by=by,
        collection=query.collection,
        before=trace,
        after=_trace(place),
    )
    return query


def _checked(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise Invalid("Write what the aspect asks for.")
    if len(text) > MAX_ASPECT_LENGTH:
        raise Invalid(f"An aspect has at most {MAX_ASPECT_LENGTH} characters.")
    return text


def _same(text: str, other: str) -> bool:
    return text.split() == other.split()


def _find(collection: Collection, text: str) -> Topic | None:
    """The topic of the collection with this text, however its white space is written."""
    texts = Topic.objects.filter(collection=collection, facet="").values_list("pk", "text")
    same = [pk for pk, stored in texts if _same(stored, text)]
    return Topic.objects.get(pk=same[0]) if same else None


def _topic_of(query: Query, text: str) -> Topic:
    """The topic with this text; a new one where there is none."""
    topic = _find(query.collection, text)
    if topic is None:
        rows = Topic.including_inactive.filter(collection=query.collection)
        topic = Topic.objects.create(
            collection=query.collection,
            external_id=next_topic_id(query),
            text=text,
            position=next_position(rows),
        )
    return topic


def _refuse_fixed(query: Query, place: TopicPlace) -> None:
    """Refuse to touch an aspect that is fixed, or whose sub-aspect is."""
    fixed = fixed_topics(topics_of(query))
    below = place.children.values_list("topic__external_id", flat=True)
    if because := fixed.get(place.topic.external_id):
        raise Fixed(f"{because} This aspect stays as it is.")
    for sub_aspect in below:
        if because := fixed.get(sub_aspect):
            raise Fixed(f"{because} One of its sub-aspects is fixed, so it stays as it is.")


def _stakes(query: Query, *others: Topic) -> list[int]:
    """The topics that a change of the query's tree concerns."""
    return [*topics_of(query).values_list("pk", flat=True), *(topic.pk for topic in others)]


def _refuse_twice(topic: Topic, siblings: QuerySet[TopicPlace], parent: TopicPlace | None) -> None:
    if siblings.filter(topic=topic).exists():
        raise Invalid("The same text stands there already.")
    if parent is not None and parent.topic_id == topic.pk:
        raise Invalid("An aspect cannot be its own sub-aspect.")


def _put(query: Query, place: TopicPlace, topic: Topic, by: User) -> None:
    """Put another topic at a place. Sentences that asked for the old topic ask for the new one."""
    old = place.topic
    siblings = TopicPlace.objects.filter(query=query, parent=place.parent).exclude(pk=place.pk)
    _refuse_twice(topic, siblings, place.parent)
    if place.children.filter(topic=topic).exists():
        raise Invalid("One of its sub-aspects has this text already.")
    place.topic = topic
    place.save(update_fields=["topic"])
    stays = query.places.filter(topic=old).exists()
    _relink(query, old, [old, topic] if stays else [topic])
    add_missing_pairs(query)
    if not stays:
        _let_go(query, old, by)


def _write(query: Query, tree: Tree) -> None:
    """Store parent and position of every place of the tree; positions count from 0."""
    places = query.places.in_bulk()
    for aspect, parent, position in walk(tree):
        place = places[aspect.key]
        above = places[parent.key].pk if parent else None
        if (place.parent_id, place.position) != (above, position):
            place.parent_id, place.position = above, position
            place.save(update_fields=["parent", "position"])


def _remove(query: Query, keys: Sequence[Any], by: User) -> None:
    """Take places out of the tree, whose sub-aspects stand elsewhere by now."""
    places = TopicPlace.objects.filter(pk__in=keys)
    topics = list(Topic.objects.filter(pk__in=places.values("topic")))
    # A place is protected by those below it.
    places.filter(parent__isnull=False).delete()
    places.delete()
    for topic in topics:
        if query.places.filter(topic=topic).exists():
            _record_removal(query, topic, by, pairs=0)
        else:
            _relink(query, topic, [])
            _let_go(query, topic, by)


def _let_go(query: Query, topic: Topic, by: User) -> None:
    """Delete the pairs that only this query asked for, and a topic that stands nowhere."""
    pairs = Pair.objects.filter(topic=topic)
    stands_elsewhere = topic.places.exists()
    if stands_elsewhere:
        pairs = pairs.filter(document__in=query.candidates.values("document"))
    _record_removal(query, topic, by, pairs=drop_stray_pairs(pairs))
    if not stands_elsewhere:
        topic.delete()


def _record_removal(query: Query, topic: Topic, by: User, *, pairs: int) -> None:
    """`pairs` is how many are deleted with a place of the topic."""
    record(
        Verb.REMOVE_ASPECT,
        topic,
        by=by,
        collection=query.collection,
        before={
            "query": query.external_id,
            "aspect": topic.external_id,
            "text": topic.text,
            "pairs": pairs,
        },
    )


def _relink(query: Query, old: Topic, new: list[Topic]) -> None:
    """Let sentences that ask for `old` ask for the topics `new` instead."""
    for sentence in query.sentences:
        if old.external_id in sentence["topics"]:
            topic_ids = [topic_id for topic_id in sentence["topics"] if topic_id != old.external_id]
            added = [topic.external_id for topic in new if topic.external_id not in topic_ids]
            sentence["topics"] = topic_ids + added
    query.save(update_fields=["sentences", "text_sha256"])


def _trace(place: TopicPlace) -> dict[str, Any]:
    return {
        "query": place.query.external_id,
        "aspect": place.topic.external_id,
        "under": place.parent.topic.external_id if place.parent else None,
        "position": place.position,
    }
