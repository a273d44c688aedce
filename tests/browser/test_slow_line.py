"""What people meet on a slow line: answers that come late, or after newer ones.

A request is held, what people do meanwhile is done, and the request goes on.
"""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.models import Decision
from annotation.assigning.actions.batches import make_batches
from annotation.models import Rating, Seat
from annotation.schemes.actions import load_definition
from datasets.runs.actions import add_run
from tests.adjudication.conftest import hide_ratings
from tests.browser.test_adjudication import address_of, all_saved, decisions, on
from tests.browser.test_workbench import expect_pair, expect_saved, pair_url
from tests.factories.runs import run_of
from tests.factories.studies import (
    make_aspect_query,
    make_aspect_study,
    make_collection,
    make_member,
    make_study,
    make_topic,
    ordered_pairs,
)

pytestmark = pytest.mark.django_db(transaction=True)


# What is held is not given up, however long a busy machine takes over what is done meanwhile.
PATIENT = """
  AbortSignal.timeout = () => new AbortController().signal;
  if (window.htmx) htmx.config.timeout = 0;
  else addEventListener("load", () => { if (window.htmx) htmx.config.timeout = 0; });
"""


class Line:
    """Requests of a page to some addresses, held until they are let go, oldest first."""

    def __init__(self, page, addresses, method="GET", most=None):
        self.page, self.held, self.seen = page, [], 0
        page.add_init_script(PATIENT)
        page.evaluate(PATIENT)

        def handle(route):
            if route.request.method != method or (most and self.seen >= most):
                route.fallback()
                return
            self.seen += 1
            self.held.append(route)

        page.route(re.compile(addresses), handle)

    def wait_for(self, count):
        """Until so many requests were held in all."""
        for _ in range(6_000):
            if self.seen >= count:
                return
            self.page.wait_for_timeout(10)  # the loop of Playwright runs in it
        raise AssertionError(f"{self.seen} requests came, not {count}.")

    def let_go(self):
        route = self.held.pop(0)
        request = route.request
        route.continue_()
        if request.is_navigation_request():
            return
        # One that was given up meanwhile has no answer.
        if answer := request.response():
            answer.finished()
            self.page.evaluate("new Promise(requestAnimationFrame)")


@pytest.fixture
def study():
    """Three disputes and a topic that waits for a batch."""
    study = make_study(candidates=3)
    study.finish(alice=[0, 2, 2], bob=[3, 0, 3])
    make_topic(study.collection, "q2", candidates=2)
    make_member(study.collection, "Eve", "annotator")
    return study


@pytest.fixture
def pairs(study):
    return list(study.batch.pairs.order_by("position"))


def keys(page, *pressed):
    for key in pressed:
        page.keyboard.press(key)


# --- deciding ---


def test_a_pair_that_comes_late_does_not_take_the_place_of_one_asked_for_later(
    open_page, study, pairs
):
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))
    page.wait_for_load_state("networkidle")
    line = Line(page, f"{pairs[2].public_id}/")

    page.locator("button[popovertarget=places]").click()
    page.locator(f".place-list a[data-id='{pairs[2].public_id}']").click()
    line.wait_for(1)
    keys(page, "j")
    on(page, pairs[1])
    line.let_go()

    on(page, pairs[1])
    expect(page).to_have_url(re.compile(str(pairs[1].public_id)))


def test_keys_pressed_while_the_next_pair_is_on_its_way_decide_nothing(open_page, study, pairs):
    page = open_page(study.carol)
    line = Line(page, f"{pairs[1].public_id}/")
    page.goto(address_of(pairs[0]))

    keys(page, "3", "Enter")
    expect(page.locator("#said")).to_contain_text("Pair 1: 3 · Near-identical.")
    all_saved(page)
    keys(page, "Enter", "0", "Enter")
    line.let_go()

    on(page, pairs[1])
    all_saved(page)
    expect(page.get_by_role("dialog", name="Not saved")).to_be_hidden()
    assert decisions() == [("identical", "")]
    assert Decision.objects.count() == 1


