"""The trail as a hash chain: seals over its events, made from time to time and checked whole.

A seal hashes the events that it names together with the hash of the seal before. So an event that
is changed, taken away or put in afterwards shows, and so does a seal. What the chain cannot show by
itself is a chain made anew from some point on: for that its newest hash is told to the log and to
every export (docs/adr/0008-sealed-trail.md).

Sealing locks nothing that a save needs. It names the events it found, as ranges of ids: on
PostgreSQL an event may be committed after one with a higher id, and is then sealed late.
"""

import hashlib
import logging
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, timedelta
from itertools import pairwise
from typing import Any

from django.db import DEFAULT_DB_ALIAS, IntegrityError, transaction
from django.utils import timezone

from audit.hashes import canonical
from audit.models import Event, Seal
from audit.verbs import Verb

logger = logging.getLogger(__name__)

Row = Any  # the fields of an event that a seal covers
Ranges = Sequence[Sequence[int]]  # of ids: (first, last)

# Which fields of an event a seal covers, by version. A new field of events is a new version; what
# was sealed before stays covered as it was.
COVERED_FIELDS = {
    1: [
        *("id", "at", "actor_id", "verb", "collection", "subject_type", "subject_id"),
        *("before", "after", "reason", "request_id"),
    ],
}
COVERAGE = max(COVERED_FIELDS)
EVENTS_PER_SEAL = 5_000
EVENTS_AT_ONCE = 1_000
# No transaction lives longer. An event that turns up later than this was put in afterwards.
LATE = timedelta(days=1)


def seal_trail() -> Seal | None:
    """Seal every committed event that is in no seal yet; the newest seal, None on an empty trail.

    Two processes may seal at once: of two seals with one number the second is refused, and made
    again from what is then left.
    """
    while True:
        newest = Seal.objects.order_by("-number").first()
        rows = _unsealed_rows(newest)
        if not rows:
            return newest
        seal = _seal_of(rows, newest)
        try:
            with transaction.atomic():
                seal.save(force_insert=True)
        except IntegrityError:
            if not Seal.objects.filter(number=seal.number).exists():
                raise
            continue
        logger.info("Seal %d over %d events, sha256 %s", seal.number, seal.event_count, seal.sha256)


def _unsealed_rows(newest: Seal | None) -> list[Row]:
    """At most EVENTS_PER_SEAL events that no seal names, by id."""
    top = newest.last_event if newest else 0
    rows = _late_rows(top)
    while len(rows) < EVENTS_PER_SEAL:
        more = list(_rows().filter(id__gt=top)[:EVENTS_AT_ONCE])
        rows += more
        if len(more) < EVENTS_AT_ONCE:
            break
        top = more[-1].id
    return rows


def _late_rows(top: int) -> list[Row]:
    """Events in the gaps that recent seals left: committed after events with higher ids."""
    since = timezone.now() - LATE
    settled = Seal.objects.filter(sealed_at__lt=since).order_by("-number").first()
    recent = Seal.objects.filter(sealed_at__gte=since).values_list("ranges", flat=True)
    start = settled.last_event if settled else 0
    gaps = gaps_between([span for ranges in recent for span in ranges], start, top)
    return list(_rows().in_ranges(gaps))


def gaps_between(ranges: Ranges, start: int, end: int) -> list[tuple[int, int]]:
    """Ranges of the ids above `start` and up to `end` that no range of `ranges` has."""
    gaps = []
    for low, high in sorted([*map(tuple, ranges), (end + 1, end + 1)]):
        if low > start + 1:
            gaps.append((start + 1, low - 1))
        start = max(start, high)
    return gaps


def _rows(using: str = DEFAULT_DB_ALIAS) -> Any:
    events = Event.objects.using(using).order_by("id")
    return events.values_list(*COVERED_FIELDS[COVERAGE], named=True)


def _seal_of(rows: Sequence[Row], newest: Seal | None) -> Seal:
    seal = Seal(
        number=newest.number + 1 if newest else 1,
        previous=newest.sha256 if newest else "",
        coverage=COVERAGE,
        ranges=_ranges_of([row.id for row in rows]),
        event_count=len(rows),
        last_event=max([newest.last_event if newest else 0, *(row.id for row in rows)]),
        sealed_at=timezone.now(),
    )
    seal.sha256 = hash_of(seal, rows)
    return seal


def _ranges_of(ids: Sequence[int]) -> list[list[int]]:
    """Ascending ids as ranges: [[first, last], ...]."""
    breaks = [
        0,
        *(n for n, (earlier, later) in enumerate(pairwise(ids), 1) if later != earlier + 1),
        len(ids),
    ]
    return [[ids[first], ids[end - 1]] for first, end in pairwise(breaks)]


def hash_of(seal: Seal, rows: Iterable[Row]) -> str:
    """SHA-256 over what a seal says and the events that it covers, given as rows by id."""
    names = COVERED_FIELDS[seal.coverage]
    head = {
        "number": seal.number,
        "previous": seal.previous,
        "coverage": seal.coverage,
        "ranges": seal.ranges,
        "event_count": seal.event_count,
        "last_event": seal.last_event,
        "sealed_at": _plain(seal.sealed_at),
    }
    digest = hashlib.sha256(canonical(head))
    for row in rows:
        digest.update(b"\n" + canonical([_plain(getattr(row, name)) for name in names]))
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    if hasattr(value, "astimezone"):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if value is None or isinstance(value, (int, str, list, dict)):
        return value
    return str(value)


