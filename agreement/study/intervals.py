"""Intervals that are computed once: at once if quick, else as a job."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db import OperationalError

from agreement.models import Known, KnownIntervals
from agreement.statistics import (
    Comparing,
    Interval,
    Method,
    Over,
    RatedTopics,
    Reason,
    SummaryKind,
    intervals,
)
from agreement.statistics.figures import LEVEL
from agreement.study.filters import Filters, Resampled
from agreement.study.program import program_hash
from agreement.study.selection import Selection
from agreement.tables.columns import Unit
from jobs.actions import enqueue
from jobs.models import Job

KIND = "agreement-intervals"  # of the job
# What decides the intervals.
PROGRAM = ("agreement.statistics",)
LIBRARIES = ("numpy", "scipy", "krippendorff")
# The ends of BCa lie further out where the figure is biased or skewed, and need more to be steady.
RESAMPLES = {Method.PERCENTILE: 1000, Method.BCA: 10_000}
SEED = 0
# So much can be resampled while somebody waits for a page, one to two seconds; one is a topic taken
# as a whole, a thousand times. To resample the pairs within a topic takes as long as so many.
QUICK = 5000
PAIRS_COST = 20
KEPT = 5000  # per collection, the newest
KEPT_AT_ONCE = 100

Intervals = dict[str, Interval]
OVER = {
    Resampled.FITS: Over.TOPICS,
    Resampled.PAIRS: Over.PAIRS,
    Resampled.TOPICS: Over.TOPICS,
    Resampled.QUERIES: Over.QUERIES,
    Resampled.BOTH: Over.BOTH,
}


@dataclass(frozen=True)
class Wanted:
    """Intervals of these measures over these topics, all from one set of resamples."""

    topics: RatedTopics
    measures: tuple[str, ...]
    summary: SummaryKind
    over: Over
    comparing: Comparing = Comparing.BETWEEN_RATERS
    method: Method = Method.PERCENTILE

    @cached_property
    def key(self) -> str:
        """A hash of everything that the intervals depend on."""
        settings = (
            program_hash(PROGRAM, LIBRARIES),
            *self.measures,
            self.summary,
            self.over,
            self.comparing,
            self.method,
            LEVEL,
            self.resamples,
            SEED,
        )
        digest = hashlib.sha256("\n".join(map(str, settings)).encode())
        topics = self.topics
        arrays = [topics.values, topics.patterns, topics.starts, topics.pattern, topics.count]
        if self.over is Over.QUERIES:
            arrays.append(topics.cluster)
        for array in arrays:
            digest.update(str(array.shape).encode())
            digest.update(array.tobytes())
        return digest.hexdigest()

    @property
    def resamples(self) -> int:
        return RESAMPLES[self.method]

    @property
    def cost(self) -> int:
        each = 1 if self.over in (Over.TOPICS, Over.QUERIES) else PAIRS_COST
        return self.topics.topics * each * (self.resamples // RESAMPLES[Method.PERCENTILE])

    def compute(self) -> dict[str, Interval]:
        return intervals(
            self.topics,
            self.measures,
            summary=self.summary,
            over=self.over,
            comparing=self.comparing,
            method=self.method,
            level=LEVEL,
            resamples=self.resamples,
            seed=SEED,
        )

    def restored(self, values: dict) -> dict[str, Interval]:
        return {
            name: Interval(
                low=low,
                high=high,
                level=LEVEL,
                method=self.method,
                over=self.over,
                resamples=self.resamples,
                undefined=undefined,
                seed=SEED,
                reason=None if reason is None else Reason(reason),
            )
            for name, (low, high, undefined, reason) in values.items()
        }


def wanted_of(
    topics: RatedTopics,
    filters: Filters,
    comparing: Comparing,
    measures: Iterable[str],
) -> Wanted:
    """Summarised over the topics as the filters say. Of a single topic
    its pairs are resampled, whatever they say."""
    single = topics.topics == 1
    return Wanted(
        topics,
        tuple(measures),
        SummaryKind.POOLED if single else filters.summary,
        Over.PAIRS if single else OVER[filters.resampled],
        comparing,
        filters.method,
    )


def wanted_of_pooled(
    topics: RatedTopics,
    measures: Sequence[str],
    filters: Filters,
    comparing: Comparing = Comparing.BETWEEN_RATERS,
) -> Wanted:
    """Of the pairs of all topics put together: pairs are resampled without regard to topics,
    unless the filters ask for something else."""
    pooled = topics.as_one()
    over = Over.PAIRS
    if filters.resampled is not Resampled.FITS:
        with_pairs = [topic for topic, n in enumerate(topics.pairs_by_topic()) if n]
        if len(with_pairs) > 1:
            pooled, over = topics.only(with_pairs), OVER[filters.resampled]
    return Wanted(pooled, tuple(measures), SummaryKind.POOLED, over, comparing, filters.method)


def in_words(wanted: Sequence[Wanted], unit: Unit) -> str:
    """The method of all of these: "percentile bootstrap intervals over topics"; empty if there is
    nothing to resample."""
    over = {unit.over(interval.over): True for interval in wanted if interval.topics.topics > 1}
    single = any(interval.topics.topics == 1 for interval in wanted)
    if not over and not single:
        return ""
    resampled = " or ".join(over) or "pairs"
    apart = f", of a single {unit.singular} over its pairs" if over and single else ""
    return f"{wanted[0].method} bootstrap intervals over {resampled}{apart}"


def known_intervals(
    collection, wanted: Sequence[Wanted]
) -> tuple[list[dict[str, Interval] | None], int]:
    """The intervals wanted, in order, and how many are missing.

    What is not known yet is computed and kept if all of it is quick to compute; otherwise it is
    None, and `compute_missing` has to be run.
    """
    known = _known(collection, wanted)
    missing = {interval.key: interval for interval in wanted if interval.key not in known}
    if missing and sum(interval.cost for interval in missing.values()) <= QUICK:
        known |= compute_missing(collection, list(missing.values()), must_keep=False)
        missing = {}
    in_order = [
        interval.restored(known[interval.key]) if interval.key in known else None
        for interval in wanted
    ]
    return in_order, len(missing)


def compute_missing(
    collection,
    wanted: Sequence[Wanted],
    progress: Callable[[int, int], None] | None = None,
    *,
    must_keep: bool = True,
) -> dict[str, dict]:
    """Compute and keep what is not known; tells `progress` how much is done, of how much.

    Without `must_keep` figures that cannot be stored, as on a full disk, are returned all the same,
    so that a page can show them; else OperationalError is raised.
    """
    known = _known(collection, wanted)
    missing = list(
        {interval.key: interval for interval in wanted if interval.key not in known}.values()
    )
    total, done, fresh = sum(interval.cost for interval in missing), 0, []
    for number, interval in enumerate(missing, start=1):
        values = {
            name: [computed.low, computed.high, computed.undefined, computed.reason]
            for name, computed in interval.compute().items()
        }
        known[interval.key] = values
        fresh.append(KnownIntervals(collection=collection, key=interval.key, values=values))
        done += interval.cost
        if progress:
            progress(done, total)
        if len(fresh) == KEPT_AT_ONCE or number == len(missing):
            _keep(collection, fresh, must_keep=must_keep)
            fresh = []
    return known


def _keep(collection, fresh, *, must_keep: bool) -> None:
    try:
        keep_newest(collection, fresh, KEPT)
    except OperationalError:
        if must_keep:
            raise


def keep_newest(collection, rows: Sequence[Known], most: int) -> None:
    """Store known results of one kind, and forget those of the collection before its newest."""
    known = type(rows[0])._default_manager
    known.bulk_create(rows, ignore_conflicts=True)
    of_collection = known.filter(collection=collection).order_by("-pk")
    last = of_collection.values_list("pk", flat=True)[most : most + 1].first()
    if last is not None:
        of_collection.filter(pk__lte=last).delete()


def _known(collection, wanted) -> dict[str, dict]:
    keys = {interval.key for interval in wanted}
    rows = KnownIntervals.objects.filter(collection=collection, key__in=keys)
    return dict(rows.values_list("key", "values"))


def known_or_queued(
    selection: Selection, page: str, wanted: Sequence[Wanted], *, url: str
) -> tuple[list[dict[str, Interval] | None], Job | None]:
    """The intervals in the order wanted, None for those that are not known yet, and the job that
    computes them; None where nothing is missing.

    `page` names the list of intervals in `agreement.tasks.WANTED`; `url` is where the job leads
    back to. A job that is at it already is not joined by another.
    """
    known, missing = known_intervals(selection.collection, wanted)
    if not missing:
        return known, None
    params = {"page": page, "address": selection.filters.address(), "url": url}
    job = (
        Job.objects.active()
        .filter(
            kind=KIND,
            collection=selection.collection.public_id,
            created_by=selection.viewer,
            params=params,
        )
        .first()
    )
    if job is None:
        job = enqueue(
            kind=KIND, params=params, by=selection.viewer, collection=selection.collection.public_id
        )
    return known, job
