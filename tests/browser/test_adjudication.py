"""Deciding disputed pairs in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.actions import decide
from adjudication.models import Decision
from annotation.assigning.actions.batches import lock_topic
from tests.adjudication.conftest import hide_ratings
from tests.browser.retries import stop_retries
from tests.factories.studies import make_member, make_study

pytestmark = pytest.mark.django_db(transaction=True)

QUEUE = "/collections/study/adjudicate/"


@pytest.fixture
def study():
    """Four disputes: 3, 2 and 1 grades apart, then one with "cannot judge"."""
    study = make_study(candidates=4)
    pairs = list(study.batch.pairs.all())
    for pair, alice, bob in zip(pairs, [0, 2, 2, None], [3, 0, 3, 1], strict=True):
        note = "Another task." + " It says so at length." * (20 if pair == pairs[0] else 0)
        study.rate("alice", pair, alice, note=note, active_seconds=19)
        study.rate("bob", pair, bob, note="The same idea.", is_flagged=True, active_seconds=52)
    for name in ["alice", "bob"]:
        study.hand_in(name)
    return study


@pytest.fixture
def pairs(study):
    """In the order of the queue, which here is that of the pool."""
    return list(study.batch.pairs.all())


def address_of(pair):
    return reverse("adjudication:decide-pair", args=[pair.public_id])


def on(page, pair):
    expect(page.locator("#pair")).to_have_attribute("data-id", str(pair.public_id))
    page.wait_for_load_state()  # with it the script


def all_saved(page):
    expect(page.locator("#sync")).to_have_attribute("data-state", "saved")


def decisions():
    standing = Decision.objects.filter(superseded_at=None).order_by("pair__position")
    return [
        (d.option.key if d.option else "out", d.rationale or d.exclusion_reason) for d in standing
    ]


def test_a_topic_is_decided_by_keyboard_alone(open_page, study, pairs):
    page = open_page(study.carol)
    page.goto(QUEUE)
    page.get_by_role("button", name="Open").focus()
    page.keyboard.press("Enter")
    on(page, pairs[0])

    page.keyboard.press("3")
    page.keyboard.press("Enter")
    on(page, pairs[1])
    expect(page.locator("#said")).to_have_text("Pair 1: 3 · Near-identical.")

    page.keyboard.press("0")
    page.keyboard.press("y")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    on(page, pairs[2])

    page.keyboard.press("x")
    page.keyboard.press("n")
    page.keyboard.type("The text is cut off.")
    page.keyboard.press("Control+Enter")
    on(page, pairs[3])

    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing is left to decide")).to_be_visible()
    assert decisions() == [
        ("identical", ""),
        ("irrelevant", ""),
        ("out", "The text is cut off."),
        ("related", ""),
    ]
    assert Decision.objects.get(pair=pairs[1]).cause == "different_aspect"


def test_a_grade_nobody_gave_asks_for_a_reason_before_it_is_sent(open_page, study, pairs):
    page = open_page(study.carol)
    sent = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto(address_of(pairs[0]))
    # A long note shows its beginning, so that the next rater stays in sight.
    more, note = page.get_by_role("button", name="More"), page.locator(".said-by q.whole")
    expect(more).to_have_count(1)
    more.press("Enter")
    expect(note).to_contain_text("Another task.")
    page.get_by_role("button", name="Less").press("Enter")
    expect(note).to_have_count(0)

    page.keyboard.press("1")
    expect(page.locator("#said")).to_have_text("No annotator gave this grade: say why.")
    page.keyboard.press("Enter")
    expect(page.locator("#reason")).to_be_focused()
    assert "POST" not in sent

    page.keyboard.type("Both overlooked the last sentence.")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    on(page, pairs[1])
    all_saved(page)
    assert decisions() == [("related", "Both overlooked the last sentence.")]


def test_a_decision_is_changed_with_u(open_page, study, pairs):
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    on(page, pairs[1])
    all_saved(page)

    page.keyboard.press("u")
    on(page, pairs[0])
    expect(page.locator(".stands")).to_contain_text("You decided 3 · Near-identical")
    page.keyboard.press("0")
    page.keyboard.press("Enter")

    on(page, pairs[1])
    all_saved(page)
    assert decisions() == [("irrelevant", "")]
    assert Decision.objects.count() == 2


def test_moving_about_saves_nothing_and_keeps_what_was_begun(open_page, study, pairs):
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))
    page.keyboard.press("1")
    page.keyboard.press("n")
    page.keyboard.type("Half a thought")
    page.keyboard.press("Escape")

    page.keyboard.press("j")
    on(page, pairs[1])
    page.keyboard.press("k")
    on(page, pairs[0])

    expect(page.locator("#reason")).to_have_value("Half a thought")
    expect(page.locator("input[value=related]")).to_be_checked()
    assert Decision.objects.count() == 0


def test_each_pair_costs_one_request_once_under_way_and_moves_nothing(open_page, study, pairs):
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))
    page.wait_for_load_state("networkidle")
    requests = []
    page.on("request", lambda request: requests.append((request.method, request.url)))
    steady = page.locator(".strip, .pane, .choose .row")
    boxes = "all => all.map(e => JSON.stringify(e.getBoundingClientRect()))"
    before = steady.evaluate_all(boxes)

    for key, following in [("3", pairs[1]), ("0", pairs[2])]:
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        on(page, following)
        all_saved(page)
        assert steady.evaluate_all(boxes) == before
    expect(page).to_have_title("3 of 4 · Adjudicate · Study · Facetwise")
    page.wait_for_load_state("networkidle")

    methods = [method for method, url in requests if "/static/" not in url]
    assert methods == ["POST", "POST"]


def test_a_decision_is_kept_while_the_network_is_gone_and_sent_after(
    open_page, assert_accessible, study, pairs
):
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)

    page.keyboard.press("3")
    page.keyboard.press("Enter")
    on(page, pairs[1])
    expect(page.locator("#sync")).to_contain_text("1 to send")
    expect(page.locator("#unsent")).to_contain_text("1 decision is kept on this device")
    assert_accessible(page)
    assert Decision.objects.count() == 0

    page.context.set_offline(False)
    all_saved(page)
    expect(page.locator("#unsent")).to_be_hidden()
    assert decisions() == [("identical", "")]


@pytest.mark.full
def test_a_lost_answer_is_asked_for_again_and_stays_one_decision(open_page, study, pairs):
    page = open_page(study.carol)
    lost = []

    def lose_the_first_answer(route):
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.route("**/adjudicate/*/", lose_the_first_answer)
    page.goto(address_of(pairs[0]))
    stop_retries(page)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.locator("#sync")).to_contain_text("1 to send")

    page.get_by_role("button", name="Try now").click()

    all_saved(page)
    assert lost == [200]
    assert Decision.objects.count() == 1


def test_what_is_not_sent_is_asked_about_at_signing_out_and_survives_a_reload(
    open_page, study, pairs
):
    page = open_page(study.carol)
    page.route(
        "**/adjudicate/*/",
        lambda route: route.abort() if route.request.method == "POST" else route.continue_(),
    )
    page.goto(address_of(pairs[0]))
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.locator("#sync")).to_contain_text("1 to send")
    messages = []

    def stay(dialog):
        messages.append(dialog.message)
        dialog.dismiss()

    page.once("dialog", stay)
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("button", name="Sign out").click()
    assert "Not sent yet: 1 of your ratings and decisions" in messages[0]

    page.unroute("**/adjudicate/*/")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()

    all_saved(page)
    assert decisions() == [("identical", "")]


def test_a_decision_that_came_second_is_reported_and_can_be_discarded(open_page, study, pairs):
    dora = make_member(study.collection, "Dora", "adjudicator")
    page = open_page(dora.user)
    page.goto(address_of(pairs[0]))
    decide(pair=pairs[0], by=study.carol, save_id=pairs[0].public_id, option=study.option(3))

    page.keyboard.press("0")
    page.keyboard.press("Enter")

    on(page, pairs[1])
    refused = page.get_by_role("dialog", name="Not saved")
    expect(refused).to_contain_text("Pair 1: ")
    expect(refused).to_contain_text("0 · Irrelevant")
    expect(refused).to_contain_text("decided meanwhile")
    refused.get_by_role("button", name="Go to the pair").click()
    expect(page.get_by_role("heading", name="Not saved")).to_be_visible()
    page.get_by_role("link", name="Next pair").click()
    on(page, pairs[1])
    assert decisions() == [("identical", "")]


def test_two_tabs_show_both_versions(open_page, study, pairs):
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))
    decide(pair=pairs[0], by=study.carol, save_id=pairs[0].public_id, option=study.option(3))

    page.keyboard.press("0")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Go to the pair").click()

    expect(page.get_by_text("What stands now is 3 · Near-identical")).to_be_visible()
    expect(page.locator("input[value=irrelevant]")).to_be_checked()
    page.get_by_role("button", name="Save and next").click()
    on(page, pairs[1])
    all_saved(page)
    assert decisions() == [("irrelevant", "")]


@pytest.mark.full
def test_signed_out_meanwhile_nothing_is_lost(open_page, study, pairs):
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))
    page.wait_for_load_state("networkidle")
    cookies = page.context.cookies()
    page.context.clear_cookies()

    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.locator("#expired-dialog")).to_be_visible()

    page.context.add_cookies(cookies)
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    all_saved(page)
    expect(page.locator("#expired-dialog")).to_be_hidden()
    assert decisions() == [("identical", "")]


@pytest.mark.full
def test_somebody_else_signed_in_does_not_send_what_is_kept(open_page, study, pairs):
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))
    page.wait_for_load_state("networkidle")
    carols = page.context.cookies()
    others = open_page(study.alice).context.cookies()
    page.context.clear_cookies()
    page.context.add_cookies(others)

    page.keyboard.press("3")
    page.keyboard.press("Enter")
    held = page.get_by_role("dialog", name="Not saved")
    expect(held).to_contain_text("or somebody else is signed in")
    assert Decision.objects.count() == 0

    page.context.clear_cookies()
    page.context.add_cookies(carols)
    held.get_by_role("button", name="Try again").click()
    all_saved(page)
    expect(held).to_be_hidden()
    assert decisions() == [("identical", "")]


def test_a_key_alone_saves_in_one_key_mode(open_page, study, pairs):
    study.carol.one_key_mode = True
    study.carol.save(update_fields=["one_key_mode"])
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))

    page.keyboard.press("1")  # given by nobody, so it waits for its reason
    page.keyboard.press("3")

    on(page, pairs[1])
    all_saved(page)
    assert decisions() == [("identical", "")]


def test_hidden_ratings_appear_after_ones_own_grade(open_page, assert_accessible, study, pairs):
    hide_ratings(study)
    page = open_page(study.carol)
    page.goto(address_of(pairs[0]))
    expect(page.get_by_text("Ratings hidden")).to_be_visible()
    assert "Another task." not in page.content()
    assert_accessible(page)

    page.context.set_offline(True)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("You are offline. Your grade is kept here")
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Three grades apart")).to_be_focused()
    page.wait_for_load_state()  # a key before the script runs is nobody's
    page.keyboard.press("3")
    page.keyboard.press("Enter")

    on(page, pairs[1])
    all_saved(page)
    assert decisions() == [("identical", "")]


def test_a_first_grade_that_the_server_could_not_take_is_offered_again(open_page, study, pairs):
    hide_ratings(study)
    page = open_page(study.carol)

    def refuse_posts(route):
        if route.request.method == "POST":
            route.fulfill(status=503, headers={"Retry-After": "5"}, body="Not right now.")
        else:
            route.fallback()

    page.route("**/adjudicate/*/", refuse_posts)
    page.goto(address_of(pairs[0]))
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Not right now.")).to_be_visible()

    page.unroute("**/adjudicate/*/", refuse_posts)
    page.goto(address_of(pairs[0]))
    expect(page.locator("input[name=option]:checked")).to_have_value("similar")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Three grades apart")).to_be_visible()


def test_everything_works_without_script(open_page, study, pairs):
    page = open_page(study.carol, java_script_enabled=False)
    page.goto(QUEUE)
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Related").check()
    page.get_by_role("button", name="Save and next").click()
    assert "No annotator gave this grade" in page.locator("#reason-error").inner_text()

    page.get_by_label("Reason").fill("Both overlooked a sentence.")
    page.get_by_role("radio", name="Looked at different aspects").check()
    page.get_by_role("button", name="Save and next").click()

    on(page, pairs[1])
    page.get_by_role("link", name="Guidelines").click()
    expect(page.get_by_role("heading", name="How to judge a pair")).to_be_visible()
    page.get_by_role("link", name="Back to the pair").click()
    page.get_by_role("link", name="Previous pair").click()
    on(page, pairs[0])
    expect(page.locator("#reason")).to_have_value("Both overlooked a sentence.")
    assert decisions() == [("related", "Both overlooked a sentence.")]


def test_every_state_is_accessible_and_fits(open_page, assert_accessible_and_fits, study, pairs):
    page = open_page(study.carol)

    def check():
        assert_accessible_and_fits(page)

    page.goto(QUEUE)
    check()
    page.goto(address_of(pairs[0]))
    page.keyboard.press("1")
    page.locator("button[popovertarget=places]").click()
    check()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    check()
    page.keyboard.press("Escape")
    page.goto(address_of(pairs[3]))
    check()

    for pair, value in zip(pairs, [3, 0, 2, 1], strict=True):
        answer = {"option": study.option(value), "rationale": "Both say so."}
        decide(pair=pair, by=study.carol, save_id=pair.public_id, **answer)
    page.goto(QUEUE)
    check()
    page.goto(address_of(pairs[0]))
    check()
    lock_topic(topic=study.topics[0], by=study.lena)
    page.reload()
    expect(page.get_by_text("Lena locked this topic")).to_be_visible()
    expect(page.locator("[data-panel=reason-box] .dot")).to_be_visible()  # there is one to read
    check()


def test_a_page_at_400_percent_scrolls_as_one(open_page, assert_accessible, study, pairs):
    page = open_page(study.carol, viewport={"width": 320, "height": 256})
    page.goto(address_of(pairs[0]))

    assert page.evaluate("document.documentElement.scrollWidth") == 320
    panes = page.locator(".pane").evaluate_all(
        "all => all.map(p => p.scrollHeight > p.clientHeight)"
    )
    assert panes == [False, False, False]
    assert page.locator(".choose").evaluate("acts => getComputedStyle(acts).position") == "static"
    buttons = page.locator("button:visible").evaluate_all(
        "all => all.map(button => button.getBoundingClientRect().right)"
    )
    assert max(buttons) <= 320
    assert_accessible(page)


def test_guidelines_are_printed_without_the_way_back(open_page, study, pairs):
    page = open_page(study.carol)
    page.goto(reverse("adjudication:guidelines", args=[pairs[0].public_id]))
    back = page.get_by_role("link", name="Back to the pair")

    expect(back).to_be_visible()
    page.emulate_media(media="print")
    expect(back).to_be_hidden()
    expect(page.get_by_role("heading", name="Guidelines")).to_be_visible()


@pytest.mark.parametrize("width", [1024, 768, 320])
def test_no_button_runs_off_the_edge_where_text_alone_is_enlarged(open_page, study, pairs, width):
    page = open_page(study.carol, viewport={"width": width, "height": 800})
    page.goto(address_of(pairs[0]))
    page.evaluate("document.documentElement.style.fontSize = '200%'")

    beyond = page.locator(":is(button, a, .pick .name, .pick .by):visible").evaluate_all(
        """all => all
             .filter(part => !part.closest(".seg, .clip"))  // which scroll, or end in an ellipsis
             .filter(part => part.getBoundingClientRect().right > innerWidth
                          || part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1)
             .map(part => part.innerText)"""
    )
    assert beyond == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_boundary_is_taken_in_sequence_by_keyboard_alone(open_page):
    study = make_study(facets=["background", "method"], candidates=2)
    for batch in study.collection.batches.all():
        study.finish(alice=[0, 2], bob=[1, 3], batch=batch)
    wide = [topic.pairs.order_by("position")[1] for topic in study.topics]
    page = open_page(study.carol)
    page.goto(QUEUE)

    page.get_by_label("Boundary").select_option("2,3")
    page.get_by_role("button", name="Take them in sequence").press("Enter")
    on(page, wide[0])
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    on(page, wide[1])
    page.keyboard.press("2")
    page.keyboard.press("Enter")

    expect(page.get_by_text("Nothing of this kind waits for a decision now.")).to_be_visible()
    assert decisions() == [("identical", ""), ("similar", "")]
