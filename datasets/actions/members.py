"""The roles of members, and their end."""

from collections.abc import Iterable
from typing import Any

from django.db.models.functions import Now

from accounts.hooks import turn_hooks_off
from accounts.models import User
from audit.actions import record
from audit.refusals import Invalid, Refused
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.models import Membership, Role
from formats.words import counted


class LastLead(Refused):
    """Nobody else leads the collection, since whoever asks leads no more."""

    def __init__(self, membership: Membership) -> None:
        super().__init__(f"Nobody but {membership} leads the collection. Nothing was changed.")


class HoldsSeats(Refused):
    """The member holds seats that are not handed in, or that the actor must not know to be."""


@one_transaction
def set_roles(*, membership: Membership, by: User, roles: Iterable[str]) -> Membership:
    """Give a member exactly these roles; nobody changes their own."""
    if membership.user_id == by.pk:
        raise Invalid("You cannot change your own roles. Ask another lead.")
    if not roles:
        raise Invalid("A member needs a role. To take the last one away, remove the member.")
    if unknown := set(roles) - set(Role.values):
        raise Invalid(f"There is no role {min(unknown)!r}.")
    membership, another_leads = _lock(membership)
    if membership.removed_at:
        raise Refused(f"{membership} was removed meanwhile. Nothing was changed.")
    before = membership.roles
    if set(before) == set(roles):
        return membership
    if membership.is_lead and Role.LEAD not in roles and not another_leads:
        raise LastLead(membership)
    if membership.is_annotator and Role.ANNOTATOR not in roles:
        _refuse_with_open_seats(membership, by)
    for role in Role.values:
        setattr(membership, f"is_{role}", role in roles)
    membership.save(update_fields=["is_annotator", "is_adjudicator", "is_lead"])
    if Role.LEAD in before and not membership.is_lead and membership.user:
        turn_hooks_off(membership.user, membership.collection, by=by)
    record(
        Verb.SET_ROLES,
        membership,
        by=by,
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
    membership, another_leads = _lock(membership)
    if membership.removed_at:
        return membership
    if membership.is_lead and not another_leads:
        raise LastLead(membership)
    _refuse_with_open_seats(membership, by)
    Membership.objects.filter(pk=membership.pk).update(removed_at=Now())
    # For good: a member who comes back makes new ones.
    membership.tokens.filter(revoked_at=None).update(revoked_at=Now(), revoked_by=by)
    membership.refresh_from_db(fields=["removed_at"])
    if membership.is_lead and membership.user:
        turn_hooks_off(membership.user, membership.collection, by=by)
    record(Verb.REMOVE_MEMBER, membership, by=by, before={"roles": membership.roles})
    return membership


def _lock(membership: Membership) -> tuple[Membership, bool]:
    """The member as they are now, and whether somebody else leads the collection.

    All leads are locked, in one order: of two who take each other's role away one is refused.
    """
    members = Membership.objects.filter(pk=membership.pk)
    members |= Membership.objects.leads().filter(collection=membership.collection_id)
    # Against key shares too: a seat assigned at the same moment refers to this row.
    locked = {member.pk: member for member in members.order_by("pk").select_for_update()}
    return locked.pop(membership.pk), bool(locked)


def _refuse_with_open_seats(membership: Membership, by: User) -> None:
    """Refuse while the member holds an open seat.

    A lead who rates in the same unfinished batch must not learn how far the others are. For them
    every seat of it counts as open, handed in or not, and no number is told.
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
        open_seats = counted(count, "open seat")
        raise HoldsSeats(
            f"{membership} holds {open_seats}. Hand over open seats on the Assign page first."
        )
