"""No secret reaches a log line, whoever writes the line."""

import logging
import socket
import threading
import uuid

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils.http import urlencode

from accounts import actions as accounts
from accounts.tokens import new_token, reset_tokens
from config.logs import without_secrets
from datasets import actions as datasets
from datasets.actions import invite
from tests.factories.studies import PASSWORD, make_study, make_user
from tests.proof.world import routes
from tests.shelf import shelved

# Routes whose address is a secret: each has a token in it.
SECRET_ROUTES = {"accounts:set-up", "accounts:password-set", "datasets:accept-invitation"}
NEW = "a new long password"
FORM = "application/x-www-form-urlencoded"
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE"]
TYPED = {
    "email": "zoe@example.org",
    "name": "Zoe",
    "old_password": "a wrong guess",
    "password": "a wrong guess",
    "password1": NEW,
    "password2": NEW + "x",
}


def test_every_route_with_a_token_is_known_to_be_secret():
    assert {name for name, parameters in routes().items() if "token" in parameters} == SECRET_ROUTES


@shelved
def secrets(db):
    """Live secrets by the address that carries them."""
    token = accounts.make_setup_link()
    addresses = {reverse("accounts:set-up", args=[token]): token}
    study = make_study()
    _, token = invite(collection=study.collection, role="annotator", by=study.lena)
    addresses[reverse("datasets:accept-invitation", args=[token])] = token
    token = reset_tokens.make_token(study.alice)
    addresses[reverse("accounts:password-set", args=[study.alice.public_id, token])] = token
    return addresses


def variants(address):
    """The address as people and programs get it wrong, and as it stands in other addresses."""
    yield address
    yield address.rstrip("/")
    yield f"{address}more/"
    yield f"/{address}"
    yield address.replace("/", "//")
    yield f"/sign-in/?{urlencode({'next': address})}"
    yield f"/missing/?{urlencode({'next': address})}"


def leaked(lines, secrets):
    # Passwords are secrets as well.
    known = [*secrets.values(), NEW, PASSWORD, "a wrong guess", "example.org"]
    return [line for line in lines if any(secret in line for secret in known)]


@pytest.mark.parametrize(
    "settings_changed", [{}, pytest.param({"DEBUG": True}, marks=pytest.mark.full)]
)
def test_a_walk_over_all_secret_addresses_leaves_no_secret_in_the_log(
    secrets, lines, settings, settings_changed, missed_names
):
    for name, value in settings_changed.items():
        setattr(settings, name, value)
    logging.getLogger("django.request").setLevel(logging.DEBUG)
    for address in secrets:
        for variant in variants(address):
            for method in METHODS:
                for browser in (Client(enforce_csrf_checks=True), Client()):
                    browser.raise_request_exception = False
                    headers = {"Referer": f"http://testserver{address}"}
                    browser.generic(method, variant, urlencode(TYPED), headers=headers)
    logging.getLogger("django.request").setLevel(logging.ERROR)
    if settings.DEBUG:
        # Django's own page for developers asks every pattern for a name.
        missed_names.clear()

    assert any("POST /setup/***/ 403" in line for line in lines)
    assert any("Forbidden (CSRF cookie not set.): /invitations/***/" in line for line in lines)
    assert leaked(lines, secrets) == []


def test_an_error_behind_a_secret_address_leaves_no_secret_in_the_log(secrets, lines, monkeypatch):
    def fail(token=None, **_):
        raise RuntimeError(f"It failed at /invitations/{token}/.")

    monkeypatch.setattr(accounts, "find_setup_link", fail)
    monkeypatch.setattr(datasets, "find_invitation", fail)
    monkeypatch.setattr(reset_tokens, "check_token", fail)
    browser = Client(raise_request_exception=False)

    answers = {browser.get(address).status_code for address in secrets}

    assert answers == {500}
    assert sum("Internal Server Error" in line for line in lines) == 3
    assert any("It failed at /invitations/***/." in line for line in lines)
    assert leaked(lines, secrets) == []


def test_signing_in_and_changing_passwords_log_no_password_and_no_address(db, lines):
    make_user("Alice")
    browser = Client()
    for typed in (TYPED, {"email": "alice@example.org", "password": PASSWORD}):
        browser.post("/sign-in/", typed)
    browser.post("/password/", TYPED)

    assert sum("/sign-in/" in line for line in lines) == 2
    assert leaked(lines, {}) == []


