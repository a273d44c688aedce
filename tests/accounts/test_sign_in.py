"""Signing in and out, and what ends a session."""

import re

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from pytest_django.asserts import assertContains, assertRedirects

from accounts import actions
from accounts.views import NO_MATCH
from audit.models import Event
from tests.factories.studies import PASSWORD

pytestmark = pytest.mark.django_db


def sign_in(client, email="alice@example.org", password=PASSWORD, **more):
    return client.post("/sign-in/", {"email": email, "password": password, **more})


def is_signed_in(client):
    return client.get("/settings/").status_code == 200


def test_sign_in_leads_home(client, alice):
    assertRedirects(sign_in(client), "/")

    assert client.session[SESSION_KEY] == str(alice.pk)


def test_sign_in_does_not_care_about_the_case_of_the_address(client, alice):
    sign_in(client, email="ALICE@Example.org")

    assert is_signed_in(client)


def test_sign_in_goes_on_to_the_page_that_was_asked_for(client, alice):
    assertRedirects(sign_in(client, next="/settings/"), "/settings/")


@pytest.mark.parametrize(
    "elsewhere", ["https://example.com/", "//example.com", "javascript:alert(1)"]
)
def test_sign_in_never_leads_to_another_host(client, alice, elsewhere):
    assertRedirects(sign_in(client, next=elsewhere), "/")


@pytest.mark.parametrize("word", ["gold", "accounts:sign-in", "settings/", "?page=2"])
def test_sign_in_takes_a_word_that_is_no_address_for_none(client, alice, word):
    assertRedirects(sign_in(client, next=word), "/")
    assertRedirects(client.get("/sign-in/", {"next": word}), "/")
    assertRedirects(client.post("/sign-out/", {"next": word}), "/", target_status_code=302)


def test_session_key_changes_at_sign_in(client, alice):
    client.get("/sign-in/")
    session = client.session
    session["planted"] = "by somebody else"
    session.save()
    before = session.session_key
    client.cookies["sessionid"] = before

    sign_in(client)

    assert client.session.session_key != before


def test_unknown_wrong_and_deactivated_get_the_same_answer(client, alice, dave, ada):
    actions.deactivate(account=dave, by=ada)

    answers = [
        sign_in(client, email="nobody@example.org"),
        sign_in(client, password="not the password"),
        sign_in(client, email="dave@example.org"),
    ]

    assert [answer.status_code for answer in answers] == [422] * 3
    assert [str(a.context["form"].non_field_errors()[0]) for a in answers] == [NO_MATCH] * 3
    assert not is_signed_in(client)


def test_the_focus_begins_at_the_address_and_comes_back_at_the_password(client, alice):
    pages = [client.get("/sign-in/"), sign_in(client, password="not the password")]

    focused = [re.findall(r'name="(\w+)"[^>]* autofocus', page.content.decode()) for page in pages]
    assert focused == [["email"], ["password"]]
    assertContains(pages[1], 'value="alice@example.org"', status_code=422)


def test_unknown_address_costs_a_hash_as_well(client, alice, monkeypatch):
    from django.contrib.auth.hashers import MD5PasswordHasher

    hashed = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher, "encode", lambda *a, **k: hashed.append(1) or encode(*a, **k)
    )

    sign_in(client, password="not the password")
    known = len(hashed)
    sign_in(client, email="nobody@example.org")

    assert (known, len(hashed) - known) == (1, 1)


def test_half_filled_form_says_what_is_missing(client, alice):
    response = sign_in(client, password="")

    assertContains(response, "This field is required.", status_code=422)


def test_sign_out_ends_the_session(client, alice):
    client.force_login(alice)

    assertRedirects(client.post("/sign-out/"), "/", fetch_redirect_response=False)

    assert SESSION_KEY not in client.session
    assert not is_signed_in(client)


def test_sign_out_by_a_link_is_refused(client, alice):
    client.force_login(alice)

    assert client.get("/sign-out/").status_code == 405
    assert is_signed_in(client)


def test_deactivation_ends_sessions_at_the_next_request(client, alice, ada):
    client.force_login(alice)

    actions.deactivate(account=alice, by=ada)

    assert not is_signed_in(client)


def test_reactivation_does_not_bring_old_sessions_back(client, alice, ada):
    client.force_login(alice)
    actions.deactivate(account=alice, by=ada)

    actions.reactivate(account=alice, by=ada)

    assert not is_signed_in(client)


def test_change_of_password_ends_the_other_sessions_only(client, alice):
    here, elsewhere = client, Client()
    here.force_login(alice)
    elsewhere.force_login(alice)

    response = here.post(
        "/password/",
        {
            "old_password": PASSWORD,
            "password1": "a new long password",
            "password2": "a new long password",
        },
    )

    assertRedirects(response, "/settings/")
    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)
    assert Event.objects.about(alice).last().verb == "change password"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("not mine", "a new long password", "That is not your password."),
        (PASSWORD, "short", "at least 12 characters"),
        (PASSWORD, "alice@example.org", "too similar"),
        (PASSWORD, "1qaz2wsx3edc", "too common"),
        (PASSWORD, "x" * 129, "at most 128"),
    ],
)
def test_refused_new_passwords_change_nothing(client, alice, old, new, sentence):
    client.force_login(alice)
    hashed = alice.password

    response = client.post("/password/", {"old_password": old, "password1": new, "password2": new})

    assertContains(response, sentence, status_code=422)
    alice.refresh_from_db()
    assert alice.password == hashed


def test_htmx_request_of_a_signed_out_person_redirects_the_whole_page(client):
    response = client.get(
        "/settings/",
        headers={
            "HX-Request": "true",
            "HX-Current-URL": "http://testserver/collections/x/members/",
        },
    )

    assert response.status_code == 200
    assert response["HX-Redirect"] == "/sign-in/?next=/collections/x/members/"
    assert response.content == b""


@pytest.mark.parametrize("broken", ["http://[", "http://[::1", "//[", "\\", "http://testserver:x/"])
def test_a_broken_address_of_the_page_leads_home(client, broken):
    headers = {"HX-Request": "true", "HX-Current-URL": broken}

    response = client.get("/settings/", headers=headers)

    assert response["HX-Redirect"] == "/sign-in/?next=/"


def test_post_without_csrf_token_is_refused_with_a_page_that_says_so(alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)

    response = client.post("/sign-out/")

    assertContains(response, "This page is out of date", status_code=403)
    assert is_signed_in(client)
