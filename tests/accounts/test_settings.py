"""Personal settings, and how pages apply them."""

import re

import pytest
from pytest_django.asserts import assertContains

from accounts.models import User
from audit.models import Event
from datasets.models import Collection
from tests.factories.studies import make_member

pytestmark = pytest.mark.django_db
FORM = {"name": "Alice B.", "shortcuts": "alt", "one_key_mode": "on", "theme": "dark", "size": ""}


def test_settings_are_saved_and_applied_to_pages(client, alice):
    client.force_login(alice)

    client.post("/settings/", FORM)

    alice.refresh_from_db()
    assert (alice.name, alice.shortcuts, alice.one_key_mode) == ("Alice B.", "alt", True)
    assert alice.display == {"theme": "dark"}
    page = client.get("/settings/")
    assertContains(
        page, '<html lang="en" data-account data-shortcuts="alt" data-one-key data-theme="dark">'
    )
    assert Event.objects.about(alice).last().after["name"] == "Alice B."


@pytest.mark.parametrize("wrong", [{"shortcuts": "maybe"}, {"name": ""}, {"theme": "pink"}])
def test_invalid_settings_change_nothing(client, alice, wrong):
    client.force_login(alice)
    before = User.objects.values().get()

    assert client.post("/settings/", FORM | wrong).status_code == 422

    assert User.objects.values().get() == before | {"last_login": User.objects.get().last_login}


def test_popover_saves_one_display_setting(client, alice):
    client.force_login(alice)
    client.post("/settings/display/", {"size": "xl"})

    client.post("/settings/display/", {"theme": "light"})

    alice.refresh_from_db()
    assert alice.display == {"size": "xl", "theme": "light"}


def test_default_or_unknown_display_values_are_not_kept(client, alice):
    client.force_login(alice)
    client.post("/settings/display/", {"size": "xl", "theme": "dark"})

    client.post("/settings/display/", {"size": "m", "theme": '"><script>', "rogue": "1"})

    alice.refresh_from_db()
    assert alice.display == {}


def test_settings_need_sign_in_and_the_right_method(client, alice):
    assert client.post("/settings/", FORM)["Location"].startswith("/sign-in/")
    client.force_login(alice)
    assert client.get("/settings/display/").status_code == 405
    assert client.delete("/settings/").status_code == 405


@pytest.mark.parametrize("collections", [1, 3])
def test_the_page_costs_the_same_for_one_collection_and_for_three(
    client, alice, collections, django_assert_num_queries
):
    for number in range(collections):
        collection = Collection.objects.create(slug=f"c{number}", name=f"Study {number}")
        make_member(collection, "Alice", "annotator", user=alice)
    client.force_login(alice)

    with django_assert_num_queries(3):
        page = client.get("/settings/")

    links = re.findall(r"/collections/(c\d)/tokens/", page.content.decode())
    assert links == [f"c{number}" for number in range(collections)]
