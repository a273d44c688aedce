"""How long a session lasts, and what ends it at once."""

from types import SimpleNamespace

import pytest
from django.test import Client

from accounts import actions, sessions
from accounts.models import Session, User
from audit.models import Event
from datasets.actions import change_sign_in_rules, remove_member, set_roles
from tests.factories.studies import PASSWORD, make_study, make_user
from tests.shelf import shelved

HOUR = 60 * 60
DAY = 24 * HOUR
WEEK = 7 * DAY

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """`clock(seconds)` lets time pass; by itself it stands still."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(sessions.time, "time", lambda: now[0])

    def wait(seconds):
        now[0] += seconds

    return wait


@shelved
def study():
    return make_study()


def browser_of(user):
    browser = Client()
    browser.force_login(user)
    return browser


def is_signed_in(browser):
    return browser.get("/settings/").status_code == 200


@pytest.mark.parametrize(
    ("name", "idle"), [("alice", WEEK), ("carol", WEEK), ("lena", DAY), ("ada", DAY)]
)
def test_idle_sessions_end_after_a_week_or_a_day_by_role(study, clock, name, idle):
    user = User.objects.get(email=f"{name}@example.org")
    inside, outside = browser_of(user), browser_of(user)

    clock(idle)
    assert is_signed_in(inside)
    clock(1)
    assert not is_signed_in(outside)


def test_use_keeps_a_session_alive_up_to_its_longest_time(study, clock, settings):
    settings.SESSION_DAYS = 3
    browser = browser_of(study.lena)
    for _ in range(6):
        clock(DAY // 2)
        assert is_signed_in(browser)

    clock(DAY // 2)

    assert not is_signed_in(browser)


def test_the_strictest_of_all_collections_and_roles_counts(study, clock):
    other = make_study(slug="other", assign=False)
    alice = other.members["alice"]
    assert sessions.rules_for(study.alice).idle_seconds == WEEK

    change_sign_in_rules(collection=other.collection, by=other.lena, idle_hours=4)
    assert sessions.rules_for(study.alice).idle_seconds == 4 * HOUR
    set_roles(membership=alice, by=other.lena, roles=["lead"])
    assert sessions.rules_for(study.alice).idle_seconds == DAY
    remove_member(membership=alice, by=other.lena)
    assert sessions.rules_for(study.alice).idle_seconds == WEEK


def test_a_stricter_rule_ends_sessions_that_are_idle_already(study, clock):
    browser = browser_of(study.alice)
    clock(5 * HOUR)

    change_sign_in_rules(collection=study.collection, by=study.lena, idle_hours=4)

    assert not is_signed_in(browser)


def test_a_new_role_brings_its_rule(study, clock):
    browser = browser_of(study.alice)
    set_roles(membership=study.members["alice"], by=study.lena, roles=["annotator", "lead"])

    clock(DAY + 1)

    assert not is_signed_in(browser)


def test_somebody_who_was_idle_for_too_long_is_led_to_sign_in_and_back(study, clock):
    browser = browser_of(study.alice)
    clock(WEEK + 1)

    answer = browser.get("/settings/")

    assert answer["Location"] == "/sign-in/?next=/settings/"
    assert not Session.objects.exists()


def test_a_session_that_began_while_the_clock_was_ahead_ends_as_any_other(study, clock):
    clock(10 * 365 * DAY)
    browser = browser_of(study.alice)
    clock(-10 * 365 * DAY)

    assert is_signed_in(browser)
    assert browser.session[sessions.BEGAN] == browser.session[sessions.SEEN]
    clock(WEEK + 1)
    assert not is_signed_in(browser)


def test_a_session_from_before_these_rules_is_over(study):
    browser = browser_of(study.alice)
    session = browser.session
    del session[sessions.SEEN]
    session.save()

    assert not is_signed_in(browser)


def test_a_request_within_minutes_asks_and_writes_nothing_more(
    study, clock, django_assert_num_queries
):
    browser = browser_of(study.alice)
    clock(sessions.REFRESH - 1)
    with django_assert_num_queries(1):  # the session with the account
        browser.get("/password/")

    clock(1)
    browser.get("/password/")

    assert browser.session[sessions.SEEN] == 1_800_000_000 + sessions.REFRESH


def test_a_visitor_without_a_session_costs_no_statement(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get("/sign-in/")


def stolen(browser):
    """Another browser with the same session cookie."""
    thief = Client()
    thief.cookies["sessionid"] = browser.cookies["sessionid"].value
    return thief


class FakeSession(dict):
    """What a request carries, and how often its key was changed."""

    keys_changed = 0

    def cycle_key(self):
        self.keys_changed += 1


def request_with(**session):
    return SimpleNamespace(session=FakeSession(session))


@pytest.mark.parametrize(
    ("seconds", "is_fresh"),
    [(-1, False), (0, True), (sessions.REFRESH - 1, True), (sessions.REFRESH, False)],
)
def test_a_sign_in_is_fresh_for_some_minutes(clock, seconds, is_fresh):
    request = request_with(began_at=1_800_000_000)
    clock(seconds)

    assert sessions.is_fresh(request) is is_fresh
    assert not sessions.is_fresh(request_with())


@pytest.mark.parametrize(
    ("seconds", "waits"),
    [(-1, False), (0, True), (sessions.PATIENCE, True), (sessions.PATIENCE + 1, False)],
)
def test_a_password_waits_for_a_code_for_some_minutes(study, clock, seconds, waits):
    request = request_with()
    sessions.wait_for_code(request, study.alice)
    # A session whose key somebody else planted would be signed in with it.
    assert request.session.keys_changed == 1
    clock(seconds)

    assert sessions.half_signed_in(request) == (study.alice if waits else None)


def test_signing_in_begins_a_session_and_ends_the_wait_for_a_code(study):
    request = request_with(half_signed_in={"account": study.alice.pk})

    sessions.begin(None, request, study.alice)

    now = 1_800_000_000
    assert request.session == {"began_at": now, "seen_at": now, "must_enrol": False}
    assert request.remembered_email == study.alice.email


def test_signing_out_kills_the_session_in_every_tab(study):
    browser = browser_of(study.alice)
    thief = stolen(browser)
    assert is_signed_in(thief)

    browser.post("/sign-out/")

    assert not is_signed_in(thief)


def test_a_session_is_another_after_signing_in(study):
    browser = Client()
    browser.post("/sign-in/", {"email": "alice@example.org", "password": PASSWORD})
    first = stolen(browser)
    browser.post("/sign-out/")
    browser.post("/sign-in/", {"email": "alice@example.org", "password": PASSWORD})

    assert is_signed_in(browser)
    assert not is_signed_in(first)


def test_a_changed_password_kills_the_session_that_changed_it_for_whoever_copied_it(study):
    browser = browser_of(study.alice)
    thief = stolen(browser)
    new = "a new long password"

    browser.post("/password/", {"old_password": PASSWORD, "password1": new, "password2": new})

    assert is_signed_in(browser)
    assert not is_signed_in(thief)


def test_deactivation_kills_every_session(study):
    browsers = [browser_of(study.alice) for _ in range(2)]

    actions.deactivate(account=study.alice, by=make_user("Adele", is_site_admin=True))

    assert [is_signed_in(browser) for browser in browsers] == [False, False]


class TestRules:
    PAGE = "/collections/study/details/sign-in/"

    def test_a_lead_sets_them_and_the_trail_tells(self, study):
        lena = browser_of(study.lena)
        typed = {"idle_hours": 12, "lead_idle_hours": 1, "leads_need_second_factor": "on"}

        assert lena.post(self.PAGE, typed).status_code == 302

        study.collection.refresh_from_db()
        assert (study.collection.idle_hours, study.collection.lead_idle_hours) == (12, 1)
        assert study.collection.leads_need_second_factor
        event = Event.objects.get(verb="change sign-in rules")
        assert event.before == {
            "idle_hours": 168,
            "lead_idle_hours": 24,
            "leads_need_second_factor": False,
        }

    @pytest.mark.parametrize("hours", ["0", "-1", "99999", "x", ""])
    def test_other_times_are_refused(self, study, hours):
        lena = browser_of(study.lena)

        answer = lena.post(self.PAGE, {"idle_hours": hours, "lead_idle_hours": 1})

        assert answer.status_code == 422
        study.collection.refresh_from_db()
        assert study.collection.idle_hours == 168
