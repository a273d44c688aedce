"""Making a pool from runs, at once or as a job."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from annotation.models import Batch
from annotation.pooling.draw import Way
from datasets.models import Collection, Run
from formats.words import counted
from imports.pooling.moving import PoolMoving, PoolRequest
from imports.run import Progress, carry_out, no_progress
from jobs.actions import enqueue
from jobs.models import Job

JOB = "pool-from-runs"


@dataclass(frozen=True)
class Made:
    """The result of a new pool: new candidates, new pairs that wait for a batch, and the number of
    its documents without a text in the collection."""

    candidates: int
    pairs: int
    without_text: int
    resourced: int  # candidates that were there and know more runs now

    @property
    def changes_nothing(self) -> bool:
        return not (self.candidates or self.pairs or self.resourced)

    @property
    def sentence(self) -> str:
        if self.changes_nothing:
            return "This pool is made already. Nothing changed."
        candidates = counted(self.candidates, "new candidate")
        pairs = counted(self.pairs, "new pair waits", "new pairs wait")
        text = f"The pool is made: {candidates}. {pairs} for a batch."
        if not self.without_text:
            return text
        without_text = counted(
            self.without_text,
            "document has no text here, so nobody rates it.",
            "documents have no text here, so nobody rates them.",
        )
        return f"{text} {without_text}"


def make_pool(
    *,
    collection: Collection,
    runs: Sequence[Run],
    way: Way,
    size: int,
    by: User | None,
    seed: str = "",
    whole: Sequence[Run] = (),
    progress: Progress = no_progress,
    effect: Any = None,
) -> Made:
    """Add the first documents of runs of one level to the pools, with their pairs.

    Whole or not at all, in short transactions. The same runs, size and seed again change nothing.
    Refused where a locked topic would get a pair, or beside an import. `effect` is a context
    manager for the last transaction, by default one of its own.
    """
    request = PoolRequest(runs, way, size, seed, whole)
    return _carry_out(PoolMoving(collection, by, request), progress=progress, effect=effect)


def draw_unjudged(*, collection: Collection, run: Run, depth: int, by: User) -> Batch:
    """Add the unjudged ones of a run's first `depth` documents to the pools, and hand them out in
    one batch, which is returned."""
    request = PoolRequest([run], Way.DEPTH, depth)
    moving = PoolMoving(collection, by, request, batch_name=f"{run}, first {depth}")
    _carry_out(moving)
    return moving.batch


def _carry_out(moving: PoolMoving, **options: Any) -> Made:
    summary = carry_out(moving, **options).summary
    return Made(
        summary["candidates"],
        summary["pairs"],
        summary["without_text_count"],
        summary["changed"],
    )


def start_pool(
    *,
    collection: Collection,
    runs: Sequence[Run],
    way: Way,
    size: int,
    by: User,
    seed: str = "",
    whole: Sequence[Run] = (),
) -> Job:
    """Queue a large pool, to be made by the worker."""
    PoolRequest(runs, way, size, seed, whole)
    params = {
        "runs": [str(run.public_id) for run in runs],
        "whole": [str(run.public_id) for run in whole],
        "way": way,
        "size": size,
        "seed": seed,
    }
    return enqueue(kind=JOB, params=params, by=by, collection=collection.public_id)
