"""Further ratings of pairs that an earlier import brought with ratings: one rater's file comes a
week after the other's.

Each rater gets a seat of the pairs' batch: their own open one, a free one, or one more. What is
written has its events in the trail, as if it were rated here, since the batch is another import's.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models.functions import Now

from annotation.assigning.actions.assign import completion
from annotation.assigning.actions.batches import add_seats
from annotation.assigning.actions.changes import SeatChanges, lock_topics
from annotation.assigning.barring import bars_of
from annotation.models import Batch, Option, Pair, Rating, RatingRevision, SchemeVersion, Seat
from annotation.rating.rate import rating_event
from annotation.rating.settle import DECIDED, distance_between, lock_pairs, settle_pair
from audit.actions import event, record_all
from audit.refusals import Refused
from audit.verbs import Verb
from datasets.models import Collection, Import, Membership
from formats.words import counted, listed
from imports.answers import NOT_IN_FILE, Answer
from imports.life import Writer
from imports.pairs import ANSWERED, SETTLED
from imports.study.entries import Key, Person

# A few seconds of the last transaction: each has its own event.
MAX_FURTHER_ANSWERS = 10_000
REASON = "Further ratings were imported."
ROWS_AT_ONCE = 500
ANSWER = [*ANSWERED, "scheme_version_id"]


@dataclass(frozen=True)
class FurtherSeat:
    """The seat that a rater of the files gets in a stored batch, with their answers in it."""

    batch: int
    batch_name: str
    ordinal: int
    overlap: int  # of the batch, when it has all of these seats
    rater: str
    answers: dict[Key, Answer]
    is_whole: bool  # and so handed in


@dataclass(frozen=True)
class StoredSeat:
    pk: int
    holder: int | None
    is_handed_in: bool
    rated: frozenset[Key]


@dataclass(frozen=True)
class RatedBatch:
    """A batch of pairs that have ratings, as it is stored: seats in their order."""

    pk: int
    name: str
    overlap: int
    came_with_ratings: bool  # all of its ratings came with an import
    locked_topic: str
    pairs: tuple[Key, ...]
    seats: tuple[StoredSeat, ...]

    def seats_for(
        self,
        answers: Mapping[str, Mapping[Key, Answer]],
        people: Mapping[str, Person],
        overlap: int,
    ) -> list[FurtherSeat]:
        """A seat for each rater in `answers` ({name in the files: answers}), who each may have one.
        Nobody left out a pair of which a file says the `overlap`; where none does, it is 0."""
        ordinals = self._ordinals()
        seats = {
            rater: self.open_seat_of(people[rater].member) or next(ordinals) for rater in answers
        }
        seat_count = max(self.overlap, overlap, *seats.values())
        further = []
        for rater, given in answers.items():
            rated = self._rated_in(seats[rater])
            place = next(iter(given.values())).place
            gap = Answer(None, NOT_IN_FILE, "", place)
            missing = [key for key in self.pairs if key not in given and key not in rated]
            gaps = {} if overlap else dict.fromkeys(missing, gap)
            is_whole = bool(not overlap or not missing)
            further.append(
                FurtherSeat(
                    *(self.pk, self.name, seats[rater], seat_count, rater),
                    answers={**given, **gaps},
                    is_whole=is_whole,
                )
            )
        return further

    def is_finished_by(self, further: Sequence[FurtherSeat]) -> bool:
        handed_in = {ordinal for ordinal, seat in enumerate(self.seats, 1) if seat.is_handed_in}
        handed_in |= {seat.ordinal for seat in further if seat.is_whole}
        return len(handed_in) == further[0].overlap

    def open_seat_of(self, member: Membership | None) -> int | None:
        """The ordinal of the open seat that the member holds."""
        for ordinal, seat in enumerate(self.seats, start=1):
            if member and seat.holder == member.pk and not seat.is_handed_in:
                return ordinal
        return None

    def _ordinals(self) -> Iterator[int]:
        """Of free seats in which nobody has rated, then of new ones."""
        for ordinal, seat in enumerate(self.seats, start=1):
            if seat.holder is None and not seat.rated:
                yield ordinal
        yield from range(self.overlap + 1, self.overlap + 100)

    def _rated_in(self, ordinal: int) -> frozenset[Key]:
        return self.seats[ordinal - 1].rated if ordinal <= len(self.seats) else frozenset()


class RatedBatches:
    """Some batches with ratings, and who may not rate in them."""

    def __init__(self, collection: Collection, ids: Iterable[int]) -> None:
        self.by_id = read_batches(ids)
        self._bars = bars_of(collection, within=self.by_id)

    def why_not(self, batch: RatedBatch, person: Person, key: Key) -> str:
        """Why a pair of the batch takes no rating of somebody from a file; empty where it does. A
        sentence without its end."""
        if not batch.came_with_ratings:
            return "pairs that were rated here get further ratings here, and from no file"
        if batch.locked_topic:
            return f"the topic {batch.locked_topic} is locked"
        member = person.member
        if member and member.removed_at:
            return f"{member} is no longer a member"
        bar = self._bars.get(batch.pk, {}).get(member.pk) if member else None
        ordinal = batch.open_seat_of(member)
        if member and bar and not (ordinal and bar.seat == batch.seats[ordinal - 1].pk):
            return bar.sentence(member, batch.name).removesuffix(".")
        if ordinal and key in batch.seats[ordinal - 1].rated:
            return "an earlier holder of their seat rated this pair"
        return ""


def read_batches(ids: Iterable[int]) -> dict[int, RatedBatch]:
    """The batches as they are stored now, by id."""
    ids = list(ids)
    key = ("pair__topic__external_id", "pair__document__external_id")
    rated: dict[int, set[Key]] = defaultdict(set)
    rated_here: set[int] = set()
    ratings = Rating.objects.filter(seat__batch__in=ids).order_by()
    for batch, seat, position, version, *name in ratings.values_list(
        "seat__batch", "seat", "position", "version", *key
    ).iterator():
        rated[seat].add((name[0], name[1]))
        # What came with an import was shown at no position, and is not changed.
        if position or version > 1:
            rated_here.add(batch)
    seats: dict[int, list[StoredSeat]] = defaultdict(list)
    for batch, pk, holder, handed_in_at in (
        Seat.objects.filter(batch__in=ids)
        .order_by("batch", "ordinal")
        .values_list("batch", "pk", "holder", "handed_in_at")
    ):
        seats[batch].append(StoredSeat(pk, holder, bool(handed_in_at), frozenset(rated[pk])))
    pairs: dict[int, list[Key]] = defaultdict(list)
    locked: dict[int, str] = {}
    for batch, topic, document, locked_at in (
        Pair.objects.filter(batch__in=ids)
        .order_by("batch", "topic", "position", "pk")
        .values_list("batch", "topic__external_id", "document__external_id", "topic__locked_at")
    ):
        pairs[batch].append((topic, document))
        if locked_at:
            locked.setdefault(batch, topic)
    return {
        pk: RatedBatch(
            *(pk, name, overlap, imported is not None and pk not in rated_here),
            *(locked.get(pk, ""), tuple(pairs[pk]), tuple(seats[pk])),
        )
        for pk, name, overlap, imported in Batch.objects.filter(pk__in=ids)
        .order_by("position", "pk")
        .values_list("pk", "name", "overlap", "imported")
    }


def in_words(further: Sequence[FurtherSeat]) -> list[str]:
    """A sentence for each rater of stored pairs on the seats that they get."""
    by_rater: dict[str, list[FurtherSeat]] = defaultdict(list)
    for seat in further:
        by_rater[seat.rater].append(seat)
    return [
        f"{rater} rates pairs that have ratings already, in "
        f"{listed([f'seat {seat.ordinal} of {seat.batch_name}' for seat in seats], most=5)}: "
        f"{counted(sum(len(seat.answers) for seat in seats), 'rating')}. What the others agreed "
        "on is settled anew with them."
        for rater, seats in by_rater.items()
    ]


def write_further(
    further: Sequence[FurtherSeat],
    planned: Mapping[int, RatedBatch],
    members: Mapping[str, Membership],
    writer: Writer,
    version: SchemeVersion,
) -> None:
    """Write the seats and their answers; part of the last transaction, which holds all batches.

    Raises Refused where a batch is not as it was `planned`.
    """
    imported = writer.imported
    by = imported.created_by
    batches = Batch.objects.select_related("collection__scheme").in_bulk(planned)
    # Before topics and pairs: this waits for ratings that are being saved.
    held = Seat.objects.filter(batch__in=planned).order_by("pk")
    list(held.select_for_update(no_key=True, of=("self",)).values_list("pk"))
    lock_topics(batches.values())
    if read_batches(planned) != planned:
        raise Refused("Batches of these pairs were changed meanwhile. Nothing was changed.")
    overlaps = {seat.batch: seat.overlap for seat in further}
    raised = [pk for pk, overlap in overlaps.items() if overlap > planned[pk].overlap]
    add_seats([(batches[pk], overlaps[pk]) for pk in raised], by=by, reason=REASON)
    rows = {(seat.batch_id, seat.ordinal): seat for seat in held.all()}
    changes = SeatChanges(
        rows.values(), [members[seat.rater] for seat in further], by=by, reason=REASON
    )
    taken = [(seat, changes.now(rows[seat.batch, seat.ordinal])) for seat in further]
    for seat, row in taken:
        changes.give(row, members[seat.rater])
    changes.write()
    _write_answers(taken, writer, version)
    _hand_in(taken, planned, imported)
    _settle(batches)


def _hand_in(
    taken: Sequence[tuple[FurtherSeat, Seat]], planned: Mapping[int, RatedBatch], imported: Import
) -> None:
    """The trail has the texts already, as the batch came with them and somebody held a seat."""
    by_batch: dict[int, list[FurtherSeat]] = defaultdict(list)
    for seat, _ in taken:
        by_batch[seat.batch].append(seat)
    whole = [(seat, row) for seat, row in taken if seat.is_whole]
    last = {seat.batch: row.pk for seat, row in whole}
    rows = Seat.objects.filter(pk__in=[row.pk for _, row in whole])
    rows.update(handed_in_at=Now())
    events = []
    for seat, row in whole:
        batch = planned[seat.batch]
        after = {}
        if last[batch.pk] == row.pk and batch.is_finished_by(by_batch[batch.pk]):
            after = {"completed_batch": completion(row.batch, len(batch.pairs), seat.overlap)}
        events.append(
            event(
                Verb.HAND_IN_SEAT,
                row,
                by=imported.created_by,
                collection=imported.collection,
                after=after,
            )
        )
    record_all(events)


def _settle(batches: Mapping[int, Batch]) -> None:
    """Settle all pairs of the batches, which the rule may put into few different states."""
    open_seats = Seat.objects.filter(batch__in=batches, handed_in_at=None)
    unfinished = set(open_seats.values_list("batch", flat=True))
    scheme = next(iter(batches.values())).collection.scheme
    of_scheme = Option.objects.filter(scale__scheme=scheme).select_related("scale").in_bulk()
    options = defaultdict(list)
    ratings = Rating.objects.filter(seat__batch__in=batches).order_by("seat")
    for pair_id, option in ratings.values_list("pair", "option").iterator():
        options[pair_id].append(of_scheme.get(option))
    outcomes: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for pair in lock_pairs(Pair.objects.filter(batch__in=batches)):
        if pair.state in DECIDED:
            continue
        batch_id = pair.batch_id or 0
        settle_pair(
            pair,
            options[pair.pk],
            overlap=batches[batch_id].overlap,
            rule=scheme.rule,
            distance=distance_between(options[pair.pk]),
            is_handed_in=batch_id not in unfinished,
        )
        outcomes[tuple(getattr(pair, field) for field in SETTLED)].append(pair.pk)
    for outcome, ids in outcomes.items():
        for start in range(0, len(ids), ROWS_AT_ONCE):
            pairs = Pair.objects.filter(pk__in=ids[start : start + ROWS_AT_ONCE])
            pairs.update(**dict(zip(SETTLED, outcome, strict=True)))


def _write_answers(
    taken: Sequence[tuple[FurtherSeat, Seat]], writer: Writer, version: SchemeVersion
) -> None:
    imported = writer.imported
    by = imported.created_by
    rows = Pair.objects.filter(batch__in={seat.batch for seat, _ in taken})
    names = ("topic__external_id", "document__external_id")
    pairs = {
        (topic, document): Pair(pk=pk, public_id=public_id)
        for topic, document, pk, public_id in rows.values_list(*names, "pk", "public_id")
    }
    ratings = [
        Rating(
            pair=pairs[key],
            seat=row,
            annotator=row.holder,
            position=0,
            scheme_version=version,
            option=answer.option,
            cannot_judge=answer.reason,
            note=answer.note,
        )
        for seat, row in taken
        for key, answer in seat.answers.items()
    ]
    fields = ["public_id", "pair_id", "seat_id", "annotator_id", "position", *ANSWER]
    values = attrgetter(*fields)
    writer.insert_plain(Rating, fields, map(values, ratings))
    stored = Rating.objects.filter(seat__in={row.pk for _, row in taken})
    keys = dict(stored.values_list("public_id", "pk"))
    answer_of = attrgetter(*ANSWER)
    writer.insert_plain(
        RatingRevision,
        ["rating_id", "save_id", "saved_by_id", *ANSWER],
        (
            (keys[rating.public_id], uuid.uuid4(), by.pk if by else None, *answer_of(rating))
            for rating in ratings
        ),
    )
    record_all(
        rating_event(
            rating,
            None,
            pair=rating.pair,
            seat=rating.seat,
            by=by,
            beside={"import": imported.public_id, "annotator": rating.annotator.public_id},
        )
        for rating in ratings
    )
