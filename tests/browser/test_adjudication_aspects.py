"""Deciding aspects in a real browser: letters as keys, components, topic after topic."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.models import Decision
from annotation.models import Pair
from tests.browser.retries import stop_retries
from tests.browser.test_adjudication import all_saved, on
from tests.factories.studies import make_aspect_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pairs():
    """Of a sample handed in, two pairs of different topics have no majority."""
    study = make_aspect_study(in_one_batch=True)
    names = ("alice", "bob", "erin")
    for name in names:
        study.rate_all(name, "agree")
    disputed = []
    for topic, document in [("2", "d2"), ("3", "d3")]:
        pair = Pair.objects.get(topic__external_id=topic, document__external_id=document)
        for name, option, met in zip(
            names, ["disagree", "dispute", "concur"], ["not", "partly", "met"], strict=True
        ):
            parts = [{"text": "robust", "met": met}, {"text": f"part of {option}", "met": "met"}]
            study.rate(name, pair, option, components=parts, note=f"Why {option}.")
        disputed.append(pair)
    for name in names:
        study.hand_in(name)
    return disputed


@pytest.fixture
def carol(pairs):
    from accounts.models import User

    return User.objects.get(email="carol@example.org")


def address_of(pair):
    return reverse("adjudication:decide-pair", args=[pair.public_id])


def test_disputes_of_several_topics_are_decided_by_their_letters_alone(open_page, carol, pairs):
    page = open_page(carol)
    page.goto(address_of(pairs[0]))
    expect(page.locator("[aria-current=step]")).to_contain_text("robust to noise")

    page.keyboard.press("a")
    expect(page.locator("input[value=agree]")).to_be_checked()
    page.keyboard.press("h")  # there are no facets to show
    page.keyboard.press("Enter")
    on(page, pairs[1])
    expect(page.locator("[aria-current=step]")).to_contain_text("uncertainty")
    page.keyboard.press("c")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Nothing is left to decide")).to_be_visible()
    decided = Decision.objects.order_by("pk").values_list("option__key", flat=True)
    assert list(decided) == ["agree", "concur"]


def test_a_draft_stays_with_its_pair_and_is_reported_by_value_and_name(open_page, carol, pairs):
    page = open_page(carol)
    page.goto(address_of(pairs[0]))
    page.keyboard.press("p")
    page.reload()
    expect(page.locator("input[value=dispute]")).to_be_checked()
    stop_retries(page)
    page.route("**/adjudicate/**", lambda route: route.abort())

    page.keyboard.press("Enter")

    expect(page.locator("#said")).to_contain_text("1 · Dispute")
    expect(page.locator("#sync")).to_contain_text("1 to send")
    page.unroute("**/adjudicate/**")
    page.get_by_role("button", name="Try now").click()
    all_saved(page)


def test_the_page_is_accessible_and_never_scrolls_sideways(
    open_page, carol, pairs, assert_accessible_and_fits
):
    page = open_page(carol)

    page.goto(reverse("adjudication:queue", args=["aspects"]))
    assert_accessible_and_fits(page)
    page.goto(address_of(pairs[0]))
    page.wait_for_load_state("networkidle")

    assert_accessible_and_fits(page)
