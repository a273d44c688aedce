from types import SimpleNamespace

import numpy as np
import pytest

from evaluation.protocols import Summary
from evaluation.results import Together
from evaluation.runs.comparison import Comparison, Difference
from evaluation.sources.source import GOLD, Kind, Source, seat


def comparison_of(values, *folds):
    """Of two runs by their values on topics 0, 1 and so on; folds are lists of topics."""
    values = np.array(values)
    topics = range(values.shape[1])
    of_all = {"all": dict(enumerate(folds or [topics]))}

    def together_of(ids):
        return Together.of(Summary.FOLDS, ids, of_all)

    evaluation = SimpleNamespace(
        runs={"a": None, "b": None},
        units=[SimpleNamespace(id=topic) for topic in topics],
        source=GOLD,
        together=together_of(list(topics)),
        together_of=together_of,
        counted=lambda measure: values,
    )
    return Comparison(evaluation, None, "a", "b")


def difference_of(values, *folds):
    comparison = comparison_of(values, *folds)
    return comparison._difference(comparison.evaluation)


SEATS = [seat(1), seat(2)]
MEDIAN = Source(Kind.MEDIAN)


def comparison_by(source, monkeypatch):
    """Of two runs, by a source among four: a is better by gold and seat 1, b by seat 2, and they
    are level by the median."""
    sources = [GOLD, *SEATS, MEDIAN]
    monkeypatch.setattr("evaluation.runs.comparison.sources_of", lambda collection: sources)
    values = {GOLD: [0.5, 0.9], SEATS[0]: [0.5, 0.7], SEATS[1]: [0.1, 0.3], MEDIAN: [0.4, 0.4]}

    def evaluation_by(source):
        comparison = comparison_of([values[source], [0.4, 0.4]])
        vars(comparison.evaluation).update(
            source=source, by=evaluation_by, collection=None, keep=lambda name, make: make()
        )
        return comparison.evaluation

    return Comparison(evaluation_by(source), None, "a", "b")


@pytest.mark.parametrize(
    ("source", "shown"),
    [(GOLD, [GOLD, *SEATS]), (SEATS[1], [GOLD, *SEATS]), (MEDIAN, [MEDIAN, GOLD, *SEATS])],
)
def test_differences_are_by_gold_by_each_seat_and_by_the_source_of_the_page(
    source, shown, monkeypatch
):
    by_sources = comparison_by(source, monkeypatch).by_sources

    assert [difference.source for difference in by_sources] == shown
    means = {difference.source: difference.mean for difference in by_sources}
    assert means == pytest.approx(
        {of: {GOLD: 0.3, SEATS[0]: 0.2, SEATS[1]: -0.2, MEDIAN: 0.0}[of] for of in shown}
    )


def test_a_difference_is_turned_by_the_sources_of_which_it_has_the_other_sign(monkeypatch):
    def turned_by(source):
        return [difference.source for difference in comparison_by(source, monkeypatch).turned_by]

    assert turned_by(GOLD) == [SEATS[1]]
    assert turned_by(SEATS[1]) == [GOLD, SEATS[0]]
    assert turned_by(MEDIAN) == []


def test_wins_ties_and_losses_are_topics_with_both_values():
    difference = difference_of([[0.9, 0.4, 0.4, 0.1, np.nan], [0.1, 0.1, 0.4, 0.4, 0.2]])

    assert (difference.wins, difference.ties, difference.losses) == (2, 1, 1)


@pytest.mark.parametrize(
    ("differences", "topic", "shown"),
    [
        ([0.4, 0.1, -0.2], "", [0, 2]),
        ([0.4, 0.1, 0.1], "", [0, 2]),
        ([0.4, 0.0], "", [0]),
        ([0.4], "", [0]),
        ([0.0, 0.0], "", []),
        ([0.4, 0.1, -0.2], 1, [1]),
    ],
)
def test_the_topics_that_decide_are_the_ends_that_differ_or_the_one_that_is_chosen(
    differences, topic, shown, monkeypatch
):
    monkeypatch.setattr(
        "evaluation.runs.comparison.ranked_topic", lambda *arguments: arguments[-1].unit.id
    )
    comparison = comparison_by(GOLD, monkeypatch)
    vars(comparison)["lines"] = [
        SimpleNamespace(unit=SimpleNamespace(id=number), difference=difference)
        for number, difference in enumerate(differences)
    ]

    assert comparison.deciding(topic) == shown


def test_two_runs_of_the_same_values_in_another_order_are_level():
    assert difference_of([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]).mean == 0
    assert difference_of([[0.5, 0.5], [0.25, 0.5]]).mean == pytest.approx(0.125)


def test_without_a_value_in_one_of_the_folds_there_is_no_difference():
    values = [[0.5, np.nan], [0.25, np.nan]]

    assert difference_of(values, [0], [1]) is None
    assert difference_of(values).mean == 0.25


def test_without_the_most_extreme_topic_the_rest_is_put_together_as_all_are():
    comparison = comparison_of([[0.9, 0.4, 0.5, 0.1], [0.1, 0.3, 0.2, 0.2]], [0, 1, 2], [3])

    # By folds: (0.1 + 0.3) / 2 and -0.1; then (0.8 + 0.1 + 0.3) / 3 alone.
    assert comparison.without_extreme(1) == pytest.approx((0.2 - 0.1) / 2)
    assert comparison.without_extreme(-1) == pytest.approx(0.4)


def test_no_topic_is_taken_out_as_a_win_or_a_loss_that_is_none():
    won_and_level = comparison_of([[0.5, 0.2, np.nan], [0.1, 0.2, 0.3]])
    alone = comparison_of([[0.5], [0.1]])

    assert won_and_level.without_extreme(-1) is None
    assert (alone.without_extreme(1), alone.without_extreme(-1)) == (None, None)


@pytest.mark.parametrize(
    ("low", "high", "holds_zero"),
    [
        (-0.1, 0.1, True),
        (0.0, 0.1, True),
        (-0.1, 0.0, True),
        (0.1, 0.2, False),
        (-0.2, -0.1, False),
    ],
)
def test_an_interval_that_ends_at_zero_holds_it(low, high, holds_zero):
    difference = Difference(GOLD, 0.0, low, high, p=0.5, wins=1, ties=0, losses=1)

    assert difference.holds_zero == holds_zero
