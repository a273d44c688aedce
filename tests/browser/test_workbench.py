"""The annotator's workbench in a real browser."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from annotation.assigning.actions.assign import hand_in, return_seat
from annotation.models import Rating, RatingRevision
from tests.browser.retries import stop_retries
from tests.factories.studies import make_study, make_topic, ordered_pairs, put_in_batch

LOOKS = [pytest.param(1440, "light", marks=pytest.mark.full), (390, "dark")]


@pytest.fixture
def study(transactional_db):
    return make_study(candidates=4)


@pytest.fixture
def open_seat(open_page, study):
    """`open_seat(position)`: Alice's workbench at a position, its script running."""

    def opened(position=1, **options):
        page = open_page(study.alice, **options)
        page.goto(pair_url(study.seat("alice"), position))
        # What is fetched ahead has arrived, so that no key meets a page still on its way.
        page.wait_for_load_state("networkidle")
        return page

    return opened


def pair_url(seat, position=1):
    return reverse("annotation:rate-pair", args=[seat.public_id, position])


def expect_pair(page, position):
    expect(page.locator("#where")).to_have_text(str(position))
    expect(page.locator("#pair")).to_have_attribute("data-position", str(position))
    expect(page.locator("#pair")).not_to_have_attribute("data-loading", "")


def expect_saved(page):
    expect(page.locator("#sync")).to_have_text("All saved")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def values(study, name="alice"):
    """The holder's ratings in their own order: values, None for "cannot judge", "" for none."""
    seat = study.seat(name)
    ratings = {rating.pair_id: rating for rating in seat.ratings.select_related("option")}
    return [
        "" if pair.pk not in ratings else (o := ratings[pair.pk].option) and int(o.value)
        for pair in ordered_pairs(seat)
    ]


def fail_saves(page, *, after_commit, times):
    """Lose the first `times` answers to a save, or the saves themselves."""
    lost = []

    def handle(route):
        if route.request.method != "POST" or len(lost) >= times:
            route.fallback()
            return
        lost.append(route.request.post_data)
        if after_commit:
            route.fetch()
        route.abort()

    page.route("**/seats/**", handle)
    return lost


# --- rating ---


