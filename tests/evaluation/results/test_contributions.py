"""What each run brings to a pool, by hand."""

from dataclasses import replace

import numpy as np

from evaluation.measures import Grades
from evaluation.protocols import Protocol
from evaluation.results import Judged
from evaluation.results.contributions import contributions, without_each

PROTOCOL = Protocol("toy", "Toy", ("P@2", "R@2"))
TOPIC = Judged("t", Grades(("a", "b", "c", "d"), np.array([1.0, 1.0, 0.0, np.nan])))
RUNS = {"x": {"t": ["a", "c"]}, "y": {"t": ["b", "c"]}, "z": {"t": ["b", "d"]}}


def test_what_only_one_run_has_is_counted_once():
    by_run = contributions([TOPIC], RUNS, PROTOCOL, 2)

    assert by_run.ranked.tolist() == [2, 2, 2]
    assert by_run.unjudged.tolist() == [0, 0, 1]
    assert by_run.relevant.tolist() == [1, 1, 1]
    assert by_run.alone.tolist() == [1, 0, 1]
    assert by_run.relevant_alone.tolist() == [1, 0, 0]
    assert by_run.finds == ((("t", "a"),), (), ())
    assert by_run.shared.tolist() == [[2, 1, 0], [1, 2, 1], [0, 1, 2]]


def test_a_run_left_out_loses_what_it_alone_found_and_others_lose_a_relevant_document():
    recall = PROTOCOL.parsed[1]

    values = without_each([TOPIC], RUNS, PROTOCOL, recall, 2)

    np.testing.assert_allclose(values[0, :, 0], [0, 1, 1])
    np.testing.assert_allclose(values[1, :, 0], [0.5, 0.5, 0.5])
    np.testing.assert_allclose(values[2, :, 0], [0.5, 0.5, 0.5])


def test_a_deeper_pool_has_less_that_hangs_on_one_run():
    deep = {name: {"t": [*of["t"], "a", "b"]} for name, of in RUNS.items()}

    assert contributions([TOPIC], deep, PROTOCOL, 1).relevant_alone.tolist() == [1, 0, 0]
    assert contributions([TOPIC], deep, PROTOCOL, 4).relevant_alone.tolist() == [0, 0, 0]


def test_a_document_that_the_protocol_leaves_out_is_among_nobodys_first():
    by_run = contributions([TOPIC], RUNS, replace(PROTOCOL, left_out=("b",)), 1)

    assert by_run.ranked.tolist() == [1, 1, 1]
    assert by_run.relevant.tolist() == [1, 0, 0]
    assert by_run.unjudged.tolist() == [0, 0, 1]


def test_a_run_without_a_topic_brings_nothing():
    by_run = contributions([TOPIC], RUNS | {"none": {}}, PROTOCOL, 2)

    assert by_run.ranked.tolist()[-1] == 0
    assert by_run.relevant_alone.tolist() == [1, 0, 0, 0]
