"""The three things a "cannot judge" may count as; and that it never makes a majority."""

import json

import krippendorff
import numpy as np
import pytest
from django.core.management import call_command
from django.http import QueryDict
from django.urls import reverse
from pytest_django.asserts import assertContains

from agreement.statistics import CannotJudge, SummaryKind
from agreement.study.selection import selection_of
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.overview.report import report_on
from agreement.subjects.registry import tables_of
from tests.agreement.statistics import reference
from tests.factories.studies import make_aspect_study, make_study
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]

GAPS = "“Cannot judge” is a gap"


def selection_for(study, query=""):
    return selection_of(study.members["lena"], study.lena, QueryDict(query))


@shelved
def three():
    """Six pairs of three raters: one without a value, two with two that cannot, one with one."""
    study = make_aspect_study(also=["e0", "e1", "e2"])
    study.finish(
        study.batch,
        alice=[1, 1, 2, 0, None, 1],
        bob=[None, None, 2, 1, None, None],
        erin=[None, 1, 0, 2, None, 2],
    )
    return study


UNITS = [[1, None, None], [1, None, 1], [2, 2, 0], [0, 1, 2], [None] * 3, [1, None, 2]]


def test_absence_is_no_vote_in_a_majority_under_any_rule(three):
    for rule, without in (("lowest", 4), ("gaps", 4), ("drop", 1)):
        several = overview_of(selection_for(three, f"cannot-judge={rule}")).several
        # Majorities are 1 of the second pair and 2 of the third; "drop" has the third and fourth.
        assert several.with_majority.without == without, rule
    lowest = overview_of(selection_for(three)).several
    alice, bob, erin = lowest.with_majority.comparisons
    # Bob's "cannot judge" counts as 0, which is not the majority of the second pair.
    assert [annotator.pairs for annotator in (alice, bob, erin)] == [2, 2, 2]
    assert [annotator.figures["percent"].value for annotator in (alice, bob, erin)] == [100, 50, 50]


def test_majority_of_the_others_needs_more_than_half_of_their_seats(three):
    several = overview_of(selection_for(three, "cannot-judge=gaps")).several

    alice, bob, erin = several.with_others.comparisons
    # Others who agree: for Erin those of the third pair alone; for Bob, who could not judge the
    # second, none; for Alice none.
    assert [annotator.pairs for annotator in (alice, bob, erin)] == [0, 0, 1]
    assert erin.figures["percent"].value == 0
    assert several.with_others.title == "with the majority of the others"
    assert several.with_majority.title == "with the majority, the own vote among it"


def test_gaps_are_missing_ratings_for_coefficients_of_any_number_of_raters(three):
    together = overview_of(selection_for(three, "cannot-judge=gaps")).several.together

    matrix = np.array(UNITS, dtype=float).T
    scale = [0.0, 1.0, 2.0]
    expected = {
        "alpha_ordinal": krippendorff.alpha(matrix, level_of_measurement="ordinal"),
        "alpha_nominal": krippendorff.alpha(matrix, level_of_measurement="nominal"),
        "ac1": reference.gwet(UNITS, scale),
        "ac2": reference.gwet(UNITS, scale, reference.ordinal_weight(scale)),
        "fleiss_kappa": reference.fleiss(UNITS),
    }
    values = {name: summary.figure.value for name, summary in together.items()}
    assert values == pytest.approx(expected, abs=1e-9)


def test_two_ratings_are_compared_where_both_were_given():
    study = make_study(candidates=4)
    study.finish(alice=[0, 1, None, 3], bob=[0, None, None, 1])

    [figures] = report_on(study.collection, cannot_judge=CannotJudge.GAPS).topics

    assert figures.before.pairs == 4
    assert figures.before.measures["percent"].figure.value == 50
    assert figures.before.disagreement.by_distance == {0: 1, 2: 1}


def test_after_adjudication_a_gap_takes_its_own_half_alone(half):
    reports = {
        rule: report_on(half, cannot_judge=rule, summary=SummaryKind.POOLED) for rule in CannotJudge
    }

    gaps, drop = reports[CannotJudge.GAPS].whole, reports[CannotJudge.DROP].whole

    # Before adjudication two lists have what both rated either way; after it "drop" takes the pair
    # from both halves, and a gap from one.
    assert gaps.before.measures == drop.before.measures
    assert (gaps.after.pairs, drop.after.pairs) == (3071, 3061)
    assert gaps.after.measures != drop.after.measures


def test_rule_is_in_the_address_and_every_table_names_it(three, client):
    selection = selection_for(three, "cannot-judge=gaps")

    assert selection.filters.address() == "cannot-judge=gaps"
    for table in tables_of(selection, "overview", {}):
        assert any(note.startswith(GAPS) for note in table.notes), table.key
    client.force_login(three.lena)
    page = client.get(reverse("agreement:agreement", args=["aspects"]) + "?cannot-judge=gaps")
    assertContains(page, GAPS)
    assertContains(page, '<option value="gaps" selected>')


def test_methods_paragraph_says_that_they_are_missing_values(three):
    selection = selection_for(three, "cannot-judge=gaps")

    text = methods_paragraph(selection, overview_of(selection))

    assert "Annotators could not judge 7 times; they are missing values: two ratings are" in text


def test_command_takes_the_rule(three, capsys):
    call_command("agreement", "aspects", "--json", "--cannot-judge", "gaps")

    printed = json.loads(capsys.readouterr().out)
    assert printed["cannot_judge"]["rule"] == "gaps"
    assert printed["cannot_judge"]["in_words"].startswith(GAPS)
    assert printed["several_raters"]["together"]["alpha_ordinal"]["value"] is not None
