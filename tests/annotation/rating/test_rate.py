import copy
import uuid
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now

from annotation.access import get_seat
from annotation.assigning.actions.assign import Unfinished, assign_seat, hand_in, return_seat
from annotation.assigning.actions.batches import set_way
from annotation.models import Pair, ProgramSave, Rating, RatingRevision
from annotation.rating.components import MAX_COMPONENT_LENGTH, MAX_COMPONENTS
from annotation.rating.rate import (
    MAX_NOTE_LENGTH,
    ProgramsMayNotRate,
    SaveIdReused,
    SeatClosed,
    SeatMoved,
    StaleEdit,
    rate_pair,
)
from annotation.rating.standing import locked_pair, locked_seat
from annotation.schemes.actions import edit_wording
from audit.models import Event
from audit.refusals import Invalid, NotAllowed
from datasets.actions import change_programs
from datasets.models import Membership
from tests.factories.studies import make_aspect_study, make_member, make_study
from tests.factories.tokens import token_of


def test_the_first_rating_of_a_pair_makes_it_partial(study):
    pair = study.batch.pairs.first()

    study.rate("alice", pair, 2)

    pair.refresh_from_db()
    assert (pair.state, pair.gold_value) == ("partial", None)
    assert Rating.objects.get().option.value == 2


@pytest.mark.parametrize(("first", "second", "state"), [(2, 2, "agreed"), (2, 1, "disputed")])
def test_the_last_rating_settles_the_pair_without_gold_before_hand_in(study, first, second, state):
    pair = study.batch.pairs.first()

    study.rate("alice", pair, first)
    study.rate("bob", pair, second)

    pair.refresh_from_db()
    assert (pair.state, pair.gold_origin) == (state, "")


def test_hand_in_of_the_last_seat_turns_consensus_into_gold(study):
    study.finish(alice=[0, 1, 2], bob=[0, 3, None])

    pairs = study.batch.pairs.values_list("state", "gold_origin", "gold_value")
    assert list(pairs) == [
        ("agreed", "consensus", 0),
        ("disputed", "", None),
        ("disputed", "", None),
    ]


def test_a_save_locks_its_seat_and_its_pair_alone(study):
    seat, pair = study.seat("alice"), study.first_pair("alice")

    with transaction.atomic():
        locked = [
            [row["pk"] for row in lock(seat.pk, pair.pk, uuid.uuid4())]
            for lock in (locked_seat, locked_pair)
        ]

    assert locked == [[seat.pk], [pair.pk]]


def test_a_seat_with_an_unrated_pair_cannot_be_handed_in(study):
    study.rate("alice", study.batch.pairs.first(), 2)

    with pytest.raises(Unfinished) as refusal:
        study.hand_in("alice")

    assert refusal.value.count == 2


def test_the_same_save_sent_again_is_the_same_rating(study):
    pair, save_id = study.batch.pairs.first(), uuid.uuid4()

    revisions = [study.rate("alice", pair, 2, save_id=save_id, based_on=0) for _ in range(3)]

    assert len({revision.pk for revision in revisions}) == 1
    assert Rating.objects.count() == RatingRevision.objects.count() == 1
    assert Event.objects.about(pair).count() == 1


def test_the_same_save_with_another_grade_is_refused(study):
    pair, save_id = study.batch.pairs.first(), uuid.uuid4()
    study.rate("alice", pair, 2, save_id=save_id, based_on=0)

    with pytest.raises(SaveIdReused):
        study.rate("alice", pair, 1, save_id=save_id, based_on=0)

    assert Rating.objects.get().option.value == 2


def test_the_same_save_under_another_version_of_the_scheme_is_refused(study):
    pair, save_id = study.batch.pairs.first(), uuid.uuid4()
    first = study.scheme.current
    study.rate("alice", pair, 2, save_id=save_id, based_on=0, scheme_version=first)
    second = edit_wording(
        scheme=study.scheme,
        wording=first.wording,
        guidelines="Read the abstract twice.",
        change_note="clearer",
        by=study.lena,
    )

    with pytest.raises(SaveIdReused):
        study.rate("alice", pair, 2, save_id=save_id, based_on=0, scheme_version=second)

    assert Rating.objects.get().scheme_version == first


def test_a_stale_edit_gets_the_stored_answer_and_changes_nothing(study):
    pair = study.batch.pairs.first()
    study.rate("alice", pair, 2)
    study.rate("alice", pair, 3)

    with pytest.raises(StaleEdit) as refusal:
        study.rate("alice", pair, 0, based_on=1)

    assert refusal.value.current.option.value == 3
    assert Rating.objects.get().version == 2


