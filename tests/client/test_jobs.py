"""Waiting for work in the background."""

import io

import httpx
import pytest
from facetwise import jobs
from facetwise.connection import Connection
from facetwise.jobs import Job, JobFailed, bar

ROW = {
    "state": "running",
    "stage": "Writing",
    "progress_done": 3,
    "progress_total": 12,
    "message": "",
    "error": "",
    "problems": [],
}


@pytest.fixture
def job(monkeypatch):
    """`job(rows)`: a job that stands as these rows say, one look after another."""
    monkeypatch.setattr(jobs.time, "sleep", lambda seconds: None)

    def make(*rows):
        left = [ROW | row for row in rows]
        transport = httpx.MockTransport(lambda request: httpx.Response(200, json=left.pop(0)))
        return Job(Connection("https://example.org", "fw_x", transport=transport), "study", "1")

    return make


def test_a_job_is_waited_for_with_a_bar(job):
    out = io.StringIO()

    done = job({}, {"progress_done": 6}, {"state": "done", "message": "3 papers."}).wait(out=out)

    assert (done.state, done.message) == ("done", "3 papers.")
    shown = out.getvalue().split("\r")
    assert [text.strip()[33:37] for text in shown[1:]] == [" 25%", " 50%", "100%"]


def test_a_job_that_failed_says_why(job):
    lines = [f"pool.csv, line {number}: It has no id." for number in range(2, 20)]
    failed = {"state": "failed", "error": "There are 18 problems.", "problems": lines}

    with pytest.raises(JobFailed, match=r"18 problems\.\npool\.csv, line 2: It has no id") as error:
        job(failed).wait()

    assert error.value.problems == lines
    assert "line 19" not in str(error.value)


def test_waiting_ends_when_its_time_is_over(job):
    with pytest.raises(TimeoutError, match="not over after 0 seconds"):
        job(*[{}] * 5).wait(timeout=0)


def test_a_bar_of_unknown_length_says_what_it_is_at():
    line = bar(Job(None, "study", "1", stage="Reading the files"))

    assert line.startswith("[" + "." * 30 + "]   0% Reading the files")
