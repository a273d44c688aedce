import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from agreement.statistics import (
    Method,
    Reason,
    Share,
    binomial_interval,
    binomial_upper_bound,
)

shares = st.integers(1, 400).flatmap(
    lambda trials: st.tuples(st.integers(0, trials), st.just(trials))
)


@given(shares, st.sampled_from([0.8, 0.95, 0.99]))
def test_interval_equals_scipys(share, level):
    interval = binomial_interval(*share, level=level)
    expected = scipy.stats.binomtest(*share).proportion_ci(level, method="exact")

    # scipy finds the ends by searching for a root, to about 1e-9.
    assert interval.low == pytest.approx(expected.low, abs=1e-7)
    assert interval.high == pytest.approx(expected.high, abs=1e-7)


@given(shares)
def test_upper_bound_equals_scipys_one_sided_one(share):
    bound = binomial_upper_bound(*share)
    expected = scipy.stats.binomtest(*share, alternative="less").proportion_ci(method="exact")

    assert (bound.low, bound.method) == (0.0, Method.EXACT)
    assert bound.high == pytest.approx(expected.high, abs=1e-7)


def test_fifty_nine_without_error_show_less_than_one_in_twenty():
    # 0.95 to the power of 59 is the first below 0.05: the auditors' rule of 59.
    assert binomial_upper_bound(0, 59).high < 0.05 < binomial_upper_bound(0, 58).high


def test_nothing_and_everything_reach_the_end_of_the_range():
    assert binomial_interval(0, 10).low == 0
    assert binomial_interval(10, 10).high == 1
    assert binomial_upper_bound(10, 10).high == 1


def test_share_of_nothing_is_undefined():
    for interval in (binomial_interval(0, 0), binomial_upper_bound(0, 0)):
        assert not interval.is_defined
        assert interval.reason == Reason.NO_PAIRS


@pytest.mark.parametrize(("count", "trials"), [(3, 2), (-1, 2)])
def test_count_that_is_no_part_is_refused(count, trials):
    with pytest.raises(ValueError, match=f"{count} of {trials} is not a share"):
        binomial_interval(count, trials)


@pytest.mark.parametrize("level", [95, 1.5, 1, 0, -0.5])
@pytest.mark.parametrize("interval", [binomial_interval, binomial_upper_bound])
def test_level_outside_of_its_range_is_refused(interval, level):
    with pytest.raises(ValueError, match="between 0 and 1"):
        interval(1, 2, level=level)


def test_upper_bound_of_what_is_no_part_is_refused():
    with pytest.raises(ValueError, match="3 of 2 is not a share"):
        binomial_upper_bound(3, 2)


def test_share_has_a_value_and_an_interval_where_there_is_something():
    share, nothing = Share(1, 4), Share(0, 0)

    assert share.value == 0.25
    assert share.interval == binomial_interval(1, 4)
    assert share.ends == (share.interval.low, share.interval.high)
    assert (nothing.value, nothing.interval, nothing.ends) == (None, None, (None, None))
