import uuid

from django.db.models.functions import Now

from adjudication.actions import decide, reopen
from adjudication.audits.actions import close_audit
from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import Batch, Pair, Rating, Seat, Waiver
from datasets.models import Candidate, Membership, Query, TopicPlace
from tests.adjudication.audits import make_audit, make_audit_study
from tests.factories.studies import assign_all, make_member, make_study, make_topic
from tests.shelf import shelved


def readable(study, name):
    """(who rated, which pair) of every rating that this member may read."""
    ratings = Rating.objects.visible_to(study.members[name].user)
    return set(ratings.values_list("annotator__name", "pair__document__external_id"))


@shelved
def study(db):
    """A batch of Alice and Bob, and one of Bob and Erin, who adjudicates too."""
    study = make_study(facets=("method", "result"), assign=False)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator", "adjudicator")
    batches = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, batches[:1], ["alice", "bob"])
    assign_all(study, batches[1:], ["erin", "bob"])
    return study


def test_an_adjudicator_reads_the_ratings_of_disputes_that_they_did_not_rate(study):
    first, second = study.collection.batches.all()
    study.finish(first, alice=[0, 1, 2], bob=[3, 1, 2])
    study.finish(second, erin=[0, 1, 2], bob=[3, 1, 2])
    of_others = Rating.objects.visible_to(study.erin).exclude(annotator=study.members["erin"])

    assert {rating.pair for rating in of_others} == {first.pairs.first()}
    assert of_others.count() == 2


def test_an_adjudicator_reads_nothing_of_a_batch_that_is_not_finished(study):
    first, _ = study.collection.batches.all()
    study.rate_all("alice", 0, first)
    study.hand_in("alice", first)
    study.rate_all("bob", 3, first)

    assert readable(study, "erin") == set()


def test_an_annotator_reads_their_own_ratings_alone(study):
    first, _ = study.collection.batches.all()
    study.finish(first, alice=[0, 1, 2], bob=[3, 1, 2])

    assert {name for name, _ in readable(study, "alice")} == {"Alice"}
    assert len(readable(study, "alice")) == 3


def test_a_lead_reads_all_but_the_unfinished_batch_that_they_rate(study):
    Membership.objects.filter(pk=study.members["bob"].pk).update(is_lead=True)
    first, second = study.collection.batches.all()
    study.finish(first, alice=0, bob=0)
    study.rate_all("erin", 1, second)

    assert {name for name, _ in readable(study, "lena")} == {"Alice", "Bob", "Erin"}
    assert {name for name, _ in readable(study, "bob")} == {"Alice", "Bob"}


def test_a_lead_who_gave_their_seat_back_stays_blind_to_the_batch(study):
    Membership.objects.filter(pk=study.members["bob"].pk).update(is_lead=True)
    first, _ = study.collection.batches.all()
    study.rate_all("alice", 0, first)
    assign_seat(seat=study.seat("bob", first), member=None, by=study.lena)

    assert readable(study, "bob") == set()
    assert Batch.objects.blind_to(study.bob).contains(first)
    assert list(Batch.objects.blind_to(study.alice)) == [first]
    assert not Batch.objects.blind_to(study.lena).exists()


def test_an_adjudicator_reads_disputed_and_decided_pairs_of_finished_batches(study):
    first, _ = study.collection.batches.all()
    study.finish(first, alice=[0, 1, 2], bob=[3, 2, 2])
    disputed, decided, agreed = first.pairs.all()
    Pair.objects.filter(pk=decided.pk).update(state="excluded", gold_origin="excluded")

    assert list(Pair.objects.disputed()) == [disputed]
    documents = {document for _, document in readable(study, "erin")}

    assert documents == {pair.document.external_id for pair in (disputed, decided)}
    assert agreed.state == "agreed"


def test_members_who_were_removed_and_strangers_read_nothing_of_others(study):
    first, _ = study.collection.batches.all()
    study.finish(first, alice=0, bob=3)
    other = make_study(slug="other", assign=False)
    lead_elsewhere = make_member(other.collection, "Ute", "lead", "adjudicator").user
    for name in ("lena", "carol"):
        assert len(readable(study, name)) == 6
        Membership.objects.filter(pk=study.members[name].pk).update(removed_at=Now())
        assert readable(study, name) == set()

    assert not Rating.objects.visible_to(lead_elsewhere).exists()


def test_a_lead_sees_pairs_of_all_batches_but_their_own_unfinished(study):
    Membership.objects.filter(pk=study.members["bob"].pk).update(is_lead=True)
    first, _ = study.collection.batches.all()
    study.finish(first, alice=0, bob=0)

    assert set(Pair.objects.visible_to_lead(study.bob)) == set(first.pairs.all())
    assert Pair.objects.visible_to_lead(study.lena).count() == 6