def test_enter_twice_is_one_first_grade(open_page, study, pairs):
    hide_ratings(study)
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))
    line = Line(page, "/adjudicate/", method="POST")

    keys(page, "2", "Enter")
    line.wait_for(1)
    keys(page, "Enter")
    line.let_go()

    expect(page.get_by_role("heading", name="Three grades apart")).to_be_visible()
    assert line.seen == 1


def test_a_first_grade_whose_page_was_stopped_can_be_sent_again(open_page, study, pairs):
    hide_ratings(study)
    page = open_page(study.carol)
    page.clock.install()
    page.goto(address_of(pairs[0]))
    line = Line(page, "/adjudicate/", method="POST")

    keys(page, "2", "Enter")
    line.wait_for(1)
    line.held.pop().abort("aborted")
    expect(page.locator("#decision")).to_have_attribute("data-held", "")
    page.clock.fast_forward(10_000)
    expect(page.locator("#decision")).not_to_have_attribute("data-held", "")
    keys(page, "Enter")
    line.wait_for(2)
    line.let_go()

    expect(page.get_by_role("heading", name="Three grades apart")).to_be_visible()


def test_after_a_decision_whose_next_pair_did_not_come_the_button_leads_on(open_page, study, pairs):
    page = open_page(study.carol)
    line = Line(page, f"{pairs[1].public_id}/", most=1)
    page.goto(address_of(pairs[0]))
    line.wait_for(1)

    keys(page, "3", "Enter")
    all_saved(page)
    line.held.pop().abort("aborted")
    expect(page.locator("#said")).to_contain_text("The server did not answer.")
    page.get_by_role("button", name="Save and next").click()

    on(page, pairs[1])
    assert Decision.objects.count() == 1


# --- writing a scheme ---


def test_what_is_typed_while_a_row_is_on_its_way_stays(open_page, db):
    collection = make_collection("fresh", load_definition("csfcube"))
    page = open_page(make_member(collection, "Lena", "lead").user)
    page.goto("/collections/fresh/scheme/write/")
    line = Line(page, "/scheme/write/", method="POST", most=1)
    title = page.get_by_label("Title of the scheme")
    rows = page.locator("[id$=-remove]")
    before = rows.count()

    tab = page.get_by_role("tab").last
    rule = page.locator("[name=rule]:not(:checked)").first.get_attribute("value")

    page.get_by_role("button", name="Add a grade").first.click()
    line.wait_for(1)
    tab.click()
    page.locator(f"[name=rule][value={rule}]").check()
    title.fill("Wide or")
    line.let_go()
    expect(rows).to_have_count(before + 1)
    expect(title).to_be_focused()
    page.keyboard.type(" narrow")

    expect(title).to_have_value("Wide or narrow")
    expect(page.locator(f"[name=rule][value={rule}]")).to_be_checked()
    expect(tab).to_have_attribute("aria-selected", "true")


def test_who_goes_on_elsewhere_as_soon_as_the_answer_is_here_stays_there(open_page, db):
    collection = make_collection("fresh", load_definition("csfcube"))
    page = open_page(make_member(collection, "Lena", "lead").user)
    page.goto("/collections/fresh/scheme/write/")
    rows = page.locator("[id$=-remove]")
    before = rows.count()
    page.evaluate(
        """document.addEventListener("htmx:afterSwap", () =>
          setTimeout(() => document.getElementsByName("title")[0].focus()), { once: true })"""
    )

    # The new row takes the focus, but only once.
    page.get_by_role("button", name="Add a grade").first.click()
    expect(rows).to_have_count(before + 1)

    expect(page.locator("[name=title]")).to_be_focused()


# --- a pool ---


def test_what_is_ticked_while_a_pool_is_counted_is_counted_next(open_page):
    study = make_study(candidates=3)
    for tag in ("bm25", "e5", "random"):
        run = run_of({"q1_method": ["q1c1", "q1c2", "q1c3"]}, tag=tag)
        add_run(collection=study.collection, run=run, by=study.lena)
    page = open_page(study.lena)
    address = reverse("imports:runs-pool", args=["study"])
    page.goto(address)
    line = Line(page, address, method="POST", most=1)
    boxes = page.locator("[name=run]")
    first, second = [boxes.nth(n).get_attribute("id") for n in range(2)]

    page.locator(f"#{first}").uncheck()
    line.wait_for(1)
    page.locator(f"#{second}").uncheck()
    page.get_by_label("Another depth").fill("2")
    page.keyboard.press("Tab")
    line.let_go()

    expect(page.get_by_text("Depth 2 of 1 run:")).to_be_visible()
    expect(page.locator(f"#{second}")).not_to_be_checked()


