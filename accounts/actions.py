"""Actions on accounts. Passwords are hashed before the transaction: Argon2 is slow on purpose, and
SQLite has one writer."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError
from django.db.models import Q

from accounts.hooks import turn_hooks_off
from accounts.keys import collisions, differing
from accounts.models import SetupLink, User
from accounts.tokens import hash_of, new_token, reset_tokens
from audit.actions import record
from audit.refusals import Invalid, Refused
from audit.transactions import locked, one_transaction
from audit.verbs import Verb

# What the look of pages can be, in words; what is empty is the usual, and is not kept.
DISPLAY = {
    "theme": {"": "As the system", "light": "Light", "dark": "Dark"},
    "size": {"s": "Small", "": "Medium", "l": "Large", "xl": "Very large"},
    "face": {"": "Serif", "sans": "Sans"},
    "lead": {"": "Normal", "loose": "Loose"},
    # Whether both texts are shown whole, and what a narrow window folds.
    "lens": {"whole": "Whole texts"},
    "explain": {"open": "Unfolded"},
}


class LinkSpent(Refused):
    """A link with a secret was used before, has expired, or never existed."""

    status = 404


def create_account(
    *,
    email: str,
    name: str,
    password: str | None,
    is_site_admin: bool = False,
) -> User:
    """Make an account; the trail says that the new person made it.

    Without a password (None) it can sign in only after a reset link has set one.
    """
    return create_hashed_account(
        email=email,
        name=name,
        password_hash=make_password(password),
        is_site_admin=is_site_admin,
    )


@one_transaction
def create_hashed_account(
    *,
    email: str,
    name: str,
    password_hash: str,
    is_site_admin: bool = False,
) -> User:
    """`create_account` for callers that hash the password before a transaction of their own."""
    account = User(
        email=User.objects.normalize_email(email).lower(),
        name=name,
        password=password_hash,
        is_site_admin=is_site_admin,
    )
    if User.objects.filter(email=account.email).exists():
        raise Invalid("There is already an account with this e-mail address.")
    try:
        account.save(force_insert=True)
    except IntegrityError:
        raise Invalid("There is already an account with this e-mail address.") from None
    record(Verb.CREATE_ACCOUNT, account, by=account, after={"is_site_admin": is_site_admin})
    return account


@one_transaction
def make_setup_link() -> str:
    """The token of a new set-up link; links made before it stop working.

    Refused once there is an account: from then on, admins and leads let people in.
    """
    if User.objects.exists():
        raise Refused("There are accounts already, so the first admin is not missing.")
    SetupLink.objects.all().delete()
    token = new_token()
    SetupLink.objects.create(token_hash=hash_of(token))
    return token


def find_setup_link(token: str) -> SetupLink:
    """The link, while it works; else LinkSpent."""
    link = SetupLink.objects.filter(token_hash=hash_of(token)).first()
    if link is None or User.objects.exists():
        raise LinkSpent("This set-up link does not work any more.")
    return link


def create_first_admin(*, token: str, email: str, name: str, password: str) -> User:
    """Use a set-up link: the account it makes is the site admin."""
    find_setup_link(token)
    return _create_first_admin(
        token=token, email=email, name=name, password_hash=make_password(password)
    )


@one_transaction
def _create_first_admin(*, token: str, email: str, name: str, password_hash: str) -> User:
    # Deleting the link decides between two people who use it at the same moment.
    spent, _ = SetupLink.objects.filter(token_hash=hash_of(token)).delete()
    if not spent or User.objects.exists():
        raise LinkSpent("This set-up link does not work any more.")
    return create_hashed_account(
        email=email, name=name, password_hash=password_hash, is_site_admin=True
    )


def change_password(*, account: User, password: str, by: User) -> User:
    """Set a new password; every session but one that the caller renews ends with it."""
    return _set_password(account=account, password_hash=make_password(password), by=by)


@one_transaction
def _set_password(
    *, account: User, password_hash: str, by: User, verb: Verb = Verb.CHANGE_PASSWORD
) -> User:
    account.password = password_hash
    account.save(update_fields=["password"])
    record(verb, account, by=by)
    return account


def reset_password(*, account: User, token: str, password: str) -> User:
    """Set a password by a reset link, which works once."""
    return _reset_password(account=account, token=token, password_hash=make_password(password))


@one_transaction
def _reset_password(*, account: User, token: str, password_hash: str) -> User:
    # Locked, so that two uses of one link are one after the other.
    account = locked(account)
    if not account.is_active or not reset_tokens.check_token(account, token):
        raise LinkSpent("This link does not work any more.")
    return _set_password(
        account=account, password_hash=password_hash, by=account, verb=Verb.RESET_PASSWORD
    )


@one_transaction
def change_settings(
    *,
    by: User,
    name: str,
    one_key_mode: bool,
    shortcuts: str,
    display: Mapping[str, Any],
    keys: dict[str, str] | None = None,
) -> User:
    """A person's own settings. `display` and `keys` keep what differs from the defaults; without
    `keys` they stay."""
    by = locked(by)
    saved_fields = ["name", "one_key_mode", "shortcuts", "keys"]
    before = {field: getattr(by, field) for field in saved_fields}
    by.name, by.one_key_mode, by.shortcuts = name, one_key_mode, shortcuts
    if keys is not None:
        if refused := collisions(by, keys):
            raise Invalid(" ".join(refused.values()))
        by.keys = differing(keys)
    by.display = _known(by.display | display)
    by.save(update_fields=[*saved_fields, "display"])
    after = {field: getattr(by, field) for field in saved_fields}
    if after != before:
        record(Verb.CHANGE_SETTINGS, by, by=by, before=before, after=after)
    return by


@one_transaction
def set_display(*, by: User, **settings: Any) -> User:
    """Set the look of pages for one person. Too slight for the trail."""
    account = locked(by)
    account.display = _known(account.display | settings)
    account.save(update_fields=["display"])
    return account


def _known(display: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, words in DISPLAY.items()
        if (value := display.get(key)) and value in words
    }


@one_transaction
def deactivate(*, account: User, by: User) -> User:
    """Shut an account out, from its next request on. What it did stays; the webhooks of a lead are
    turned off."""
    if account.pk == by.pk:
        raise Invalid("You cannot deactivate your own account. Ask another site admin.")
    return _set_active(account, False, by)


@one_transaction
def reactivate(*, account: User, by: User) -> User:
    return _set_active(account, True, by)


def _set_active(account: User, is_active: bool, by: User) -> User:
    # All site admins, in one order: of two who deactivate each other one is refused.
    accounts = User.objects.filter(Q(pk=account.pk) | Q(is_site_admin=True, is_active=True))
    held = {row.pk: row for row in accounts.order_by("pk").select_for_update(no_key=True)}
    account = held.pop(account.pk)
    if account.is_active == is_active:
        return account
    if account.is_site_admin and not is_active and not held:
        raise Refused(f"{account.name} is the only site admin. Nothing was changed.")
    account.is_active = is_active
    account.save(update_fields=["is_active"])
    # Old sessions do not come back to life with the account.
    account.end_sessions()
    if not is_active:
        # Memberships are a floor above; the reverse relation is known here without importing them.
        for member in account.memberships.filter(is_lead=True, removed_at=None):
            turn_hooks_off(account, member.collection, by=by)
    record(Verb.REACTIVATE_ACCOUNT if is_active else Verb.DEACTIVATE_ACCOUNT, account, by=by)
    return account


@one_transaction
def sign_out_everywhere(*, account: User, by: User) -> User:
    """End every session of an account, and spend its reset links, from the next request on."""
    account.end_sessions()
    record(Verb.SIGN_OUT_EVERYWHERE, account, by=by)
    return account


@one_transaction
def make_reset_link(*, account: User, by: User) -> str:
    """The token of a link by which the account's owner sets a password. Nobody else does."""
    if not account.is_active:
        raise Refused("The account is deactivated. Reactivate it first.")
    record(Verb.MAKE_RESET_LINK, account, by=by)
    return reset_tokens.make_token(account)


@one_transaction
def make_site_admin(*, account: User, by: User | None) -> User:
    account = locked(account)
    if not account.is_site_admin:
        account.is_site_admin = True
        account.save(update_fields=["is_site_admin"])
        record(Verb.MAKE_SITE_ADMIN, account, by=by)
    return account
