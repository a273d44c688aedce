"""Handing pairs out: batches, seats by hand, the balanced plan, returns and more ratings a pair."""

import pytest
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import lock_topic, make_batches
from annotation.assigning.seats import batch_rows
from annotation.forms import MAX_REASON_LENGTH
from annotation.models import Batch, Seat
from annotation.progress.figures import Figures
from audit.models import Event
from datasets.models import Membership
from tests.factories.studies import make_member, make_study, make_topic
from tests.shelf import shelved

PAGE = "/collections/study/assign/"
PLAN = "/collections/study/assign/plan/"
HTMX = {"HX-Request": "true"}


@shelved
def eve(study):
    return make_member(study.collection, "Eve", "annotator")


def give(browser, seat, member=None, *, reason="", seen=None, **more):
    """Send the form of a seat; `seen` is the holder that the page showed, the real one if None."""
    seen = seat.holder if seen is None else seen
    data = {
        "holder": seen.public_id if seen else "",
        "member": member.public_id if member else "",
        "reason": reason,
    }
    return browser.post(f"/seats/{seat.public_id}/assign/", data | more.pop("data", {}), **more)


def free_seat(study, name="alice"):
    seat = study.seat(name)
    assign_seat(seat=seat, member=None, by=study.lena, reason="Freed.")
    seat.refresh_from_db()
    return seat


def holder_of(seat):
    return Seat.objects.get(pk=seat.pk).holder


def rate_as_well(study, name):
    Membership.objects.filter(pk=study.members[name].pk).update(is_annotator=True)
    study.members[name].refresh_from_db()


# --- batches ---


def test_waiting_pairs_become_one_batch_for_each_topic(lena, study):
    make_topic(study.collection, "q2")
    make_topic(study.collection, "q3")
    assertContains(lena.get(PAGE), "6 pairs in no batch")

    response = lena.post(f"{PAGE}batches/")

    assertRedirects(response, PAGE)
    names = Batch.objects.filter(collection=study.collection).values_list("name", flat=True)
    assert list(names) == ["q1_method", "q2_method", "q3_method"]


def test_making_batches_twice_makes_no_second_one(lena, study):
    response = lena.post(f"{PAGE}batches/", follow=True)

    assertContains(response, "No pair is waiting for a batch.")
    assert Batch.objects.count() == 1


def test_the_filter_shows_batches_with_a_free_seat(lena, study):
    make_topic(study.collection, "q2")
    make_batches(collection=study.collection, by=study.lena)

    free = lena.get(PAGE, {"show": "free"}).context["rows"]
    held = lena.get(PAGE, {"show": "held"}, headers=HTMX)

    assert [row.batch.name for row in free] == ["q2_method"]
    assert [row.batch.name for row in held.context["rows"]] == ["q1_method"]
    assertNotContains(held, "<html")


@pytest.mark.parametrize("topics", [2, 3, 50])
def test_the_page_costs_the_same_for_one_batch_and_for_fifty(
    lena, study, topics, django_assert_num_queries
):
    for number in range(topics - 1):
        make_topic(study.collection, f"q{number + 2}", candidates=1)
    make_batches(collection=study.collection, by=study.lena)

    with django_assert_num_queries(25):
        lena.get(PAGE)
    with django_assert_num_queries(24):
        lena.get(PLAN)


def test_a_list_for_many_people_leads_to_the_page_that_names_them(lena, study, eve, monkeypatch):
    seat = free_seat(study)
    offer = f'<option value="{eve.public_id}">'
    assertContains(lena.get(PAGE), offer)

    monkeypatch.setattr("annotation.assigning.seats.MOST_LISTED", 1)

    listed = lena.get(PAGE)
    to_batch = f"/batches/{study.batch.public_id}/"
    assertNotContains(listed, offer)
    assertContains(listed, f'href="{to_batch}#seat-{seat.ordinal}"')
    assertContains(lena.get(to_batch), offer)


