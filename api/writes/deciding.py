"""The adjudicator's queue and decisions."""

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.response import Response

from adjudication import actions
from adjudication.access import get_topic
from adjudication.audits.desk import AuditDesk
from adjudication.audits.querysets import readable_entries
from adjudication.desk import Desk, QueueDesk, form_of
from adjudication.forms import LEAVE_OUT
from adjudication.models import AuditedPair
from adjudication.querysets import queue_pairs
from api.columns import Column, Convert, Kind
from api.documentation import described
from api.endpoint import Endpoint
from api.resources.resource import Resource, Row
from api.viewer import Viewer
from api.writes.call import Call, Target
from api.writes.fields import of_collection, refuse_no_choice
from api.writes.rating import OptionRow, ReadQuery, ReadText, SideText, document_of
from api.writes.write import HOME, ROW, Write
from audit.refusals import Invalid
from datasets.models import Role, Scope

ADJUDICATOR = (Role.ADJUDICATOR,)


def _queue(viewer: Viewer) -> list[Row]:
    columns = ("public_id", "topic__external_id", "topic__facet", "document__title")
    return list(queue_pairs(member=viewer.member).values_list(*columns))


QUEUE = Resource(
    "adjudication",
    "The disputed pairs that wait for you, topic by topic, in the order of the pages.",
    (
        Column("pair", "The pair's public id.", Kind.ID),
        Column("topic", "The topic.", Kind.TEXT),
        Column("facet", "Its facet; empty for an aspect."),
        Column("title", "The document's title."),
    ),
    _queue,
    scope=Scope.ADJUDICATE,
    roles=ADJUDICATOR,
)


def _audit_pairs(viewer: Viewer) -> list[AuditedPair]:
    entries = readable_entries(viewer.member).filter(audit__collection=viewer.collection)
    entries = entries.select_related("audit", "pair__topic", "pair__document")
    return list(entries.order_by("audit", "position"))


def _is_decided(viewer: Viewer) -> Convert:
    return lambda decision: decision is not None


AUDIT_PAIRS = Resource(
    "audit-pairs",
    "The pairs of open audits that wait for you or that you decided, in their shuffled order.",
    (
        Column("pair", "By which it is asked for and decided.", Kind.ID, "public_id"),
        Column("audit", "The audit's name.", path="audit__name"),
        Column("topic", "The topic.", path="pair__topic__external_id"),
        Column("facet", "Its facet; empty for an aspect.", path="pair__topic__facet"),
        Column("title", "The document's title.", path="pair__document__title"),
        Column("is_decided", "Whether you decided it.", Kind.FLAG, "decision_id", _is_decided),
    ),
    _audit_pairs,
    scope=Scope.ADJUDICATE,
    roles=ADJUDICATOR,
)


class GivenRow(serializers.Serializer):
    letter = serializers.CharField(help_text="Stands for who rated.")
    option = serializers.CharField(source="rating.option.key", allow_null=True)
    value = serializers.FloatField(source="rating.option.value", allow_null=True)
    cannot_judge = serializers.CharField(source="rating.cannot_judge", allow_blank=True)
    note = serializers.CharField(source="rating.note", allow_blank=True)
    is_flagged = serializers.BooleanField(source="rating.is_flagged")
    components = serializers.JSONField(source="rating.components")


class StandingDecision(serializers.Serializer):
    id = serializers.UUIDField(
        source="public_id", help_text="The decision that a change is based on."
    )
    option = serializers.CharField(source="option.key", allow_null=True)
    cause = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)


class CauseRow(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()


class CaseRow(serializers.Serializer):
    id = serializers.UUIDField()
    topic = serializers.CharField()
    facet = serializers.CharField(allow_blank=True)
    question = serializers.CharField(allow_blank=True)
    query = ReadQuery()
    document = ReadText()
    side_text = SideText(allow_null=True, help_text="A text beside the document.")
    options = OptionRow(many=True)
    causes = CauseRow(many=True)
    ratings = GivenRow(
        many=True,
        allow_null=True,
        help_text="Without names; null while the scheme asks for a first grade of your own.",
    )
    decision = StandingDecision(allow_null=True, help_text="Your own that stands.")
    reopened = serializers.CharField(
        allow_null=True, help_text="Why a lead reopened the pair, while no decision stands again."
    )


class NewDecision(serializers.Serializer):
    option = serializers.CharField(
        allow_null=True, help_text="The key of an option; null leaves the pair out."
    )
    cause = serializers.CharField(required=False, allow_blank=True, default="")
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        help_text="The rationale, or why the pair is left out.",
    )
    based_on = serializers.UUIDField(
        required=False, allow_null=True, help_text="The id of the decision that it changes."
    )


