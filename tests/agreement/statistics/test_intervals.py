"""Intervals against scipy's bootstrap, against resampling of rows, and against themselves.

Two bootstraps of the same data differ by chance. A quantile q of B values has the standard error
sqrt(q (1 - q) / B) over the density there, for which that of a normal distribution is taken; the
tolerances are three standard errors of the difference of two, and all seeds are fixed.
"""

from itertools import product

import numpy as np
import pytest
import scipy.stats

from agreement.statistics import (
    REGISTRY,
    Comparing,
    Interval,
    Method,
    Over,
    Raters,
    Reason,
    SummaryKind,
    intervals,
    pooled,
    resampling,
)
from agreement.statistics.any_raters import krippendorff_alpha, ordinal_alpha
from agreement.statistics.evaluation import families
from agreement.statistics.resampling import Resampler, _ends
from agreement.statistics.two_raters import cohen_kappa, percent_agreement, spearman_rho
from tests.agreement.statistics.plain import rated_topics

SCALE = [0, 1, 2, 3]


def interval(topics, measure, **options):
    """The interval of one measure."""
    return intervals(topics, [measure], **options)[measure]


FOUR = {
    "rho": spearman_rho,
    "alpha": ordinal_alpha,
    "kappa": cohen_kappa,
    "percent": percent_agreement,
}
POOLED = {"summary": SummaryKind.POOLED, "over": Over.PAIRS}
# The query of each of six topics, where queries are resampled.
QUERIES = [4, 9, 4, 2, 9, 6]


def rated(pairs, *, raters=2, agreeing=0.5, seed=0):
    random = np.random.default_rng(seed)
    truth = random.choice(SCALE, p=[0.5, 0.25, 0.15, 0.1], size=pairs)
    guesses = random.choice(SCALE, size=(raters, pairs))
    return np.where(random.random((raters, pairs)) < agreeing, truth, guesses).astype(float)


def tolerance(values):
    """Three standard errors of the difference of two ends, of as many resamples each."""
    error = np.sqrt(0.025 * 0.975 / len(values)) / scipy.stats.norm.pdf(1.96)
    return 3 * np.sqrt(2) * error * np.std(values)


@pytest.mark.parametrize("method", [Method.PERCENTILE, Method.BCA])
@pytest.mark.parametrize("name", FOUR)
def test_interval_equals_scipys_bootstrap_of_rows(name, method):
    x, y = rated(80, agreeing=0.8)
    topics = rated_topics([[x, y]], values=SCALE)

    ours = interval(topics, name, **POOLED, method=method, resamples=2000, seed=1)
    scipys = scipy.stats.bootstrap(
        (x, y),
        lambda first, second: FOUR[name](first, second).value,
        paired=True,
        vectorized=False,
        n_resamples=2000,
        method={Method.PERCENTILE: "percentile", Method.BCA: "BCa"}[method],
        rng=np.random.default_rng(2),
    )

    near = tolerance(scipys.bootstrap_distribution)
    assert ours.low == pytest.approx(scipys.confidence_interval.low, abs=near)
    assert ours.high == pytest.approx(scipys.confidence_interval.high, abs=near)


def test_bca_of_several_topics_equals_scipys_of_several_samples():
    # The mean over topics of percent agreement, each topic resampled by itself.
    topics = [rated(pairs, agreeing=0.9, seed=pairs) for pairs in (12, 20, 31)]
    agreed = [100.0 * (first == second) for first, second in topics]

    ours = interval(
        rated_topics(topics),
        "percent",
        summary=SummaryKind.MEAN,
        over=Over.PAIRS,
        method=Method.BCA,
        resamples=4000,
    )
    scipys = scipy.stats.bootstrap(
        agreed,
        lambda *samples, axis=-1: np.mean([sample.mean(axis=axis) for sample in samples], axis=0),
        n_resamples=4000,
        method="BCa",
        rng=np.random.default_rng(3),
    )

    near = tolerance(scipys.bootstrap_distribution)
    assert ours.low == pytest.approx(scipys.confidence_interval.low, abs=near)
    assert ours.high == pytest.approx(scipys.confidence_interval.high, abs=near)


