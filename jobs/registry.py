"""Kinds of jobs, and the task that their handlers receive.

A higher app writes its handlers in its `tasks.py`:

    @job_handler("import-csfcube", title="Import of a CSFCube folder", may_open=leads_now)
    def import_csfcube(run):
        run.progress(done=0, total=2, stage="Reading the files")
        plan = read(run.params["folder"])              # raises JobError: a sentence for people
        with run.effect() as result:                   # one transaction, entered at most once
            result["url"] = actions.activate(plan, by=run.by).get_absolute_url()

The job is done when that transaction commits, with the effect or not at all. A handler that has no
such block may simply return its result. It must then bear being run twice, because a worker can die
between its last statement and the end of the job. In a result, `url` is where the page leads on to
and `message` a sentence about what was done.
"""

import functools
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction
from django.db.models.functions import Now
from django.utils.module_loading import autodiscover_modules

from jobs.models import Job

# A function that does a job.
Work = TypeVar("Work", bound=Callable[..., Any])
SHOWN_ERRORS = 100
PROGRESS_SECONDS = 0.5  # between two writes of progress; more often helps nobody


class JobError(Exception):
    """The job cannot be done, and this sentence says why; `errors` may list details.

    Some people may open the job and still not read every detail. Such a detail has an `about`, and
    the handler's `may_read` decides whenever the page is shown.
    """

    def __init__(self, sentence: str, errors: Iterable[object] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.errors: list[str | dict[str, str]] = [
            {"text": str(error), "about": about}
            if (about := getattr(error, "about", ""))
            else str(error)
            for error in errors
        ]


class JobLostError(Exception):
    """Another worker took the job over, or ended it; this run must stop without effect."""


def anybody(*_: object) -> bool:
    return True


@dataclass(frozen=True)
class Handler:
    """A kind of job: how it is done, who may look at it, and where it was begun.

    `may_open(user, job)` is asked, besides who started it, whenever the page is opened;
    `may_read(user, job, about)` for each detail of its errors that is about something.
    `page` is the route of a collection's page from which it was started, `tab` that page's tab.
    """

    kind: str
    title: str
    function: Callable[["Run"], Any]
    may_open: Callable[..., bool] = anybody
    may_read: Callable[..., bool] = anybody
    page: str = ""
    tab: str = ""


HANDLERS: dict[str, Handler] = {}


def job_handler(kind: str, *, title: str, **details: Any) -> Callable[[Work], Work]:
    """Register a function as the handler of one kind; `title` heads the job's page.

    `details` holds the other fields of its Handler.
    """

    def register(function: Work) -> Work:
        registered = HANDLERS.get(kind)
        if registered and registered.function is not function:
            raise ValueError(f"Two handlers for jobs of kind {kind!r}.")
        HANDLERS[kind] = Handler(kind, title, function, **details)
        return function

    return register


@functools.cache
def handlers() -> dict[str, Handler]:
    """{kind: Handler} of all apps, which register theirs in their `tasks.py`.

    These load most of the program, and so only where jobs matter: not for a short command.
    """
    autodiscover_modules("tasks")
    return HANDLERS


def handler_for(kind: str) -> Handler:
    try:
        return handlers()[kind]
    except KeyError:
        raise ValueError(
            f"No handler for jobs of kind {kind!r}; known: {sorted(HANDLERS)}."
        ) from None


class Run:
    """One attempt at a job, as its handler sees it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.params = job.params
        self.by = job.created_by
        self.has_effect = False
        self._written_at = float("-inf")

    def progress(
        self, done: int | None = None, total: int | None = None, stage: str | None = None
    ) -> None:
        """Tell how far it is; cheap to call often. Raises JobLostError when no longer ours."""
        job = self.job
        new_stage = stage is not None and stage != job.stage
        job.progress_done = job.progress_done if done is None else done
        job.progress_total = job.progress_total if total is None else total
        job.stage = job.stage if stage is None else stage[:200]
        if not new_stage and time.monotonic() - self._written_at < PROGRESS_SECONDS:
            return
        self._written_at = time.monotonic()
        self._write(
            progress_done=job.progress_done, progress_total=job.progress_total, stage=job.stage
        )

    def beat(self) -> None:
        """Say that this attempt is alive."""
        self._write()

    def _write(self, **values: Any) -> None:
        if not Job.objects.claimed(self.job).update(heartbeat_at=Now(), **values):
            raise JobLostError(str(self.job))

    @contextmanager
    def effect(self) -> Iterator[dict[str, Any]]:
        """A transaction that ends the job together with what it did; yields the result to fill.

        The job's row is claimed first, which locks it: of two workers on one job the second waits
        here and is then refused.
        """
        result: dict[str, Any] = {}
        with transaction.atomic():
            self._write()
            yield result
            self.finish(result)
        self.has_effect = True

    def finish(self, result: dict[str, Any]) -> None:
        finished = Job.objects.claimed(self.job).update(
            state=Job.State.DONE,
            result=result,
            finished_at=Now(),
            progress_done=self.job.progress_total,
            stage="",
        )
        if not finished:
            raise JobLostError(str(self.job))