def test_a_batch_is_rated_and_handed_in_by_keyboard_alone(study, open_seat):
    page = open_seat()

    for position, key in enumerate("012", start=1):
        expect_pair(page, position)
        press(page, key, "Enter")
    expect_pair(page, 4)
    press(page, "s", "Space", "Enter")

    expect(page).to_have_url(re.compile(r"/hand-in/$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("All 4 pairs have an answer")
    assert values(study) == [0, 1, 2, None]
    page.get_by_role("button", name="Hand in 4 pairs").focus()
    press(page, "Enter", "Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Handed in")
    assert study.seat("alice").handed_in_at is not None


def test_a_choice_is_one_rating_however_often_it_is_sent_and_no_choice_is_none(study, open_seat):
    page = open_seat()

    press(page, "Enter")
    expect_pair(page, 1)
    press(page, "s", "Enter")
    expect(page.locator("#mid")).to_contain_text("choose a reason")
    expect_pair(page, 1)
    assert not Rating.objects.exists()

    press(page, "Escape")
    expect(page.locator("#mid")).to_contain_text("Press 0")
    press(page, "2", "n", "Escape")
    expect(page.locator("#mid")).to_contain_text("2 · Similar Enter saves")
    press(page, "Enter", "Enter")
    expect_pair(page, 2)
    page.locator("#scale .grade").nth(3).dblclick()
    expect_pair(page, 3)
    expect_saved(page)
    assert values(study) == [2, 3, "", ""]
    assert RatingRevision.objects.count() == 2

    # What was chosen earlier for the next pair is not saved by the rest of a double click.
    press(page, "j", "0", "k", "1")
    page.get_by_role("button", name="Save and next").dblclick()
    expect_pair(page, 4)
    expect_saved(page)
    expect(page.locator("#mid")).not_to_contain_text("Pair 4")
    assert values(study) == [2, 3, 1, ""]


def test_a_changed_rating_is_a_new_version_and_an_unchanged_one_is_not(study, open_seat):
    page = open_seat()
    press(page, "2", "Enter")
    expect_pair(page, 2)

    press(page, "u")
    expect_pair(page, 1)
    press(page, "Enter")
    expect_pair(page, 2)
    press(page, "u", "3", "Enter")
    expect_pair(page, 2)
    expect_saved(page)

    rating = Rating.objects.get()
    assert (rating.version, rating.option.value) == (2, 3)


def test_one_key_mode_saves_with_the_grade(study, open_seat):
    study.alice.one_key_mode = True
    study.alice.save()
    page = open_seat()

    press(page, "3")
    expect_pair(page, 2)
    press(page, "1")

    expect_pair(page, 3)
    expect_saved(page)
    assert values(study) == [3, 1, "", ""]


def test_shortcuts_follow_the_personal_setting(study, open_seat):
    page = open_seat()
    chosen = page.locator("#scale input:checked")

    settings = [("plain", "Alt+2", "2"), ("alt", "2", "Alt+2"), ("off", "2", None)]
    for position, (shortcuts, dead, alive) in enumerate(settings, start=2):
        study.alice.shortcuts = shortcuts
        study.alice.save()
        page.goto(pair_url(study.seat("alice"), position))
        page.wait_for_load_state("networkidle")
        press(page, dead)
        expect(chosen).to_have_count(0)
        if alive:
            press(page, alive)
            expect(chosen).to_have_value("similar")


def test_keys_are_dead_while_typing_and_in_dialogs(study, open_seat):
    page = open_seat()

    press(page, "n")
    expect(page.locator("#note")).to_be_focused()
    page.keyboard.type("2 j f")
    press(page, "Escape", "?", "2", "j", "Escape")

    expect_pair(page, 1)
    expect(page.locator("#note-box")).to_be_hidden()
    expect(page.locator("#note")).to_have_value("2 j f")
    expect(page.locator("#scale input:checked")).to_have_count(0)
    press(page, "1", "n", "Control+Enter")
    expect_saved(page)
    assert Rating.objects.get().note == "2 j f"


def test_every_key_does_its_work(study, open_seat):
    page = open_seat()

    expect(page.get_by_role("radio").first).to_have_accessible_name(re.compile("^0 Irrelevant"))
    press(page, "f")
    expect(page.locator("[name=is_flagged]")).to_be_checked()
    press(page, "g")
    expect(page.locator("#guide")).to_be_visible()
    press(page, "Escape", "h")
    expect(page.locator("#bench")).to_have_attribute("data-facets", "")
    press(page, "h")
    expect(page.locator("#bench")).not_to_have_attribute("data-facets", "")
    press(page, "j")
    expect_pair(page, 2)
    press(page, "k")
    expect_pair(page, 1)
    press(page, "?")
    expect(page.locator("#keys")).to_be_visible()
    press(page, "Escape", "s")
    expect(page.locator("#reasons")).to_be_visible()
    press(page, "Escape")
    expect(page.locator("#reasons")).to_be_hidden()
    press(page, "3", "ArrowRight")  # within the scale, not to the reasons
    expect(page.locator("#rating [name=answer]:checked")).to_have_value("irrelevant")

    assert not Rating.objects.exists()


def test_a_reason_is_written_in_own_words_and_no_key_of_a_grade_is_one(study, open_seat):
    page = open_seat()

    press(page, "s", "1", "Enter")
    expect(page.locator("#reasons")).to_be_visible()
    expect(page.locator("#rating [name=answer]:checked")).to_have_count(0)
    expect(page.locator("#mid")).to_contain_text("choose a reason")
    press(page, "Escape", "1", "Enter")
    expect_pair(page, 2)
    press(page, "s")
    page.locator("#own-reason").fill("It is a poster without an abstract.")
    press(page, "Enter")

    expect_pair(page, 3)
    expect_saved(page)
    assert values(study) == [1, None, "", ""]
    assert Rating.objects.get(option=None).cannot_judge == "It is a poster without an abstract."
    expect(page.locator("#strip .ticks a").nth(1)).to_have_accessible_name("Pair 2, cannot judge")


def test_the_strip_and_back_and_forward_lead_to_pairs_and_show_no_grade(study, open_seat):
    page = open_seat()
    press(page, "3", "Enter")
    expect_saved(page)

    page.locator("#strip .ticks a").nth(3).click()
    expect_pair(page, 4)
    expect(page).to_have_title("Pair 4 of 4 · Study · Facetwise")
    page.locator("#strip .ticks a").nth(3).focus()
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter")

    expect_pair(page, 1)
    expect(page).to_have_url(re.compile(r"/1/$"))
    names = page.locator("#strip .ticks a").evaluate_all("all => all.map(a => a.ariaLabel)")
    assert names == ["Pair 1, rated", *(f"Pair {n}, not rated" for n in (2, 3, 4))]
    assert page.locator("#strip").inner_html().count("identical") == 0
    page.go_back()
    expect_pair(page, 4)
    page.go_forward()
    expect_pair(page, 1)


def test_texts_stay_in_sight_where_text_alone_is_enlarged(study, open_seat):
    page = open_seat()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate("document.documentElement.style.fontSize = '200%'")

    heights = page.locator(".pane").evaluate_all("all => all.map(pane => pane.offsetHeight)")

    assert min(heights) > 200  # the page scrolls to the dock instead


def test_a_batch_of_two_topics_changes_query_scale_and_guidelines(open_page, transactional_db):
    study = make_study(candidates=1)
    other = make_topic(study.collection, query_id="q2", facet="result", candidates=2)
    put_in_batch(study, other.pairs.all(), study.batch)
    page = open_page(study.alice)
    page.goto(pair_url(study.seat("alice")))
    expect(page.locator(".query .doc-title")).to_have_text("Title of q1")

    press(page, "2", "Enter")

    expect_pair(page, 2)
    expect(page.locator(".query .doc-title")).to_have_text("Title of q2")
    expect(page.locator(".query .chip")).to_have_text("Facet: Result")
    expect(page.locator("#scale legend")).to_contain_text("finds")
    press(page, "g")
    expect(page.locator("#guide")).to_contain_text("The same finding.")


# --- nothing is lost ---


def test_an_answer_lost_after_the_commit_is_asked_for_again(study, open_seat):
    page = open_seat()
    lost = fail_saves(page, after_commit=True, times=1)

    press(page, "2", "Enter")

    expect_pair(page, 2)
    expect_saved(page)
    assert len(lost) == 1
    assert RatingRevision.objects.count() == 1


@pytest.mark.full
def test_a_save_lost_before_the_commit_is_sent_again(study, open_seat):
    page = open_seat()
    stop_retries(page)
    fail_saves(page, after_commit=False, times=1)

    press(page, "2", "Enter")

    expect(page.locator("#unsent")).to_contain_text("1 rating is kept on this device")
    assert not Rating.objects.exists()
    page.get_by_role("button", name="Try now").click()
    expect_saved(page)
    expect(page.locator("#unsent")).to_be_hidden()
    assert values(study) == [2, "", "", ""]


@pytest.mark.full
def test_a_server_without_room_says_when_it_wants_to_be_asked_again(study, open_seat):
    page = open_seat()
    refused = []

    def refuse_once(route):
        if route.request.method != "POST" or refused:
            route.fallback()
            return
        refused.append(route.request.post_data)
        route.fulfill(
            status=503,
            headers={"Retry-After": "3", "Content-Type": "text/plain; charset=utf-8"},
            body="The disk of the server is full, so nothing can be stored right now.",
        )

    page.route("**/seats/**", refuse_once)
    page.evaluate(
        """() => {
          const setTimeout = window.setTimeout;
          window.setTimeout = (call, delay) => {
            if (delay !== 3000) return setTimeout(call, delay);
            window.sendAgain = call;
            return 0;
          };
        }"""
    )

    press(page, "2", "Enter")
    expect_pair(page, 2)
    expect(page.locator("#unsent")).to_contain_text(
        "The disk of the server is full, so nothing can be stored right now. 1 rating is kept"
    )

    page.evaluate("sendAgain()")  # as the timer does after three seconds
    expect_saved(page)
    expect(page.locator("#unsent")).to_be_hidden()
    assert values(study) == [2, "", "", ""]


@pytest.mark.full
def test_an_answer_that_does_not_name_the_rating_is_not_taken_for_saved(study, open_seat):
    """A captive portal answers 200 to everything."""
    page = open_seat()
    page.route(
        "**/seats/**",
        lambda route: (
            route.fulfill(status=200, body="<h1>Welcome to the hotel</h1>")
            if route.request.method == "POST"
            else route.fallback()
        ),
    )

    press(page, "2", "Enter")

    expect(page.locator("#sync")).to_have_text("1 to send")


@pytest.mark.full
def test_a_slow_save_is_shown_as_saving(study, open_seat):
    page = open_seat()
    waiting = []
    page.route(
        "**/seats/**",
        lambda route: waiting.append(route) if route.request.method == "POST" else route.fallback(),
    )

    press(page, "2", "Enter")

    expect(page.locator("#sync")).to_have_text("Saving…")
    waiting[0].continue_()
    expect_saved(page)


@pytest.mark.full
def test_ratings_made_offline_are_sent_when_the_network_is_back(study, open_seat):
    page = open_seat()
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)

    press(page, "1", "Enter", "2", "Enter")

    expect_pair(page, 3)
    expect(page.locator("#sync")).to_have_text("2 to send")
    expect(page.locator("#unsent")).to_contain_text("You are offline. 2 ratings are kept")
    assert not Rating.objects.exists()
    page.context.set_offline(False)
    expect_saved(page)
    assert values(study) == [1, 2, "", ""]


def test_unsent_ratings_survive_a_reload(study, open_seat):
    page = open_seat()
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    fail_saves(page, after_commit=False, times=100)
    press(page, "2", "Enter")
    expect(page.locator("#sync")).to_have_text("1 to send")

    page.reload()

    expect(page.locator("#sync")).to_have_text("1 to send")
    expect(page.locator("#strip .ticks a").first).to_have_class("rated")
    page.unroute("**/seats/**")
    expect_saved(page)
    assert dialogs == ["beforeunload"]
    assert values(study) == [2, "", "", ""]


def test_the_hand_in_page_sends_what_is_left_before_it_counts(study, open_seat):
    for pair in ordered_pairs(study.seat("alice"))[1:]:
        study.rate("alice", pair, 1)
    page = open_seat()
    page.on("dialog", lambda dialog: dialog.accept())
    fail_saves(page, after_commit=False, times=100)  # until the page is left
    press(page, "2", "Enter")
    expect(page.locator("#sync")).to_have_text("1 to send")
    page.unroute("**/seats/**")

    page.goto(study_url("hand-in", study))

    expect(page.get_by_role("heading", level=1)).to_have_text("All 4 pairs have an answer")
    expect(page.get_by_role("button", name="Hand in")).to_be_enabled()
    assert values(study) == [2, 1, 1, 1]


def test_rating_works_where_the_browser_refuses_storage(study, open_page):
    study.rate("alice", ordered_pairs(study.seat("alice"))[1], 1)
    page = open_page(study.alice)
    page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new Error('refused') } })"
    )
    page.goto(pair_url(study.seat("alice")))
    stop_retries(page)
    fail_saves(page, after_commit=False, times=1)

    press(page, "2", "Enter")

    expect(page.locator("#sync")).to_have_text("1 to send")
    page.get_by_role("button", name="Try now").click()
    expect_saved(page)
    assert values(study) == [2, 1, "", ""]
    page.goto(study_url("hand-in", study))
    for box in page.get_by_role("checkbox", name="Compare pair").all():
        box.check()
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**compare=**")


