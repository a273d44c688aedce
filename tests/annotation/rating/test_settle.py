"""State and gold of a pair, by what its seats have answered."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Option, Pair
from annotation.rating.settle import lock_pairs, set_decision, settle, settle_pair
from tests.factories.studies import make_study

# Two options share a value, as in DORIS-MAE.
NONE, SOME, MORE = (
    Option(pk=number, key=key, value=Decimal(value))
    for number, (key, value) in enumerate([("none", 0), ("some", 1), ("more", 1)], start=1)
)


def settled(*options, **judged_by):
    """A pair that had gold before, with these answers."""
    pair = Pair(gold_origin="consensus", gold_value=Decimal(3), gold_option=NONE)
    usual = {"overlap": 2, "rule": "any_difference", "distance": None, "is_handed_in": True}
    settle_pair(pair, list(options), **usual | judged_by)
    return pair


def gold_of(pair):
    return pair.gold_origin, pair.gold_value, pair.gold_option


NO_GOLD = ("", None, None)


@pytest.mark.parametrize(
    ("options", "state"),
    [([], "open"), ([SOME], "partial"), ([None], "partial")],
)
def test_pair_that_waits_for_answers_has_no_gold(options, state):
    pair = settled(*options)

    assert pair.state == state
    assert gold_of(pair) == NO_GOLD


def test_more_answers_than_the_overlap_settle_as_well():
    assert settled(SOME, SOME, SOME).state == "agreed"


def test_answers_that_differ_are_a_dispute_without_gold():
    pair = settled(NONE, SOME)

    assert pair.state == "disputed"
    assert gold_of(pair) == NO_GOLD


def test_cannot_judge_is_a_dispute():
    assert settled(SOME, None).state == "disputed"


def test_agreement_is_gold_once_every_seat_is_handed_in():
    waiting, finished = settled(SOME, SOME, is_handed_in=False), settled(SOME, SOME)

    assert waiting.state == finished.state == "agreed"
    assert gold_of(waiting) == NO_GOLD
    assert gold_of(finished) == ("consensus", Decimal(1), SOME)


def test_options_of_one_value_agree_on_the_value_and_on_no_option():
    assert gold_of(settled(SOME, MORE)) == ("consensus", Decimal(1), None)


def test_gold_has_the_option_of_its_value_where_a_majority_agrees():
    pair = settled(SOME, SOME, NONE, None, SOME, overlap=5, rule="majority")

    assert gold_of(pair) == ("consensus", Decimal(1), SOME)


def test_distance_reaches_the_rule():
    near, far = (
        settled(NONE, SOME, rule="difference_of_at_least", distance=Decimal(d)) for d in (2, 1)
    )

    assert (near.state, far.state) == ("agreed", "disputed")


@pytest.mark.parametrize(
    ("option", "state", "gold"),
    [
        (MORE, "adjudicated", ("adjudicated", Decimal(1), MORE)),
        (None, "excluded", ("excluded", None, None)),
    ],
)
def test_a_decision_is_the_gold_or_leaves_the_pair_out(option, state, gold):
    pair = settled(SOME, SOME)

    set_decision(pair, option)

    assert pair.state == state
    assert gold_of(pair) == gold


def pairs_of(study):
    return lock_pairs(Pair.objects.filter(batch=study.batch))


def states(study):
    pairs = study.batch.pairs.order_by("position")
    return [(pair.state, pair.gold_origin, pair.gold_value) for pair in pairs]


def test_settling_moves_what_changed_alone(study):
    study.finish(alice=[0, 1, 2], bob=[0, 3, 2])
    first = study.batch.pairs.order_by("position")[0]
    Pair.objects.filter(pk=first.pk).update(
        state="open", gold_origin="", gold_value=None, gold_option=None
    )

    assert settle(pairs_of(study), batch=study.batch) == [first]
    assert states(study) == [("agreed", "consensus", 0), ("disputed", "", None),
                             ("agreed", "consensus", 2)]  # fmt: skip
    assert settle(pairs_of(study), batch=study.batch) == []


def test_settled_pairs_are_settled_again_without_a_look_at_each(study):
    study.finish(alice=[0, 1, 2], bob=[0, 1, 2])
    pairs = pairs_of(study)

    with CaptureQueriesContext(connection) as statements:
        assert settle(pairs, batch=study.batch) == []
    assert not [row for row in statements if row["sql"].endswith(" LIMIT 21")]


def test_open_seat_keeps_gold_away(study):
    study.rate_all("alice", 1)
    study.rate_all("bob", 1)
    study.hand_in("alice")

    settle(pairs_of(study), batch=study.batch)

    assert states(study) == [("agreed", "", None)] * 3


def test_agreement_is_no_gold_while_its_last_seat_is_open(study):
    study.finish(alice=1)
    study.rate_all("bob", 1)

    assert states(study) == [("agreed", "", None)] * 3


def test_open_seats_of_other_batches_keep_no_gold_away(db):
    study = make_study(facets=("method", "result"), candidates=1)

    study.finish(alice=1, bob=1)

    assert states(study) == [("agreed", "consensus", 1)]


def test_decision_stands_whatever_the_ratings_say(study):
    study.finish(alice=[0, 1, 2], bob=[3, 1, 2])
    disputed = study.batch.pairs.disputed().get()
    Pair.objects.filter(pk=disputed.pk).update(state="excluded", gold_origin="excluded")

    assert settle(pairs_of(study), batch=study.batch) == []
    disputed.refresh_from_db()
    assert disputed.state == "excluded"


def test_rating_of_a_decided_pair_leaves_its_state(study):
    """A seat may come back after its batch was decided; the decision stands until reopened."""
    pair = study.first_pair("alice")
    study.rate("alice", pair, 1)
    Pair.objects.filter(pk=pair.pk).update(state="excluded", gold_origin="excluded")

    study.rate("alice", pair, 2)

    pair.refresh_from_db()
    assert (pair.state, pair.gold_origin) == ("excluded", "excluded")