def seal_for(collection: Any, *, using: str = DEFAULT_DB_ALIAS) -> dict[str, Any] | None:
    """The seal of an export of a collection: {"seal", "sha256", "is_complete"}, or None.

    It is the seal over the collection's last event other than an export. So two exports of one
    state name one seal, however often the trail was sealed in between. Where that event came after
    the last sealing, it is the newest seal, which is then not complete.
    """
    events = Event.objects.using(using).of_collection(collection).exclude(verb=Verb.EXPORT)
    last = events.order_by("-id").values_list("id", flat=True).first() or 0
    seals = Seal.objects.using(using).order_by("number")
    for seal in seals.filter(last_event__gte=last):
        if any(low <= last <= high for low, high in seal.ranges):
            return {"seal": seal.number, "sha256": seal.sha256, "is_complete": True}
    if newest := seals.last():
        return {"seal": newest.number, "sha256": newest.sha256, "is_complete": False}
    return None


def chain_findings(*, using: str = DEFAULT_DB_ALIAS) -> Iterator[str]:
    """Yield a sentence for everything about the trail that its seals do not bear out.

    Events that came after the last seal are not judged: seal before you check.
    """
    reader = _Reader(using)
    before: Seal | None = None
    for seal in Seal.objects.using(using).order_by("number").iterator():
        yield from _link_findings(seal, before)
        rows, missing = reader.rows_of(seal)
        if missing:
            yield f"{_events(missing)} of {_named(seal)} {_are(missing)} gone from the trail."
        elif seal.coverage not in COVERED_FIELDS or hash_of(seal, rows) != seal.sha256:
            yield (
                f"{_named(seal)} has another hash than {_events(seal.ranges)}, which it covers: "
                "an event or the seal was changed."
            )
        if before:
            # A clock that was ahead by days when the seal before was made accuses nobody.
            earliest = min(before.sealed_at, seal.sealed_at) - LATE
            for row in rows:
                if row.at < earliest:
                    yield (
                        f"Event {row.id} is dated {row.at:%Y-%m-%d %H:%M}, but was not in the "
                        f"trail when {_named(before)} was made."
                    )
        before = seal
    yield from _stray_findings(reader.strays(), using)


def _link_findings(seal: Seal, before: Seal | None) -> Iterator[str]:
    number, sha256 = (before.number, before.sha256) if before else (0, "")
    if seal.number > number + 1:
        gone = [[number + 1, seal.number - 1]]
        yield f"{_numbers('Seal', gone)} {_are(gone)} gone from the chain."
    elif seal.previous != sha256:
        yield f"{_named(seal)} does not follow from the seal before it."


def _stray_findings(strays: Sequence[int], using: str) -> Iterator[str]:
    if not strays:
        return
    seals = Seal.objects.using(using).order_by("number")
    ends = list(seals.values_list("last_event", "number", "sealed_at"))
    since = timezone.now() - LATE
    for event in strays:
        place = bisect_left(ends, event, key=lambda end: end[0])
        if place < len(ends) and ends[place][2] < since:
            yield (
                f"Event {event} is in no seal, though seal {ends[place][1]} covers later ones: it "
                "was put in afterwards."
            )


class _Reader:
    """Reads the trail once, in order of ids, and keeps aside what a later seal may name."""

    def __init__(self, using: str) -> None:
        self.using = using
        self.stream = _rows(using).iterator(chunk_size=2_000)
        self.upcoming = next(self.stream, None)
        self.aside: dict[int, Row] = {}

    def rows_of(self, seal: Seal) -> tuple[list[Row], list[tuple[int, int]]]:
        """The events that a seal names, by id, and the ranges of those that are not there."""
        rows: list[Row] = []
        missing: list[tuple[int, int]] = []
        for low, high in seal.ranges:
            events = [self.aside.pop(n) for n in sorted(self.aside) if low <= n <= high]
            events += self._read(low, high)
            rows += events
            missing += gaps_between([(row.id, row.id) for row in events], low - 1, high)
        return rows, missing

    def _read(self, low: int, high: int) -> list[Row]:
        rows = []
        while self.upcoming and self.upcoming.id <= high:
            row, self.upcoming = self.upcoming, next(self.stream, None)
            if row.id >= low:
                rows.append(row)
            else:
                self.aside[row.id] = row
        return rows

    def strays(self) -> list[int]:
        """Ids of the events that no seal named, in order; the rest of the trail is read."""
        after = [] if self.upcoming is None else [self.upcoming.id]
        return [*sorted(self.aside), *after, *(row.id for row in self.stream)]


def _named(seal: Seal) -> str:
    return f"Seal {seal.number} of {seal.sealed_at:%Y-%m-%d %H:%M}"


def _events(ranges: Ranges) -> str:
    return _numbers("Event", ranges)


def _numbers(noun: str, ranges: Ranges) -> str:
    parts = [str(low) if low == high else f"{low} to {high}" for low, high in ranges]
    return f"{noun if _is_single(ranges) else noun + 's'} {', '.join(parts)}"


def _are(ranges: Ranges) -> str:
    return "is" if _is_single(ranges) else "are"


def _is_single(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]