def test_bca_over_topics_equals_scipys_over_their_values():
    topics = [rated(15, agreeing=0.4 + seed / 40, seed=seed) for seed in range(20)]
    agreed = [percent_agreement(*topic).value for topic in topics]

    ours = interval(
        rated_topics(topics),
        "percent",
        summary=SummaryKind.MEAN,
        over=Over.TOPICS,
        method=Method.BCA,
        resamples=4000,
    )
    scipys = scipy.stats.bootstrap(
        (agreed,), np.mean, n_resamples=4000, method="BCa", rng=np.random.default_rng(4)
    )

    near = tolerance(scipys.bootstrap_distribution)
    assert ours.low == pytest.approx(scipys.confidence_interval.low, abs=near)
    assert ours.high == pytest.approx(scipys.confidence_interval.high, abs=near)


def rows_resampled(topics, compute, *, summary, over, resamples, random):
    """The same with rows of ratings in place of counts, one resample at a time."""
    for _ in range(resamples):
        drawn = range(len(topics))
        if over is Over.QUERIES:
            names = sorted(set(QUERIES))
            chosen = [names[place] for place in random.integers(0, len(names), size=len(names))]
            drawn = [topic for query in chosen for topic in drawn if QUERIES[topic] == query]
        elif over is not Over.PAIRS:
            drawn = random.integers(0, len(topics), size=len(topics))
        parts = [topics[topic] for topic in drawn]
        if over in (Over.PAIRS, Over.BOTH):
            parts = [part[:, random.integers(0, part.shape[1], part.shape[1])] for part in parts]
        if summary is SummaryKind.POOLED:
            yield compute(np.hstack(parts)).value
        else:
            values = [figure.value for figure in map(compute, parts) if figure.is_defined]
            yield {SummaryKind.MEAN: np.mean, SummaryKind.MEDIAN: np.median}[summary](values)


@pytest.mark.parametrize(
    ("summary", "over"),
    # Medians of topics that stay as they are jump; the tests after this one know them exactly.
    sorted(
        set(product(SummaryKind, Over))
        - {(SummaryKind.MEDIAN, over) for over in (Over.TOPICS, Over.QUERIES)}
    ),
)
def test_resampling_counts_equals_resampling_rows(summary, over):
    # Topics that differ much show how each counts; but medians would jump from one to the other.
    slope = 0.02 if summary is SummaryKind.MEDIAN else 0.16
    topics = [
        rated(8 + 5 * number, raters=3, agreeing=0.95 - slope * number, seed=number)
        for number in range(6)
    ]
    topics[2][0, 3] = topics[5][2, :4] = np.nan

    def alpha(ratings):
        return krippendorff_alpha(ratings, level="ordinal")

    rows = list(
        rows_resampled(
            topics,
            alpha,
            summary=summary,
            over=over,
            resamples=600,
            random=np.random.default_rng(5),
        )
    )

    for level in (0.95, 0.5):
        ours = interval(
            rated_topics(topics, values=SCALE, clusters=QUERIES),
            "alpha_ordinal",
            summary=summary,
            over=over,
            level=level,
            resamples=600,
            seed=6,
        )
        low, high = np.quantile(rows, [(1 - level) / 2, (1 + level) / 2])
        assert ours.low == pytest.approx(low, abs=tolerance(rows))
        assert ours.high == pytest.approx(high, abs=tolerance(rows))


def test_median_over_topics_has_the_distribution_of_an_order_statistic():
    # Seven topics agree on 10, 20, ... 70 percent of their pairs. The median of seven drawn is 10
    # if four or more are the first one, as a share of 0.0098 of resamples has it; 0.113 have 20 or
    # less.
    topics = rated_topics([[[0] * 10, [0] * n + [1] * (10 - n)] for n in range(1, 8)])
    same = {"summary": SummaryKind.MEDIAN, "over": Over.TOPICS, "resamples": 4000}

    ends = [interval(topics, "percent", **same, level=level) for level in (0.95, 0.99)]

    assert [(bounds.low, bounds.high) for bounds in ends] == [(20, 60), (10, 70)]


