"""Figures are kept in memory until anything of the collection changes, for who may see them."""

import uuid

import numpy as np
import pytest
from django.db import transaction

from adjudication.actions import decide
from agreement.study import selection
from agreement.study.rows import ADJUDICATED
from agreement.study.selection import kept as keep_results
from agreement.study.selection import selection_of
from annotation.assigning.actions.assign import return_seat
from datasets.pseudonyms import pseudonym
from tests.factories.studies import make_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study():
    study = make_study(candidates=4)
    study.finish(alice=[0, 1, 2, 3], bob=[0, 1, 2, 0])
    return study


def selection_for(study, **parameters):
    return selection_of(study.members["lena"], study.lena, parameters)


@keep_results
def counted(selection, calls):
    return len(calls)


class Calls(list):
    """How often something was computed; equal to any other."""

    def __hash__(self):
        return 0

    def __eq__(self, other):
        return True


@keep_results
def computed(selection, calls):
    calls.append(selection.filters)
    return selection.chosen.size


def test_what_was_computed_once_is_not_computed_again(study):
    calls = Calls()

    sizes = [computed(selection_for(study), calls) for _ in range(3)]

    assert sizes == [4, 4, 4]
    assert len(calls) == 1


def test_ratings_are_read_once_and_shown_as_of_now(study):
    first, again = selection_for(study).everything, selection_for(study).everything

    assert again.values is first.values
    assert again.read_at > first.read_at


def test_ratings_of_a_batch_are_withheld_from_the_lead_who_rates_in_it(study):
    alice = study.members["alice"]
    decided = study.batch.pairs.disputed().get()
    decision = {"option": study.option(1), "rationale": "In between."}
    decide(pair=decided, by=study.carol, save_id=uuid.uuid4(), **decision)
    return_seat(seat=study.seat("alice"), by=study.lena, reason="Look again.")

    of_alice, of_lena = (
        selection_of(member, member.user, {}).everything
        for member in (alice, study.members["lena"])
    )

    assert of_alice.is_withheld.all()
    assert not of_alice.is_answered.any()
    assert not of_lena.is_withheld.any()
    assert of_lena.origin.tolist() == [0, 0, 0, ADJUDICATED]
    for of_answer in (of_alice.origin, of_alice.adjudicator, of_alice.option, of_alice.annotator):
        assert not of_answer.any()
    for of_answer in (of_alice.gold, of_alice.decided_at, of_alice.values, of_alice.given_at):
        assert np.isnan(of_answer).all()
    with transaction.atomic():
        assert selection_of(alice, alice.user, {}).everything.is_withheld.all()


def test_every_filter_that_leaves_pairs_out_is_said(study):
    pseudonym_of_alice = pseudonym(study.collection, study.members["alice"])
    filters = {
        "facet": "method",
        "query": "q1",
        "annotator": pseudonym_of_alice,
        "batch": str(study.batch.public_id),
        "from": "2026-01-02",
        "to": "2027-01-03",
        "version": "1",
    }

    assert selection_for(study, **filters).filters_in_words == [
        ("Facet", "Method"),
        ("Query", "q1: Title of q1"),
        ("Rated by", pseudonym_of_alice),
        ("Batch", study.batch.name),
        ("Last rated from", "2026-01-02 (UTC)"),
        ("Last rated up to", "2027-01-03 (UTC)"),
        ("Scheme", "version 1"),
    ]
    assert selection_for(study).filters_in_words == []
    assert selection_for(study, channel="pages", batch="handed-in").filters_in_words == [
        ("Batch", "all that are handed in"),
        ("Channel", "without pairs that a program rated"),
    ]


def test_of_every_facet_is_of_the_moment_of_the_one_that_is_chosen(study):
    selection = selection_for(study, facet="method")
    everything = selection.everything
    return_seat(seat=study.batch.seats.first(), by=study.lena, reason="Look again.")

    assert selection.of_every_facet.everything is everything


def test_no_program_rated_where_none_sent_a_rating(study):
    assert selection_for(study).has_program_ratings is False


def test_other_filters_have_figures_of_their_own(study):
    calls = Calls()

    computed(selection_for(study), calls)
    computed(selection_for(study, summary="mean"), calls)

    assert len(calls) == 2


def test_a_returned_seat_is_seen_at_once(study):
    before = selection_for(study).everything
    seat = study.batch.seats.first()

    return_seat(seat=seat, by=study.lena, reason="Look again.")

    after = selection_for(study).everything
    assert before.is_finished.all()
    assert not after.is_finished.any()


def test_inside_a_transaction_nothing_is_kept(study):
    calls = Calls()

    with transaction.atomic():
        assert selection.version_of(study.collection) is None
        computed(selection_for(study), calls)
        computed(selection_for(study), calls)

    assert len(calls) == 2


def test_what_was_read_while_something_changed_is_not_kept(study):
    def change_and_read():
        return_seat(seat=study.batch.seats.first(), by=study.lena, reason="Look again.")
        return "of no version"

    version = selection.version_of(study.collection)
    selection.keep(study.collection, version, "name", change_and_read, pairs=lambda _: 1)

    again = selection.keep(study.collection, version, "name", lambda: "anew", pairs=lambda _: 1)
    assert again == "anew"


def test_one_lead_never_gets_the_figures_of_another(study):
    calls = Calls()
    other = study.members["alice"]

    computed(selection_for(study), calls)
    computed(selection_of(other, other.user, {}), calls)

    assert len(calls) == 2
