"""Why judgments changed from an export to a later one, as far as the trail knows it.

Only events between the two exports count, so that what happens afterwards changes nothing.
"""

from collections import defaultdict
from collections.abc import Collection as Members
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models.fields.json import KT

from annotation.models import Batch, ProgramSave, Seat
from audit.models import Event, Seal
from audit.verbs import Verb
from releases.erratum.changes import Change, Kind
from releases.models import Export

OF_PAIRS = (Verb.DECIDE, Verb.CHANGE_DECISION, Verb.REOPEN)


class Why(StrEnum):
    """A reason in the words of pages and files."""

    DECIDED = "adjudicated"
    CHANGED = "decision changed"
    DECIDED_AGAIN = "reopened and decided again"
    REOPENED = "decision reopened"
    LEFT_OUT = "left out by a decision"
    RETURNED = "a seat was returned"
    MORE_RATINGS = "more ratings were asked for"
    IMPORTED = "imported"
    AGREED = "the raters agree"
    NOT_IN_OLDER = "its batch was left out of the older export"
    NOT_IN_NEWER = "its batch is left out of the newer export"
    BY_PROGRAM = "a program rated it, which one of the two leaves out"
    UNKNOWN = ""


class Reason(NamedTuple):
    """`details` are the words of a lead or an adjudicator, which may name people."""

    why: Why = Why.UNKNOWN
    details: str = ""


@dataclass
class Happened:
    """What the trail says of a batch, or of a pair, between two exports, oldest first: each event
    with its reason, or with why it leaves a pair out."""

    events: list[tuple[str, str]] = field(default_factory=list)

    def last(self, verb: Verb) -> str | None:
        """The reason of the last such event; None without one."""
        reasons = [reason for event, reason in self.events if event == verb]
        return reasons[-1] if reasons else None


class BatchFacts(NamedTuple):
    """What never changes of a batch."""

    public_id: str
    created_at: datetime
    imported_at: datetime | None


