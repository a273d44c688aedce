"""The rules of a desk on a laptop: what is judged stands in sight, and every number opens."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.assigning.actions.batches import make_batches
from annotation.models import Rating
from datasets.models import Document
from tests.factories.studies import assign_all, make_study

pytestmark = pytest.mark.django_db(transaction=True)

LAPTOPS = [(1440, 760), pytest.param((1024, 768), marks=pytest.mark.full)]
LABELS = ["background_label"] * 8 + ["method_label"] * 8 + ["result_label"] * 2


@pytest.fixture(params=LAPTOPS, ids=lambda size: f"{size[0]}x{size[1]}")
def size(request):
    return request.param


@pytest.fixture
def study():
    """Two pairs under Result; abstracts whose results stand at the end of 18 long sentences."""
    study = make_study(facets=["result"], candidates=2, assign=False)
    long = "It tells at some length how the experiment went, and what it was compared with. "
    sentences = [{"text": f"{number}. {long * 2}", "label": label}
                 for number, label in enumerate(LABELS, 1)]  # fmt: skip
    Document.objects.filter(collection=study.collection).update(sentences=sentences)
    batches = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, batches, ["alice", "bob"])
    return study


def in_sight(page, locator):
    """Whether the whole of it stands inside the window."""
    box, window = locator.bounding_box(), page.viewport_size
    return box["y"] >= 0 and box["y"] + box["height"] <= window["height"]


def at_pair(page, position):
    expect(page.locator("#pair")).to_have_attribute("data-position", str(position))


def test_an_annotator_sees_what_is_judged_and_never_loses_the_shell(open_page, study, size):
    page = open_page(study.alice, viewport={"width": size[0], "height": size[1]})
    seat = study.seat("alice").public_id
    page.goto(reverse("annotation:rate-pair", args=[seat, 1]))
    page.wait_for_load_state("networkidle")
    marked = [page.locator(f".pane.{pane} li.on").first for pane in ("query", "candidate")]
    text = page.locator(".pane.candidate .lens-text")

    assert [in_sight(page, sentence) for sentence in marked] == [True, True]
    assert marked[0].bounding_box()["y"] == pytest.approx(marked[1].bounding_box()["y"], abs=1)
    assert text.bounding_box()["height"] >= 240  # ten lines
    options = page.locator("#scale label").all()
    assert [in_sight(page, option) for option in options] == [True] * 4

    page.keyboard.press("w")
    before = text.evaluate("text => text.scrollTop")
    page.keyboard.press("Space")
    page.wait_for_function(
        "before => document.querySelector('.candidate .lens-text').scrollTop > before", arg=before
    )
    assert page.evaluate("scrollY") == 0
    assert in_sight(page, page.locator(".topbar"))
    page.get_by_role("checkbox", name="Flag").focus()
    before = text.evaluate("text => text.scrollTop")
    page.keyboard.press("PageUp")
    page.wait_for_function(
        "before => document.querySelector('.candidate .lens-text').scrollTop < before", arg=before
    )

    under_way = []
    page.route("**/seats/*/1/", lambda route: under_way.append(route), times=1)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    at_pair(page, 2)
    # Beside the next paper the query stands level again, wherever it was scrolled to.
    assert marked[0].bounding_box()["y"] == pytest.approx(marked[1].bounding_box()["y"], abs=1)
    page.keyboard.press("u")
    at_pair(page, 1)
    page.keyboard.press("l")  # before the server has the save
    while not under_way:
        page.wait_for_timeout(20)
    under_way.pop().continue_()
    expect(page.locator("#recent-body")).to_contain_text("Similar")
    number = page.locator("#recent-body .n").first
    height = number.bounding_box()["height"]
    number.evaluate("number => { number.textContent = '188' }")  # as in a large batch
    assert number.bounding_box()["height"] == height
    page.keyboard.press("Escape")

    at_pair(page, 1)
    page.goto(reverse("annotation:rate-pair", args=[seat, 2]))
    page.wait_for_load_state("networkidle")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    # Handing in: own pairs in columns, two of them side by side, one changed.
    page.wait_for_url("**/hand-in/")
    expect(page.get_by_role("heading", level=1)).to_have_text("All 2 pairs have an answer")
    for box in page.get_by_role("checkbox", name="Compare pair").all():
        assert in_sight(page, box)
        box.check()
    page.keyboard.press("c")
    page.wait_for_url("**compare=**")
    changed = page.locator(".change").nth(1)
    button, pane = page.get_by_role("button", name="Whole text"), page.locator(".cmp > .query")
    ends = [box["x"] + box["width"] for box in (button.bounding_box(), pane.bounding_box())]
    assert ends[0] <= ends[1]
    labels = page.locator(".change label").all()
    assert [in_sight(page, label) for label in labels] == [True] * 8  # four for each
    texts = page.locator(".cmp .candidate .lens-text").all()
    assert [text.bounding_box()["height"] >= 240 for text in texts] == [True] * 2
    changed.get_by_text("Near-identical").click()
    expect(page.locator(".cmp .candidate").nth(1).locator("span[data-words]")).to_have_text(
        "3 · Near-identical"
    )
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Hand in 2 pairs").click()
    page.get_by_role("button", name="Hand in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Handed in")
    ratings = Rating.objects.filter(seat=study.seat("alice"))
    assert sorted(rating.option.value for rating in ratings) == [1, 3]


def test_in_forced_colours_what_is_judged_alone_is_marked_and_no_plate_hides_a_text(
    open_page, study
):
    page = open_page(study.alice, forced_colors="active")
    page.goto(reverse("annotation:rate-pair", args=[study.seat("alice").public_id, 1]))
    page.wait_for_load_state()
    colour_of = "element => getComputedStyle(element).borderLeftColor"
    judged, other = page.locator(".sents li.on").first, page.locator(".sents li:not(.on)").first
    canvas = page.locator(".dock").evaluate("dock => getComputedStyle(dock).backgroundColor")

    assert judged.evaluate(colour_of) != canvas
    assert other.evaluate(colour_of) == canvas
    page.keyboard.press("h")
    assert other.evaluate(colour_of) != canvas

    # Browsers draw a plate in the colour of the page, which is that of a filled button's text, too.
    page.keyboard.press("1")
    for filled in [".btn.primary", ".grade:has(:checked) .num"]:
        adjusted = "element => getComputedStyle(element).forcedColorAdjust"
        assert page.locator(filled).first.evaluate(adjusted) == "none"


def test_a_key_shows_what_it_chose_in_a_window_too_low_for_texts_and_dock(open_page, study):
    """As at a zoom of 400 %: the page scrolls as one, and would stay at its top."""
    low = {"width": 360, "height": 225}
    rating = open_page(study.alice, viewport=low)
    rating.goto(reverse("annotation:rate-pair", args=[study.seat("alice").public_id, 1]))
    rating.wait_for_load_state()

    rating.keyboard.press("1")

    expect(rating.locator(".grade:has(:checked)")).to_be_in_viewport()

    study.finish(alice=0, bob=3)
    deciding = open_page(study.carol, viewport=low)
    deciding.goto(reverse("adjudication:decide-pair", args=[study.batch.pairs.first().public_id]))
    deciding.wait_for_load_state()

    deciding.keyboard.press("1")

    expect(deciding.locator(".pick:has(:checked)")).to_be_in_viewport()


def test_an_adjudicator_reaches_every_option_beside_the_texts(open_page, study, size):
    study.finish(alice=0, bob=3)
    page = open_page(study.carol, viewport={"width": size[0], "height": size[1]})
    pair = study.batch.pairs.first()
    page.goto(reverse("adjudication:decide-pair", args=[pair.public_id]))

    assert all(in_sight(page, option) for option in page.locator(".pick").all())
    assert in_sight(page, page.get_by_role("button", name="Save and next"))
    assert page.locator(".pane.candidate .lens-text").bounding_box()["height"] >= 240
    assert in_sight(page, page.locator(".pane.candidate li.on").first)

    page.wait_for_load_state("networkidle")
    for unfolded in ("n", "y"):
        page.keyboard.press(unfolded)
        assert in_sight(page, page.get_by_role("button", name="Save and next"))
        expect(page.locator(".who").last).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")

    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    assert in_sight(page, page.locator(".pane.query li.on").first)
    assert all(in_sight(page, option) for option in page.locator(".pick").all())


def test_a_number_opens_its_pairs_and_j_and_k_step_through_them(open_page, study, size):
    study.finish(alice=[0, 0], bob=[3, 3])
    page = open_page(study.lena, viewport={"width": size[0], "height": size[1]})
    page.goto("/collections/study/agreement/disagreements/")

    page.get_by_role("region", name="By the values given").get_by_role(
        "link", name="2 pairs: 0 and 3", exact=True
    ).click()
    page.get_by_role("link", name="Read them one by one").click()
    expect(page).to_have_url(re.compile("/pairs/[0-9a-f-]{36}/"))
    first = page.title()
    expect(page.locator(".listbar")).to_contain_text("1 of 2 pairs")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("j")
    expect(page.locator(".listbar")).to_contain_text("2 of 2 pairs")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("k")
    expect(page).to_have_title(first)

    expect(page.get_by_role("list", name="Ratings and gold")).to_be_visible()

    page.goto("/collections/study/exports/")
    expect(page.get_by_role("button", name="Make an incomplete export")).to_be_visible()
    expect(page.locator(".tabs")).to_be_visible()