def test_a_choice_and_a_note_that_are_not_saved_survive_a_reload(study, open_seat):
    page = open_seat()
    press(page, "n")
    page.keyboard.type("half a thought")
    press(page, "Escape", "1")

    page.reload()

    expect(page.locator("#scale input:checked")).to_have_value("related")
    expect(page.locator("#note")).to_have_value("half a thought")
    expect(page.locator("#mid")).to_contain_text("not saved")


def test_signing_out_clears_the_device_and_warns_while_something_is_unsent(study, open_seat):
    page = open_seat()
    questions = []
    page.on("dialog", lambda dialog: (questions.append(dialog.message), dialog.accept()))
    fail_saves(page, after_commit=False, times=99)
    press(page, "n")
    expect(page.locator("#note")).to_be_focused()
    page.keyboard.type("private thought")
    press(page, "Escape")
    expect(page.locator("#note")).not_to_be_focused()
    press(page, "2", "Enter")
    expect(page.locator("#sync")).to_have_text("1 to send")

    page.get_by_role("button", name="Your account: Alice").click()
    page.get_by_role("button", name="Sign out").click()

    page.wait_for_url("**/sign-in/**")
    assert "1 of your ratings" in questions[0]
    kept = page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('facetwise.'))")
    assert kept == []


def test_an_ended_sign_in_keeps_the_rating_until_somebody_signs_in_again(study, open_seat):
    page = open_seat()
    page.wait_for_load_state("networkidle")
    stop_retries(page)
    cookies = page.context.cookies()
    page.context.clear_cookies()

    press(page, "2", "Enter")

    expect(page.locator("#expired-dialog")).to_be_visible()
    expect(page.locator("#sync")).to_have_text("1 to send")
    page.context.add_cookies(cookies)
    page.locator("#expired-dialog").get_by_role("button", name="Try now").click()
    expect_saved(page)
    expect(page.locator("#expired-dialog")).to_be_hidden()
    assert values(study) == [2, "", "", ""]


