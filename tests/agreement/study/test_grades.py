"""How pairs spread over the grades, and from which grade on they are relevant."""

import numpy as np
import pytest
from django.core.exceptions import BadRequest

from agreement.study.grades import Relevance, cuts_of, graded, places_of
from agreement.study.ratings import Scale

SCALE = Scale((0.0, 1.0, 2.0, 3.0))
NOBODY = np.empty(0, dtype=np.int64)


@pytest.mark.parametrize(
    ("values", "name"),
    [((0, 1, 2, 3), "2"), ((0, 1, 2), "1"), ((0, 1), "1"), ((0, 0.5, 2), "2"), ((1, 2, 9), "9")],
)
def test_relevant_is_the_upper_half_of_the_scale_where_nothing_is_said(values, name):
    assert Relevance.read(Scale(values), {}).name == name


def test_relevant_is_what_the_address_says_and_never_the_lowest_grade():
    relevance = Relevance.read(SCALE, {"relevant": "1"})

    assert (relevance.place, relevance.in_words) == (1, "a grade of 1 or more")
    assert Relevance.read(SCALE, {"relevant": "3"}).in_words == "a grade of 3"
    assert relevance.choices == [("1", "1 or more"), ("2", "2 or more"), ("3", "3")]
    for refused in ("0", "4", "x"):
        with pytest.raises(BadRequest, match="expected one of 1, 2, 3"):
            Relevance.read(SCALE, {"relevant": refused})


def test_scale_is_cut_at_each_grade_and_from_the_inner_ones_on():
    cuts = {cut.key: cut.upper for cut in cuts_of(Scale((0.0, 1.0, 2.0)))}

    assert cuts == {
        "0": (True, False, False),
        "1": (False, True, False),
        "2": (False, False, True),
        "1+": (False, True, True),
    }
    assert [cut.name for cut in cuts_of(Scale((0.0, 1.0, 2.0)))][-1] == "Grade 1 or more"


def test_labels_are_cut_one_against_the_rest_alone():
    assert [cut.key for cut in cuts_of(Scale((0.0, 1.0, 2.0), is_ordinal=False))] == ["0", "1", "2"]


def test_pairs_are_counted_by_grade_with_those_that_are_relevant():
    of_topic = graded("q1", "Query", [0, 1, 1, 3], Relevance(SCALE, 1))

    assert of_topic.counts == (1, 2, 0, 1)
    assert of_topic.total == 4
    assert [share.count for share in of_topic.shares] == [1, 2, 0, 1]
    assert (of_topic.relevant.count, of_topic.relevant.of) == (3, 4)
    assert graded("q1", "Query", NOBODY, Relevance(SCALE, 1)).counts == (0, 0, 0, 0)


def test_values_have_places_on_their_scale():
    scale = Scale((0.0, 0.5, 2.0))

    assert places_of(np.array([2.0, 0.0, 0.5]), scale).tolist() == [2, 0, 1]
