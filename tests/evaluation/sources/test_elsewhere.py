"""Judgments made elsewhere as numbers: all of them, or none with a sentence."""

import pytest

from audit.refusals import Invalid
from datasets.runs.judgments import add_judgments
from evaluation.sources.elsewhere import judgments_of
from tests.factories import runs
from tests.factories.studies import make_study
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@shelved
def study():
    return make_study(assign=False)


def grades_of(study, literals):
    judgments = runs.judgments_of({"q1_method": literals})
    add_judgments(collection=study.collection, judgments=judgments, by=study.lena)
    return judgments_of(study.collection, "nist").grades["q1_method"]


def test_grades_are_read_with_a_comma_a_minus_or_an_exponent(study):
    literals = {"q1c1": "2,5", "q1c2": "\u22121", "q1c3": "1e-1"}

    assert grades_of(study, literals) == {"q1c1": 2.5, "q1c2": -1, "q1c3": 0.1}


@pytest.mark.parametrize("literal", ["no", "nan", "inf", "1_0"])
def test_a_grade_that_no_ranking_can_be_measured_by_is_named(study, literal):
    with pytest.raises(Invalid) as refused:
        grades_of(study, {"q1c1": "2", "q1c2": literal})

    assert str(refused.value) == (
        f"The judgments nist have the grade '{literal}' for q1_method, which is no number, so no "
        "ranking can be measured by them."
    )
