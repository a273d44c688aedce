from types import SimpleNamespace

import pytest

from agreement.pages.overview import axis_for, cards
from agreement.statistics import Figure, Interval, Method, Over, Reason, Summary, SummaryKind
from agreement.subjects.overview.figures import Row
from agreement.subjects.overview.report import report_on
from agreement.subjects.queries import in_order
from agreement.tables.cells import Mark
from tests.factories.studies import make_study
from tests.shelf import shelved


@pytest.mark.parametrize(
    ("measure", "values", "low", "high", "step"),
    [
        ("percent", [57.1], 0, 100, 25),
        ("kappa", [], 0, 1, 0.25),
        ("kappa", [0.4, 0.9], 0, 1, 0.25),
        ("kappa", [-0.01], -0.5, 1, 0.5),
        ("kappa", [-0.5], -0.5, 1, 0.5),
        ("kappa", [-0.51], -1, 1, 0.5),
        ("kappa", [-1.0], -1, 1, 0.5),
    ],
)
def test_axis_reaches_from_below_the_lowest_value_to_the_best(measure, values, low, high, step):
    axis = axis_for(measure, values)

    assert (axis.low, axis.high, axis.step) == (low, high, step)
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


# --- cards ---------------------------------------------------------------------------------------


def row(topics, **values):
    """A row over so many topics; a value and the number of topics that have one, by measure."""
    figures = {
        name: Summary(
            Figure.undefined(Reason.NO_FIGURES) if value is None else Figure(value),
            defined,
            {Reason.NO_FIGURES: topics - defined} if topics > defined else {},
        )
        for name, (value, defined) in values.items()
    }
    return Row(figures, topics, topics, 10 * topics)


def facet(before, after, kind=SummaryKind.MEDIAN):
    return SimpleNamespace(kind=kind, before=before, after=after)


def interval(low, high):
    return Interval(low, high, 0.95, Method.PERCENTILE, Over.TOPICS, 1000, seed=0)


@pytest.mark.parametrize(
    ("kind", "of_before", "of_after"),
    [(SummaryKind.MEDIAN, (5, 4), (3, 0)), (SummaryKind.POOLED, (6, 6), (3, 3))],
)
def test_card_rests_on_the_topics_with_a_figure_and_a_pooled_one_on_all(kind, of_before, of_after):
    of_facet = facet(
        row(6, kappa=(0.2, 5), percent=(50, 4)), row(3, kappa=(1, 3), percent=(None, 0)), kind
    )

    kappa, percent = cards(of_facet, None, None)

    assert (kappa.measure, percent.measure) == ("kappa", "percent")
    assert (kappa.before_topics, percent.before_topics) == of_before
    assert (kappa.after_topics, percent.after_topics) == of_after


def test_card_has_marks_before_its_intervals_are_known_and_none_of_what_is_undefined():
    [kappa] = cards(facet(row(2, kappa=(0.2, 2)), row(1, kappa=(None, 0))), None, None)

    assert (kappa.before_interval, kappa.after_interval) == (None, None)
    assert (kappa.before_mark, kappa.after_mark) == (Mark("20.00%"), Mark(None))
    assert (kappa.before.figure.value, kappa.after.figure.value) == (0.2, None)


def test_axis_of_a_card_has_room_for_the_intervals_before_and_after():
    of_facet = facet(row(2, kappa=(0.25, 2)), row(2, kappa=(0.5, 2)))

    [wide] = cards(of_facet, {"kappa": interval(-0.3, 0.4)}, {"kappa": interval(0.1, 1)})
    [wider] = cards(of_facet, {"kappa": interval(0.1, 0.4)}, {"kappa": interval(-0.6, 1)})

    assert (wide.axis.low, wider.axis.low) == (-0.5, -1)
    assert wide.before_mark == Mark("50.00%", "13.33%", "60.00%")
    assert wide.after_mark == Mark("66.67%", "40.00%", "100.00%")


# --- the order of topics -------------------------------------------------------------------------


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