# --- rating ---


def first_of_three(open_page):
    """The page of the first pair, and its line, on which the texts of the others wait."""
    study = make_study(candidates=3)
    page = open_page(study.alice)
    line = Line(page, "/texts/")
    page.goto(pair_url(study.seat("alice")))
    line.wait_for(1)
    return page, line


def test_back_from_a_pair_that_is_on_its_way_leads_to_the_one_before(open_page):
    page, line = first_of_three(open_page)

    keys(page, "j")
    expect(page.locator("#mid")).to_contain_text("Loading pair 2")
    page.go_back()

    expect_pair(page, 1)
    line.let_go()
    expect_pair(page, 1)


def test_a_pair_that_is_on_its_way_takes_no_answer(open_page):
    page, line = first_of_three(open_page)

    keys(page, "j", "f", "n", "2")

    expect(page.locator("[name=is_flagged]")).not_to_be_checked()
    expect(page.locator("#note-box")).to_be_hidden()
    assert page.locator("#scale .grade").evaluate_all("all => all.every(({ inert }) => inert)")
    line.let_go()
    expect_pair(page, 2)
    keys(page, "2", "f")
    expect(page.locator("#scale input:checked")).to_have_value("similar")
    expect(page.locator("[name=is_flagged]")).to_be_checked()


def test_what_is_chosen_before_the_script_has_come_stays(open_page):
    study = make_study(candidates=3)
    page = open_page(study.alice)
    line = Line(page, r"/js/rating/main\b")
    page.goto(pair_url(study.seat("alice")), wait_until="commit")
    line.wait_for(1)

    page.locator("#scale .grade").nth(2).click()
    line.let_go()

    expect(page.locator("#mid")).to_contain_text("Chosen earlier, not saved: 2")
    expect(page.locator("#scale input:checked")).to_have_value("similar")
    keys(page, "Enter")
    expect_saved(page)
    assert Rating.objects.get().option.value == 2


def test_the_list_of_last_ratings_does_not_open_over_another_pair(open_page):
    study = make_study(candidates=3)
    page = open_page(study.alice)
    line = Line(page, "/recent/")
    page.goto(pair_url(study.seat("alice")))

    keys(page, "2", "Enter")
    expect_pair(page, 2)
    keys(page, "l")
    line.wait_for(1)
    keys(page, "1", "Enter")
    expect_pair(page, 3)
    line.let_go()

    expect_saved(page)
    expect(page.locator("#recent-dialog")).to_be_hidden()
    keys(page, "l")
    line.wait_for(2)
    line.let_go()
    expect(page.locator("#recent-dialog")).to_be_visible()


def test_a_way_back_found_late_leaves_the_pair_asked_for_meanwhile(open_page):
    study = make_study(candidates=3)
    study.rate("alice", ordered_pairs(study.seat("alice"))[1], 2)
    page = open_page(study.alice)
    line = Line(page, "/recent/")
    page.goto(pair_url(study.seat("alice")))
    page.wait_for_load_state("networkidle")

    keys(page, "u")
    line.wait_for(1)
    keys(page, "j")
    expect_pair(page, 2)
    keys(page, "j")
    expect_pair(page, 3)
    line.let_go()

    expect_pair(page, 3)


def test_whoever_clicks_on_to_the_end_goes_there_once_all_is_sent(open_page):
    study = make_study(candidates=2)
    page = open_page(study.alice)
    page.goto(pair_url(study.seat("alice")))
    page.wait_for_load_state("networkidle")
    line = Line(page, "/1/", method="POST")
    questions = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))

    keys(page, "2", "Enter")
    expect_pair(page, 2)
    line.wait_for(1)
    page.get_by_role("link", name="Next pair").click()
    expect(page.locator("#mid")).to_contain_text("Sending the last ratings")
    line.held.pop().continue_()

    expect(page).to_have_url(re.compile("/hand-in/$"))
    assert questions == []


