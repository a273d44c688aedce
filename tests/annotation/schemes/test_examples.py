"""Examples of rules in the guidelines: which pairs may be one, and who reads them."""

import uuid

import pytest
from django.urls import reverse

from adjudication.actions import decide
from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import raise_overlap
from annotation.flags.actions import answer_flag
from annotation.models import FlagAnswer
from annotation.schemes.actions import load_definition
from annotation.schemes.examples import guidelines_for, possible_examples
from annotation.schemes.forms import WordingForm
from tests.factories.studies import make_collection, make_member
from tests.factories.tokens import program_of
from tests.shelf import shelved

RULE = "Same task is 2."


@shelved
def rated(study):
    """A finished batch whose first pair is an example of a rule in the guidelines."""
    for name in ("alice", "bob"):
        study.rate_all(name, 2)
    flagged = study.rate("alice", study.batch.pairs.first(), 2, is_flagged=True).rating
    for name in ("alice", "bob"):
        study.hand_in(name)
    for kind, is_example in [(FlagAnswer.Kind.REPLY, False), (FlagAnswer.Kind.RULE, True)]:
        answer_flag(rating=flagged, by=study.lena, kind=kind, text=RULE, with_example=is_example)
    return study


@pytest.fixture
def pages(rated):
    """Every place where guidelines are read, by who asks there."""
    home = f"/collections/{rated.collection.slug}/scheme/"
    seat = f"/seats/{rated.seat('alice').public_id}/"
    number = rated.scheme.current.number
    return [home, f"{home}versions/{number}/", f"{seat}guidelines/", f"{seat}1/"]


def reads_example(study, name):
    return "is 2 Similar" in guidelines_for(getattr(study, name), study.scheme.current)


def test_an_example_is_shown_while_its_batch_is_handed_in(client, rated, pages):
    client.force_login(rated.alice)

    assert [b"is 2 Similar" in client.get(page).content for page in pages] == [True] * len(pages)


def test_an_example_is_hidden_everywhere_once_a_seat_is_returned(client, rated, pages):
    return_seat(seat=rated.seat("alice"), by=rated.lena, reason="one more look")
    client.force_login(rated.alice)
    program = program_of(rated.members["alice"])

    answers = [client.get(page) for page in pages]
    answers.append(program.get(reverse("api:scheme", args=[rated.collection.slug])))

    for answer in answers:
        assert answer.status_code == 200
        assert b"is 2 Similar" not in answer.content
        assert RULE.encode() in answer.content
        assert b"Example 1 is not shown while its pair is being judged." in answer.content
    assert not reads_example(rated, "carol")
    assert reads_example(rated, "lena")


def test_who_leads_elsewhere_reads_here_as_anybody_else(rated):
    make_member(make_collection("elsewhere", load_definition("csfcube")), "Carol", "lead")

    assert reads_example(rated, "carol")
    return_seat(seat=rated.seat("alice"), by=rated.lena, reason="one more look")
    assert not reads_example(rated, "carol")


def test_an_example_is_hidden_while_a_raised_overlap_wants_one_more_rating(rated):
    make_member(rated.collection, "Eve", "annotator")

    raise_overlap(batch=rated.batch, overlap=3, by=rated.lena, reason="one more")

    assert not reads_example(rated, "alice")
    assert reads_example(rated, "lena")


def test_a_lead_who_rates_edits_guidelines_without_reading_or_losing_the_example(rated):
    nora = rated.members["nora"] = make_member(rated.collection, "Nora", "annotator")
    raise_overlap(batch=rated.batch, overlap=3, by=rated.lena, reason="one more")
    assign_seat(seat=rated.batch.seats.get(holder=None), member=nora, by=rated.lena)
    nora.is_lead = True
    nora.save()
    version = rated.scheme.current
    form = {"scheme": rated.scheme, "version": version, "reader": nora.user}
    shown = WordingForm(**form).initial

    reworded = shown["guidelines"].replace(RULE, "Another task is 0.")
    edited = WordingForm(shown | {"guidelines": reworded, "change_note": "clearer"}, **form)

    assert edited.is_valid()
    assert "is 2 Similar" not in shown["guidelines"]
    assert edited.cleaned_data["guidelines"] == version.guidelines.replace(
        RULE, "Another task is 0."
    )


def test_a_pair_that_was_left_out_is_no_example(study):
    first, _, last = study.batch.pairs.all()
    study.finish(study.batch, alice=[2, 2, 2], bob=[2, 2, None])
    decide(pair=last, by=study.carol, save_id=uuid.uuid4(), exclusion_reason="Cut off")

    assert first in possible_examples()
    assert last not in possible_examples()