def test_every_change_of_a_rating_is_kept_as_a_revision(study):
    pair = study.batch.pairs.first()

    for value in [0, 3, None]:
        study.rate("alice", pair, value, note=f"now {value}")

    kept = RatingRevision.objects.values_list("version", "option__value", "note")
    assert list(kept) == [(1, 0, "now 0"), (2, 3, "now 3"), (3, None, "now None")]


def test_handing_in_closes_the_seat_and_a_return_opens_it(study):
    study.rate_all("alice", 2)
    study.hand_in("alice")

    with pytest.raises(SeatClosed):
        study.rate("alice", study.batch.pairs.first(), 1)

    return_seat(seat=study.seat("alice"), by=study.lena, reason="Please read the guideline again.")
    study.rate("alice", study.batch.pairs.first(), 1)
    assert study.seat("alice").return_reason == "Please read the guideline again."


def test_the_reason_of_a_return_stays_in_the_trail(study):
    study.finish(alice=2)

    return_seat(seat=study.seat("alice"), by=study.lena, reason="Pair 2 was cut off.")
    study.hand_in("alice")

    seat = study.seat("alice")
    assert seat.return_reason == ""  # nothing is left to read for its holder
    assert Event.objects.about(seat).get(verb="return seat").reason == "Pair 2 was cut off."


def test_returning_a_seat_withdraws_consensus_gold(study):
    study.finish(alice=2, bob=2)

    return_seat(seat=study.seat("alice"), by=study.lena, reason="One more look.")

    assert set(study.batch.pairs.values_list("state", "gold_origin")) == {("agreed", "")}


def test_nobody_rates_in_a_seat_of_somebody_else(study):
    pair = study.batch.pairs.first()

    with pytest.raises(NotAllowed):
        hand_in(seat=study.seat("alice"), by=study.bob)

    assert pair.ratings.count() == 0


def test_a_successor_rates_only_what_is_unrated(study):
    erin = make_member(study.collection, "Erin", "annotator")
    study.members["erin"] = erin
    first, second, third = study.batch.pairs.all()
    study.rate("alice", first, 1)
    seat = study.seat("alice")

    assign_seat(seat=seat, member=erin, by=study.lena, reason="Alice is ill.")

    with pytest.raises(NotAllowed):
        study.rate("erin", first, 2, based_on=1)
    study.rate("erin", second, 2)
    study.rate("erin", third, 2)
    study.hand_in("erin")
    authors = seat.ratings.values_list("pair__position", "annotator__name").order_by("pair")
    assert list(authors) == [(0, "Alice"), (1, "Erin"), (2, "Erin")]


def insert_rating(study, *, seat, annotator, pair):
    rating = Rating(
        pair=pair,
        seat=seat,
        annotator=study.members[annotator],
        position=1,
        option=study.option(1),
        scheme_version=study.scheme.current,
    )
    with transaction.atomic():
        rating.save(force_insert=True)


def test_the_database_refuses_a_second_rating_in_a_seat(study):
    pair = study.batch.pairs.first()
    study.rate("alice", pair, 1)

    with pytest.raises(IntegrityError):
        insert_rating(study, seat=study.seat("alice"), annotator="lena", pair=pair)


def test_the_database_refuses_a_second_rating_by_an_annotator(study):
    pair = study.batch.pairs.first()
    study.rate("alice", pair, 1)

    with pytest.raises(IntegrityError):
        insert_rating(study, seat=study.seat("bob"), annotator="alice", pair=pair)


def test_the_database_refuses_a_rating_from_a_seat_of_another_batch(study):
    from annotation.assigning.actions.batches import make_batches
    from tests.factories.studies import make_topic

    make_topic(study.collection, query_id="q2")
    [other] = make_batches(collection=study.collection, by=study.lena)

    with pytest.raises(IntegrityError, match="seat is of another batch"):
        insert_rating(
            study, seat=other.seats.first(), annotator="lena", pair=study.batch.pairs.first()
        )


def test_the_database_keeps_rated_pairs_and_ratings_in_their_batch(study):
    from annotation.assigning.actions.batches import make_batches
    from tests.factories.studies import make_topic

    make_topic(study.collection, query_id="q2")
    [other] = make_batches(collection=study.collection, by=study.lena)
    pair = other.pairs.first()
    insert_rating(study, seat=other.seats.first(), annotator="lena", pair=pair)

    with pytest.raises(IntegrityError, match="the pair has ratings"), transaction.atomic():
        other.pairs.filter(pk=pair.pk).update(batch=None)
    with pytest.raises(IntegrityError, match="seat is of another batch"), transaction.atomic():
        Rating.objects.filter(pair=pair).update(seat=study.seat("alice"))


def test_the_database_refuses_more_seats_than_the_overlap(study):
    with pytest.raises(IntegrityError, match="no more seats"), transaction.atomic():
        study.batch.seats.create(ordinal=3)


