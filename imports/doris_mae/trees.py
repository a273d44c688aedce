"""The trees of aspects of complex queries: stored places, and those of a file."""

from datasets.models import Query, Topic, TopicPlace


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


def _places(query, row, topics, below=None):
    """Unsaved places of a query: its aspects, or where `below` has those, their sub-aspects."""
    for position, (root, subs) in enumerate(query.tree.items()):
        if below is None:
            yield TopicPlace(topic=topics[root], query=row, position=position)
            continue
        for sub_position, aspect in enumerate(subs):
            yield TopicPlace(
                topic=topics[aspect],
                query=row,
                parent=below[query.query_id, root],
                position=sub_position,
            )


def write_places(entries, queries, topics, writer):
    """The trees of queries: aspects first, so that sub-aspects have something to stand under."""
    roots = writer.create(
        TopicPlace,
        (place for query in entries for place in _places(query, queries[query.query_id], topics)),
    )
    below = {(place.query.external_id, place.topic.external_id): place for place in roots}
    writer.insert(
        TopicPlace,
        (
            place
            for query in entries
            for place in _places(query, queries[query.query_id], topics, below)
        ),
    )


def change_trees(entries, collection):
    """Give stored queries the places of these entries."""
    queries = {
        query.external_id: query
        for query in Query.objects.filter(
            collection=collection, external_id__in=[entry.query_id for entry in entries]
        )
    }
    places = TopicPlace.objects.filter(query__in=queries.values())
    places.filter(parent__isnull=False).delete()
    places.delete()
    topics = {
        topic.external_id: topic for topic in Topic.including_inactive.filter(collection=collection)
    }
    roots = TopicPlace.objects.bulk_create(
        place for entry in entries for place in _places(entry, queries[entry.query_id], topics)
    )
    below = {(place.query.external_id, place.topic.external_id): place for place in roots}
    TopicPlace.objects.bulk_create(
        place
        for entry in entries
        for place in _places(entry, queries[entry.query_id], topics, below)
    )
