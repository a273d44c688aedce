"""An annotator's work across collections: pairs to rate, and pairs rated. It follows from their own
seats and ratings alone, however many other roles they have."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from annotation.flags.querysets import answer_counts
from annotation.models import Batch, Pair, Rating, RatingRevision, SchemeVersion, Seat
from annotation.progress.figures import facet_names, percent, titles
from datasets.models import Collection
from formats.grouping import grouped

PACE_OF = 100  # ratings, the last of each collection
ROWS = 50  # of a group, unless all are asked for
FILTER_FROM = 12  # rows in a group


@dataclass
class Work:
    """A seat as its holder sees it. `size` leaves out what a predecessor rated in it."""

    seat: Seat
    title: str
    facets: list[tuple[str, str]]
    size: int
    rated: int
    answer_count: int = 0  # of leads, to the holder's own flags

    @property
    def percent(self) -> int:
        return percent(self.rated, self.size)

    @property
    def is_complete(self) -> bool:
        return self.rated >= self.size

    @property
    def verb(self) -> str:
        if self.is_complete:
            return "Check and hand in"
        return "Go on" if self.rated else "Begin"

    @property
    def facet_words(self) -> str:
        return ", ".join(name for _, name in self.facets)

    def matches(self, words: str) -> bool:
        text = f"{self.title} {self.facet_words} {self.seat.batch.name}".casefold()
        return all(word in text for word in words.casefold().split())


@dataclass
class Group:
    """A person's batches in one collection."""

    collection: Collection
    works: list[Work]
    rated: int
    size: int
    pace: float | None  # seconds a pair
    is_open: bool = False
    shown: list[Work] = field(default_factory=list)

    @property
    def percent(self) -> int:
        return percent(self.rated, self.size)

    @property
    def is_long(self) -> bool:
        return len(self.works) > FILTER_FROM


class OwnWork:
    """One batch to go on with, the others by collection, and those handed in.

    `words` filters titles; without `is_all` a group shows its first rows.
    """

    def __init__(self, user: Any, *, words: str = "", is_all: bool = False) -> None:
        self.user, self.words, self.is_all = user, words.strip(), is_all
        self._paces: dict[int, float | None] = {}

    @cached_property
    def open(self) -> list[Work]:
        return open_seats(self.user)

    @cached_property
    def handed_in(self) -> list[Work]:
        seats = Seat.objects.of(self.user).handed_in()
        done = works(seats.filter(batch__in=Batch.objects.all()))
        answers = answer_counts(work.seat for work in done)
        for work in done:
            work.answer_count = answers.get(work.seat.pk, 0)
        return sorted(done, key=lambda work: str(work.seat.handed_in_at), reverse=True)

    @cached_property
    def handed_in_shown(self) -> list[Work]:
        return self._first_rows(self.handed_in)

    @cached_property
    def next(self) -> Work | None:
        """The batch worked on last, else a returned one, one that was begun, the next to begin."""
        last = (
            RatingRevision.objects.filter(
                rating__annotator__user=self.user, rating__annotator=F("rating__seat__holder")
            )
            .order_by("-pk")
            .values_list("rating__seat", flat=True)
            .first()
        )
        return next(
            (work for work in self.open if work.seat.pk == last), next(iter(self.open), None)
        )

    @cached_property
    def reworded(self) -> SchemeVersion | None:
        """The current version of the scheme of the batch to go on with, where the person has rated
        in that collection, and under earlier ones alone."""
        if not self.next:
            return None
        seat = self.next.seat
        rated = Rating.objects.filter(annotator=seat.holder_id)
        latest = rated.aggregate(number=Max("scheme_version__number"))["number"]
        current: SchemeVersion = seat.batch.collection.scheme.current
        return current if latest and latest < current.number else None

    @property
    def minutes_left(self) -> int | None:
        """What the batch to go on with still takes, at the person's pace in its collection."""
        if not self.next or not self.pace:
            return None
        return round((self.next.size - self.next.rated) * self.pace / 60)

    @property
    def pace(self) -> float | None:
        return self.pace_in(self.next.seat.batch.collection_id) if self.next else None

    def pace_in(self, collection_id: int) -> float | None:
        """The median seconds of the last ratings there; None before there are any."""
        if collection_id not in self._paces:
            seconds = (
                Rating.objects.filter(
                    annotator__user=self.user,
                    annotator__collection=collection_id,
                    active_seconds__gt=0,
                )
                .order_by("-pk")
                .values_list("active_seconds", flat=True)[:PACE_OF]
            )
            values = [float(value) for value in seconds]
            self._paces[collection_id] = median(values) if values else None
        return self._paces[collection_id]

    @cached_property
    def groups(self) -> list[Group]:
        """Collections with something to rate; that of the batch to go on with first."""
        by_collection = grouped((work.seat.batch.collection, work) for work in self.open)
        done: dict[int, int] = defaultdict(int)
        for work in self.handed_in:
            done[work.seat.batch.collection_id] += work.size
        first = self.next.seat.batch.collection_id if self.next else None
        groups = []
        for collection, of_collection in by_collection.items():
            others = [work for work in of_collection if work is not self.next]
            group = Group(
                collection,
                others,
                rated=sum(work.rated for work in of_collection) + done[collection.pk],
                size=sum(work.size for work in of_collection) + done[collection.pk],
                pace=self.pace_in(collection.pk),
                is_open=collection.pk == first or bool(self.words),
                shown=self._first_rows(others),
            )
            if others:
                groups.append(group)
        return sorted(groups, key=lambda group: group.collection.pk != first)

    @property
    def is_long(self) -> bool:
        return any(group.is_long for group in self.groups) or len(self.handed_in) > FILTER_FROM

    def _first_rows(self, all_work: list[Work]) -> list[Work]:
        matching = [work for work in all_work if work.matches(self.words)]
        return matching if self.is_all else matching[:ROWS]


