"""Getting a new password: by mail, or by a link that a site admin hands over."""

import threading

import pytest
from django.core import mail
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from accounts import actions
from accounts.tokens import reset_tokens
from audit.models import Event
from tests.accounts.test_setup import at_once
from tests.factories.studies import make_user
from tests.masks import without_tokens

pytestmark = pytest.mark.django_db
NEW = {"password1": "a new long password", "password2": "a new long password"}


@pytest.fixture
def mail_configured(settings, monkeypatch):
    settings.MAIL_CONFIGURED = True
    # Mail goes out in a thread; here it is over before the answer is looked at.
    monkeypatch.setattr(
        threading.Thread, "start", lambda thread: thread._target(*thread._args), raising=True
    )


def address_for(account, token=None):
    return f"/password/reset/{account.public_id}/{token or reset_tokens.make_token(account)}/"


def test_a_link_sets_a_password_once(client, alice):
    address = address_for(alice)

    assertRedirects(client.post(address, NEW), "/sign-in/")

    alice.refresh_from_db()
    assert alice.check_password("a new long password")
    assertContains(client.post(address, NEW), "does not work any more", status_code=404)
    assert Event.objects.about(alice).last().verb == "reset password"


@pytest.mark.parametrize("bad", ["x", "abc-def", "0-0", "c0ffee-" + "0" * 32])
def test_made_up_links_do_nothing(client, alice, bad):
    hashed = alice.password

    assert client.post(address_for(alice, bad), NEW).status_code == 404

    alice.refresh_from_db()
    assert alice.password == hashed


def test_a_link_is_spent_by_signing_everything_out_or_deactivation(client, alice, ada):
    first = address_for(alice)
    actions.sign_out_everywhere(account=alice, by=ada)
    second = address_for(alice)
    actions.deactivate(account=alice, by=ada)
    actions.reactivate(account=alice, by=ada)

    assert client.get(first).status_code == 404
    assert client.get(second).status_code == 404


def test_a_link_works_for_three_days(client, alice, settings):
    address = address_for(alice)
    assert client.get(address).status_code == 200

    settings.PASSWORD_RESET_TIMEOUT = -1

    assert client.get(address).status_code == 404


def test_weak_password_keeps_the_link_alive(client, alice):
    address = address_for(alice)

    response = client.post(address, {"password1": "short", "password2": "short"})

    assertContains(response, "at least 12 characters", status_code=422)
    assert client.post(address, NEW).status_code == 302


def test_without_mail_the_page_names_the_site_admin(client):
    assertContains(client.get("/password/reset/"), "Ask its site admin for a reset link")


@pytest.mark.usefixtures("mail_configured")
def test_a_mailed_link_sets_the_password(client, alice):
    client.post("/password/reset/", {"email": "Alice@example.org"})

    [message] = mail.outbox
    assert message.to == ["alice@example.org"]
    link = next(line for line in message.body.splitlines() if line.startswith("http"))
    assert client.post(link, NEW).status_code == 302


@pytest.mark.usefixtures("mail_configured")
def test_the_answer_does_not_tell_who_has_an_account(client, alice):
    known = client.post("/password/reset/", {"email": "alice@example.org"})
    unknown = client.post("/password/reset/", {"email": "nobod@example.org"})

    assert known.status_code == unknown.status_code == 200
    pages = [without_tokens(answer.content) for answer in (known, unknown)]
    assert pages[0].replace(b"alice@", b"") == pages[1].replace(b"nobod@", b"")
    assert len(mail.outbox) == 1


@pytest.mark.usefixtures("mail_configured")
def test_asking_for_links_is_limited(client, alice):
    answers = [client.post("/password/reset/", {"email": alice.email}) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert len(mail.outbox) == 3


class TestPeoplePage:
    def test_site_admin_sees_every_account(self, client, ada, alice):
        client.force_login(ada)

        response = client.get("/people/")

        assert list(response.context["page"]) == [ada, alice]

    @pytest.mark.parametrize("step", ["deactivate", "reactivate", "sign-out", "reset-link"])
    def test_steps_are_for_site_admins_by_post(self, client, ada, alice, dave, step):
        address = f"/people/{alice.public_id}/{step}/"

        assert client.post(address)["Location"].startswith("/sign-in/")
        client.force_login(dave)
        assert client.post(address).status_code == 403
        assert client.get("/people/").status_code == 403
        client.force_login(ada)
        assert client.get(address).status_code == 405
        missing = address.replace(str(alice.public_id), "00000000-0000-4000-8000-000000000000")
        assert client.post(missing).status_code == 404
        assert not Event.objects.about(alice).exists()

    def test_deactivate_and_reactivate(self, client, ada, alice):
        client.force_login(ada)
        # One click on a phone does not sign somebody out in mid-pair.
        assertContains(
            client.get("/people/"), '<summary class="btn danger" aria-label="Deactivate Alice">'
        )

        client.post(f"/people/{alice.public_id}/deactivate/")
        alice.refresh_from_db()
        assert not alice.is_active

        client.post(f"/people/{alice.public_id}/reactivate/")
        alice.refresh_from_db()
        assert alice.is_active
        verbs = [event.verb for event in Event.objects.about(alice)]
        assert verbs == ["deactivate account", "reactivate account"]

    def test_nobody_deactivates_themselves(self, client, ada):
        client.force_login(ada)

        response = client.post(f"/people/{ada.public_id}/deactivate/", follow=True)

        assertContains(response, "You cannot deactivate your own account.")

    def test_sign_out_everywhere(self, client, ada, alice):
        client.force_login(alice)
        assert client.get("/settings/").status_code == 200

        actions.sign_out_everywhere(account=alice, by=ada)

        assert client.get("/settings/").status_code == 302

    def test_reset_link_is_shown_once_and_works(self, client, ada, alice):
        client.force_login(ada)

        link = client.post(f"/people/{alice.public_id}/reset-link/").context["link"]

        assertNotContains(client.get("/people/"), "password/reset/")
        client.logout()
        assert client.post(link, NEW).status_code == 302
        token = link.rstrip("/").rpartition("/")[2]
        assert token not in str(list(Event.objects.values()))

    @pytest.mark.usefixtures("mail_configured")
    def test_where_mail_is_configured_the_link_goes_to_its_owner_alone(self, client, ada, alice):
        client.force_login(ada)

        response = client.post(f"/people/{alice.public_id}/reset-link/", follow=True)

        [message] = mail.outbox
        assert message.to == [alice.email]
        assertNotContains(response, "password/reset/")
        assertContains(response, "on its way to alice@example.org")

    def test_no_reset_link_for_a_deactivated_account(self, client, ada, alice):
        actions.deactivate(account=alice, by=ada)
        client.force_login(ada)

        response = client.post(f"/people/{alice.public_id}/reset-link/", follow=True)

        assertContains(response, "Reactivate it first.")


def test_two_uses_of_one_link_at_once_set_one_password(transactional_db):
    alice = make_user("Alice")
    token = reset_tokens.make_token(alice)

    outcomes = at_once(
        [
            lambda n=n: actions.reset_password(
                account=alice, token=token, password=f"password number {n}"
            )
            for n in range(2)
        ]
    )

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["LinkSpent", "User"]