@pytest.mark.parametrize("statement", ["UPDATE {} SET version = 9", "DELETE FROM {}"])
def test_the_database_refuses_to_rewrite_a_revision(study, statement):
    study.rate("alice", study.batch.pairs.first(), 1)

    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        connection.cursor().execute(statement.format("annotation_ratingrevision"))


def test_pairs_keep_their_batch_once_rated(study):
    pair = study.batch.pairs.first()
    study.rate("alice", pair, 1)

    with pytest.raises(IntegrityError), transaction.atomic():
        Pair.objects.filter(pk=pair.pk).update(batch=None, state="open")


def test_a_save_is_told_in_the_trail_with_what_stood_before(study):
    pair = study.batch.pairs.first()
    details = {"note": "close call", "is_flagged": True, "active_seconds": Decimal("12.5")}
    first = study.rate("alice", pair, 2, position=4, **details).rating
    study.rate("alice", pair, None)

    made, changed = Event.objects.about(pair)

    answer = {
        "rating": str(first.public_id),
        "seat": str(study.seat("alice").public_id),
        "version": 1,
        "option": study.option(2).key,
        "cannot_judge": "",
        "note": "close call",
        "is_flagged": True,
        "components": [],
    }
    assert (made.verb, made.before, made.actor) == ("rate", None, study.alice)
    assert made.after == answer | {"position": 4, "active_seconds": "12.5", "scheme_version": 1}
    assert (changed.verb, changed.before) == ("change rating", answer)
    assert (changed.after["version"], changed.after["option"]) == (2, None)
    assert changed.after["cannot_judge"] == "garbled text"
    assert {made.collection, changed.collection} == {study.collection.public_id}


def test_a_save_keeps_every_part_of_the_answer_in_rating_and_revision(study):
    pair = study.batch.pairs.first()
    study.rate("alice", pair, 2)

    details = {"note": "close call", "is_flagged": True, "active_seconds": Decimal("12.5")}
    study.rate("alice", pair, None, **details)

    for kept in (Rating.objects.get(), RatingRevision.objects.get(version=2)):
        assert (kept.option, kept.cannot_judge, kept.note) == (None, "garbled text", "close call")
        assert (kept.is_flagged, kept.active_seconds) == (True, Decimal("12.5"))
    assert RatingRevision.objects.get(version=2).saved_by == study.alice


def test_a_replay_is_the_same_pair_seat_holder_and_version(study):
    first, second, _ = study.batch.pairs.all()
    save_id = uuid.uuid4()
    study.rate("alice", first, 2, save_id=save_id)

    for name, pair, based_on in [("alice", second, 0), ("bob", first, 0), ("alice", first, 1)]:
        with pytest.raises(SaveIdReused):
            study.rate(name, pair, 2, save_id=save_id, based_on=based_on)

    assert Rating.objects.count() == 1


def test_a_replay_by_a_later_holder_of_the_seat_is_refused(study):
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    pair, save_id = study.batch.pairs.first(), uuid.uuid4()
    study.rate("alice", pair, 2, save_id=save_id)
    assign_seat(seat=study.seat("alice"), member=study.members["erin"], by=study.lena, reason="ill")

    with pytest.raises(SaveIdReused):
        study.rate("erin", pair, 2, save_id=save_id, based_on=0)


def test_a_save_that_was_kept_is_answered_after_the_hand_in_too(study):
    save_id = uuid.uuid4()
    study.rate_all("alice", 1)
    pair = study.batch.pairs.first()
    kept = study.rate("alice", pair, 2, save_id=save_id)
    study.hand_in("alice")

    assert study.rate("alice", pair, 2, save_id=save_id, based_on=1) == kept


def test_a_seat_is_rated_in_by_its_holder_as_it_is_now(study):
    pair, seat = study.batch.pairs.first(), study.seat("alice")
    answer = {
        "pair_id": pair.pk,
        "save_id": uuid.uuid4(),
        "based_on": 0,
        "scheme_version": study.scheme.current,
        "option": study.option(1),
    }

    with pytest.raises(NotAllowed, match="held by somebody else"):
        rate_pair(seat=seat, by=study.bob, **answer)
    assign_seat(seat=study.seat("alice"), member=None, by=study.lena)
    with pytest.raises(NotAllowed, match="held by somebody else"):
        rate_pair(seat=seat, by=study.alice, **answer)
    seat.refresh_from_db()
    with pytest.raises(NotAllowed, match="held by somebody else"):
        rate_pair(seat=seat, by=study.alice, **answer)
    assert not Rating.objects.exists()


@pytest.mark.parametrize(
    "change", [{"is_annotator": False, "is_adjudicator": True}, {"removed_at": Now()}]
)
def test_who_is_no_annotator_any_more_rates_in_no_seat(study, change):
    Membership.objects.filter(pk=study.members["alice"].pk).update(**change)

    with pytest.raises(NotAllowed, match="held by somebody else"):
        study.rate("alice", study.batch.pairs.first(), 1)


