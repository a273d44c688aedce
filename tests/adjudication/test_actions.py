import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import User
from adjudication.actions import (
    MAX_REASON_LENGTH,
    AlreadyDecided,
    RationaleMissing,
    SaveIdReused,
    decide,
    give_first_value,
    reopen,
    take_topic,
)
from adjudication.models import Decision, FirstValue, TopicHold
from adjudication.querysets import queue_pairs
from annotation.assigning.actions.assign import return_seat
from annotation.assigning.actions.batches import lock_topic, unlock_topic
from annotation.models import Rating
from annotation.progress.attention import undecidable_pairs
from audit.models import Event
from audit.refusals import Invalid, Locked, NotAllowed, Refused, Stale
from config.integrity import findings
from datasets.models import Membership
from tests.adjudication.audits import entry, make_audit, make_audit_study
from tests.adjudication.conftest import hide_ratings
from tests.factories.studies import make_member, make_study
from tests.shelf import shelved


def gold(pair):
    pair.refresh_from_db()
    return pair.state, pair.gold_origin, pair.gold_value


# --- deciding ---


def test_a_decision_sets_the_gold_of_a_disputed_pair(study, pair, decide_as):
    decision = decide_as(study.carol, pair, 3, cause="granularity", rationale="Same task.")

    assert gold(pair) == ("adjudicated", "adjudicated", 3)
    assert (decision.cause, decision.rationale) == ("granularity", "Same task.")
    [event] = Event.objects.about(pair).filter(verb="decide")
    assert (event.actor, event.after["option"]) == (study.carol, "identical")
    assert event.collection == study.collection.public_id


def test_a_pair_can_be_left_out_with_a_reason(study, pair, decide_as):
    decide_as(study.carol, pair, None, exclusion_reason="The abstract is garbled.")

    assert gold(pair) == ("excluded", "excluded", None)


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"exclusion_reason": "   "},
        {"value": 3, "exclusion_reason": "Both at once."},
        {"value": 3, "cause": "bad_weather"},
        {"value": 3, "rationale": "x" * (MAX_REASON_LENGTH + 1)},
    ],
)
def test_a_decision_that_does_not_hold_together_is_refused(study, pair, decide_as, choice):
    with pytest.raises(Invalid):
        decide_as(study.carol, pair, choice.pop("value", None), **choice)

    assert Decision.objects.count() == 0
    assert gold(pair) == ("disputed", "", None)


def test_a_grade_of_another_scheme_is_refused(study, pair):
    other = make_study(slug="other")

    with pytest.raises(Invalid, match="not part of the scheme"):
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=other.option(3))
    with pytest.raises(Invalid, match="not part of the scheme"):
        give_first_value(pair=pair, by=study.carol, option=other.option(3))


@pytest.mark.parametrize("kind", ["rationale", "exclusion_reason"])
def test_a_reason_has_room_up_to_its_limit(study, pair, decide_as, kind):
    reason = "x" * MAX_REASON_LENGTH
    value = 3 if kind == "rationale" else None

    assert getattr(decide_as(study.carol, pair, value, **{kind: reason}), kind) == reason


def test_a_grade_that_no_annotator_gave_needs_a_rationale(study, pair, decide_as):
    with pytest.raises(RationaleMissing):
        decide_as(study.carol, pair, 1, rationale="  ")

    decide_as(study.carol, pair, 1, rationale="Both missed the second sentence.")
    assert gold(pair) == ("adjudicated", "adjudicated", 1)


def test_a_grade_needs_a_rationale_where_nobody_could_judge(db):
    study = make_study(candidates=1)
    study.finish(alice=[None], bob=[None])
    pair = study.batch.pairs.get()

    with pytest.raises(RationaleMissing):
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(0))


def test_the_same_save_sent_again_is_the_same_decision(study, pair, decide_as):
    save_id = uuid.uuid4()

    decisions = [decide_as(study.carol, pair, 3, save_id=save_id) for _ in range(3)]

    assert len({decision.pk for decision in decisions}) == 1
    assert Event.objects.about(pair).filter(verb="decide").count() == 1


