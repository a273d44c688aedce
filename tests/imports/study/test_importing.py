"""Storing neutral records: whole or not at all, and done twice it changes nothing."""

import itertools
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from adjudication.audits.actions import close_audit, draw_audit
from adjudication.models import Decision
from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import lock_topic, make_batches, unlock_topic
from annotation.authoring.actions.queries import remove_query
from annotation.models import Batch, Pair, Rating, RatingRevision, Seat
from annotation.rating.rate import rate_pair
from annotation.schemes.actions import change_rules, create_scheme, load_definition
from audit.hashes import rehash
from audit.models import Event
from audit.refusals import Locked, Refused
from audit.verbs import Verb
from config.integrity import findings
from datasets.models import (
    Candidate,
    Collection,
    Document,
    Import,
    Membership,
    Query,
    Topic,
    TopicPlace,
)
from formats.problems import BadInputError
from formats.records import TopicPlace as TreePlace
from imports import life
from imports.answers import NOT_IN_FILE
from imports.run import carry_out, survey
from imports.study.importing import StudyMoving
from imports.study.late import StoredAnswers
from imports.study.preview import preview_of
from imports.study.terms import Matching
from tests.damage import rewrite
from tests.factories.neutral import Neutral, rated_study, small_study
from tests.factories.studies import make_member, make_user
from tests.imports.rows import NO_ROWS, count_rows
from tests.shelf import shelved


@shelved
def collection(db):
    collection = Collection.objects.create(slug="study", name="Study")
    create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
    return collection


@shelved
def elsewhere(db):
    collection = Collection.objects.create(slug="elsewhere", name="Elsewhere")
    create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
    return collection


@pytest.fixture
def cafe():
    """One name twice: é as one character, and as two."""
    return "caf\u00e9", "cafe\u0301"


@shelved
def texts(db):
    """A collection whose queries are texts with aspects."""
    collection = Collection.objects.create(slug="texts", name="Texts")
    create_scheme(collection=collection, definition=load_definition("doris-mae"), by=None)
    return collection


@shelved
def lena(collection):
    return make_member(collection, "Lena", "lead").user


@pytest.fixture
def run(collection, lena, monkeypatch):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    return lambda neutral, **how: bring_in(neutral, collection, lena, **how)


def bring_in(neutral, collection, by, **how):
    collection.refresh_from_db()
    return carry_out(StudyMoving(neutral.study, collection, by, **how))


def test_as_much_is_asked_for_three_raters_as_for_one(collection, lena):
    statements = []
    for names in (["ann"], ["ann", "ben", "cy"]):
        neutral = small_study().rate("q1_method", "q1c1", **dict.fromkeys(names, 3))
        with CaptureQueriesContext(connection) as captured:
            StudyMoving(neutral.study, collection, lena).compare()
        statements.append(len(captured))

    assert statements[0] == statements[1]


def problems_of(run, neutral, **how):
    with pytest.raises(BadInputError) as caught:
        run(neutral, **how)
    return [str(problem) for problem in caught.value.problems]


def states():
    rows = Pair.objects.order_by("position").values_list(
        "document__external_id", "state", "gold_value"
    )
    return [(document, state, value and int(value)) for document, state, value in rows]


def states_of(topic):
    rows = Pair.objects.filter(topic__external_id=topic).order_by("position")
    names = ("document__external_id", "state", "gold_value")
    return [
        (document, state, value and int(value))
        for document, state, value in rows.values_list(*names)
    ]


def test_a_pool_becomes_pairs_that_wait_for_a_batch(run):
    outcome = run(small_study())

    assert outcome.sentence == "Added 8 documents, 2 queries, 4 topics, 12 pairs."
    assert Pair.objects.waiting().count() == 12
    assert [topic.external_id for topic in Topic.objects.all()] == [
        "q1_background", "q1_method", "q2_background", "q2_method",
    ]  # fmt: skip
    query = Query.objects.get(external_id="q1")
    assert [(c.external_id, c.sources) for c in query.candidates.all()] == [
        ("q1c1", ["bm25"]), ("q1c2", ["bm25"]), ("q1c3", ["bm25"]),
    ]  # fmt: skip
    assert list(findings()) == []


def test_a_candidate_of_two_sources_has_both_in_order(run):
    run(small_study().pool("q1", "q1c1", sources=["cited", "bm25"]))

    assert Candidate.objects.get(external_id="q1c1").sources == ["bm25", "cited"]


def test_a_later_file_adds_its_source_and_takes_none_away(run):
    run(small_study())
    run(small_study().pool("q1", "q1c1", sources=["dense"]))
    again = Neutral().pool("q1", "q1c1", sources=["cited"])

    run(again)

    candidate = Candidate.objects.get(external_id="q1c1")
    assert candidate.sources == ["bm25", "dense", "cited"]
    assert candidate.document == Document.objects.get(external_id="q1c1")


def test_a_pooled_document_without_text_is_a_candidate_without_pairs_and_listed(run):
    outcome = run(small_study().pool("q1", "textless"))

    assert outcome.summary["without_text"] == ["textless"]
    assert Candidate.objects.get(external_id="textless").document is None
    assert not Pair.objects.filter(document__external_id="textless").exists()


def test_the_pool_of_one_topic_makes_no_pairs_of_another(run):
    run(small_study().document("extra").pool("q1", "extra", topic="q1_method"))

    pairs = Pair.objects.filter(document__external_id="extra")
    assert [pair.topic.external_id for pair in pairs] == ["q1_method"]


def test_a_facet_and_an_aspect_of_one_id_are_told_apart(run):
    run(small_study())
    neutral = Neutral().document("q1").query("q1", document="q1")

    [problem] = problems_of(run, neutral.topic("q1_method", "q1", text="Does one thing"))

    assert (
        "the topic q1_method is an aspect here, but of the facet method in the collection."
    ) in problem


def test_aspects_stand_in_the_tree_of_a_query_that_is_a_text(db, lena, monkeypatch):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    collection = Collection.objects.create(slug="aspects", name="Aspects")
    create_scheme(collection=collection, definition=load_definition("doris-mae"), by=None)
    neutral = Neutral().document("a1").query("7", text="I look for both. And more.")
    neutral.topic("t1", "7", text="Does one thing").topic("t2", "7", text="Well", parent="t1")

    bring_in(neutral.pool("7", "a1"), collection, lena)

    query = Query.objects.get()
    assert [sentence["text"] for sentence in query.sentences] == ["I look for both.", "And more."]
    places = query.places.order_by("id").values_list(
        "topic__external_id", "parent__topic__external_id"
    )
    assert list(places) == [("t1", None), ("t2", "t1")]
    assert Pair.objects.count() == 2
    assert list(findings()) == []


