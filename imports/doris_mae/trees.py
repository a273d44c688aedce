"""The trees of aspects of complex queries: stored places, and those of a file."""

from datasets.models import Query, Topic, TopicPlace
from imports.documents import keys_of


def places_of(tree):
    """(aspect, the aspect above it or None) as they are read."""
    return [
        place
        for root, below in tree.items()
        for place in [(root, None), *((aspect, root) for aspect in below)]
    ]


def stored_trees(collection, using="default"):
    """{query: {aspect: [sub-aspects]}} of what is stored, by external ids and in order."""
    trees = {}
    places = TopicPlace.objects.using(using).filter(query__collection=collection)
    rows = places.order_by("position", "id").values_list(
        "query__external_id", "topic__external_id", "parent__topic__external_id"
    )
    rows = sorted(rows, key=lambda row: row[2] is not None)  # aspects before their sub-aspects
    for query, aspect, above in rows:
        tree = trees.setdefault(query, {})
        (tree.setdefault(above, []).append(aspect) if above else tree.setdefault(aspect, []))
    return trees


def _places(query, key, topics, above):
    """Unsaved places of a query: its aspects or, below those of `above`, its sub-aspects."""
    for position, (root, subs) in enumerate(query.tree.items()):
        if above is None:
            yield TopicPlace(topic_id=topics[root], query_id=key, position=position)
            continue
        parent = above[key, topics[root]]
        for sub_position, aspect in enumerate(subs):
            yield TopicPlace(
                topic_id=topics[aspect], query_id=key, parent=parent, position=sub_position
            )


def write_places(entries, queries, topics, create):
    """The trees of queries: aspects first, so that sub-aspects have something to stand under.
    `queries` and `topics` are {external id: key}; `create` inserts places and returns them."""

    def places(above=None):
        for entry in entries:
            yield from _places(entry, queries[entry.query_id], topics, above)

    roots = create(places())
    create(places({(place.query_id, place.topic_id): place for place in roots}))


def change_trees(entries, collection):
    """Give stored queries the places of these entries."""
    ids = [entry.query_id for entry in entries]
    queries = keys_of(Query.objects.filter(collection=collection, external_id__in=ids))
    places = TopicPlace.objects.filter(query__in=queries.values())
    places.filter(parent__isnull=False).delete()
    places.delete()
    topics = keys_of(Topic.including_inactive.filter(collection=collection))
    write_places(entries, queries, topics, TopicPlace.objects.bulk_create)
