"""The pairs that a report counts, those it leaves out, and its words for these."""

import uuid

import pytest

from adjudication.actions import decide
from agreement.statistics import CannotJudge, Reason, SummaryKind
from agreement.study.filters import Filters
from agreement.study.ratings import read_ratings_of
from agreement.subjects.overview.report import report_of, report_on
from agreement.tables.columns import TOPIC
from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import make_batches
from datasets.models import Document, Membership
from tests.factories.studies import make_member, make_study, make_topic

pytestmark = [pytest.mark.django_db, pytest.mark.once]

AGAIN = 8
# To read what has changed, to look whether it stayed as it was, and to keep a copy; and the facets,
# which the scheme keeps.
FIRST = AGAIN + 7


def decide_all(study, values, batch=None):
    """Carol decides the batch's disputed pairs in pool order; None excludes a pair."""
    pairs = (batch or study.batch).pairs.disputed()
    for pair, value in zip(pairs, values, strict=True):
        chosen = {"exclusion_reason": "not a paper"}
        if value is not None:
            chosen = {"option": study.option(value), "rationale": "neither saw it"}
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), **chosen)


def value_of(row, measure="percent"):
    return row.measures[measure].figure.value


def test_topic_counts_before_adjudication_once_every_seat_is_handed_in():
    study = make_study(candidates=4)
    study.rate_all("alice", [0, 1, 2, 3])
    study.hand_in("alice")
    study.rate_all("bob", [0, 1, 2, 0])

    [figures] = report_on(study.collection).topics
    reason = "4 pairs with a seat not handed in"
    assert figures.before is None
    assert figures.topic.not_yet_rated == figures.topic.not_yet_decided == reason

    study.hand_in("bob")

    [topic] = report_on(study.collection).topics
    assert value_of(topic.before) == 75
    assert topic.after is None
    assert topic.topic.not_yet_decided == "1 pair to decide"


def test_agreed_pairs_of_an_open_seat_are_not_after_figures():
    study = make_study()
    study.rate_all("alice", 1)
    study.hand_in("alice")
    study.rate_all("bob", 1)

    assert {pair.state for pair in study.batch.pairs.all()} == {"agreed"}
    report = report_on(study.collection)
    assert report.whole.after.topics == 0
    assert report.whole.after.measures["percent"].figure.reason == Reason.NO_FIGURES


def test_topic_counts_after_adjudication_once_no_pair_is_left_to_decide():
    study = make_study(candidates=4)
    study.finish(alice=[0, 1, 2, 3], bob=[0, 1, 3, 0])
    decide_all(study, [2, 1])

    [topic] = report_on(study.collection).topics

    # Gold is 0 1 2 1: first has 3 of 4 of it, second 2 of 4; the last value is neither's.
    assert value_of(topic.after) == 62.5
    assert (topic.after.overruling.overruled, topic.after.overruling.outside_range) == (1, 0)
    assert topic.after.overruling.share.value == 0.25


def test_pair_in_no_batch_makes_its_topic_not_yet():
    study = make_study()
    study.finish(alice=1, bob=1)
    topic = study.topics[0]
    document = Document.objects.create(
        collection=study.collection, external_id="late", title="Late"
    )
    topic.pairs.create(document=document, position=9)

    [figures] = report_on(study.collection).topics

    assert figures.before is None
    assert figures.topic.not_yet_rated == "1 pair in no batch"


def test_first_and_second_are_the_seats_by_ordinal_whoever_handed_in_first():
    study = make_study(candidates=3)
    study.rate_all("bob", [0, 0, 1])
    study.hand_in("bob")
    study.rate_all("alice", [2, 0, 1])
    study.hand_in("alice")

    confusion = report_on(study.collection).whole.confusion

    # Alice holds the first seat: her 2 stands in row 2, Bob's 0 in column 0.
    assert confusion == [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]


def test_cannot_judge_counts_as_the_lowest_value_or_drops_the_pair_everywhere():
    study = make_study(candidates=4)
    study.finish(alice=[0, None, 2, 3], bob=[0, 0, 2, 1])
    decide_all(study, [2, 3])

    [lowest] = report_on(study.collection, cannot_judge=CannotJudge.LOWEST).topics
    [dropped] = report_on(study.collection, cannot_judge=CannotJudge.DROP).topics

    assert value_of(lowest.before) == 75
    assert (lowest.before.pairs, lowest.after.pairs) == (4, 4)
    assert lowest.before.disagreement.by_distance == {0: 3, 2: 1}
    assert lowest.after.overruling.overruled == 1
    assert value_of(dropped.before) == pytest.approx(200 / 3)
    assert (dropped.before.pairs, dropped.after.pairs) == (3, 3)
    assert dropped.before.disagreement.by_distance == {0: 2, 2: 1}
    assert dropped.after.overruling.overruled == 0
    assert lowest.topic.cannot_judge == dropped.topic.cannot_judge == 1