@dataclass(frozen=True, eq=False)
class Reasons:
    """The trail between two exports of gold, without the batches that a reader may not see.

    `has_all`: the older one left no batch out. `of_pages` is the one that alone leaves out what
    programs rated, where there is such a one.
    """

    older: Export
    newer: Export
    moments: tuple[int, int]  # the last event in each of them
    hidden: Members[str]
    has_all: bool = False
    of_pages: Export | None = None

    def of(self, change: Change, pair: str, batch: int | None) -> Reason:
        """The reason of a change of a pair, given by its public id, in its batch."""
        facts = self._batches.get(batch) if batch else None
        if facts is None or facts.public_id in self.hidden:
            return Reason()
        if change.kind is Kind.GONE and facts.public_id not in self.newer.batches:
            return Reason(Why.NOT_IN_NEWER)
        if change.kind is Kind.NEW and self._was_left_out(facts):
            return Reason(Why.NOT_IN_OLDER)
        if self._is_left_to_programs(change, pair):
            return Reason(Why.BY_PROGRAM)
        decided = self._of_pairs.get(pair)
        return _decided(change, decided) if decided else self._rated(change, facts)

    def _is_left_to_programs(self, change: Change, pair: str) -> bool:
        lacks = {Kind.NEW: self.older, Kind.GONE: self.newer}.get(change.kind)
        return lacks is self.of_pages and pair in self._by_programs

    @cached_property
    def _by_programs(self) -> set[str]:
        """The public ids of the pairs that programs had rated for the export that leaves them
        out."""
        if self.of_pages is None:
            return set()
        saves = ProgramSave.objects.filter(
            revision__rating__pair__topic__collection=self.older.collection_id,
            revision__saved_at__lt=self.of_pages.created_at,
        )
        return set(map(str, saves.values_list("revision__rating__pair__public_id", flat=True)))

    def _was_left_out(self, facts: BatchFacts) -> bool:
        if self.has_all:
            return False
        was_there = max(facts.created_at, facts.imported_at or facts.created_at)
        return facts.public_id not in self.older.batches and was_there < self.older.created_at

    def _rated(self, change: Change, facts: BatchFacts) -> Reason:
        """Why a pair changed on which nobody decided meanwhile."""
        happened = self._of_batches.get(facts.public_id, Happened())
        if change.kind is not Kind.NEW:
            if (details := happened.last(Verb.RETURN_SEAT)) is not None:
                return Reason(Why.RETURNED, details)
            if (details := happened.last(Verb.RAISE_OVERLAP)) is not None:
                return Reason(Why.MORE_RATINGS, details)
            return Reason()
        if facts.imported_at and facts.imported_at > self.older.created_at:
            return Reason(Why.IMPORTED)
        return Reason(Why.AGREED)

    @cached_property
    def _batches(self) -> dict[int, BatchFacts]:
        rows = Batch.objects.filter(collection=self.older.collection_id)
        names = ("public_id", "created_at", "imported__activated_at")
        return {
            pk: BatchFacts(str(public_id), *times)
            for pk, public_id, *times in rows.values_list("pk", *names)
        }

    @cached_property
    def _of_pairs(self) -> dict[str, Happened]:
        return _by_subject(self._events(OF_PAIRS, "annotation.pair"))

    @cached_property
    def _of_batches(self) -> dict[str, Happened]:
        """{public id: what happened to the batch and its seats}"""
        returned = list(self._events((Verb.RETURN_SEAT,), "annotation.seat"))
        seats = Seat.objects.filter(public_id__in={seat for seat, *_ in returned})
        batch_of = {
            str(seat): str(batch)
            for seat, batch in seats.values_list("public_id", "batch__public_id")
        }
        raised = self._events((Verb.RAISE_OVERLAP,), "annotation.batch")
        of_batches = (
            (batch_of[seat], verb, reason) for seat, verb, reason in returned if seat in batch_of
        )
        return _by_subject([*raised, *of_batches])

    def _events(self, verbs: Iterable[Verb], subject: str) -> Iterator[tuple[str, str, str]]:
        """(public id of the subject, verb, reason), oldest first."""
        first, last = self.moments
        events = Event.objects.filter(
            collection=self.older.collection.public_id,
            id__gt=first,
            id__lte=last,
            verb__in=verbs,
            subject_type=subject,
        )
        why_left_out = KT("after__exclusion_reason")
        rows = events.order_by("id").values_list("subject_id", "verb", "reason", why_left_out)
        for subject_id, verb, reason, exclusion_reason in rows.iterator():
            yield subject_id, verb, reason or exclusion_reason or ""


def _by_subject(events: Iterable[tuple[str, str, str]]) -> dict[str, Happened]:
    happened: defaultdict[str, Happened] = defaultdict(Happened)
    for subject_id, verb, reason in events:
        happened[subject_id].events.append((verb, reason))
    return happened


def _decided(change: Change, happened: Happened) -> Reason:
    reopened = happened.last(Verb.REOPEN)
    verb, why_left_out = happened.events[-1]
    if verb == Verb.REOPEN:
        return Reason(Why.REOPENED, reopened or "")
    if change.new is None:
        return Reason(Why.LEFT_OUT, why_left_out)
    if reopened is not None:
        return Reason(Why.DECIDED_AGAIN, reopened)
    return Reason(Why.CHANGED if verb == Verb.CHANGE_DECISION else Why.DECIDED)


def last_event(export: Export, trail: Mapping[str, Any] | None) -> int:
    """The last event of the trail that is in an export: by the seal that its manifest names, else
    the event of the export itself, which came a moment later."""
    if trail and trail.get("is_complete"):
        seal = Seal.objects.filter(sha256=trail.get("sha256")).first()
        if seal is not None:
            return seal.last_event
    event = Event.objects.about(export).filter(verb=Verb.EXPORT).first()
    return event.pk if event else 0
