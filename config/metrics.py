"""Figures for a lab's monitor, in the text format of Prometheus.

What requests did is counted in memory that the processes of the web server share: a save costs no
write to database or disk for it, and a full disk breaks nothing (ADR 12). Each process has a row of
its own and a lock for its threads; reading adds the rows up. A row is handed on when its process
ends, so that no count is lost with it; all begin at 0 when the web server starts. The background
work is read from the database when somebody asks.

prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
"""

import mmap
import threading
from collections.abc import Iterator
from itertools import accumulate

from django.db import Error
from django.db.models import Count, Min
from django.utils import timezone

from config import health
from jobs.models import Job, Pulse

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

# What is sent for good, by route: pages send it, and programs.
KINDS = {
    "annotation:rate-pair": "rating",
    "annotation:hand-in": "hand_in",
    "adjudication:decide-pair": "decision",
    "adjudication:audit-pair": "decision",
    "api:own-pair": "rating",
    "api:hand-in": "hand_in",
    "api:case": "decision",
    "api:audit-pair": "decision",
}
OTHER = "other"
SENDERS = ["page", "program"]
STATUSES = [
    "2xx",
    "3xx",
    "400",
    "403",
    "404",
    "409",
    "422",
    "423",
    "429",
    "4xx",
    "500",
    "503",
    "5xx",
]
BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0]  # seconds

# A cell for each: (kind, sender, "status", 409), (kind, sender, "seconds", bucket) and
# (kind, sender, "sum", 0).
CELLS = {
    cell: number
    for number, cell in enumerate(
        (kind, sender, *rest)
        for kind in [*dict.fromkeys(KINDS.values()), OTHER]
        for sender in SENDERS
        for rest in [
            *(("status", status) for status in STATUSES),
            *(("seconds", bucket) for bucket in [*BUCKETS, float("inf")]),
            ("sum", 0),
        ]
    )
}


class Rows:
    """A table of numbers, shared with the processes that are forked from this one."""

    def __init__(self, count: int) -> None:
        memory = mmap.mmap(-1, count * len(CELLS) * 8)
        self._cells = memoryview(memory).cast("d", shape=[count, len(CELLS)])
        self._free = list(range(1, count))
        self._lock = threading.Lock()
        self._row = 0

    def take(self) -> int:
        """A row for a process that is about to be forked. The last one is shared if need be."""
        return self._free.pop(0) if self._free else 0

    def free(self, row: int) -> None:
        if row:
            self._free.append(row)

    def use(self, row: int) -> None:
        """Count in this row from now on."""
        self._row = row

    def add(self, amounts: dict[int, float]) -> None:
        with self._lock:
            for cell, amount in amounts.items():
                self._cells[self._row, cell] += amount

    def sums(self) -> list[float]:
        rows = self._cells.tolist()
        return [sum(column) for column in zip(*rows, strict=True)]


# More than any web server has processes, counting those that end while others begin.
rows = Rows(256)


def kind_of(method: str, route: str) -> str:
    return KINDS.get(route, OTHER) if method in ("POST", "PUT") else OTHER


def sender_of(route: str) -> str:
    return "program" if route.startswith("api:") else "page"


def status_of(status: int) -> str:
    return str(status) if str(status) in STATUSES else f"{status // 100}xx"


def count(*, method: str, route: str, status: int, seconds: float) -> None:
    """Count one answered request."""
    who = kind_of(method, route), sender_of(route)
    bucket = next((limit for limit in BUCKETS if seconds <= limit), float("inf"))
    rows.add(
        {
            CELLS[*who, "status", status_of(status)]: 1,
            CELLS[*who, "seconds", bucket]: 1,
            CELLS[*who, "sum", 0]: seconds,
        }
    )


def exposition() -> str:
    return "".join(f"{line}\n" for line in [*_requests(), *_background()])


def _requests() -> Iterator[str]:
    sums = rows.sums()

    def value(*cell: object) -> float:
        return sums[CELLS[cell]]  # type: ignore[index]

    labels = {(kind, sender): f'kind="{kind}",sent_by="{sender}"' for kind, sender, *_ in CELLS}
    yield "# HELP facetwise_saves_total Ratings, decisions and hand-ins that were stored."
    yield "# TYPE facetwise_saves_total counter"
    for who, label in labels.items():
        if who[0] != OTHER:
            stored = value(*who, "status", "2xx") + value(*who, "status", "3xx")
            yield f"facetwise_saves_total{{{label}}} {stored:.0f}"
    yield "# HELP facetwise_requests_total Answers, by kind of request and class of status."
    yield "# TYPE facetwise_requests_total counter"
    for who, label in labels.items():
        for status in STATUSES:
            number = value(*who, "status", status)
            yield f'facetwise_requests_total{{{label},status="{status}"}} {number:.0f}'
    yield "# HELP facetwise_request_seconds How long answers took."
    yield "# TYPE facetwise_request_seconds histogram"
    for who, label in labels.items():
        limits = [*BUCKETS, float("inf")]
        counts = list(accumulate(value(*who, "seconds", limit) for limit in limits))
        for limit, number in zip(limits, counts, strict=True):
            shown = "+Inf" if limit == float("inf") else f"{limit:g}"
            yield f'facetwise_request_seconds_bucket{{{label},le="{shown}"}} {number:.0f}'
        yield f"facetwise_request_seconds_sum{{{label}}} {value(*who, 'sum', 0):.6f}"
        yield f"facetwise_request_seconds_count{{{label}}} {counts[-1]:.0f}"


def _background() -> Iterator[str]:
    troubles = health.troubles()
    yield "# HELP facetwise_well Whether a part is well, as in the health check."
    yield "# TYPE facetwise_well gauge"
    for part in ["beat", "broker", "database", "disk", "worker"]:
        yield f'facetwise_well{{part="{part}"}} {int(part not in troubles)}'
    try:
        yield from list(_jobs())
    except Error:
        return  # the database is away: its figures are missing, and the others are not


def _jobs() -> Iterator[str]:
    active = Job.objects.active()
    counts = dict(active.values_list("state").annotate(Count("pk")))
    yield "# HELP facetwise_jobs Background jobs that are not over."
    yield "# TYPE facetwise_jobs gauge"
    for state in (Job.State.QUEUED, Job.State.RUNNING):
        yield f'facetwise_jobs{{state="{state}"}} {counts.get(state, 0)}'
    oldest = active.aggregate(oldest=Min("created_at"))["oldest"]
    age = max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0
    yield "# HELP facetwise_oldest_job_age_seconds Age of the oldest job that is not over."
    yield "# TYPE facetwise_oldest_job_age_seconds gauge"
    yield f"facetwise_oldest_job_age_seconds {age:.3f}"
    yield "# HELP facetwise_last_beat_timestamp_seconds When a part was last known to be well."
    yield "# TYPE facetwise_last_beat_timestamp_seconds gauge"
    for part, at in Pulse.objects.order_by("part").values_list("part", "at"):
        yield f'facetwise_last_beat_timestamp_seconds{{part="{part}"}} {at.timestamp():.3f}'
