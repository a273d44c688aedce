"""Nobody rates in a batch whose ratings they could read (ADR 10)."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Func, Value
from django.utils import timezone

from adjudication.actions import decide
from adjudication.models import Decision
from annotation.assigning.actions.assign import assign_seat, hand_in, return_seat
from annotation.assigning.actions.batches import make_batches, raise_overlap
from annotation.assigning.actions.changes import Barred
from annotation.assigning.actions.waive import waive_reading
from annotation.assigning.barring import Bar, Why, bars_of
from annotation.models import Rating, RatingRevision, Seat, Tenure, Waiver
from audit.models import Event
from audit.refusals import Invalid, Refused
from config.integrity import findings
from datasets.actions import remove_member, set_roles
from datasets.models import Membership, RolePeriod
from tests.damage import erase, rewrite, without_triggers
from tests.factories.studies import assign_all, make_member, make_study, make_topic
from tests.shelf import shelved

pytestmark = pytest.mark.both


@shelved
def study(db):
    """Alice and Bob have seats; Nora leads and may rate; Carol adjudicates and may rate."""
    study = make_study()
    study.members["nora"] = make_member(study.collection, "Nora", "lead", "annotator")
    both = ["adjudicator", "annotator"]
    study.members["carol"] = set_roles(membership=study.members["carol"], by=study.lena, roles=both)
    return study


@shelved
def rating_lead(db):
    """Alice and Nora, who leads, finish a batch."""
    study = make_study(assign=False)
    study.members["nora"] = make_member(study.collection, "Nora", "lead", "annotator")
    assign_all(study, make_batches(collection=study.collection, by=study.lena), ["alice", "nora"])
    study.finish(alice=[0, 1, 2], nora=[0, 3, 2])
    return study


def free_seat(study, by="lena"):
    raise_overlap(
        batch=study.batch, overlap=study.batch.overlap + 1, by=study.members[by].user, reason="more"
    )
    return study.batch.seats.get(holder=None)


def give(study, name, seat, reason=""):
    return assign_seat(seat=seat, member=study.members[name], by=study.lena, reason=reason)


def waive(study, name, by="lena", reason="nobody else reads Finnish"):
    return waive_reading(
        batch=study.batch, member=study.members[name], by=study.members[by].user, reason=reason
    )


def roles_of(study, name, *roles):
    return set_roles(membership=study.members[name], by=study.lena, roles=roles)


# --- the times of roles ----------------------------------------------------------------------


def test_the_database_keeps_from_when_until_when_a_member_had_a_role(study):
    bob = study.members["bob"]

    roles_of(study, "bob", "annotator", "lead")
    roles_of(study, "bob", "annotator")

    annotator, lead = bob.role_periods.all()
    assert (annotator.role, annotator.until) == ("annotator", None)
    assert lead.role == "lead"
    assert annotator.since <= lead.since <= lead.until


def test_a_removed_member_has_no_role_until_they_come_back(study):
    nora = study.members["nora"]

    remove_member(membership=nora, by=study.lena)
    assert not nora.role_periods.filter(until=None).exists()

    Membership.objects.filter(pk=nora.pk).update(removed_at=None, is_lead=False)
    assert list(nora.role_periods.filter(until=None).values_list("role", flat=True)) == [
        "annotator"
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda period: RolePeriod.objects.filter(pk=period.pk).update(until=timezone.now()),
        lambda period: RolePeriod.objects.filter(pk=period.pk).update(role="annotator"),
        lambda period: RolePeriod.objects.filter(pk=period.pk).delete(),
    ],
)
def test_nobody_rewrites_the_times_of_roles(study, change):
    [period] = study.members["lena"].role_periods.all()

    with pytest.raises(IntegrityError), transaction.atomic():
        change(period)


# --- who could read takes no seat -------------------------------------------------------------


@pytest.mark.parametrize("name", ["nora", "carol"])
def test_somebody_who_could_read_ratings_takes_no_seat(study, name):
    study.rate("alice", study.first_pair("alice"), 1)
    seat = free_seat(study)

    with pytest.raises(Barred, match="does not rate beside them"):
        give(study, name, seat)

    assert Seat.objects.get(pk=seat.pk).holder is None
    assert not Tenure.objects.filter(member=study.members[name]).exists()


def test_somebody_who_was_a_lead_at_any_time_since_the_first_rating_takes_no_seat(study):
    study.rate("alice", study.first_pair("alice"), 1)
    roles_of(study, "nora", "annotator")

    with pytest.raises(Barred):
        give(study, "nora", free_seat(study))


def test_somebody_who_could_read_is_barred_though_the_clock_was_set_back(study):
    """Alice took her seat and rated while the clock was two hours ahead; then Nora, who led, led no
    more."""
    study.rate("alice", study.first_pair("alice"), 1)
    ahead = timezone.now() + timedelta(hours=2)
    rewrite(Rating.objects.all(), created_at=ahead)
    rewrite(Tenure.objects.all(), since=ahead - timedelta(minutes=1))
    roles_of(study, "nora", "annotator")

    for blind in [set(), {study.batch.pk}]:
        bars = bars_of(study.collection, viewer=study.members["bob"], blind=blind)
        assert bars[study.batch.pk][study.members["nora"].pk] == Bar(Why.COULD_READ)
    with pytest.raises(Barred):
        give(study, "nora", free_seat(study))
    odd_times = "A role of member"  # the rows that were rewritten here are no evidence
    assert not [finding for finding in findings() if finding.startswith(odd_times)]


def test_the_last_time_at_which_somebody_could_read_counts(study):
    """Nora led before the first rating, and adjudicated after it."""
    roles_of(study, "nora", "annotator")
    study.rate("alice", study.first_pair("alice"), 1)
    roles_of(study, "nora", "annotator", "adjudicator")
    roles_of(study, "nora", "annotator")

    bars = bars_of(study.collection)[study.batch.pk]

    assert bars[study.members["nora"].pk] == Bar(Why.COULD_READ)


def test_of_two_roles_at_once_the_one_that_lasts_counts(study):
    roles_of(study, "nora", "annotator", "lead", "adjudicator")
    roles_of(study, "nora", "annotator", "adjudicator")
    study.rate("alice", study.first_pair("alice"), 1)

    bars = bars_of(study.collection)[study.batch.pk]

    assert bars[study.members["nora"].pk] == Bar(Why.COULD_READ)


def test_somebody_who_was_a_lead_only_before_the_first_rating_takes_a_seat(study):
    roles_of(study, "nora", "annotator")
    study.rate("alice", study.first_pair("alice"), 1)
    seat = free_seat(study)

    give(study, "nora", seat)

    assert Seat.objects.get(pk=seat.pk).holder == study.members["nora"]


def test_a_lead_takes_a_seat_before_anybody_else_rates_and_keeps_it(study):
    seat = free_seat(study)
    give(study, "nora", seat)

    study.rate("alice", study.first_pair("alice"), 1)
    study.rate("nora", study.first_pair("nora"), 2)
    assign_seat(seat=seat, member=None, by=study.lena, reason="away")
    give(study, "nora", seat, reason="back")  # blind all the while

    assert Seat.objects.get(pk=seat.pk).holder == study.members["nora"]


def test_own_ratings_bar_nobody(study):
    assign_seat(seat=study.seat("bob"), member=None, by=study.lena)
    seat = study.batch.seats.get(holder=None)
    give(study, "nora", seat)
    study.rate("nora", study.first_pair("nora"), 2)
    assert bars_of(study.collection)[study.batch.pk][study.members["nora"].pk].why is Why.HELD

    assert study.members["carol"].pk in bars_of(study.collection)[study.batch.pk]


@shelved
def three(db):
    """Batches of Alice with Bob, of Bob, and of Alice. Nora stopped leading after the seats were
    taken and before anybody rated."""
    study = make_study(facets=("background", "method", "result"), assign=False)
    study.members["nora"] = make_member(study.collection, "Nora", "lead", "annotator")
    batches = make_batches(collection=study.collection, by=study.lena)
    sitting = [["alice", "bob"], ["bob"], ["alice"]]
    for batch, names in zip(batches, sitting, strict=True):
        assign_all(study, [batch], names)
    roles_of(study, "nora", "annotator")
    for batch, names in zip(batches, sitting, strict=True):
        for name in names:
            study.rate(name, batch.pairs.first(), 1)
    return study


def barred(study, name, **of):
    """Why a member is barred from each of the three batches."""
    bars = bars_of(study.collection, **of)
    of_member = (
        bars[batch.pk].get(study.members[name].pk) for batch in study.collection.batches.all()
    )
    return [bar and bar.why for bar in of_member]


def test_to_a_lead_who_rates_others_count_from_the_moment_they_took_their_seat(three):
    blind = set(three.collection.batches.values_list("pk", flat=True))
    first, *_ = three.collection.batches.all()
    could_read = Why.COULD_READ

    assert barred(three, "nora") == [None, None, None]
    of_alice = {"viewer": three.members["alice"]}
    assert barred(three, "nora", **of_alice, blind=blind) == [could_read, could_read, None]
    assert barred(three, "nora", **of_alice, blind={first.pk}) == [could_read, None, None]
    # A rating of the viewer's own is no secret to her.
    three.members["erin"] = make_member(three.collection, "Erin", "adjudicator", "annotator")
    assert barred(three, "erin", **of_alice, blind=blind) == [could_read] * 3


def test_a_blind_lead_learns_of_no_waiver_and_no_decision(three):
    """Both would tell that somebody has rated there, and how."""
    first, second, _ = three.collection.batches.all()
    with without_triggers("annotation_waiver"):
        Waiver.objects.create(
            batch=first, member=three.members["nora"], given_by=three.lena, reason="because"
        )
    three.finish(second, bob=[1, 1, 1])
    carol = three.members["carol"]
    Decision.objects.create(
        pair=second.pairs.first(),
        adjudicator=carol,
        option=three.option(1),
        save_id=uuid.uuid4(),
    )
    of_alice = {"viewer": three.members["alice"], "blind": {first.pk, second.pk}}

    assert barred(three, "nora", **of_alice)[0] is Why.COULD_READ
    assert barred(three, "nora")[0] is None
    assert barred(three, "carol") == [None, Why.DECIDED, None]
    assert barred(three, "carol", **of_alice) == [None, None, None]


def test_bars_are_asked_of_some_batches_alone(three):
    first, second, _ = three.collection.batches.all()
    elsewhere = make_study(slug="elsewhere")

    assert bars_of(three.collection, within=[first.pk]).keys() == {first.pk}
    assert bars_of(three.collection, within=[second.pk, elsewhere.batch.pk]).keys() == {second.pk}
    bob = three.members["bob"].pk
    assert bars_of(three.collection)[second.pk] == {
        bob: Bar(Why.HELD, three.seat("bob", second).pk)
    }


def test_what_happens_in_another_collection_bars_nobody_here(three):
    before = bars_of(three.collection)

    elsewhere = make_study(slug="elsewhere")
    make_member(elsewhere.collection, "Nora", "lead", "annotator")
    elsewhere.finish(alice=[0, 1, 2], bob=[0, 2, 2])
    disputed = elsewhere.batch.pairs.disputed().get()
    decide(pair=disputed, by=elsewhere.carol, save_id=uuid.uuid4(), option=elsewhere.option(2))

    assert bars_of(three.collection) == before


def test_whoever_reads_until_the_first_rating_could_read_it(study):
    roles_of(study, "nora", "annotator")
    study.rate("alice", study.first_pair("alice"), 1)
    nora, period = study.members["nora"], RolePeriod.objects.filter(member=study.members["nora"])
    assert nora.pk not in bars_of(study.collection)[study.batch.pk]

    rewrite(period.filter(role="lead"), until=Rating.objects.get().created_at)

    assert bars_of(study.collection)[study.batch.pk][nora.pk] == Bar(Why.COULD_READ)


@pytest.mark.parametrize("role", ["is_lead", "is_adjudicator"])
def test_the_database_refuses_a_tenure_of_somebody_who_could_read(study, role):
    seat = free_seat(study)
    erin = make_member(study.collection, "Erin", "annotator")
    Membership.objects.filter(pk=erin.pk).update(**{role: True})
    study.rate("alice", study.first_pair("alice"), 1)

    with (
        pytest.raises(IntegrityError, match="annotation_tenure_of_no_reader"),
        transaction.atomic(),
    ):
        Tenure.objects.create(batch=study.batch, seat=seat, member=erin)


def test_the_database_refuses_a_holder_without_a_tenure(study):
    seat = free_seat(study)

    with pytest.raises(IntegrityError, match="held_by_an_annotator"), transaction.atomic():
        Seat.objects.filter(pk=seat.pk).update(holder=study.members["nora"], handovers=9)


# --- the waiver ------------------------------------------------------------------------------


def test_another_lead_waives_it_with_a_reason_that_the_trail_keeps(study):
    study.rate("alice", study.first_pair("alice"), 1)
    seat = free_seat(study)

    waiver = waive(study, "nora")
    give(study, "nora", seat)

    assert (waiver.given_by, waiver.reason) == (study.lena, "nobody else reads Finnish")
    event = Event.objects.about(study.batch).get(verb="waive reading")
    assert (event.actor, event.reason) == (study.lena, "nobody else reads Finnish")
    assert event.collection == study.collection.public_id
    assert event.after == {
        "waiver": str(waiver.public_id),
        "member": str(study.members["nora"].public_id),
    }
    assert findings() == []


@pytest.mark.parametrize(
    ("name", "by", "reason", "refusal"),
    [
        ("nora", "nora", "because", "Ask another lead"),
        ("nora", "lena", "  ", "Say why"),
        ("nora", "carol", "because", "Only a lead"),
        ("alice", "lena", "because", "nothing to waive"),
    ],
)
def test_a_waiver_is_refused(study, name, by, reason, refusal):
    study.rate("alice", study.first_pair("alice"), 1)

    with pytest.raises(Refused, match=refusal):
        waive(study, name, by=by, reason=reason)

    assert not Waiver.objects.exists()


def test_a_lead_who_rates_in_the_batch_waives_nothing(study):
    give(study, "nora", free_seat(study))
    study.rate("alice", study.first_pair("alice"), 1)

    with pytest.raises(Refused, match="You rate in this batch yourself"):
        waive(study, "carol", by="nora")


def test_leads_waive_in_their_own_collection_and_where_they_do_not_rate(study):
    other = make_study(slug="other")
    study.rate("alice", study.first_pair("alice"), 1)
    with pytest.raises(Refused, match="Only a lead"):
        waive_reading(
            batch=study.batch, member=study.members["carol"], by=led_by(other), reason="because"
        )

    make_topic(study.collection, query_id="q2", facet="method")
    [second] = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, [second], ["nora"])
    assert waive(study, "carol", by="nora", reason=" because ").batch == study.batch
    assert Waiver.objects.get().reason == "because"


def led_by(study):
    """A lead of this study alone."""
    return make_member(study.collection, "Olga", "lead").user


def test_nobody_is_let_rate_what_they_decided(study):
    study.finish(alice=[0, 1, 2], bob=[0, 3, 2])
    decide(
        pair=study.batch.pairs.disputed().get(),
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(1),
    )
    free_seat(study)

    with pytest.raises(Invalid, match="nothing to waive"):
        waive(study, "carol")


def test_the_database_keeps_waivers_and_refuses_one_for_oneself(study):
    study.rate("alice", study.first_pair("alice"), 1)
    waiver = waive(study, "nora")

    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        waiver.delete()
    with pytest.raises(IntegrityError, match="not_for_oneself"), transaction.atomic():
        Waiver.objects.create(
            batch=study.batch,
            member=study.members["carol"],
            given_by=study.carol,
            reason="I may",
        )


# --- a lead who rated, once the batch is finished ---------------------------------------------


def test_a_lead_who_can_read_does_not_get_their_own_seat_back(rating_lead):
    study = rating_lead
    seat = study.seat("nora")

    with pytest.raises(Refused, match="your own are fixed"):
        return_seat(seat=seat, by=study.nora, reason="one more look")

    assert Seat.objects.get(pk=seat.pk).handed_in_at is not None


def test_another_lead_returns_their_seat_for_somebody_else(rating_lead):
    study = rating_lead
    seat = return_seat(seat=study.seat("nora"), by=study.lena, reason="a third opinion")

    assert (seat.holder, seat.handed_in_at, seat.return_reason) == (None, None, "")
    event = Event.objects.about(seat).get(verb="return seat")
    assert event.before == {"holder": str(study.members["nora"].public_id)}
    assert event.after == {"holder": None}
    with pytest.raises(Barred, match="cannot rate in it any more"):
        give(study, "nora", seat, reason="back")
    bob = give(study, "bob", seat, reason="reassigned").holder
    assert bob == study.members["bob"]
    hand_in(seat=seat, by=study.bob)
    assert findings() == []


def test_an_annotators_seat_goes_back_to_them_as_before(rating_lead):
    study = rating_lead

    seat = return_seat(seat=study.seat("alice"), by=study.nora, reason="look again")

    assert (seat.holder, seat.return_reason) == (study.members["alice"], "look again")
    assert Tenure.objects.get(member=study.members["alice"]).could_read_since is None


def test_somebody_who_becomes_a_lead_later_can_read_from_then_on(rating_lead):
    study = rating_lead
    roles_of(study, "alice", "annotator", "lead")
    roles_of(study, "alice", "annotator")

    seat = return_seat(seat=study.seat("alice"), by=study.lena, reason="look again")

    assert seat.holder is None


def test_somebody_who_becomes_a_lead_while_the_batch_is_open_still_rates(rating_lead):
    study = rating_lead
    seat = return_seat(seat=study.seat("alice"), by=study.lena, reason="look again")

    roles_of(study, "alice", "annotator", "lead")
    pair = study.first_pair("alice")
    study.rate("alice", pair, 3)
    hand_in(seat=seat, by=study.alice)

    assert Tenure.objects.get(member=study.members["alice"]).could_read_since is not None


def test_the_database_fixes_the_ratings_of_somebody_who_could_read(rating_lead):
    study = rating_lead
    seat = study.seat("nora")
    mine = Rating.objects.filter(annotator=study.members["nora"])

    with pytest.raises(IntegrityError, match="not_open_to_a_reader"), transaction.atomic():
        Seat.objects.filter(pk=seat.pk).update(handed_in_at=None)
    with pytest.raises(IntegrityError, match="fixed_for_a_reader"), transaction.atomic():
        mine.update(note="now I know")


@shelved
def shared_seat(study):
    """Carol, who adjudicates, rated a part of Alice's seat; Erin rated the rest, Bob the other."""
    seat = study.seat("alice")
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    give(study, "carol", seat)
    first, *rest = study.batch.pairs.all()
    study.rate("carol", first, 0)
    give(study, "erin", seat, reason="ill")
    for pair in rest:
        study.rate("erin", pair, 0)
    study.hand_in("erin")
    study.rate_all("bob", 3)
    return study


