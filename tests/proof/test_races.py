"""What must hold when people act in the same instant.

Each race runs in threads with connections of their own, released by a barrier. The mutation tests
take a safeguard away and see the same race go wrong; a race that cannot fail proves nothing.
"""

import threading
import time
import uuid
from contextlib import contextmanager, nullcontext
from dataclasses import replace

import pyotp
import pytest
from django.db import IntegrityError, OperationalError, connection, connections, transaction

from accounts.actions import deactivate
from accounts.models import RecoveryCode, SecondFactor, User
from accounts.second_factor import (
    RECOVERY_CODES,
    begin_enrolment,
    confirm_enrolment,
    replace_recovery_codes,
    secret_of,
    use_code,
)
from adjudication.actions import AlreadyDecided, decide
from adjudication.models import Decision
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import lock_topic, make_batches, raise_overlap
from annotation.assigning.actions.changes import Barred
from annotation.models import Rating, RatingRevision, Seat, Tenure
from annotation.rating import rate, standing
from annotation.schemes.actions import change_rules
from audit import transactions
from audit.models import Event
from audit.refusals import Locked, Refused
from audit.statements import Select
from audit.triggers import expected_triggers
from config.integrity import findings
from datasets.actions import (
    AlreadyMember,
    accept_invitation,
    invite,
    link_account,
    remove_member,
    set_roles,
)
from datasets.models import Membership, Topic
from imports.run import carry_out
from imports.study.importing import StudyMoving
from tests.databases import on_sqlite
from tests.factories.neutral import Neutral
from tests.factories.studies import make_member, make_study, make_user, ordered_pairs

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def processes_of_their_own(monkeypatch):
    """The threads of a race stand for processes: none waits for another before it asks SQLite."""
    monkeypatch.setattr(transactions, "_turn", nullcontext)


def race(*calls):
    """Run the calls at one instant, a thread each; return their results or exceptions."""
    barrier = threading.Barrier(len(calls))
    results = [None] * len(calls)

    def run(index, call):
        try:
            barrier.wait(timeout=60)
            results[index] = call()
        except Exception as error:
            results[index] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    return results


class ReadWithoutLocks:
    """What a save reads, but without its locks; something happens before it writes."""

    def __init__(self, before_writing):
        self.select = Select(standing.pair_of_seat, int, int, uuid.UUID, uuid.UUID, str)
        self.before_writing = before_writing

    def rows(self, *values):
        rows = self.select.rows(*values)
        self.before_writing()
        return rows


def last_ratings_meet(study):
    """Alice and Bob rate each pair differently in the same instant; return the failures."""
    failures = []
    for pair in list(study.batch.pairs.all()):
        results = race(
            lambda pair=pair: study.rate("alice", pair, 0),
            lambda pair=pair: study.rate("bob", pair, 3),
        )
        failures += [result for result in results if isinstance(result, Exception)]
    return failures


@contextmanager
def deferred_transactions():
    """SQLite as it is without IMMEDIATE, for every connection made meanwhile."""
    for handler in connections.all(initialized_only=True):
        handler.close()
    options = connections.settings["default"]["OPTIONS"]
    options["transaction_mode"] = "DEFERRED"
    try:
        yield
    finally:
        options["transaction_mode"] = "IMMEDIATE"


def test_no_dispute_is_missed_when_the_last_ratings_meet(stress):
    study = make_study(candidates=stress(40, 5_000))

    failures = last_ratings_meet(study)

    assert failures == []
    assert study.batch.pairs.disputed().count() == study.batch.pairs.count()
    assert list(findings()) == []


def test_without_the_safeguard_the_same_race_goes_wrong(monkeypatch):
    study = make_study(candidates=60)

    if on_sqlite():
        monkeypatch.setattr(transactions, "ATTEMPTS", 1)
        with deferred_transactions():
            failures = last_ratings_meet(study)
        assert any(isinstance(failure, OperationalError) for failure in failures)
    else:
        barrier = threading.Barrier(2)
        monkeypatch.setattr(
            rate, "STANDING", ReadWithoutLocks(before_writing=lambda: barrier.wait(timeout=60))
        )
        last_ratings_meet(study)
        assert study.batch.pairs.disputed().count() < study.batch.pairs.count()