@pytest.mark.parametrize("summary", SummaryKind)
def test_queries_are_drawn_with_all_of_their_topics(summary):
    # Three queries of one, two and three topics, one of which has no rho. All 27 draws are known.
    topics = [rated(9 + 4 * number, agreeing=0.6, seed=number) for number in range(6)]
    topics[4][0] = 1
    queries = [0, 1, 1, 2, 2, 2]
    drawn_from = rated_topics(topics, values=SCALE, clusters=queries)

    def figure(drawn):
        parts = [topics[topic] for query in drawn for topic in range(6) if queries[topic] == query]
        if summary is SummaryKind.POOLED:
            return spearman_rho(*np.hstack(parts)).value
        values = [resampled.value for resampled in (spearman_rho(*part) for part in parts)]
        defined = [value for value in values if value is not None]
        return {SummaryKind.MEAN: np.mean, SummaryKind.MEDIAN: np.median}[summary](defined)

    expected = sorted(figure(drawn) for drawn in product(range(3), repeat=3))
    resampler = Resampler(drawn_from, over=Over.QUERIES, resamples=27_000, seed=1)
    [family] = families(drawn_from, ["rho"], Comparing.BETWEEN_RATERS)
    resampled = np.sort(resampler.values([family], summary)["rho"])

    # Each draw is expected a thousand times; the middle of its thousand is far from its neighbours.
    np.testing.assert_allclose(resampled[500::1000], expected, atol=1e-9)
    single = interval(drawn_from.only([3, 4, 5]), "rho", summary=summary, over=Over.QUERIES)
    assert single.reason == Reason.ONE_QUERY


@pytest.mark.parametrize("method", [Method.PERCENTILE, Method.BCA])
@pytest.mark.parametrize("summary", SummaryKind)
def test_queries_of_one_topic_each_are_resampled_as_topics(summary, method):
    topics = rated_topics([rated(15, seed=seed) for seed in range(8)], values=SCALE)
    same = {"summary": summary, "method": method, "resamples": 500}

    queries = intervals(topics, FOUR, over=Over.QUERIES, **same)

    by_topic = intervals(topics, FOUR, over=Over.TOPICS, **same)
    for name, of_query in queries.items():
        assert (of_query.low, of_query.high) == (by_topic[name].low, by_topic[name].high)


def test_aspects_that_are_alike_within_a_query_give_wider_intervals():
    # Six queries of ten aspects; in three of them raters agree nearly always.
    topics = [
        rated(40, agreeing=0.95 if query < 3 else 0.3, seed=10 * query + aspect)
        for query in range(6)
        for aspect in range(10)
    ]
    study = rated_topics(topics, values=SCALE, clusters=np.repeat(np.arange(6), 10))
    same = {"summary": SummaryKind.MEAN}

    aspects = interval(study, "kappa", **same, over=Over.TOPICS)
    queries = interval(study, "kappa", **same, over=Over.QUERIES)

    assert queries.high - queries.low > 2 * (aspects.high - aspects.low)


@pytest.mark.parametrize("over", Over)
def test_resamples_are_drawn_in_parts_that_fit_into_memory(over, monkeypatch):
    topics = rated_topics([rated(12, seed=seed) for seed in range(6)], clusters=QUERIES)
    monkeypatch.setattr(resampling, "VALUES_AT_ONCE", 6 * 150)
    drawn, draw = [], resampling.Resampler._times_drawn
    monkeypatch.setattr(
        resampling.Resampler,
        "_times_drawn",
        lambda self, number: drawn.append(number) or draw(self, number),
    )

    ends = interval(topics, "kappa", summary=SummaryKind.MEDIAN, over=over, resamples=400)

    assert ends.is_defined
    assert drawn == [150, 150, 100]