def test_an_adjudicator_of_the_rest_of_their_seat_does_not_rate_after_reading_it(shared_seat):
    study = shared_seat
    study.hand_in("bob")
    seat = return_seat(seat=study.seat("erin"), by=study.lena, reason="look again")

    with pytest.raises(Refused, match="could read the ratings"):
        give(study, "carol", seat, reason="back again")
    with pytest.raises(IntegrityError, match="fixed_for_a_reader"), transaction.atomic():
        Rating.objects.filter(annotator=study.members["carol"]).update(note="now I know")
    assert findings() == []


def test_somebody_who_becomes_an_adjudicator_of_the_rest_reads_from_then_on(shared_seat):
    study = shared_seat
    roles_of(study, "carol", "annotator")
    study.hand_in("bob")
    seat = return_seat(seat=study.seat("erin"), by=study.lena, reason="look again")
    seat = hand_in(seat=seat, by=study.erin)
    roles_of(study, "carol", "annotator", "adjudicator")
    seat = return_seat(seat=seat, by=study.lena, reason="look again")

    with pytest.raises(Refused, match="could read the ratings"):
        give(study, "carol", seat, reason="back again")


def test_an_adjudicator_who_rated_all_pairs_reads_none_of_them(study):
    seat = study.seat("alice")
    give(study, "carol", seat)
    study.finish(carol=0, bob=3)

    returned = return_seat(seat=seat, by=study.lena, reason="look again")

    assert returned.holder == study.members["carol"]
    study.rate("carol", study.first_pair("carol"), 1)


