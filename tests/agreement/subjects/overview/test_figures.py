"""A scale is cut in two for the agreement on each grade."""

from agreement.study.scales import Scale
from agreement.subjects.overview.figures import cuts_of


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
