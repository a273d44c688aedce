"""Runs measured on topics, put together, and their intervals."""

import numpy as np
import pytest

from evaluation.measures import Grades, parse
from evaluation.protocols import Protocol, Summary, Undefined, shipped
from evaluation.results import Judged, Together, bootstrap, means, measure_runs
from evaluation.results.summaries import standard_errors


def topic(key, **grades):
    return Judged(key, Grades(tuple(grades), np.array(list(grades.values()), dtype=float)))


def protocol(**changes):
    return Protocol.read(shipped()["trec"].data | {"measures": ["P@2"]} | changes)


def test_a_topic_that_a_run_lacks_counts_as_0_and_is_reported():
    topics = [topic("t1", a=1, b=0), topic("t2", a=1, b=0)]

    measured = measure_runs(topics, {"run": {"t1": ["a", "b"]}}, protocol())

    assert measured.values[0, 0].tolist() == [0.5, 0]
    assert measured.lacks.tolist() == [[False, True]]


@pytest.mark.parametrize(("undefined", "mean"), [("zero", 0.5), ("left out", 1.0)])
def test_a_topic_without_relevant_documents_counts_as_the_protocol_says(undefined, mean):
    chosen = protocol(measures=["R@5"], undefined=undefined)
    topics = [topic("t1", a=1), topic("t2", a=0)]

    measured = measure_runs(topics, {"run": {"t1": ["a"], "t2": ["a"]}}, chosen)

    assert means(measured.counted(chosen))[0, 0] == mean
    assert measured.undefined == [1]


def test_a_measure_for_some_queries_leaves_the_others_out_under_every_protocol():
    topics = [
        Judged("t1", Grades(("a",), np.array([1.0])), tags={"specificity": "0"}),
        Judged("t2", Grades(("a",), np.array([1.0])), tags={"specificity": "1"}),
    ]
    chosen = protocol(measures=["LitSearch R@20 (broad)"], undefined="zero")

    measured = measure_runs(topics, {"run": {"t1": ["a"], "t2": ["a"]}}, chosen)

    np.testing.assert_array_equal(measured.counted(chosen)[0, 0], [1, np.nan])


def test_judged_at_k_counts_to_the_depth_of_each_measure():
    chosen = protocol(measures=["P@1", "P@4"])

    measured = measure_runs([topic("t", a=1)], {"run": {"t": ["a", "x", "y", "z"]}}, chosen)

    assert measured.judged[:, 0, 0].tolist() == [1, 0.25]


def test_documents_that_the_protocol_leaves_out_are_in_no_ranking():
    chosen = protocol(measures=["P@1"], left_out=["a"])

    measured = measure_runs([topic("t", a=0, b=1)], {"run": {"t": ["a", "b"]}}, chosen)

    assert measured.values.tolist() == [[[1]]]


def test_the_mean_of_two_folds_is_not_the_mean_over_topics():
    together = Together.of(Summary.FOLDS, ["a", "b", "c"], {"all": {"1": ["a", "b"], "2": ["c"]}})

    values = np.array([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.5, 0.5, np.nan]])
    np.testing.assert_equal(together(values), [0.75, 0.5, np.nan])


def test_without_folds_it_is_the_mean_over_topics():
    assert Together.of(Summary.FOLDS, ["a"], None).summary is Summary.MEAN


def test_an_interval_holds_the_mean_and_is_the_same_again():
    values = np.random.default_rng(1).random((2, 30))
    together = Together.of(Summary.MEAN, [str(number) for number in range(30)])

    interval, again = bootstrap(values, together), bootstrap(values, together)

    assert (interval.low < together(values)).all()
    assert (interval.high > together(values)).all()
    assert (interval.low == again.low).all()


def test_topics_without_a_value_leave_interval_and_error_of_the_others():
    together = Together.of(Summary.MEAN, ["a", "b"])
    values = np.array([[1.0, np.nan], [np.nan, np.nan]])

    interval = bootstrap(values, together, resamples=100)

    assert interval.low[0] == interval.high[0] == 1
    assert np.isnan(interval.low[1])
    assert standard_errors(values)[0] == 0


def test_every_shipped_protocol_is_the_same_when_it_is_read_back():
    for key, protocol in shipped().items():
        assert Protocol.read(protocol.data) == protocol
        assert protocol.key == key


def test_a_protocol_with_an_unknown_measure_or_key_is_refused():
    with pytest.raises(ValueError, match="There is no measure 'nonsense'"):
        protocol(measures=["nonsense"])
    with pytest.raises(ValueError, match="has no 'folds'"):
        Protocol.read(shipped()["trec"].data | {"folds": 2})
    with pytest.raises(ValueError, match="0 measures"):
        protocol(measures=[])


def test_protocols_say_what_undefined_counts_as():
    assert shipped()["trec"].undefined is Undefined.ZERO
    assert shipped()["doris-mae"].undefined is Undefined.LEFT_OUT
    assert parse("R@5") in protocol(measures=["R@5", "R@5"]).parsed


def test_another_least_grade_is_also_that_of_measures_that_name_the_usual_one():
    protocol = shipped()["csfcube"].relevant_from(1.0)

    names = [measure.name for measure in protocol.parsed]
    assert "P@20" in names
    assert not any("rel=2" in name for name in names)