# --- recomputed ------------------------------------------------------------------------------


def damage_period(study):
    rewrite(RolePeriod.objects.filter(role="lead"), until=timezone.now())


def damage_tenure(study):
    later = timezone.now() + timedelta(hours=1)
    rewrite(Tenure.objects.filter(member=study.members["nora"]), since=later)


def damage_fixed(study):
    earlier = timezone.now() - timedelta(hours=1)
    revision = Rating.objects.filter(annotator=study.members["nora"])
    rewrite(revision.first().revisions.all(), version=2)
    rewrite(Tenure.objects.filter(member=study.members["nora"]), could_read_since=earlier)


def damage_moment(study):
    rewrite(Tenure.objects.all(), could_read_since=None)


def damage_waiver(study):
    nora = study.members["nora"]
    with without_triggers("annotation_waiver"):
        Waiver.objects.create(batch=study.batch, member=nora, given_by=nora.user, reason="mine")


def test_a_rating_that_was_changed_while_the_clock_was_ahead_was_changed_before_reading(study):
    """Nora changed hers before the batch was handed in; then the clock was set back two hours."""
    seat = study.seat("alice")
    give(study, "nora", seat, reason="ill")
    pair = study.batch.pairs.first()
    study.rate("nora", pair, 1)
    study.rate("nora", pair, 2)
    study.finish(nora=0, bob=0)
    ahead = timezone.now() + timedelta(hours=2)
    rewrite(RatingRevision.objects.filter(version=2), saved_at=ahead)

    assert not [finding for finding in findings() if "could read" in finding]


