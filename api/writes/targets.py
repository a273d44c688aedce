"""The objects of writes, loaded as the pages load them: the loaders decide who sees an object."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404

from accounts.models import User
from agreement.pages.audits import get_audit
from annotation.access import (
    get_batch_for_lead,
    get_flag_for_lead,
    get_pair_for_lead,
    get_seat_for_lead,
    get_topic_for_lead,
)
from annotation.authoring.views.queries import get_query
from api.writes.call import Call, Target
from api.writes.fields import of_collection
from datasets.access import get_member
from datasets.models import Invitation, Membership, System
from datasets.runs.access import get_judgment_set, get_run
from webhooks.access import get_delivery, get_hook


def of_lead(noun: str, load: Callable[[User, UUID], tuple[Any, Membership]]) -> Target:
    """An object that a loader gives to leads, of the collection of the address."""

    def loaded(call: Call) -> Any:
        target, member = load(call.user, call.public_id)
        of_collection(member.collection, call.arguments["slug"])
        return target

    return Target(noun, loaded)


def _of_collection(call: Call, rows: QuerySet, noun: str) -> Any:
    row = rows.filter(collection=call.collection, public_id=call.public_id).first()
    if row is None:
        raise Http404(f"There is no such {noun}.")
    return row


COLLECTION = Target("collection", lambda call: call.collection)
# A collection that has a scheme.
JUDGED = Target("collection", lambda call: call.scheme.collection)
SCHEME = Target("scheme", lambda call: call.scheme)
MEMBER = Target("membership", lambda call: get_member(call.collection, call.public_id))
# Also a removed one, who may still hold seats.
HOLDER = Target("holder", lambda call: _of_collection(call, Membership.objects.all(), "member"))
INVITATION = Target(
    "invitation", lambda call: _of_collection(call, Invitation.objects.all(), "invitation")
)
SYSTEM = Target("system", lambda call: _of_collection(call, System.objects.all(), "system"))
BATCH = of_lead("batch", get_batch_for_lead)
SEAT = of_lead("seat", get_seat_for_lead)
TOPIC = of_lead("topic", get_topic_for_lead)
PAIR = of_lead("pair", get_pair_for_lead)
FLAGGED = of_lead("rating", get_flag_for_lead)
QUERY = of_lead("query", get_query)
HOOK = of_lead("hook", get_hook)
DELIVERY = of_lead("delivery", get_delivery)
AUDIT = Target(
    "audit", lambda call: get_audit(call.user, call.arguments["slug"], call.public_id)[1]
)
RUN = of_lead("run", get_run)
JUDGMENTS = of_lead("judgment_set", get_judgment_set)