# Ratings


def test_ratings_become_a_finished_batch_that_the_rule_settles(run, lena):
    outcome = run(rated_study())

    batch = Batch.objects.get()
    assert (batch.name, batch.overlap, batch.created_by) == ("q1_method", 2, lena)
    seats = [(seat.holder.external_id, seat.handed_in_at is None) for seat in batch.seats.all()]
    assert seats == [("ann", False), ("ben", False)]
    assert states() == [("c1", "agreed", 3), ("c2", "disputed", None), ("c3", "disputed", None)]
    assert outcome.summary["ratings"] == 6
    assert list(findings()) == []


def test_a_rater_of_the_topic_who_left_a_pair_out_did_not_rate_it(run):
    run(rated_study())

    rating = Rating.objects.get(pair__document__external_id="c3", annotator__external_id="ben")
    assert (rating.option, rating.cannot_judge) == (None, NOT_IN_FILE)


def test_a_pair_with_fewer_answers_than_its_overlap_waits_in_a_free_seat(run, collection):
    neutral = small_study().rate("q1_method", "q1c1", ann=2, ben=2, overlap=2)
    neutral.rate("q1_method", "q1c2", ben=1, overlap=2)

    run(neutral)

    assert states_of("q1_method") == [
        ("q1c1", "agreed", 2),
        ("q1c2", "partial", None),
        ("q1c3", "open", None),
    ]
    batch = Batch.objects.get(pairs__document__external_id="q1c2")
    assert [seat.holder and seat.holder.name for seat in batch.seats.all()] == ["ben", None]
    assert batch.overlap == 2
    assert list(findings()) == []
    assign_seat(
        seat=batch.seats.get(holder=None),
        member=make_member(collection, "Alice", "annotator"),
        by=collection.memberships.get(name="Lena").user,
    )


def test_pairs_keep_their_state_where_batches_and_seats_had_different_people(run):
    neutral = small_study().rate("q1_method", "q1c1", batch="A", seats="12", ann=2, ben=2)
    neutral.rate("q1_method", "q1c2", batch="A", seats="12", cat=1, ben=1)
    neutral.rate("q1_method", "q1c3", batch="B", seats="12", dan=0, eve=0)

    run(neutral)

    assert states_of("q1_method") == [
        ("q1c1", "agreed", 2),
        ("q1c2", "agreed", 1),
        ("q1c3", "agreed", 0),
    ]
    assert not Rating.objects.filter(option=None).exists()
    assert list(findings()) == []


def test_people_who_changed_seats_between_batches_have_both(run):
    neutral = small_study().rate("q1_method", "q1c1", batch="A", seats="12", ann=2, ben=2)
    neutral.rate("q1_method", "q1c2", batch="B", seats="21", ann=1, ben=1)

    run(neutral)

    names = [
        [seat.holder.external_id for seat in batch.seats.order_by("ordinal")]
        for batch in Batch.objects.order_by("position")
    ]
    assert names == [["ann", "ben"], ["ben", "ann"]]


def test_raters_become_members_without_sign_in(run):
    run(rated_study())

    member = Membership.objects.get(external_id="ann")
    assert (member.user, member.name, [*member.roles]) == (None, "ann", ["annotator"])


@pytest.mark.parametrize("written", [str, lambda uuid: uuid.hex.upper()])
def test_a_rater_who_is_a_member_here_holds_the_seat(run, collection, written):
    alice = make_member(collection, "Alice", "annotator")

    run(rated_study(), matching=Matching(people={"ann": written(alice.public_id)}))

    assert Seat.objects.filter(holder=alice).count() == 1
    assert not Membership.objects.filter(external_id="ann").exists()


def test_a_rater_who_is_called_by_the_address_of_an_annotator_here_is_that_member(run, collection):
    ann = make_member(collection, "Ann", "annotator")
    make_member(collection, "Ben", "adjudicator")
    neutral = rated_study().document("c4")
    neutral.rate("q1_method", "c4", **{"Ann@example.org": 3, "ben@example.org": 2})

    run(neutral)
    run(neutral)

    assert Seat.objects.filter(holder=ann).count() == 1
    new = Membership.objects.filter(user=None).values_list("name", flat=True)
    assert sorted(new) == ["ann", "ben", "ben@example.org"]


def test_a_member_who_is_no_annotator_is_no_rater(run, collection):
    carol = make_member(collection, "Carol", "adjudicator")

    [problem] = problems_of(
        run, rated_study(), matching=Matching(people={"ann": str(carol.public_id)})
    )

    assert "the rater ann is matched to Carol, who is not an annotator here." in problem


def test_two_raters_cannot_be_one_member(run, collection):
    alice = str(make_member(collection, "Alice", "annotator").public_id)

    [problem] = problems_of(
        run, rated_study(), matching=Matching(people={"ann": alice, "ben": alice})
    )

    assert "the raters ann and ben are both matched to Alice." in problem


def test_notes_and_reasons_come_in(run):
    neutral = rated_study().document("c4")
    neutral.rate("q1_method", "c4", note="by its table", reason="Cut off", ann=None, ben=1)

    run(neutral)

    ratings = Rating.objects.filter(pair__document__external_id="c4").order_by("seat__ordinal")
    assert [(r.cannot_judge, r.note) for r in ratings] == [
        ("Cut off", "by its table"), ("", "by its table"),
    ]  # fmt: skip


def test_a_topic_rated_by_more_people_than_a_batch_has_seats_is_split_by_raters(run):
    neutral = rated_study()
    for number in range(10):
        neutral.rate("q1_method", "q1", **{f"r{number}": 1}) if number < 9 else None

    run(neutral)

    assert sorted(Batch.objects.values_list("overlap", flat=True)) == [1, 2, 9]


def test_decisions_come_in_with_the_ratings_they_settle(run):
    neutral = rated_study().decide(
        "q1_method", "c2", 1, "carol", cause="granularity", rationale="Only in part."
    )
    neutral.decide("q1_method", "c3", None, "carol", reason="No abstract")

    run(neutral)

    assert states() == [("c1", "agreed", 3), ("c2", "adjudicated", 1), ("c3", "excluded", None)]
    decision = Decision.objects.get(pair__document__external_id="c2")
    assert (decision.cause, decision.rationale) == ("granularity", "Only in part.")
    assert Membership.objects.get(external_id="carol").is_adjudicator
    assert list(findings()) == []


