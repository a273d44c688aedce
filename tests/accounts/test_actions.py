"""Actions on accounts, without their pages."""

import pytest
from django.db.models.signals import pre_save

from accounts import actions
from accounts.keys import keys_of
from accounts.models import User
from audit.models import Event
from audit.refusals import Invalid, Refused
from tests.databases import attempt_in_vain
from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db


def events_about(account):
    """What the trail tells of an account, and by whom."""
    return [(event.verb, event.actor) for event in Event.objects.about(account)]


def create(email):
    return actions.create_account(email=email, name="Eve", password=None)


def test_each_address_has_one_account_however_it_is_written(alice):
    eve = create("Eve@Example.org")

    assert (eve.email, eve.is_site_admin, eve.has_usable_password()) == (
        "eve@example.org",
        False,
        False,
    )
    assert events_about(eve) == [("create account", eve)]
    with pytest.raises(Invalid, match="already an account"):
        create("EVE@example.org")


def test_of_two_accounts_made_for_an_address_at_once_the_second_is_refused():
    def overtake(instance, **options):
        """As another request does between the look for the address and the row."""
        User.objects.bulk_create([User(email=instance.email, name="Quick", password="!")])

    pre_save.connect(overtake, sender=User)
    try:
        with pytest.raises(Invalid, match="already an account"):
            create("eve@example.org")
    finally:
        pre_save.disconnect(overtake, sender=User)


def test_a_set_up_link_that_was_replaced_while_its_page_was_filled_in_makes_nobody(monkeypatch):
    first = actions.make_setup_link()
    second = actions.make_setup_link()
    # As if the second were made between the look at the first and its use.
    monkeypatch.setattr(actions, "find_setup_link", lambda token: None)
    details = {"email": "ada@example.org", "name": "Ada", "password": "a new long password"}

    with pytest.raises(actions.LinkSpent):
        actions.create_first_admin(token=first, **details)

    assert not User.objects.exists()
    assert actions.create_first_admin(token=second, **details).is_site_admin


def change_settings(account, **changes):
    settings = {"name": "Alice", "one_key_mode": False, "shortcuts": "on", "display": {}}
    return actions.change_settings(by=account, **settings | changes)


def test_settings_that_a_second_attempt_saves_are_in_the_trail(alice):
    attempt_in_vain(change_settings, account=alice, shortcuts="alt")

    change_settings(alice, shortcuts="alt")

    assert User.objects.get(pk=alice.pk).shortcuts == "alt"
    assert events_about(alice) == [("change settings", alice)]


def test_settings_that_stay_the_same_are_no_event_and_keys_stay_where_none_are_given(alice):
    change_settings(alice, shortcuts="alt", keys=keys_of(alice) | {"next": "z"})
    kept = User.objects.get(pk=alice.pk).keys
    change_settings(alice, shortcuts="alt")
    change_settings(alice, shortcuts="alt", display={"theme": "dark", "size": "m", "x": 1})

    account = User.objects.get(pk=alice.pk)
    assert kept == {"next": "z"}
    assert (account.shortcuts, account.keys, account.display) == ("alt", kept, {"theme": "dark"})
    assert events_about(alice) == [("change settings", alice)]


def test_an_account_is_shut_out_and_let_in_once_and_its_sessions_end_each_time(ada, alice):
    epochs = [User.objects.get(pk=alice.pk).session_epoch]
    for step in (actions.deactivate, actions.deactivate, actions.reactivate, actions.reactivate):
        epochs.append(step(account=alice, by=ada).session_epoch)

    first = epochs[0]
    assert epochs == [first, first + 1, first + 1, first + 2, first + 2]
    assert User.objects.get(pk=alice.pk).is_active
    assert events_about(alice) == [("deactivate account", ada), ("reactivate account", ada)]


def test_a_deactivated_account_gets_no_reset_link(ada, alice):
    actions.make_reset_link(account=alice, by=ada)
    shut_out = actions.deactivate(account=alice, by=ada)

    with pytest.raises(Refused, match="Reactivate it first"):
        actions.make_reset_link(account=shut_out, by=ada)

    assert events_about(alice) == [("make reset link", ada), ("deactivate account", ada)]


def test_somebody_becomes_a_site_admin_once(ada):
    eve = make_user("Eve")
    attempt_in_vain(actions.make_site_admin, account=eve, by=ada)
    for _ in range(2):
        actions.make_site_admin(account=eve, by=ada)

    assert User.objects.get(pk=eve.pk).is_site_admin
    assert events_about(eve) == [("make site admin", ada)]
