"""Texts are fetched a dozen at a time before they are needed, and saves go apart from them."""

import re

import pytest
from playwright.sync_api import expect

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import set_way
from annotation.models import Rating
from annotation.reading.order import walked_rows
from annotation.schemes.actions import edit_wording
from tests.browser.test_workbench import expect_pair, expect_saved, pair_url, press, values
from tests.factories.studies import make_aspect_study, make_member, make_study, ordered_pairs

TITLE = "#candidate .doc-title"


@pytest.fixture
def open_seat(open_page):
    """`open_seat(study)`: Alice's workbench; what is fetched ahead has arrived."""

    def opened(study):
        page = open_page(study.alice)
        page.requests = []
        page.on("request", lambda request: page.requests.append(request))
        page.goto(pair_url(study.seat("alice")))
        page.wait_for_load_state("networkidle")
        return page

    return opened


def fetched(page):
    return [request.url for request in page.requests if "/texts/" in request.url]


def test_a_dozen_pairs_are_rated_without_a_connection_and_the_next_waits_for_it(
    transactional_db, open_seat
):
    study = make_study(candidates=16)
    titles = [pair.document.title for pair in ordered_pairs(study.seat("alice"))]
    page = open_seat(study)
    page.context.set_offline(True)

    for number in range(1, 13):
        expect(page.locator(TITLE)).to_have_text(titles[number - 1])
        press(page, "1", "Enter")
        expect_pair(page, number + 1)

    expect(page.locator(TITLE)).to_have_text(titles[12])
    expect(page.locator("#sync")).to_have_text("12 to send")
    expect(page.locator("#unsent")).to_contain_text("You are offline. 12 ratings are kept")
    press(page, "1", "Enter")
    expect(page.locator("#pair")).to_have_attribute("data-loading", "")
    assert not Rating.objects.exists()
    page.context.set_offline(False)
    expect_pair(page, 14)
    expect_saved(page)
    expect(page.locator("#tally")).to_have_text("13 done")
    assert values(study) == [1] * 13 + [""] * 3


def test_one_request_brings_a_dozen_pairs_and_a_save_none(transactional_db, open_seat):
    study = make_study(candidates=30)
    page = open_seat(study)
    assert [url.count("at=") for url in fetched(page)] == [12]

    for number in range(1, 14):
        press(page, "2", "Enter")
        expect_pair(page, number + 1)
    expect_saved(page)
    page.wait_for_load_state("networkidle")

    assert [url.count("at=") for url in fetched(page)] == [12, 12, 5]
    answers = [request.response().text() for request in page.requests if request.method == "POST"]
    assert len(answers) == 13
    assert all(re.fullmatch(r'\s*<div id="saved"[^>]*></div>\s*', answer) for answer in answers)


def test_the_tally_counts_what_the_server_has(transactional_db, open_seat):
    study = make_study(candidates=4)
    page = open_seat(study)
    press(page, "2", "Enter")
    expect_saved(page)
    expect(page.locator("#tally")).to_have_text("1 done")
    page.context.set_offline(True)

    press(page, "f", "3", "Enter")
    expect_pair(page, 3)

    expect(page.locator("#tally")).to_have_text("1 done")
    page.context.set_offline(False)
    expect_saved(page)
    expect(page.locator("#tally span")).to_have_text(["2 done", "1 flagged"])


def test_a_change_of_wording_is_shown_after_the_next_save(transactional_db, open_seat):
    study = make_study(candidates=16)
    page = open_seat(study)
    version = study.scheme.current
    version.wording["facets"]["method"]["question"] = "Asked anew?"
    edit_wording(
        scheme=study.scheme,
        wording=version.wording,
        guidelines=version.guidelines,
        change_note="",
        by=study.lena,
    )

    press(page, "2", "Enter")

    expect(page.locator("#scale legend")).to_have_text("Asked anew?")
    expect_pair(page, 2)
    expect(page.locator("#mid")).to_have_text("Definitions or guidelines were changed meanwhile")
    press(page, "1", "Enter")
    expect_pair(page, 3)
    expect_saved(page)
    expect(page.locator("#scale legend")).to_have_text("Asked anew?")
    versions = Rating.objects.order_by("pk").values_list("scheme_version__number", flat=True)
    assert list(versions) == [1, 2]


def test_a_change_of_way_is_walked_after_the_next_save(transactional_db, open_seat):
    study = make_aspect_study(in_one_batch=True)
    page = open_seat(study)
    set_way(batch=study.batch, way="document", by=study.lena)

    press(page, "a", "Enter")

    expect(page.locator("#candidate .eyebrow")).to_contain_text("of 3")  # counts abstracts now
    expect_saved(page)
    seat = study.seat("alice")
    order = [row["position"] for row in walked_rows(seat)]
    ticks = page.locator("#strip .ticks a").evaluate_all(
        "links => links.map(link => Number(link.dataset.position))"
    )
    assert ticks == order
    assert Rating.objects.get().pair == ordered_pairs(seat)[0]


def test_after_a_reassignment_nothing_more_is_saved_or_fetched(transactional_db, open_seat):
    study = make_study(candidates=25)
    page = open_seat(study)
    erin = make_member(study.collection, "Erin", "annotator")
    assign_seat(seat=study.seat("alice"), member=erin, by=study.lena)

    press(page, "2", "Enter")

    expect(page.locator("#refused-dialog")).to_contain_text("A lead took it back")
    assert not Rating.objects.exists()


def test_what_is_typed_survives_when_the_page_is_loaded_anew(transactional_db, open_seat):
    study = make_study(candidates=16)
    page = open_seat(study)
    waiting = []
    page.route(
        "**/seats/*/1/",
        lambda route: waiting.append(route) if route.request.method == "POST" else route.fallback(),
    )
    press(page, "2", "Enter")
    expect_pair(page, 2)
    press(page, "n")
    page.keyboard.type("half a thought")
    version = study.scheme.current
    version.wording["facets"]["method"]["question"] = "Asked anew?"
    edit_wording(
        scheme=study.scheme, wording=version.wording, guidelines="", change_note="", by=study.lena
    )

    expect(page.locator("#sync")).to_have_text("Saving…")
    waiting[0].continue_()

    expect(page.locator("#scale legend")).to_have_text("Asked anew?")
    expect(page.locator("#note")).to_have_value("half a thought")