def test_a_rating_is_kept_while_another_person_is_signed_in(study, open_seat, settings):
    page = open_seat()
    page.wait_for_load_state("networkidle")
    name = settings.SESSION_COOKIE_NAME
    [alices] = [cookie for cookie in page.context.cookies() if cookie["name"] == name]
    bob = Client()
    bob.force_login(study.bob)
    page.context.add_cookies([alices | {"value": bob.cookies[name].value}])

    press(page, "2", "Enter")

    dialog = page.locator("#refused-dialog")
    expect(dialog).to_contain_text("Another person may be signed in")
    press(page, "1", "Enter")  # meant for the next pair
    expect(dialog).to_be_visible()
    assert not Rating.objects.exists()
    page.context.add_cookies([alices])
    dialog.get_by_role("button", name="Try again").click()
    expect_saved(page)
    assert values(study) == [2, "", "", ""]


def test_a_new_csrf_token_is_fetched_when_the_old_one_is_refused(study, open_seat):
    """Signing in again in another tab rotates the token."""
    page = open_seat()
    page.wait_for_load_state("networkidle")
    cookies = [cookie for cookie in page.context.cookies() if "csrf" not in cookie["name"]]
    page.context.clear_cookies()
    page.context.add_cookies(cookies)

    press(page, "2", "Enter")

    expect_pair(page, 2)
    expect_saved(page)
    assert values(study) == [2, "", "", ""]


