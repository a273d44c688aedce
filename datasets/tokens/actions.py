"""Making, showing and revoking tokens."""

import hashlib
from collections.abc import Iterable
from datetime import timedelta

from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from accounts.tokens import hash_of, new_token
from audit.actions import record
from audit.refusals import Invalid, NotAllowed
from audit.statements import Select
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.models import SCOPES_OF, Membership, Role, Scope, Token

# A prefix by which scanners of code and logs recognise a token.
PREFIX = "fw_"
MOST_DAYS = 366

# Every request of a program begins with it.
WORKING = Select(
    lambda token_hash: (
        Token.objects.working()
        .select_related("account", "membership__collection")
        .filter(token_hash=token_hash)
        .order_by("pk")[:1]
    ),
    str,
)


def scopes_for(membership: Membership | None) -> list[Scope]:
    """The scopes that are of use to a person's roles now; without a membership a site admin's."""
    if membership is None:
        return [Scope.COLLECTIONS]
    useful = {scope for role in membership.roles for scope in SCOPES_OF[Role(role)]}
    return [scope for scope in Scope if scope in useful]


@one_transaction
def make_token(
    *,
    account: User,
    membership: Membership | None,
    name: str,
    scopes: Iterable[str],
    days: int,
) -> tuple[Token, str]:
    """`(row, token)`, and the token only here. People make their own and nobody else's."""
    allowed_scopes = [scope for scope in scopes_for(membership) if scope in set(scopes)]
    if not allowed_scopes or set(allowed_scopes) != set(scopes):
        raise Invalid("Choose among the scopes shown: others are of no use to your roles.")
    if membership is None and not account.is_site_admin:
        raise NotAllowed("Only site admins have tokens that belong to no collection.")
    if not 1 <= days <= MOST_DAYS:
        raise Invalid(f"A token lasts from 1 to {MOST_DAYS} days.")
    token = PREFIX + new_token()
    row = Token.objects.create(
        account=account,
        membership=membership,
        name=name,
        scopes=[scope.value for scope in allowed_scopes],
        token_hash=hash_of(token),
        sign_in_sha256=sign_in_mark(account),
        expires_at=timezone.now() + timedelta(days=days),
    )
    record(
        Verb.MAKE_TOKEN,
        row,
        by=account,
        collection=membership and membership.collection,
        after={"scopes": row.scopes, "expires_at": row.expires_at},
    )
    return row, token


@one_transaction
def revoke_token(*, token: Token, by: User) -> Token:
    """From the next request on it opens nothing; revoking it twice changes nothing."""
    if Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=Now(), revoked_by=by):
        record(
            Verb.REVOKE_TOKEN,
            token,
            by=by,
            collection=token.membership and token.membership.collection,
        )
    token.refresh_from_db(fields=["revoked_at", "revoked_by"])
    return token


def find_token(text: str) -> Token | None:
    """The token that opens something at this moment, with account and membership at hand.

    None for a token that is unknown, expired or revoked, or older than a change of the password,
    the account's state or the membership.
    """
    token = WORKING.first(hash_of(text))
    if token is None or not token.account.is_active:
        return None
    if token.sign_in_sha256 != sign_in_mark(token.account):
        return None
    if token.membership is None:
        return token if token.account.is_site_admin else None
    return None if token.membership.removed_at else token


def note_use(token: Token) -> None:
    """Keep the latest day of use; a second use on that day writes nothing."""
    today = timezone.now().date()
    if token.last_used_on is None or token.last_used_on < today:
        Token.objects.filter(pk=token.pk).update(last_used_on=today)


def sign_in_mark(account: User) -> str:
    return hashlib.sha256(account.get_session_auth_hash().encode()).hexdigest()
