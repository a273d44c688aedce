"""Every rule about rows, broken alone: the sentence that says so, and no other."""

import uuid
from decimal import Decimal
from types import SimpleNamespace

import pytest

from adjudication.actions import decide
from annotation.assigning.actions.assign import assign_seat
from annotation.models import Batch, MachineRun, MachineScore, Seat, Tenure
from config.integrity import rows
from config.integrity.rows import row_findings
from datasets.models import Import, Topic, TopicPlace
from tests.damage import erase
from tests.factories.studies import make_aspect_query, make_aspect_study, make_study
from tests.shelf import shelved

NO, SOME, MUCH = 10, 11, 12  # options
VALUES = {NO: Decimal(0), SOME: Decimal(1), MUCH: Decimal(3)}


def decision(option, pk=1, adjudicator=9, superseded_at=None):
    return {
        "pk": pk,
        "adjudicator_id": adjudicator,
        "option_id": option,
        "superseded_at": superseded_at,
    }


def expected(
    answers, standing=(), *, rule="any_difference", distance=None, overlap=2, is_handed_in=True
):
    return rows._expected(
        [VALUES.get(answer) for answer in answers],
        list(standing),
        VALUES,
        rule=rule,
        distance=distance,
        overlap=overlap,
        is_handed_in=is_handed_in,
    )


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ([], ("open", "", None)),
        ([SOME], ("partial", "", None)),
        ([None], ("partial", "", None)),
        ([SOME, SOME], ("agreed", "consensus", 1)),
        ([SOME, MUCH], ("disputed", "", None)),
        ([SOME, None], ("disputed", "", None)),
        ([None, None], ("disputed", "", None)),
    ],
)
def test_answers_without_a_decision_say_the_state_and_the_gold(answers, state):
    assert expected(answers) == state


def test_who_agrees_has_no_gold_before_all_have_handed_in():
    assert expected([SOME, SOME], is_handed_in=False) == ("agreed", "", None)
    assert expected([SOME, MUCH], is_handed_in=False) == ("disputed", "", None)


@pytest.mark.parametrize("answers", [[], [SOME], [SOME, SOME], [SOME, MUCH], [None, NO]])
def test_a_standing_decision_goes_before_whatever_the_answers_say(answers):
    assert expected(answers, [decision(MUCH)]) == ("adjudicated", "adjudicated", 3)
    assert expected(answers, [decision(None)]) == ("excluded", "excluded", None)


def test_a_decision_for_an_option_of_another_scale_has_no_value():
    assert expected([SOME, MUCH], [decision(99)]) == ("adjudicated", "adjudicated", None)


@pytest.mark.parametrize(
    ("rule", "distance", "answers", "state"),
    [
        ("difference_of_at_least", Decimal(2), [NO, SOME], ("agreed", "consensus", 0)),
        ("difference_of_at_least", Decimal(2), [SOME, MUCH], ("disputed", "", None)),
        ("majority", None, [SOME, SOME, MUCH], ("agreed", "consensus", 1)),
        ("majority", None, [SOME, SOME, None], ("agreed", "consensus", 1)),
        ("majority", None, [SOME, None, MUCH], ("disputed", "", None)),
        ("adjudicate_all", None, [SOME, SOME], ("disputed", "", None)),
    ],
)
def test_the_rule_of_the_scheme_decides_what_agrees(rule, distance, answers, state):
    assert expected(answers, rule=rule, distance=distance, overlap=len(answers)) == state


PAIR = {"pk": 7, "batch_id": 1}
SEATS = {21: True, 22: True}


def rating(pk, seat, annotator, option=SOME, cannot_judge="", version=5):
    return {
        "pk": pk,
        "seat_id": seat,
        "annotator_id": annotator,
        "option_id": option,
        "cannot_judge": cannot_judge,
        "scheme_version_id": version,
    }


BOTH = [rating(1, 21, 31), rating(2, 22, 32)]


def of_ratings(ratings, seats=SEATS, pair=PAIR):
    return list(rows._ratings_of(pair, ratings, seats))


def test_a_rating_from_each_seat_is_as_it_should_be():
    assert of_ratings(BOTH) == []
    assert of_ratings([rating(1, 21, 31, None, "too short"), BOTH[1]]) == []


def test_an_open_seat_may_still_lack_an_answer():
    assert of_ratings(BOTH[:1], {21: True, 22: False}) == []


