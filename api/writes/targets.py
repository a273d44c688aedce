"""What writes are about, by the loaders of the pages: they say to whom an object is there."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.http import Http404

from accounts.models import User
from annotation.access import (
    get_batch_for_lead,
    get_pair_for_lead,
    get_seat_for_lead,
    get_topic_for_lead,
)
from api.writes.call import Call, Target
from api.writes.fields import of_collection
from datasets.models import Invitation, Membership
from datasets.runs.access import get_judgment_set, get_run


def of_lead(noun: str, load: Callable[[User, UUID], Any], path: str = "collection") -> Target:
    """An object that a loader gives to leads; `path` leads from it to its collection, which has to
    be that of the address."""

    def loaded(call: Call) -> Any:
        target = load(call.user, call.public_id)
        of_collection(attrgetter(path)(target), call.arguments["slug"])
        return target

    return Target(noun, loaded)


def member_of(collection: Any, public_id: Any) -> Membership:
    members = Membership.objects.current().filter(collection=collection, public_id=public_id)
    member = members.first()
    if member is None:
        raise Http404("There is no such member.")
    return member


def _invitation(call: Call) -> Invitation:
    invitations = Invitation.objects.filter(collection=call.collection, public_id=call.public_id)
    invitation = invitations.first()
    if invitation is None:
        raise Http404("There is no such invitation.")
    return invitation


COLLECTION = Target("collection", lambda call: call.collection)
SCHEME = Target("scheme", lambda call: call.scheme)
MEMBER = Target("membership", lambda call: member_of(call.collection, call.public_id))
INVITATION = Target("invitation", _invitation)
BATCH = of_lead("batch", get_batch_for_lead)
SEAT = of_lead("seat", get_seat_for_lead, "batch.collection")
TOPIC = of_lead("topic", get_topic_for_lead)
PAIR = of_lead("pair", get_pair_for_lead, "topic.collection")
RUN = of_lead("run", lambda user, public_id: get_run(user, public_id)[0], "system.collection")
JUDGMENTS = of_lead("judgment_set", lambda user, public_id: get_judgment_set(user, public_id)[0])
