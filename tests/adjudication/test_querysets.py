"""What waits for an adjudicator, and what they may open."""

import uuid

import pytest
from django.utils import timezone

from adjudication.actions import decide, reopen
from adjudication.audits.actions import close_audit
from adjudication.querysets import (
    contested,
    decidable_by,
    decided_topics,
    dispute_counts,
    handed_in_and_not_rated_by,
    queue_pairs,
    queue_topics,
    readable_by,
    topic_pairs,
)
from annotation.assigning.actions.batches import lock_topic, make_batches
from datasets.models import Membership, Topic
from tests.adjudication.audits import entry, make_audit, make_audit_study
from tests.adjudication.conftest import hide_ratings
from tests.factories.studies import assign_all, make_member, make_study, make_topic


@pytest.fixture
def two(db):
    """Two topics: of the first all pairs are disputed, of the second two, one grade apart."""
    study = make_study(facets=("method", "result"), candidates=4)
    method, result = study.collection.batches.all()
    study.finish(method, alice=[1, 0, None, None], bob=[2, 3, 2, None])
    study.finish(result, alice=[2, 0, 0, 2], bob=[2, 1, 1, 2])
    return study


def decide_on(study, pair, value, *, by="carol", **details):
    return decide(
        pair=pair,
        by=study.members[by].user,
        save_id=uuid.uuid4(),
        option=study.option(value),
        rationale="So.",
        **details,
    )


def positions(pairs):
    return [pair.position for pair in pairs]


def test_pairs_of_a_topic_begin_with_the_largest_difference_and_end_with_none(two):
    carol, topic = two.members["carol"], two.topics[0]
    pairs = list(topic_pairs(member=carol, topic=topic))

    counted = [(pair.position, pair.difference, pair.cannot_judge_count) for pair in pairs]
    assert counted == [(1, 3, 0), (0, 1, 0), (2, 0, 1), (3, None, 2)]
    assert [(pair.lowest, pair.highest) for pair in pairs[:3]] == [(0, 3), (1, 2), (2, 2)]
    assert {pair.rating_count for pair in pairs} == {2}
    assert {pair.topic for pair in pairs} == {topic}


def test_order_tells_nothing_where_ratings_are_hidden_or_grades_have_no_order(two):
    carol, topic = two.members["carol"], two.topics[0]
    two.collection.scheme.scales.update(is_ordinal=False, distance=None)
    topic.refresh_from_db()
    assert positions(topic_pairs(member=carol, topic=topic)) == [0, 1, 2, 3]

    two.collection.scheme.scales.update(is_ordinal=True)
    hide_ratings(two)
    topic.refresh_from_db()
    assert positions(topic_pairs(member=carol, topic=topic)) == [0, 1, 2, 3]


def test_topics_of_the_queue_count_their_disputes_and_name_the_widest(two):
    other = make_study(slug="other", candidates=1)
    other.finish(alice=0, bob=3)

    topics = queue_topics(member=two.members["carol"])

    assert [(topic, topic.disputed_count, topic.widest) for topic in topics] == [
        (two.topics[0], 4, (0, 3)),
        (two.topics[1], 2, (0, 1)),
    ]
    assert queue_topics(member=two.members["alice"]) == []


def test_pairs_of_the_queue_come_topic_by_topic_and_the_widest_first(two):
    carol = two.members["carol"]

    pairs = list(queue_pairs(member=carol))

    assert [(pair.topic, pair.position) for pair in pairs] == [
        *((two.topics[0], position) for position in (1, 0, 2, 3)),
        *((two.topics[1], position) for position in (1, 2)),
    ]
    assert pairs == [
        pair
        for topic in queue_topics(member=carol)
        for pair in topic_pairs(member=carol, topic=topic)
    ]
    assert dispute_counts(member=carol) == {two.topics[0].pk: 4, two.topics[1].pk: 2}
    assert dispute_counts(member=two.members["alice"]) == {}


def test_topics_of_one_position_do_not_mix_in_the_queue(two):
    Topic.objects.update(position=0)

    pairs = list(queue_pairs(member=two.members["carol"]))

    assert [pair.topic for pair in pairs] == [two.topics[0]] * 4 + [two.topics[1]] * 2


def test_topics_and_pairs_of_the_queue_come_by_their_position(two):
    two.topics[0].pairs.filter(position=0).update(position=5)
    Topic.objects.filter(pk=two.topics[0].pk).update(position=9)
    two.collection.scheme.scales.update(is_ordinal=False, distance=None)
    carol = Membership.objects.get(pk=two.members["carol"].pk)

    places = [(pair.topic, pair.position) for pair in queue_pairs(member=carol)]

    assert places == [
        *((two.topics[1], position) for position in (1, 2)),
        *((two.topics[0], position) for position in (1, 2, 3, 5)),
    ]