@pytest.mark.parametrize(
    ("document", "adjudicator", "did"), [("c2", "ann", "rated"), ("c3", "ben", "left out")]
)
def test_nobody_decides_on_what_they_rated_or_had_to_rate(run, document, adjudicator, did):
    neutral = rated_study().decide("q1_method", document, 1, adjudicator)

    [problem] = problems_of(run, neutral)

    sentence = f"{adjudicator} decides on q1_method with {document} and {did} the pair as a rater."
    assert sentence in problem


# Refusals


def test_a_judged_document_without_text_is_refused_and_nothing_is_stored(run, elsewhere):
    """Another collection has its text."""
    bring_in(small_study().document("textless"), elsewhere, None)
    before = count_rows()

    [problem] = problems_of(run, rated_study().rate("q1_method", "textless", ann=1))

    assert "the document textless is judged here, but has no text." in problem
    assert count_rows() == before


def test_a_grade_off_the_scale_is_named_once_with_the_scale(run):
    neutral = rated_study().document("c4").rate("q1_method", "c4", ann="2,5", ben="2,5")

    [problem] = problems_of(run, neutral)

    assert problem == (
        'study.csv, line 16: the grade "2,5" here, and on 1 further line, is not on the scale. '
        "Say which option it means (0 Irrelevant, 1 Related, 2 Similar, 3 Near-identical) or that "
        "it is “cannot judge”, or put it right in the file."
    )


def test_a_grade_is_what_somebody_says_it_is(run):
    neutral = rated_study().document("c4").rate("q1_method", "c4", ann="2,5", ben="2,5")

    run(neutral, matching=Matching(grades={"": {"2,5": "similar"}}))

    assert states()[-1] == ("c4", "agreed", 2)


@pytest.mark.parametrize(
    ("name", "like", "note"),
    [
        ("ann", "Ann", "'ann' and 'Ann' differ in capital letters or in what is not seen alone"),
        ("ann", "ann\u200b", r"'ann' and 'ann\u200b' differ"),
        ("ren\xe9", "rene\u0301", r"'rené' and 'rene\u0301' differ"),
    ],
)
def test_raters_whose_names_look_alike_are_reported(run, name, like, note):
    neutral = rated_study().document("c4").rate("q1_method", "c4", **{name: "2", like: "1"})

    outcome = run(neutral)

    [told] = outcome.summary["notes"]
    assert told.startswith(note)


def test_a_name_of_which_nothing_can_be_seen_is_refused(run):
    neutral = rated_study().document("c4").rate("q1_method", "c4", **{"\u200b\u2060": "2"})

    problems = problems_of(run, neutral.decide("q1_method", "c4", "2", "\u200e"))

    assert [problem.partition(": ")[2].partition(".")[0] for problem in problems] == [
        r"nothing can be seen of the name '\u200b\u2060'",
        r"nothing can be seen of the name '\u200e'",
    ]


def test_a_grade_that_no_number_can_be_compared_with_is_off_the_scale(run):
    neutral = rated_study().document("c4").rate("q1_method", "c4", ann="sNaN", ben="2")

    [problem] = problems_of(run, neutral)

    assert '"sNaN" here is not on the scale' in problem


@pytest.mark.parametrize(
    "literal", ["2", "2.0", "2,0", "Similar", "similar", "2 Similar", "2: Similar"]
)
def test_a_grade_is_known_by_value_key_or_name(run, literal):
    neutral = rated_study().document("c4").rate("q1_method", "c4", ann=literal, ben=literal)

    run(neutral)

    assert states()[-1] == ("c4", "agreed", 2)


@pytest.mark.parametrize("literal", ["not similar", "Very similar", "nan similar", "1 Similar"])
def test_what_is_not_its_number_before_the_name_of_an_option_makes_another_grade(run, literal):
    neutral = rated_study().document("c4").rate("q1_method", "c4", ann=literal, ben=literal)

    [problem] = problems_of(run, neutral)

    assert f'the grade "{literal}" here, and on 1 further line, is not on the scale.' in problem


def test_a_second_rating_of_one_person_is_refused(run):
    [problem] = problems_of(run, rated_study().rate("q1_method", "c1", ann=2))

    assert "ann rates q1_method with c1 twice." in problem


def test_another_rating_than_the_stored_one_is_refused_with_all_differences(run):
    run(rated_study())
    changed = rated_study()
    changed.study.ratings[0] = changed.study.ratings[0]._replace(grade="0")
    changed.study.ratings[2] = changed.study.ratings[2]._replace(note="changed my mind")
    changed.study.fingerprint = "changed"

    problems = problems_of(run, changed)

    assert [problem.partition(": ")[2] for problem in problems] == [
        "the rater ann gives q1_method with c1 0, but 3 is stored. Stored ratings are never "
        "replaced.",
        'the rater ann gives q1_method with c2 0 with the note "changed my mind", but 0 is '
        "stored. Stored ratings are never replaced.",
    ]


def rated_later():
    return small_study().rate("q1_method", "q1c1", ann=3, ben=3).rate("q1_method", "q1c2", ann=1)


def file_of(rater, *grades, overlap=0):
    """What one rater's file says of the first candidates of q1_method."""
    neutral = small_study()
    for number, grade in enumerate(grades, start=1):
        neutral.rate("q1_method", f"q1c{number}", overlap=overlap, **{rater: grade})
    neutral.study.fingerprint = f"{rater} {grades} {overlap}"
    return neutral


def test_a_second_raters_file_gives_them_a_further_seat(run):
    run(file_of("ann", 3, 1, 2))

    outcome = run(file_of("ben", 3, 0, 2))

    assert outcome.sentence == "Added 3 ratings."
    assert outcome.summary["notes"][0] == (
        "ben rates pairs that have ratings already, in seat 2 of q1_method: 3 ratings. What the "
        "others agreed on is settled anew with them."
    )
    batch = Batch.objects.get()
    assert [(seat.holder.name, bool(seat.handed_in_at)) for seat in batch.seats.all()] == [
        ("ann", True), ("ben", True),
    ]  # fmt: skip
    assert states_of("q1_method") == [
        ("q1c1", "agreed", 3), ("q1c2", "disputed", None), ("q1c3", "agreed", 2),
    ]  # fmt: skip
    assert list(findings()) == []
    assert run(file_of("ben", 3, 0, 2)).imported is None


