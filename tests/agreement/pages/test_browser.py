"""The agreement page as people use it: by mouse and keyboard, on small screens, without script."""

import re
import uuid

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.actions import decide
from datasets.models import Candidate
from tests.agreement.subjects.overview.test_closed import lock_all, study_of
from tests.factories.studies import make_study

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ["agreement", "queries", "annotators", "time", "disagreements", "report"]


@pytest.fixture
def study():
    """One topic rated, one with an undefined figure, one not yet."""
    study = make_study(facets=("background", "method", "result"), candidates=4)
    first, second, third = study.collection.batches.all()
    study.finish(alice=[0, 1, 2, 3], bob=[0, 1, None, 0], batch=first)
    study.finish(alice=1, bob=1, batch=second)
    study.rate_all("alice", 2, third)
    return study


def address(study, name="agreement", **query):
    return reverse(f"agreement:{name}", args=[study.collection.slug], query=query)


def test_pages_are_accessible_and_fit(open_page, assert_accessible_and_fits, study, stress):
    page = open_page(study.lena)
    pages = [address(study, name) for name in PAGES]
    pages += stress([], [address(study, "working")])

    for home in [*pages, address(study, "working", topic="q1_background", measure="alpha")]:
        page.goto(home)
        for details in page.locator("details").all():
            details.evaluate("element => element.open = true")

        assert_accessible_and_fits(page)


def test_pages_of_facets_and_pools_are_accessible_and_follow_their_control(
    open_page, assert_accessible_and_fits, study
):
    Candidate.objects.update(sources=["cited", "dense"])
    Candidate.objects.filter(position=3).update(sources=["dense"])
    for pair in study.batch.pairs.disputed():
        two = {"option": study.option(2), "rationale": "between the two"}
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), **two)
    page = open_page(study.lena)
    for name in ("facets", "pool"):
        page.goto(address(study, name))
        for details in page.locator("details").all():
            details.evaluate("element => element.open = true")

        assert_accessible_and_fits(page)

    # "dense" brought in all pairs, and one of the two relevant ones alone.
    alone = page.locator("section", has_text="What only one source brought in")
    assert "Without dense, 1 relevant pair would be missing." in alone.inner_text()
    page.locator("#relevant").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url(re.compile("relevant=3"))

    page.get_by_text("No relevant pair depends on one source.").wait_for()
    assert page.evaluate("document.activeElement.id") == "relevant"
    file = page.locator("a[href*='sources.csv']").get_attribute("href")
    assert "relevant=3" in file


def test_heading_over_columns_is_in_view_with_the_first_of_them(open_page, study):
    page = open_page(study.lena, viewport={"width": 390, "height": 844})
    page.goto(address(study, "queries"))

    hidden = page.locator("th.group").first.evaluate(
        """head => {
             const range = document.createRange();
             range.selectNodeContents(head);
             const view = head.closest(".scroll").getBoundingClientRect();
             return range.getBoundingClientRect().right - view.right;
           }"""
    )

    assert hidden < 0


def test_page_of_a_closed_collection_is_accessible_and_fits(open_page, assert_accessible_and_fits):
    study = study_of(4)
    lock_all(study)
    page = open_page(study.alice)

    page.goto(reverse("home"))
    page.get_by_role("link", name="Agreement of Study").click()
    page.get_by_role("heading", name="Agreement by facet").wait_for()

    assert_accessible_and_fits(page)


def test_intervals_are_chosen_by_keyboard_and_stay_in_the_address(open_page, study):
    page = open_page(study.lena)
    page.goto(address(study))

    page.get_by_text("Intervals", exact=True).first.click()
    page.locator("#bootstrap").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url(re.compile("bootstrap=BCa"))

    page.get_by_text("95% BCa bootstrap intervals over topics").first.wait_for()
    assert page.evaluate("document.activeElement.id") == "bootstrap"
    page.get_by_role("navigation", name="Agreement").get_by_role("link", name="Topics").click()
    page.wait_for_url(re.compile("queries/.*bootstrap=BCa"))


@pytest.mark.full
def test_pages_for_three_raters_are_accessible(open_page, assert_accessible, three):
    page = open_page(three.lena)

    page.goto(address(three))

    assert page.get_by_role("heading", name="Three raters").count() == 1
    assert_accessible(page)


