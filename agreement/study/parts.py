"""The parts that figures of a collection are divided by: its facets, or levels of aspects."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from agreement.study.ratings import Ratings
from agreement.study.rows import Mask
from agreement.study.selection import Selection
from datasets.models import TopicPlace

ASPECT, SUB_ASPECT, BOTH = "aspect", "sub_aspect", "both_levels"
LEVELS = {ASPECT: "Aspects", SUB_ASPECT: "Sub-aspects", BOTH: "Both, by place"}


@dataclass(frozen=True)
class Part:
    """`topics` is a mask over the topics of the ratings that it is a part of; "" is the key of
    all of them."""

    key: str
    name: str
    topics: Mask

    def pairs(self, ratings: Ratings) -> Mask:
        return self.topics[ratings.topic]


def parts_of(selection: Selection, ratings: Ratings) -> list[Part]:
    """The facets in the order of the scheme, the levels of topics without a facet, and all.

    An aspect's text may stand as an aspect here and as a sub-aspect there.
    """
    level_of = _levels(selection.collection)
    keys = np.array(
        [topic.facet or level_of.get(topic.pk, ASPECT) for topic in ratings.topics], dtype=str
    )
    facets = selection.choices.facets
    names = {**facets, **LEVELS, **facets}  # a facet may be called as a level is
    parts = [Part(key, name, keys == key) for key, name in names.items() if (keys == key).any()]
    return [*parts, Part("", "All", np.ones(len(keys), dtype=bool))]


def _levels(collection) -> dict[int, str]:
    levels: dict[int, set[str]] = defaultdict(set)
    places: Iterable[tuple[int, int | None]] = TopicPlace.objects.filter(
        topic__collection=collection, topic__facet=""
    ).values_list("topic_id", "parent_id")
    for topic, parent in places:
        levels[topic].add(ASPECT if parent is None else SUB_ASPECT)
    return {topic: BOTH if len(used) > 1 else next(iter(used)) for topic, used in levels.items()}