@pytest.mark.parametrize("over", [Over.TOPICS, Over.BOTH])
@pytest.mark.parametrize("summary", [SummaryKind.POOLED, SummaryKind.MEAN])
def test_a_topic_counts_as_often_as_it_is_drawn(summary, over):
    # Three topics of seven are fully agreed, four not at all, so of seven drawn a binomial number
    # is agreed: none with a probability of 0.02 and up to one with 0.12, five with 0.10 and more
    # with 0.03.
    agreed, not_agreed = [[0] * 10, [0] * 10], [[0] * 10, [1] * 10]
    topics = rated_topics([agreed] * 3 + [not_agreed] * 4)

    ends = interval(topics, "percent", summary=summary, over=over, level=0.9, resamples=4000)

    assert (ends.low, ends.high) == pytest.approx((100 / 7, 500 / 7), abs=1e-9)


def test_after_adjudication_raters_and_gold_are_resampled_together():
    first, second, gold = rated(120, raters=3, agreeing=0.75, seed=8)

    def mean_with_gold(x, y, final):
        return (cohen_kappa(x, final).value + cohen_kappa(y, final).value) / 2

    ours = interval(
        rated_topics([[first, second]], last=[gold]),
        "kappa",
        **POOLED,
        comparing=Comparing.WITH_LAST,
        resamples=2000,
    )
    scipys = scipy.stats.bootstrap(
        (first, second, gold),
        mean_with_gold,
        paired=True,
        vectorized=False,
        n_resamples=2000,
        method="percentile",
        rng=np.random.default_rng(9),
    )

    near = tolerance(scipys.bootstrap_distribution)
    assert ours.low == pytest.approx(scipys.confidence_interval.low, abs=near)
    assert ours.high == pytest.approx(scipys.confidence_interval.high, abs=near)


def test_percent_of_one_topic_has_the_binomial_distribution():
    # 30 of 50 agree: a resample's number of agreeing pairs is binomial, so the ends are known.
    topics = rated_topics([[[0] * 50, [0] * 30 + [1] * 20]])
    binomial = scipy.stats.binom(50, 0.6)

    ours = interval(topics, "percent", **POOLED, resamples=20_000)

    assert (ours.low, ours.high) == (2 * binomial.ppf(0.025), 2 * binomial.ppf(0.975))


def test_intervals_cover_the_true_agreement_as_often_as_they_say():
    covered = 0
    for study in range(300):
        agreed = np.random.default_rng(study).random(100) < 0.6
        ends = interval(
            rated_topics([[np.zeros(100), ~agreed]]), "percent", **POOLED, resamples=400
        )
        covered += ends.low <= 60 <= ends.high

    # 95 percent of 300 are 285; six standard deviations, and what a percentile interval of a
    # hundred pairs falls short.
    assert 262 <= covered <= 300


@pytest.mark.parametrize("over", Over)
@pytest.mark.parametrize("summary", SummaryKind)
@pytest.mark.parametrize("method", [Method.PERCENTILE, Method.BCA])
def test_same_seed_gives_the_same_intervals_for_one_measure_or_all(summary, over, method):
    topics = rated_topics([rated(20, raters=3, seed=seed) for seed in range(5)], values=SCALE)
    same = {"summary": summary, "over": over, "method": method, "resamples": 200}

    every = intervals(topics, **same, seed=3)

    assert list(every) == list(REGISTRY)
    assert all(ends.is_defined and ends.low <= ends.high for ends in every.values())
    assert interval(topics, "kappa", **same, seed=3) == every["kappa"]
    assert interval(topics, "kappa", **same, seed=4) != every["kappa"]


def test_interval_states_how_it_came_about():
    topics = rated_topics([rated(30)])

    ends = interval(topics, "kappa", **POOLED, level=0.9, resamples=200, seed=17)

    assert ends == Interval(
        low=ends.low,
        high=ends.high,
        level=0.9,
        method=Method.PERCENTILE,
        over=Over.PAIRS,
        resamples=200,
        undefined=0,
        seed=17,
    )
    assert ends.low < pooled(topics, ["kappa"])["kappa"].figure.value < ends.high


