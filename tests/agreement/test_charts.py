import pytest

from agreement.charts import axis_for, confusion_rows, distance_bar, plot
from agreement.reports import report_on
from agreement.statistics import Disagreement
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


def test_axis_places_values_in_percent_of_its_width():
    axis = axis_for("alpha", [-0.2])

    assert axis.at(-0.5) == "0.00%"
    assert axis.at(0.25) == "50.00%"


def test_distance_bar_is_whole_and_in_order():
    segments = distance_bar(Disagreement({0.0: 6, 2.0: 2}), [0.0, 1.0, 2.0])

    assert [(s.distance, s.pairs, s.x, s.width) for s in segments] == [
        ("0", 6, "0.00%", "75.00%"),
        ("1", 0, "75.00%", "0.00%"),
        ("2", 2, "75.00%", "25.00%"),
    ]
    assert {s.width for s in distance_bar(Disagreement({}), [0.0])} == {"0.00%"}


@pytest.mark.django_db
def test_plot_sorts_topics_by_the_measure_and_puts_those_without_a_value_last():
    study = make_study(facets=("background", "method", "result"))
    first, second, _third = study.collection.batches.all()
    study.finish(alice=[0, 1, 2], bob=[0, 2, 1], batch=first)
    study.finish(alice=[0, 1, 2], bob=[0, 1, 1], batch=second)
    report = report_on(study.collection)

    lines = plot(report.whole, report.topics, "percent").lines

    assert [line.figures.topic.facet for line in lines] == ["method", "background", "result"]
    assert [line.before_at for line in lines] == ["66.67%", "33.33%", None]


@pytest.mark.django_db
def test_confusion_shows_counts_with_their_share_of_the_row():
    study = make_study(candidates=4)
    study.finish(alice=[0, 0, 0, 2], bob=[0, 0, 1, 2])
    report = report_on(study.collection)

    rows = dict(confusion_rows(report.whole, report))

    assert [(cell.count, cell.percent) for cell in rows["0"]] == [
        (2, "67%"),
        (1, "33%"),
        (0, "0%"),
        (0, "0%"),
    ]
    assert [cell.is_diagonal for cell in rows["2"]] == [False, False, True, False]
    assert {cell.percent for cell in rows["3"]} == {""}