@pytest.mark.parametrize(
    ("ratings", "sentence"),
    [
        (BOTH[:1], "Seat 22 is handed in without an answer for pair 7."),
        ([*BOTH, rating(3, 23, 33)], "Rating 3 is from a seat of another batch."),
        ([*BOTH, rating(3, 21, 33)], "Pair 7 has two ratings with one seat_id."),
        ([BOTH[0], rating(2, 22, 31)], "Pair 7 has two ratings with one annotator_id."),
        (
            [BOTH[0], rating(2, 22, 32, SOME, "too short")],
            'Rating 2 must have an option or "cannot judge", not both or neither.',
        ),
        (
            [BOTH[0], rating(2, 22, 32, None)],
            'Rating 2 must have an option or "cannot judge", not both or neither.',
        ),
    ],
)
def test_a_rating_too_many_too_few_or_of_the_wrong_place_is_named(ratings, sentence):
    assert of_ratings(ratings) == [sentence]


def test_a_pair_in_no_batch_has_no_ratings():
    waiting = PAIR | {"batch_id": None}

    assert of_ratings([], {}, waiting) == []
    assert of_ratings(BOTH, {}, waiting) == ["Pair 7 has 2 ratings and no batch."]


def of_decisions(*decisions):
    standing = [row for row in decisions if row["superseded_at"] is None]
    return list(rows._decisions_of(PAIR, BOTH, decisions, standing))


def test_one_decision_stands_and_others_were_changed_before():
    assert of_decisions() == []
    assert of_decisions(decision(SOME, 1, superseded_at="before"), decision(MUCH, 2)) == []


def test_two_decisions_that_stand_are_one_too_many():
    assert of_decisions(decision(SOME, 1), decision(MUCH, 2)) == [
        "Pair 7 has 2 standing decisions."
    ]


@pytest.mark.parametrize("superseded_at", [None, "before"])
def test_nobody_decides_what_they_rated_also_not_before_another_did(superseded_at):
    by_a_rater = decision(SOME, 4, adjudicator=32, superseded_at=superseded_at)

    assert of_decisions(by_a_rater) == ["Decision 4 was made by a rater of its pair."]


def test_answers_are_of_the_scale_and_the_scheme_of_their_topic():
    ratings = [rating(1, 21, 31, 99), rating(2, 22, 32, None, "too short", version=6)]

    assert list(rows._foreign(BOTH, VALUES, {5})) == []
    assert list(rows._foreign(ratings, VALUES, {5})) == [
        "Rating 1 names an option of another scale than its topic's.",
        "Rating 2 names a version of another scheme.",
    ]


def test_rows_in_order_are_given_out_pair_by_pair():
    numbers = [1, 1, 3, 3, 3, 6]
    grouped = rows._Grouped(iter([{"pair_id": n} for n in numbers]))

    assert [len(grouped.of(pair)) for pair in (1, 2, 3, 4, 7)] == [2, 0, 3, 0, 1]


def test_no_rows_are_none_for_every_pair():
    assert rows._Grouped(iter([])).of(1) == []


@pytest.mark.parametrize(
    ("rule", "distances", "sentences"),
    [
        ("any_difference", {"": None}, []),
        ("difference_of_at_least", {"": 2}, []),
        ("any_difference", {"method": None, "result": None}, []),
        ("difference_of_at_least", {"": None}, ["distances"]),
        ("any_difference", {"": 2}, ["distances"]),
        ("difference_of_at_least", {"method": 2, "result": None}, ["distances"]),
        ("any_difference", {"method": None}, ["facets"]),
        ("any_difference", {"": None, "method": None}, ["facets"]),
        ("any_difference", {}, ["facets"]),
    ],
)
def test_scales_are_one_or_one_for_each_facet_with_the_distances_of_the_rule(
    rule, distances, sentences
):
    facets = SimpleNamespace(values_list=lambda name, flat: ["method", "result"])
    scheme = SimpleNamespace(pk=1, rule=rule, facets=facets)

    assert [
        "distances" if "distances" in sentence else "facets"
        for sentence in rows._scales_of(scheme, distances)
    ] == sentences


# On a study of the database


@shelved
def study(db):
    study = make_study(facets=("method", "result"))
    study.finish(alice=[1, 0, 0], bob=[1, 0, 2])
    return study


def found():
    return list(row_findings("default"))


@pytest.mark.once
def test_a_sound_study_says_nothing(study):
    assert found() == []


