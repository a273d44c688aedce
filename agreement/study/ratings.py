"""The ratings, decisions and gold of a collection as aligned arrays, for one viewer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from agreement.statistics.arrays import Values
from agreement.study.copies import Copies, read_copies
from agreement.study.rows import (
    ADJUDICATED,
    EXCLUDED,
    Ids,
    Mask,
    Places,
    looked_up,
    shortened,
    spread,
)
from agreement.study.scales import Scale
from agreement.tables.columns import ASPECT, QUERY, TOPIC, Unit
from annotation.models import Batch, SchemeVersion
from datasets.models import Topic, TopicPlace
from formats.grouping import grouped

# Ratings that all came within so many seconds came from a file; their order says nothing.
AT_ONCE_SECONDS = 600


@dataclass(frozen=True)
class TopicFacts:
    """The names of a topic. `queries` are the external ids of those it stands under."""

    pk: int
    public_id: str
    key: str
    title: str
    facet: str
    queries: tuple[str, ...]


@dataclass(frozen=True)
class Ratings:
    """Pairs (n of them) in the order of topics and pools, with what their k seats at most said.

    Arrays of pairs are (n,), arrays of answers (k, n) with a row per seat by ordinal. `topic` is a
    position in `topics`; `pair`, `document`, `batch`, `annotator`, `adjudicator` are database ids,
    0 for none; times are seconds since 1970, NaN for none. A pair that the viewer may not see
    (`is_withheld`) is there, with its topic and document, without anything that was said of it.
    """

    scales: dict[str, Scale]  # by facet; a shared one alone, under ""
    topics: tuple[TopicFacts, ...]
    read_at: datetime
    # of pairs
    topic: Ids
    pair: Ids
    document: Ids
    batch: Ids
    seats: npt.NDArray[np.int64]  # of the pair's batch; 0 where it waits for one
    is_finished: Mask  # every seat of the batch is handed in
    is_withheld: Mask
    origin: npt.NDArray[np.int8]  # agreement.study.rows.ORIGINS
    gold: Values  # NaN where there is none
    adjudicator: Ids
    decided_at: Values
    cause: npt.NDArray[np.str_]
    # of answers
    values: Values  # NaN where unanswered, and for "cannot judge"
    is_answered: Mask
    annotator: Ids
    option: Ids  # 0 where unanswered, and for "cannot judge"
    given_at: Values
    seconds: Values
    is_flagged: Mask
    version: npt.NDArray[np.int64]  # number of the scheme's version

    @property
    def size(self) -> int:
        return len(self.pair)

    @cached_property
    def scales_in_use(self) -> list[Scale]:
        """The scales on which its topics are judged."""
        facets = {topic.facet for topic in self.topics}
        used = [scale for facet, scale in self.scales.items() if facet in facets]
        return used or list(self.scales.values())

    @property
    def has_different_scales(self) -> bool:
        """Whether its topics are judged on scales of their own, so that no figure is of them all.

        Scales of several facets are different even where their values happen to be the same.
        """
        return "" not in self.scales and len(self.scales_in_use) > 1

    @cached_property
    def scale(self) -> Scale:
        """The scale of its topics; of different ones the values of all."""
        if "" in self.scales:
            return self.scales[""]
        used = self.scales_in_use
        if len(used) == 1:
            return used[0]
        values = {value for scale in used for value in scale.values}
        return Scale(tuple(sorted(values)), all(scale.is_ordinal for scale in used))

    def scale_under(self, facet: str) -> Scale:
        """The scale of the topics under a facet."""
        return self.scales.get("") or self.scales[facet]

    @property
    def is_cannot_judge(self) -> Mask:
        return self.is_answered & (self.option == 0)

    @property
    def is_decided(self) -> Mask:
        """Pairs on which an adjudicator's decision stands."""
        return (self.origin == ADJUDICATED) | (self.origin == EXCLUDED)

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """Topic t's pairs are those from starts[t] to starts[t + 1]."""
        return np.searchsorted(self.topic, np.arange(len(self.topics) + 1))

    @property
    def unit(self) -> Unit:
        """The noun for its topics."""
        if self.topics and not any(topic.facet for topic in self.topics):
            return ASPECT
        are_queries = all(topic.queries == (topic.key,) for topic in self.topics)
        return QUERY if self.topics and are_queries else TOPIC

    @cached_property
    def clusters(self) -> Ids:
        """The number of each topic's cluster: the first topic of its query and of every query that
        shares a topic with it. A topic cannot be drawn in part."""
        first: dict[str, int] = {}
        cluster = np.arange(len(self.topics))
        for number, topic in enumerate(self.topics):
            for query in topic.queries:
                earlier = cluster[first.setdefault(query, number)]
                cluster[cluster == max(earlier, cluster[number])] = min(earlier, cluster[number])
        return cluster

    def queries(self, topics: Iterable[int]) -> int:
        """The number of queries that the topics at these positions stand under."""
        return len({query for number in topics for query in self.topics[number].queries})

    def only(self, mask: Mask) -> Self:
        """The pairs of a mask; topics stay, also those that keep no pair."""
        if mask.all():
            return self
        # By their positions: that takes a sixth of the time of a mask of columns.
        kept = np.flatnonzero(mask)
        columns = {
            column.name: getattr(self, column.name).take(kept, axis=-1)
            for column in fields(self)
            if isinstance(getattr(self, column.name), np.ndarray)
        }
        return replace(self, **columns)

    def of_topics(self, numbers: Sequence[int]) -> Self:
        """The topics at these positions, ascending, with their pairs; all others go."""
        if len(numbers) == len(self.topics):
            return self
        place = np.full(len(self.topics), -1, dtype=np.int64)
        place[list(numbers)] = np.arange(len(numbers))
        selected = self.only(place[self.topic] >= 0)
        topics = tuple(self.topics[number] for number in numbers)
        return replace(selected, topics=topics, topic=place[selected.topic])


