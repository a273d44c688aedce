import pytest

from agreement.pages.overview import axis_for
from agreement.subjects.overview.report import report_on
from agreement.subjects.queries import in_order
from agreement.tables.cells import Mark
from tests.factories.studies import make_study
from tests.shelf import shelved


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


def test_axis_places_values_in_percent_of_its_width():
    axis = axis_for("alpha", [-0.2])

    assert axis.at(-0.5) == "0.00%"
    assert axis.at(0.25) == "50.00%"


def test_mark_has_the_ends_of_its_interval_where_there_is_one():
    axis = axis_for("kappa", [0.2])

    assert axis.mark(0.5, 0.25, 0.75) == Mark("50.00%", "25.00%", "75.00%")
    assert axis.mark(0.5, None, None) == Mark("50.00%")
    assert axis.mark(None, 0, 1) == Mark(None)


@shelved
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

    assert [figures.topic.facet for figures in topics] == facets
