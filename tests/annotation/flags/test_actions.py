"""What a lead may answer to a flag, and what it leaves behind."""

import pytest
from django.db import DatabaseError, transaction

from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import make_batches
from annotation.flags.actions import RULES_HEADING, answer_flag, with_rule
from annotation.flags.querysets import answers_for_holder
from annotation.models import FlagAnswer
from audit.models import Event
from audit.refusals import Invalid, NotAllowed, Refused
from tests.factories.studies import make_member, make_study
from tests.shelf import shelved

REPLY, DISCUSSED, RULE = FlagAnswer.Kind


@shelved
def pair(study):
    return study.batch.pairs.first()


@shelved
def flagged(study, pair):
    """Alice's rating of the pair, flagged, with all others of hers beside it."""
    study.rate_all("alice", 2)
    return study.rate("alice", pair, 2, is_flagged=True, note="is this one?").rating


def test_a_reply_is_kept_with_its_trace(study, pair, flagged):
    answer = answer_flag(rating=flagged, by=study.lena, kind=REPLY, text=" Yes, it is. ")

    assert (answer.text, answer.given_by, answer.scheme_version) == (
        "Yes, it is.",
        study.lena,
        None,
    )
    event = Event.objects.get(verb="answer flag")
    assert event.subject_id == str(pair.public_id)
    assert event.after == {
        "answer": str(answer.public_id),
        "rating": str(flagged.public_id),
        "kind": "reply",
        "text": "Yes, it is.",
        "guidelines": None,
    }


def test_only_discussed_goes_without_words(study, flagged):
    assert answer_flag(rating=flagged, by=study.lena, kind=DISCUSSED).text == ""
    for kind in (REPLY, RULE):
        with pytest.raises(Invalid, match="Write the answer first"):
            answer_flag(rating=flagged, by=study.lena, kind=kind, text="  ")


def test_an_endless_answer_is_refused(study, flagged):
    with pytest.raises(Invalid, match="longer than 2,000 characters"):
        answer_flag(rating=flagged, by=study.lena, kind=REPLY, text="x" * 2_001)


def test_a_rule_is_a_new_version_of_the_guidelines(study, flagged):
    before = study.scheme.current

    answer = answer_flag(rating=flagged, by=study.lena, kind=RULE, text="A shared\ndata set is 1.")

    version = study.scheme.current
    assert (version.number, answer.scheme_version) == (before.number + 1, version)
    assert version.wording == before.wording
    assert version.guidelines.startswith(before.guidelines.rstrip())
    assert version.guidelines.endswith(f"{RULES_HEADING}\n\n- A shared data set is 1.\n")


def test_the_same_rule_is_not_added_twice(study, flagged):
    answer_flag(rating=flagged, by=study.lena, kind=RULE, text="A shared data set is 1.")

    with pytest.raises(Refused, match="hold this rule already"):
        answer_flag(rating=flagged, by=study.lena, kind=RULE, text="A shared data set is 1.")

    assert FlagAnswer.objects.count() == 1


def test_rules_gather_in_one_section_above_what_follows_it():
    guidelines = f"# How\n\nRead.\n\n{RULES_HEADING}\n\n- One.\n\n# Thanks\n\nAll of you.\n"

    assert with_rule(guidelines, "- Two.") == (
        f"# How\n\nRead.\n\n{RULES_HEADING}\n\n- One.\n- Two.\n\n# Thanks\n\nAll of you.\n"
    )


def test_a_pair_is_an_example_only_once_its_batch_is_handed_in_and_it_has_gold(
    study, pair, flagged
):
    study.rate_all("bob", 2)
    rule = {"rating": flagged, "by": study.lena, "kind": RULE, "with_example": True}
    study.hand_in("alice")

    with pytest.raises(Refused, match="cannot be an example yet"):
        answer_flag(**rule, text="Same task is 2.")

    study.hand_in("bob")
    answer_flag(**rule, text="Same task is 2.")
    rules = study.scheme.current.guidelines.partition(RULES_HEADING)[2]
    assert f"“{pair.document.title}”" in rules
    assert "is 2 Similar" in rules


def test_somebody_who_does_not_lead_answers_nothing(study, flagged):
    for person in (study.alice, study.bob, study.carol):
        with pytest.raises(NotAllowed):
            answer_flag(rating=flagged, by=person, kind=REPLY, text="no")


def test_a_lead_who_rates_in_the_batch_answers_none_of_its_flags(db):
    study = make_study(assign=False)
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    [batch] = make_batches(collection=study.collection, by=study.lena)
    first, second = batch.seats.all()
    assign_seat(seat=first, member=study.members["alice"], by=study.lena)
    assign_seat(seat=second, member=nora, by=study.lena)
    rating = study.rate("alice", study.batch.pairs.first(), 2, is_flagged=True).rating

    with pytest.raises(NotAllowed):
        answer_flag(rating=rating, by=nora.user, kind=REPLY, text="no")


def test_a_flag_that_was_taken_back_has_no_answer(study, pair, flagged):
    study.rate("alice", pair, 2, is_flagged=False)

    with pytest.raises(Refused, match="taken back"):
        answer_flag(rating=flagged, by=study.lena, kind=REPLY, text="Yes.")


def test_the_holder_reads_answers_from_hand_in_on_and_not_while_it_is_returned(study, flagged):
    answer = answer_flag(rating=flagged, by=study.lena, kind=REPLY, text="Yes.")
    assert list(answers_for_holder(study.seat("alice"))) == []

    study.hand_in("alice")
    assert list(answers_for_holder(study.seat("alice"))) == [answer]
    assert list(answers_for_holder(study.seat("bob"))) == []

    return_seat(seat=study.seat("alice"), by=study.lena, reason="one more look")
    assert list(answers_for_holder(study.seat("alice"))) == []


def test_answers_stay_as_they_were_given(study, flagged):
    answer = answer_flag(rating=flagged, by=study.lena, kind=REPLY, text="Yes.")

    for change in (lambda: FlagAnswer.objects.update(text="No."), answer.delete):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()


@pytest.mark.parametrize(
    "wrong", [{"kind": "rule"}, {"kind": "reply", "text": ""}, {"kind": "praise"}]
)
def test_the_database_refuses_an_answer_that_says_nothing(study, flagged, wrong):
    with pytest.raises(DatabaseError), transaction.atomic():
        FlagAnswer.objects.create(
            **{"rating": flagged, "given_by": study.lena, "text": "Yes.", **wrong}
        )