def test_a_second_raters_file_fills_the_seat_that_is_free_for_it(run):
    run(file_of("ann", 3, 1, 2, overlap=3))

    run(file_of("ben", 3, 0, 2, overlap=3).rate("q1_method", "q1c1", ann=3, overlap=3))

    seats = Batch.objects.get().seats.values_list("holder__name", flat=True)
    assert list(seats) == ["ann", "ben", None]
    assert [state for _, state, _ in states_of("q1_method")] == ["partial"] * 3
    assert list(findings()) == []


def test_a_second_raters_file_leaves_the_seat_that_somebody_holds_to_them(run, collection, lena):
    run(file_of("ann", 3, 1, 2, overlap=3))
    mia = make_member(collection, "Mia", "annotator")
    assign_seat(seat=Seat.objects.get(ordinal=2), member=mia, by=lena)

    run(file_of("ben", 3, 0, 2, overlap=3))

    seats = Batch.objects.get().seats.values_list("holder__name", flat=True)
    assert list(seats) == ["ann", "Mia", "ben"]
    assert list(findings()) == []


def test_the_trail_has_each_further_seat_that_is_handed_in_and_what_it_completes(run, collection):
    run(file_of("ann", 3, overlap=4))
    run(file_of("ben", 3, overlap=4))
    run(small_study().rate("q1_method", "q1c1", overlap=4, cat=2, dan=3))

    events = Event.objects.of_collection(collection).order_by("id")
    batch = Batch.objects.get()
    assert list(events.filter(verb=Verb.HAND_IN_SEAT).values_list("subject_id", "after")) == [
        (str(batch.seats.get(ordinal=2).public_id), {}),
        (str(batch.seats.get(ordinal=3).public_id), {}),
        (
            str(batch.seats.get(ordinal=4).public_id),
            {"completed_batch": {"batch": str(batch.public_id), "pairs": 1, "seats": 4}},
        ),
    ]
    assert not events.filter(verb=Verb.RAISE_OVERLAP).exists()
    _, second, third = Import.objects.order_by("pk").values_list("public_id", flat=True)
    assert list(events.filter(verb=Verb.RATE).values_list("after__import", flat=True)) == [
        str(public_id) for public_id in (second, third, third)
    ]


def test_a_pair_that_a_further_file_lacks_was_not_rated_by_its_rater(run):
    run(file_of("ann", 3, 1, 2))

    run(file_of("ben", 3, 0))

    rating = Rating.objects.get(annotator__name="ben", pair__document__external_id="q1c3")
    assert rating.cannot_judge == NOT_IN_FILE
    assert states_of("q1_method")[2] == ("q1c3", "disputed", None)
    assert list(findings()) == []


def test_further_ratings_keep_their_notes_and_reasons_in_row_and_revision(run, lena):
    run(file_of("ann", 3, 1))
    further = small_study().rate("q1_method", "q1c1", note="a guess", ben=3)

    run(further.rate("q1_method", "q1c2", reason="Cut off", ben=None))

    answers = [("q1c1", "identical", "", "a guess"), ("q1c2", None, "Cut off", "")]
    names = ("pair__document__external_id", "option__key", "cannot_judge", "note")
    ratings = Rating.objects.filter(annotator__name="ben").order_by("pk")
    assert list(ratings.values_list(*names)) == answers
    revisions = RatingRevision.objects.filter(rating__in=ratings).order_by("rating")
    names = ("rating__pair__document__external_id", *names[1:], "version", "saved_by")
    assert list(revisions.values_list(*names)) == [(*answer, 1, lena.pk) for answer in answers]


def test_a_further_file_whose_rest_is_to_come_leaves_its_seat_open_for_it(run):
    run(file_of("ann", 3, 1, 2, overlap=2))

    run(file_of("ben", 3, 0, overlap=2))

    seat = Seat.objects.get(holder__name="ben")
    assert (seat.handed_in_at, seat.ratings.count()) == (None, 2)
    assert list(findings()) == []
    run(Neutral().rate("q1_method", "q1c3", ben=2, overlap=2))
    seat.refresh_from_db()
    assert seat.handed_in_at
    assert states_of("q1_method")[2] == ("q1c3", "agreed", 2)
    assert list(findings()) == []


def test_decisions_come_in_with_the_further_ratings_that_they_settle(run):
    run(file_of("ann", 3, 1, 2, overlap=2))

    run(file_of("ben", 3, 0, 2).decide("q1_method", "q1c2", 1, "carol"))

    assert states_of("q1_method")[1] == ("q1c2", "adjudicated", 1)
    assert list(findings()) == []


def test_a_dry_run_refuses_a_decision_with_further_ratings_on_a_pair_of_an_open_audit(
    run, collection, lena
):
    run(file_of("ann", 3, 1, 2))
    dora = make_member(collection, "Dora", "adjudicator")
    draw_audit(collection=collection, name="First", size=3, seed="7", adjudicators=[dora], by=lena)
    further = file_of("ben", 3, 0, 2).decide("q1_method", "q1c2", 1, "carol")

    with pytest.raises(BadInputError) as caught:
        survey(StudyMoving(further.study, collection, lena))

    [problem] = map(str, caught.value.problems)
    assert "the pair does not wait for an adjudicator." in problem


def test_a_decision_stands_over_further_ratings(run):
    run(file_of("ann", 3, 1, 2).decide("q1_method", "q1c1", 2, "carol"))

    run(file_of("ben", 0, 1, 2))

    assert states_of("q1_method") == [
        ("q1c1", "adjudicated", 2), ("q1c2", "agreed", 1), ("q1c3", "agreed", 2),
    ]  # fmt: skip
    assert list(findings()) == []


def test_the_dry_run_counts_further_ratings_with_what_comes_of_them(run, collection, lena):
    run(file_of("ann", 3, 1, 2))
    moving = StudyMoving(file_of("ben", 3, 0, 2).study, collection, lena)
    moving.compare()

    preview = preview_of(moving)

    counts = preview["counts"]
    assert [counts[name] for name in ("rated_pairs", "given", "agreed", "to_adjudicate")] == [
        3, 3, 2, 1,
    ]  # fmt: skip
    assert (counts["batches"], counts["short"]) == (0, 0)
    assert preview["people"][0]["seats"] == [2]


