"""The pages of queries in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.evaluation.queries.test_views import LIST, STATISTICS, page_of
from tests.releases.test_levels import VALUES, make_run, rated


@pytest.fixture
def study(transactional_db):
    study = rated()
    values = {(topic, f"d{n}"): n % 3 for topic in VALUES for n in (1, 2, 3)}
    make_run(study, values, name="a run with a name that goes on for quite a while")
    return study


def test_pages_are_accessible_and_fit(study, open_page, assert_accessible_and_fits):
    page = open_page(study.lena)

    for address in [LIST, STATISTICS, page_of(study), f"{page_of(study)}?aspect=3"]:
        page.goto(address)
        assert_accessible_and_fits(page)


def test_aspects_are_chosen_by_keyboard_and_the_address_holds_them(study, open_page):
    page = open_page(study.lena)
    page.goto(page_of(study))
    page.get_by_label("A The paper detects faults in machines.").focus()

    page.keyboard.press("Space")
    page.get_by_role("heading", name="Sub-query 0_3").wait_for()

    assert page.url.endswith("?aspect=3&values=gold")
    assert page.evaluate("document.activeElement.id") == "aspect-A"
    assert "Title of d2" in page.locator(".ranking tbody tr").first.inner_text()
    page.go_back()
    page.get_by_role("heading", name="Sub-query 0_3").wait_for(state="detached")


@pytest.mark.full
def test_without_script_the_form_does_the_same(study, open_page):
    page = open_page(study.lena, java_script_enabled=False)
    page.goto(page_of(study))

    page.get_by_label("A The paper detects faults in machines.").uncheck()
    page.get_by_role("button", name="Show").click()

    expect(page).to_have_url(re.compile(r"\?aspect=3&values=gold$"))
    expect(page.get_by_role("heading", name="Sub-query 0_3")).to_be_visible()