def test_the_same_save_with_another_decision_is_refused(study, pair, decide_as):
    save_id = uuid.uuid4()
    decide_as(study.carol, pair, 3, save_id=save_id)

    with pytest.raises(SaveIdReused):
        decide_as(study.carol, pair, 0, save_id=save_id)

    assert gold(pair) == ("adjudicated", "adjudicated", 3)


def test_a_save_belongs_to_one_pair(study, pair, decide_as):
    save_id, other = uuid.uuid4(), study.batch.pairs.all()[1]
    decide_as(study.carol, pair, None, exclusion_reason="Garbled.", save_id=save_id)

    with pytest.raises(SaveIdReused):
        decide_as(study.carol, other, None, exclusion_reason="Garbled.", save_id=save_id)
    assert gold(other) == ("disputed", "", None)


def test_a_save_that_was_lost_on_the_way_is_answered_after_the_lock(study, pair, decide_as):
    save_id = uuid.uuid4()
    decision = decide_as(study.carol, pair, 3, save_id=save_id)
    decide_as(study.carol, study.batch.pairs.all()[1], 2)
    lock_topic(topic=study.topics[0], by=study.lena)

    assert decide_as(study.carol, pair, 3, save_id=save_id) == decision


# --- changing a decision ---


def test_authors_change_their_decision_and_the_old_one_stays(study, pair, decide_as):
    first = decide_as(study.carol, pair, 3)

    second = decide_as(study.carol, pair, 0, based_on=first.public_id)

    first.refresh_from_db()
    assert first.superseded_at is not None
    assert (first.superseded_by, second.superseded_at) == (study.carol, None)
    assert gold(pair) == ("adjudicated", "adjudicated", 0)
    [event] = Event.objects.about(pair).filter(verb="change decision")
    assert (event.before["option"], event.after["option"]) == ("identical", "irrelevant")


def test_a_decision_changed_in_another_tab_is_reported_not_overwritten(study, pair, decide_as):
    first = decide_as(study.carol, pair, 3)
    second = decide_as(study.carol, pair, 0, based_on=first.public_id)

    with pytest.raises(AlreadyDecided) as refusal:
        decide_as(study.carol, pair, 3, based_on=first.public_id)

    assert refusal.value.current == second
    assert gold(pair) == ("adjudicated", "adjudicated", 0)


def test_nobody_changes_the_decision_of_another_adjudicator(study, pair, dora, decide_as):
    first = decide_as(study.carol, pair, 3)

    for based_on in [None, first.public_id]:
        with pytest.raises(AlreadyDecided):
            decide_as(dora, pair, 0, based_on=based_on)

    assert gold(pair) == ("adjudicated", "adjudicated", 3)


def test_an_excluded_pair_can_get_a_grade_after_all(study, pair, decide_as):
    first = decide_as(study.carol, pair, None, exclusion_reason="Garbled.")

    decide_as(study.carol, pair, 3, based_on=first.public_id)

    assert gold(pair) == ("adjudicated", "adjudicated", 3)


def test_a_lock_ends_all_changes_and_an_unlock_allows_them(study, pair, decide_as):
    first = decide_as(study.carol, pair, 3)
    decide_as(study.carol, study.batch.pairs.all()[1], 2)
    lock_topic(topic=study.topics[0], by=study.lena)

    with pytest.raises(Locked):
        decide_as(study.carol, pair, 0, based_on=first.public_id)
    with pytest.raises(Locked):
        reopen(pair=pair, by=study.lena, reason="A second look.")

    unlock_topic(topic=study.topics[0], by=study.lena, reason="One more change.")
    decide_as(study.carol, pair, 0, based_on=first.public_id)
    assert gold(pair) == ("adjudicated", "adjudicated", 0)


# --- who may decide ---


@pytest.mark.parametrize("name", ["alice", "bob", "lena"])
def test_only_adjudicators_decide(study, pair, decide_as, name):
    with pytest.raises(NotAllowed):
        decide_as(getattr(study, name), pair, 3)


