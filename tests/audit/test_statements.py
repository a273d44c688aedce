"""Statements that are built once do what Django's own would."""

import uuid

import pytest
from django.db import connection, transaction

from accounts.models import User
from annotation.assigning.actions.batches import make_batches
from annotation.models import Rating, RatingRevision, Seat
from audit.models import Event
from audit.statements import Select, change, insert, insert_with, insertion, padded
from tests.factories.studies import make_study, make_user

pytestmark = [pytest.mark.both, pytest.mark.django_db]


def test_each_use_gives_its_own_values_wherever_the_argument_stands():
    first, second = make_study(slug="one"), make_study(slug="two")
    own_seats = Select(
        lambda user, seat: Seat.objects.of(user).filter(
            public_id=seat, batch__seats__holder__user=user
        ),
        int,
        uuid.UUID,
    )

    for study in (first, second):
        seat = study.seat("alice")
        assert own_seats.rows(study.alice.pk, seat.public_id) == [seat]
        assert own_seats.first(study.bob.pk, seat.public_id) is None


def test_rows_are_as_a_queryset_gives_them():
    study = make_study()
    study.rate("alice", study.first_pair("alice"), 2, active_seconds=7)
    rating = Rating.objects.select_related("option", "seat__holder")
    values = rating.values_list("pk", "public_id", "created_at", "option__value", "components")

    [instance] = Select(lambda pair: rating.filter(pair=pair), int).rows(rating.get().pair_id)
    [named] = Select(lambda pair: values.filter(pair=pair), int).rows(rating.get().pair_id)

    expected = rating.get()
    assert {f.attname: getattr(instance, f.attname) for f in Rating._meta.concrete_fields} == {
        f.attname: getattr(expected, f.attname) for f in Rating._meta.concrete_fields
    }
    assert instance._state.adding is False
    assert instance.option.value == 2
    assert instance.seat.holder == study.members["alice"]
    assert named == values.get()
    assert named.option__value == 2


def test_what_is_not_there_stays_none(django_assert_num_queries):
    study = make_study(assign=False)
    seats = Select(lambda pk: Seat.objects.select_related("holder").filter(pk=pk), int)
    [batch] = make_batches(collection=study.collection, by=study.lena)
    free_seat = batch.seats.first()

    with django_assert_num_queries(1):
        assert seats.first(free_seat.pk).holder is None


def test_an_inserted_row_has_every_field_and_its_key():
    event = Event(verb="try", subject_type="a", subject_id="b", after={"n": 1})

    insert(event)

    stored = Event.objects.get(pk=event.pk)
    assert (stored.verb, stored.after, stored.before, stored.reason) == ("try", {"n": 1}, None, "")
    assert stored.at is not None
    assert event._state.adding is False


def test_a_change_writes_the_fields_named_and_no_other():
    study = make_study()
    study.rate("alice", study.first_pair("alice"), 2)
    rating = Rating.objects.get()
    rating.note, rating.is_flagged = "changed", True
    event = Event(verb="try", subject_type="a", subject_id="b")

    insert(event, after=[change(rating, ["note"])])

    rating.refresh_from_db()
    assert (rating.note, rating.is_flagged) == ("changed", False)


def test_what_is_sent_along_is_written_first_and_the_row_gets_its_own_key():
    first, second = (Event(verb=verb, subject_type="a", subject_id="b") for verb in ("1", "2"))

    insert(second, after=[insertion(first)])

    assert Event.objects.get(pk=second.pk).verb == "2"
    assert list(Event.objects.order_by("pk").values_list("verb", flat=True)) == ["1", "2"]


def test_a_row_is_inserted_with_the_new_row_that_it_refers_to():
    study = make_study()
    pair, seat, option = study.first_pair("alice"), study.seat("alice"), study.option(2)
    answer = {"option": option, "scheme_version": study.scheme.current, "note": "50 %"}
    rating = Rating(pair=pair, seat=seat, annotator=seat.holder, position=1, **answer)
    revision = RatingRevision(rating=rating, save_id=uuid.uuid4(), saved_by=study.alice, **answer)
    event = Event(verb="try", subject_type="a", subject_id="b")

    insert_with(revision, "rating", after=[insertion(event)])

    stored = RatingRevision.objects.get(pk=revision.pk)
    assert stored.rating == rating == Rating.objects.get(pair=pair, seat=seat)
    assert (stored.note, stored.save_id) == ("50 %", revision.save_id)
    assert stored.rating.position == 1
    assert not rating._state.adding
    assert not revision._state.adding
    assert Event.objects.filter(verb="try").exists()


@pytest.mark.postgres_only
def test_locks_are_taken_in_their_order_before_the_rows_are_read(django_assert_num_queries):
    study = make_study()
    locks = [
        lambda pk, name: User.objects.select_for_update().filter(pk=pk),
        lambda pk, name: User.objects.select_for_update().filter(name=name),
    ]
    users = Select(lambda pk, name: User.objects.filter(pk=pk), int, str, locks=locks)

    with transaction.atomic(), django_assert_num_queries(1) as sent:
        assert users.first(study.alice.pk, study.bob.name) == study.alice

    by_key, by_name, reading = sent[0]["sql"].split("; ")
    assert str(study.alice.pk) in by_key
    assert study.bob.name in by_name
    assert str(study.alice.pk) in reading


@pytest.mark.postgres_only
def test_a_connection_prepares_and_plans_a_statement_once():
    study = make_study()
    users = Select(lambda pk: User.objects.filter(pk=pk, name__contains="%"), int)

    assert [users.first(pk) for pk in (study.alice.pk, study.bob.pk)] == [None, None]

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT generic_plans, custom_plans FROM pg_prepared_statements"
            " WHERE statement LIKE '%%accounts_user%%LIKE%%'"
        )
        assert cursor.fetchall() == [(2, 0)]


def test_one_statement_serves_one_value_and_several():
    users = [make_user(name) for name in ("a", "b", "c")]
    any_of = Select(lambda *keys: User.objects.filter(pk__in=keys).order_by("pk"), int, int, int)

    assert any_of.rows(*padded([user.pk for user in users], 3)) == users
    assert any_of.rows(*padded({users[1].pk}, 3)) == [users[1]]
