"""The agreement page as people use it: by mouse and keyboard, on small screens, without script."""

import re

import pytest
from django.urls import reverse

from tests.factories.studies import make_study

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ["agreement", "queries", "annotators", "disagreements", "working"]


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


def test_pages_are_accessible_and_fit(open_page, assert_accessible_and_fits, study):
    page = open_page(study.lena)
    homes = [address(study, name) for name in PAGES]

    for home in [*homes, address(study, "working", topic="q1_background", measure="alpha")]:
        page.goto(home)
        for details in page.locator("details").all():
            details.evaluate("one => one.open = true")

        assert_accessible_and_fits(page)


def test_pages_for_three_raters_are_accessible(open_page, assert_accessible, three):
    page = open_page(three.lena)

    page.goto(address(three))

    assert page.get_by_role("heading", name="3 raters").count() == 1
    assert_accessible(page)


def test_choosing_changes_the_figures_and_the_address_and_keeps_the_focus(open_page, study):
    page = open_page(study.lena)
    page.goto(address(study))

    page.get_by_label("“Cannot judge”").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url(re.compile("cannot-judge=drop"))

    page.get_by_text("Pairs with a “cannot judge” are left out of every figure.").first.wait_for()
    assert page.evaluate("document.activeElement.id") == "cannot-judge"
    assert "left out of every figure" in page.locator("#live").inner_text()

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

    assert "summary=pooled" in page.url
    assert "facet=method" in page.url
    assert page.get_by_text("All pairs pooled, 95% interval below.").count() == 1
