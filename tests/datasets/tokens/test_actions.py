"""The life of a token: what makes it, and everything that ends it."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from accounts.actions import change_password, deactivate, reactivate, sign_out_everywhere
from audit.models import Event
from audit.refusals import Invalid, NotAllowed
from datasets.actions import add_role, remove_member, set_roles
from datasets.models import Scope, Token
from datasets.tokens import actions
from datasets.tokens.actions import find_token, make_token, note_use, revoke_token, scopes_for
from tests.factories.studies import make_study, make_user
from tests.factories.tokens import token_of
from tests.shelf import shelved

pytestmark = pytest.mark.django_db


@shelved
def study():
    return make_study(assign=False)


@pytest.fixture
def lena(study):
    return study.members["lena"]


def test_a_token_is_kept_as_a_hash_and_found_again(lena):
    row, token = token_of(lena, "read")

    assert token.startswith("fw_")
    assert token not in str(Token.objects.values())
    assert find_token(token) == row
    assert find_token(token + "x") is None
    assert Event.objects.about(row).get().after["scopes"] == ["read"]


def test_an_expired_or_revoked_token_opens_nothing(study, lena):
    row, token = token_of(lena)
    other, second = token_of(lena)

    Token.objects.filter(pk=row.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    revoke_token(token=other, by=study.lena)
    revoke_token(token=other, by=study.lena)

    assert find_token(token) is None
    assert find_token(second) is None
    assert Event.objects.about(other).filter(verb="revoke token").count() == 1


def test_a_token_ends_with_the_password(study, lena):
    _, token = token_of(lena)

    change_password(account=study.lena, password="another long password", by=study.lena)

    assert find_token(token) is None


def test_a_token_ends_with_the_account_and_does_not_come_back_with_it(study, lena):
    _, token = token_of(lena)
    ada = type(study.lena).objects.get(email="ada@example.org")

    deactivate(account=study.lena, by=ada)
    assert find_token(token) is None

    reactivate(account=study.lena, by=ada)
    assert find_token(token) is None


def test_signing_out_everywhere_ends_tokens_too(study, lena):
    _, token = token_of(lena)

    sign_out_everywhere(account=study.lena, by=study.lena)

    assert find_token(token) is None


def test_a_token_ends_with_the_membership_for_good(study):
    alice = study.members["alice"]
    _, token = token_of(alice)

    remove_member(membership=alice, by=study.lena)
    assert find_token(token) is None

    add_role(study.collection, study.alice, "annotator")
    assert find_token(token) is None
    assert alice.tokens.get().revoked_by == study.lena


def test_scopes_are_those_of_use_to_the_roles(study):
    with pytest.raises(Invalid, match="of no use to your roles"):
        token_of(study.members["alice"], "read", "lead")
    assert Token.objects.count() == 0


def test_a_token_stays_when_roles_change(study):
    """What it may do follows the roles at each request; see the API's tests."""
    _, token = token_of(study.members["carol"])

    set_roles(membership=study.members["carol"], by=study.lena, roles=["annotator"])

    assert find_token(token) is not None


def test_only_site_admins_have_tokens_without_a_collection(study):
    dave = make_user("Dave")

    with pytest.raises(NotAllowed):
        make_token(account=dave, membership=None, name="x", scopes=["collections"], days=1)

    ada = type(dave).objects.get(email="ada@example.org")
    _, token = make_token(account=ada, membership=None, name="x", scopes=["collections"], days=1)
    assert find_token(token).scopes == ["collections"]
    type(dave).objects.filter(pk=ada.pk).update(is_site_admin=False)
    assert find_token(token) is None


@pytest.mark.parametrize("days", [0, 367])
def test_tokens_last_a_year_at_most(lena, days):
    with pytest.raises(Invalid, match="1 to 366 days"):
        token_of(lena, days=days)


def test_the_day_of_the_last_use_is_written_once_a_day(
    lena, monkeypatch, django_assert_num_queries
):
    row, token = token_of(lena)
    times = iter(datetime(2026, 3, day, 23, 59, tzinfo=UTC) for day in (1, 1, 2, 1))
    monkeypatch.setattr(actions, "timezone", SimpleNamespace(now=lambda: next(times)))

    days = []
    for writes in (1, 0, 1, 0):
        with django_assert_num_queries(writes):
            note_use(row)
        row.refresh_from_db()
        days.append(find_token(token).last_used_on.day)

    assert days == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("name", "scopes"),
    [
        ("alice", ["read", "ratings", "rate"]),
        ("carol", ["read", "adjudicate"]),
        (None, ["collections"]),
    ],
)
def test_scopes_are_offered_in_one_order(study, name, scopes):
    offered = scopes_for(study.members[name] if name else None)

    assert sorted(offered) == sorted(scopes)
    assert offered == [scope for scope in Scope if scope in scopes]


@pytest.mark.parametrize("scopes", [[], ["lead", "owner"]])
def test_a_token_without_a_scope_or_with_one_that_is_none_is_refused(lena, scopes):
    with pytest.raises(Invalid):
        make_token(account=lena.user, membership=lena, name="notebook", scopes=scopes, days=30)


@pytest.mark.parametrize("days", [1, 366])
def test_a_token_lasts_as_many_days_as_were_chosen(lena, days):
    row, _ = token_of(lena, "lead", "read", days=days)

    left = row.expires_at - timezone.now()
    assert timedelta(days=days) - timedelta(minutes=5) < left <= timedelta(days=days)
    assert row.scopes == [scope for scope in Scope if scope in {"lead", "read"}]
    event = Event.objects.about(row).get()
    assert (event.actor, event.collection) == (lena.user, lena.collection.public_id)