def open_seats(user: Any) -> list[Work]:
    """The open seats of this person: returned ones first, then begun ones, then the rest."""
    open_works = works(Seat.objects.of(user).open().filter(batch__in=Batch.objects.all()))
    return sorted(open_works, key=lambda work: (not work.seat.return_reason, not work.rated))


def works(seats: QuerySet[Seat]) -> list[Work]:
    by_holder = Q(ratings__annotator=F("holder"))
    seats_held = list(
        seats.select_related("batch__collection__scheme")
        .annotate(
            own_count=Count("ratings", filter=by_holder, distinct=True),
            other_count=Count("ratings", filter=~by_holder, distinct=True),
        )
        .order_by("batch__collection__name", "batch__position", "batch")
    )
    sizes, topics_of = _batch_contents(seats_held)
    words = {
        collection: (titles(collection), facet_names(collection.scheme))
        for collection in {seat.batch.collection for seat in seats_held}
    }
    return [_work(seat, *words[seat.batch.collection], sizes, topics_of) for seat in seats_held]


def _work(seat, title_of, name_of, sizes, topics_of):
    topics = topics_of[seat.batch_id]
    names = sorted({title_of.get(topic, "") for topic, _ in topics} - {""})
    return Work(
        seat=seat,
        title=names[0] if len(names) == 1 else seat.batch.name,
        # Plain relevance is a facet that is not shown.
        facets=[(key, name_of[key]) for key in sorted({f for _, f in topics} & name_of.keys())],
        size=sizes[seat.batch_id] - seat.other_count,
        rated=seat.own_count,
    )


def _batch_contents(seats: Iterable[Seat]):
    """({batch id: pairs}, {batch id: [(topic id, facet), ...]}) of these seats' batches."""
    sizes: dict[int, int] = defaultdict(int)
    topics: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = (
        Pair.objects.filter(batch__in={seat.batch_id for seat in seats})
        .order_by("topic__position", "topic")
        .values_list("batch", "topic", "topic__facet")
        .annotate(pair_count=Count("pk"))
    )
    for batch, topic, facet, pair_count in rows:
        sizes[batch] += pair_count
        topics[batch].append((topic, facet))
    return sizes, topics