def test_one_save_sent_many_times_at_once_is_one_rating(stress):
    study = make_study(candidates=stress(5, 500))

    for pair in ordered_pairs(study.seat("alice")):
        save_id = uuid.uuid4()
        results = race(
            *[
                lambda pair=pair, save_id=save_id: study.rate(
                    "alice", pair, 2, save_id=save_id, based_on=0
                )
            ]
            * 6
        )
        assert len({revision.pk for revision in results}) == 1

    count = study.batch.pairs.count()
    assert Rating.objects.count() == RatingRevision.objects.count() == count
    assert Event.objects.filter(verb="rate").count() == count


def test_two_tabs_cannot_both_make_the_first_rating():
    study = make_study()
    pair = study.batch.pairs.first()

    results = race(
        *[lambda value=value: study.rate("alice", pair, value, based_on=0) for value in (0, 1, 2)]
    )

    refused = [result for result in results if isinstance(result, rate.StaleEdit)]
    assert len(refused) == 2
    assert Rating.objects.count() == 1


def test_one_free_seat_is_given_once():
    study = make_study(assign=False)
    [batch] = make_batches(collection=study.collection, by=study.lena)
    seats = list(batch.seats.all())
    alice = study.members["alice"]

    results = race(
        *[lambda seat=seat: assign_seat(seat=seat, member=alice, by=study.lena) for seat in seats]
    )

    assert sorted(isinstance(result, Refused) for result in results) == [False, True]
    assert Seat.objects.filter(holder=alice).count() == 1


def test_a_rating_and_a_hand_in_at_once_leave_no_half_pair():
    study = make_study(candidates=1)
    pair = study.batch.pairs.first()
    study.rate("alice", pair, 1)
    study.rate("bob", pair, 1)
    study.hand_in("alice")

    race(lambda: study.rate("bob", pair, 3), lambda: study.hand_in("bob"))

    assert list(findings()) == []


def test_both_last_hand_ins_at_once_settle_the_batch():
    for number in range(10):
        study = make_study(candidates=2, slug=f"study-{number}")
        study.rate_all("alice", [1, 1])
        study.rate_all("bob", [1, 2])

        results = race(lambda s=study: s.hand_in("alice"), lambda s=study: s.hand_in("bob"))

        assert not any(isinstance(result, Exception) for result in results)
        origins = study.batch.pairs.values_list("state", "gold_origin")
        assert list(origins) == [("agreed", "consensus"), ("disputed", "")]


def test_two_adjudicators_at_once_make_one_decision():
    study = make_study(candidates=6)
    study.members["dora"] = make_member(study.collection, "Dora", "adjudicator")
    study.finish(alice=0, bob=3)

    for pair in list(study.batch.pairs.all()):
        results = race(
            *[
                lambda pair=pair, by=by: decide(
                    pair=pair, by=by, save_id=uuid.uuid4(), option=study.option(3)
                )
                for by in (study.carol, study.dora)
            ]
        )
        assert sorted(type(result).__name__ for result in results) == [
            AlreadyDecided.__name__,
            Decision.__name__,
        ]

    assert Decision.objects.filter(superseded_at=None).count() == 6
    assert study.batch.pairs.disputed().count() == 0


# --- a change of roles beside an assignment and a hand-in -------------------------------------


def meanwhile(first, second):
    """Run `second` in a thread while `first`'s transaction is open; return second's result.

    The second must wait: it is seen waiting before the first commits.
    """
    results = []

    def run():
        try:
            results.append(second())
        except Exception as error:
            results.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    with transaction.atomic():
        first()
        thread.start()
        thread.join(timeout=0.5)
        has_waited = thread.is_alive()
    thread.join(timeout=60)
    return has_waited, results[0]


@pytest.fixture
def open_to_erin():
    """Alice has rated in a batch with a free seat; Erin is an annotator without one."""
    study = make_study()
    study.rate("alice", study.first_pair("alice"), 1)
    assign_seat(seat=study.seat("bob"), member=None, by=study.lena, reason="away")
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    return study


def becomes_adjudicator(study, name="erin", role="adjudicator"):
    roles = ["annotator", role]
    return set_roles(membership=study.members[name], by=study.lena, roles=roles)


def takes_the_seat(study):
    seat = study.batch.seats.get(ordinal=2)
    return assign_seat(seat=seat, member=study.members["erin"], by=study.lena, reason="new")


def takes_the_seat_by_row(study):
    seat = study.batch.seats.get(ordinal=2)
    with transaction.atomic():
        return Tenure.objects.create(batch=study.batch, seat=seat, member=study.members["erin"])