@pytest.mark.once
def test_a_study_in_the_middle_of_its_work_says_nothing(db):
    """Decided, decided anew, left out; agreed where one has not handed in; a free seat."""
    study = make_study(facets=("background", "method", "result"))
    decided, half, free = study.collection.batches.order_by("pk")
    study.finish(decided, alice=[1, 0, 0], bob=[2, 1, 3])
    first, second, _ = decided.pairs.order_by("pk")
    at_first = decide(pair=first, by=study.carol, save_id=uuid.uuid4(), option=study.option(1))
    decide(
        pair=first,
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(2),
        based_on=at_first.public_id,
    )
    decide(pair=second, by=study.carol, save_id=uuid.uuid4(), exclusion_reason="no abstract")
    for name in ("alice", "bob"):
        study.rate_all(name, 2, half)
    study.hand_in("alice", half)
    assign_seat(seat=study.seat("bob", free), member=None, by=study.lena)

    assert set(half.pairs.values_list("state", "gold_origin")) == {("agreed", "")}
    assert found() == []


@pytest.mark.once
def test_a_pair_is_named_with_its_state_and_what_its_rows_say(study):
    pair = study.batch.pairs.get(state="disputed")
    study.batch.pairs.filter(pk=pair.pk).update(state="open")

    assert found() == [
        f"Pair {pair.pk} is ('open', '', None); its rows say ('disputed', '', None)."
    ]


@pytest.mark.once
def test_a_gold_value_is_that_of_its_option(study):
    agreed = study.batch.pairs.filter(state="agreed").first()
    study.batch.pairs.filter(pk=agreed.pk).update(gold_option=study.option(3))

    assert found() == [
        f"Pair {agreed.pk} has a gold option that does not stand for its gold value."
    ]


@pytest.mark.once
def test_a_seat_too_few_and_one_of_a_wrong_number_are_told(study):
    first, second = study.collection.batches.order_by("pk")
    Batch.objects.filter(pk=first.pk).update(overlap=3)
    Seat.objects.filter(batch=second, ordinal=2).update(ordinal=3)

    seats = [sentence for sentence in found() if "has seats" in sentence]
    assert seats == [
        f"Batch {first.pk} has seats [1, 2]; its overlap is 3.",
        f"Batch {second.pk} has seats [1, 3]; its overlap is 2.",
    ]


@pytest.mark.once
def test_a_holder_and_a_rater_without_a_tenure_are_told(study):
    seat = study.seat("alice")
    erase(Tenure.objects.filter(seat=seat))
    alice = study.members["alice"].pk

    assert found() == [
        f"Seat {seat.pk} is held by member {alice}, and no tenure says so.",
        f"Member {alice} rated in seat {seat.pk} without ever holding it.",
    ]


@pytest.mark.once
def test_a_machine_s_score_is_of_a_pair_of_its_collection(study):
    other = make_study(slug="other", assign=False)
    run = MachineRun.objects.create(collection=other.collection, model="m", name="r")
    score = MachineScore.objects.create(run=run, pair=other.topics[0].pairs.first(), value=1)
    assert found() == []

    MachineScore.objects.filter(pk=score.pk).update(pair=study.batch.pairs.first())

    assert found() == ["1 machine scores are of another collection than their run."]


@pytest.mark.once
def test_rows_of_an_import_that_died_are_counted_by_kind(study):
    died = Import.objects.create(
        collection=study.collection, kind="csfcube", state=Import.State.DEAD, created_by=study.lena
    )
    Topic.objects.filter(pk=study.topics[1].pk).update(imported=died)

    assert "1 rows of datasets.Topic belong to an import that died." in found()


@pytest.mark.once
def test_an_import_that_is_being_written_breaks_no_rule_yet(study):
    """Its batches have no seats."""
    being_written = Import.objects.create(
        collection=study.collection, kind="csfcube", created_by=study.lena
    )
    Batch.objects.create(
        collection=study.collection, name="later", overlap=2, imported=being_written, position=9
    )

    assert found() == []


@pytest.fixture
def trees(db):
    """Two queries of aspects in one collection."""
    collection = make_aspect_study().collection
    return collection.queries.get(), make_aspect_query(collection, query_id="1")


@pytest.mark.once
def test_a_place_below_one_of_another_query_is_told(trees):
    first, second = trees
    below, above = first.places.exclude(parent=None).first(), second.places.first()
    TopicPlace.objects.filter(pk=below.pk).update(parent=above)

    assert found() == [
        f"Place {below.pk} of query {first.pk} hangs below one of query {second.pk}."
    ]


@pytest.mark.once
def test_places_in_a_circle_are_each_above_themselves(trees):
    first, _ = trees
    below = first.places.exclude(parent=None).first()
    TopicPlace.objects.filter(pk=below.parent_id).update(parent=below)
    circle = {below.pk, below.parent_id}

    sentences = found()

    reported = {
        pk for pk in circle if f"Place {pk} of query {first.pk} is above itself." in sentences
    }
    assert reported == circle
