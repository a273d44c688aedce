"""An audit in a real browser: worked through by keyboard, drawn and read by the lead."""

import pytest
from playwright.sync_api import expect

from adjudication.models import Audit, AuditedPair, Decision
from tests.adjudication.audits import make_audit, make_audit_study

pytestmark = pytest.mark.django_db(transaction=True)

QUEUE = "/collections/study/adjudicate/"
AUDITS = "/collections/study/agreement/audits/"


@pytest.fixture
def study():
    return make_audit_study(agreed=3, disputed=1)


def on(page, audited):
    expect(page.locator("#pair")).to_have_attribute("data-id", str(audited.public_id))
    page.wait_for_load_state()  # with it the script


def test_an_audit_is_worked_through_by_keyboard_alone(open_page, study):
    audit = make_audit(study, size=2, control_count=1)
    first, second, third = audit.audited_pairs.order_by("position")
    page = open_page(study.carol)
    page.goto(QUEUE)
    page.get_by_role("link", name="Open Audit").focus()
    page.keyboard.press("Enter")
    on(page, first)

    # Three grades of which raters gave at most two: no reason is asked for.
    for audited, key in [(first, "1"), (second, "1"), (third, "0")]:
        on(page, audited)
        page.keyboard.press(key)
        page.keyboard.press("Enter")

    page.wait_for_url(f"**{QUEUE}")
    expect(page.get_by_role("link", name="Revisit Audit")).to_be_visible()
    values = AuditedPair.objects.order_by("position").values_list("decision__option__value")
    assert [int(value) for (value,) in values] == [1, 1, 0]
    assert Decision.objects.count() == 3


def test_the_pages_of_an_audit_are_accessible_and_fit(open_page, study, assert_accessible_and_fits):
    audit = make_audit(study, size=2, control_count=1)
    lena, carol = open_page(study.lena), open_page(study.carol)
    case_address = f"/adjudicate/audits/{audit.audited_pairs.first().public_id}/"

    for page, address in [
        (carol, QUEUE),
        (carol, case_address),
        (lena, AUDITS),
        (lena, f"{AUDITS}{audit.public_id}/"),
    ]:
        page.goto(address)
        assert_accessible_and_fits(page)


def test_a_lead_draws_an_audit_in_the_browser(open_page, study):
    page = open_page(study.lena)
    page.goto(AUDITS)

    page.get_by_label("Agreed pairs").fill("2")
    page.get_by_label("Carol").check()
    page.get_by_role("button", name="Draw the audit").click()

    expect(page.get_by_role("heading", name="Audit 1")).to_be_visible()
    assert Audit.objects.get().control_count == 1
