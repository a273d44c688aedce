"""The lead's pages in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from adjudication.actions import decide
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import lock_topic, make_batches
from annotation.models import Seat
from annotation.schemes.actions import load_definition
from tests.factories.studies import make_collection, make_member, make_study, make_topic

pytestmark = pytest.mark.django_db(transaction=True)

HOME = "/collections/study/"


@pytest.fixture
def study():
    """Every state at once: a locked topic, one in adjudication, one being rated, one waiting."""
    study = make_study(facets=("background", "method", "result"), candidates=2)
    locked, disputed, rated = study.collection.batches.all()
    study.finish(alice=1, bob=1, batch=locked)
    lock_topic(topic=study.topics[0], by=study.lena)
    first, second = disputed.pairs.all()
    study.rate("alice", first, 0, note="Only the corpus is the same.", is_flagged=True)
    study.rate("alice", second, 1)
    study.hand_in("alice", disputed)
    study.rate("bob", first, 3, active_seconds=31)
    study.rate("bob", second, None)
    study.hand_in("bob", disputed)
    first.refresh_from_db()
    decide(pair=first, by=study.carol, save_id=first.public_id, option=study.option(3))
    study.rate("bob", rated.pairs.first(), 2, is_flagged=True)
    make_topic(study.collection, "q2", candidates=2)
    make_member(study.collection, "Eve", "annotator")
    return study


def addresses(study):
    """Pages that show states which the demo has not; it is walked whole in test_demo.py."""
    locked, disputed, rated = study.collection.batches.all()
    pages = [
        HOME,
        f"{HOME}assign/",
        f"{HOME}undecidable/",
        f"/batches/{disputed.public_id}/",
        f"{HOME}topics/{study.topics[0].public_id}/",
        f"/pairs/{disputed.pairs.first().public_id}/history/",
    ]
    again = [
        *(f"/batches/{batch.public_id}/" for batch in [locked, rated]),
        f"{HOME}topics/{study.topics[1].public_id}/",
    ]
    return pages, again


def test_every_state_is_accessible_and_fits(open_page, study, assert_accessible_and_fits, stress):
    page = open_page(study.lena)
    pages, again = addresses(study)

    for address in stress(pages, pages + again):
        page.goto(address)
        assert_accessible_and_fits(page)


def test_pages_of_an_empty_collection_are_accessible(open_page, assert_accessible, stress):
    study = make_study(facets=())
    page = open_page(study.lena)

    pages = ["", "assign/plan/", "assign/", "flags/", "undecidable/"]
    for address in stress(pages[:2], pages):
        page.goto(f"{HOME}{address}")
        assert_accessible(page)


OUT_OF_THEIR_PLACE = """all => all.filter((inner) => {
    const range = document.createRange();
    range.selectNodeContents(inner);
    const { right } = range.getBoundingClientRect();
    return right > inner.parentElement.getBoundingClientRect().right
        || right > (inner.nextElementSibling?.nextElementSibling?.getBoundingClientRect().left
            ?? Infinity);
}).map((inner) => inner.textContent)"""
LONG_NAME = "A name as long as any name of an option or a facet may be ok"


def test_on_a_phone_long_names_of_options_and_facets_keep_their_place(open_page):
    definition = load_definition("csfcube")
    definition["options"][0]["name"] = definition["facets"][0]["name"] = LONG_NAME
    collection = make_collection("study", definition)
    lena = make_member(collection, "Lena", "lead").user
    page = open_page(lena, viewport={"width": 390, "height": 844})

    page.goto(f"{HOME}scheme/")
    assert page.locator(".definitions th[scope=row]").evaluate_all(OUT_OF_THEIR_PLACE) == []

    page.goto(f"{HOME}scheme/write/")
    chip = page.locator(".preview .eyebrow .chip")
    assert chip.inner_text() == f"Facet: {LONG_NAME}"
    assert chip.evaluate_all(OUT_OF_THEIR_PLACE) == []


def test_a_filter_changes_the_topics_and_the_address_and_back_undoes_it(open_page, study):
    page = open_page(study.lena)
    page.goto(HOME)
    topics = page.locator("#topics tbody tr")
    expect(topics).to_have_count(4)

    waiting = page.get_by_role("link", name="Waiting 1")
    waiting.click()
    expect(topics).to_have_count(1)
    expect(waiting).to_be_focused()
    expect(page).to_have_url(re.compile(r"\?state=waiting$"))
    page.reload()
    expect(topics).to_have_count(1)

    page.go_back()
    expect(topics).to_have_count(4)


def test_a_seat_is_given_by_keyboard_and_the_focus_stays_at_the_batch(open_page, study):
    batch = make_batches(collection=study.collection, by=study.lena)[0]
    page = open_page(study.lena)
    page.goto(f"{HOME}assign/")
    loads = []
    page.on("request", lambda request: loads.append(request.is_navigation_request()))

    page.get_by_role("combobox", name="Annotator for seat 2 of q2_method").focus()
    page.keyboard.type("Eve")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    row = page.locator(f"#batch-{batch.public_id}")
    expect(row.locator(".who")).to_contain_text("Eve")
    expect(row.get_by_role("link", name="Title of q2")).to_be_focused()
    expect(page.locator("#loads li", has_text="Eve")).to_contain_text("2")
    assert not any(loads)
    assert Seat.objects.get(batch=batch, ordinal=2).holder.name == "Eve"


def test_a_refused_assignment_is_reported_in_its_row(open_page, study):
    batch = make_batches(collection=study.collection, by=study.lena)[0]
    page = open_page(study.lena)
    page.goto(f"{HOME}assign/")
    seat = batch.seats.first()
    assign_seat(seat=seat, member=study.members["bob"], by=study.lena)

    row = page.locator(f"#batch-{batch.public_id}")
    row.get_by_role("combobox", name="Annotator for seat 1").select_option(label="Eve")
    row.get_by_role("button", name="Assign seat 1").click()

    expect(row.get_by_role("alert")).to_have_text("Bob holds this seat now. Nothing was changed.")
    seat.refresh_from_db()
    assert seat.holder.name == "Bob"


def test_pairs_are_handed_out_without_script(open_page, study):
    page = open_page(study.lena, java_script_enabled=False)
    page.goto(HOME)
    page.get_by_role("link", name="2 pairs", exact=True).click()
    page.get_by_role("button", name="Make 1 batch").click()

    page.get_by_role("combobox", name="Annotator for seat 1 of q2_method").select_option("Eve")
    page.get_by_role("button", name="Assign seat 1 of q2_method").click()
    page.get_by_role("link", name="Balanced plan").click()
    page.get_by_role("checkbox", name="Alice").uncheck()
    page.get_by_role("button", name="Plan with these people").click()
    page.get_by_role("button", name="Apply the plan").click()

    expect(page.get_by_text("1 seat assigned. Nobody is mailed")).to_be_visible()
    held = Seat.objects.filter(batch__name="q2_method").values_list("holder__name", flat=True)
    assert list(held) == ["Eve", "Bob"]


def test_guidelines_are_previewed_in_place_and_saved_as_a_version(open_page, study):
    page = open_page(study.lena)
    page.goto(f"{HOME}scheme/edit/")

    page.get_by_role("textbox", name="Guidelines").fill("Read **twice**.")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview strong")).to_have_text("twice")
    expect(page.get_by_role("textbox", name="Guidelines")).to_have_value("Read **twice**.")
    page.get_by_label("What changed, and why").fill("Shorter.")
    page.get_by_role("button", name="Save a new version").click()

    expect(page.get_by_text("Version 2 is saved.")).to_be_visible()
    assert study.scheme.current.guidelines == "Read **twice**."


def test_a_decision_is_reopened_from_the_history_of_its_pair(open_page, study):
    disputed = study.collection.batches.all()[1]
    pair = disputed.pairs.first()
    page = open_page(study.lena)
    page.goto(f"{HOME}topics/{study.topics[1].public_id}/")
    page.get_by_role("link", name=pair.document.title).click()

    page.get_by_text("Reopen the decision").click()
    page.get_by_label("Reason").fill("The guideline changed.")
    page.get_by_role("button", name="Reopen").click()

    page.goto(f"/pairs/{pair.public_id}/history/")
    expect(page.get_by_text("reopened the decision")).to_be_visible()
    expect(page.get_by_text("The guideline changed.")).to_be_visible()
    pair.refresh_from_db()
    assert pair.state == "disputed"
