"""The shell and the pages about people, in a real browser."""

import pytest
from playwright.sync_api import expect

from accounts.models import User
from datasets.actions import invite
from datasets.models import Invitation
from tests.factories.studies import PASSWORD, make_study, make_user
from tests.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study():
    return make_study()


# What members, leads and site admins see besides is walked in the demo (test_demo.py).
def test_pages_are_accessible_and_fit(open_page, assert_accessible_and_fits, study, stress):
    _, token = invite(collection=study.collection, role="annotator", by=study.lena)
    pages = {
        None: [
            "/sign-in/",
            "/password/reset/",
            f"/invitations/{token}/",
            "/no/",
            *stress([], ["/invitations/x/"]),
        ],
        study.alice: ["/password/", "/collections/study/members/"],
        study.lena: ["/collections/study/tokens/", "/api/"],
        make_user("Dave"): ["/", *stress([], [f"/invitations/{token}/"])],
    }
    for user, addresses in pages.items():
        page = open_page(user)
        for address in addresses:
            page.goto(address)
            assert_accessible_and_fits(page)
        page.close()


def test_sign_in_by_keyboard_alone(page, study):
    page.goto("/settings/")
    expect(page.locator("[autofocus]")).to_be_focused()
    page.keyboard.type("alice@example.org")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_display_settings_apply_at_once_and_follow_the_account(open_page, study):
    page = open_page(study.alice)
    page.goto("/")
    page.get_by_role("button", name="Display settings").click()
    with page.expect_response("**/settings/display/"):
        page.get_by_role("button", name="Dark").click()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"

    elsewhere = open_page(study.alice)
    elsewhere.goto("/settings/")

    assert elsewhere.locator("html").get_attribute("data-theme") == "dark"
    expect(elsewhere.get_by_role("radio", name="Dark")).to_be_checked()
    # Whoever leaves while one setting is on its way loses neither it nor the next one.
    held = []
    elsewhere.route("**/settings/display/", lambda route: held.append(route), times=1)
    elsewhere.get_by_role("button", name="Display settings").click()
    elsewhere.get_by_role("button", name="Light").click()
    elsewhere.get_by_role("button", name="L", exact=True).click()
    elsewhere.goto("/")
    # The next page is drawn as it was chosen, even where it was answered before the choice came.
    assert elsewhere.locator("html").get_attribute("data-theme") == "light"
    wait_until(lambda: User.objects.filter(display__size="l").exists(), "the size")


def test_display_settings_of_a_visitor_stay_on_the_device(page):
    page.goto("/sign-in/")
    page.get_by_role("button", name="Display settings").click()
    page.get_by_role("button", name="Dark").click()

    page.reload()

    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_a_lead_makes_and_revokes_an_invitation_without_leaving_the_page(open_page, study):
    page = open_page(study.lena)
    page.clock.install()
    page.goto("/collections/study/members/")
    page.evaluate("window.isSamePage = true")
    address = page.get_by_label("E-mail address")
    address.fill("eve@here")
    page.get_by_role("button", name="Make a link", exact=True).click()
    expect(page.get_by_text("Enter a valid email address.")).to_be_visible()
    expect(address).to_be_focused()
    address.fill("")

    page.get_by_label("Role", exact=True).select_option("adjudicator")
    page.get_by_role("button", name="Make a link", exact=True).click()
    expect(page.get_by_label("Invitation link")).to_be_focused()
    copy = page.locator("[data-copy=link]")
    for _ in range(2):
        copy.click()
        expect(copy).not_to_have_text("Copy")
    page.clock.fast_forward(3_000)
    expect(copy).to_have_text("Copy")
    page.get_by_role("button", name="Revoke the invitation as adjudicator").click()
    expect(page.get_by_text("None. A link that was used")).to_be_visible()
    expect(page.locator("#invitations")).to_be_focused()

    assert page.evaluate("window.isSamePage")
    assert Invitation.objects.get().revoked_at is not None


def test_on_a_phone_the_bar_takes_a_line_and_a_second_click_moves_no_button(open_page, study):
    User.objects.filter(pk=study.lena.pk).update(is_site_admin=True)
    page = open_page(study.lena, viewport={"width": 390, "height": 844})
    page.goto("/collections/study/members/")

    assert page.locator(".topbar").bounding_box()["height"] < 60
    expect(page.locator(".nav").get_by_role("link", name=study.collection.name)).to_be_visible()
    remove = page.get_by_label("Remove Alice").first
    before = remove.bounding_box()
    remove.click()
    expect(page.get_by_role("button", name="Remove Alice")).to_be_visible()
    assert remove.bounding_box() == before


def test_an_expired_sign_in_takes_the_whole_page_to_sign_in(open_page, study):
    page = open_page(study.lena)
    page.goto("/collections/study/members/")
    page.context.clear_cookies(name="sessionid")

    page.get_by_role("button", name="Make a link", exact=True).click()

    page.wait_for_url("**/sign-in/?next=/collections/study/members/")


def test_without_script_people_join_and_leads_invite(open_page, study):
    lena = open_page(study.lena, java_script_enabled=False)
    lena.goto("/collections/study/members/")
    lena.get_by_role("button", name="Make a link", exact=True).click()
    link = lena.get_by_label("Invitation link").input_value()

    eve = open_page(java_script_enabled=False)
    eve.goto(link)
    eve.get_by_label("Name").fill("Eve")
    eve.get_by_label("E-mail address").fill("eve@example.org")
    eve.get_by_label("Password", exact=True).fill("a new long password")
    eve.get_by_label("Password again").fill("a new long password")
    eve.get_by_role("button", name="Create account and join").click()

    expect(eve.get_by_text("Nothing to rate now")).to_be_visible()
    expect(eve.get_by_role("button", name="Display settings")).to_be_hidden()
    eve.get_by_role("button", name="Your account: Eve").click()
    eve.get_by_role("button", name="Sign out").click()
    eve.wait_for_url("**/sign-in/**")