# --- seats by hand ---


def test_a_free_seat_is_given_to_an_annotator(lena, study, eve):
    seat = free_seat(study)

    response = give(lena, seat, eve, data={"page": "assign"})

    assertRedirects(response, f"{PAGE}#batch-{study.batch.public_id}")
    assert holder_of(seat) == eve


def test_with_htmx_the_batchs_row_and_the_new_loads_come_back(lena, study, eve):
    seat = free_seat(study)

    response = give(lena, seat, eve, headers=HTMX)

    assertContains(response, f'id="batch-{study.batch.public_id}"')
    assertContains(response, 'hx-swap-oob="true"')
    assertContains(response, "Eve")
    assertNotContains(response, "<html")


def test_an_unrated_seat_is_freed_without_a_reason(lena, study):
    seat = study.seat("alice")

    give(lena, seat, None)

    assert holder_of(seat) is None


def test_a_rated_seat_changes_hands_only_with_a_reason(lena, study, eve):
    seat = study.seat("alice")
    study.rate("alice", study.batch.pairs.first(), 1)

    response = give(lena, seat, eve)
    assertContains(response, "Say why the seat changes hands.", status_code=422)
    assert holder_of(seat) == study.members["alice"]

    assertRedirects(
        give(lena, seat, eve, reason="Alice is ill."), f"/batches/{study.batch.public_id}/"
    )
    assert holder_of(seat) == eve
    event = Event.objects.about(seat).filter(verb="assign seat").last()
    assert (event.reason, event.actor) == ("Alice is ill.", study.lena)


def test_somebody_who_holds_a_seat_of_the_batch_is_not_offered_another(lena, study, eve):
    seat = free_seat(study)

    [row] = batch_rows(Figures(study.members["lena"]))
    offered = {row_seat.seat.ordinal: [str(m) for m in row_seat.eligible] for row_seat in row.seats}
    response = give(lena, seat, study.members["bob"])

    assert offered == {1: ["Alice", "Eve"], 2: ["Eve"]}
    assertContains(response, "This person cannot take the seat", status_code=422)
    assert holder_of(seat) is None


def test_a_seat_freed_by_mistake_goes_back_to_its_holder(lena, study):
    study.rate("alice", study.batch.pairs.first(), 1)
    seat = free_seat(study)

    give(lena, seat, study.members["alice"], reason="My mistake.")

    assert holder_of(seat) == study.members["alice"]


def test_people_who_cannot_sign_in_or_are_no_annotators_are_not_offered(lena, study):
    seat = free_seat(study)
    imported = Membership.objects.create(
        collection=study.collection, name="A1", external_id="A1", is_annotator=True
    )
    gone = make_member(study.collection, "Gus", "annotator")
    gone.user.is_active = False
    gone.user.save()

    answers = [give(lena, seat, member) for member in [imported, gone, study.members["carol"]]]

    assert {answer.status_code for answer in answers} == {422}
    assert holder_of(seat) is None


def test_an_annotator_of_another_collection_gets_no_seat(lena, study):
    seat, other = free_seat(study), make_study(slug="other")

    assert give(lena, seat, other.members["alice"]).status_code == 422


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_seat_that_somebody_took_meanwhile_is_not_given_away(lena, study, eve, headers):
    seat = free_seat(study)
    assign_seat(seat=seat, member=eve, by=study.lena)
    seat.refresh_from_db()
    dan = make_member(study.collection, "Dan", "annotator")

    response = lena.post(
        f"/seats/{seat.public_id}/assign/",
        {"holder": "", "member": dan.public_id},
        headers=headers,
    )

    assertContains(response, "Eve holds this seat now.", status_code=409)
    assert holder_of(seat) == eve


def test_a_handed_in_seat_is_not_given_away(lena, study, eve):
    study.rate_all("alice", 1)
    study.hand_in("alice")

    response = give(lena, study.seat("alice"), eve, reason="why")

    assertContains(response, "The seat is handed in. Return it", status_code=423)
    assert study.seat("alice").handed_in_at


