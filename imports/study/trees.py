"""The trees of aspects of complex queries: stored places, and those of a file."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from datasets.models import Collection, Query, Topic, TopicPlace
from formats import records
from imports.documents import keys_of

Tree = dict[str, list[str]]  # the sub-aspects of each aspect, by external ids and in order


def stored_trees(collection: Collection, using: str = "default") -> dict[str, Tree]:
    """The tree of each query that has one."""
    trees: dict[str, Tree] = {}
    places = TopicPlace.objects.using(using).filter(query__collection=collection)
    rows = places.order_by("position", "id").values_list(
        "query__external_id", "topic__external_id", "parent__topic__external_id"
    )
    # Aspects before their sub-aspects.
    for query, aspect, above in sorted(rows, key=lambda row: row[2] is not None):
        tree = trees.setdefault(query, {})
        (tree.setdefault(above, []).append(aspect) if above else tree.setdefault(aspect, []))
    return trees


def write_trees(
    queries: Sequence[records.Query],
    query_keys: Mapping[str, int],
    topic_keys: Mapping[str, int],
    create: Callable[[Iterable[TopicPlace]], list[TopicPlace]],
) -> None:
    """Aspects first, so that sub-aspects have something to stand under. Keys are by external ids;
    `create` inserts places and returns them."""

    def places(above: dict[tuple[int, int], TopicPlace] | None = None) -> Iterator[TopicPlace]:
        for query in queries:
            key = query_keys[query.id]
            for position, (root, below) in enumerate((query.tree or {}).items()):
                if above is None:
                    yield TopicPlace(topic_id=topic_keys[root], query_id=key, position=position)
                    continue
                parent = above[key, topic_keys[root]]
                for sub_position, aspect in enumerate(below):
                    yield TopicPlace(
                        topic_id=topic_keys[aspect],
                        query_id=key,
                        parent=parent,
                        position=sub_position,
                    )

    roots = create(places())
    create(places({(place.query_id, place.topic_id): place for place in roots}))


def change_trees(queries: Sequence[records.Query], collection: Collection) -> None:
    """Give stored queries the places of these trees."""
    ids = [query.id for query in queries]
    query_keys = keys_of(Query.objects.filter(collection=collection, external_id__in=ids))
    places = TopicPlace.objects.filter(query__in=query_keys.values())
    places.filter(parent__isnull=False).delete()
    places.delete()
    topic_keys = keys_of(Topic.including_inactive.filter(collection=collection))
    write_trees(queries, query_keys, topic_keys, TopicPlace.objects.bulk_create)
