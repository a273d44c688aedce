"""A script saves in a session as its process knows it, and no session that ended passes by."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import known_sessions, sessions
from accounts.actions import change_password, deactivate, sign_out_everywhere
from accounts.models import Session, User
from accounts.sessions import MUST_ENROL, REFRESH
from annotation.models import Rating
from datasets.actions import change_sign_in_rules
from tests.annotation.workbench.saving import save
from tests.factories.studies import make_study, make_user

pytestmark = pytest.mark.django_db
DAY = 24 * 60 * 60


@pytest.fixture
def study(client):
    """Alice has saved her first pair, so that the process knows her session."""
    study = make_study(candidates=3)
    client.force_login(study.alice)
    assert save(client, study.seat("alice"), 1).status_code == 200
    return study


@pytest.fixture
def read(monkeypatch):
    """The edition of every session that is read from here on."""
    read = []
    read_row = known_sessions.remember
    monkeypatch.setattr(
        known_sessions,
        "remember",
        lambda request: (read.append(request.session.row.edition), read_row(request)),
    )
    return read


def sign_out(study, client):
    client.post(reverse("accounts:sign-out"))


def end(study, client):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))


def get_a_new_password(study, client):
    change_password(account=study.alice, password="another long password", by=study.alice)


def get_a_new_password_by_a_command(study, client):
    alice = User.objects.get(pk=study.alice.pk)
    alice.set_password("another long password")
    alice.save()


def be_signed_out_everywhere(study, client):
    sign_out_everywhere(account=study.alice, by=study.alice)


def be_deactivated(study, client):
    deactivate(account=study.alice, by=make_user("Root", is_site_admin=True))


def be_deactivated_by_a_command(study, client):
    User.objects.filter(pk=study.alice.pk).update(is_active=False)


@pytest.mark.both
@pytest.mark.parametrize(
    "change",
    [
        sign_out,
        end,
        get_a_new_password,
        get_a_new_password_by_a_command,
        be_signed_out_everywhere,
        be_deactivated,
        be_deactivated_by_a_command,
    ],
    ids=lambda change: change.__name__,
)
def test_who_is_signed_out_saves_nothing(client, study, change):
    cookie = client.cookies["sessionid"].value
    change(study, client)
    client.cookies["sessionid"] = cookie
    before = Rating.objects.count()

    response = save(client, study.seat("alice"), 2)

    assert response.headers["HX-Redirect"].startswith(reverse("accounts:sign-in"))
    assert Rating.objects.count() == before


@pytest.mark.both
def test_a_session_that_was_written_since_is_read_and_known_anew(client, study, read):
    session = client.session
    session["word"] = "anything"
    session.save()
    row = Session.objects.get()

    assert [save(client, study.seat("alice"), position).status_code for position in (2, 3)] == [
        200,
        200,
    ]
    assert read == [row.edition]  # by the first; the second needed nothing


def test_a_known_session_that_was_idle_for_too_long_is_over(client, study, monkeypatch):
    change_sign_in_rules(
        collection=study.collection, by=study.lena, idle_hours=24, lead_idle_hours=24
    )
    later = sessions.time.time() + DAY + REFRESH
    monkeypatch.setattr(sessions.time, "time", lambda: later)
    before = Rating.objects.count()

    response = save(client, study.seat("alice"), 2)

    assert response.headers["HX-Redirect"].startswith(reverse("accounts:sign-in"))
    assert Rating.objects.count() == before


def test_who_must_have_a_second_factor_is_not_known(client, study):
    session = client.session
    session[MUST_ENROL] = True
    session.save()
    before = Rating.objects.count()

    for _ in range(2):
        response = save(client, study.seat("alice"), 2)
        assert response.headers["HX-Redirect"] == reverse("accounts:second-factor")
    assert Rating.objects.count() == before


def test_another_account_in_the_same_browser_saves_as_itself(client, study):
    client.force_login(study.bob)

    assert save(client, study.seat("alice"), 2).status_code == 404
    assert save(client, study.seat("bob"), 1).status_code == 200
    rating = Rating.objects.get(seat=study.seat("bob"))
    assert rating.annotator == study.members["bob"]