# --- two windows ---


@pytest.mark.parametrize(
    ("button", "version", "value"),
    [
        pytest.param("Keep the stored one", 1, 0, marks=pytest.mark.full),
        ("Use this one", 2, 3),
    ],
)
def test_a_stale_edit_shows_both_versions_and_the_person_picks(
    study, open_seat, button, version, value
):
    page = open_seat()
    page.wait_for_load_state("networkidle")
    study.rate("alice", ordered_pairs(study.seat("alice"))[0], 0, note="from the other window")

    press(page, "3", "Enter")

    dialog = page.locator("#versions-dialog")
    expect(dialog).to_contain_text("0 · Irrelevant")
    expect(dialog).to_contain_text("from the other window")
    expect(dialog).to_contain_text("3 · Near-identical")
    press(page, "1", "Enter")  # meant for the next pair
    expect(dialog).to_be_visible()
    dialog.get_by_text(button).click()
    expect(dialog).to_be_hidden()
    expect_saved(page)
    rating = Rating.objects.get()
    assert (rating.version, rating.option.value) == (version, value)
    press(page, "k")
    expect(page.locator("#scale input:checked")).to_have_value(rating.option.key)


@pytest.mark.full
def test_of_several_unsent_answers_for_a_pair_the_last_meets_the_conflict(study, open_seat):
    """The second one is based on version 1, which by then is the other window's."""
    page = open_seat()
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    press(page, "1", "Enter")
    expect_pair(page, 2)
    press(page, "u")
    expect_pair(page, 1)
    press(page, "3", "Enter")
    expect(page.locator("#sync")).to_have_text("2 to send")
    study.rate("alice", ordered_pairs(study.seat("alice"))[0], 0)

    page.context.set_offline(False)

    dialog = page.locator("#versions-dialog")
    expect(dialog).to_contain_text("3 · Near-identical")
    assert Rating.objects.get().version == 1
    dialog.get_by_text("Use this one").click()
    expect_saved(page)
    assert list(RatingRevision.objects.values_list("version", "option__value")) == [(1, 0), (2, 3)]