def test_resamples_without_a_value_are_left_out_and_counted():
    # The first list is constant in a resample without its last pair: 0.9 ** 10 of them, 349.
    topics = rated_topics([[[0] * 9 + [1], [0, 1] * 5]])

    ends = interval(topics, "rho", **POOLED)

    assert ends.is_defined
    assert ends.undefined == pytest.approx(349, abs=60)


def test_interval_with_too_few_defined_resamples_is_undefined():
    # Both lists are constant but for one pair each: 1 - 2 * 0.75 ** 4 + 0.5 ** 4 have a rho, 43 %.
    topics = rated_topics([[[0, 0, 0, 1], [1, 0, 0, 0]]])

    ends = interval(topics, "rho", **POOLED)

    assert ends.reason == Reason.FEW_DEFINED
    assert ends.undefined == pytest.approx(570, abs=65)
    assert (ends.low, ends.high) == (None, None)


def test_interval_of_too_few_resamples_for_its_percentiles_is_undefined():
    topics = rated_topics([rated(30)])

    assert interval(topics, "kappa", **POOLED, resamples=39).reason == Reason.FEW_DEFINED
    assert interval(topics, "kappa", **POOLED, resamples=40).is_defined


def test_interval_of_an_undefined_figure_has_its_reason():
    constant = rated_topics([[[0, 0, 0], [0, 0, 0]]])
    empty = rated_topics([np.empty((2, 0))])
    alone = rated_topics([[[0, 1, 2]]])

    assert interval(constant, "kappa", **POOLED).reason == Reason.ONE_VALUE
    assert interval(constant, "rho", **POOLED, method=Method.BCA).reason == Reason.CONSTANT_LIST
    assert interval(empty, "kappa", **POOLED).reason == Reason.NO_PAIRS
    assert interval(alone, "kappa", **POOLED).reason == Reason.NO_COMPARISON


def test_a_single_pair_or_topic_cannot_be_resampled():
    one_pair = rated_topics([[[0], [1]], [[2], [2]]])
    one_topic = rated_topics([rated(20)])

    assert interval(one_pair, "percent", **POOLED).reason == Reason.ONE_PAIR
    for over in (Over.TOPICS, Over.BOTH):
        ends = interval(one_topic, "percent", summary=SummaryKind.MEAN, over=over)
        assert ends.reason == Reason.ONE_TOPIC


@pytest.mark.parametrize("method", [Method.PERCENTILE, Method.BCA])
def test_full_agreement_has_an_interval_without_width(method):
    topics = rated_topics([[[0, 1, 2, 3] * 5] * 2])

    ends = interval(topics, "percent", **POOLED, method=method)

    assert (ends.low, ends.high) == (100, 100)


def test_bca_is_undefined_when_all_resamples_lie_on_one_side():
    # Never agreed and all values equally common is as low as AC1 gets; no resample is as even.
    topics = rated_topics([[[0, 1, 2, 3] * 1000, [1, 2, 3, 0] * 1000]], values=SCALE)

    ends = interval(topics, "ac1", **POOLED, method=Method.BCA, resamples=100)

    assert ends.reason == Reason.ONE_SIDED
    assert interval(topics, "ac1", **POOLED, resamples=100).is_defined


def test_topics_without_pairs_do_not_disturb_the_others():
    topics = [rated(12, seed=1), np.empty((2, 0)), rated(20, seed=2)]
    with_empty, without = rated_topics(topics), rated_topics([topics[0], topics[2]])

    for summary in SummaryKind:
        same = {"summary": summary, "over": Over.PAIRS, "method": Method.BCA}
        assert interval(with_empty, "kappa", **same) == interval(without, "kappa", **same)


