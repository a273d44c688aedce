"""What a collection has for evaluations: runs, their levels, and evaluation splits."""

import json
from collections import Counter

from datasets.models import Collection, Level, Run
from evaluation.results import Folds


def named_runs(collection: Collection, level: Level) -> dict[str, Run]:
    runs = list(
        Run.objects.using(collection._state.db)
        .filter(system__collection=collection, level=level)
        .select_related("system")
    )
    tags = Counter(run.tag for run in runs)
    return {run.tag if tags[run.tag] == 1 else f"{run.system.key}/{run.tag}": run for run in runs}


def levels_of(collection: Collection) -> list[Level]:
    """The levels at which there are runs, those of topics first."""
    runs = Run.objects.using(collection._state.db).filter(system__collection=collection)
    levels = set(runs.values_list("level", flat=True))
    return [level for level in Level if level in levels]


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