def test_how_pages_look_is_kept_as_it_was_chosen_last(open_page):
    study = make_study(candidates=2)
    page = open_page(study.alice)
    page.goto(pair_url(study.seat("alice")))
    line = Line(page, reverse("accounts:save-display"), method="POST", most=1)

    keys(page, "w")
    line.wait_for(1)
    keys(page, "w")
    with page.expect_response(lambda answer: answer.request.post_data == "lens=facet") as last:
        line.let_go()

    assert last.value.ok
    study.alice.refresh_from_db()
    assert study.alice.display.get("lens", "facet") == "facet"


# --- parts of pages ---


def test_of_two_filters_the_one_chosen_last_is_shown(open_page, study):
    page = open_page(study.lena)
    page.goto("/collections/study/")
    topics = page.locator("#topics tbody tr")
    expect(topics).to_have_count(2)
    line = Line(page, r"\?state=")

    states = page.locator("#topics .seg a[href^='?state=']").filter(has_text=re.compile(r" 1$"))
    states.filter(has_text="Waiting").click()
    line.wait_for(1)
    states.filter(has_not_text="Waiting").click()
    line.wait_for(2)
    line.let_go()
    line.let_go()

    expect(topics).to_have_count(1)
    expect(topics).not_to_contain_text("Title of q2")


def test_a_choice_made_before_the_answer_to_the_last_one_is_kept(open_page, study):
    page = open_page(study.lena)
    page.goto("/collections/study/agreement/")
    line = Line(page, r"/agreement/\?", most=1)

    page.get_by_label("“Cannot judge”").select_option("drop")
    line.wait_for(1)
    page.get_by_text("Intervals", exact=True).first.click()
    page.locator("#bootstrap").select_option("BCa")
    line.let_go()

    expect(page).to_have_url(re.compile("cannot-judge=drop.*bootstrap=BCa"))


def test_two_seats_of_a_batch_given_at_once_are_both_shown(open_page, study):
    batch = make_batches(collection=study.collection, by=study.lena)[0]
    page = open_page(study.lena)
    page.goto("/collections/study/assign/")
    row = page.locator(f"#batch-{batch.public_id}")
    line = Line(page, "/seats/", method="POST")

    for number, name in [(1, "Eve"), (2, "Bob")]:
        row.get_by_role("combobox", name=f"Annotator for seat {number} ").select_option(label=name)
        row.get_by_role("button", name=f"Assign seat {number} ").click()
        line.wait_for(number)
    line.let_go()
    line.let_go()

    expect(row.locator(".who")).to_contain_text(["Eve", "Bob"])
    held = Seat.objects.filter(batch=batch).order_by("ordinal")
    assert [seat.holder.name for seat in held] == ["Eve", "Bob"]


def test_links_of_sentences_are_saved_one_after_the_other(open_page):
    study = make_aspect_study()
    query = make_aspect_query(study.collection, "1", {"10": [], "11": []}, documents=("d1",))
    page = open_page(study.lena)
    page.goto(f"/queries/{query.public_id}/write/")
    boxes = page.locator("#links input[type=checkbox]:enabled:not(:checked)")
    line = Line(page, "/sentences/", method="POST", most=1)
    given_up = []
    page.on("requestfailed", lambda request: given_up.append(request))
    first, second = [boxes.nth(n).element_handle() for n in range(2)]

    first.check()
    line.wait_for(1)
    second.check()
    with page.expect_response(re.compile("/sentences/")) as last:
        line.let_go()
    page.wait_for_load_state("networkidle")

    assert given_up == []
    assert last.value.ok


def test_a_form_sent_twice_is_sent_once(open_page):
    study = make_aspect_study()
    page = open_page(study.lena)
    page.goto("/collections/aspects/write/new/")
    page.get_by_label("Text", exact=True).fill("Which pipe of an organ is out of tune?")
    page.get_by_role("combobox", name="Type").fill("AI")
    line = Line(page, "/write/new/", method="POST")

    button = page.get_by_role("button", name="Save and write its aspects")
    button.focus()
    keys(page, "Enter")
    line.wait_for(1)
    keys(page, "Enter")
    line.let_go()

    expect(page.locator("h1")).to_have_text("Query 1")
    assert line.seen == 1
    assert study.collection.queries.count() == 2