def test_seats_of_a_locked_topic_do_not_change(lena, study, eve):
    study.finish(alice=1, bob=1)
    lock_topic(topic=study.topics[0], by=study.lena)

    response = lena.post(f"/seats/{study.seat('alice').public_id}/return/", {"reason": "why"})

    assertContains(response, "is locked. Unlock it first.", status_code=423)
    assertContains(lena.get(f"/batches/{study.batch.public_id}/"), "its seats cannot change")


def test_what_was_typed_is_kept_when_a_change_is_refused(lena, study, eve):
    study.rate("alice", study.batch.pairs.first(), 1)
    seat = study.seat("alice")

    response = give(lena, seat, eve, reason="A long reason.", seen=study.members["bob"])

    assertContains(response, "A long reason.", status_code=409)
    assertContains(response, f'value="{eve.public_id}" selected', status_code=409)
    assertContains(response, 'role="alert" tabindex="-1" autofocus', status_code=409)


# --- a lead who rates ---


@shelved
def rating_lead(study):
    """Lena sits beside Bob."""
    rate_as_well(study, "lena")
    assign_seat(seat=study.seat("alice"), member=study.members["lena"], by=study.lena)
    return study.members["lena"]


@pytest.mark.parametrize("step", ["assign", "return"])
@pytest.mark.parametrize("rated", [False, True])
def test_a_rating_lead_cannot_touch_the_other_seat(lena, study, rating_lead, step, rated):
    if rated:
        study.rate_all("bob", 1)
        study.hand_in("bob")
    seat = study.seat("bob")

    response = lena.post(
        f"/seats/{seat.public_id}/{step}/",
        {"holder": study.members["bob"].public_id, "member": "", "reason": "why"},
    )

    assert response.status_code == 404
    assert holder_of(seat) == study.members["bob"]


@pytest.mark.parametrize("rated", [False, True])
def test_a_free_seat_beside_a_rating_lead_always_asks_for_a_reason(
    lena, study, rating_lead, eve, rated
):
    """Else the question itself would tell whether the former holder rated anything."""
    if rated:
        study.rate("bob", study.batch.pairs.first(), 1)
    seat = study.seat("bob")
    assign_seat(seat=seat, member=None, by=study.lena, reason="Bob left.")
    seat.refresh_from_db()

    assert give(lena, seat, eve).status_code == 422
    give(lena, seat, eve, reason="Eve takes over.")

    assert holder_of(seat) == eve


# --- return, more ratings ---


def test_a_seat_is_returned_with_a_reason_that_its_holder_reads(lena, study):
    study.finish(alice=1, bob=1)
    seat = study.seat("alice")

    reason = "\n".join(["why?"] * (MAX_REASON_LENGTH // 5))

    response = lena.post(
        f"/seats/{seat.public_id}/return/", {"reason": reason.replace("\n", "\r\n")}
    )

    assertRedirects(response, f"/batches/{study.batch.public_id}/")
    seat.refresh_from_db()
    assert (seat.handed_in_at, seat.return_reason) == (None, reason)


@pytest.mark.parametrize("reason", ["", "   "])
def test_a_seat_is_not_returned_without_a_reason(lena, study, reason):
    study.finish(alice=1, bob=1)
    seat = study.seat("alice")

    response = lena.post(f"/seats/{seat.public_id}/return/", {"reason": reason})

    assertContains(response, f'id="return-{seat.public_id}-error">Say why.', status_code=422)
    assertContains(response, f'aria-describedby="return-{seat.public_id}-error"', status_code=422)
    assert study.seat("alice").handed_in_at


def test_an_open_seat_cannot_be_returned(lena, study):
    response = lena.post(f"/seats/{study.seat('alice').public_id}/return/", {"reason": "why"})

    assertContains(response, "The seat is not handed in", status_code=409)


def test_more_ratings_add_free_seats(lena, study):
    lena.post(
        f"/batches/{study.batch.public_id}/overlap/", {"overlap": 4, "reason": "Low agreement."}
    )

    assert list(study.batch.seats.values_list("ordinal", "holder__name")) == [
        (1, "Alice"),
        (2, "Bob"),
        (3, None),
        (4, None),
    ]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"overlap": 2, "reason": "why"}, "The overlap can only rise"),
        ({"overlap": 3, "reason": " "}, 'id="overlap-reason-error">Say why.'),
        ({"overlap": 4, "reason": " "}, "<option selected>4</option>"),
        ({"overlap": 10, "reason": "why"}, "less than or equal to 9"),
        ({"overlap": "x", "reason": "why"}, "whole number"),
    ],
)
def test_an_overlap_that_does_not_fit_changes_nothing(lena, study, sent, words):
    response = lena.post(f"/batches/{study.batch.public_id}/overlap/", sent)

    assertContains(response, words, status_code=422)
    assert study.batch.seats.count() == 2