def scale_of(scale, scheme) -> Scale:
    """A scale of a scheme as figures take it."""
    values = tuple(float(value) for value in scale.values)
    return Scale(values, scale.is_ordinal, tuple(labels_of(scale, scheme).values()))


def labels_of(scale, scheme) -> dict[float, str]:
    """{value: what people call it}, ascending, of a scale without an order; empty of one with it.
    Options of one value are one label to every figure."""
    if scale.is_ordinal:
        return {}
    words = scheme.current.words
    names = grouped(
        (float(option.value), words.option_name(scale.facet, option.key) or option.key)
        for option in scale.option_list
    )
    return {value: " or ".join(names[value]) for value in sorted(names)}


def read_ratings_of(collection, *, viewer=None, may_keep: bool = True) -> Ratings:
    """Everything of one moment, in the same number of statements whatever the size.

    Of batches that are unfinished and in which `viewer` holds or ever held a seat nothing is told;
    without a viewer, as on the command line, all is. Refused if ratings come in faster than they
    can be read.
    """
    copies = read_copies(collection, may_keep=may_keep)
    # Selection after reading: a batch that has been handed in since may be seen, one that has been
    # returned since may not.
    blind = blind_batches(collection, viewer)
    topics = _topics(collection)
    return _aligned(copies, topics, blind, collection)


def blind_batches(collection, viewer) -> frozenset[int]:
    """Unfinished batches in which the viewer holds or ever held a seat."""
    if viewer is None:
        return frozenset()
    batches = Batch.objects.using(collection._state.db).filter(collection=collection)
    batches = batches.blind_to(viewer)
    return frozenset(batches.values_list("pk", flat=True))


def _topics(collection) -> tuple[TopicFacts, ...]:
    titles: dict[int, str] = {}
    queries: dict[int, dict[str, bool]] = {}
    for topic, query, title, text in (
        TopicPlace.objects.using(collection._state.db)
        .filter(topic__collection=collection)
        .order_by("position", "pk")
        .values_list("topic", "query__external_id", "query__document__title", "query__text")
    ):
        titles.setdefault(topic, title or text)
        queries.setdefault(topic, {})[query] = True
    return tuple(
        TopicFacts(
            pk,
            str(public_id),
            key,
            text or titles.get(pk) or key,
            facet,
            tuple(queries.get(pk, ())),
        )
        for pk, public_id, key, facet, text in Topic.objects.using(collection._state.db)
        .filter(collection=collection)
        .values_list("pk", "public_id", "external_id", "facet", "text")
    )


def _aligned(copies: Copies, topics, blind, collection) -> Ratings:
    place_of = {topic.pk: number for number, topic in enumerate(topics)}
    known = np.isin(copies.pairs["topic"], list(place_of))
    pairs = copies.pairs[known]
    topic = looked_up(pairs["topic"], place_of)
    order = np.argsort(topic, kind="stable")
    pairs, topic = pairs[order], topic[order]
    is_withheld = np.isin(pairs["batch"], list(blind))
    is_visible = ~is_withheld
    state = copies.state
    where = Places(pairs["pair"], is_visible)

    answers, at = where.of(copies.ratings)
    shape = (int(answers["ordinal"].max(initial=0)), len(pairs))
    cells = (answers["ordinal"].astype(np.int64) - 1) * len(pairs) + at
    versions = dict(
        SchemeVersion.objects.using(collection._state.db)
        .filter(scheme__collection=collection)
        .values_list("pk", "number")
    )
    scales = collection.scheme.all_scales
    value_of = {option.pk: float(option.value) for scale in scales for option in scale.option_list}
    decisions, decided = where.of(copies.decisions)

    def answered(empty, values):
        return spread(shape, cells, empty, values)

    def of_decision(empty, values):
        return spread((len(pairs),), decided, empty, values)

    return Ratings(
        scales={scale.facet: scale_of(scale, collection.scheme) for scale in scales},
        topics=topics,
        read_at=copies.read_at,
        topic=topic,
        pair=pairs["pair"].copy(),
        document=pairs["document"].copy(),
        batch=pairs["batch"].copy(),
        seats=looked_up(pairs["batch"], state.seats),
        is_finished=(pairs["batch"] != 0) & ~np.isin(pairs["batch"], list(state.unfinished)),
        is_withheld=is_withheld,
        origin=np.where(is_visible, pairs["origin"], 0).astype(np.int8),
        gold=np.where(is_visible, pairs["gold"], np.nan),
        adjudicator=of_decision(0, decisions["adjudicator"]),
        decided_at=of_decision(np.nan, decisions["decided_at"]),
        cause=of_decision("", shortened(decisions["cause"])),
        values=answered(np.nan, looked_up(answers["option"], value_of, missing=np.nan)),
        is_answered=answered(False, np.ones(len(answers), dtype=bool)),
        annotator=answered(0, answers["annotator"]),
        option=answered(0, answers["option"]),
        given_at=answered(np.nan, answers["given_at"]),
        seconds=answered(np.nan, answers["seconds"].astype(np.float64)),
        is_flagged=answered(False, answers["is_flagged"]),
        version=answered(0, looked_up(answers["version"], versions)),
    )
