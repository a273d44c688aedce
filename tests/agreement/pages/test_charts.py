import pytest

from agreement.pages.charts import (
    Mark,
    axis_for,
    drift_points,
    heat_key,
    leniency_bar,
    mark,
    plain_axis,
    plot,
    time_box,
)
from agreement.statistics import Figure, Interval, Method, Reason
from agreement.subjects.annotators.figures import Tenth, Times
from agreement.subjects.overview.report import report_on
from agreement.subjects.queries.figures import in_order
from agreement.tables.pictures import heat_step
from tests.factories.studies import make_study


@pytest.mark.parametrize(
    ("measure", "values", "low", "high"),
    [
        ("percent", [57.1], 0, 100),
        ("kappa", [], 0, 1),
        ("kappa", [0.4, 0.9], 0, 1),
        ("kappa", [-0.01], -0.5, 1),
        ("kappa", [-0.5], -0.5, 1),
        ("kappa", [-0.51], -1, 1),
        ("kappa", [-1.0], -1, 1),
    ],
)
def test_axis_reaches_from_below_the_lowest_value_to_the_best(measure, values, low, high):
    axis = axis_for(measure, values)

    assert (axis.low, axis.high) == (low, high)
    assert axis.ticks[0].at == "0.00%"
    assert axis.ticks[-1].at == "100.00%"
    assert [tick.label for tick in axis.ticks if tick.is_zero] == ["0"]


def test_axis_of_bars_names_its_ends_without_powers_of_ten():
    seconds, leniency = plain_axis(0, 215.3, " s"), plain_axis(-0.18, 0.18)

    assert [tick.label for tick in seconds] == ["0 s", "215 s"]
    assert [tick.label for tick in leniency] == ["\u22120.18", "0", "0.18"]


def test_axis_places_values_in_percent_of_its_width():
    axis = axis_for("alpha", [-0.2])

    assert axis.at(-0.5) == "0.00%"
    assert axis.at(0.25) == "50.00%"


def interval(low, high):
    return Interval(low, high, 0.95, Method.PERCENTILE)


def test_mark_has_the_ends_of_its_interval_where_there_is_one():
    axis = axis_for("kappa", [0.2])

    assert mark(axis, Figure(0.5), interval(0.25, 0.75)) == Mark("50.00%", "25.00%", "75.00%")
    assert mark(axis, Figure(0.5)) == Mark("50.00%")
    assert mark(axis, Figure.undefined(Reason.ONE_VALUE), interval(0, 1)) == Mark(None)
    assert mark(axis, None) == Mark(None)


@pytest.fixture
def report(db):
    study = make_study(facets=("background", "method", "result"))
    first, second, _third = study.collection.batches.all()
    study.finish(alice=[0, 1, 2], bob=[0, 2, 1], batch=first)
    study.finish(alice=[0, 1, 2], bob=[0, 1, 1], batch=second)
    return report_on(study.collection)


@pytest.mark.parametrize(
    ("sort", "facets"),
    [
        ("worst", ["background", "method", "result"]),
        ("best", ["method", "background", "result"]),
        ("differing", ["background", "method", "result"]),
        ("open", ["background", "method", "result"]),
        ("study", ["background", "method", "result"]),
    ],
)
def test_topics_are_sorted_and_those_without_a_value_come_last(report, sort, facets):
    topics = in_order(report.topics, sort, "percent")

    assert [topic.topic.facet for topic in topics] == facets


def test_plot_marks_topics_in_the_order_given(report):
    picture = plot(report.whole, in_order(report.topics, "best", "percent"), "percent")

    assert [line.before.at for line in picture.lines] == ["66.67%", "33.33%", None]
    assert picture.before_at == "50.00%"


def test_topic_whose_interval_lies_wholly_below_the_summary_is_low(report):
    intervals = {0: interval(20, 45), 1: interval(45, 80)}

    lines = plot(report.whole, report.topics, "percent", intervals).lines

    assert [line.is_low for line in lines] == [True, False, False]


@pytest.mark.parametrize("highest", [1.0, 100.0])
def test_the_key_of_shades_names_where_each_begins(highest):
    key = heat_key(highest)

    assert [step for _, step in key] == ["h0", "h1", "h2", "h3", "h4", "h5"]
    for words, step in key[2:]:
        least = float(words.removeprefix("from ")) / highest
        assert heat_step(least) == step
        assert heat_step(least - 0.001) != step


def test_leniency_stands_on_its_side_of_the_middle():
    assert leniency_bar(0.2, 0.4) == leniency_bar(0.1, 0.2)
    assert (leniency_bar(0.2, 0.4).x, leniency_bar(0.2, 0.4).width) == ("50.00%", "25.00%")
    assert (leniency_bar(-0.4, 0.4).x, leniency_bar(-0.4, 0.4).width) == ("0.00%", "50.00%")
    assert leniency_bar(0.0, 0.0).width == "0.00%"


def test_times_leave_room_for_the_longest():
    box = time_box(Times(ratings=9, lower=10, median=20, upper=40), longest=40)

    assert (box.x, box.width, box.median) == ("24.00%", "72.00%", "48.00%")


def test_drift_runs_from_left_to_right_with_all_at_the_top():
    points = drift_points([Tenth(4, 0), Tenth(4, 4)])

    assert [(point.x, point.y) for point in points] == [("25.00%", "95.00%"), ("75.00%", "5.00%")]