def give_away_and_back(study):
    seat = study.seat("alice")
    for member in (None, study.members["alice"]):
        assign_seat(seat=seat, member=member, by=study.lena, reason="A mistake.")


def change_way(study):
    set_way(batch=study.batch, way="document", by=study.lena)


def change_wording(study):
    wording = copy.deepcopy(study.scheme.current.wording)
    wording["options"]["similar"]["name"] = "Alike"
    edit_wording(scheme=study.scheme, wording=wording, guidelines="", change_note="", by=study.lena)


@pytest.mark.parametrize("change", [give_away_and_back, change_way, change_wording])
def test_a_seat_that_is_not_as_it_was_read_takes_no_save(study, change):
    seat = get_seat(study.alice, study.seat("alice").public_id)
    answer = {
        "pair_id": study.batch.pairs.first().pk,
        "by": study.alice,
        "based_on": 0,
        "scheme_version": study.scheme.current,
        "option": study.option(1),
    }
    change(study)

    with pytest.raises(SeatMoved):
        rate_pair(seat=seat, save_id=uuid.uuid4(), **answer)
    assert not Rating.objects.exists()
    seat = get_seat(study.alice, seat.public_id)
    assert rate_pair(seat=seat, save_id=uuid.uuid4(), **answer).version == 1


def test_pairs_of_other_batches_are_not_rated_in_a_seat(db):
    study = make_study(facets=("method", "result"), candidates=1)
    first, second = study.collection.batches.all()

    with pytest.raises(NotAllowed, match="not in the batch"):
        rate_pair(
            seat=study.seat("alice", first),
            pair_id=second.pairs.get().pk,
            by=study.alice,
            save_id=uuid.uuid4(),
            based_on=0,
            scheme_version=study.scheme.current,
            option=study.option(1),
        )


def test_an_answer_is_a_grade_of_the_scheme_or_a_reason(study):
    pair, other = study.batch.pairs.first(), make_study(slug="other")
    imported = study.scheme.scale_of("method").options.create(
        key="unknown", value=9, is_import_only=True, position=9
    )
    grade = "not part of the scheme"
    too_long = "x" * (MAX_NOTE_LENGTH + 1)
    for refused, sentence in [
        ({"cannot_judge": "garbled"}, "Choose a grade, or say why"),
        ({"option": None}, "Choose a grade, or say why"),
        ({"option": imported}, grade),
        ({"option": other.option(1)}, grade),
        ({"scheme_version": other.scheme.current}, "belongs to another collection"),
        ({"note": too_long}, "longer than 5,000 characters"),
        ({"active_seconds": Decimal(-1)}, "between 0 and 86,400 seconds"),
        ({"active_seconds": Decimal("86400.1")}, "between 0 and 86,400 seconds"),
        ({"components": [{"text": "a", "met": "met"}]}, "does not ask for key components"),
    ]:
        with pytest.raises(Invalid, match=sentence):
            study.rate("alice", pair, 1, **refused)
    assert not Rating.objects.exists()

    study.rate("alice", pair, 1, note=too_long[1:], active_seconds=Decimal(86400))


def test_key_components_are_few_short_and_marked(db):
    study = make_aspect_study()
    pair = study.batch.pairs.first()
    whole = [{"text": "x" * MAX_COMPONENT_LENGTH, "met": "partly"}] * MAX_COMPONENTS

    for refused, sentence in [
        ([*whole, *whole[:1]], "more than 12 key components"),
        ([{"text": "  ", "met": "met"}], "1 to 300 characters"),
        ([{"text": "x" * 301, "met": "met"}], "1 to 300 characters"),
        ([{"text": "a", "met": "somewhat"}], "met, partly met or not met"),
    ]:
        with pytest.raises(Invalid, match=sentence):
            study.rate("alice", pair, "agree", components=refused)

    assert study.rate("alice", pair, "agree", components=whole).components == whole


def test_programs_rate_where_leads_let_them_and_are_told_in_the_trail(study):
    token, _ = token_of(study.members["alice"])
    pair, _, by_hand = study.batch.pairs.all()

    with pytest.raises(ProgramsMayNotRate):
        study.rate("alice", pair, 1, token=token)
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    study.collection.refresh_from_db()
    revision = study.rate("alice", pair, 1, token=token)
    study.rate("alice", by_hand, 1)

    assert ProgramSave.objects.get().revision == revision
    assert ProgramSave.objects.get().token == token
    assert Event.objects.about(pair).get().after["token"] == str(token.public_id)
    assert "token" not in Event.objects.about(by_hand).get().after
