"""A webhook is added, tested and looked at, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.factories.studies import make_study
from tests.webhooks.conftest import receiver  # noqa: F401 - a fixture
from tests.webhooks.receiver import answering
from webhooks.delivering import deliver_due

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_lead_adds_a_webhook_and_sees_what_became_of_a_test(
    open_page,
    receiver,  # noqa: F811
    assert_accessible_and_fits,
):
    study = make_study()
    receiver.answer = answering(500)
    page = open_page(study.lena)
    page.goto("/collections/study/exports/")
    page.get_by_role("link", name="Webhooks").click()

    page.get_by_role("textbox", name="Address").fill(receiver.address)
    page.get_by_label("Every seat of a batch is handed in").check()
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_label("Secret of the webhook")).to_have_value(
        value := page.get_by_label("Secret of the webhook").input_value()
    )
    assert value.startswith("whsec_")
    assert_accessible_and_fits(page)
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("A test is on its way")).to_be_visible()
    assert deliver_due() == 1
    page.reload()
    page.get_by_text("given up").click()

    expect(page.get_by_text("The answer was 500.")).to_be_visible()
    assert_accessible_and_fits(page)
