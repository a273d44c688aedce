"""A lead's selection: the ratings of a collection that they may see, and the filters.

Figures of a selection are in the memory of a process for as long as nothing they rest on has
changed. The trail says whether anything has: every change of a collection writes an event in its
own transaction, and no event is ever removed. So the number of a collection's events is the version
of all that its figures rest on, and so is the last event where one transaction writes after the
other, as on SQLite; elsewhere an event may be committed after one with a higher id. What a viewer
may not see is part of the key, beside the version. Inside a transaction no figure is kept, since
what is read there may never be committed.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np
from django.db import connection
from django.utils import timezone

from accounts.models import User
from agreement.study.counted import TopicRatings, progress_of
from agreement.study.filters import ALL, Choices, Filters, read_choices, read_long_lists
from agreement.study.ratings import Ratings, blind_batches, read_ratings_of
from agreement.tables.columns import ASPECT, QUERY, TOPIC, Unit, rule_in_words
from annotation.models import Scheme
from audit.models import Event
from audit.shelf import Shelf
from datasets.models import Collection, Membership

T = TypeVar("T")
# Of all figures together, by the pairs that each is of. Those of 165,000 pairs with three ratings
# take some 40 MB, and figures of one selection share most of it. A printed report of them has 14
# figures: where these do not fit, each request computes all of them again, and takes more memory.
MAX_PAIRS = 2_500_000

_figures = Shelf(MAX_PAIRS)


def unit_under(scheme: Scheme) -> Unit:
    """As `Ratings.unit` says it, without reading any rating."""
    if scheme.has_facets:
        return TOPIC
    return ASPECT if scheme.current.judges_aspects else QUERY


def version_of(collection: Collection) -> int | None:
    """Another number after every change; None where nothing may be kept."""
    if connection.in_atomic_block:
        return None
    events = Event.objects.of_collection(collection)
    if connection.vendor == "sqlite":
        return events.order_by("-id").values_list("id", flat=True).first() or 0
    return events.count()


def keep(
    collection: Collection,
    version: int | None,
    key: Hashable,
    make: Callable[[], T],
    *,
    pairs: Callable[[T], int],
) -> T:
    """What `make` gives, from memory where it was made of this version before.

    What was made while the collection changed is of no version, and is not kept. `pairs` says how
    many it is of, so that large studies do not fill the memory.
    """
    if version is None:
        return make()
    return _figures.get(
        (collection.public_id, version, key),
        make,
        weigh=lambda value: max(pairs(value), 1),
        may_keep=lambda: version_of(collection) == version,
    )


@dataclass(frozen=True)
class Selection:
    """The ratings that the viewer of one request may see, and those that its filters choose.

    `everything` and `chosen` are read once, of one moment.
    """

    member: Membership
    viewer: User
    choices: Choices
    filters: Filters

    @property
    def collection(self) -> Collection:
        return self.member.collection

    @cached_property
    def version(self) -> int | None:
        """The version of the collection that everything here is of."""
        return version_of(self.collection)

    @cached_property
    def everything(self) -> Ratings:
        def read() -> Ratings:
            return read_ratings_of(self.collection, viewer=self.viewer)

        read_at, version = timezone.now(), self.version
        if version is None:
            return read()
        hidden = self._hidden_batches
        kept = keep(self.collection, version, hidden, read, pairs=lambda ratings: ratings.size)
        return replace(kept, read_at=read_at)

    @cached_property
    def _hidden_batches(self) -> frozenset[int]:
        return blind_batches(self.collection, self.viewer)

    def keep(self, name: Hashable, make: Callable[[], T]) -> T:
        """What `make` computes of these ratings under these filters: once for this request, and
        for all requests of this member as long as nothing changes; `name` says what it is. Of
        another day, forecasts are others."""
        if name not in self._made:
            self._made[name] = self._kept(name, make)
        return self._made[name]

    def _kept(self, name: Hashable, make: Callable[[], T]) -> T:
        if self.version is None:
            return make()
        key = (self.member.pk, self._hidden_batches, self.filters, timezone.now().date(), name)
        return keep(self.collection, self.version, key, make, pairs=lambda _: self.everything.size)

    @cached_property
    def _made(self) -> dict[Hashable, Any]:
        return {}

    @cached_property
    def chosen(self) -> Ratings:
        return self.filters.chosen(self.everything, self.choices)

    @property
    def of_all_facets(self) -> Ratings:
        """The chosen pairs and those of the other facets beside them, where one scale is of all."""
        return self.whole.chosen

    @cached_property
    def whole(self) -> "Selection":
        """The same with the pairs of the other facets, where one scale is of all."""
        return self.of_every_facet if self.choices.shares_a_scale else self

    @cached_property
    def of_every_facet(self) -> "Selection":
        """The same with the pairs of the other facets, whatever their scales."""
        if self.filters.facet == ALL:
            return self
        wider = replace(self, filters=replace(self.filters, facet=ALL))
        # Of one moment: what is read already is not read anew.
        vars(wider).update(version=self.version, everything=self.everything)
        return wider

    @cached_property
    def has_program_ratings(self) -> bool:
        """Whether a program rated a pair that the viewer may know of."""
        if not self.choices.has_program_saves:
            return False
        visible_pairs = self.everything.pair[~self.everything.is_withheld]
        return bool(np.isin(visible_pairs, self.choices.by_program()).any())

    @property
    def consensus_rule(self) -> str:
        return self.collection.scheme.rule_in_words

    @property
    def cannot_judge_rule(self) -> str:
        return rule_in_words(self.filters.cannot_judge, self.chosen.scale.lowest)

    @cached_property
    def unit(self) -> Unit:
        """The noun for topics in this study; by its scheme while it has none."""
        everything = self.everything
        return everything.unit if everything.topics else unit_under(self.collection.scheme)

    @property
    def filters_in_words(self) -> list[tuple[str, str]]:
        """(what is chosen, which) of every filter that leaves pairs out; people by pseudonym."""
        filters, choices = self.filters, self.choices
        words = []
        if filters.facet != ALL:
            words.append(("Facet", choices.facets[filters.facet]))
        if filters.query:
            words.append(("Query", f"{filters.query}: {choices.queries[filters.query]}"))
        if filters.annotator:
            words.append(("Rated by", filters.annotator))
        if filters.batch:
            words.append(("Batch", choices.batch_names[filters.batch]))
        if filters.since:
            words.append(("Last rated from", f"{filters.since} (UTC)"))
        if filters.until:
            words.append(("Last rated up to", f"{filters.until} (UTC)"))
        if filters.version:
            words.append(("Scheme", f"version {filters.version}"))
        if filters.channel:
            words.append(("Channel", "without pairs that a program rated"))
        return words

    @property
    def in_words(self) -> str:
        """The subject of figures, for files: "CSFCube. Facet: Method. Median over topics."."""
        filters = [f"{name}: {value}" for name, value in self.filters_in_words]
        summary = self.unit.summary(self.filters.summary).capitalize()
        return ". ".join([self.collection.name, *(filters or ["All pairs"]), summary]) + "."

    @cached_property
    def progress(self) -> list[TopicRatings]:
        return self.keep("progress", lambda: progress_of(self.chosen))


def kept(compute: Callable[..., T]) -> Callable[..., T]:
    """Makes of a function of a selection and of plain values one whose results are kept."""

    @wraps(compute)
    def from_memory(selection: Selection, *values: Hashable) -> T:
        name = (compute.__module__, compute.__qualname__, values)
        return selection.keep(name, lambda: compute(selection, *values))

    return from_memory


def selection_of(member, viewer, parameters) -> Selection:
    """From the parameters of an address; BadRequest for a value there is not."""
    collection = member.collection
    version = version_of(collection)
    lists = keep(
        collection, version, "lists", lambda: read_long_lists(collection), pairs=lambda _: 0
    )
    choices = read_choices(collection, lists)
    selection = Selection(member, viewer, choices, Filters.read(parameters, choices))
    vars(selection).update(version=version)
    return selection
