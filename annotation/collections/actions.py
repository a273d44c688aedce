"""Starting a collection: the collection, its scheme, and the link for its first lead."""

from typing import Any

from accounts.models import User
from annotation.schemes.actions import create_scheme, load_definition
from audit.refusals import Refused
from audit.transactions import one_transaction
from datasets.actions import create_collection, invite, revoke_invitation
from datasets.models import Collection, Invitation, Role


@one_transaction
def start_collection(
    *, name: str, slug: str, scheme: str, by: User, lead_email: str = "", **details: str
) -> tuple[Collection, Invitation, str]:
    """Make a collection judged by a shipped scheme; `(collection, invitation, token)`.

    The link makes whoever uses it the first lead. `details` as in `create_collection`.
    """
    collection = create_with_scheme(
        name=name, slug=slug, definition=load_definition(scheme), by=by, **details
    )
    return collection, *invite(collection=collection, role=Role.LEAD, by=by, email=lead_email)


@one_transaction
def create_with_scheme(
    *, name: str, slug: str, definition: dict[str, Any], by: User | None, **details: str
) -> Collection:
    """Make a collection judged by the scheme of `definition`: there is none without a scheme."""
    collection = create_collection(name=name, slug=slug, by=by, **details)
    create_scheme(collection=collection, definition=definition, by=by)
    return collection


@one_transaction
def invite_first_lead(*, collection: Collection, by: User) -> tuple[Invitation, str]:
    """Another link for the first lead, where the one before was lost or has expired.

    Refused while a lead can sign in: then leads invite. A site admin who deactivates the last one
    to get in stands in the trail with it.
    """
    if collection.memberships.leads().filter(user__is_active=True).exists():
        raise Refused(f"{collection} has a lead, who invites the others.")
    for earlier in collection.invitations.filter(role=Role.LEAD, used_at=None, revoked_at=None):
        revoke_invitation(invitation=earlier, by=by)
    return invite(collection=collection, role=Role.LEAD, by=by)
