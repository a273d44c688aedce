"""The measurement of rating: what it counts is what was saved, and its bars tell both ways."""

import math

import pytest

from annotation.models import RatingRevision
from bench.annotate import installations, journal_in_use, measure, read_options
from bench.annotating.figures import FLOOR, Bar, Window, as_json, describe, joined, judge


@pytest.mark.django_db(transaction=True)
def test_a_small_run_measures_every_target_and_counts_what_was_saved(
    tmp_path, static_root, exit_stack
):
    options = read_options(
        [
            *("--annotators", "1", "2", "--pairs", "2", "5", "--pairs-each", "4"),
            *("--seconds", "0.6", "--think", "0", "0.1", "--think-seconds", "0.5"),
        ]
    )

    windows = measure(*installations(tmp_path, static_root, exit_stack), tmp_path, options)

    measured = [(window.target, window.annotators, window.thinks) for window in windows]
    assert measured == [
        (target, annotators, thinks)
        for thinks in (False, True)
        for annotators in (1, 2)
        for target in (FLOOR, "2 pairs", "5 pairs")
    ]
    saved = sum(window.count for window in windows if window.target != FLOOR)
    assert 0 < saved <= RatingRevision.objects.count()
    bars = judge(windows, journal_in_use())
    assert len(describe(windows, bars, "here")) == 2 + len(windows) + len(bars)
    assert len(as_json(windows, bars, "here", "3")["windows"]) == len(windows)


def window(target, milliseconds, *, annotators=16, count=100, server_seconds=0.4, duration=1.0):
    return Window(target, annotators, False, duration, server_seconds, [milliseconds] * count)


def failing(bars):
    """The promises of which a bar fails, without whom and what it is about."""
    return {bar.name.split(",")[0] for bar in bars if not bar.holds}


def test_a_run_within_every_bar_holds_them():
    windows = [window(FLOOR, 10), window("12 pairs", 29, count=80), window("2500 pairs", 30)]

    assert failing(judge(windows, "truncate")) == set()


def test_each_bar_fails_by_itself():
    floor = window(FLOOR, 10)
    good = window("12 pairs", 30)

    def verdict(bad, journal="truncate"):
        return failing(judge([floor, good, bad], journal))

    slow_tail = Window("big", 16, False, 1.0, 0.4, [30] * 90 + [41] * 10)
    assert verdict(slow_tail) == {"p95 over the floor's"}
    assert verdict(window("big", 31)) == {"p50 over the floor's"}
    few = window("big", 30, count=60, server_seconds=0.24)
    assert verdict(few) == {"ratings per second of the floor's"}
    assert verdict(few, "postgresql") == set()
    assert verdict(window("big", 30, server_seconds=0.81)) == {
        "processor ms of a save",
        "processor time",
    }


def test_what_was_not_measured_holds_no_bar():
    assert not Bar("p50", math.nan, 3).holds
    assert not Bar("rate", math.nan, 0.7, is_least=True).holds


def test_rounds_are_joined_as_if_they_were_one():
    whole = joined([window("12 pairs", 10), window("12 pairs", 20, duration=3.0)])

    assert (whole.count, whole.duration, whole.per_second) == (200, 4.0, 50.0)
    assert (whole.quantile(0.5), whole.quantile(0.51)) == (10, 20)
    assert whole.server_milliseconds == pytest.approx(4.0)