def test_a_batch_handed_in_elsewhere_says_so_and_keeps_the_answer(study, open_seat):
    study.rate_all("alice", 1)
    page = open_seat()
    page.wait_for_load_state("networkidle")
    study.hand_in("alice")

    press(page, "3", "Enter")

    dialog = page.locator("#refused-dialog")
    expect(dialog).to_contain_text("This batch is handed in.")
    expect(dialog).to_contain_text("3 · Near-identical")
    dialog.get_by_role("button", name="Go to the pair").click()
    expect(page.locator(".banner.info")).to_contain_text("You handed this batch in")
    expect(page.locator("#scale input:checked")).to_have_value("related")
    assert not Rating.objects.filter(option__value=3).exists()


def test_a_pair_is_open_in_the_strip_again_when_its_refused_answer_is_discarded(study, open_seat):
    page = open_seat()
    refused = '<div id="refused"><p>This grade is not part of the scheme.</p></div>'
    page.route(
        "**/seats/**",
        lambda route: (
            route.fulfill(status=422, content_type="text/html", body=refused)
            if route.request.method == "POST"
            else route.fallback()
        ),
    )
    tick = page.locator("#strip .ticks a").first
    press(page, "2", "Enter")
    dialog = page.locator("#refused-dialog")
    expect(dialog).to_contain_text("This grade is not part of the scheme.")
    expect(tick).to_have_class("rated")

    dialog.get_by_role("button", name="Discard").click()

    expect(tick).to_have_class("open")
    expect_pair(page, 2)


# --- time ---


def test_time_counts_while_visible_and_used_and_adds_up_over_visits(study, open_seat, open_page):
    page = open_page(study.alice)
    page.clock.install()
    page.goto(pair_url(study.seat("alice")))
    page.mouse.move(10, 10)
    page.clock.run_for(30_000)
    page.mouse.move(20, 20)
    page.clock.run_for(600_000)  # idle: 60 seconds count, the rest does not
    press(page, "j")
    expect_pair(page, 2)
    page.clock.run_for(20_000)
    press(page, "k")
    expect_pair(page, 1)
    page.clock.run_for(5_000)

    press(page, "2", "Enter")
    page.clock.run_for(1_000)
    expect_saved(page)

    assert 94 <= Rating.objects.get().active_seconds <= 99


def test_a_break_is_suggested_after_fifty_minutes_of_activity(study, open_page):
    page = open_page(study.alice)
    page.clock.install()
    page.goto(pair_url(study.seat("alice")))

    for minute in range(52):
        page.mouse.move(minute, 50)
        page.clock.run_for(59_000)
    page.mouse.move(99, 99)

    expect(page.locator("#mid")).to_contain_text("a short break")


# --- looks ---


