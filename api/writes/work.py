"""Batches and seats, locks, what a lead does while people rate."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from adjudication.actions import reopen
from annotation.assigning.actions import assign as seats
from annotation.assigning.actions import batches, waive
from annotation.assigning.actions.hand_over import hand_over
from annotation.assigning.forms import HandOverForm, OverlapForm, WaiverForm
from annotation.assigning.seats import assignable_members, batch_rows, changeable_seat
from annotation.flags.actions import answer_flag
from annotation.flags.forms import FlagAnswerForm
from annotation.forms import MAX_REASON_LENGTH, ReasonForm
from annotation.models import Seat
from annotation.progress.figures import Figures
from api.writes.call import Call, Target, calling
from api.writes.fields import NEW_BATCHES, ids, texts
from api.writes.targets import BATCH, FLAGGED, HOLDER, JUDGED, PAIR, SEAT, TOPIC
from api.writes.write import HOME, ROW, Write
from audit.refusals import Invalid
from datasets.models import Topic


def _make_batches(call: Call) -> dict[str, Any]:
    names = call.fields.get("topics")
    topics = None
    if names is not None:
        topics = Topic.objects.filter(collection=call.collection, external_id__in=names)
        stored_ids = set(topics.values_list("external_id", flat=True))
        if unknown := [name for name in names if name not in stored_ids]:
            raise Invalid(f"There is no topic {unknown[0]!r}.")
    new_batches = batches.make_batches(collection=call.collection, by=call.user, topics=topics)
    return {"batches": [batch.public_id for batch in new_batches]}


def _names(topics: Iterable[Topic]) -> dict[str, list[str]]:
    return {"topics": [topic.external_id for topic in topics]}


def _assign_seat(call: Call) -> None:
    fields, row = call.fields, changeable_seat(call.member, call.target)
    seats.assign_shown(
        row=row,
        seat=call.target,
        seen=fields.get("seen_holder", row.seat.holder and row.seat.holder.public_id),
        to=fields["holder"],
        reason=fields["reason"],
        by=call.user,
    )


def _changeable(call: Call) -> Seat:
    """The seat's row; 404 where even a refusal would tell something."""
    seat = SEAT.load(call)
    changeable_seat(call.member, seat)
    return seat


def _hand_over(call: Call) -> dict[str, Any]:
    moved = hand_over(
        holder=call.target, to=call.form.chosen, by=call.user, reason=call.fields["reason"]
    )
    return {
        "seats": [seat.public_id for seat in moved.seats],
        "left": [{"seat": seat.public_id, "reason": reason} for seat, reason in moved.kept_seats],
    }


def _others(call: Call) -> dict[str, Any]:
    members = assignable_members(call.collection)
    return {"people": [member for member in members if member.pk != call.target.pk]}


def _waivable(call: Call) -> dict[str, Any]:
    [row] = batch_rows(Figures(call.member), batch=call.target)
    return {"members": row.waivable}


class Left(serializers.Serializer):
    seat = serializers.UUIDField()
    reason = serializers.CharField(help_text="Why it stays where it is.")


WRITES = [
    Write(
        "make-batches",
        "A batch per topic from the pairs that no batch holds yet.",
        f"{HOME}/batches",
        _make_batches,
        JUDGED,
        fields={"topics": texts("Only pairs of these topics; by default of all.", required=False)},
        answer=NEW_BATCHES,
    ),
    Write(
        "raise-overlap",
        "Add seats to a batch; its pairs wait for them.",
        f"{HOME}/batches/{ROW}/overlap",
        calling(batches.raise_overlap),
        BATCH,
        form=OverlapForm,
    ),
    Write(
        "set-way",
        "Switch the order in which the pairs of a batch are worked through.",
        f"{HOME}/batches/{ROW}",
        calling(batches.set_way),
        BATCH,
        fields={"way": serializers.CharField(help_text="topic or document.")},
        method="patch",
    ),
    Write(
        "waive-reading",
        "Let somebody rate in a batch who could have read its ratings. It stands for good.",
        f"{HOME}/batches/{ROW}/waivers",
        calling(waive.waive_reading),
        BATCH,
        form=WaiverForm,
        options=_waivable,
        answer={
            "id": serializers.UUIDField(source="public_id", help_text="The waiver's public id.")
        },
    ),
    Write(
        "hand-over",
        "Give all open seats of somebody who leaves to another member, or free them.",
        f"{HOME}/members/{ROW}/hand-over",
        _hand_over,
        HOLDER,
        form=HandOverForm,
        options=_others,
        answer={"seats": ids("The seats that changed hands."), "left": Left(many=True)},
        status=200,
    ),
    Write(
        "assign-seat",
        "Give a seat to a member, pass it on, or free it.",
        f"{HOME}/seats/{ROW}",
        _assign_seat,
        SEAT,
        fields={
            "holder": serializers.UUIDField(
                allow_null=True,
                help_text="The public id of the member who gets it; null frees it.",
            ),
            "seen_holder": serializers.UUIDField(
                allow_null=True,
                required=False,
                help_text="The holder when you looked; 409 if it is somebody else by now.",
            ),
            "reason": serializers.CharField(
                required=False,
                default="",
                allow_blank=True,
                max_length=MAX_REASON_LENGTH,
                help_text="Why it changes hands; needed once it has ratings.",
            ),
        },
        method="patch",
    ),
    Write(
        "return-seat",
        "Give a seat that is handed in back to its holder.",
        f"{HOME}/seats/{ROW}/return",
        calling(seats.return_seat),
        Target("seat", _changeable),
        form=ReasonForm,
    ),
    Write(
        "lock-topic",
        "End all changes to a topic: its gold is final.",
        f"{HOME}/topics/{ROW}/lock",
        calling(batches.lock_topic),
        TOPIC,
    ),
    Write(
        "lock-done-topics",
        "Lock every topic that is done.",
        f"{HOME}/topics/lock-done",
        calling(batches.lock_done_topics, _names),
        answer={"topics": texts("The topics that are locked now.")},
        status=200,
    ),
    Write(
        "unlock-topics",
        "Let the decisions of every locked topic be changed again.",
        f"{HOME}/topics/unlock",
        calling(batches.unlock_topics, _names),
        form=ReasonForm,
        answer={"topics": texts("The topics that are unlocked now.")},
        status=200,
    ),
    Write(
        "unlock-topic",
        "Let a topic's decisions be changed again.",
        f"{HOME}/topics/{ROW}/unlock",
        calling(batches.unlock_topic),
        TOPIC,
        form=ReasonForm,
    ),
    Write(
        "reopen-pair",
        "Withdraw the decision on a pair; it stays in the history.",
        f"{HOME}/pairs/{ROW}/reopen",
        calling(reopen),
        PAIR,
        form=ReasonForm,
    ),
    Write(
        "answer-flag",
        "Answer the flag of a rating. Its annotator reads it once their seat is handed in.",
        f"{HOME}/ratings/{ROW}/answer-flag",
        calling(answer_flag),
        FLAGGED,
        form=FlagAnswerForm,
        answer={
            "id": serializers.UUIDField(source="public_id", help_text="The answer's public id.")
        },
    ),
]