@pytest.mark.parametrize(
    ("take", "refusal"), [(takes_the_seat, Barred), (takes_the_seat_by_row, IntegrityError)]
)
def test_an_assignment_waits_for_a_role_that_is_being_given(open_to_erin, take, refusal):
    study = open_to_erin

    has_waited, result = meanwhile(lambda: becomes_adjudicator(study), lambda: take(study))

    assert has_waited
    assert isinstance(result, refusal)
    assert findings() == []


def test_a_role_waits_for_an_assignment_that_is_being_made(open_to_erin):
    study = open_to_erin

    has_waited, result = meanwhile(
        lambda: takes_the_seat(study), lambda: becomes_adjudicator(study)
    )

    assert has_waited
    assert "adjudicator" in result.roles
    assert findings() == []


def test_a_role_that_is_being_taken_leaves_no_seat_without_an_annotator(open_to_erin):
    study = open_to_erin
    erin = study.members["erin"]

    has_waited, result = meanwhile(
        lambda: set_roles(membership=erin, by=study.lena, roles=["adjudicator"]),
        lambda: takes_the_seat(study),
    )

    assert has_waited
    assert isinstance(result, Refused)


def test_a_member_who_is_being_removed_is_given_no_roles(open_to_erin):
    study = open_to_erin
    erin = study.members["erin"]

    _, result = meanwhile(
        lambda: remove_member(membership=erin, by=study.lena), lambda: becomes_adjudicator(study)
    )

    assert isinstance(result, Refused)
    assert findings() == []


def test_an_invitation_that_is_used_while_its_member_is_removed_brings_its_role_alone(
    open_to_erin,
):
    study = open_to_erin
    erin = study.members["erin"]
    becomes_adjudicator(study)
    _, token = invite(collection=study.collection, role="annotator", by=study.lena)

    has_waited, result = meanwhile(
        lambda: remove_member(membership=erin, by=study.lena),
        lambda: accept_invitation(token=token, by=study.erin),
    )

    assert has_waited
    assert result.roles == ["annotator"]
    assert findings() == []


def nora_and_lena(study):
    """Two leads, each as (the other's membership, whoever takes it away)."""
    nora = study.members["nora"] = make_member(study.collection, "Nora", "lead")
    return [
        {"membership": nora, "by": study.lena},
        {"membership": study.members["lena"], "by": nora.user},
    ]


def demote(**change):
    return set_roles(**change, roles=["annotator"])


@pytest.mark.parametrize("end", [remove_member, demote])
def test_of_two_leads_who_remove_each_other_one_stays(open_to_erin, end):
    study = open_to_erin
    first, second = nora_and_lena(study)

    has_waited, result = meanwhile(lambda: end(**first), lambda: end(**second))

    assert has_waited
    assert isinstance(result, Refused)
    assert Membership.objects.leads().get(collection=study.collection).user == study.lena
    assert findings() == []


def test_of_two_site_admins_who_deactivate_each_other_one_stays():
    ada, sam = (make_user(name, is_site_admin=True) for name in ("Ada", "Sam"))

    has_waited, result = meanwhile(
        lambda: deactivate(account=sam, by=ada), lambda: deactivate(account=ada, by=sam)
    )

    assert has_waited
    assert isinstance(result, Refused)
    assert User.objects.get(is_site_admin=True, is_active=True) == ada


def test_a_person_who_is_given_a_place_while_they_join_is_one_member(open_to_erin):
    study = open_to_erin
    fay = make_user("fay")
    place = imported_person(study, "A1")
    _, token = invite(collection=study.collection, role="annotator", by=study.lena)

    has_waited, result = meanwhile(
        lambda: accept_invitation(token=token, by=fay),
        lambda: link_account(membership=place, user=fay, by=study.lena),
    )

    assert has_waited
    assert isinstance(result, AlreadyMember)
    assert Membership.objects.filter(user=fay).count() == 1


def test_a_person_who_joins_while_they_are_given_a_place_has_the_role_there(open_to_erin):
    study = open_to_erin
    fay = make_user("fay")
    place = imported_person(study, "A1")
    _, token = invite(collection=study.collection, role="adjudicator", by=study.lena)

    has_waited, result = meanwhile(
        lambda: link_account(membership=place, user=fay, by=study.lena),
        lambda: accept_invitation(token=token, by=fay),
    )

    assert has_waited
    assert result == place
    assert result.roles == ["annotator", "adjudicator"]


