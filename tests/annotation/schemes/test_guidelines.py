"""Guidelines as HTML, and those that still speak of what the scheme no longer has."""

import pytest

from annotation.schemes.guidelines import outdated_names, render
from annotation.schemes.wording import Wording


def wording(*, facet="Relevance", **options):
    """Options by their names, each with its digit."""
    return Wording.of(
        {
            "facets": {"relevance": {"name": facet}},
            "options": {
                name: {"name": name.replace("_", " "), "shortcut": digit}
                for name, digit in options.items()
            },
        }
    )


GRADED = wording(Irrelevant="0", Related="1", Relevant="2", Perfectly_relevant="3")
BINARY = wording(No="0", Relevant="1")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Is it Related? Then it is Irrelevant.", ["Irrelevant", "Related"]),
        ("Between 2 and 3: is it about the need? Otherwise 1.", ["2", "3"]),
        ("**Relevant** is what helps.", []),
        ("1. Read.\n2. Judge.\n3. Take 2 breaks, 3.5 at most.", []),
        ("Unrelated papers are relatedly odd.", []),
        ("Perfectly relevant means all of it.", ["Perfectly relevant"]),
    ],
)
def test_guidelines_that_name_grades_of_an_earlier_version(text, names):
    assert outdated_names(text, BINARY, earlier=[GRADED, BINARY]) == names


def test_guidelines_of_blank_lines_are_read_in_one_go():
    # Each line was once the beginning of another attempt, which took minutes.
    assert outdated_names("a" + "\n" * 99_990 + "2", BINARY, earlier=[GRADED]) == ["2"]


def test_a_former_name_inside_a_name_of_today_is_not_named():
    long = wording(Perfectly_Relevant="1")

    assert outdated_names("Perfectly Relevant", long, earlier=[GRADED]) == []


def test_a_longer_name_of_today_is_read_before_the_shorter_one_in_it():
    today = wording(Relevant="1", Perfectly_Relevant="2")

    assert outdated_names("Perfectly Relevant", today, earlier=[wording(Perfectly="2")]) == []


def test_facets_of_an_earlier_version_are_named():
    before = wording(facet="Method", Relevant="1")

    assert outdated_names("## Method", wording(Relevant="1"), earlier=[before]) == ["Method"]


def test_each_block_of_guidelines_stands_in_its_own_direction():
    html = render("# Judge\n\nاقرأ **الجانب** أولًا.\n\n- ✅ يجيب")

    assert html == (
        '<h2 dir="auto">Judge</h2>\n'
        '<p dir="auto">اقرأ <strong>الجانب</strong> أولًا.</p>\n'
        '<ul dir="auto">\n<li dir="auto">✅ يجيب</li>\n</ul>\n'
    )


def test_headings_below_the_sixth_level_stay_at_the_sixth():
    html = render("# Judge\n\n##### Ties\n\n###### Rare", top=3)

    assert html == (
        '<h3 dir="auto">Judge</h3>\n<h6 dir="auto">Ties</h6>\n<h6 dir="auto">Rare</h6>\n'
    )