def test_lowest_value_is_that_of_the_scale_not_of_the_ratings():
    study = make_study(candidates=2)
    study.finish(alice=[None, 1], bob=[1, 1])

    report = report_on(study.collection)

    assert value_of(report.whole.before) == 50
    assert report.rule_in_words == "“Cannot judge” counts as the lowest value, 0."


def test_excluded_pairs_count_before_adjudication_only():
    study = make_study(candidates=4)
    study.finish(alice=[0, 1, 2, 3], bob=[0, 1, 3, 0])
    decide_all(study, [None, 3])

    [topic] = report_on(study.collection).topics

    assert (topic.before.pairs, topic.after.pairs) == (4, 3)
    assert topic.topic.excluded == 1
    assert topic.after.overruling.pairs == 3


def finished_facets(first, second, third):
    """Three topics, finished without dispute or with; a triple of ratings for each."""
    study = make_study(facets=("background", "method", "result"), candidates=3)
    for batch, (alice, bob) in zip(
        study.collection.batches.all(), [first, second, third], strict=True
    ):
        study.finish(alice=alice, bob=bob, batch=batch)
    return study


def test_median_mean_and_pooled_are_three_different_things():
    study = finished_facets(([0, 1, 2], [0, 1, 2]), ([0, 0, 0], [0, 1, 1]), ([3, 3, 3], [1, 1, 1]))
    batch = study.collection.batches.last()
    # A fourth pair in the last topic, so that pooling weighs the topics differently.
    document = Document.objects.create(collection=study.collection, external_id="x", title="X")
    study.topics[2].pairs.create(document=document, position=9)
    make_batches(collection=study.collection, by=study.lena)
    extra = study.collection.batches.exclude(pk__lte=batch.pk).get()
    for seat, name in zip(extra.seats.all(), ["alice", "bob"], strict=True):
        assign_seat(seat=seat, member=study.members[name], by=study.lena)
    study.finish(alice=[2], bob=[2], batch=extra)

    shown = {
        kind: value_of(report_on(study.collection, summary=kind).whole.before)
        for kind in SummaryKind
    }

    # 3 of 3, 1 of 3 and 1 of 4 pairs have equal values.
    assert shown[SummaryKind.MEDIAN] == pytest.approx(100 / 3)
    assert shown[SummaryKind.MEAN] == pytest.approx((100 + 100 / 3 + 25) / 3)
    assert shown[SummaryKind.POOLED] == pytest.approx(50)


def test_undefined_topics_are_left_out_of_the_summary_and_counted():
    study = finished_facets(([0, 1, 2], [0, 1, 2]), ([0, 0, 0], [0, 1, 1]), ([3, 3, 3], [3, 3, 3]))

    before = report_on(study.collection).whole.before

    assert before.measures["rho"].figure.value == 1
    assert before.measures["rho"].left_out == {Reason.CONSTANT_LIST: 2}
    assert before.measures["kappa"].left_out == {Reason.ONE_VALUE: 1}
    assert before.topics == 3


def test_facets_come_in_the_order_of_the_scheme_with_their_names():
    study = make_study(facets=("result", "background"))

    report = report_on(study.collection)

    assert [(facet.key, facet.name) for facet in report.facets] == [
        ("background", "Background"),
        ("result", "Result"),
    ]


def test_pairs_with_another_overlap_are_compared_over_the_seats_they_have():
    study = make_study(candidates=2)
    study.finish(alice=[0, 1], bob=[0, 1])
    topic = study.topics[0]
    document = Document.objects.create(collection=study.collection, external_id="x", title="X")
    topic.pairs.create(document=document, position=9)
    [extra] = make_batches(collection=study.collection, by=study.lena)
    extra.overlap = 3
    extra.save()
    extra.seats.create(ordinal=3)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    for seat, name in zip(extra.seats.all(), ["alice", "bob", "erin"], strict=True):
        assign_seat(seat=seat, member=study.members[name], by=study.lena)
    for name, value in [("alice", 0), ("bob", 2), ("erin", 2)]:
        study.rate_all(name, [value], extra)
        study.hand_in(name, extra)

    [figures] = report_on(study.collection).topics

    # First and second over three pairs (2 of 3), third with each over the one pair it has.
    assert value_of(figures.before) == pytest.approx((200 / 3 + 0 + 100) / 3)
    assert figures.before.pairs == 3


