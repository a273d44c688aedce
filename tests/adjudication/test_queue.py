"""Which topic comes next for an adjudicator, and what the queue's page says of each."""

import uuid
from datetime import timedelta

from django.utils import timezone
from lxml import html

from adjudication.actions import decide, give_first_value, reopen
from adjudication.models import TopicHold
from adjudication.queue import QueueCase, next_topic, query_of, rows, topic_strip
from adjudication.scale import Scale
from annotation.schemes.actions import change_rules
from datasets.models import Query, TopicPlace
from tests.adjudication.conftest import hide_ratings
from tests.factories.studies import make_member, make_study
from tests.shelf import shelved


@shelved
def study(db):
    """Three topics with a dispute each: three grades apart, one apart, and one that nobody but Bob
    could judge."""
    study = make_study(facets=("background", "method", "result"), candidates=2)
    values = [([0, 1], [3, 1]), ([1, 1], [2, 1]), ([None, 1], [2, 1])]
    for batch, (alice, bob) in zip(study.collection.batches.all(), values, strict=True):
        study.finish(batch, alice=alice, bob=bob)
    study.members["dora"] = make_member(study.collection, "Dora", "adjudicator")
    return study


def hold(study, number, name, minutes):
    TopicHold.objects.create(
        topic=study.topics[number],
        adjudicator=study.members[name],
        until=timezone.now() + timedelta(minutes=minutes),
    )


def after(study, number):
    following = next_topic(study.members["carol"], after=study.topics[number])
    return following and study.topics.index(following)


def test_after_a_topic_the_next_follows_and_after_the_last_the_first(study):
    assert [after(study, number) for number in range(3)] == [1, 2, 0]


def test_topic_that_another_has_open_is_passed_over(study):
    hold(study, 1, "dora", minutes=5)
    hold(study, 2, "carol", minutes=5)
    assert after(study, 0) == 2

    # It is over, or was taken while the clock was a day ahead.
    for days in (0, 1):
        until = timezone.now() + timedelta(days=days)
        TopicHold.objects.filter(adjudicator=study.members["dora"]).update(until=until)
        assert after(study, 0) == 1


def test_nothing_follows_where_others_have_all_topics_open(study):
    for number in range(3):
        hold(study, number, "dora", minutes=5)

    assert after(study, 0) is None


def test_queue_says_how_far_the_widest_dispute_lies_apart(study):
    waiting, decided = rows(study.members["carol"])

    assert [row.topic for row in waiting] == study.topics
    assert [row.widest for row in waiting] == ["Three grades apart", "One grade apart", ""]
    assert [row.waiting_count for row in waiting] == [1, 1, 1]
    assert decided == []
    assert rows(study.members["bob"]) == ([], [])


def test_queue_tells_no_distance_of_hidden_ratings_or_of_labels(study):
    hide_ratings(study)
    assert {row.widest for row in rows(study.members["carol"])[0]} == {""}

    scheme = study.collection.scheme
    change_rules(scheme=scheme, by=study.lena, rule=scheme.rule, overlap=2, hides_ratings=False)
    scheme.scales.update(is_ordinal=False, distance=None)
    study.members["carol"].refresh_from_db()
    assert {row.widest for row in rows(study.members["carol"])[0]} == {""}


def test_queue_says_who_has_a_topic_open_and_for_how_long(study):
    hold(study, 0, "dora", minutes=4.5)
    hold(study, 1, "dora", minutes=-1)
    hold(study, 2, "dora", minutes=24 * 60)

    first, *others = rows(study.members["carol"])[0]

    assert (first.holder, first.minutes_left) == (study.members["dora"], 5)
    assert [row.holder for row in others] == [None, None]


def test_queue_offers_one_topic_first_and_none_that_somebody_else_has_open(client, study):
    client.force_login(study.carol)
    hold(study, 0, "dora", minutes=5)

    def offered():
        page = html.fromstring(client.get("/collections/study/adjudicate/").content)
        return [
            number
            for number, row in enumerate(page.xpath("//ul[contains(@class, 'cases')]/li"))
            if row.xpath(".//button[contains(@class, 'primary')]")
        ]

    assert offered() == [1]
    hold(study, 2, "carol", minutes=5)
    assert offered() == [2]
    TopicHold.objects.update(adjudicator=study.members["dora"])
    hold(study, 1, "dora", minutes=5)
    assert offered() == []


