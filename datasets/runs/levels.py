"""The meaning of a file's topics in a collection: topics, queries, or parts of queries."""

from collections.abc import Collection as Ids

from audit.refusals import Invalid
from datasets.models import Collection, Level, Query, Topic
from formats.literals import rewritten
from formats.words import counted

SHOWN_IDS = 3


def ids_of(collection: Collection, level: Level) -> set[str]:
    """External ids of what a file of this level may be about, but for sub-queries, which are
    named after their queries."""
    rows = Topic.objects if level == Level.TOPICS else Query.objects
    return set(rows.filter(collection=collection).values_list("external_id", flat=True))


def known_ids(collection: Collection, level: Level, file_ids: Ids[str]) -> set[str]:
    """Those of the ids of a file that the collection has.

    The id of a sub-query is `<query>_<aspect>+<aspect>`.
    """
    stored = ids_of(collection, level)
    if level == Level.SUB_QUERIES:
        return {name for name in file_ids if name.rpartition("_")[0] in stored}
    return stored & set(file_ids)


def level_of(collection: Collection, file_ids: Ids[str], *, level: str = "") -> Level:
    """The level of a file about these ids: the stated one, or the level at which most ids are
    known.

    Aspects and queries may both be numbered from 0. Such ids are those of queries, which is what
    runs are made for, but where topics and queries are the same. Refused where the collection has
    none of the ids at that level.
    """
    levels = [Level(level)] if level else _levels_by_habit(collection)
    counts = {name: len(known_ids(collection, name, file_ids)) for name in levels}
    best = max(levels, key=lambda name: counts[name])
    if not counts[best]:
        raise Invalid(_none_shared(collection, best if level else None, file_ids))
    return best


def _levels_by_habit(collection: Collection) -> list[Level]:
    levels = [Level.QUERIES, Level.TOPICS]
    if ids_of(collection, Level.TOPICS) <= ids_of(collection, Level.QUERIES):
        levels.reverse()
    # Where facets are judged, what looks like a sub-query is a topic under a facet that is none.
    has_facets = Topic.objects.filter(collection=collection).exclude(facet="").exists()
    return levels if has_facets else [*levels, Level.SUB_QUERIES]


def _none_shared(collection: Collection, level: Level | None, file_ids: Ids[str]) -> str:
    topics, queries = ids_of(collection, Level.TOPICS), ids_of(collection, Level.QUERIES)
    is_of_topics = level == Level.TOPICS or (level is None and not queries)
    stored, noun = (topics, "topic") if is_of_topics else (queries, "query")
    if not stored:
        return (
            "The collection has no queries yet, so there is nothing that the file could be about. "
            "Import them first."
        )
    names = list(file_ids)
    shown = ", ".join(names[:SHOWN_IDS])
    others = counted(len(names), f"other: {shown}", f"others, such as {shown}")
    sentence = (
        f"This file has none of the {counted(len(stored), noun)}; it has {others}. The collection "
        f"has {', '.join(sorted(stored)[:SHOWN_IDS])}."
    )
    return f"{sentence} {rewritten(names, stored.__contains__)}".strip()
