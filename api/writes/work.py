"""Batches and seats, locks, what a lead does while people rate."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.response import Response

from adjudication.actions import reopen
from annotation.access import (
    get_batch_for_lead,
    get_pair_for_lead,
    get_seat_for_lead,
    get_topic_for_lead,
)
from annotation.assigning.actions import assign as seats
from annotation.assigning.actions import batches
from annotation.assigning.seats import changeable_seat
from api.documentation import CONFLICTS, described
from api.endpoint import Endpoint
from api.writes.fields import MAX_REASON, Reason, of_collection, sent
from audit.refusals import Invalid, Stale
from datasets.models import Role, Scope, Topic

LEAD = (Role.LEAD,)


class NewBatches(serializers.Serializer):
    topics = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Only pairs of these topics; of all if not said.",
    )


class MadeBatches(serializers.Serializer):
    batches = serializers.ListField(
        child=serializers.UUIDField(), help_text="Public ids of the new batches."
    )


class MakeBatches:
    """Part of the list of batches."""

    post_scope = Scope.LEAD

    @described(
        "make-batches",
        "A batch per topic from the pairs that no batch holds yet.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(201, "application/json"): MadeBatches} | CONFLICTS,
        request=NewBatches,
        tag="Lead",
    )
    def post(self, request: Any, slug: str) -> Response:
        collection = self.viewer.collection  # type: ignore[attr-defined]
        if not hasattr(collection, "scheme"):
            raise Http404("The collection has no scheme yet.")
        names = sent(request, NewBatches).get("topics")
        topics = None
        if names is not None:
            topics = Topic.objects.filter(collection=collection, external_id__in=names)
            known = set(topics.values_list("external_id", flat=True))
            if unknown := [name for name in names if name not in known]:
                raise Invalid(f"There is no topic {unknown[0]!r}.")
        made = batches.make_batches(collection=collection, by=request.user, topics=topics)
        return Response({"batches": [batch.public_id for batch in made]}, status=201)


class Overlap(Reason):
    overlap = serializers.IntegerField(
        min_value=1, max_value=batches.MAX_OVERLAP, help_text="How many people rate each pair."
    )


class RaiseOverlap(Endpoint):
    scope, roles = Scope.LEAD, LEAD

    @described(
        "raise-overlap",
        "Add seats to a batch; its pairs wait for them.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        request=Overlap,
        tag="Lead",
    )
    def post(self, request: Any, slug: str, public_id: Any) -> Response:
        batch = get_batch_for_lead(request.user, public_id)
        of_collection(batch.collection, slug)
        batches.raise_overlap(batch=batch, by=request.user, **sent(request, Overlap))
        return Response(status=204)


class Holder(serializers.Serializer):
    holder = serializers.UUIDField(
        allow_null=True, help_text="The public id of the member who gets it; null frees it."
    )
    seen_holder = serializers.UUIDField(
        allow_null=True,
        required=False,
        help_text="Who held it when you looked; 409 if it is somebody else by now.",
    )
    reason = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=MAX_REASON,
        help_text="Why it changes hands; needed once it has ratings.",
    )


class AssignSeat:
    """Part of one seat. What a lead may not change on the page is refused here by its words."""

    patch_scope = Scope.LEAD

    @described(
        "assign-seat",
        "Give a seat to a member, pass it on, or free it.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        request=Holder,
        tag="Lead",
    )
    def patch(self, request: Any, slug: str, public_id: Any) -> Response:
        seat = get_seat_for_lead(request.user, public_id)
        of_collection(seat.batch.collection, slug)
        fields = sent(request, Holder)
        row = changeable_seat(self.viewer.member, seat)  # type: ignore[attr-defined]
        holder = row.seat.holder
        now = holder and holder.public_id
        if "seen_holder" in fields and fields["seen_holder"] != now:
            raise Stale(f"{holder or 'Nobody'} holds this seat by now. Nothing was changed.")
        eligible = {member.public_id: member for member in row.eligible}
        if fields["holder"] is not None and fields["holder"] not in {*eligible, now}:
            raise Invalid(
                "This person cannot take the seat: not an annotator, a rater of the batch already, "
                "or one who could have read its ratings."
            )
        if row.needs_reason and not fields["reason"].strip():
            raise Invalid("Say why the seat changes hands.")
        member = holder if fields["holder"] == now else eligible.get(fields["holder"])
        seats.assign_seat(
            seat=seat, member=member, by=request.user, reason=fields["reason"], seen_holder=holder
        )
        return Response(status=204)


class ReturnSeat(Endpoint):
    scope, roles = Scope.LEAD, LEAD

    @described(
        "return-seat",
        "Give a seat that is handed in back to its holder.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        request=Reason,
        tag="Lead",
    )
    def post(self, request: Any, slug: str, public_id: Any) -> Response:
        seat = get_seat_for_lead(request.user, public_id)
        of_collection(seat.batch.collection, slug)
        changeable_seat(self.viewer.member, seat)
        seats.return_seat(seat=seat, by=request.user, **sent(request, Reason))
        return Response(status=204)


class LockTopic(Endpoint):
    scope, roles = Scope.LEAD, LEAD

    @described(
        "lock-topic",
        "End all changes to a topic: its gold is final.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        request=None,
        tag="Lead",
    )
    def post(self, request: Any, slug: str, public_id: Any) -> Response:
        topic = get_topic_for_lead(request.user, public_id)
        of_collection(topic.collection, slug)
        batches.lock_topic(topic=topic, by=request.user)
        return Response(status=204)


class UnlockTopic(Endpoint):
    scope, roles = Scope.LEAD, LEAD

    @described(
        "unlock-topic",
        "Let a topic's decisions be changed again.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        request=Reason,
        tag="Lead",
    )
    def post(self, request: Any, slug: str, public_id: Any) -> Response:
        topic = get_topic_for_lead(request.user, public_id)
        of_collection(topic.collection, slug)
        batches.unlock_topic(topic=topic, by=request.user, **sent(request, Reason))
        return Response(status=204)


class ReopenPair(Endpoint):
    scope, roles = Scope.LEAD, LEAD

    @described(
        "reopen-pair",
        "Withdraw the decision on a pair; it stays in the history.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        request=Reason,
        tag="Lead",
    )
    def post(self, request: Any, slug: str, public_id: Any) -> Response:
        pair = get_pair_for_lead(request.user, public_id)
        of_collection(pair.topic.collection, slug)
        reopen(pair=pair, by=request.user, **sent(request, Reason))
        return Response(status=204)