def rate_here(collection, member, *, ordinal, based_on, position=0):
    """The member of a seat says of its first pair that it is related."""
    seat = Seat.objects.get(ordinal=ordinal)
    scheme = collection.scheme
    rate_pair(
        seat=seat,
        pair_id=seat.batch.pairs.first().pk,
        by=member.user,
        save_id=uuid.uuid4(),
        based_on=based_on,
        scheme_version=scheme.current,
        option=scheme.options.get(key="related"),
        position=position,
    )
    return "pairs that were rated here get further ratings here, and from no file"


def in_a_batch_that_is_rated_here(collection, lena):
    mia = make_member(collection, "Mia", "annotator")
    assign_seat(seat=Seat.objects.get(ordinal=2), member=mia, by=lena)
    return rate_here(collection, mia, ordinal=2, based_on=0, position=1)


def of_ratings_that_were_changed_here(collection, lena):
    """An imported person signs in, and changes one of their ratings."""
    Membership.objects.filter(name="ann").update(user=make_user("Ann"))
    return_seat(seat=Seat.objects.get(ordinal=1), by=lena, reason="Look again.")
    return rate_here(collection, Membership.objects.get(name="ann"), ordinal=1, based_on=1)


def of_a_locked_topic(collection, lena):
    lock_topic(topic=Topic.objects.get(external_id="q1_method"), by=lena)
    return "the topic q1_method is locked"


def of_somebody_who_could_read(collection, lena):
    ben = make_member(collection, "ben", "annotator", "adjudicator")
    Membership.objects.filter(pk=ben.pk).update(external_id="ben")
    return "ben was a lead or adjudicator while somebody else could rate in q1_method."


def of_somebody_who_left(collection, lena):
    ben = make_member(collection, "ben", "annotator")
    rows = Membership.objects.filter(pk=ben.pk)
    rows.update(external_id="ben", removed_at=timezone.now())
    return "ben is no longer a member."


@pytest.mark.parametrize(
    ("overlap", "condition"),
    [
        (2, in_a_batch_that_is_rated_here),
        (0, of_ratings_that_were_changed_here),
        (0, of_a_locked_topic),
        (0, of_somebody_who_could_read),
        (0, of_somebody_who_left),
    ],
)
def test_further_ratings_are_refused(run, collection, lena, overlap, condition):
    run(file_of("ann", 3, 1, 2, overlap=overlap))
    reason = condition(collection, lena)

    problems = problems_of(run, file_of("ben", 3, 0, 2, overlap=overlap))

    assert len(problems) == 3
    assert f"the rater ben gives q1_method with q1c1 3, but {reason}" in problems[0]
    assert problems[0].endswith("Leave it out, or import into a new collection.")


def test_what_an_earlier_holder_rated_takes_no_rating_of_their_successor(run, collection, lena):
    run(file_of("ann", 3, 1, 2, overlap=2))
    run(file_of("ben", 3, 0, overlap=2))
    dan = make_member(collection, "dan", "annotator")
    Membership.objects.filter(pk=dan.pk).update(external_id="dan")
    assign_seat(seat=Seat.objects.get(ordinal=2), member=dan, by=lena, reason="Ben moved away.")

    problems = problems_of(run, file_of("dan", 3, 0, 2, overlap=2))

    assert [problem.partition(": ")[2] for problem in problems] == [
        f"the rater dan gives q1_method with {document} {value}, but an earlier holder of their "
        "seat rated this pair. Leave it out, or import into a new collection."
        for document, value in (("q1c1", 3), ("q1c2", 0))
    ]
    run(small_study().rate("q1_method", "q1c3", dan=2, overlap=2))
    assert Seat.objects.get(holder=dan).handed_in_at
    assert states_of("q1_method")[2] == ("q1c3", "agreed", 2)
    assert list(findings()) == []


def test_a_tenth_rater_is_refused(run):
    names = [f"rater {number}" for number in range(9)]
    run(small_study().rate("q1_method", "q1c1", **dict.fromkeys(names, 3)))

    [problem] = problems_of(run, small_study().rate("q1_method", "q1c1", ben=3))

    assert "but a pair has at most 9 ratings." in problem


def test_further_ratings_are_bounded(run, monkeypatch):
    monkeypatch.setattr("imports.study.compare_answers.MAX_FURTHER_ANSWERS", 2)
    run(file_of("ann", 3, 1, 2))

    [problem] = problems_of(run, file_of("ben", 3, 0, 2))

    assert "3 ratings are further ones of pairs that have some." in problem


def test_as_many_statements_give_seats_in_two_batches_as_in_one(run):
    neutral = file_of("ann", 3).rate("q1_background", "q1c1", ann=2)
    run(neutral.rate("q2_method", "q2c1", ann=2).rate("q2_background", "q2c1", ben=2))
    statements = []
    for files in [
        file_of("ben", 3),
        small_study().rate("q1_background", "q1c1", ben=2).rate("q2_method", "q2c1", ben=2),
    ]:
        with CaptureQueriesContext(connection) as captured:
            run(files)
        statements.append(len(captured))

    assert statements[0] == statements[1]


def test_further_ratings_of_a_batch_that_changed_meanwhile_change_nothing(
    run, collection, lena, monkeypatch
):
    run(file_of("ann", 3, 1, 2, overlap=2))
    write = StudyMoving.write

    def rate_first(self, *args):
        in_a_batch_that_is_rated_here(collection, lena)
        write(self, *args)

    monkeypatch.setattr(StudyMoving, "write", rate_first)

    with pytest.raises(Refused, match="changed meanwhile"):
        run(file_of("ben", 3, 0, 2, overlap=2))

    assert not Rating.objects.filter(annotator__name="ben").exists()
    assert list(findings()) == []


def test_another_author_of_a_further_rating_than_the_trail_names_is_found(run):
    run(file_of("ann", 3, 1, 2))
    run(file_of("ben", 3, 0, 2))
    rating = Rating.objects.get(annotator__name="ben", pair__document__external_id="q1c1")
    carol = make_member(rating.seat.batch.collection, "Carol", "annotator")
    rewrite(Rating.objects.filter(pk=rating.pk), annotator=carol)

    assert any("is not what the trail says (annotator)" in finding for finding in findings())


def test_ratings_of_pairs_that_wait_make_a_finished_batch(run):
    run(small_study())

    outcome = run(rated_later())

    assert outcome.sentence == "Added 4 ratings."
    batch = Batch.objects.get()
    assert (batch.name, batch.overlap, batch.pairs.count()) == ("q1_method", 2, 2)
    assert states_of("q1_method") == [
        ("q1c1", "agreed", 3), ("q1c2", "disputed", None), ("q1c3", "open", None),
    ]  # fmt: skip
    assert list(findings()) == []
    assert run(rated_later()).imported is None