def test_an_adjudicator_who_left_decides_nothing(study, pair, decide_as):
    carol = study.members["carol"]
    carol.removed_at = timezone.now()
    carol.save(update_fields=["removed_at"])

    with pytest.raises(NotAllowed):
        decide_as(study.carol, pair, 3)


def test_an_adjudicator_of_another_collection_decides_nothing(study, pair, decide_as):
    other = make_study(slug="other")
    stranger = make_member(other.collection, "Dave", "adjudicator")

    with pytest.raises(NotAllowed):
        decide_as(stranger.user, pair, 3)


def make_adjudicator(study, name):
    member = study.members[name]
    member.is_adjudicator = True
    member.save(update_fields=["is_adjudicator"])
    return member


def test_nobody_adjudicates_a_pair_that_they_rated(study, pair, decide_as):
    make_adjudicator(study, "alice")

    with pytest.raises(NotAllowed, match="rated"):
        decide_as(study.alice, pair, 3)


def test_the_database_refuses_a_decision_by_a_rater(study, pair):
    decision = Decision(
        pair=pair, adjudicator=study.members["alice"], option=study.option(3), save_id=uuid.uuid4()
    )

    with pytest.raises(IntegrityError, match="nobody adjudicates"), transaction.atomic():
        decision.save(force_insert=True)


@pytest.mark.parametrize("values", [{"alice": 0, "bob": 3}, {"alice": 0, "bob": None}])
def test_a_pair_waits_until_every_seat_is_handed_in(db, values):
    study = make_study(facets=("method", "result"), candidates=1)
    study.finish(study.collection.batches.last(), alice=0, bob=3)
    pair = study.batch.pairs.get()
    for name, value in values.items():
        study.rate(name, pair, value)
    study.hand_in("alice")

    with pytest.raises(NotAllowed, match="handed in"):
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(0))


def test_a_returned_seat_takes_its_pairs_out_of_the_queue(study, pair, decide_as):
    decision = decide_as(study.carol, pair, 3)
    return_seat(seat=study.seat("bob"), by=study.lena, reason="Please look again.")

    for other in study.batch.pairs.all():
        with pytest.raises(NotAllowed):
            decide_as(study.carol, other, 3)

    assert list(queue_pairs(member=study.members["carol"]).filter(topic=study.topics[0])) == []
    assert pair.decisions.get() == decision
    assert gold(pair) == ("adjudicated", "adjudicated", 3)


def test_agreed_pairs_are_not_for_deciding(study, decide_as):
    agreed = study.batch.pairs.all()[2]

    with pytest.raises(NotAllowed, match="not disputed"):
        decide_as(study.carol, agreed, 2)


# --- the queue ---


def test_the_queue_begins_with_the_largest_difference(db):
    study = make_study(candidates=5)
    study.finish(alice=[1, None, 0, 0, 2], bob=[2, 3, 2, 3, 2])

    pairs = queue_pairs(member=study.members["carol"]).filter(topic=study.topics[0])

    assert [(pair.position, pair.difference) for pair in pairs] == [(3, 3), (2, 2), (0, 1), (1, 0)]


def test_a_decided_pair_never_returns_to_the_queue(study, pair, dora, decide_as):
    decide_as(study.carol, pair, 3)

    for name in ["carol", "dora"]:
        waiting = queue_pairs(member=study.members[name]).filter(topic=study.topics[0])
        assert pair not in waiting
    assert list(findings()) == []


def test_a_pair_is_undecidable_when_every_adjudicator_rated_it(study, pair):
    assert list(undecidable_pairs(study.collection)) == []

    carol = study.members["carol"]
    carol.is_adjudicator, carol.is_annotator = False, True
    carol.save(update_fields=["is_adjudicator", "is_annotator"])
    make_adjudicator(study, "alice")

    assert list(undecidable_pairs(study.collection)) == list(study.batch.pairs.disputed())


