"""The agreement page as people use it: by mouse and keyboard, on small screens, without script."""

import re

import pytest
from django.urls import reverse

from tests.factories.studies import make_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study():
    """One topic rated, one with an undefined figure, one not yet."""
    study = make_study(facets=("background", "method", "result"), candidates=4)
    first, second, third = study.collection.batches.all()
    study.finish(alice=[0, 1, 2, 3], bob=[0, 1, None, 0], batch=first)
    study.finish(alice=1, bob=1, batch=second)
    study.rate_all("alice", 2, third)
    return study


def address(study, **query):
    return reverse("agreement:agreement", args=[study.collection.slug], query=query)


@pytest.mark.parametrize("width", [1440, 1024, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_accessible_and_fits(open_page, assert_accessible, study, width, scheme):
    page = open_page(study.lena, viewport={"width": width, "height": 900}, color_scheme=scheme)

    page.goto(address(study))

    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width


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
    page.wait_for_url(lambda url: "facet=all" in url)
    page.locator("tr.chosen", has_text="All").first.wait_for()
    assert page.get_by_role("banner").count() == 1


def test_address_alone_brings_the_same_figures_back(open_page, study):
    page = open_page(study.lena)

    page.goto(address(study, facet="background", measure="kappa", **{"cannot-judge": "drop"}))

    assert page.get_by_label("“Cannot judge”").input_value() == "drop"
    assert page.get_by_label("Chart").input_value() == "kappa"
    assert page.locator(".seg [aria-current]").first.inner_text() == "Background"


def test_page_works_without_script(open_page, study):
    page = open_page(study.lena, java_script_enabled=False)
    page.goto(address(study, facet="method"))

    page.get_by_label("Figures").select_option("pooled")
    page.get_by_role("button", name="Show").click()

    assert "summary=pooled" in page.url
    assert "facet=method" in page.url
    assert page.get_by_text("All pairs pooled.").count() == 1
