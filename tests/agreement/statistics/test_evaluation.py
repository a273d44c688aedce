"""Figures of many topics: means and medians of stacks, and which measures have a meaning."""

from dataclasses import replace

import numpy as np
import pytest

from agreement.statistics import (
    REGISTRY,
    Comparing,
    Reason,
    SummaryKind,
    by_topic,
    means_by_topic,
    pooled,
    summarised,
)
from agreement.statistics.evaluation import families, mean_of_defined, median_of_defined
from tests.agreement.statistics.plain import rated_topics

GAP = np.nan
OF_ORDER = ("rho", "alpha", "kappa_linear", "kappa_quadratic", "ac2", "tau_b")
OF_EQUALITY = ("kappa", "percent", "alpha_nominal", "ac1", "fleiss_kappa")


@pytest.mark.parametrize(
    ("column", "mean", "median"),
    [
        ([GAP, GAP, GAP, GAP], GAP, GAP),
        ([5, GAP, GAP, GAP], 5, 5),
        ([GAP, 1, GAP, 4], 2.5, 2.5),
        ([9, 1, GAP, 2], 4, 2),
        ([8, 1, 2, 3], 3.5, 2.5),
    ],
)
def test_what_has_no_value_is_left_out_of_mean_and_median(column, mean, median):
    """Each of two columns by itself."""
    stack = np.array([column, [0, 0, 0, 0]], dtype=float).T

    np.testing.assert_array_equal(mean_of_defined(stack), [mean, 0])
    np.testing.assert_array_equal(median_of_defined(stack), [median, 0])


def test_mean_and_median_of_no_topics_have_no_value():
    for of in (mean_of_defined, median_of_defined):
        values = of(np.empty((0, 3)))
        assert values.shape == (3,)
        assert np.isnan(values).all()


def test_measures_of_order_say_that_labels_have_none():
    topics = rated_topics([[[0, 1, 2, 2], [0, 2, 2, 1]]], values=[0, 1, 2])
    labels = replace(topics, is_ordered=False)

    figures = by_topic(labels)

    for name in OF_ORDER:
        assert figures[name][0].figure.reason is Reason.NO_ORDER
    for name in OF_EQUALITY:
        assert figures[name] == by_topic(topics)[name]


def test_one_rater_has_nothing_to_be_compared_with():
    alone = rated_topics([[[0, 1]], [[1, 1]]], values=[0, 1])

    for figures in by_topic(alone).values():
        assert [summary.figure.reason for summary in figures] == [Reason.NO_COMPARISON] * 2
    assert families(alone, None, Comparing.BETWEEN_RATERS) == []


@pytest.mark.parametrize("comparing", [Comparing.BETWEEN_RATERS, Comparing.WITH_LAST])
@pytest.mark.parametrize("kind", [SummaryKind.MEDIAN, SummaryKind.MEAN])
def test_a_summary_of_some_topics_is_that_of_those_topics_alone(kind, comparing):
    random = np.random.default_rng(5)
    topics = rated_topics(
        [random.choice([0.0, 1, 2, GAP], size=(3, size)) for size in (1, 2, 3, 12, 0, 12)],
        values=[0, 1, 2],
    )
    means = means_by_topic(topics, comparing=comparing)

    for chosen in ([], [0], [3], [1, 3, 5], range(6)):
        alone = summarised(topics.only(chosen), kind=kind, comparing=comparing)
        assert {name: mean.summary(kind, chosen) for name, mean in means.items()} == alone


def test_measures_are_those_named_in_their_order_and_once():
    topics = rated_topics([[[0, 1], [0, 0]]])

    assert list(by_topic(topics, ["percent", "kappa"])) == ["percent", "kappa"]
    named = families(topics, ["kappa", "percent", "kappa"], Comparing.BETWEEN_RATERS)
    assert [measure.name for family in named for measure in family.measures] == ["kappa", "percent"]
    with pytest.raises(ValueError, match="Unknown measure 'cappa'; there are rho, alpha"):
        families(topics, ["cappa"], Comparing.BETWEEN_RATERS)


@pytest.mark.parametrize(
    ("comparing", "of_two", "of_any"),
    [
        ("between raters", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], [(0, 1, 2, 3)]),
        ("each rater with the last", [(0, 3), (1, 3), (2, 3)], [(0, 3), (1, 3), (2, 3)]),
        ("each rater with the others", [(0, 2), (1, 3)], [(0, 2), (1, 3)]),
    ],
)
def test_raters_are_compared_as_is_asked_for(comparing, of_two, of_any):
    topics = rated_topics([np.zeros((4, 2))], values=[0, 1])

    two, many = families(topics, ["percent", "alpha_nominal"], Comparing(comparing))

    assert list(two.comparisons) == of_two
    assert list(many.comparisons) == of_any
    assert two.belong_together is (comparing != "between raters")


@pytest.mark.parametrize(("kind", "expected"), [("mean", 62.5), ("median", 62.5), ("pooled", 40)])
def test_topics_count_alike_unless_pairs_are_put_together(kind, expected):
    """All of one pair agree in the first topic, and one of four in the second: 100 and 25."""
    topics = rated_topics([[[0], [0]], [[0, 1, 1, 1], [0, 0, 0, 0]]])

    summary = summarised(topics, ["percent"], kind=SummaryKind(kind))["percent"]

    assert summary.figure.value == pytest.approx(expected)
    assert summary.defined == (1 if kind == "pooled" else 2)


def test_halves_that_belong_together_have_no_mean_once_one_lacks_its_value():
    """The second rater gave one value alone, so that its order has nothing to be compared by."""
    topics = rated_topics([[[0, 1, 2], [1, 1, 1], [0, 1, 2]]])

    with_gold = pooled(topics, ["rho"], comparing=Comparing.WITH_LAST)["rho"]
    between = pooled(topics, ["rho"])["rho"]
    options = {"kind": SummaryKind.POOLED, "comparing": Comparing.WITH_LAST}

    assert summarised(topics, ["rho"], **options)["rho"] == with_gold
    assert with_gold.figure.value is None
    assert (with_gold.defined, with_gold.left_out) == (1, {Reason.CONSTANT_LIST: 1})
    assert between.figure.value == pytest.approx(1)
    assert (between.defined, between.left_out) == (1, {Reason.CONSTANT_LIST: 2})


def test_comparison_without_pairs_is_none_unless_there_is_no_other():
    topics = rated_topics([[[0, 1], [0, 1], [GAP, GAP]], [[0, GAP], [GAP, 1], [GAP, GAP]]])

    first, second = by_topic(topics, ["percent"])["percent"]

    assert (first.figure.value, first.defined, first.left_out) == (100, 1, {})
    assert second.figure.reason is Reason.NO_PAIRS
    assert (second.defined, second.left_out) == (0, {Reason.NO_PAIRS: 3})


def test_every_measure_names_itself():
    assert all(REGISTRY[name].name == name for name in REGISTRY)