def test_a_rating_that_was_changed_on_its_return_while_the_clock_was_ahead_is_no_finding(study):
    """Nora, an annotator then, changed hers in her returned seat; she became a lead once the clock
    was right and everybody had handed in again."""
    roles_of(study, "nora", "annotator")
    give(study, "nora", study.seat("alice"), reason="ill")
    study.finish(nora=0, bob=0)
    return_seat(seat=study.seat("nora"), by=study.lena, reason="look again")
    study.rate("nora", study.batch.pairs.first(), 2)
    study.hand_in("nora")
    roles_of(study, "nora", "annotator", "lead")
    ahead = timezone.now() + timedelta(hours=2)
    rewrite(RatingRevision.objects.filter(version=2), saved_at=ahead)

    assert not [finding for finding in findings() if "could read" in finding]


def test_a_lead_who_sat_down_while_the_clock_was_ahead_sat_down_before_the_ratings(study):
    give(study, "nora", free_seat(study))
    study.rate("alice", study.first_pair("alice"), 1)
    rewrite(
        Tenure.objects.filter(member=study.members["nora"]),
        since=timezone.now() + timedelta(hours=2),
    )

    assert not [finding for finding in findings() if "could read" in finding]


@pytest.mark.sqlite_only
def test_a_role_may_end_at_the_moment_of_a_rating_as_the_database_writes_it(study):
    """Alice rated while the clock was two hours ahead; then it was set back, and Nora led no
    more."""
    study.rate("alice", study.first_pair("alice"), 1)
    ahead = [Value("%Y-%m-%d %H:%M:%f"), Value("now"), Value("+2 hours")]
    rewrite(Rating.objects.all(), created_at=Func(*ahead, function="STRFTIME"))
    roles_of(study, "nora", "annotator")

    assert not [finding for finding in findings() if finding.startswith("A role of member")]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (damage_period, "their periods say otherwise"),
        (damage_tenure, "at another time than the trail says"),
        (damage_fixed, "was changed after its author could read the others"),
        (damage_moment, "is of a lead in a finished batch, and does not say so"),
        (damage_waiver, "waived for themselves"),
    ],
)
def test_the_verifier_recomputes_the_rule(rating_lead, damage, sentence):
    assert findings() == []

    damage(rating_lead)

    assert any(sentence in finding for finding in findings())


def test_the_verifier_reports_a_lead_who_sat_down_after_the_ratings(study):
    study.rate("alice", study.first_pair("alice"), 1)
    waive(study, "nora")
    give(study, "nora", free_seat(study))

    erase(Waiver.objects.all())

    assert any("who could read ratings of batch" in finding for finding in findings())


def test_the_verifier_recomputes_which_adjudicators_could_read(shared_seat):
    shared_seat.hand_in("bob")
    assert findings() == []

    damage_moment(shared_seat)

    [finding] = findings()
    assert "is of an adjudicator who could read its batch, and does not say so" in finding