def test_pairs_may_be_resampled_without_regard_to_topics():
    topics = [rated(12, seed=1), rated(30, seed=2)]

    together = rated_topics(topics, values=SCALE).as_one()

    joined = rated_topics([np.hstack(topics)], values=SCALE)
    assert intervals(together, **POOLED) == intervals(joined, **POOLED)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"level": 95}, "level is between 0 and 1"),
        ({"resamples": 0}, "at least one resample"),
        ({"method": Method.EXACT}, "binomial_interval"),
    ],
)
def test_misuse_is_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        interval(rated_topics([rated(9)]), "kappa", **POOLED, **wrong)


def test_an_interval_has_both_ends_or_a_reason():
    with pytest.raises(ValueError, match="both ends, or a reason"):
        Interval(0.1, None, 0.95, Method.PERCENTILE)
    with pytest.raises(ValueError, match="both ends, or a reason"):
        Interval(0.1, 0.2, 0.95, Method.PERCENTILE, reason=Reason.NO_PAIRS)
    with pytest.raises(ValueError, match="both ends, or a reason"):
        Interval(None, None, 0.95, Method.PERCENTILE)


def test_registry_says_which_measures_take_two_raters():
    two = [name for name, measure in REGISTRY.items() if measure.raters is Raters.TWO]

    assert two[:4] == list(FOUR)


@pytest.mark.parametrize("refused", [{"level": 0}, {"level": 1}, {"level": 1.5}, {"resamples": 0}])
def test_level_or_number_of_resamples_that_there_cannot_be_is_refused(refused):
    with pytest.raises(ValueError, match="at least one resample"):
        interval(rated_topics([rated(5)]), "percent", **POOLED, **refused)


def test_one_resample_and_two_pairs_are_too_few_and_not_refused():
    two_pairs = rated_topics([[[0, 1], [0, 2]]])

    ends = interval(two_pairs, "percent", **POOLED, resamples=1)

    assert ends.reason is Reason.FEW_DEFINED
    assert interval(two_pairs, "percent", **POOLED).is_defined


def test_interval_is_undefined_for_the_reason_that_its_figure_is():
    """The second rater has a single value, so the mean with the gold lacks a half."""
    topics = rated_topics([[[0, 1, 2, 2], [1, 1, 1, 1], [0, 1, 2, 1]]])

    with_gold = interval(topics, "rho", **POOLED, comparing=Comparing.WITH_LAST)

    assert with_gold.reason is Reason.CONSTANT_LIST
    assert interval(topics, "rho", **POOLED).is_defined


def test_half_of_the_resamples_and_one_at_each_end_are_enough():
    topics = rated_topics([rated(20)])
    values = np.arange(50.0)

    assert interval(topics, "percent", **POOLED, level=0.5, resamples=4).is_defined
    few = interval(topics, "percent", **POOLED, level=0.5, resamples=3)
    assert few.reason is Reason.FEW_DEFINED
    assert _ends(values, 100, 0.95, 25.0, None) == pytest.approx((1.225, 47.775))
    assert _ends(values, 101, 0.95, 25.0, None) is Reason.FEW_DEFINED


@pytest.mark.parametrize("figure", [-1.0, 100.0])
def test_bca_has_no_ends_where_every_resample_lies_on_one_side(figure):
    values = np.arange(50.0)

    assert _ends(values, 50, 0.95, figure, 0.0) is Reason.ONE_SIDED
    assert _ends(values, 50, 0.95, 24.5, 0.0) == pytest.approx((1.225, 47.775))


@pytest.mark.parametrize("over", [Over.TOPICS, Over.QUERIES, Over.BOTH])
def test_two_topics_or_queries_are_enough_to_resample_and_one_is_not(over):
    topics = rated_topics([rated(9, seed=seed) for seed in range(3)], clusters=[5, 7, 7])
    options = {"summary": SummaryKind.MEAN, "over": over}
    lacking = Reason.ONE_QUERY if over is Over.QUERIES else Reason.ONE_TOPIC

    assert interval(topics.only([0, 1]), "percent", **options).is_defined
    assert interval(topics.only([0]), "percent", **options).reason is Reason.ONE_TOPIC
    same_query = interval(topics.only([1, 2]), "percent", **options)
    assert (same_query.reason is lacking) is (over is Over.QUERIES)
