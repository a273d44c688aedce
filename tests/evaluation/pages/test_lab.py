"""The pool lab as drawn: its depth, and what two runs share."""

from types import SimpleNamespace

import pytest
from django.core.exceptions import BadRequest

from evaluation.pages.lab import _depth_control, _shared, lab_of


def page(**parameters):
    return SimpleNamespace(parameters=parameters, evaluation=None, measure=lambda: None)


@pytest.mark.parametrize(
    ("parameters", "depth"),
    [({}, 20), ({"depth": ""}, 20), ({"depth": "1"}, 1), ({"depth": "10000"}, 10_000)],
)
def test_depth_is_a_number_of_documents_or_the_usual_one(parameters, depth):
    assert lab_of(page(**parameters)).depth == depth


@pytest.mark.parametrize("depth", ["0", "-1", "10001", "1.5", "ten", "٣", "9" * 5_000])
def test_depth_of_no_such_number_is_refused(depth):
    with pytest.raises(BadRequest, match=r"expected a number from 1 to 10,000\."):
        lab_of(page(depth=depth))


def test_depth_of_the_address_is_offered_among_the_usual_ones():
    numbers = [int(value) for value, _ in _depth_control(37).options]

    assert 37 in numbers
    assert numbers == sorted(set(numbers))
    assert _depth_control(1_000).value == "1000"


def test_shared_documents_are_a_percent_with_its_shade_and_none_of_the_run_itself():
    assert (_shared(2, 0.5).words.text, _shared(2, 0.5).heat) == ("50", "h4")
    assert (_shared(2, 0.0).words.text, _shared(2, 0.0).heat) == ("0", "h0")
    assert (_shared(1, None).words.text, _shared(1, None).heat) == ("", "")
