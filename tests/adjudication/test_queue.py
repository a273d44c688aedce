"""Which topic comes next for an adjudicator, and what the queue's page says of each."""

from datetime import timedelta

from django.utils import timezone
from lxml import html

from adjudication.models import TopicHold
from adjudication.queue import next_topic, query_of, rows, topic_strip
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

    TopicHold.objects.filter(adjudicator=study.members["dora"]).update(until=timezone.now())
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

    first, second, _ = rows(study.members["carol"])[0]

    assert (first.holder, first.minutes_left) == (study.members["dora"], 5)
    assert second.holder is None


def test_queue_offers_one_topic_first_and_none_that_somebody_else_has_open(client, study):
    client.force_login(study.carol)
    hold(study, 0, "dora", minutes=5)

    def offered():
        page = html.fromstring(client.get("/collections/study/adjudicate/").content)
        return [
            number
            for number, row in enumerate(page.xpath("//ul[@class='cases']/li"))
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
