"""Which pairs an audit may be drawn from."""

import uuid

import pytest

from adjudication.actions import decide, give_first_value, reopen, take_topic
from adjudication.audits.actions import close_audit
from adjudication.audits.drawing import Limits, agreed_pairs, control_pairs, drawn_in_order
from adjudication.models import TopicHold
from annotation.assigning.actions.assign import return_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import Pair
from annotation.sampling.drawing import Drawable
from tests.adjudication.audits import make_audit
from tests.adjudication.conftest import hide_ratings
from tests.factories.studies import (
    assign_all,
    make_aspect_query,
    make_aspect_study,
    make_member,
    make_study,
)
from tests.shelf import shelved


@shelved
def study(db):
    """Two topics of an agreed pair and a disputed one: Alice rated both, Bob the first and Erin
    the second; Carol and Dora adjudicate."""
    study = make_study(facets=("method", "result"), candidates=2, assign=False)
    for name, role in [("erin", "annotator"), ("dora", "adjudicator")]:
        study.members[name] = make_member(study.collection, name.title(), role)
    batches = make_batches(collection=study.collection, by=study.lena)
    for batch, second in zip(batches, ("bob", "erin"), strict=True):
        assign_all(study, [batch], ["alice", second])
        study.finish(batch, **{"alice": [2, 0], second: [2, 3]})
    return study


def drawable(study, *names):
    """(agreed pairs, disputed pairs) that an audit of these may draw, by their facets."""
    of = {
        "collection": study.collection,
        "adjudicators": [study.members[name] for name in names],
        "limits": Limits(),
    }
    return tuple(
        sorted(pairs.values_list("topic__facet", flat=True))
        for pairs in (agreed_pairs(**of), control_pairs(**of))
    )


def decided_and_reopened(study):
    pair = disputed(study)
    decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(3), rationale="So.")
    reopen(pair=pair, by=study.lena, reason="Again.")
    TopicHold.objects.all().delete()


def gave_a_first_value(study):
    hide_ratings(study)
    give_first_value(pair=disputed(study), by=study.carol, option=study.option(3))
    TopicHold.objects.all().delete()


def disputed(study):
    return study.topics[0].pairs.disputed().get()


BOTH = ["method", "result"]


@pytest.mark.parametrize(
    ("names", "agreed", "controls"),
    [
        (["carol"], BOTH, BOTH),
        (["bob"], ["result"], ["result"]),
        (["erin", "carol"], ["method"], ["method"]),
        (["bob", "erin"], [], []),
        (["alice"], [], []),
    ],
)
def test_pairs_that_an_adjudicator_rated_are_not_drawn(study, names, agreed, controls):
    assert drawable(study, *names) == (agreed, controls)


@pytest.mark.parametrize("happened", [decided_and_reopened, gave_a_first_value])
def test_a_pair_is_known_to_whoever_gave_it_a_value_and_to_nobody_else(study, happened):
    happened(study)

    assert drawable(study, "carol") == (BOTH, ["result"])
    assert drawable(study, "dora") == (BOTH, BOTH)


def test_controls_of_another_topic_are_drawn_while_one_is_held(study):
    take_topic(topic=study.topics[0], by=study.members["dora"].user)

    assert drawable(study, "carol") == (BOTH, ["result"])


def test_pairs_of_a_returned_seat_and_of_another_collection_are_not_drawn(study):
    other = make_study(slug="other", candidates=2)
    other.finish(alice=[2, 0], bob=[2, 3])
    assert drawable(study, "carol") == (BOTH, BOTH)

    batch = study.collection.batches.all()[1]
    return_seat(seat=study.seat("erin", batch), by=study.lena, reason="Look again.")
    assert drawable(study, "carol") == (["method"], ["method"])


def test_pairs_of_an_audit_are_drawn_again_once_it_is_closed(study):
    audit = make_audit(study, size=1, control_count=1)
    assert sorted(map(len, drawable(study, "carol"))) == [1, 1]

    close_audit(audit=audit, by=study.lena)

    assert drawable(study, "carol") == (BOTH, BOTH)


# --- the order ---


def in_order(seed="seed"):
    """24 of 120 agreed pairs and 12 of 40 controls, in their order."""
    pairs = [Drawable(number, f"q1\x1fd{number}") for number in range(160)]
    return drawn_in_order(pairs[:120], pairs[120:], size=24, control_count=12, seed=seed)


def test_controls_stand_anywhere_in_the_order():
    """Were the order that of the draw, the few controls would stand after the many agreed pairs."""
    drawn = in_order()

    assert [is_control for _, is_control in drawn] == [pair >= 120 for pair, _ in drawn]
    places = [place for place, (_, is_control) in enumerate(drawn) if is_control]
    assert (len(drawn), len(places)) == (36, 12)
    # Twelve places drawn from 36 lie all in one half once in 100,000 draws.
    assert min(places) < 18 <= max(places)


def test_another_seed_draws_others_in_another_order():
    first, second = in_order(), in_order("other")

    assert set(first) != set(second)
    assert in_order() == first


def test_a_limit_to_a_query_takes_its_topics_and_its_pool_alone(db):
    """Aspect "2" stands in both queries, and d1 is in both pools."""
    study = make_aspect_study()
    second = make_aspect_query(
        study.collection, query_id="1", tree={"2": [], "9": []}, documents=("d1", "e1")
    )

    pairs = Limits(query=second).of(Pair.objects.all())

    assert sorted(pairs.values_list("topic__external_id", "document__external_id")) == [
        ("2", "d1"), ("2", "e1"), ("9", "d1"), ("9", "e1"),
    ]  # fmt: skip
