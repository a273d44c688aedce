import uuid

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.assigning.actions.assign import Unfinished, assign_seat, hand_in, return_seat
from annotation.models import Pair, Rating, RatingRevision
from annotation.rating.rate import SaveIdReused, SeatClosed, StaleEdit
from annotation.schemes.actions import edit_wording
from audit.models import Event
from audit.refusals import NotAllowed
from tests.factories.studies import make_member


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


def test_a_stale_edit_is_told_what_stands_and_changes_nothing(study):
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
