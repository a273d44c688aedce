from fractions import Fraction

import pytest

from annotation.models import RatingRevision
from annotation.rating.components import share_met, suggest
from annotation.schemes.actions import load_definition
from audit.refusals import Invalid
from tests.factories.studies import make_aspect_study, make_study

SUGGESTIONS = load_definition("doris-mae")["key_components"]["suggestions"]


def components(*marks):
    return [{"text": f"part {n}", "met": met} for n, met in enumerate(marks)]


@pytest.mark.parametrize(
    ("marks", "share"),
    [
        ([], None),
        (["not"], 0),
        (["partly"], Fraction(1, 2)),
        (["met", "partly", "not"], Fraction(1, 2)),
        (["met", "met", "not"], Fraction(2, 3)),
        (["met", "met"], 1),
    ],
)
def test_a_component_partly_met_counts_half(marks, share):
    assert share_met(components(*marks)) == share


@pytest.mark.parametrize(
    ("marks", "option"),
    [
        (["met", "met"], "concur"),
        (["met", "partly"], "agree"),
        (["met", "not"], "agree"),
        (["met", "not", "not"], "dispute"),
        (["partly", "not", "not", "not"], "dispute"),
        (["not", "not"], "disagree"),
        ([], None),
    ],
)
def test_the_shipped_scheme_suggests_by_the_share_met(marks, option):
    assert suggest(components(*marks), SUGGESTIONS) == option


def test_a_scheme_without_a_fitting_threshold_suggests_nothing():
    assert suggest(components("not"), [{"option": "concur", "at_least": "1"}]) is None


def test_a_rating_keeps_its_components_in_every_revision(db):
    study = make_aspect_study()
    pair = study.first_pair("alice")
    first, second = components("met", "not"), components("met", "met")

    study.rate("alice", pair, "dispute", components=first)
    study.rate("alice", pair, "concur", components=second)

    assert pair.ratings.get().components == second
    revisions = RatingRevision.objects.filter(rating__pair=pair).order_by("version")
    assert [revision.components for revision in revisions] == [first, second]


def test_components_never_force_the_option(db):
    study = make_aspect_study()

    study.rate("alice", study.first_pair("alice"), "disagree", components=components("met"))

    assert study.first_pair("alice").ratings.get().option.key == "disagree"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (components(*["met"] * 13), "more than 12"),
        ([{"text": " ", "met": "met"}], "1 to 300 characters"),
        ([{"text": "x" * 301, "met": "met"}], "1 to 300 characters"),
        ([{"text": "sound", "met": "maybe"}], "met, partly met or not met"),
    ],
)
def test_components_that_make_no_sense_are_refused(db, given, says):
    study = make_aspect_study()
    pair = study.first_pair("alice")

    with pytest.raises(Invalid, match=says):
        study.rate("alice", pair, "agree", components=given)

    assert not pair.ratings.exists()


def test_a_scheme_that_does_not_ask_takes_none(db):
    study = make_study()

    with pytest.raises(Invalid, match="does not ask"):
        study.rate("alice", study.first_pair("alice"), 1, components=components("met"))
