"""What a collection has for evaluations: runs, their levels, and evaluation splits."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from datasets.models import Collection, Level, Run, TopicPlace
from evaluation.results import Folds
from formats.grouping import grouped


def named_runs(collection: Collection, level: Level) -> dict[str, Run]:
    """The runs that are measured at a level, by name: those that rank for it, and at the level of
    topics those of queries that are judged under facets."""
    levels = {level, Level.QUERIES} if level == Level.TOPICS else {level}
    runs = list(
        Run.objects.using(collection._state.db)
        .filter(system__collection=collection, level__in=levels)
        .select_related("system")
    )
    if any(run.level != level for run in runs) and not facet_topics(collection):
        runs = [run for run in runs if run.level == level]
    tags = Counter(run.tag for run in runs)
    names = [run.tag if tags[run.tag] == 1 else f"{run.system.key}/{run.tag}" for run in runs]
    # A system may have a run of a tag at each level.
    return {
        name if names.count(name) == 1 else f"{run.label}/{run.level}": run
        for name, run in zip(names, runs, strict=True)
    }


def levels_of(collection: Collection) -> list[Level]:
    """The levels at which there are runs to measure, those of topics first."""
    runs = Run.objects.using(collection._state.db).filter(system__collection=collection)
    levels = set(runs.values_list("level", flat=True))
    if Level.QUERIES in levels and facet_topics(collection):
        levels = levels - {Level.QUERIES} | {Level.TOPICS}
    return [level for level in Level if level in levels]


def facet_topics(collection: Collection) -> Mapping[str, Sequence[str]]:
    """{query: its topics} of the queries that are judged under facets. A ranking of such a query
    is one of each of its topics."""
    places = TopicPlace.objects.using(collection._state.db).exclude(topic__facet="")
    places = places.filter(topic__collection=collection)
    return grouped(places.values_list("query__external_id", "topic__external_id"))


def folds_of(collection: Collection) -> Folds:
    """{facet or "all": {fold: topics}} of the evaluation splits that came with the data."""
    text = (collection.extra or {}).get("csfcube", {}).get("splits")
    splits = json.loads(text) if text else {}
    return {
        facet: {
            name.removesuffix("_test"): topics
            for name, topics in parts.items()
            if name.endswith("_test")
        }
        for facet, parts in splits.items()
        if isinstance(parts, dict)
    }