@pytest.mark.parametrize("why", ["imported", "deactivated"])
def test_an_adjudicator_who_cannot_sign_in_decides_nothing(study, why):
    carol = study.members["carol"]
    if why == "imported":
        carol.user, carol.external_id = None, "adjudicator"
        carol.save(update_fields=["user", "external_id"])
    else:
        carol.user.is_active = False
        carol.user.save(update_fields=["is_active"])

    assert undecidable_pairs(study.collection).count() == 2


# --- reopening ---


def test_reopening_returns_the_pair_to_dispute_and_keeps_the_decision(study, pair, decide_as):
    decision = decide_as(study.carol, pair, 3)

    reopen(pair=pair, by=study.lena, reason="The guideline changed.")

    decision.refresh_from_db()
    assert gold(pair) == ("disputed", "", None)
    assert (decision.reopening_reason, decision.superseded_by) == (
        "The guideline changed.",
        study.lena,
    )
    assert pair in queue_pairs(member=study.members["carol"]).filter(topic=study.topics[0])
    [event] = Event.objects.about(pair).filter(verb="reopen")
    assert event.reason == "The guideline changed."
    assert event.collection == study.collection.public_id


def test_reopening_an_exclusion_disputes_the_pair_again(study, pair, decide_as):
    decide_as(study.carol, pair, None, exclusion_reason="Garbled.")

    reopen(pair=pair, by=study.lena, reason="The text was repaired.")

    assert gold(pair) == ("disputed", "", None)


def test_a_reopened_pair_can_be_decided_by_another_adjudicator(study, pair, dora, decide_as):
    decide_as(study.carol, pair, 3)
    reopen(pair=pair, by=study.lena, reason="A second opinion.")

    decide_as(dora, pair, 0)

    assert gold(pair) == ("adjudicated", "adjudicated", 0)
    assert pair.decisions.count() == 2


def test_a_change_of_a_reopened_decision_is_reported(study, pair, decide_as):
    decision = decide_as(study.carol, pair, 3)
    reopen(pair=pair, by=study.lena, reason="A second opinion.")

    with pytest.raises(Stale, match="reopened"):
        decide_as(study.carol, pair, 0, based_on=decision.public_id)


@pytest.mark.parametrize(
    ("name", "reason", "refusal"),
    [("carol", "Mine.", NotAllowed), ("alice", "Hm.", NotAllowed), ("lena", " ", Invalid)],
)
def test_only_a_lead_reopens_and_says_why(study, pair, decide_as, name, reason, refusal):
    decide_as(study.carol, pair, 3)

    with pytest.raises(refusal):
        reopen(pair=pair, by=getattr(study, name), reason=reason)

    assert gold(pair) == ("adjudicated", "adjudicated", 3)


def test_lead_of_another_collection_reopens_nothing(study, pair, decide_as):
    decide_as(study.carol, pair, 3)
    make_member(make_study(slug="other").collection, "Olaf", "lead")
    olaf = User.objects.get(email="olaf@example.org")

    with pytest.raises(NotAllowed):
        reopen(pair=pair, by=olaf, reason="Mine.")
    assert gold(pair) == ("adjudicated", "adjudicated", 3)


def test_a_pair_without_a_decision_cannot_be_reopened(study, pair):
    with pytest.raises(Refused, match=r"No decision stands for this pair\.$"):
        reopen(pair=pair, by=study.lena, reason="A second look.")


def test_who_would_reopen_an_agreed_pair_learns_how_such_pairs_are_decided(study):
    with pytest.raises(Refused, match="an adjudicator decides such pairs in an audit"):
        reopen(pair=study.batch.pairs.last(), by=study.lena, reason="A second look.")


# --- what the database refuses ---


def test_the_database_keeps_one_standing_decision_per_pair(study, pair, decide_as):
    decide_as(study.carol, pair, 3)
    second = Decision(
        pair=pair, adjudicator=study.members["carol"], option=study.option(0), save_id=uuid.uuid4()
    )

    with pytest.raises(IntegrityError), transaction.atomic():
        second.save(force_insert=True)


