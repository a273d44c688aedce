"""Which answers to flags an annotator reads."""

import pytest
from django.http import Http404

from annotation.access import get_flag_for_lead
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.assigning.actions.hand_over import hand_over
from annotation.flags.actions import answer_flag
from annotation.flags.querysets import answer_counts, answers_for_holder
from annotation.models import FlagAnswer
from tests.factories.studies import assign_all, make_member, make_study
from tests.shelf import shelved


@shelved
def study(db):
    """Alice and Bob hold the seats of two batches, of three pairs each."""
    return make_study(facets=("method", "result"))


def flag(study, batch, name="alice"):
    """A flagged rating of the batch's first pair."""
    return study.rate(name, batch.pairs.first(), 2, is_flagged=True).rating


def answer(study, rating):
    return answer_flag(rating=rating, by=study.lena, kind=FlagAnswer.Kind.REPLY, text="Yes.")


def test_each_seat_shows_the_answers_to_its_own_flags(study):
    first, second = study.collection.batches.all()
    answers = [answer(study, flag(study, batch)) for batch in (first, second)]
    for batch in (first, second):
        study.finish(batch, alice=2)
    seats = [study.seat("alice", batch) for batch in (first, second)]

    assert [list(answers_for_holder(seat)) for seat in seats] == [[given] for given in answers]
    assert answer_counts(seats) == {seat.pk: 1 for seat in seats}


def test_a_successor_reads_no_answer_to_the_one_who_held_the_seat_before(study):
    batch = study.batch
    answer(study, flag(study, batch))
    study.members["eve"] = make_member(study.collection, "Eve", "annotator")
    hand_over(holder=study.members["alice"], to=study.members["eve"], by=study.lena, reason="left")
    for pair in list(batch.pairs.all())[1:]:
        study.rate("eve", pair, 2)
    study.hand_in("eve", batch)

    seat = study.seat("eve", batch)
    assert list(answers_for_holder(seat)) == []
    assert answer_counts([seat]) == {}


def test_answers_are_counted_from_hand_in_on(study):
    answer(study, flag(study, study.batch))
    other = study.collection.batches.last()
    study.finish(other, alice=2)

    assert answer_counts([study.seat("alice"), study.seat("alice", other)]) == {}


def test_a_lead_reads_the_flag_that_is_asked_for_but_none_of_a_batch_in_which_they_rate(db):
    study = make_study(facets=("method", "result"), assign=False)
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    blind, readable = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, [blind, readable], ["alice"])
    assign_seat(seat=blind.seats.last(), member=nora, by=study.lena)
    hidden, shown = flag(study, blind), flag(study, readable)

    assert get_flag_for_lead(nora.user, shown.public_id)[0] == shown
    with pytest.raises(Http404):
        get_flag_for_lead(nora.user, hidden.public_id)
