"""What options and values count as under a mapping; the schemes are plain objects."""

from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pytest

from audit.refusals import Invalid
from evaluation.sources.grading import Grading
from evaluation.sources.mapping import Mapping


def scale(facet, **values):
    options = [
        SimpleNamespace(pk=len(facet) * 10 + number, key=key, value=Decimal(value))
        for number, (key, value) in enumerate(values.items(), start=1)
    ]
    return SimpleNamespace(facet=facet, option_list=options)


def mapping(*grades):
    return Mapping("ours", 2, "Ours", tuple((f, o, Decimal(grade)) for f, o, grade in grades))


# Two options of one value, which the mapping tells apart on the first scale.
SCHEME = SimpleNamespace(
    all_scales=[scale("", no=0, some=1, more=1), scale("method", no=0, some=1, more=1)]
)
MAPPING = mapping(
    ("", "no", "-1"), ("", "some", 1), ("", "more", "2.5"),
    ("method", "no", 0), ("method", "some", 4), ("method", "more", 4),
)  # fmt: skip


@pytest.fixture
def grading():
    return Grading.of(SCHEME, MAPPING)


def test_options_have_the_grades_of_their_own_scale(grading):
    options = np.array([[3, 1, 0], [61, 62, 2]])

    np.testing.assert_array_equal(grading.options(options), [[2.5, -1, np.nan], [0, 4, 1]])
    assert grading.options(np.empty((2, 0), dtype=int)).shape == (2, 0)


def test_value_has_a_grade_where_its_options_have_the_same(grading):
    values = np.array([[1.0, 0.0], [np.nan, 1.0]])

    np.testing.assert_array_equal(grading.values(values, "method"), [[4, 0], [np.nan, 4]])
    np.testing.assert_array_equal(grading.values(values, ""), [[np.nan, -1], [np.nan, np.nan]])
    assert grading.values(np.empty(0), "").shape == (0,)


def test_lowest_grade_is_that_of_each_scale(grading):
    assert {facet: grades.lowest for facet, grades in grading.scales.items()} == {
        "": -1,
        "method": 0,
    }


def test_value_of_no_option_is_refused(grading):
    with pytest.raises(Invalid, match=r"The value 0\.5 is no option's, so the mapping Ours"):
        grading.values(np.array([0.5]), "")


@pytest.mark.parametrize(
    ("facet", "sentence"), [("", "for the option no. Make"), ("method", "no of method. Make")]
)
def test_option_without_a_grade_is_refused(facet, sentence):
    lacking = mapping(("", "some", 1), ("", "more", 1), ("method", "some", 1))
    scheme = SimpleNamespace(all_scales=[scale(facet, no=0)])

    with pytest.raises(Invalid, match=sentence):
        Grading.of(scheme, lacking)


def test_mapping_is_written_by_scale_under_its_version():
    assert MAPPING.address == "ours.2"
    assert MAPPING.in_words == "Ours, version 2"
    assert MAPPING.data == {
        "key": "ours",
        "version": 2,
        "name": "Ours",
        "grades": {
            "all": {"no": "-1", "some": "1", "more": "2.5"},
            "method": {"no": "0", "some": "4", "more": "4"},
        },
    }
