"""Many topics at once: what is pooled, averaged, left out, and compared with what."""

from dataclasses import astuple, replace

import numpy as np
import pytest

from agreement.statistics import (
    REGISTRY,
    Comparing,
    Figure,
    RatedTopics,
    Reason,
    SummaryKind,
    by_topic,
    majority,
    majority_of_others,
    mean,
    pooled,
    summarised,
)
from agreement.statistics.figures import median
from agreement.statistics.measures import MEASURES
from agreement.statistics.topics import numbered_in_order
from tests.agreement.statistics.plain import between_raters, rated_topics, with_gold

SCALE = [0, 1, 2, 3]


@pytest.fixture
def study():
    """Five topics of two raters and gold, one of them on a single value."""
    random = np.random.default_rng(11)
    topics = [random.integers(0, 4, size=(2, pairs)).astype(float) for pairs in (9, 14, 5, 20)]
    topics.append(np.zeros((2, 4)))
    gold = [random.integers(0, 4, size=topic.shape[1]).astype(float) for topic in topics]
    return topics, gold


def test_topics_are_counts_of_distinct_combinations():
    topics = rated_topics([[[0, 0, 1], [2, 2, np.nan]], [[1], [np.nan]]], values=SCALE)

    assert (topics.topics, topics.raters, topics.pairs) == (2, 2, 4)
    assert topics.pairs_by_topic().tolist() == [3, 1]
    pattern, count = topics.cells(0)
    counted = zip(topics.patterns[pattern].tolist(), count.tolist(), strict=True)
    assert sorted(counted) == [([0, 2], 2), ([1, -1], 1)]


def test_a_study_without_topics_or_pairs_is_undefined():
    nothing = pooled(rated_topics([]), ["kappa", "ac1"])
    empty = by_topic(rated_topics([np.empty((2, 0))]), ["kappa", "ac1"])

    assert nothing["kappa"].figure == Figure.undefined(Reason.NO_COMPARISON)
    assert nothing["ac1"].figure == Figure.undefined(Reason.NO_COMPARISON)
    assert empty["kappa"][0].figure == Figure.undefined(Reason.NO_PAIRS)
    assert empty["ac1"][0].figure == Figure.undefined(Reason.NO_PAIRS)


def test_study_without_topics_has_no_raters_and_no_pairs():
    nothing = rated_topics([])

    assert (nothing.topics, nothing.raters, nothing.pairs, nothing.clusters) == (0, 0, 0, 0)


def test_combinations_that_could_be_mixed_up_are_told_apart():
    # Numbered on two values: the last of one row and the first of the next stand side by side.
    ratings = [[0, 0, 1, 1, np.nan, np.nan], [1, np.nan, 0, np.nan, 1, 0]]
    topics = RatedTopics.of_columns(ratings, [0, 1, 0, 1, 0, 1], topics=2, values=[0, 1])

    assert topics.count.tolist() == [1] * 6
    assert topics.patterns.tolist() == [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0]]
    assert (topics.starts.tolist(), topics.pattern.tolist()) == ([0, 3, 6], [1, 3, 5, 0, 2, 4])


def test_numbering_by_counting_and_by_sorting_are_alike():
    for codes in ([3, 0, 3, 7], [3, 0, 3, 10**9]):
        distinct, number = numbered_in_order(np.array(codes))

        assert distinct.tolist() == sorted(set(codes))
        assert distinct[number].tolist() == codes


def test_one_rater_has_nothing_to_be_compared_with():
    alone = rated_topics([[[0, 1, 2]], [[1, 1]]])

    for figures in by_topic(alone).values():
        assert [summary.figure.reason for summary in figures] == [Reason.NO_COMPARISON] * 2


def test_topics_without_raters_are_as_many_as_given():
    assert rated_topics([np.empty((0, 0)), [[0, 1], [0, 1]]]).pairs_by_topic().tolist() == [0, 2]


def test_by_topic_before_and_after_equal_the_four_measures_of_the_table(study):
    topics, gold = study
    before = by_topic(rated_topics(topics, values=SCALE), MEASURES)
    after = by_topic(
        rated_topics(topics, last=gold, values=SCALE), MEASURES, comparing=Comparing.WITH_LAST
    )

    for number, (ratings, final) in enumerate(zip(topics, gold, strict=True)):
        for name in MEASURES:
            for summary, expected in (
                (before[name][number], between_raters(ratings)[name]),
                (after[name][number], with_gold((ratings, final))[name]),
            ):
                assert summary.left_out == expected.left_out
                assert summary.figure.reason == expected.figure.reason
                assert summary.figure.value == pytest.approx(expected.figure.value, abs=1e-9)