def test_no_box_moves_between_two_pairs(study, open_seat):
    page = open_seat(viewport={"width": 1440, "height": 900})
    page.wait_for_load_state("networkidle")
    boxes = """() => [".topbar", "#strip", ".tally", ".pane.query", ".pane.candidate", ".dock",
        ".query .doc-title", "#candidate .eyebrow", "#candidate .doc-title", "#rating .row",
        "#rating [type=submit]", ...document.querySelectorAll(".grade, .ticks a")]
        .map((at) => typeof at === "string" ? document.querySelector(at) : at)
        .map((at) => { const r = at.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] })
        """
    page.evaluate(
        """() => {
            window.shifts = [];
            new PerformanceObserver((list) => window.shifts.push(...list.getEntries()))
                .observe({ type: "layout-shift" });
        }"""
    )
    before = page.evaluate(boxes)

    for position in (2, 3, 4):
        press(page, "f", "2", "Enter")
        expect_pair(page, position)
        assert page.evaluate(boxes) == before
    expect_saved(page)

    page.context.set_offline(True)
    page.locator("#strip .ticks a").first.click()
    expect_pair(page, 1)
    press(page, "1", "Enter")
    expect(page.locator("#unsent")).to_be_visible()
    assert page.evaluate(boxes) == before
    page.context.set_offline(False)
    expect_saved(page)
    assert page.evaluate("window.shifts.map((entry) => entry.value)") == []


def test_the_workbench_never_scrolls_sideways(open_seat, assert_fits):
    page = open_seat(viewport={"width": 320, "height": 800})

    for step in [None, "s", "n"]:
        if step:
            press(page, "Escape", step)
        page.set_viewport_size({"width": 320, "height": 800})
        assert rightmost(page.locator("button:visible")) <= 320
        assert_fits(page)


@pytest.fixture
def half_grades(transactional_db):
    """Alice's seat under a scale of nine grades, every other of which is not called by its key."""
    options = [
        {"key": f"g{half}", "value": str(half / 2), "name": name, "shortcut": key}
        for half, (key, name) in enumerate(zip("0x1y2z3w4", HALVES, strict=True))
    ]
    words = {option["key"]: "What it means here." for option in options}
    return make_study(
        definition="trec-graded",
        facets=("relevance",),
        options=options,
        definitions={"relevance": words},
    ).seat("alice")


HALVES = ["Irrelevant", "Between 0 and 1", "Marginal", "Between 1 and 2", "Partly relevant",
          "Between 2 and 3", "Relevant", "Between 3 and 4", "Perfectly relevant"]  # fmt: skip
OUTSIDE = """grades => grades.flatMap((grade) => {
    const box = grade.getBoundingClientRect();
    return [...grade.querySelectorAll(".num, .name, .lvl, .def")].filter((part) => {
        const inner = part.getBoundingClientRect();
        const isApart = getComputedStyle(part).position === "absolute";
        const isIn = inner.left >= box.left && inner.right <= box.right + 1;
        return inner.width && !isApart && !(isIn && inner.bottom <= box.bottom + 1);
    }).map((part) => part.textContent);
})"""