def test_choosing_changes_the_figures_and_the_address_and_keeps_the_focus(open_page, study):
    page = open_page(study.lena)
    page.goto(address(study))

    page.get_by_label("“Cannot judge”").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url(re.compile("cannot-judge=drop"))

    page.get_by_text("Pairs with a “cannot judge” are left out of every figure.").first.wait_for()
    assert page.evaluate("document.activeElement.id") == "cannot-judge"
    expect(page.locator("#live")).to_contain_text("left out of every figure")

    page.get_by_role("link", name="Background", exact=True).click()
    page.wait_for_url(re.compile("facet=background.*cannot-judge=drop"))
    page.locator("tr.chosen", has_text="Background").first.wait_for()

    page.go_back()
    page.wait_for_url(lambda url: "facet=" not in url)
    page.locator("tr.chosen", has_text="All").first.wait_for()
    assert page.get_by_role("banner").count() == 1


def test_address_alone_brings_the_same_figures_back(open_page, study):
    page = open_page(study.lena)

    page.goto(
        address(study, "queries", facet="background", measure="kappa", **{"cannot-judge": "drop"})
    )

    assert page.get_by_label("“Cannot judge”").input_value() == "drop"
    assert page.get_by_label("Chart").input_value() == "kappa"
    assert page.locator(".seg [aria-current]").first.inner_text() == "Background"


def test_figure_opens_to_how_it_comes_about_by_keyboard(open_page, study):
    page = open_page(study.lena)
    page.goto(address(study, "queries"))

    page.locator("tr", has_text="q1_background").locator("a.why").first.focus()
    page.keyboard.press("Enter")

    page.wait_for_url(re.compile("working/.*topic=q1_background"))
    assert page.get_by_text("ranks within each list").count() == 1
    assert page.get_by_role("link", name="The ratings that went in").count() == 1


def test_page_works_without_script(open_page, study):
    page = open_page(study.lena, java_script_enabled=False)
    page.goto(address(study, facet="method"))

    page.get_by_label("Figures").select_option("pooled")
    page.get_by_role("button", name="Show").click()

    expect(page).to_have_url(
        re.compile("facet=method.*summary=pooled|summary=pooled.*facet=method")
    )
    # Of the table, and of that of further coefficients.
    assert page.get_by_text("All pairs pooled; below, 95% percentile bootstrap").count() == 2


def test_menu_of_downloads_opens_and_closes_by_keyboard(open_page, study):
    page = open_page(study.lena)
    page.goto(address(study))
    button = page.locator("summary", has_text="Download: Agreement by facet")
    links = page.locator("details.take[open] a")

    button.focus()
    page.keyboard.press("Enter")
    expect(links).to_have_text(["CSV", "JSON", "LaTeX", "LaTeX with intervals", "SVG", "PNG"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "CSV"
    page.keyboard.press("Escape")
    expect(links).to_have_count(0)
    assert page.evaluate("document.activeElement.innerText").strip().endswith("Agreement by facet")

    page.keyboard.press("Enter")
    with page.expect_download() as download:
        page.get_by_role("link", name="PNG").click()
    assert download.value.suggested_filename == "study-overview-table.png"
    page.get_by_role("heading", name="Overruled").click()
    expect(links).to_have_count(0)


def test_report_shows_its_pictures_and_prints_without_the_navigation(open_page, study):
    page = open_page(study.lena, color_scheme="dark")
    page.goto(address(study, "report"))
    pictures = page.locator(".report .picture svg")

    assert pictures.count() > 3
    assert all(picture.bounding_box()["width"] > 100 for picture in pictures.all())
    page.emulate_media(media="print")
    assert not page.get_by_role("banner").is_visible()
    assert not page.get_by_role("navigation").first.is_visible()
    table = page.locator(".report table").first
    assert (
        table.evaluate("element => getComputedStyle(element.tHead).display") == "table-header-group"
    )
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    # No heading stands alone on a page, before a table that turns its own.
    pages = page.eval_on_selector_all(
        ".report h2:has(+ .sheet)",
        """all => all.map(head => [head, head.nextElementSibling].map(
               element => getComputedStyle(element).page))""",
    )
    assert ["wide", "wide"] in pages
    assert all(head == table for head, table in pages)


def test_charts_take_the_colours_that_are_forced_whatever_theme_is_chosen(open_page, study):
    page = open_page(study.lena, forced_colors="active", color_scheme="dark")
    page.goto(address(study))
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    colour_of = "(element, name) => getComputedStyle(element)[name]"
    body = page.locator("body")

    label = page.locator(".measures .viz text").first
    assert label.evaluate(colour_of, "fill") == body.evaluate(colour_of, "color")
    chosen = page.locator(".filters .seg [aria-current]").first
    assert chosen.evaluate(colour_of, "outlineStyle") == "solid"