@pytest.mark.parametrize("kind", SummaryKind)
def test_summaries_are_the_mean_the_median_or_of_all_pairs(study, kind):
    topics, _ = study
    rated = rated_topics(topics, values=SCALE)
    summaries = summarised(rated, MEASURES, kind=kind)

    for name in MEASURES:
        single = [between_raters(topic)[name].figure for topic in topics]
        expected = {
            SummaryKind.MEAN: mean(single),
            SummaryKind.MEDIAN: median(single),
            SummaryKind.POOLED: between_raters(*topics)[name],
        }[kind]
        assert summaries[name].figure.value == pytest.approx(expected.figure.value, abs=1e-9)
        assert summaries[name].left_out == expected.left_out


def test_topics_with_fewer_raters_have_gaps():
    two, three = [[0.0, 0], [0, 1]], [[2.0, 2], [2, 2], [2, 0]]
    percent = pooled(rated_topics([two, three]), ["percent"])["percent"]

    # First and second over all four pairs; the third rater over the two pairs that have one.
    assert percent.figure.value == pytest.approx((75 + 50 + 50) / 3)


def test_every_rater_is_compared_with_the_majority():
    ratings = [[0, 1, 2, 3], [0, 1, 1, 3], [0, 2, 0, 0]]
    study = rated_topics([ratings], last=[majority(ratings)])

    percent = pooled(study, ["percent"], comparing=Comparing.WITH_LAST)["percent"].figure.value

    # The majorities are 0, 1, none and 3: three, three and one of the three pairs that have one.
    assert percent == pytest.approx((100 + 100 + 100 / 3) / 3)


@pytest.mark.parametrize("name", REGISTRY)
def test_comparison_with_gold_rests_on_the_pairs_of_both(name):
    """The third seat has two of the four pairs; the gold of the others is none of its figure."""
    two, three = [[0.0, 3, 3], [0, 3, 1]], [[2.0, 0, 0], [2, 0, 1], [2, 0, 0]]
    gold_of_two, gold_of_three = [0, 3, 3], [2, 0, 1]
    study = rated_topics([two, three], last=[gold_of_two, gold_of_three], values=SCALE)

    figure = pooled(study, [name], comparing=Comparing.WITH_LAST)[name].figure

    of_third = rated_topics([three[2:]], last=[gold_of_three], values=SCALE)
    of_others = rated_topics(
        [np.hstack([two, three[:2]])], last=[gold_of_two + gold_of_three], values=SCALE
    )
    halves = [
        pooled(part, [name], comparing=Comparing.WITH_LAST)[name].figure.value
        for part in (of_third, of_others)
    ]
    assert figure.value == pytest.approx((halves[0] + 2 * halves[1]) / 3, abs=1e-12)


def test_every_rater_is_compared_with_the_majority_of_the_others():
    ratings = [[0, 1, 2, 3], [0, 1, 1, 3], [0, 2, 0, 0]]
    study = rated_topics([np.vstack([ratings, majority_of_others(ratings)])])

    percent = pooled(study, ["percent"], comparing=Comparing.WITH_OTHERS)["percent"]

    # The others of the first agree on the first pair alone, on 0; so do those of the second. Those
    # of the third agree on 0, 1 and 3, of which it gave one.
    assert percent.figure.value == pytest.approx((100 + 100 + 100 / 3) / 3)
    assert percent.defined == 3


def test_half_that_is_undefined_makes_the_figure_so_and_absent_ones_do_not():
    constant, gold = np.array([[0.0, 0, 0], [0, 1, 2]]), np.array([0.0, 1, 2])
    topics = rated_topics(
        [constant, constant[1:], [[0.0, 1, 2], [0, 1, 1], [0, 2, 2]]],
        last=[gold, gold, gold],
        values=SCALE,
    )

    half, one_rater, three_raters = by_topic(topics, ["rho"], comparing=Comparing.WITH_LAST)["rho"]

    assert half.figure == Figure.undefined(Reason.CONSTANT_LIST)
    assert (half.defined, half.left_out) == (1, {Reason.CONSTANT_LIST: 1})
    # Seats that a topic does not have leave nothing out.
    assert (one_rater.figure, one_rater.defined, one_rater.left_out) == (Figure(1.0), 1, {})
    assert (three_raters.defined, three_raters.left_out) == (3, {})
    median = summarised(topics, ["rho"], kind=SummaryKind.MEDIAN, comparing=Comparing.WITH_LAST)
    assert (median["rho"].defined, median["rho"].left_out) == (2, {Reason.CONSTANT_LIST: 1})


