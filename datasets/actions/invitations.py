"""Inviting people into a collection, and what comes of the links."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db.models.functions import Now
from django.utils import timezone

from accounts.actions import create_hashed_account
from accounts.models import User
from accounts.tokens import hash_of, new_token
from audit.actions import record
from audit.refusals import Invalid, Refused
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.access import is_lead
from datasets.models import Collection, Invitation, Membership, Role

INVITATION_DAYS = 14


class InvitationSpent(Refused):
    """The link was used, revoked, is too old, never existed, or is of somebody who leads no more.
    People do not learn which."""

    status = 404


class OwnInvitation(Refused):
    """A lead opened a link of their own: nobody changes their own roles."""


class AlreadyMember(Refused):
    """The account has a place in the collection already."""


@one_transaction
def invite(
    *,
    collection: Collection,
    role: str,
    by: User,
    email: str = "",
    membership: Membership | None = None,
) -> tuple[Invitation, str]:
    """Make a single-use link into a collection; `(invitation, token)`, and the token only here.

    With `membership`, the place of an imported person, the link hands that place to an account
    instead of adding a role.
    """
    if role not in Role.values:
        raise Invalid(f"There is no role {role!r}.")
    if membership is not None:
        _check_linkable(collection, membership)
    token = new_token()
    invitation = Invitation.objects.create(
        collection=collection,
        role=role,
        email=email.lower(),
        membership=membership,
        token_hash=hash_of(token),
        created_by=by,
        expires_at=timezone.now() + timedelta(days=INVITATION_DAYS),
    )
    # The trail cannot be erased, so it does not carry e-mail addresses.
    record(
        Verb.INVITE_MEMBER,
        invitation,
        by=by,
        after={"role": role, "membership": membership and membership.public_id},
    )
    return invitation, token


@one_transaction
def revoke_invitation(*, invitation: Invitation, by: User) -> Invitation:
    """End a link that nobody has used; revoking it twice changes nothing."""
    revoked = Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None).update(
        revoked_at=Now()
    )
    invitation.refresh_from_db()
    if invitation.used_at:
        raise Refused("The invitation has been used. Remove the member instead.")
    if revoked:
        record(Verb.REVOKE_INVITATION, invitation, by=by)
    return invitation


def find_invitation(token: str) -> Invitation:
    """The invitation behind a link, while it can be used; else InvitationSpent."""
    invitation = (
        Invitation.objects.working()
        .select_related("collection", "membership")
        .filter(token_hash=hash_of(token))
        .first()
    )
    if invitation is None:
        raise InvitationSpent("This invitation does not work any more.")
    return invitation


def member_by_link(token: str, user: User) -> Membership | None:
    """The membership that this user has by the link, which they used before."""
    members = Membership.objects.current().filter(
        user=user,
        collection__invitations__token_hash=hash_of(token),
        collection__invitations__used_by=user,
    )
    return members.select_related("collection").first()


@one_transaction
def accept_invitation(*, token: str, by: User) -> Membership:
    """Use a link: `by` gains its role, or takes the place of an imported person. Not of a lead who
    made it: only another lead changes their roles."""
    invitation = find_invitation(token)
    if invitation.created_by_id == by.pk and is_lead(by, invitation.collection):
        raise OwnInvitation("You made this link yourself. Only another lead changes your roles.")
    # This update decides between two people who use the link at the same moment, so its conditions
    # are of this row alone: PostgreSQL reads no other row again.
    used = Invitation.objects.filter(
        pk=invitation.pk, used_at=None, revoked_at=None, expires_at__gt=Now()
    ).update(used_at=Now(), used_by=by)
    if not used:
        raise InvitationSpent("This invitation does not work any more.")
    if invitation.membership is None:
        member = add_role(invitation.collection, by, invitation.role)
    else:
        member = _take_place(invitation.membership, by)
    record(
        Verb.ACCEPT_INVITATION,
        member,
        by=by,
        collection=invitation.collection,
        after={"roles": member.roles, "invitation": invitation.public_id},
    )
    return member


def join_with_new_account(*, token: str, email: str, name: str, password: str) -> Membership:
    """Use a link by making an account: both happen, or neither. Returns the membership."""
    find_invitation(token)
    return _join_with_new_account(
        token=token, email=email, name=name, password_hash=make_password(password)
    )


@one_transaction
def _join_with_new_account(*, token: str, **account: Any) -> Membership:
    return accept_invitation(token=token, by=create_hashed_account(**account))


def add_role(collection: Collection, user: User, role: str) -> Membership:
    _lock_account(user)
    places = Membership.objects.select_for_update().filter(collection=collection, user=user)
    member = places.order_by().first()
    if member is None:
        return Membership.objects.create(
            collection=collection, user=user, name=user.name, **{f"is_{role}": True}
        )
    if member.removed_at:
        # A member who comes back has the role of this invitation, not the earlier ones.
        member.removed_at = None
        member.is_annotator = member.is_adjudicator = member.is_lead = False
    setattr(member, f"is_{role}", True)
    member.save(update_fields=["removed_at", "is_annotator", "is_adjudicator", "is_lead"])
    return member


@one_transaction
def link_account(*, membership: Membership, user: User, by: User) -> Membership:
    """Give the place of an imported person to an account, with its seats, ratings and roles."""
    member = _take_place(membership, user)
    after = {"roles": member.roles, "account": user.public_id}
    record(Verb.LINK_MEMBER, member, by=by, after=after)
    return member


def _take_place(place: Membership, user: User) -> Membership:
    _lock_account(user)
    place = locked(place)
    _check_linkable(place.collection, place)
    if Membership.objects.filter(collection=place.collection_id, user=user).exists():
        raise AlreadyMember(
            f"{user.name} is or was a member of {place.collection} already, and the ratings of two "
            "members are not merged. Use another account, or a plain invitation."
        )
    place.user, place.name = user, user.name
    place.save(update_fields=["user", "name"])
    return place


def _lock_account(user: User) -> None:
    """Let nobody else give this person a membership until the transaction ends: two at once make
    one."""
    locked(user)


def _check_linkable(collection: Collection, membership: Membership) -> None:
    if membership.collection_id != collection.pk or membership.user_id or membership.removed_at:
        raise Invalid(f"{membership} is not an imported person without an account.")
