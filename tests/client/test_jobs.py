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


def test_looks_become_rarer_and_never_rarer_than_every_five_seconds(job, monkeypatch):
    pauses = []
    monkeypatch.setattr(jobs.time, "sleep", pauses.append)

    job(*[{}] * 7, {"state": "done"}).wait()

    assert pauses == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]


def test_a_job_that_is_in_time_is_not_given_up(job):
    assert job({}, {}, {"state": "done"}).wait(timeout=60).is_over


@pytest.mark.parametrize(("is_terminal", "is_shown"), [(True, True), (False, False)])
def test_a_bar_is_drawn_by_itself_on_a_terminal_alone(job, monkeypatch, is_terminal, is_shown):
    out = io.StringIO()
    out.isatty = lambda: is_terminal
    monkeypatch.setattr(jobs.sys, "stderr", out)

    job({}, {"state": "done"}).wait()

    assert bool(out.getvalue()) == is_shown


def test_each_step_of_the_bar_is_there_at_once(job):
    class Terminal(io.StringIO):
        flushes = 0

        def flush(self):
            self.flushes += 1

    out = Terminal()
    job({}, {}, {"state": "done"}).wait(out=out)

    assert out.flushes == 2


def test_what_the_server_leaves_empty_is_empty_text(job):
    looked = job({"stage": None, "message": None, "error": None}).look()

    assert (looked.stage, looked.message, looked.error) == ("", "", "")


@pytest.mark.parametrize(
    ("about", "shown"),
    [
        ({"state": "queued"}, "[" + "." * 30 + "]   0% queued"),
        ({"done": 1, "total": 3}, "[##########" + "." * 20 + "]  33% "),
        ({"done": 9, "total": 3}, "[" + "#" * 30 + "] 100% "),
        ({"state": "done"}, "[" + "#" * 30 + "] 100% done"),
        (
            {"state": "failed", "done": 1, "total": 2},
            "[###############" + "." * 15 + "]  50% failed",
        ),
        ({"stage": "x" * 60}, "[" + "." * 30 + "]   0% " + "x" * 40),
    ],
)
def test_a_bar_is_a_line_of_one_length(about, shown):
    line = bar(Job(None, "study", "1", **{"state": "running"} | about))

    assert line.startswith(shown)
    assert len(line) == 78


def test_waiting_ends_when_its_time_is_over(job):
    with pytest.raises(TimeoutError, match="not over after 0 seconds"):
        job(*[{}] * 5).wait(timeout=0)


def test_a_bar_of_unknown_length_says_what_it_is_at():
    line = bar(Job(None, "study", "1", stage="Reading the files"))

    assert line.startswith("[" + "." * 30 + "]   0% Reading the files")