def test_batches_and_pairs_are_handed_in_with_their_last_seat(study):
    first, second = study.collection.batches.all()
    study.finish(first, alice=0, bob=0)
    study.finish(second, erin=0)
    waiting = make_topic(study.collection, query_id="q2", candidates=1).pairs.get()

    assert list(Batch.objects.handed_in()) == [first]
    assert list(Batch.objects.unfinished()) == [second]
    assert set(Pair.objects.handed_in()) == set(first.pairs.all())
    assert list(Pair.objects.waiting()) == [waiting]
    assert set(Pair.objects.without_gold()) == {*second.pairs.all(), waiting}


def test_seats_of_a_person_are_those_they_hold_as_an_annotator_now(study):
    first, second = study.collection.batches.all()
    study.finish(first, bob=0)

    assert {seat.batch for seat in Seat.objects.of(study.bob)} == {first, second}
    assert [seat.batch for seat in Seat.objects.of(study.bob).open()] == [second]
    assert [seat.batch for seat in Seat.objects.of(study.bob).handed_in()] == [first]
    bob = Membership.objects.filter(pk=study.members["bob"].pk)
    bob.update(is_annotator=False, is_lead=True)
    assert not Seat.objects.of(study.bob).exists()
    bob.update(is_annotator=True, is_lead=False)
    assert Seat.objects.of(study.bob).count() == 2
    bob.update(removed_at=Now())
    assert not Seat.objects.of(study.bob).exists()


def test_ratings_that_a_waiver_let_through_are_told_apart(study):
    first, second = study.collection.batches.all()
    study.finish(first, alice=0, bob=0)
    study.finish(second, erin=0, bob=0)
    Waiver.objects.create(
        batch=second, member=study.members["bob"], given_by=study.lena, reason="Only he knows."
    )

    waived = Rating.objects.waived()

    assert {rating.annotator.name for rating in waived} == {"Bob"}
    assert {rating.pair.batch for rating in waived} == {second}


def test_a_pair_is_shown_with_the_first_query_whose_pool_holds_its_document(study):
    topic = study.topics[0]
    pair = topic.pairs.first()
    earlier = Query.objects.create(
        collection=study.collection, external_id="q0", text="Another", position=0
    )
    shown = topic.queries.get()
    Query.objects.filter(pk=shown.pk).update(position=1)
    TopicPlace.objects.create(topic=topic, query=earlier)
    elsewhere = Query.objects.create(
        collection=study.collection, external_id="q00", text="Not of this topic", position=0
    )
    Candidate.objects.create(query=elsewhere, external_id="c", document=pair.document, position=0)

    assert Pair.objects.with_query().get(pk=pair.pk).query_id == shown.pk
    Candidate.objects.create(query=earlier, external_id="c", document=pair.document, position=0)
    assert Pair.objects.with_query().get(pk=pair.pk).query_id == earlier.pk
    Candidate.objects.filter(document=pair.document).delete()
    assert Pair.objects.with_query().get(pk=pair.pk).query_id == earlier.pk


def test_being_a_member_shows_no_rating_of_others(study):
    """Who neither leads nor adjudicates reads their own alone, also of disputed pairs."""
    first, _ = study.collection.batches.all()
    study.members["eve"] = make_member(study.collection, "Eve", "annotator")
    study.finish(first, alice=0, bob=3)

    assert readable(study, "eve") == set()


def test_an_adjudicated_pair_stays_readable_for_its_adjudicators(study):
    first, _ = study.collection.batches.all()
    study.finish(first, alice=[0, 1, 2], bob=[3, 1, 2])
    disputed = first.pairs.disputed().get()
    Pair.objects.filter(pk=disputed.pk).update(
        state="adjudicated", gold_origin="adjudicated", gold_value=0
    )

    assert len(readable(study, "carol")) == 2


def test_one_finished_batch_opens_no_other(study):
    """Disputes of a batch that is not handed in stay closed, whatever others are."""
    first, second = study.collection.batches.all()
    study.finish(first, alice=0, bob=0)
    study.rate_all("erin", 0, second)
    study.rate_all("bob", 3, second)

    assert readable(study, "carol") == set()


def test_what_an_audit_alone_had_decided_was_no_dispute(db):
    """A control was one, and so is a pair whose ratings came to differ: before its decision in the
    audit, or after that was taken back."""
    study = make_audit_study(agreed=4, disputed=1)
    audit = make_audit(study)
    kept, left_out, changed, reopened = audit.audited_pairs.filter(is_control=False)
    control = audit.audited_pairs.get(is_control=True)

    def rate_again(entry):
        return_seat(seat=study.seat("bob"), by=study.lena, reason="Look again.")
        study.rate("bob", entry.pair, 1)
        study.hand_in("bob")

    def carol_decides(entry, **details):
        decide(pair=entry.pair, by=study.carol, save_id=uuid.uuid4(), **details)

    rate_again(changed)
    for entry in (kept, changed, reopened, control):
        carol_decides(entry, option=study.option(2), audit=audit)
    carol_decides(left_out, exclusion_reason="Garbled.", audit=audit)
    close_audit(audit=audit, by=study.lena)
    reopen(pair=reopened.pair, by=study.lena, reason="Both looked again.")
    rate_again(reopened)
    carol_decides(reopened, option=study.option(2))

    assert set(Pair.objects.decided_in_audits()) == {kept.pair, left_out.pair}