@pytest.mark.parametrize(
    "fields",
    [
        {"option": None, "exclusion_reason": ""},
        {"option": 3, "exclusion_reason": "Both."},
        {"option": 3, "reopening_reason": "Stands and is reopened."},
    ],
)
def test_the_database_refuses_a_decision_of_two_minds(study, pair, fields):
    if fields["option"] is not None:
        fields = fields | {"option": study.option(fields["option"])}
    decision = Decision(pair=pair, adjudicator=study.members["carol"], **fields)

    with pytest.raises(IntegrityError), transaction.atomic():
        decision.save(force_insert=True)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE adjudication_decision SET rationale = 'other'",
        "UPDATE adjudication_decision SET cause = 'other'",
        "UPDATE adjudication_decision SET option_id = NULL, exclusion_reason = 'out'",
        "DELETE FROM adjudication_decision",
    ],
)
def test_the_database_never_rewrites_a_decision(study, pair, decide_as, statement):
    decide_as(study.carol, pair, 3)

    with pytest.raises(IntegrityError), transaction.atomic():
        connection.cursor().execute(statement)

    assert Decision.objects.get().option == study.option(3)


def test_the_database_never_revives_a_superseded_decision(study, pair, decide_as):
    decide_as(study.carol, pair, 3)
    reopen(pair=pair, by=study.lena, reason="A second opinion.")

    with pytest.raises(IntegrityError), transaction.atomic():
        Decision.objects.update(superseded_at=None, reopening_reason="")


# --- taking a topic ---


def test_taking_a_topic_shows_it_as_taken_for_half_an_hour(study):
    before = timezone.now()

    hold = take_topic(topic=study.topics[0], by=study.carol)

    assert hold.adjudicator == study.members["carol"]
    assert timedelta(minutes=30) <= hold.until - before < timedelta(minutes=31)


def test_a_topic_that_somebody_has_open_is_not_taken_from_them(study, dora):
    take_topic(topic=study.topics[0], by=study.carol)

    hold = take_topic(topic=study.topics[0], by=dora)

    assert hold.adjudicator == study.members["carol"]
    assert TopicHold.objects.get().adjudicator == study.members["carol"]


def test_each_topic_is_taken_on_its_own(db):
    study = make_study(facets=("method", "result"))
    dora = make_member(study.collection, "Dora", "adjudicator")
    first, second = study.topics

    take_topic(topic=first, by=study.carol)
    hold = take_topic(topic=second, by=dora.user)

    assert (hold.topic, hold.adjudicator) == (second, dora)
    assert TopicHold.objects.get(topic=first).adjudicator == study.members["carol"]


# It is over, or was taken while the clock was an hour ahead.
@pytest.mark.parametrize("seconds", [-1, 90 * 60])
def test_a_topic_left_alone_for_half_an_hour_is_free(study, dora, seconds):
    take_topic(topic=study.topics[0], by=study.carol)
    TopicHold.objects.update(until=timezone.now() + timedelta(seconds=seconds))

    hold = take_topic(topic=study.topics[0], by=dora)

    assert hold.adjudicator == study.members["dora"]


def test_deciding_keeps_the_topic_open_for_longer(study, pair, decide_as):
    take_topic(topic=study.topics[0], by=study.carol)
    TopicHold.objects.update(until=timezone.now() + timedelta(minutes=2))

    decide_as(study.carol, pair, 3)

    assert TopicHold.objects.get().until > timezone.now() + timedelta(minutes=20)


def test_a_hold_keeps_nobody_from_deciding(study, pair, dora, decide_as):
    take_topic(topic=study.topics[0], by=study.carol)

    decide_as(dora, pair, 3)

    assert gold(pair) == ("adjudicated", "adjudicated", 3)
    assert TopicHold.objects.get().adjudicator == study.members["carol"]


@pytest.mark.parametrize("name", ["alice", "lena"])
def test_only_adjudicators_take_a_topic(study, name):
    with pytest.raises(NotAllowed):
        take_topic(topic=study.topics[0], by=getattr(study, name))


# --- a first own value, where the scheme hides the ratings ---


@shelved
def hidden(study):
    hide_ratings(study)
    return study