def test_a_person_who_is_given_two_places_at_once_has_one(open_to_erin):
    study = open_to_erin
    fay = make_user("fay")
    first, second = imported_person(study, "A1"), imported_person(study, "A2")

    has_waited, result = meanwhile(
        lambda: link_account(membership=first, user=fay, by=study.lena),
        lambda: link_account(membership=second, user=fay, by=study.lena),
    )

    assert has_waited
    assert isinstance(result, AlreadyMember)


def imported_person(study, name):
    return Membership.objects.create(
        collection=study.collection, name=name, external_id=name, is_annotator=True
    )


# --- a second factor that is set up twice ------------------------------------------------------


def next_code(factor):
    return pyotp.TOTP(secret_of(factor)).at(int(time.time()))


def test_a_second_factor_that_is_begun_twice_at_once_is_one():
    alice = make_user("alice")

    has_waited, result = meanwhile(
        lambda: begin_enrolment(account=alice), lambda: begin_enrolment(account=alice)
    )

    assert has_waited
    assert SecondFactor.objects.get() == result


def test_a_second_factor_that_is_confirmed_meanwhile_is_not_begun_anew():
    alice = make_user("alice")
    code = next_code(begin_enrolment(account=alice))

    has_waited, result = meanwhile(
        lambda: confirm_enrolment(account=alice, code=code),
        lambda: begin_enrolment(account=User.objects.get(pk=alice.pk)),
    )

    assert has_waited
    assert isinstance(result, Refused)
    assert alice.has_second_factor
    assert RecoveryCode.objects.count() == RECOVERY_CODES


def test_recovery_codes_that_are_replaced_twice_at_once_are_those_of_the_second():
    alice = make_user("alice")
    confirm_enrolment(account=alice, code=next_code(begin_enrolment(account=alice)))

    _, codes = meanwhile(
        lambda: replace_recovery_codes(account=alice),
        lambda: replace_recovery_codes(account=alice),
    )

    assert RecoveryCode.objects.count() == RECOVERY_CODES
    assert use_code(account=alice, code=codes[0])


def test_a_rule_is_not_changed_while_the_first_rating_is_being_saved():
    study = make_study(candidates=1)
    pair = study.first_pair("alice")

    has_waited, result = meanwhile(
        lambda: study.rate("alice", pair, 1),
        lambda: change_rules(scheme=study.scheme, rule="adjudicate_all", overlap=2, by=study.lena),
    )

    assert has_waited
    assert isinstance(result, Locked)


def test_batches_made_twice_at_once_are_made_once():
    study = make_study(facets=("method", "result"), assign=False)

    results = race(*[lambda: make_batches(collection=study.collection, by=study.lena)] * 2)

    assert sorted(len(batches) for batches in results) == [0, 2]


def test_pairs_that_an_import_hands_out_come_into_no_other_batch():
    study = make_study(candidates=2, assign=False)
    files = Neutral().rate("q1_method", "q1c1", ann=2, ben=1)
    moving = StudyMoving(files.study, study.collection, study.lena)

    has_waited, result = meanwhile(
        lambda: carry_out(moving), lambda: make_batches(collection=study.collection, by=study.lena)
    )

    assert has_waited
    [batch] = result
    assert [pair.document.external_id for pair in batch.pairs.all()] == ["q1c2"]
    assert findings() == []


@pytest.mark.postgres_only
def test_an_import_gives_its_batch_another_name_than_one_made_at_that_moment():
    study = make_study(candidates=1, assign=False)
    files = Neutral().document("new").pool("q1", "new", topic="q1_method")
    moving = StudyMoving(files.rate("q1_method", "new", ann=2).study, study.collection, study.lena)

    has_waited, result = meanwhile(
        lambda: make_batches(collection=study.collection, by=study.lena), lambda: carry_out(moving)
    )

    assert has_waited
    assert not isinstance(result, Exception)
    names = study.collection.batches.values_list("name", flat=True)
    assert sorted(names) == ["q1_method", "q1_method (2)"]