def test_a_new_pair_joins_the_batch_of_its_topics_stored_pairs(run):
    run(small_study())
    neutral = rated_later().document("new").pool("q1", "new", topic="q1_method")

    run(neutral.rate("q1_method", "new", ann=2, ben=2))

    assert Batch.objects.get().pairs.count() == 3
    assert list(findings()) == []


def test_decisions_come_in_with_ratings_of_stored_pairs(run):
    run(small_study())

    run(rated_later().decide("q1_method", "q1c2", 2, "carol"))

    assert states_of("q1_method")[1] == ("q1c2", "adjudicated", 2)
    assert list(findings()) == []


def test_decisions_come_in_after_the_ratings_that_they_settle(run):
    run(rated_study())

    outcome = run(rated_study().decide("q1_method", "c2", 1, "carol"))
    run(Neutral().decide("q1_method", "c3", None, "carol", reason="No abstract"))

    assert outcome.sentence == "Added 1 decision."
    assert states() == [("c1", "agreed", 3), ("c2", "adjudicated", 1), ("c3", "excluded", None)]
    assert list(findings()) == []


@pytest.fixture
def finished_topic(run):
    """q1_method, with gold for each of its pairs."""
    run(rated_study().decide("q1_method", "c2", 1, "carol"))
    run(Neutral().decide("q1_method", "c3", None, "carol", reason="No abstract"))
    return Topic.objects.get(external_id="q1_method")


@pytest.fixture
def one_pair_more():
    return rated_study().document("new").pool("q1", "new", topic="q1_method")


def test_a_locked_topic_takes_no_pair(run, finished_topic, one_pair_more, lena):
    lock_topic(topic=finished_topic, by=lena)

    with pytest.raises(Locked, match="Topic q1_method is locked"):
        run(one_pair_more)

    assert Pair.including_inactive.count() == 3
    unlock_topic(topic=finished_topic, by=lena, reason="Another candidate was found.")
    assert run(one_pair_more).sentence == "Added 1 document, 1 pair."


@pytest.mark.django_db(transaction=True)
def test_a_topic_that_is_locked_while_the_files_are_written_takes_no_pair(
    run, finished_topic, one_pair_more, lena, monkeypatch
):
    write = StudyMoving.write

    def write_then_lock(self, *args):
        write(self, *args)
        lock_topic(topic=finished_topic, by=lena)

    monkeypatch.setattr(StudyMoving, "write", write_then_lock)

    with pytest.raises(Locked):
        run(one_pair_more)

    assert Pair.including_inactive.count() == 3
    assert list(findings()) == []


def test_another_decision_than_the_stored_one_is_refused(run):
    run(rated_study().decide("q1_method", "c2", 1, "carol"))

    changed = Neutral().decide("q1_method", "c2", 2, "carol")

    [problem] = problems_of(run, changed)

    assert "the decision on q1_method with c2 is 2, but 1 is stored." in problem


def test_a_pair_of_an_audit_is_decided_by_a_file_once_the_audit_is_closed(run, collection, lena):
    """The disputed pair is among the audit's controls."""
    run(rated_study())
    dora = make_member(collection, "Dora", "adjudicator")
    audit = draw_audit(
        collection=collection,
        name="First",
        size=1,
        seed="7",
        adjudicators=[dora],
        by=lena,
        control_count=1,
    )
    decided = Neutral().decide("q1_method", "c2", 1, "carol")
    assert audit.control_count == 1

    [problem] = problems_of(run, decided)
    assert "does not wait for an adjudicator" in problem
    close_audit(audit=audit, by=lena)
    run(decided)

    assert Pair.objects.get(document__external_id="c2").gold_value == 1


def test_a_decision_on_a_pair_that_nobody_rated_is_refused(run):
    run(small_study())

    first, second = problems_of(
        run, Neutral().decide("q1_method", "q1c1", 1).decide("q1_method", "nowhere", 1)
    )

    assert "the pair has no rating, neither in these files nor in the collection." in first
    assert "the pair is neither in these files nor in the collection." in second


def test_nobody_decides_on_what_they_rated_before(run):
    run(rated_study())

    [problem] = problems_of(run, Neutral().decide("q1_method", "c2", 1, "ann"))

    assert "rests on a rating of ann, who would decide on it" in problem


def test_ratings_of_pairs_in_a_batch_without_ratings_are_refused(run, collection, lena):
    run(small_study())
    make_batches(collection=collection, by=lena)

    problems = problems_of(run, rated_later())

    assert len(problems) == 2
    assert "q1_method with q1c1 is handed out in batch q1_method, where nobody" in problems[0]


def test_ratings_of_stored_pairs_are_bounded(run, monkeypatch):
    monkeypatch.setattr("imports.study.compare_answers.MAX_LATE_ANSWERS", 3)
    run(small_study())

    [problem] = problems_of(run, rated_later())

    assert "4 ratings are of topics whose pairs are in the collection already." in problem


def test_ratings_of_pairs_that_were_handed_out_meanwhile_change_nothing(
    run, collection, lena, monkeypatch
):
    run(small_study())
    write = StudyMoving.write

    def hand_out_first(self, *args):
        make_batches(collection=collection, by=lena)
        write(self, *args)

    monkeypatch.setattr(StudyMoving, "write", hand_out_first)

    with pytest.raises(Refused, match="handed out meanwhile"):
        run(rated_later())

    assert not Rating.objects.exists()
    assert not Batch.including_inactive.filter(imported__isnull=False).exists()
    assert list(findings()) == []


def test_another_text_of_what_is_in_a_held_batch_is_refused(run, collection, lena):
    run(small_study())
    alice = make_member(collection, "Alice", "annotator")
    make_batches(collection=collection, by=lena)
    assign_seat(seat=Seat.objects.filter(batch__name="q1_method")[0], member=alice, by=lena)
    neutral = small_study()
    neutral.document("q1c1", text="Something else.").document("q2c1", text="New. Words.")

    [problem] = problems_of(run, neutral)

    assert "the title, the text or a label of q1c1 differs from what is stored." in problem
    assert "Somebody holds or held a seat of batch" in problem


