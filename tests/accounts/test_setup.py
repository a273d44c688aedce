"""The first admin, and the commands of the server's shell."""

import re
import threading
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django.asserts import assertContains

from accounts import actions
from accounts.addresses import usual_address
from accounts.models import SetupLink, User
from audit.models import Event
from config.management.commands import prepare
from tests.factories.studies import make_user
from tests.processes import ROOT

DETAILS = {
    "name": "Ada",
    "email": "ada@example.org",
    "password1": "a new long password",
    "password2": "a new long password",
}


def at_once(steps):
    """Run steps in threads that start together; what each returned or raised."""
    barrier, outcomes = threading.Barrier(len(steps)), []

    def run(step):
        barrier.wait()
        try:
            outcomes.append(step())
        except Exception as error:
            outcomes.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[step]) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


@pytest.mark.django_db
def test_setup_link_makes_a_signed_in_site_admin_once(client, capsys):
    call_command("setup_link", url="https://facetwise.example.org")
    link = capsys.readouterr().out.strip()
    path = link.removeprefix("https://facetwise.example.org")

    assert client.get(path).status_code == 200
    client.post(path, DETAILS)

    ada = User.objects.get()
    assert ada.is_site_admin
    assert client.get("/people/").status_code == 200
    assert [event.actor for event in Event.objects.about(ada)] == [ada]
    assertContains(client.get(path), "does not work any more", status_code=404)


@pytest.mark.parametrize(
    ("is_https", "host", "names", "address"),
    [
        (False, "127.0.0.1", ["localhost", "127.0.0.1"], "http://localhost:8000"),
        (False, "10.0.0.5", ["lab.example.org"], "http://10.0.0.5:8000"),
        (False, "0.0.0.0", ["lab.example.org"], "http://lab.example.org:8000"),
        (True, "127.0.0.1", ["localhost", "lab.example.org"], "https://lab.example.org"),
        (True, "0.0.0.0", [".example.org", "lab.example.org"], "https://lab.example.org"),
    ],
)
def test_a_link_begins_with_the_name_that_people_type(settings, is_https, host, names, address):
    settings.SECURE_SSL_REDIRECT, settings.HOST, settings.PORT = is_https, host, 8000
    settings.ALLOWED_HOSTS = names

    assert usual_address() == address


@pytest.mark.django_db
def test_a_new_setup_link_replaces_the_one_before(client):
    first = actions.make_setup_link()
    second = actions.make_setup_link()

    assert client.get(f"/setup/{first}/").status_code == 404
    assert client.get(f"/setup/{second}/").status_code == 200


@pytest.mark.django_db
def test_setup_stores_no_token(client):
    token = actions.make_setup_link()

    assert token not in str(SetupLink.objects.values())
    assert len(token) >= 43  # 256 bits in base64


@pytest.mark.django_db
def test_setup_is_over_once_there_is_an_account(client):
    token = actions.make_setup_link()
    make_user("Alice")

    assert client.post(f"/setup/{token}/", DETAILS).status_code == 404
    with pytest.raises(CommandError, match="There are accounts already"):
        call_command("setup_link")


@pytest.mark.django_db
def test_invalid_details_keep_the_setup_link(client):
    token = actions.make_setup_link()

    response = client.post(f"/setup/{token}/", DETAILS | {"password2": "another one"})

    assertContains(response, "The two password fields", status_code=422)
    assert not User.objects.exists()
    assert client.post(f"/setup/{token}/", DETAILS).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_two_uses_of_a_setup_link_at_once_make_one_admin():
    token = actions.make_setup_link()

    outcomes = at_once(
        [
            lambda n=n: actions.create_first_admin(
                token=token, email=f"ada{n}@example.org", name="Ada", password="a long password"
            )
            for n in range(4)
        ]
    )

    assert User.objects.count() == 1
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["LinkSpent"] * 3 + ["User"]


@pytest.mark.django_db
def test_site_admin_command_makes_an_account_that_sets_its_own_password(client, capsys):
    call_command("site_admin", "Root@example.org", name="Root", url="http://testserver")
    link = capsys.readouterr().out.strip()

    client.post(link, {"password1": "a new long password", "password2": "a new long password"})

    root = User.objects.get()
    assert (root.email, root.is_site_admin) == ("root@example.org", True)
    assert root.check_password("a new long password")


@pytest.mark.django_db
def test_site_admin_command_promotes_an_account(capsys):
    alice = make_user("Alice")

    call_command("site_admin", "alice@example.org")

    alice.refresh_from_db()
    assert alice.is_site_admin
    verbs = [event.verb for event in Event.objects.about(alice)]
    assert verbs == ["make site admin", "make reset link"]


@pytest.mark.django_db
def test_site_admin_command_refuses_what_is_no_address():
    with pytest.raises(CommandError, match="'root' is not an e-mail address"):
        call_command("site_admin", "root")


def test_the_address_is_printed_when_the_server_answers_there(
    db, monkeypatch, settings, tmp_path, capsys
):
    settings.STATE_DIR = tmp_path
    monkeypatch.setattr(prepare.Command, "collect_static", lambda self: None)
    loader = SourceFileLoader("supervise", str(ROOT / "script" / "supervise"))
    supervise = module_from_spec(spec_from_loader("supervise", loader))
    loader.exec_module(supervise)
    monkeypatch.setattr(supervise, "STATE_DIR", tmp_path)

    call_command("prepare", empty=True)
    prepared = capsys.readouterr().out
    supervise.announce()
    announced = capsys.readouterr().out

    assert "/setup/" not in prepared
    assert re.search(r"serves on .*works once:\n  http\S+/setup/\S+/\n", announced, re.DOTALL)
    assert not (tmp_path / prepare.FIRST_ADMIN).exists()