def test_where_ratings_are_hidden_a_decision_needs_a_first_value(hidden, pair, decide_as):
    for value in [3, 1]:  # given by Bob, given by nobody: the refusal is the same
        with pytest.raises(Invalid, match="first grade of your own") as refusal:
            decide_as(hidden.carol, pair, value)
        assert not isinstance(refusal.value, RationaleMissing)

    give_first_value(pair=pair, by=hidden.carol, option=hidden.option(1))
    decide_as(hidden.carol, pair, 3)
    assert gold(pair) == ("adjudicated", "adjudicated", 3)


def test_the_first_value_of_an_adjudicator_lets_no_other_decide(hidden, pair, dora, decide_as):
    give_first_value(pair=pair, by=dora, option=hidden.option(3))

    with pytest.raises(Invalid, match="first grade of your own"):
        decide_as(hidden.carol, pair, 3)


def test_a_pair_can_be_left_out_unseen(hidden, pair, decide_as):
    decide_as(hidden.carol, pair, None, exclusion_reason="Garbled.")

    assert gold(pair) == ("excluded", "excluded", None)


def test_the_first_value_is_kept_whatever_is_given_later(hidden, pair):
    give_first_value(pair=pair, by=hidden.carol, option=hidden.option(1))

    again = give_first_value(pair=pair, by=hidden.carol, option=hidden.option(3))

    assert again.option == hidden.option(1)
    assert FirstValue.objects.count() == 1
    [event] = Event.objects.about(pair).filter(verb="give first value")
    assert event.after == {"option": hidden.option(1).key}
    assert event.collection == hidden.collection.public_id


def test_a_first_value_may_follow_a_decision_that_was_reopened(hidden, pair, dora, decide_as):
    give_first_value(pair=pair, by=dora, option=hidden.option(3))
    decide_as(dora, pair, 3)
    reopen(pair=pair, by=hidden.lena, reason="Again.")

    assert give_first_value(pair=pair, by=hidden.carol, option=hidden.option(1)).pair == pair


def test_no_first_value_for_a_pair_of_an_open_audit(db):
    study = make_audit_study(agreed=1, disputed=1)
    control = entry(make_audit(study, size=1, control_count=1), is_control=True)

    with pytest.raises(NotAllowed, match="not in the queue"):
        give_first_value(pair=control.pair, by=study.carol, option=study.option(1))


def test_no_first_value_for_a_pair_outside_the_queue(hidden, pair, dora, decide_as):
    make_adjudicator(hidden, "alice")
    agreed = hidden.batch.pairs.all()[2]
    give_first_value(pair=pair, by=hidden.carol, option=hidden.option(3))
    decide_as(hidden.carol, pair, 3)

    for refused, user in [(pair, hidden.alice), (agreed, hidden.carol)]:
        with pytest.raises(NotAllowed):
            give_first_value(pair=refused, by=user, option=hidden.option(1))
    with pytest.raises(AlreadyDecided):
        give_first_value(pair=pair, by=dora, option=hidden.option(1))

    assert FirstValue.objects.count() == 1
    return_seat(seat=hidden.seat("bob"), by=hidden.lena, reason="Again.")
    other = hidden.batch.pairs.all()[1]
    with pytest.raises(NotAllowed, match="handed in"):
        give_first_value(pair=other, by=hidden.carol, option=hidden.option(1))


def test_the_queue_of_hidden_ratings_keeps_the_order_of_the_pool(db):
    study = make_study(candidates=3)
    study.finish(alice=[1, 0, None], bob=[2, 3, 1])
    hide_ratings(study)

    carol = Membership.objects.get(pk=study.members["carol"].pk)

    assert [pair.position for pair in queue_pairs(member=carol)] == [0, 1, 2]


def test_no_rating_is_touched_by_a_decision(study, pair, decide_as):
    before = list(Rating.objects.order_by("pk").values())

    decision = decide_as(study.carol, pair, 3)
    decide_as(study.carol, pair, None, based_on=decision.public_id, exclusion_reason="Out.")
    reopen(pair=pair, by=study.lena, reason="Again.")

    assert list(Rating.objects.order_by("pk").values()) == before
    assert list(findings()) == []