def test_seat_that_changed_hands_is_reported_as_mixed():
    study = make_study(candidates=2)
    study.rate("alice", study.batch.pairs.all()[0], 1)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    assign_seat(
        seat=study.seat("alice"), member=study.members["erin"], by=study.lena, reason="She left."
    )
    study.rate("erin", study.batch.pairs.all()[1], 1)
    study.hand_in("erin")
    study.rate_all("bob", 1)
    study.hand_in("bob")

    report = report_on(study.collection)

    assert [(topic.key, topic.mixed_seats) for topic in report.mixed] == [("q1_method", 1)]
    assert value_of(report.whole.before) == 100


def seen_by(viewer, study):
    return report_of(study.collection, read_ratings_of(study.collection, viewer=viewer), Filters())


def lead_with_a_seat():
    """Alice leads as well; her own topic is unfinished, the other one is done by Bob and Erin."""
    study = make_study(facets=("method", "result"), assign=False)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    Membership.objects.filter(pk=study.members["alice"].pk).update(is_lead=True)
    lead_batch, other_batch = make_batches(collection=study.collection, by=study.lena)
    for batch, names in [(lead_batch, ["alice", "bob"]), (other_batch, ["bob", "erin"])]:
        for seat, name in zip(batch.seats.all(), names, strict=True):
            assign_seat(seat=seat, member=study.members[name], by=study.lena)
    for name in ("bob", "erin"):
        study.rate_all(name, 1, other_batch)
        study.hand_in(name, other_batch)
    study.rate_all("bob", 2, lead_batch)
    study.hand_in("bob", lead_batch)
    return study, lead_batch


def test_lead_who_holds_a_seat_sees_nothing_of_that_topic_until_it_is_handed_in():
    study, _ = lead_with_a_seat()

    report = seen_by(study.alice, study)

    assert [topic.key for topic in report.withheld] == ["q1_method"]
    method, result = report.topics
    assert method.topic.not_yet_rated.startswith("left out while you hold")
    assert (method.topic.unfinished, method.topic.undecided, method.topic.waiting) == (0, 0, 0)
    assert (method.before, method.after) == (None, None)
    assert result.before is not None
    assert seen_by(study.lena, study).withheld == []


def test_lead_who_gave_a_seat_back_stays_blind_to_the_topic():
    study, lead_batch = lead_with_a_seat()
    assign_seat(seat=study.seat("alice", lead_batch), member=None, by=study.lena)

    report = seen_by(study.alice, study)

    assert [topic.key for topic in report.withheld] == ["q1_method"]


def test_lead_who_handed_in_sees_the_topic_once_everybody_has():
    study, lead_batch = lead_with_a_seat()
    study.rate_all("alice", 2, lead_batch)
    study.hand_in("alice", lead_batch)

    report = seen_by(study.alice, study)

    assert report.withheld == []
    assert report.whole.before.topics == 2


def test_returned_seat_makes_the_topic_not_yet_again():
    study = make_study()
    study.finish(alice=1, bob=1)
    return_seat(seat=study.seat("bob"), by=study.lena, reason="Read the guideline on scope.")

    assert report_on(study.collection).whole.before.topics == 0


@pytest.mark.parametrize("topics", [1, 3])
def test_report_takes_the_same_number_of_statements_for_any_number_of_topics(
    topics, django_assert_num_queries
):
    study = make_study(facets=("background", "method", "result")[:topics])
    for batch in study.collection.batches.all():
        study.finish(alice=[0, 1, 2], bob=[0, 1, 1], batch=batch)
    study.collection.refresh_from_db()

    with django_assert_num_queries(FIRST):
        seen_by(study.lena, study)
    with django_assert_num_queries(AGAIN):
        seen_by(study.lena, study)


def test_topic_is_named_by_its_query():
    study = make_study()

    assert report_on(study.collection).topics[0].topic.title == "Title of q1"


@pytest.mark.parametrize(("candidates", "pairs"), [(1, "1 pair"), (2, "2 pairs")])
def test_figures_say_on_how_many_topics_and_pairs_they_rest(candidates, pairs):
    study = make_study(candidates=candidates)
    study.finish(alice=1, bob=1)

    assert report_on(study.collection).whole.rests_on(TOPIC) == (
        f"All: 1 topic of 1 query with {pairs} before, "
        f"1 topic of 1 query with {candidates} after; 1 in all."
    )


def test_collection_without_topics_has_an_empty_report():
    study = make_study(facets=())

    report = report_on(study.collection)

    assert (report.facets, report.topics, report.whole.topics) == ([], [], 0)


def test_other_collections_change_nothing():
    study = make_study(candidates=3)
    study.finish(alice=[0, 1, 2], bob=[0, 1, 1])
    before = report_on(study.collection)
    other = make_study(slug="other", candidates=3)
    other.finish(alice=[3, 3, 3], bob=[0, 0, 0])
    make_topic(other.collection, query_id="q2")

    assert report_on(study.collection).whole == before.whole