def test_a_mail_that_fails_logs_neither_its_link_nor_its_reader(db, lines, settings, monkeypatch):
    settings.MAIL_CONFIGURED = True
    monkeypatch.setattr(
        threading.Thread, "start", lambda thread: thread._target(*thread._args), raising=True
    )
    make_user("Alice")
    sent = []

    def refuse(message):
        sent.append(message.body)
        raise OSError(f"{message.to} refused: {message.body}")

    monkeypatch.setattr(mail.EmailMessage, "send", refuse)

    Client().post("/password/reset/", {"email": "alice@example.org"})

    assert "/password/reset/" in sent[0]
    assert any("could not be mailed: OSError" in line for line in lines)
    assert not any("example.org" in line or "http" in line for line in lines)


def test_pages_at_secret_addresses_are_not_named_as_where_a_request_came_from(secrets, client):
    for address in [*secrets, "/invitations/spent/", "/setup/spent/"]:
        assert client.get(address)["Referrer-Policy"] == "strict-origin"


@pytest.mark.parametrize(
    "text",
    [
        "/invitations/SECRET/",
        "next=%2Finvitations%2FSECRET%2F",
        "GET /setup/SECRET HTTP/1.1",
        "/password/reset/6f9619ff-8b86-4d01-b42d-00cf4fc964ff/SECRET/",
        "https://example.org//setup//SECRET/?x",
    ],
)
def test_the_token_of_an_address_is_masked_in_every_form(text):
    assert "SECRET" not in without_secrets(text)
    assert "***" in without_secrets(text)


@pytest.mark.parametrize("text", ["/" * 500_000, "/setup" + "/" * 500_000, "%2F" * 200_000])
def test_rows_of_slashes_are_passed_in_one_go(text):
    # Each slash was once the beginning of another attempt, and anybody may send them.
    assert without_secrets(text) == text


@pytest.mark.parametrize("prefix", ["", "fw_", "whsec_"])
def test_a_token_is_masked_wherever_it_stands(prefix):
    token = new_token()

    assert without_secrets(f"GET /api/v1/{prefix}{token} 404") == "GET /api/v1/*** 404"


def test_other_addresses_are_left_as_they_are():
    invitation = f"/collections/x/invitations/{uuid.uuid4()}/revoke/"
    for text in ["/password/reset/", "/collections/setup/", invitation]:
        assert without_secrets(text) == text


@pytest.mark.database
def test_the_server_itself_logs_no_secret_however_talkative(installation):
    site = installation(FACETWISE_LOG_LEVEL="debug")
    token = accounts.make_setup_link()
    _, address = site.start_web()
    host, port = address.removeprefix("http://").split(":")
    for line in [
        f"GET /setup/{token}/ HTTP/1.1",
        f"POST /setup/{token}/ HTTP/1.1",
        f"GET /setup/{token}/ nonsense",
        f"GET /setup/{token}/ HTTP/9.9",
        f"G<>T /setup/{token}/ HTTP/1.1",
    ]:
        with socket.create_connection((host, int(port)), timeout=60) as plain:
            end = "Host: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            plain.sendall(f"{line}\r\n{end}".encode())
            while plain.recv(4096):
                pass

    log = (site.state / "processes.log").read_text()
    assert "GET /setup/***/ 200" in log
    assert "POST /setup/***/ 403" in log
    assert token not in log


@pytest.mark.parametrize(
    ("limits", "sent", "reason"),
    [
        ({"ALLOWED_HOSTS": ["study.example.org"]}, {"a": "1"}, "Invalid HTTP_HOST header"),
        ({"DATA_UPLOAD_MAX_MEMORY_SIZE": 10}, {"a": "1" * 20}, "Request body exceeded"),
        ({"DATA_UPLOAD_MAX_NUMBER_FIELDS": 1}, {"a": "1", "b": "2"}, "The number of GET/POST"),
    ],
)
def test_a_request_that_is_refused_unread_is_one_line(db, lines, settings, limits, sent, reason):
    for name, value in limits.items():
        setattr(settings, name, value)
    client = Client(raise_request_exception=False)

    response = client.post(reverse("accounts:sign-in"), urlencode(sent), content_type=FORM)

    assert response.status_code == 400
    [line] = [line for line in lines if reason in line]
    assert len(line.splitlines()) == 1