@pytest.mark.parametrize(
    ("files", "is_locked"),
    [
        (Neutral().document("new").pool("q1", "new", topic="q1_method"), False),
        (Neutral().decide("q1_method", "q1c1", 0, "carol"), True),
    ],
)
def test_a_topic_is_locked_before_an_import_changes_its_gold_or_after(files, is_locked):
    study = make_study(candidates=1)
    study.finish(alice=[2], bob=[2])
    moving = StudyMoving(files.study, study.collection, study.lena)

    has_waited, result = meanwhile(
        lambda: carry_out(moving), lambda: lock_topic(topic=study.topics[0], by=study.lena)
    )

    assert has_waited
    assert isinstance(result, Topic if is_locked else Refused)
    assert findings() == []


@pytest.mark.parametrize("role_first", [True, False])
def test_a_lead_made_while_the_last_seat_is_handed_in_could_read(role_first):
    study = make_study(candidates=1)
    study.rate_all("alice", 1)
    study.hand_in("alice")
    study.rate_all("bob", 1)
    calls = [lambda: becomes_adjudicator(study, "alice", "lead"), lambda: study.hand_in("bob")]

    has_waited, result = meanwhile(*(calls if role_first else reversed(calls)))

    assert has_waited
    assert not isinstance(result, Exception)
    assert Tenure.objects.get(member=study.members["alice"]).could_read_since is not None
    assert findings() == []


@pytest.mark.postgres_only
def test_without_its_lock_the_trigger_misses_the_role(open_to_erin):
    study = open_to_erin
    trigger = expected_triggers(connection)["annotation_tenure_of_no_reader"]
    with connection.cursor() as cursor:
        for statement in trigger.drop_sql("postgresql"):
            cursor.execute(statement)
        for statement in replace(trigger, locked="").create_sql("postgresql"):
            cursor.execute(statement)
    try:
        _, result = meanwhile(
            lambda: becomes_adjudicator(study), lambda: takes_the_seat_by_row(study)
        )
        assert isinstance(result, Tenure)
    finally:
        with connection.cursor() as cursor:
            for statement in trigger.drop_sql("postgresql") + trigger.create_sql("postgresql"):
                cursor.execute(statement)


def test_a_refused_action_leaves_nothing_behind():
    study = make_study()
    events = Event.objects.count()

    with pytest.raises(Refused), transaction.atomic():
        study.rate("alice", study.batch.pairs.first(), 2, based_on=4)

    assert (Rating.objects.count(), Event.objects.count()) == (0, events)
    assert connection.in_atomic_block is False


@pytest.mark.postgres_only
def test_an_overlap_raised_during_a_save_counts_for_it():
    """Bob's is the last of two ratings, but a third is asked for when his save has begun."""
    study = make_study(candidates=1)
    pair = study.batch.pairs.get()
    study.rate("alice", pair, 2)

    _, saved = meanwhile(
        lambda: raise_overlap(batch=study.batch, overlap=3, by=study.lena, reason="more"),
        lambda: study.rate("bob", pair, 2),
    )

    assert isinstance(saved, RatingRevision)
    pair.refresh_from_db()
    assert pair.state == "partial"
    assert list(findings()) == []


@pytest.mark.postgres_only
def test_an_overlap_read_before_the_pair_is_locked_goes_wrong(monkeypatch):
    study = make_study(candidates=1)
    pair = study.batch.pairs.get()
    study.rate("alice", pair, 2)

    def raise_it():
        [raised] = race(
            lambda: raise_overlap(batch=study.batch, overlap=3, by=study.lena, reason="more")
        )
        assert not isinstance(raised, Exception)

    monkeypatch.setattr(rate, "STANDING", ReadWithoutLocks(before_writing=raise_it))
    study.rate("bob", pair, 2)

    pair.refresh_from_db()
    assert pair.state == "agreed"
    assert list(findings()) != []


def test_an_overlap_raised_in_the_same_instant_leaves_no_pair_settled_too_early(stress):
    for number in range(stress(5, 200)):
        study = make_study(candidates=2, slug=f"study-{number}")
        first, second = study.batch.pairs.all()
        for pair in (first, second):
            study.rate("alice", pair, 2)

        race(
            lambda s=study, p=first: s.rate("bob", p, 2),
            lambda s=study: raise_overlap(batch=s.batch, overlap=3, by=s.lena, reason="more"),
            lambda s=study, p=second: s.rate("bob", p, 2),
        )

        assert set(study.batch.pairs.values_list("state", flat=True)) == {"partial"}
    assert list(findings()) == []
