"""The second factor in a real browser."""

import re
import time

import pyotp
import pytest
from playwright.sync_api import expect

from accounts import second_factor
from datasets.models import Collection
from tests.factories.studies import PASSWORD, make_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study():
    study = make_study()
    Collection.objects.update(leads_need_second_factor=True)
    return study


def sign_in(page, email):
    page.goto("/sign-in/")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("with_script", [True, pytest.param(False, marks=pytest.mark.full)])
def test_a_lead_is_led_to_set_it_up_and_signs_in_with_a_code(open_page, study, with_script):
    page = open_page(java_script_enabled=with_script)
    sign_in(page, "lena@example.org")
    expect(page.get_by_text("Your role needs a second factor. Set it up now")).to_be_visible()
    page.get_by_role("button", name="Set up").focus()
    page.keyboard.press("Enter")
    picture = page.get_by_role("img", name="QR code with the key below")
    expect(picture).to_be_visible()
    app = pyotp.TOTP(page.locator(".secret").inner_text().replace(" ", ""))
    page.get_by_label("Code").fill(app.now())
    page.keyboard.press("Enter")
    expect(page.locator(".codes code")).to_have_count(10)
    codes = page.locator(".codes code").all_inner_texts()
    assert page.locator("#codes").text_content().split() == codes  # what the button copies
    page.get_by_role("link", name="I have kept them").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text(re.compile("Second factor"))

    other = open_page(java_script_enabled=with_script)
    sign_in(other, "lena@example.org")
    other.get_by_label("Code").fill(app.at(time.time() + 30))
    other.keyboard.press("Enter")
    expect(other.get_by_role("button", name="Your account: Lena")).to_be_visible()

    third = open_page(java_script_enabled=with_script)
    sign_in(third, "lena@example.org")
    third.get_by_label("Code").fill(codes[0])
    third.keyboard.press("Enter")
    expect(third.get_by_role("button", name="Your account: Lena")).to_be_visible()


def test_its_pages_are_accessible_and_fit(open_page, study, assert_accessible_and_fits):
    page = open_page()
    sign_in(page, "lena@example.org")
    expect(page.get_by_role("button", name="Set up")).to_be_visible()
    assert_accessible_and_fits(page)
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("img", name="QR code with the key below")).to_be_visible()
    page.get_by_label("Code").fill("nonsense")
    page.keyboard.press("Enter")
    expect(page.get_by_text("That code is wrong.")).to_be_visible()
    assert_accessible_and_fits(page)
    app = pyotp.TOTP(second_factor.secret_of(study.lena.second_factor))
    page.get_by_label("Code").fill(app.now())
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert_accessible_and_fits(page)
    for address in ["/settings/second-factor/", "/settings/", "/collections/study/details/"]:
        page.goto(address)
        assert_accessible_and_fits(page)
    other = open_page()
    sign_in(other, "lena@example.org")
    expect(other.get_by_role("heading", name="Type your code")).to_be_visible()
    assert_accessible_and_fits(other)