def test_another_text_of_what_nobody_holds_is_stored(run):
    run(small_study())

    outcome = run(small_study().document("q1c1", text="Something else."))

    assert outcome.sentence == "Nothing was added. 1 stored entry was updated."
    assert Document.objects.get(external_id="q1c1").sentences[0]["text"] == "Something else."
    assert list(findings()) == []


def test_sentences_that_were_divided_otherwise_are_no_other_text(run):
    """What the division of a text guesses may get better between two imports."""
    run(small_study())
    document = Document.objects.get(external_id="q1c1")
    document.sentences = [{"text": "Why. How.", "label": None}]
    document.save()
    neutral = small_study()
    neutral.study.fingerprint = "another"

    assert run(neutral).imported is None


def asking(text="What? And why?", aspect="What", metadata=(), **places):
    """One query; its aspect `a` and others with the aspects they stand under, None at the top."""
    neutral = Neutral().document("d").query("q", text=text).pool("q", "d")
    neutral.study.queries[0] = neutral.study.queries[0]._replace(metadata=dict(metadata))
    for topic, parents in ({"a": [None]} | places).items():
        neutral.topic(topic, "q", text=aspect if topic == "a" else topic)
        at = tuple(TreePlace("q", parent) for parent in parents)
        neutral.study.topics[-1] = neutral.study.topics[-1]._replace(places=at)
    neutral.study.fingerprint = repr(neutral.study.queries + neutral.study.topics)
    return neutral


def give_a_seat(collection):
    batch = Batch.objects.filter(collection=collection).first()
    alice = make_member(collection, "Alice", "annotator")
    assign_seat(seat=batch.seats.first(), member=alice, by=None)


@pytest.mark.parametrize("is_given_meanwhile", [False, True])
@pytest.mark.parametrize(
    ("changes", "subject"),
    [
        ({"text": "Why?"}, "the text of the query q differs"),
        ({"aspect": "Why"}, "the text of the aspect a differs"),
    ],
)
def test_another_wording_of_what_is_asked_is_refused_once_a_seat_was_given(
    texts, monkeypatch, changes, subject, is_given_meanwhile
):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    bring_in(asking(), texts, None)
    make_batches(collection=texts, by=None)
    moving = StudyMoving(asking(**changes).study, texts, None)
    compare = moving.compare

    def compare_and_give():
        compare()
        give_a_seat(texts)

    if is_given_meanwhile:
        monkeypatch.setattr(moving, "compare", compare_and_give)
    else:
        give_a_seat(texts)

    with pytest.raises(BadInputError) as caught:
        carry_out(moving)

    [problem] = caught.value.problems
    assert subject in str(problem)
    assert Query.objects.get().text == "What? And why?"


def test_a_topic_gets_a_place_that_it_has_in_another_collection(texts, monkeypatch):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    elsewhere = Collection.objects.create(slug="elsewhere", name="Elsewhere")
    create_scheme(collection=elsewhere, definition=load_definition("doris-mae"), by=None)
    bring_in(asking(b=[None, "a"]), elsewhere, None)
    bring_in(asking(b=[None]), texts, None)

    bring_in(asking(b=[None, "a"]), texts, None)

    places = TopicPlace.objects.filter(query__collection=texts, topic__external_id="b")
    assert list(places.values_list("parent__topic__external_id", flat=True)) == [None, "a"]


def test_a_sub_aspect_stands_under_the_aspect_and_not_under_its_twin(texts, monkeypatch):
    """`b` is an aspect, and a sub-aspect of `a` as well."""
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    bring_in(asking(b=[None, "a"]), texts, None)

    bring_in(asking(b=[None, "a"], c=["b"]), texts, None)

    place = TopicPlace.objects.get(topic__external_id="c")
    assert (place.parent.topic.external_id, place.parent.parent) == ("b", None)


def test_metadata_that_a_query_has_already_changes_nothing(texts, monkeypatch):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    for metadata in ({"set": "acl", "year": 2020}, {"set": "acl"}):
        outcome = bring_in(asking(metadata=metadata), texts, None)

    assert outcome.imported is None
    assert Query.objects.get().metadata == {"set": "acl", "year": 2020}


# Again


def change_rule(collection, by):
    """As another request does: with a collection of its own."""
    scheme = Collection.objects.get(pk=collection.pk).scheme
    return change_rules(scheme=scheme, rule="adjudicate_all", overlap=2, by=by)


def test_the_rule_stays_while_a_study_is_being_written(run, collection, lena, monkeypatch):
    write = StudyMoving.write

    def change_rule_first(self, *args):
        with pytest.raises(Refused, match="An import is being written"):
            change_rule(collection, lena)
        write(self, *args)

    monkeypatch.setattr(StudyMoving, "write", change_rule_first)

    run(rated_study())

    assert list(findings()) == []


def test_a_study_that_was_read_under_another_rule_is_refused(collection, lena):
    moving = StudyMoving(rated_study().study, collection, lena)
    assert collection.scheme.all_scales
    change_rule(collection, lena)

    with pytest.raises(Refused, match="The scheme was changed meanwhile"):
        carry_out(moving)

    assert count_rows() == NO_ROWS
    assert list(findings()) == []


def test_the_same_study_again_changes_nothing(run):
    run(rated_study())
    before = count_rows()

    neutral = rated_study()
    neutral.study.fingerprint = "another file of the same content"
    outcome = run(neutral)

    assert outcome.imported is None
    assert count_rows() == before


@pytest.mark.parametrize("set_back", [timedelta(), timedelta(hours=2)])
def test_the_same_files_bring_back_what_was_removed_meanwhile(run, collection, lena, set_back):
    """Also where the clock was set back in between."""
    run(small_study())
    activated_at = Import.objects.get().activated_at
    rewrite(Import.objects.all(), activated_at=activated_at + set_back)
    before = Pair.objects.count()
    remove_query(query=collection.queries.first(), by=lena)
    assert Pair.objects.count() < before

    outcome = run(small_study())

    assert outcome.imported is not None
    assert Pair.objects.count() == before
    assert list(findings()) == []


def test_a_decision_that_says_what_the_raters_agreed_on_changes_nothing(run):
    run(rated_study())
    before = count_rows()

    neutral = rated_study().decide("q1_method", "c1", 3, "carol")
    neutral.study.fingerprint = "another"
    outcome = run(neutral)

    assert outcome.imported is None
    assert count_rows() == before