def test_two_values_are_one_grade_against_the_rest_or_those_from_it_on():
    study = rated_topics([[[0, 1, 2, 3, np.nan], [0, 2, 2, 2, 1]]], values=SCALE)

    alone = study.as_two_values([False, False, True, False])
    from_it = study.as_two_values([False, False, True, True])

    # Of the four pairs that both rated: both 2 once, neither once; and 2 or more twice.
    assert pooled(alone, ["percent"])["percent"].figure == Figure(50.0)
    assert pooled(from_it, ["percent"])["percent"].figure == Figure(75.0)
    assert (alone.pairs, alone.values.tolist()) == (5, [0, 1])


def test_labels_without_an_order_get_one_as_two_values():
    labels = replace(rated_topics([[[0, 1, 2], [0, 2, 2]]], values=SCALE), is_ordered=False)

    two = labels.as_two_values([False, False, True, True])

    assert pooled(labels, ["rho"])["rho"].figure.reason == Reason.NO_ORDER
    assert pooled(two, ["rho"])["rho"].figure.value == pytest.approx(0.5)


def test_clusters_stay_with_their_topics():
    topics = rated_topics([[[0], [0]]] * 4, clusters=[7, 7, 3, 7])

    assert topics.clusters == 2
    assert topics.only([3, 2, 1]).cluster.tolist() == [0, 1, 0]
    assert rated_topics([[[0], [0]]] * 4).clusters == 4
    assert topics.as_one().cluster.tolist() == [0]
    with pytest.raises(ValueError, match="4 topics, but clusters of 2"):
        rated_topics([[[0], [0]]] * 4, clusters=[0, 1])


def test_mean_over_every_two_leaves_out_and_counts_what_is_undefined():
    ratings = [[0, 1, 2], [0, 1, 1], [2, 2, 2]]
    study = rated_topics([ratings])

    average = pooled(study, ["rho"])["rho"]

    assert (average.defined, average.left_out) == (1, {Reason.CONSTANT_LIST: 2})
    assert average.figure == pooled(study.of_raters([0, 1]), ["rho"])["rho"].figure


def test_figures_are_the_same_when_raters_change_places():
    random = np.random.default_rng(3)
    ratings = random.choice([0.0, 1, 2, 3, np.nan], size=(3, 40))
    before, after = (pooled(rated_topics([rows])) for rows in (ratings, ratings[[2, 0, 1]]))

    for name in REGISTRY:
        if name != "mean_signed_difference":
            assert after[name].figure.value == pytest.approx(before[name].figure.value, abs=1e-9)


def test_topic_alone_is_that_topic_only(study):
    topics, gold = study
    rated = rated_topics(topics, values=SCALE, last=gold)

    for topic in range(rated.topics):
        pairs = zip(astuple(rated.alone(topic)), astuple(rated.only([topic])), strict=True)
        for ours, theirs in pairs:
            np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs), strict=True)


def test_some_topics_are_those_topics_alone(study):
    topics, _ = study
    some = rated_topics(topics, values=SCALE).only([3, 0])
    alone = rated_topics([topics[3], topics[0]], values=SCALE)

    assert by_topic(some) == by_topic(alone)
    for ours, theirs in zip(astuple(some), astuple(alone), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert by_topic(some.only([])) == {name: [] for name in REGISTRY}


def test_many_raters_do_not_overflow_the_numbering_of_combinations():
    ratings = np.tile([0.0, 1, 2], (60, 1))

    assert pooled(rated_topics([ratings], values=SCALE), ["ac1"])["ac1"].figure == Figure(1.0)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: rated_topics([[0, 1]]), "Expected raters by units"),
        (lambda: rated_topics([[[0, 4], [0, 1]]], values=SCALE), "rating 4 lies outside"),
        (lambda: rated_topics([[[np.inf], [0]]]), "infinite"),
        (lambda: RatedTopics.of_columns([[0, 1], [0, 1]], [0], topics=1), "2 pairs"),
        (lambda: RatedTopics.of_columns([[0], [0]], [1], topics=1), "numbered from 0 to 0"),
        (lambda: pooled(rated_topics([[[0], [0]]]), ["kapa"]), "Unknown measure 'kapa'"),
    ],
)
def test_misuse_is_named(build, message):
    with pytest.raises(ValueError, match=message):
        build()
