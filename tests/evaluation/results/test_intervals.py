"""Bootstrap intervals over topics, against resamples that are written out."""

import numpy as np
import pytest

from evaluation.protocols import Summary
from evaluation.results import Together, bootstrap, intervals

NAN = np.nan
IDS = ["a", "b", "c", "d", "e"]
ALL = Together.of(Summary.MEAN, IDS)
FOLDS = Together.of(Summary.FOLDS, IDS, {"all": {"1": ["a", "d"], "2": ["b", "c", "e"]}})


def mean_of(values, otherwise):
    known = values[~np.isnan(values)]
    return known.mean() if len(known) else otherwise


def written_out(row, together, resamples, seed):
    """The mean over folds of the mean of each resample; the row's mean where it has no value."""
    random = np.random.default_rng(seed)
    of_parts = []
    for part in together.parts:
        values = row[part]
        draws = random.integers(0, len(values), (resamples, len(values)))
        whole = mean_of(values, NAN)
        of_parts.append([mean_of(values[draw], whole) for draw in draws])
    return np.percentile(np.mean(of_parts, axis=0), [2.5, 97.5])


@pytest.mark.parametrize("together", [ALL, FOLDS])
def test_ends_are_percentiles_of_resamples_within_folds(together):
    """Of each row by itself, also where some resamples have none of its values."""
    rows = np.array(
        [[0.1, 0.9, 0.4, 0.3, 1.0], [NAN, 0.9, 0.4, 0.3, NAN], [0.7, NAN, 0.2, NAN, NAN]]
    )

    interval = bootstrap(rows, together, resamples=40, seed=11)

    expected = [written_out(row, together, 40, 11) for row in rows]
    np.testing.assert_allclose(np.transpose([interval.low, interval.high]), expected)


@pytest.mark.parametrize("at_a_time", [7, 39, 40])
def test_resamples_are_the_same_however_many_are_drawn_at_a_time(monkeypatch, at_a_time):
    row = [0.1, 0.9, 0.4, 0.3, 1.0]
    monkeypatch.setattr(intervals, "AT_A_TIME", at_a_time)

    interval = bootstrap(np.array([row]), ALL, resamples=40, seed=11)

    expected = written_out(np.array(row), ALL, 40, 11)
    assert [interval.low[0], interval.high[0]] == pytest.approx(expected)


def test_ten_thousand_resamples_are_drawn_alike_for_all_rows():
    row = [0.1, 0.9, 0.4, 0.3, 1.0]

    interval = bootstrap(np.array([row, row, [0.0] * 5]), ALL)

    expected = written_out(np.array(row), ALL, 10_000, 7)
    assert [interval.low[0], interval.high[0]] == pytest.approx(expected)
    assert interval.low.tolist()[:2] == [interval.low[0]] * 2
    assert (interval.low[2], interval.high[2]) == (0, 0)


def test_row_without_a_value_in_a_fold_has_no_interval_and_leaves_the_others_theirs():
    values = np.array([[[0.1, NAN, NAN, 0.3, NAN], [0.1, 0.9, 0.4, 0.3, 1.0]]])

    interval = bootstrap(values, FOLDS, resamples=40, seed=11)

    assert interval.low.shape == interval.high.shape == (1, 2)
    assert np.isnan([interval.low[0, 0], interval.high[0, 0]]).all()
    expected = written_out(values[0, 1], FOLDS, 40, 11)
    assert [interval.low[0, 1], interval.high[0, 1]] == pytest.approx(expected)


def test_no_topics_have_no_interval():
    interval = bootstrap(np.empty((2, 0)), Together.of(Summary.MEAN, []), resamples=10)

    assert np.isnan([interval.low, interval.high]).tolist() == [[True] * 2] * 2