def test_pairs_of_a_facet_without_an_order_keep_that_of_the_pool(db):
    facets = ("quality", "specificity")
    study = make_study(definition="litsearch", facets=facets, candidates=2)
    answers = {"quality": [(0, 1), (0, 2)], "specificity": [(0, None), (0, 1)]}
    study.scheme.scales.filter(facet="specificity").update(is_ordinal=False, distance=None)
    for topic, batch in zip(study.topics, study.collection.batches.all(), strict=True):
        options = study.scheme.scale_of(topic.facet).option_list
        for pair, given in zip(batch.pairs.all(), answers[topic.facet], strict=True):
            for name, place in zip(("alice", "bob"), given, strict=True):
                option = None if place is None else options[place]
                study.rate(name, pair, None, option=option, cannot_judge="" if option else "torn")
        for name in ("alice", "bob"):
            study.hand_in(name, batch)
    carol = Membership.objects.get(pk=study.members["carol"].pk)

    assert [(pair.topic.facet, pair.position) for pair in queue_pairs(member=carol)] == [
        ("quality", 1),
        ("quality", 0),
        ("specificity", 0),
        ("specificity", 1),
    ]


@pytest.mark.parametrize("topics", [1, 2])
def test_the_queue_takes_the_same_statements_for_any_topics(two, topics, django_assert_num_queries):
    two.collection.topics.filter(pk__in=[topic.pk for topic in two.topics[topics:]]).update(
        locked_at=timezone.now(), locked_by=two.lena
    )
    carol = Membership.objects.get(pk=two.members["carol"].pk)

    with django_assert_num_queries(4):
        assert len({pair.topic for pair in queue_pairs(member=carol)}) == topics
    with django_assert_num_queries(1):
        assert len(dispute_counts(member=carol)) == topics


def test_decided_topics_count_the_standing_decisions_of_ones_own(two):
    first, second = two.topics
    for topic, position in [(first, 1), (first, 0), (second, 1)]:
        decide_on(two, topic.pairs.get(position=position), 1)
    reopen(pair=first.pairs.get(position=0), by=two.lena, reason="Again.")

    topics = decided_topics(member=two.members["carol"])

    assert [(topic, topic.decided_count) for topic in topics] == [(first, 1), (second, 1)]
    assert positions(queue_pairs(member=two.members["carol"]).filter(topic=first)) == [0, 2, 3]


def test_decided_pair_is_open_to_whoever_decided_it_last(study, pair, dora):
    carol, second = study.members["carol"], study.members["dora"]
    decide_on(study, pair, 3)
    assert (pair in readable_by(carol), pair in readable_by(second)) == (True, False)
    assert pair in contested(second)

    reopen(pair=pair, by=study.lena, reason="Again.")
    decide_on(study, pair, 0, by="dora")
    assert (pair in readable_by(carol), pair in readable_by(second)) == (False, True)


def test_pairs_of_a_locked_topic_are_read_and_not_decided(study, pair):
    carol = study.members["carol"]
    for disputed in queue_pairs(member=carol).filter(topic=study.topics[0]):
        decide_on(study, disputed, 1)
    assert pair in decidable_by(carol)

    lock_topic(topic=study.topics[0], by=study.lena)

    assert pair not in decidable_by(carol)
    assert pair in readable_by(carol)


def test_raters_and_unfinished_seats_leave_nothing_to_decide(study):
    assert set(handed_in_and_not_rated_by(study.members["carol"])) == set(study.batch.pairs.all())
    assert not handed_in_and_not_rated_by(study.members["bob"]).exists()

    unfinished = make_study(slug="other")
    unfinished.rate_all("alice", 0)
    unfinished.rate_all("bob", 3)
    unfinished.hand_in("alice")
    waiting = handed_in_and_not_rated_by(unfinished.members["carol"])
    assert not waiting.filter(batch=unfinished.batch).exists()


def test_ratings_elsewhere_keep_nobody_from_deciding(two):
    erin = make_member(two.collection, "Erin", "annotator", "adjudicator")
    other = make_topic(two.collection, query_id="q2", candidates=1)
    [batch] = make_batches(collection=two.collection, by=two.lena, topics=[other])
    two.members["erin"] = erin
    assign_all(two, [batch], ["erin", "bob"])
    two.rate_all("erin", 1, batch)

    assert dispute_counts(member=erin) == dispute_counts(member=two.members["carol"])


def test_agreed_pairs_are_not_contested(study):
    assert positions(contested(study.members["carol"])) == [0, 1]


def test_decision_of_a_closed_audit_that_was_taken_back_leaves_the_pair_to_the_queue(db):
    study = make_audit_study(agreed=1, disputed=1)
    audit = make_audit(study, size=1, control_count=1)
    control = entry(audit, is_control=True).pair
    decide_on(study, control, 1, audit=audit)
    close_audit(audit=audit, by=study.lena)
    assert not contested(study.members["carol"]).exists()

    reopen(pair=control, by=study.lena, reason="Again.")

    assert list(queue_pairs(member=study.members["carol"])) == [control]


def test_pair_of_an_audit_leaves_the_queue_until_the_audit_is_closed(db):
    study = make_audit_study(agreed=1, disputed=2)
    carol = study.members["carol"]
    audit = make_audit(study, size=1, control_count=1)
    control, agreed = entry(audit, is_control=True).pair, entry(audit).pair
    [other] = contested(carol)
    assert other != control

    decide_on(study, agreed, 1, audit=audit)
    assert list(contested(carol)) == [other]

    close_audit(audit=audit, by=study.lena)
    # What was decided in it stays out; the control is a dispute like any other again.
    assert set(contested(carol)) == {control, other}
