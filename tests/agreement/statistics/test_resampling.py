"""How resamples are drawn and put together, against lists that are written out."""

import numpy as np
import pytest

from agreement.statistics import Comparing, Over, SummaryKind, resampling
from agreement.statistics.evaluation import (
    families,
    mean_of_defined,
    median_of_defined,
    summary_of_drawn,
)
from agreement.statistics.resampling import Resampler, _running_number
from tests.agreement.statistics.plain import rated_topics

GAP = np.nan
# The first topic has no pair, the others agree on 100, 50 and 0 percent.
TOPICS = rated_topics(
    [np.empty((2, 0)), [[0, 1], [0, 1]], [[0, 1], [0, 2]], [[0], [1]]], clusters=[3, 3, 5, 5]
)


def resampler(over, resamples=6, **options):
    return Resampler(TOPICS, over=over, resamples=resamples, seed=3, **options)


def percent(over, kind, resamples=6, **options):
    shared = families(TOPICS, ["percent"], Comparing.BETWEEN_RATERS)
    return resampler(over, resamples, **options).values(shared, kind)["percent"]


@pytest.mark.parametrize(("kind", "of"), [("mean", mean_of_defined), ("median", median_of_defined)])
def test_drawn_figures_are_summarised_as_lists_with_each_written_as_often(kind, of):
    random = np.random.default_rng(4)
    figures = np.array([3.0, GAP, 1.0, 8.0, 1.0, GAP])
    times = random.integers(0, 3, size=(30, figures.size))
    times[0] = 0
    times[1] = [0, 2, 0, 0, 0, 1]

    summaries = summary_of_drawn(figures, times, SummaryKind(kind))

    written = [np.repeat(figures, row) for row in times]
    expected = [float(of(row[:, np.newaxis])[0]) if row.size else GAP for row in written]
    np.testing.assert_allclose(summaries, expected)
    assert np.isnan(summaries[:2]).all()
    nothing = summary_of_drawn(np.array([GAP]), np.ones((3, 1), dtype=int), SummaryKind(kind))
    np.testing.assert_array_equal(nothing, [GAP] * 3)


def test_copies_of_a_topic_are_numbered_within_their_resample():
    assert _running_number(np.array([2, 0, 3])).tolist() == [0, 1, 0, 1, 2]
    assert _running_number(np.array([], dtype=int)).tolist() == []


def test_pairs_keep_every_topic_and_topics_come_as_often_as_there_are():
    of_pairs = resampler(Over.PAIRS)._times_drawn(5)
    of_topics = resampler(Over.TOPICS)._times_drawn(50)
    of_queries = resampler(Over.QUERIES)._times_drawn(50)

    assert of_pairs.tolist() == [[1] * 5] * 4
    assert of_topics.shape == (4, 50)
    assert set(of_topics.sum(axis=0)) == {4}
    assert (of_queries[0] == of_queries[1]).all()
    assert (of_queries[2] == of_queries[3]).all()
    assert set(of_queries[[0, 2]].sum(axis=0)) == {2}
    assert {0, 1, 2} <= set(of_queries[0])


@pytest.mark.parametrize("over", list(Over))
@pytest.mark.parametrize("kind", list(SummaryKind))
def test_resamples_are_as_many_as_were_wanted_in_parts_of_any_size(monkeypatch, over, kind):
    whole = percent(over, kind)
    monkeypatch.setattr(resampling, "RESAMPLES_AT_ONCE", 4)

    in_parts = percent(over, kind)

    assert whole.shape == in_parts.shape == (6,)
    assert resampler(over)._at_once() == [4, 2]
    assert resampler(over, 8)._at_once() == [4, 4]


def test_many_topics_are_resampled_few_at_a_time(monkeypatch):
    monkeypatch.setattr(resampling, "VALUES_AT_ONCE", 12)
    assert resampler(Over.TOPICS)._at_once() == [3, 3]
    monkeypatch.setattr(resampling, "VALUES_AT_ONCE", 1)
    assert resampler(Over.TOPICS)._at_once() == [1] * 6


@pytest.mark.parametrize("kind", list(SummaryKind))
def test_drawn_counts_are_the_same_however_few_fit_at_once(monkeypatch, kind):
    """One combination alone leaves no chance: a topic's pairs are what they are."""
    alike = rated_topics([[[0, 0], [0, 0]], [[0], [1]]])
    shared = families(alike, ["percent"], Comparing.BETWEEN_RATERS)
    monkeypatch.setattr(resampling, "COUNTS_AT_ONCE", 2)

    drawn = Resampler(alike, over=Over.PAIRS, resamples=5, seed=1).values(shared, kind)

    expected = {"mean": 50, "median": 50, "pooled": 200 / 3}[kind]
    assert drawn["percent"].tolist() == pytest.approx([expected] * 5)


@pytest.mark.parametrize(
    ("patterns", "draws", "parts"),
    [(4, 7, [2, 2, 2, 1]), (40, 1, [1]), (40, 2, [1, 1]), (4, 0, [0]), (0, 3, [3])],
)
def test_as_many_draws_are_counted_at_once_as_memory_allows(monkeypatch, patterns, draws, parts):
    monkeypatch.setattr(resampling, "COUNTS_AT_ONCE", 10)

    counts = list(resampler(Over.BOTH)._counts(np.ones(patterns, dtype=int), np.full(draws, 2)))

    assert [len(part) for part in counts] == parts
    assert all((part.sum(axis=1) == 2 * patterns).all() for part in counts)