def test_nine_grades_and_the_buttons_below_fit(open_page, half_grades):
    page = open_page(half_grades.holder.user)
    page.goto(pair_url(half_grades))
    page.wait_for_load_state("networkidle")

    for width in (1280, 961, 800, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.locator(".grade").evaluate_all(OUTSIDE) == [], width
        assert rightmost(page.locator("button:visible")) <= width


def test_text_of_twice_the_size_pushes_no_button_out(open_seat):
    page = open_seat(viewport={"width": 1440, "height": 900})
    page.evaluate("document.documentElement.style.fontSize = '200%'")

    for width in (1440, 1190, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator(".grade").evaluate_all(OUTSIDE) == [], width
        assert rightmost(page.locator("button:visible, .strip .btn:visible")) <= width


BROKEN = """names => names.flatMap(({ firstChild: text }) =>
    [...text.data.matchAll(/[^ ]+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
    }).map(([word]) => word))"""


def test_on_a_phone_five_grades_keep_their_words_whole(open_page, transactional_db):
    names = ["Contradicts the need", "Nothing", "A hint of it", "Substantial", "Everything"]
    options = [
        {"key": f"g{value}", "value": str(value), "name": name, "shortcut": str(value)}
        for value, name in enumerate(names)
    ]
    words = {"relevance": {option["key"]: "What it means." for option in options}}
    study = make_study(
        definition="trec-graded", facets=("relevance",), options=options, definitions=words
    )

    page = open_page(study.alice, viewport={"width": 390, "height": 844})
    page.goto(pair_url(study.seat("alice")))

    assert page.locator(".grade .name").all_inner_texts() == names
    assert page.locator(".grade .name").evaluate_all(BROKEN) == []


def test_a_long_title_moves_no_question(open_page, transactional_db):
    study = make_study(definition="trec-graded", facets=("relevance",))
    study.collection.queries.update(document=None, text="Which papers study faults?")
    study.collection.documents.update(title="A very long title of a paper. " * 12)

    page = open_page(study.alice, viewport={"width": 1440, "height": 900})
    page.goto(pair_url(study.seat("alice")))

    head = page.locator(".query .doc-title").bounding_box()
    question = page.locator(".query .ask").bounding_box()
    assert question["y"] - (head["y"] + head["height"]) < 60


def rightmost(controls):
    """How far to the right any of them reaches: a pane that clips them hides that they do."""
    return controls.evaluate_all(
        "all => Math.max(...all.map((control) => control.getBoundingClientRect().right))"
    )


def test_every_page_is_accessible_and_fits(study, open_seat, assert_accessible_and_fits):
    page = open_seat()
    assert_accessible_and_fits(page)

    for name in ("hand-in", "guidelines"):
        page.goto(study_url(name, study))
        assert_accessible_and_fits(page)


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_every_state_is_accessible(study, open_seat, assert_accessible, width, theme):
    page = open_seat(viewport={"width": width, "height": 900}, color_scheme=theme)
    page.wait_for_load_state("networkidle")
    press(page, "2", "h", "n")
    assert_accessible(page)
    press(page, "Escape", "s")
    assert_accessible(page)
    press(page, "Escape", "g")
    assert_accessible(page)
    press(page, "Escape", "?")
    assert_accessible(page)
    press(page, "Escape", "Enter")
    expect_saved(page)
    page.context.set_offline(True)
    press(page, "2", "Enter")
    expect(page.locator("#unsent")).to_be_visible()
    assert_accessible(page)


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_every_refusal_is_accessible(study, open_seat, assert_accessible, width, theme):
    page = open_seat(viewport={"width": width, "height": 900}, color_scheme=theme)
    page.wait_for_load_state("networkidle")
    study.rate("alice", ordered_pairs(study.seat("alice"))[0], 0, note="from the other window")
    press(page, "3", "Enter")
    expect(page.locator("#versions-dialog")).to_be_visible()
    assert_accessible(page)
    page.get_by_text("Keep the stored one").click()
    expect_saved(page)
    rating = Rating.objects.get()
    assert (rating.version, rating.option.value) == (1, 0)
    for pair in ordered_pairs(study.seat("alice"))[1:]:
        study.rate("alice", pair, 1)
    hand_in(seat=study.seat("alice"), by=study.alice)
    press(page, "3", "Enter")
    page.locator("#versions-dialog, #refused-dialog").locator("visible=true").wait_for()
    assert_accessible(page)
    for address in (pair_url(study.seat("alice")), study_url("hand-in", study)):
        page.goto(address)
        assert_accessible(page)
    return_seat(seat=study.seat("alice"), by=study.lena, reason="Look at the flags again.")
    for address in (
        pair_url(study.seat("alice")),
        study_url("hand-in", study),
    ):
        page.goto(address)
        assert_accessible(page)


def study_url(name, study):
    return reverse(f"annotation:{name}", args=[study.seat("alice").public_id])


# --- without script ---


def test_the_whole_batch_is_rated_without_script(study, open_page):
    page = open_page(study.alice, java_script_enabled=False)
    page.goto(reverse("annotation:seat", args=[study.seat("alice").public_id]))

    for name in ["0 Irrelevant", "1 Related", "2 Similar"]:
        page.locator("label.grade", has_text=name.split()[1]).click()
        page.get_by_role("button", name="Save and next").click()
    expect(page.locator("#mid")).to_have_text("Pair 3 saved.")
    page.get_by_label("Note for the adjudicator").fill("Only half a page.")
    page.locator("label.flag").click()
    page.get_by_label("Text is cut off").check()
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All 4 pairs have an answer")
    page.get_by_role("button", name="Hand in").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Handed in")
    assert values(study) == [0, 1, 2, None]
    last = Rating.objects.get(option=None)
    assert (last.note, last.is_flagged) == ("Only half a page.", True)
    assert study.seat("alice").handed_in_at is not None