# --- the plan ---


@shelved
def waiting(study, eve):
    """Three batches without holders, beside the one of Alice and Bob."""
    for number in [2, 3, 4]:
        make_topic(study.collection, f"q{number}")
    return make_batches(collection=study.collection, by=study.lena)


def planned(response):
    """{batch: names by seat} as the page shows it."""
    return {
        planned_batch.row.batch.name: [to.name if to else None for _, to in planned_batch.seats]
        for planned_batch in response.context["proposal"].batches
    }


def test_the_plan_is_shown_and_assigns_nothing(lena, study, waiting):
    response = lena.get(PLAN)

    assert set(planned(response)) == {"q2_method", "q3_method", "q4_method"}
    assert all(len(set(names)) == 2 for names in planned(response).values())
    assert {batch.seats.filter(holder=None).count() for batch in waiting} == {2}


def test_the_plan_tells_the_loads_that_result(lena, study, waiting):
    people = lena.get(PLAN).context["proposal"].people

    loads = {person.member.name: (person.before, person.after) for person in people}
    assert sum(after for _, after in loads.values()) == 4 * 3 * 2
    assert {name: before for name, (before, _) in loads.items()} == {"Alice": 3, "Bob": 3, "Eve": 0}


def test_the_plan_is_applied_as_it_was_shown(lena, study, waiting):
    shown = lena.get(PLAN)

    response = lena.post(PLAN, {"plan": shown.context["plan"]})

    assertRedirects(response, PAGE)
    held = {
        batch.name: list(batch.seats.values_list("holder__name", flat=True)) for batch in waiting
    }
    assert held == planned(shown)


def test_people_left_out_get_nothing(lena, study, waiting, eve):
    chosen = [study.members["alice"].public_id, eve.public_id]

    response = lena.get(PLAN, {"chosen": 1, "person": chosen})

    assert {name for names in planned(response).values() for name in names} == {"Alice", "Eve"}


def test_adjudicators_take_part_only_when_they_are_ticked(lena, study, waiting):
    rate_as_well(study, "carol")
    everybody = [membership.public_id for membership in Membership.objects.annotators()]

    at_first = lena.get(PLAN).context["proposal"].people
    ticked = lena.get(PLAN, {"chosen": 1, "person": everybody}).context["proposal"].people

    assert [person.member.name for person in at_first if not person.is_chosen] == ["Carol"]
    assert all(person.is_chosen for person in ticked)


def test_too_few_people_are_told(lena, study, waiting, eve):
    response = lena.get(PLAN, {"chosen": 1, "person": [eve.public_id]})

    assertContains(response, "3 seats stay free")


