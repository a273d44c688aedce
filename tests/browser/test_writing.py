"""Writing a query and drawing a sample, in a real browser, by keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from annotation.models import Batch, Pair
from annotation.schemes.actions import load_definition
from tests.browser.test_slow_line import Line
from tests.factories.studies import (
    make_aspect_query,
    make_aspect_study,
    make_collection,
    make_document,
    make_member,
)
from tests.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = (
    "I mend church organs and want to know which pipe is out of tune. "
    "The method must work on recordings from a phone. "
    "It should say how sure it is."
)


NEAR = """(element, { steps }) => {
  const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter((stop) => stop.checkVisibility() && !stop.disabled && stop.type !== "hidden");
  const at = stops.indexOf(element);
  const way = at - stops.indexOf(document.activeElement);
  if (Math.abs(way) > Math.abs(steps)) stops[at - steps]?.focus();
}"""


def tab_to(page, locator, backwards=False):
    """Press Tab until the element has the focus, as who has no mouse does; of a long way the last
    steps."""
    steps = 4
    locator.evaluate(NEAR, {"steps": -steps if backwards else steps})
    for _ in range(2 * steps):
        if locator.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
    raise AssertionError(f"not reached by {2 * steps} tabs")


def press(page, locator, **options):
    tab_to(page, locator, **options)
    page.keyboard.press("Enter")


def write_aspect(page, text):
    field = page.get_by_label("New aspect")
    tab_to(page, field)
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(page.locator(".aspects")).to_contain_text(text)
    # The cursor stays, for the next one.
    expect(field).to_be_focused()
    expect(field).to_have_value("")


def test_a_lead_writes_a_query_and_draws_a_sample_without_a_mouse(open_page):
    collection = make_collection("new", load_definition("doris-mae"))
    lena = make_member(collection, "Lena", "lead").user
    for number in range(4):
        make_document(collection, f"d{number}")
    page = open_page(lena)

    page.goto("/collections/new/write/new/")
    tab_to(page, page.get_by_label("Text", exact=True))
    page.keyboard.type(TEXT)
    tab_to(page, page.get_by_role("combobox", name="Type"))
    page.keyboard.type("AI")
    press(page, page.get_by_role("button", name="Save and write its aspects"))
    expect(page.locator("h1")).to_have_text("Query 0")
    expect(page.get_by_label("Sentences, one a line")).to_have_value(
        TEXT.replace(". ", ".\n") + "\n"
    )

    for text in ["The paper detects pipes out of tune.", "It works on poor sound.", "It is sure."]:
        write_aspect(page, text)
    query = collection.queries.get()
    second, third = query.places.order_by("position")[1:]
    press(page, page.locator(f"#nest-{second.pk}"), backwards=True)
    moved = page.locator(f"#aspect-{second.pk}")
    expect(moved).to_contain_text("A1")
    # It cannot be nested deeper, so the focus is on the aspect itself.
    expect(moved).to_be_focused()
    press(page, page.locator(f"#up-{third.pk}"))
    expect(page.locator(f"#aspect-{third.pk}")).to_contain_text("A")
    expect(page.locator(f"#aspect-{third.pk}")).to_be_focused()
    press(page, page.locator(f"#down-{third.pk}"))
    expect(page.locator(f"#aspect-{third.pk} .aspect-no")).to_have_text("B")

    hints = page.locator("#hints")
    expect(hints).to_contain_text("Aspect A1 has no sentence of the query.")
    box = page.get_by_role("group", name="The method must work").get_by_label("A1:")
    tab_to(page, box)
    page.keyboard.press("Space")
    expect(hints).not_to_contain_text("Aspect A1 has no sentence")
    expect(box).to_be_focused()
    page.reload()
    expect(
        page.get_by_role("group", name="The method must work").get_by_label("A1:")
    ).to_be_checked()

    press(page, page.get_by_role("link", name="Pool"))
    tab_to(page, page.get_by_label("Ids of documents"))
    page.keyboard.type("d0\nd1\nd2\nd3")
    press(page, page.get_by_role("button", name="Add to the pool"))
    expect(page.locator(".messages")).to_contain_text("12 new pairs wait for a batch.")

    press(page, page.get_by_role("link", name="Draw a sample"))
    tab_to(page, page.get_by_label("Name", exact=True))
    page.keyboard.type("Pilot")
    tab_to(page, page.get_by_label("Pairs", exact=True))
    page.keyboard.type("5")
    press(page, page.get_by_role("button", name="Show what it draws"))
    press(page, page.get_by_role("button", name="Draw 5 pairs"))
    expect(page.locator("h1")).to_have_text("Pilot")
    batch = Batch.objects.get(name="Pilot")
    assert (batch.pairs.count(), Pair.objects.waiting().count()) == (5, 7)
    assert batch.created_by == lena


def test_what_is_typed_while_an_aspect_is_on_its_way_stays(open_page):
    study = make_aspect_study()
    query = make_aspect_query(study.collection, "1", {"10": []}, documents=("d1",))
    page = open_page(study.lena)
    on_their_way = []
    page.route("**/aspects/add/", lambda route: on_their_way.append(route))
    page.goto(f"/queries/{query.public_id}/write/")
    field = page.get_by_label("New aspect")
    # Long enough that every key comes before the answer has settled.
    page.locator(".new-aspect").evaluate(
        "form => form.setAttribute('hx-swap', 'outerHTML settle:2s')"
    )

    field.focus()
    page.keyboard.type("It finds cracks.")
    page.keyboard.press("Enter")
    expect(field).to_have_value("")
    page.keyboard.type("It is qui")
    [route] = on_their_way
    route.continue_()
    expect(page.locator(".aspects")).to_contain_text("It finds cracks.")
    expect(field).to_be_focused()
    page.keyboard.type("et.")

    expect(field).to_have_value("It is quiet.")


def test_what_is_edited_and_ticked_while_an_aspect_is_on_its_way_stays_and_is_saved(open_page):
    study = make_aspect_study()
    query = make_aspect_query(study.collection, "1", {"10": [], "11": []}, documents=("d1",))
    first, second = query.places.order_by("position")
    page = open_page(study.lena)
    aspects = Line(page, "/aspects/change/", method="POST", most=1)
    links = Line(page, "/sentences/", method="POST", most=1)
    page.goto(f"/queries/{query.public_id}/write/")
    edited = page.locator(f"#text-{first.pk}")
    boxes = [page.locator(f"#s{number}-11") for number in (1, 2)]

    page.locator(f"#up-{second.pk}").click()
    aspects.wait_for(1)
    for box in boxes:
        expect(box).not_to_be_checked()
        box.check()
    links.wait_for(1)
    page.locator(f"#edit-{first.pk}").click()
    edited.fill("It is quet.")
    edited.evaluate("area => area.setSelectionRange(8, 8)")
    aspects.let_go()
    expect(page.locator(f"#aspect-{second.pk} .aspect-no")).to_have_text("A")

    expect(edited).to_be_focused()
    page.keyboard.type("i")
    expect(edited).to_have_value("It is quiet.")
    for box in boxes:
        expect(box).to_be_checked()
    links.let_go()

    def are_saved():
        query.refresh_from_db()
        return all("11" in sentence["topics"] for sentence in query.sentences[:2])

    wait_until(are_saved, "the links")


def test_aspects_that_are_entered_while_one_is_on_its_way_are_added_after_it(open_page):
    study = make_aspect_study()
    query = make_aspect_query(study.collection, "1", {"10": []}, documents=("d1",))
    [parent] = query.places.all()
    page = open_page(study.lena)
    line = Line(page, "/aspects/add/", method="POST", most=1)
    page.goto(f"/queries/{query.public_id}/write/")
    field = page.get_by_label("New aspect")

    field.fill("It finds cracks.")
    field.press("Enter")
    line.wait_for(1)
    page.get_by_label("Where").select_option(str(parent.pk))
    field.fill("It is quiet.")
    field.press("Enter")
    field.fill("It is ch")
    line.let_go()
    expect(page.locator(".aspects")).to_contain_text("It is quiet.")

    expect(field).to_be_focused()
    page.keyboard.type("eap.")
    expect(field).to_have_value("It is cheap.")
    marks = page.locator(".aspects .said-by")
    expect(marks).to_have_text([re.compile(f"^{mark} ") for mark in ("A", "A1", "B")])


def test_what_is_typed_while_an_aspect_is_refused_comes_after_it(open_page):
    study = make_aspect_study()
    query = make_aspect_query(study.collection, "1", {"10": []}, documents=("d1",))
    page = open_page(study.lena)
    line = Line(page, "/aspects/add/", method="POST", most=1)
    page.goto(f"/queries/{query.public_id}/write/")
    field = page.get_by_label("New aspect")

    field.fill(query.places.get().topic.text)
    field.press("Enter")
    line.wait_for(1)
    field.fill("It is quiet.")
    line.let_go()
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("It finds cracks.")
    field.press("Enter")

    expect(page.locator(".aspects")).to_contain_text("It finds cracks.")
    expect(field).to_have_value("It is quiet.")


REFUSAL = {"status": 423, "content_type": "text/plain", "body": "The topic is locked."}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda route: route.abort(), "The server did not answer."),
        (lambda route: route.fulfill(**REFUSAL), "The topic is locked. Reload the page."),
    ],
    ids=["silence", "refusal"],
)
def test_an_aspect_that_was_not_added_is_in_its_field_again(open_page, answer, words):
    study = make_aspect_study()
    query = make_aspect_query(study.collection, "1", {"10": []}, documents=("d1",))
    page = open_page(study.lena)
    page.route("**/aspects/add/", answer)
    page.goto(f"/queries/{query.public_id}/write/")
    field = page.get_by_label("New aspect")

    field.fill("It finds cracks.")
    field.press("Enter")

    expect(page.locator("#trouble")).to_contain_text(words)
    expect(field).to_have_value("It finds cracks.")
    page.unroute("**/aspects/add/")
    field.press("Enter")
    expect(page.locator(".aspects")).to_contain_text("It finds cracks.")


def test_without_javascript_every_step_works(open_page):
    study = make_aspect_study()
    query = make_aspect_query(study.collection, "1", {"10": [], "11": []}, documents=("d1",))
    page = open_page(study.lena, java_script_enabled=False)
    last = query.places.get(topic__external_id="11")

    page.goto(f"/queries/{query.public_id}/write/")
    page.locator(f"#nest-{last.pk}").click()
    expect(page.locator(f"#aspect-{last.pk} .aspect-no")).to_have_text("A1")
    page.get_by_role("group", name="It should say").get_by_label("A1:").check()
    page.get_by_role("button", name="Save the links").click()
    expect(page.locator(".messages")).to_contain_text("are saved")
    page.locator(f"#remove-{last.pk}").click()
    expect(page.locator(".aspects > li")).to_have_count(1)


def test_the_pages_are_accessible_and_do_not_scroll_sideways(open_page, assert_accessible_and_fits):
    study = make_aspect_study()
    query = make_aspect_query(study.collection, "1", {"10": ["11"], "12": []}, documents=("d1",))
    page = open_page(study.lena)

    for address in [
        "/collections/aspects/write/",
        "/collections/aspects/write/new/",
        f"/queries/{query.public_id}/write/",
        f"/queries/{query.public_id}/pool/",
        "/collections/aspects/samples/?name=Test&size=3&overlap=3&stratify=level&parts=1"
        "&way=topic&seed=7",
    ]:
        page.goto(address)
        assert_accessible_and_fits(page)
