"""Long work: the server answers at once, and a job says how far it is."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from facetwise.connection import Connection, with_problems

BAR_WIDTH = 30
SHORTEST_PAUSE, LONGEST_PAUSE = 0.2, 5.0  # seconds between two looks


class JobFailed(Exception):
    """The job ended without an effect; the message is the server's sentence, with the first of the
    `problems` that it names."""

    def __init__(self, sentence: str, problems: Sequence[str] = ()) -> None:
        super().__init__(with_problems(sentence, problems))
        self.problems = list(problems)


@dataclass
class Job:
    """Work in the background, as it was when it was last looked at."""

    connection: Connection = field(repr=False)
    collection: str
    id: str
    state: str = "queued"
    stage: str = ""
    message: str = ""
    error: str = ""
    done: int = 0
    total: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.state in {"done", "failed"}

    def look(self) -> "Job":
        """Ask how far it is."""
        row = self.connection.get(f"collections/{self.collection}/jobs/{self.id}").json()
        self.state, self.stage = row["state"], row["stage"] or ""
        self.message, self.error = row["message"] or "", row["error"] or ""
        self.problems = row["problems"]
        self.done, self.total = row["progress_done"], row["progress_total"]
        return self

    def wait(self, *, timeout: float | None = None, out: TextIO | None = None) -> "Job":
        """Wait until it is over, with a bar on a terminal; raises JobFailed or TimeoutError.

        `out` is where the bar goes, by default the terminal if there is one.
        """
        out = out or (sys.stderr if sys.stderr.isatty() else None)
        end = None if timeout is None else time.monotonic() + timeout
        pause = SHORTEST_PAUSE
        while not self.look().is_over:
            if out:
                out.write("\r" + bar(self))
                out.flush()
            if end is not None and time.monotonic() > end:
                raise TimeoutError(f"The job {self.id} is not over after {timeout:g} seconds.")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        if out:
            out.write("\r" + bar(self) + "\n")
        if self.state == "failed":
            raise JobFailed(self.error, self.problems)
        return self


def bar(job: Job) -> str:
    """The progress of a job in one line of constant length."""
    share = 1.0 if job.state == "done" else min(job.done / job.total, 1.0) if job.total else 0.0
    full = round(BAR_WIDTH * share)
    words = job.stage or job.state
    return f"[{'#' * full}{'.' * (BAR_WIDTH - full)}] {share:4.0%} {words:<40.40}"


def job_of(connection: Connection, collection: str, answer: Any) -> Job:
    """The job that a 202 names."""
    return Job(connection, collection, answer["id"], answer["state"])