def test_topic_is_shown_with_the_query_at_its_first_place(study):
    topic = study.topics[0]
    shown = topic.places.get()
    assert query_of(topic) == shown.query

    earlier = Query.objects.create(
        collection=study.collection, external_id="q0", text="Another", position=9
    )
    TopicPlace.objects.create(topic=topic, query=earlier, position=shown.position)
    assert query_of(topic) == shown.query
    TopicPlace.objects.filter(pk=shown.pk).update(position=7)
    assert query_of(topic) == earlier


def test_strip_of_a_topic_holds_its_pairs_with_their_gaps(study):
    topic, carol = study.topics[2], study.members["carol"]
    pair = topic.pairs.first()

    strip = topic_strip(
        member=carol, topic=topic, scale=Scale(study.scheme, topic.facet), current=pair
    )

    [place] = strip.places
    assert (place.number, place.pair, place.is_current, place.is_decided) == (1, pair, True, False)
    assert place.gap.words == "One cannot judge"
    assert strip.noun == "disputed pair"
    assert strip.home == "/collections/study/adjudicate/"
    assert strip.beyond == f"{strip.home}?after={topic.public_id}"


def test_strip_tells_no_gap_of_hidden_ratings(study):
    hide_ratings(study)
    topic = study.topics[0]

    strip = topic_strip(
        member=study.members["carol"],
        topic=topic,
        scale=Scale(study.collection.scheme, topic.facet),
    )

    assert [(place.gap, place.is_current) for place in strip.places] == [(None, False)]
    assert strip.is_hidden


def case_of(study, name):
    """The first pair in the view of an adjudicator."""
    member, pair = study.members[name], study.topics[0].pairs.first()
    scale = Scale(study.collection.scheme, pair.topic.facet)
    decision = pair.decisions.filter(superseded_at=None, adjudicator=member).first()
    strip = topic_strip(member=member, topic=pair.topic, scale=scale)
    return QueueCase(pair=pair, member=member, decision=decision, strip=strip, scale=scale)


def decide_first(study, name, value, *, of=0):
    standing = case_of(study, name).decision
    decide(
        pair=study.topics[of].pairs.first(),
        by=study.members[name].user,
        save_id=uuid.uuid4(),
        based_on=standing.public_id if standing else None,
        option=study.option(value),
        rationale="So.",
    )


def test_hidden_ratings_are_shown_after_a_first_value_of_ones_own_alone(study):
    hide_ratings(study)
    pair = study.topics[0].pairs.first()
    first = give_first_value(pair=pair, by=study.members["dora"].user, option=study.option(1))

    carols, doras = case_of(study, "carol"), case_of(study, "dora")

    assert (carols.first_value, carols.asks_first_value, carols.raters) == (None, True, None)
    assert (doras.first_value, doras.asks_first_value) == (first, False)
    assert len(doras.raters) == 2


def test_a_reopened_decision_is_told_and_its_value_to_whoever_made_it(study):
    for value in (2, 3):
        decide_first(study, "carol", value)
    reopen(pair=study.topics[0].pairs.first(), by=study.lena, reason="Again.")

    carols, doras = case_of(study, "carol"), case_of(study, "dora")

    assert (carols.reopened.option.value, carols.reopened_words) == (3, "3 · Near-identical")
    assert (doras.reopened, doras.reopened_words) == (carols.reopened, "")
    decide_first(study, "dora", 0)
    assert case_of(study, "carol").reopened is None


def test_topics_that_are_decided_stand_apart_from_those_that_wait(study):
    decide_first(study, "carol", 3)

    waiting, decided = rows(study.members["carol"])

    counted = [[(row.topic, row.waiting_count, row.decided_count) for row in part]
               for part in (waiting, decided)]  # fmt: skip
    assert counted == [
        [(study.topics[1], 1, 0), (study.topics[2], 1, 0)],
        [(study.topics[0], 0, 1)],
    ]
    assert {row.title for row in [*waiting, *decided]} == {str(row.query) for row in waiting}
    assert rows(study.members["alice"]) == ([], [])
    for number in (1, 2):
        decide_first(study, "dora", 2, of=number)
    waiting, decided = rows(study.members["carol"])
    assert (waiting, [row.topic for row in decided]) == ([], [study.topics[0]])