def test_a_seat_taken_meanwhile_lets_nothing_of_the_plan_happen(lena, study, waiting):
    shown = lena.get(PLAN).context["plan"]
    taken = waiting[-1].seats.last()
    assign_seat(seat=taken, member=study.members["alice"], by=study.lena)

    response = lena.post(PLAN, {"plan": shown})

    assertContains(response, "was taken meanwhile. Nothing was assigned.", status_code=409)
    held = Seat.objects.filter(batch__in=waiting).exclude(holder=None)
    assert list(held) == [taken]


def test_somebody_removed_meanwhile_lets_nothing_of_the_plan_happen(lena, study, waiting, eve):
    shown = lena.get(PLAN).context["plan"]
    Membership.objects.filter(pk=eve.pk).update(is_annotator=False, is_lead=True)

    response = lena.post(PLAN, {"plan": shown})

    assertContains(response, "is no longer an annotator", status_code=422)
    assert not Seat.objects.filter(batch__in=waiting).exclude(holder=None).exists()


@pytest.mark.parametrize("text", ["", "nonsense", "a:b:c", "x:y", "\x00"])
def test_a_plan_that_nobody_was_shown_is_refused(lena, study, waiting, text):
    response = lena.post(PLAN, {"plan": text})

    assert response.status_code == 422
    assert not Seat.objects.filter(batch__in=waiting).exclude(holder=None).exists()


def test_a_plan_does_not_reach_into_another_collection(lena, study):
    other = make_study(slug="other", assign=False)
    [batch] = make_batches(collection=other.collection, by=other.lena)
    entry = f"{batch.seats.first().public_id}:{study.members['alice'].public_id}"

    response = lena.post(PLAN, {"plan": entry})

    assert response.status_code == 422
    assert batch.seats.filter(holder=None).count() == 2


def test_a_locked_topic_is_not_planned(lena, study):
    study.finish(alice=1, bob=1)
    lock_topic(topic=study.topics[0], by=study.lena)

    assertContains(lena.get(PLAN), "No free seat")


def test_many_batches_come_in_pages_and_an_answer_leads_to_its_own(lena, study, monkeypatch):
    monkeypatch.setattr("annotation.assigning.views.assign.PAGE_SIZE", 2)
    for number in range(4):
        make_topic(study.collection, f"q{number + 2}", candidates=1)
    make_batches(collection=study.collection, by=study.lena)
    batches = list(study.collection.batches.all())

    first, last = lena.get(PAGE), lena.get(PAGE, {"page": 3})
    seat = batches[-1].seats.first()
    answer = lena.post(
        f"/seats/{seat.public_id}/assign/",
        {"member": study.members["alice"].public_id, "holder": "", "page": "assign"},
    )

    assert [row.batch for row in first.context["rows"]] == batches[:2]
    assert [row.batch for row in last.context["rows"]] == batches[4:]
    assertContains(first, f"1 to 2 of {len(batches)}")
    assertContains(first, "All 5" if len(batches) == 5 else f"All {len(batches)}")
    assertRedirects(answer, f"{PAGE}?page=3#batch-{batches[-1].public_id}")


def test_ticked_batches_alone_are_planned_for_ticked_people(lena, study):
    for name in ("q7", "q8"):
        make_topic(study.collection, name)
    make_batches(collection=study.collection, by=study.lena)
    eve, finn = (make_member(study.collection, name, "annotator") for name in ("Eve", "Finn"))
    first = Batch.objects.get(name__startswith="q7")
    people = [eve.public_id, finn.public_id]

    page = lena.post(PLAN, {"chosen": "1", "batch": first.public_id, "person": people})

    proposal = page.context["proposal"]
    assert {seat.batch_id for seat, _ in proposal.placements} == {first.pk}
    assert {to for _, to in proposal.placements} == {eve, finn}
    assert [batch.is_chosen for batch in proposal.batches] == [True, False]
    assert not Seat.objects.filter(holder__in=[eve, finn]).exists()
    lena.post(PLAN, {"plan": page.context["plan"]})
    assert Seat.objects.filter(batch=first, holder__in=[eve, finn]).count() == 2
