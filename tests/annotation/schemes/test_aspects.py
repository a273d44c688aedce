"""The scheme of a study of aspects, and the majority rule at work."""

from decimal import Decimal

import pytest

from annotation.models import Pair
from annotation.schemes.actions import change_rules, edit_wording
from audit.refusals import Invalid, Locked
from tests.factories.studies import make_aspect_study


def gold(pair):
    pair.refresh_from_db()
    return pair.state, pair.gold_value, pair.gold_option and pair.gold_option.key


def rated(study, *answers):
    """One pair with those answers of Alice, Bob and Erin, all other pairs agreed, handed in."""
    batch = study.batch
    pair, *others = batch.pairs.all()
    for name, answer in zip(("alice", "bob", "erin"), answers, strict=True):
        study.rate(name, pair, answer)
        for other in others:
            study.rate(name, other, "disagree")
        study.hand_in(name, batch)
    return pair


def test_dispute_and_agree_are_equal_in_value(db):
    options = make_aspect_study().scheme.options.filter(is_import_only=False)

    assert {option.key: option.value for option in options} == {
        "disagree": 0,
        "dispute": 1,
        "agree": 1,
        "concur": 2,
    }


def test_every_value_has_an_option_that_only_imports_use(db):
    imported = make_aspect_study().scheme.options.filter(is_import_only=True)

    assert sorted(option.value for option in imported) == [0, 1, 2]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (("concur", "concur", "disagree"), ("agreed", Decimal(2), "concur")),
        # Two options of one value are a majority for the value, and for neither option.
        (("dispute", "agree", "concur"), ("agreed", Decimal(1), None)),
        (("agree", "agree", "agree"), ("agreed", Decimal(1), "agree")),
        (("disagree", "agree", "concur"), ("disputed", None, None)),
        (("concur", "concur", None), ("agreed", Decimal(2), "concur")),
        (("concur", None, None), ("disputed", None, None)),
        (("concur", "disagree", None), ("disputed", None, None)),
    ],
)
def test_the_majority_of_three_is_gold_and_anything_else_is_disputed(db, answers, expected):
    assert gold(rated(make_aspect_study(), *answers)) == expected


def test_a_majority_is_no_gold_before_the_last_seat_is_handed_in(db):
    study = make_aspect_study()
    pair = study.batch.pairs.first()

    for name in ("alice", "bob", "erin"):
        study.rate(name, pair, "concur")

    assert gold(pair) == (Pair.State.AGREED, None, None)


def test_a_difference_of_one_is_consensus_where_the_rule_asks_for_two(db):
    study = make_aspect_study(rule={"name": "difference_of_at_least", "distance": "2"})

    assert gold(rated(study, "concur", "agree", "agree")) == ("agreed", Decimal(1), "agree")


def test_the_words_for_aspects_are_checked_like_those_of_a_facet(db):
    scheme = make_aspect_study().scheme
    wording = scheme.current.wording
    wording["aspects"]["definitions"]["agree"] = " "

    with pytest.raises(Invalid, match="Aspect: the option agree needs a definition"):
        edit_wording(scheme=scheme, wording=wording, guidelines="", change_note="shorter", by=None)


def test_the_rule_is_fixed_by_the_first_rating(db):
    study = make_aspect_study()
    study.rate("alice", study.first_pair("alice"), "agree")

    with pytest.raises(Locked):
        change_rules(scheme=study.scheme, by=study.lena, rule="any_difference", overlap=3)
