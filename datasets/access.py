"""Access to collections: the loader, and its refusals."""

from functools import reduce
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404

from accounts.models import User
from audit.statements import Select
from datasets.models import Collection, JudgmentSet, Membership, Role, Run
from jobs.models import Job
from jobs.registry import JobError


def current_memberships() -> QuerySet:
    """With their collections; `has_runs` and `has_judgments` tell the tabs of a lead whether there
    are any."""
    runs = Run.objects.filter(system__collection=OuterRef("collection"))
    judgments = JudgmentSet.objects.filter(collection=OuterRef("collection"))
    return (
        Membership.objects.current()
        .select_related("collection")
        .annotate(has_runs=Exists(runs), has_judgments=Exists(judgments))
    )


def _memberships(slug: str, user: int) -> QuerySet:
    return current_memberships().filter(collection__slug=slug, user=user).order_by("pk")[:1]


# Every page of a collection begins with it.
MEMBERSHIP = Select(_memberships, str, int)


def get_membership(user: User, slug: str, *roles: Role) -> Membership:
    """The person's current membership of a collection, holding one of `roles` if any are named.

    Not a member, or no such collection: 404, so that neither can be told from the other. A member
    with none of the roles: 403.
    """
    membership = MEMBERSHIP.first(slug, user.pk)
    if membership is None:
        raise Http404("There is no such collection.")
    membership.user = user  # loaded already, so that nobody reads it again
    if roles and not set(roles) & set(membership.roles):
        raise PermissionDenied("Your role in this collection does not allow this.")
    return membership


def get_member(collection: Collection, public_id: UUID) -> Membership:
    """A current member, whoever asks; else 404."""
    member = Membership.objects.current().filter(collection=collection, public_id=public_id).first()
    if member is None:
        raise Http404("There is no such member.")
    return member


def of_member(member: Membership) -> dict[str, Any]:
    """The context that every page of a collection has."""
    return {"collection": member.collection, "member": member}


def no_object() -> Http404:
    """The one answer for what is not there and for what this person may not see."""
    return Http404("There is no such object.")


def get_for(
    user: User, role: Role, rows: Any, public_id: UUID, *, path: str = "collection"
) -> tuple[Any, Membership]:
    """An object of a collection in which the person has the role, and their membership; `path`
    leads from the object to the collection."""
    target = rows.select_related(path).filter(public_id=public_id).first()
    if target is None:
        raise no_object()
    collection = reduce(getattr, path.split("__"), target)
    return target, get_membership(user, collection.slug, role)


def is_lead(user: User | None, collection: Collection | int) -> bool:
    return Membership.objects.leads().filter(collection=collection, user=user).exists()


def leads_now(user: User, job: Job) -> bool:
    """Whether this person leads the collection of a job at this moment."""
    return _lead_of(user, job).exists()


def get_lead_of(run: Any) -> Membership:
    """The membership of who started a job; JobError if they lead its collection no more."""
    member = _lead_of(run.by, run.job).select_related("collection").first()
    if member is None:
        raise JobError("You no longer lead this collection.")
    return member


def _lead_of(user: User, job: Job) -> QuerySet:
    leads = Membership.objects.leads().filter(user=user)
    # A job outside of all collections has no lead.
    return leads.filter(collection__public_id=job.collection) if job.collection else leads.none()
