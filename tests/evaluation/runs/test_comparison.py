from types import SimpleNamespace

import numpy as np
import pytest

from evaluation.protocols import Summary
from evaluation.results import Together
from evaluation.runs.comparison import Comparison
from evaluation.sources.source import GOLD


def difference_of(values, *folds):
    values = np.array(values)
    masks = folds or [[True] * values.shape[1]]
    together = Together(Summary.FOLDS, tuple(np.array(mask) for mask in masks))
    evaluation = SimpleNamespace(
        runs={"a": None, "b": None},
        units=[None] * values.shape[1],
        source=GOLD,
        together=together,
        counted=lambda measure: values,
    )
    return Comparison(evaluation, None, "a", "b")._difference(evaluation)


def test_two_runs_of_the_same_values_in_another_order_are_level():
    assert difference_of([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]).mean == 0
    assert difference_of([[0.5, 0.5], [0.25, 0.5]]).mean == pytest.approx(0.125)


def test_without_a_value_in_one_of_the_folds_there_is_no_difference():
    values = [[0.5, np.nan], [0.25, np.nan]]

    assert difference_of(values, [True, False], [False, True]) is None
    assert difference_of(values).mean == 0.25
