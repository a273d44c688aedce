"""How alike two orders of runs are."""

from types import SimpleNamespace

import numpy as np
import pytest

from evaluation.measures import parse
from evaluation.runs.two_sources import Alike, Beside


@pytest.mark.parametrize(
    ("pairs", "reversed_pairs", "words"),
    [
        (1, 1, "1 of 1 pair of runs is the other way round"),
        (3, 2, "2 of 3 pairs of runs are the other way round"),
        (2, 0, "none of 2 pairs of runs is the other way round"),
    ],
)
def test_reversals_are_told_in_words_for_one_pair_and_for_many(pairs, reversed_pairs, words):
    assert Alike(None, pairs, reversed_pairs).in_words == words
    assert Alike(0.5, pairs, reversed_pairs).in_words == f"{words}; Kendall's tau-b 0.50"


def test_a_tie_is_no_reversal():
    alike = Alike.of(np.array([0.3, 0.2, 0.1]), np.array([0.1, 0.1, 0.2]))

    assert (alike.pairs, alike.reversed) == (3, 2)


def test_orders_as_data_have_the_measure_and_the_numbers_of_pairs():
    assert Alike(0.5, 3, 2).data(parse("AP")) == {
        "measure": "AP",
        "tau_b": 0.5,
        "pairs_of_runs": 3,
        "reversed": 2,
    }


def test_topics_are_those_of_both_in_the_order_of_the_first():
    def of(*ids):
        return SimpleNamespace(units=[SimpleNamespace(id=each) for each in ids])

    assert Beside(of("q3", "q1", "q2"), of("q2", "q3", "q4")).topics == ["q3", "q2"]
