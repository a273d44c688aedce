"""The second factor: set up, asked for at sign-in, required, lost."""

import json
import re
import threading

import pyotp
import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from accounts import second_factor, sessions
from accounts.models import RecoveryCode, SecondFactor, User
from audit.models import Event
from datasets.actions import invite
from tests.factories.studies import PASSWORD, make_study, make_user

PAGE = "/settings/second-factor/"
CODE_PAGE = "/sign-in/code/"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """`clock(seconds)` lets time pass; by itself it stands still. Returns the time."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(sessions.time, "time", lambda: now[0])

    def wait(seconds=0):
        now[0] += seconds
        return now[0]

    return wait


def enrol(user):
    """Turn the second factor of a person on; their app, and their recovery codes."""
    factor = second_factor.begin_enrolment(account=user)
    app = pyotp.TOTP(second_factor.secret_of(factor))
    SecondFactor.objects.filter(pk=factor.pk).update(last_step=0)
    codes = second_factor.confirm_enrolment(account=user, code=app.at(1_800_000_000))
    # The code that confirmed was of a while ago.
    SecondFactor.objects.filter(pk=factor.pk).update(last_step=1_799_999_900 // 30)
    return app, codes


def type_password(client, email="alice@example.org", **more):
    return client.post("/sign-in/", {"email": email, "password": PASSWORD, **more})


def type_code(client, code):
    return client.post(CODE_PAGE, {"code": code})


def is_signed_in(client):
    return client.get("/settings/").status_code == 200


class TestSetUp:
    def test_the_first_code_turns_it_on_and_shows_recovery_codes_once(self, client, alice):
        client.force_login(alice)
        client.post(f"{PAGE}begin/")
        shown = client.get(PAGE).context["secret"]
        app = pyotp.TOTP(shown.replace(" ", ""))

        answer = client.post(f"{PAGE}confirm/", {"code": app.at(1_800_000_000)})

        codes = answer.context["recovery_codes"]
        assert len(set(codes)) == 10
        assert all(re.fullmatch(r"([A-Z2-7]{4}-){3}[A-Z2-7]{4}", code) for code in codes)
        assert alice.has_second_factor
        page = client.get(PAGE)
        assertContains(page, "10 recovery codes left")
        assertNotContains(page, codes[0])
        assertNotContains(page, shown)
        assert client.get(f"{PAGE}qr.svg").status_code == 404
        assert Event.objects.latest("id").verb == "turn on second factor"

    def test_the_picture_carries_the_key_and_no_style(self, client, alice):
        client.force_login(alice)
        client.post(f"{PAGE}begin/")

        picture = client.get(f"{PAGE}qr.svg")

        assert picture["Content-Type"] == "image/svg+xml"
        assert picture["Cache-Control"] == "no-store"
        assert b"style" not in picture.content
        address = second_factor.address_of(SecondFactor.objects.get())
        assert address.startswith("otpauth://totp/Facetwise:alice%40example.org?secret=")

    def test_a_page_with_the_key_is_not_compressed(self, client, alice):
        client.force_login(alice)
        client.post(f"{PAGE}begin/")

        for address in (PAGE, f"{PAGE}qr.svg"):
            answer = client.get(address, headers={"Accept-Encoding": "gzip"})
            assert (answer.status_code, answer["Content-Encoding"]) == (200, "identity")

    @pytest.mark.parametrize("code", ["000000", "", "abc", "12345", "１２３４５６"])
    def test_a_wrong_first_code_turns_nothing_on(self, client, alice, code):
        client.force_login(alice)
        client.post(f"{PAGE}begin/")

        answer = client.post(f"{PAGE}confirm/", {"code": code})

        # There are no recovery codes yet that could stand for it.
        assertContains(answer, "Six digits.", status_code=422)
        assert not alice.has_second_factor

    def test_nothing_to_confirm_is_reported(self, client, alice):
        client.force_login(alice)

        assert client.post(f"{PAGE}confirm/", {"code": "123456"}).status_code == 409

    def test_a_key_that_was_not_confirmed_is_forgotten_after_an_hour(self, client, alice):
        client.force_login(alice)
        client.post(f"{PAGE}begin/")
        factor = SecondFactor.objects.get()
        app = pyotp.TOTP(second_factor.secret_of(factor))
        SecondFactor.objects.update(created_at=factor.created_at - second_factor.ENROLMENT)

        assert "secret" not in client.get(PAGE).context
        assert client.get(f"{PAGE}qr.svg").status_code == 404
        answer = client.post(f"{PAGE}confirm/", {"code": app.at(1_800_000_000)})
        assert answer.status_code == 409

    def test_turning_it_on_signs_other_devices_out(self, client, alice):
        other = Client()
        other.force_login(alice)
        client.force_login(alice)
        client.post(f"{PAGE}begin/")
        app = pyotp.TOTP(second_factor.secret_of(SecondFactor.objects.get()))

        client.post(f"{PAGE}confirm/", {"code": app.at(1_800_000_000)})

        assert is_signed_in(client)
        assert not is_signed_in(other)

    def test_an_old_session_shows_the_password_first(self, client, alice, clock):
        client.force_login(alice)
        clock(sessions.REFRESH)

        assert client.post(f"{PAGE}begin/").status_code == 422
        assert client.post(f"{PAGE}begin/", {"password": "a wrong guess"}).status_code == 422
        assert not SecondFactor.objects.exists()
        assertRedirects(client.post(f"{PAGE}begin/", {"password": PASSWORD}), PAGE)

    def test_one_that_is_on_is_not_replaced(self, client, alice):
        enrol(alice)
        client.force_login(alice)
        before = SecondFactor.objects.values().get()

        client.post(f"{PAGE}begin/")

        assert SecondFactor.objects.values().get() == before

    def test_neither_secret_nor_recovery_codes_are_stored(self, client, alice):
        app, codes = enrol(alice)
        tables = [SecondFactor, RecoveryCode, Event, User]
        stored = json.dumps([list(t.objects.values()) for t in tables], default=str)

        assert app.secret not in stored
        assert not any(code in stored or code.replace("-", "") in stored for code in codes)


class TestSignIn:
    def test_the_password_alone_signs_nobody_in(self, client, alice):
        enrol(alice)

        assertRedirects(
            type_password(client, next="/settings/"), f"{CODE_PAGE}?next=%2Fsettings%2F"
        )

        assert not is_signed_in(client)

    def test_a_code_of_the_app_completes_it_in_another_session(self, client, alice, clock):
        app, _ = enrol(alice)
        type_password(client)
        before = client.session.session_key

        answer = client.post(CODE_PAGE, {"code": app.at(clock()), "next": "/settings/"})

        assertRedirects(answer, "/settings/")
        assert is_signed_in(client)
        assert client.session.session_key != before

    @pytest.mark.parametrize("drift", [-30, 0, 30])
    def test_a_clock_may_be_half_a_minute_off(self, client, alice, clock, drift):
        app, _ = enrol(alice)
        type_password(client)

        type_code(client, app.at(clock() + drift))

        assert is_signed_in(client)

    @pytest.mark.parametrize("drift", [-60, 60])
    def test_but_not_more(self, client, alice, clock, drift):
        app, _ = enrol(alice)
        type_password(client)

        assert type_code(client, app.at(clock() + drift)).status_code == 422
        assert not is_signed_in(client)

    def test_a_code_works_once(self, client, alice, clock):
        app, _ = enrol(alice)
        code = app.at(clock())
        type_password(client)
        type_code(client, code)
        thief = Client()
        type_password(thief)

        assertContains(type_code(thief, code), "it was used before", status_code=422)
        assert type_code(thief, app.at(clock() - 30)).status_code == 422
        assert not is_signed_in(thief)

    def test_a_recovery_code_works_once_however_it_is_typed(self, client, alice):
        _, codes = enrol(alice)
        type_password(client)
        type_code(client, f" {codes[3].lower().replace('-', ' ')} ")
        assert is_signed_in(client)
        assertContains(client.get(PAGE), "9 recovery codes left")
        thief = Client()
        type_password(thief)

        assert type_code(thief, codes[3]).status_code == 422

    def test_a_code_may_be_typed_in_two_groups(self, client, alice, clock):
        app, _ = enrol(alice)
        type_password(client)
        code = app.at(clock())

        type_code(client, f" {code[:3]} {code[3:]} ")

        assert is_signed_in(client)

    @pytest.mark.parametrize("email", ["alice@example.org", "dave@example.org"])
    def test_codes_of_somebody_else_do_not_work(self, client, alice, dave, clock, email):
        """Neither those of who set a factor up earlier, nor those of who did later."""
        made_by = {account: enrol(account) for account in (alice, dave)}
        [(app, codes)] = [made for account, made in made_by.items() if account.email != email]
        type_password(client, email)

        assert type_code(client, app.at(clock())).status_code == 422
        assert type_code(client, codes[0]).status_code == 422
        assert not is_signed_in(client)

    def test_two_people_sign_in_in_the_same_half_minute(self, client, alice, dave, clock):
        apps = {account: enrol(account)[0] for account in (alice, dave)}

        for account, app in apps.items():
            type_password(client, account.email)
            type_code(client, app.at(clock()))
            assert is_signed_in(client), account
            client.logout()

    def test_guessing_codes_is_limited(self, client, alice, clock):
        app, _ = enrol(alice)
        type_password(client)

        answers = [type_code(client, f"{number:06}").status_code for number in range(6)]

        assert answers == [422] * 5 + [429]
        assert type_code(client, app.at(clock())).status_code == 429
        clock(120)
        type_code(client, app.at(clock()))
        assert is_signed_in(client)

    def test_without_the_password_there_is_no_code_to_type(self, client, alice, clock):
        app, _ = enrol(alice)

        assertRedirects(client.get(CODE_PAGE), "/sign-in/")
        assertRedirects(type_code(client, app.at(clock())), "/sign-in/")

    def test_the_password_counts_for_ten_minutes(self, client, alice, clock):
        app, _ = enrol(alice)
        type_password(client)
        clock(sessions.PATIENCE + 1)

        assertRedirects(type_code(client, app.at(clock())), "/sign-in/")

    @pytest.mark.parametrize("change", [{"is_active": False}, {"session_epoch": 9}])
    def test_what_ends_sessions_ends_half_ones_too(self, client, alice, clock, change):
        app, _ = enrol(alice)
        type_password(client)
        User.objects.filter(pk=alice.pk).update(**change)

        assertRedirects(type_code(client, app.at(clock())), "/sign-in/")

    def test_only_a_whole_sign_in_makes_a_device_known(self, client, alice, clock):
        app, _ = enrol(alice)

        assert "device" not in type_password(client).cookies
        assert "device" in type_code(client, app.at(clock())).cookies


class TestRequired:
    @pytest.fixture
    def study(self):
        study = make_study()
        study.collection.leads_need_second_factor = True
        study.collection.save()
        return study

    def test_a_lead_without_one_sees_nothing_but_its_page(self, client, study):
        type_password(client, "lena@example.org")

        for address in ["/", "/collections/study/", "/settings/", "/password/"]:
            assertRedirects(client.get(address), PAGE)
        assertRedirects(client.post("/collections/study/details/", {"name": "x"}), PAGE)
        assertContains(client.get(PAGE), "Your role needs a second factor")

    def test_an_htmx_request_leads_the_whole_page_there(self, client, study):
        type_password(client, "lena@example.org")

        answer = client.get("/collections/study/", headers={"HX-Request": "true"})

        assert answer["HX-Redirect"] == PAGE

    def test_once_it_is_on_everything_opens(self, client, study, clock):
        type_password(client, "lena@example.org")
        client.post(f"{PAGE}begin/")
        app = pyotp.TOTP(second_factor.secret_of(SecondFactor.objects.get()))

        client.post(f"{PAGE}confirm/", {"code": app.at(clock())})

        assert client.get("/collections/study/").status_code == 200

    def test_signing_out_is_always_possible(self, client, study):
        type_password(client, "lena@example.org")

        client.post("/sign-out/")

        assert client.get("/sign-in/").status_code == 200

    def test_annotators_are_not_asked(self, client, study):
        type_password(client, "alice@example.org")

        assert client.get("/settings/").status_code == 200

    @pytest.mark.parametrize("who", ["lena", "ada"])
    def test_an_installation_may_require_it(self, client, settings, who):
        settings.SECOND_FACTOR_REQUIRED = {"leads", "site-admins"}
        make_study()
        type_password(client, f"{who}@example.org")

        assertRedirects(client.get("/settings/"), PAGE)

    def test_a_new_rule_holds_for_sessions_within_minutes(self, client, clock):
        study = make_study()
        client.force_login(study.lena)
        study.collection.leads_need_second_factor = True
        study.collection.save()

        clock(sessions.REFRESH)

        assertRedirects(client.get("/settings/"), PAGE)

    def test_somebody_who_becomes_a_lead_by_a_link_sets_it_up_at_once(self, client, study):
        _, token = invite(collection=study.collection, role="lead", by=study.lena)
        client.force_login(study.alice)

        client.post(f"/invitations/{token}/")

        assertRedirects(client.get("/settings/"), PAGE)

    def test_it_cannot_be_turned_off_there(self, client, study, clock):
        app, _ = enrol(study.lena)
        client.force_login(study.lena)

        client.post(f"{PAGE}off/", {"code": app.at(clock())})

        assert study.lena.has_second_factor


class TestOff:
    def test_its_owner_turns_it_off_with_a_code(self, client, alice, clock):
        app, _ = enrol(alice)
        client.force_login(alice)

        assert client.post(f"{PAGE}off/", {"code": "000000"}).status_code == 422
        assert alice.has_second_factor
        client.post(f"{PAGE}off/", {"code": app.at(clock())})

        assert not alice.has_second_factor
        assert not RecoveryCode.objects.exists()
        assert Event.objects.latest("id").verb == "remove second factor"

    def test_new_recovery_codes_replace_the_old_with_a_code(self, client, alice, clock):
        app, codes = enrol(alice)
        client.force_login(alice)

        assert client.post(f"{PAGE}codes/", {"code": "000000"}).status_code == 422
        answer = client.post(f"{PAGE}codes/", {"code": app.at(clock())})

        assert len(answer.context["recovery_codes"]) == 10
        assert not second_factor.use_code(account=alice, code=codes[0])
        new = answer.context["recovery_codes"][0]
        assert second_factor.use_code(account=alice, code=new)

    def test_a_site_admin_removes_it_for_somebody_who_lost_their_device(self, client, ada, alice):
        enrol(alice)
        client.force_login(ada)
        assertContains(client.get("/people/"), "Remove the second factor of Alice")

        client.post(f"/people/{alice.public_id}/second-factor/")

        assert not alice.has_second_factor
        event = Event.objects.about(alice).last()
        assert (event.verb, event.actor) == ("remove second factor", ada)

    def test_the_shell_removes_it_for_a_site_admin(self, ada, capsys):
        enrol(ada)

        call_command("site_admin", "ada@example.org", without_second_factor=True)

        assert not ada.has_second_factor


class TestTrail:
    """What the trail tells of second factors, and by whom."""

    @staticmethod
    def events_about(account):
        events = Event.objects.about(account).filter(verb__regex="factor|recovery")
        return [(event.verb, event.actor) for event in events]

    def test_every_step_is_told_and_a_step_that_changes_nothing_is_not(self, alice, ada, clock):
        second_factor.remove_second_factor(account=alice, by=ada)
        app, codes = enrol(alice)
        second_factor.use_code(account=alice, code=app.at(clock()))
        second_factor.use_code(account=alice, code=codes[0])
        second_factor.use_code(account=alice, code=codes[0])
        second_factor.replace_recovery_codes(account=alice)
        second_factor.remove_second_factor(account=alice, by=ada)

        assert self.events_about(alice) == [
            ("turn on second factor", alice),
            ("use recovery code", alice),
            ("replace recovery codes", alice),
            ("remove second factor", ada),
        ]

    def test_a_factor_that_is_not_on_takes_no_code_and_a_new_one_replaces_it(self, alice, clock):
        first = second_factor.begin_enrolment(account=alice)
        code = pyotp.TOTP(second_factor.secret_of(first)).at(clock())
        assert not second_factor.use_code(account=alice, code=code)

        second = second_factor.begin_enrolment(account=alice)

        assert list(SecondFactor.objects.all()) == [second]
        assert second_factor.secret_of(second) != second_factor.secret_of(first)

    def test_confirming_ends_the_sessions_of_the_account_that_is_at_hand(self, alice):
        before = alice.session_epoch

        enrol(alice)

        assert alice.session_epoch == before + 1 == User.objects.get(pk=alice.pk).session_epoch


@pytest.mark.django_db(transaction=True)
def test_of_many_uses_of_one_code_at_once_one_counts(monkeypatch):
    app, codes = enrol(make_user("Alice"))
    alice = User.objects.get()
    for code in (app.at(1_800_000_000), codes[0]):
        barrier, outcomes = threading.Barrier(8), []

        def use(code=code, barrier=barrier, outcomes=outcomes):
            barrier.wait()
            try:
                outcomes.append(second_factor.use_code(account=alice, code=code))
            finally:
                connection.close()

        threads = [threading.Thread(target=use) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert sorted(outcomes) == [False] * 7 + [True]
