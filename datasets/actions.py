"""Actions on collections and their members."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError
from django.db.models.functions import Now
from django.utils import timezone

from accounts.actions import create_hashed_account
from accounts.models import User
from accounts.tokens import hash_of, new_token
from audit.actions import record
from audit.refusals import Invalid, Refused
from audit.transactions import one_transaction
from datasets.changing import differing, write_change
from datasets.models import Collection, Invitation, Membership, Role

INVITATION_DAYS = 14
# `/collections/new/` is a page.
RESERVED_SLUGS = {"new"}


class InvitationSpent(Refused):
    """The link was used, revoked, is too old, or never existed. People do not learn which."""

    status = 404


class AlreadyMember(Refused):
    """The account has a place in the collection already."""


class HoldsSeats(Refused):
    """The member holds seats that are not handed in, or that the actor must not know to be."""


@one_transaction
def create_collection(*, name: str, slug: str, by: User | None, **details: Any) -> Collection:
    """Make an empty collection. `details`: description, licence, source, citation.

    It has no members: whoever creates it does not thereby see into it.
    """
    if slug in RESERVED_SLUGS:
        raise Invalid(f"The address {slug!r} is taken by a page. Choose another one.")
    try:
        collection = Collection.objects.create(name=name, slug=slug, **details)
    except IntegrityError:
        raise Invalid(f"There is already a collection at the address {slug!r}.") from None
    record(
        verb="create collection",
        subject=collection,
        by=by,
        collection=collection,
        after={"name": name, "slug": slug},
    )
    return collection


DETAILS = ["name", "description", "licence", "source", "citation"]
SIGN_IN_RULES = ["idle_hours", "lead_idle_hours", "leads_need_second_factor"]


@one_transaction
def change_details(*, collection: Collection, by: User, **details: Any) -> Collection:
    """Change what a collection is called and what every export of it carries (DETAILS)."""
    return _change(collection, by, "change details", details)


@one_transaction
def change_sign_in_rules(*, collection: Collection, by: User, **rules: Any) -> Collection:
    """Change how long its members stay signed in, and with what (SIGN_IN_RULES)."""
    return _change(collection, by, "change sign-in rules", rules)


@one_transaction
def change_scoring_guard(
    *, collection: Collection, by: User, scores_wait_for_locking: bool
) -> Collection:
    """Keep scores of runs closed until every topic is locked, or open them to leads."""
    return _change(
        collection,
        by,
        "change scoring guard",
        {"scores_wait_for_locking": scores_wait_for_locking},
    )


@one_transaction
def change_programs(*, collection: Collection, by: User, programs_may_rate: bool) -> Collection:
    """Let tokens rate in the seats of their people, or the pages alone."""
    return _change(collection, by, "change programs", {"programs_may_rate": programs_may_rate})


def _change(collection: Collection, by: User, verb: str, values: Mapping[str, Any]) -> Collection:
    collection = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    changed = differing(collection, values)
    write_change(collection, changed, verb=verb, by=by, collection=collection)
    return collection


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
        verb="invite member",
        subject=invitation,
        by=by,
        collection=collection,
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
        record(
            verb="revoke invitation", subject=invitation, by=by, collection=invitation.collection
        )
    return invitation


def find_invitation(token: str) -> Invitation:
    """The invitation behind a link, while it can be used; else InvitationSpent."""
    invitation = (
        Invitation.objects.select_related("collection", "membership")
        .filter(token_hash=hash_of(token), used_at=None, revoked_at=None, expires_at__gt=Now())
        .first()
    )
    if invitation is None:
        raise InvitationSpent("This invitation does not work any more.")
    return invitation


@one_transaction
def accept_invitation(*, token: str, by: User) -> Membership:
    """Use a link: `by` gains its role, or takes the place of an imported person."""
    invitation = find_invitation(token)
    # This update decides between two people who use the link at the same moment.
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
        verb="accept invitation",
        subject=member,
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
    # Locked, so that two invitations accepted by one person at once make one membership.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
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
    record(
        verb="link member",
        subject=member,
        by=by,
        collection=member.collection,
        after={"roles": member.roles},
    )
    return member


def _take_place(place: Membership, user: User) -> Membership:
    place = Membership.objects.select_for_update(no_key=True).get(pk=place.pk)
    _check_linkable(place.collection, place)
    if Membership.objects.filter(collection=place.collection_id, user=user).exists():
        raise AlreadyMember(
            f"{user.name} is or was a member of {place.collection} already, and the ratings of two "
            "members are not merged. Use another account, or a plain invitation."
        )
    place.user, place.name = user, user.name
    place.save(update_fields=["user", "name"])
    return place


def _check_linkable(collection: Collection, membership: Membership) -> None:
    if membership.collection_id != collection.pk or membership.user_id or membership.removed_at:
        raise Invalid(f"{membership} is not an imported person without an account.")


@one_transaction
def set_roles(*, membership: Membership, by: User, roles: Iterable[str]) -> Membership:
    """Give a member exactly these roles; nobody changes their own."""
    if membership.user_id == by.pk:
        raise Invalid("You cannot change your own roles. Ask another lead.")
    if not roles:
        raise Invalid("A member needs a role. To take the last one away, remove the member.")
    if unknown := set(roles) - set(Role.values):
        raise Invalid(f"There is no role {min(unknown)!r}.")
    membership = _lock(membership)
    if membership.removed_at:
        raise Refused(f"{membership} was removed meanwhile. Nothing was changed.")
    before = membership.roles
    if membership.is_annotator and Role.ANNOTATOR not in roles:
        _refuse_with_open_seats(membership, by)
    for role in Role.values:
        setattr(membership, f"is_{role}", role in roles)
    membership.save(update_fields=["is_annotator", "is_adjudicator", "is_lead"])
    if membership.roles != before:
        _turn_hooks_off(membership, by)
        record(
            verb="set roles",
            subject=membership,
            by=by,
            collection=membership.collection,
            before={"roles": before},
            after={"roles": membership.roles},
        )
    return membership


@one_transaction
def remove_member(*, membership: Membership, by: User) -> Membership:
    """End a membership from the next request on. Ratings and decisions stay where they are."""
    if membership.user_id == by.pk:
        raise Invalid("You cannot remove yourself. Ask another lead.")
    if membership.user_id is None:
        raise Invalid(f"{membership} comes from an import and cannot sign in: nothing to remove.")
    membership = _lock(membership)
    if membership.removed_at:
        return membership
    _refuse_with_open_seats(membership, by)
    Membership.objects.filter(pk=membership.pk).update(removed_at=Now())
    # For good: a member who comes back makes new ones.
    membership.tokens.filter(revoked_at=None).update(revoked_at=Now(), revoked_by=by)
    membership.refresh_from_db(fields=["removed_at"])
    _turn_hooks_off(membership, by)
    record(
        verb="remove member",
        subject=membership,
        by=by,
        collection=membership.collection,
        before={"roles": membership.roles},
    )
    return membership


def _turn_hooks_off(membership: Membership, by: User) -> None:
    """Who leads no more is told no more: webhooks that they made are off, until a lead turns them
    on again."""
    if membership.is_lead and not membership.removed_at:
        return
    # Webhooks are a floor above; the reverse relation is known here without importing them.
    hooks: Any = membership.collection.hooks
    for hook in hooks.select_for_update(no_key=True).filter(created_by=membership.user_id, off=""):
        hook.off = hook.Off.BY_LEAD
        hook.save(update_fields=["off"])
        record(verb="turn webhook off", subject=hook, by=by, collection=membership.collection)


def _lock(membership: Membership) -> Membership:
    # Against key shares too: a seat assigned at the same moment refers to this row.
    return Membership.objects.select_for_update().get(pk=membership.pk)


def _refuse_with_open_seats(membership: Membership, by: User) -> None:
    """Refuse while the member holds an open seat.

    Beside a lead who rates in the same unfinished batch every seat counts as open, handed in or
    not, and none is counted: how far the others are is not for a fellow annotator to learn.
    """
    # Seats are a floor above; the reverse relation is known here without importing them.
    seats = membership.seats
    batch: Any = seats.model._meta.get_field("batch").related_model
    shared = seats.filter(batch__in=batch.objects.blind_to(by))
    if shared.exists():
        raise HoldsSeats(
            f"{membership} holds a seat of a batch in which you rate or rated yourself. Another "
            "lead can do this, or you once every seat of the batch is handed in."
        )
    count = seats.filter(handed_in_at=None).count()
    if count:
        open_seats = "1 open seat" if count == 1 else f"{count:,} open seats"
        raise HoldsSeats(
            f"{membership} holds {open_seats}. Free or reassign them on the Assign page first."
        )