def test_the_side_text_of_a_stored_pair_comes_in_again_and_stays(run):
    def with_side(text):
        neutral = small_study().document("new").pool("q1", "new", side=("Answer", text))
        neutral.study.fingerprint = str(next(numbers))
        return neutral

    numbers = itertools.count()
    run(with_side("It is."))

    assert run(with_side("It is.")).imported is None
    problems = problems_of(run, with_side("It is not."))
    assert len(problems) == 2
    assert all("differs from what is stored." in problem for problem in problems)


def test_a_query_that_is_worded_anew_has_the_new_sentences(texts, monkeypatch):
    """Also where an aspect asks for them."""
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    for text in ("What? And why?", "What? Say how. And why?"):
        bring_in(asking(text), texts, None)

    query = Query.objects.get()
    assert [sentence["text"] for sentence in query.sentences] == ["What?", "Say how.", "And why?"]
    stored_hash = query.text_sha256
    rehash(query)
    assert query.text_sha256 == stored_hash


def test_answers_are_compared_with_those_of_the_own_collection(run, collection):
    """Another collection has the same topics and documents, with other ratings."""
    run(rated_study())
    other = Collection.objects.create(slug="other", name="Other")
    create_scheme(collection=other, definition=load_definition("csfcube"), by=None)
    neutral = rated_study()
    neutral.study.ratings[:] = []
    neutral.rate("q1_method", "c1", ann=0, ben=0)
    bring_in(neutral, other, None)

    for of, gold, answers in ((collection, 3, [2, 2, 2]), (other, 0, [2])):
        stored = StoredAnswers(of, ["q1_method"])
        key = stored.pairs.key_of(("q1_method", "c1"))
        assert Pair.objects.get(pk=key).topic.collection == of
        assert stored.gold["q1_method", "c1"] == gold
        assert sorted(map(len, stored.answers.values())) == answers


def test_progress_is_told_up_to_the_number_of_all_rows(collection, lena):
    steps = []
    moving = StudyMoving(rated_study().study, collection, lena)

    carry_out(moving, progress=lambda done, total, words: steps.append((done, total)))

    # Four papers, a query, a topic, three candidates, three pairs, and six answers.
    assert steps[-1] == (18, 18)


def test_matching_in_another_order_is_the_same_import(collection, lena):
    def fingerprint(grades, people):
        matching = Matching(grades={"": grades}, people=people)
        return StudyMoving(rated_study().study, collection, lena, matching=matching).fingerprint

    first = fingerprint({"2": "similar", "3": "identical"}, {"ann": "x", "ben": "y"})

    assert fingerprint({"3": "identical", "2": "similar"}, {"ben": "y", "ann": "x"}) == first
    assert fingerprint({"3": "identical", "2": "similar"}, {"ben": "x", "ann": "y"}) != first


def test_more_topics_and_candidates_are_added_beside_what_is_there(run):
    run(small_study())
    neutral = small_study().document("new").pool("q1", "new")
    neutral.query("q3", document="q2c1", facets=["method"]).pool("q3", "q1c1")

    outcome = run(neutral)

    assert outcome.sentence == "Added 1 document, 1 query, 1 topic, 3 pairs."
    assert Import.objects.filter(state="active").count() == 2
    assert list(findings()) == []


def test_a_later_rating_table_adds_pairs_with_their_ratings(run):
    run(rated_study())

    outcome = run(rated_study().document("c4").rate("q1_method", "c4", ann=1, ben=1))

    assert (outcome.summary["pairs"], outcome.summary["ratings"]) == (1, 2)
    assert Batch.objects.count() == 2


def test_empty_fields_of_the_collection_are_filled_and_full_ones_kept(run, collection):
    Collection.objects.filter(pk=collection.pk).update(citation="Ours")

    run(small_study(), fills={"licence": "CC BY 4.0", "citation": "Theirs"})

    collection.refresh_from_db()
    assert (collection.licence, collection.citation) == ("CC BY 4.0", "Ours")


def test_what_was_refused_leaves_no_row(run, collection):
    before = count_rows()

    problems_of(run, rated_study().rate("nowhere", "c1", ann=1))

    assert count_rows() == before
    assert not Import.objects.exists()


def test_description_and_narrative_are_kept_beside_the_query_and_change_with_it(run):
    study = small_study()
    first = study.study.queries[0]
    study.study.queries[0] = first._replace(description="What is asked.", narrative="What counts.")
    run(study)
    again = small_study()
    again.study.queries[0] = first._replace(description="What is asked.", narrative="Less counts.")
    again.study.fingerprint = "another"

    run(again)

    query = Query.objects.get(external_id=first.id)
    assert (query.description, query.narrative) == ("What is asked.", "Less counts.")
    assert findings() == []


def test_a_name_that_looks_like_another_of_the_files_is_refused(run, cafe):
    composed, decomposed = cafe
    neutral = Neutral().document(composed).document(decomposed)
    neutral.query(composed, text="What?").query(decomposed, text="And what?")

    with pytest.raises(BadInputError) as caught:
        run(neutral)

    assert [(problem.place, problem.message) for problem in caught.value.problems] == [
        (
            place,
            f"the {noun} 'cafe\\u0301' looks like 'caf\u00e9', which is in these files too: their "
            "letters are composed in two ways.",
        )
        for noun, place in [("document", "line 2"), ("query", "line 4")]
    ]
    assert not Document.objects.exists()


def test_an_aspect_that_looks_like_another_is_refused(texts, lena, cafe):
    neutral = Neutral().query("q1", text="What?")
    for aspect in cafe:
        neutral.topic(aspect, "q1", text=f"Aspect {len(aspect)}")

    with pytest.raises(BadInputError, match="1 problem") as caught:
        bring_in(neutral, texts, lena)

    assert caught.value.problems[0].message.startswith("the topic 'cafe\\u0301' looks like ")


def test_a_name_that_looks_like_a_stored_one_is_refused_and_a_stored_one_never(run, cafe):
    composed, decomposed = cafe
    first = Neutral().document(composed).query("q1", text="What?").pool("q1", composed)
    run(first)
    in_pool = Neutral().document("d1").query("q2", text="And?").pool("q2", decomposed, "d1")

    for neutral in (Neutral().document(decomposed), in_pool):
        with pytest.raises(BadInputError, match="1 problem") as caught:
            run(neutral)
        [problem] = caught.value.problems
        assert "looks like 'caf\u00e9', which is stored" in problem.message
    Document.objects.create(
        collection=Collection.objects.get(), external_id=decomposed, title="Two"
    )

    run(Neutral().document(composed).document(decomposed, title="Another"))

    assert Document.objects.get(external_id=decomposed).title == "Another"