class Case(Endpoint):
    scope, roles = Scope.ADJUDICATE, ADJUDICATOR
    desk: ClassVar[type[Desk]] = QueueDesk

    @described(
        "get-case",
        "One pair as its adjudicator reads it: texts, options, ratings without names.",
        answers={(200, "application/json"): CaseRow},
        tag="Adjudicate",
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Response:
        case = self.desk(request).case_of(public_id)
        of_collection(case.pair.topic.collection, slug)
        return Response(_as_read(case))


class AuditPair(Case):
    desk = AuditDesk

    @described(
        "get-audit-pair",
        "One pair of an audit as its adjudicator reads it: texts and options, no ratings.",
        answers={(200, "application/json"): CaseRow},
        tag="Adjudicate",
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Response:
        return super().get(request, slug, public_id)


def _as_read(case: Any) -> dict[str, Any]:
    topic = case.pair.topic
    content = {
        "id": case.key,
        "topic": topic.external_id,
        "facet": topic.facet,
        "question": case.question or topic.text,
        "query": case.shown,
        "document": document_of(case.pair.document, case.candidate_lens),
        "side_text": case.side_text,
        "options": [
            {"key": choice.option.key, "name": choice.words, "definition": choice.definition}
            for choice in case.choices
        ],
        "causes": case.scale.words.causes,
        "ratings": case.raters,
        "decision": case.decision,
        "reopened": case.reopened and case.reopened.reopening_reason,
    }
    return CaseRow(content).data


def _case_at(desk: type[Desk]) -> Target:
    def case_of(call: Call) -> Any:
        case = desk(call.request).case_of(call.public_id, to_decide=True)
        of_collection(case.pair.topic.collection, call.arguments["slug"])
        return case

    return Target("case", case_of)


def _take_topic(call: Call) -> dict[str, bool]:
    hold = actions.take_topic(topic=call.target, by=call.user)
    return {"is_yours": hold.adjudicator.user_id == call.user.pk}


def _decide(call: Call) -> dict[str, Any]:
    case, fields = call.target, call.fields
    refuse_no_choice("option", fields["option"], [row.option.key for row in case.choices])
    refuse_no_choice("cause", fields["cause"], [cause.key for cause in case.scale.words.causes])
    option = LEAVE_OUT if fields["option"] is None else fields["option"]
    form_fields = fields | {"option": option, "save_id": call.key}
    form = form_of(case, {name: value for name, value in form_fields.items() if value is not None})
    if not form.is_valid():
        raise Invalid(form.sentence)
    if case.asks_first_value and not form.leaves_out:
        actions.give_first_value(pair=case.pair, by=call.user, option=form.chosen)
        return {"kept": "first grade", "id": None}
    decision = case.decide(by=call.user, **form.decision)
    return {"kept": "decision", "id": decision.public_id}


TOPIC = Target(
    "topic", lambda call: get_topic(call.user, call.arguments["slug"], call.public_id)[1]
)
DECIDING: dict[str, Any] = {
    "fields": NewDecision,
    "answer": {
        "kept": serializers.CharField(
            help_text="decision, or first grade where the scheme asks for one before the ratings."
        ),
        "id": serializers.UUIDField(allow_null=True, help_text="The decision's public id."),
    },
    "status": 200,
    "scope": Scope.ADJUDICATE,
    "has_save_id": True,
}
WRITES = [
    Write(
        "decide",
        "Set the gold of a disputed pair, or leave it out. `Idempotency-Key` (a UUID) is the "
        "save's own: sent again, it is the same decision.",
        f"{HOME}/adjudication/{ROW}",
        _decide,
        _case_at(QueueDesk),
        **DECIDING,
    ),
    Write(
        "decide-audit-pair",
        "Decide a pair of an audit from its texts alone, by an `Idempotency-Key` as in the queue.",
        f"{HOME}/audit-pairs/{ROW}",
        _decide,
        _case_at(AuditDesk),
        **DECIDING,
    ),
    Write(
        "take-topic",
        "Let others see for half an hour that you work on a topic.",
        f"{HOME}/adjudication/topics/{ROW}/take",
        _take_topic,
        TOPIC,
        answer={"is_yours": serializers.BooleanField(help_text="false: somebody else has it.")},
        status=200,
        scope=Scope.ADJUDICATE,
    ),
]
