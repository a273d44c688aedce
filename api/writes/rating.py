"""Rating and handing in, by seat and position, where the collection lets programs rate."""

import json
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import serializers
from rest_framework.response import Response

from annotation.access import get_seat
from annotation.assigning.actions.assign import hand_in
from annotation.models import Seat
from annotation.rating.components import Met
from annotation.rating.rate import NO_PROGRAMS, rate_pair
from annotation.workbench.answers import OWN_REASON, reasons
from annotation.workbench.bench import Bench
from annotation.workbench.forms import RatingForm
from annotation.workbench.pages import text_contexts
from api.documentation import described
from api.endpoint import Endpoint
from api.writes.call import Call, Target
from api.writes.fields import choice, of_collection, refuse_no_choice
from api.writes.write import HOME, ROW, Write
from audit.refusals import Invalid
from datasets.models import Role, Scope

ANNOTATOR = (Role.ANNOTATOR,)
OWN_SEAT_AT = f"{HOME}/own-seats/{ROW}"


def bench_of(request: Any, slug: str, public_id: Any) -> Bench:
    seat = get_seat(request.user, public_id)
    of_collection(seat.batch.collection, slug)
    return Bench(seat)


def step_at(bench: Bench, position: int) -> Any:
    step = bench.walk.at(position)
    if step is None:
        raise Http404("This batch has no such pair.")
    return step


class PlaceRow(serializers.Serializer):
    position = serializers.IntegerField(help_text="The pair's address in the seat.")
    state = serializers.CharField(help_text="open, rated or cannot-judge.")
    is_flagged = serializers.BooleanField()


class OwnPairs(Endpoint):
    scope, roles = Scope.READ, ANNOTATOR

    @described(
        "list-own-pairs",
        "The pairs of your seat in the order in which you work through them.",
        answers={(200, "application/json"): PlaceRow(many=True)},
        tag="Rate",
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Response:
        bench = bench_of(request, slug, public_id)
        return Response(PlaceRow(bench.places, many=True).data)


class SentenceRow(serializers.Serializer):
    text = serializers.CharField()
    label = serializers.CharField(source="tag", allow_blank=True)


class ReadText(serializers.Serializer):
    title = serializers.CharField()
    sentences = SentenceRow(many=True)


class ReadQuery(serializers.Serializer):
    title = serializers.CharField(source="query")
    sentences = SentenceRow(many=True)
    description = serializers.CharField(
        source="query.description", allow_blank=True, help_text="TREC's description."
    )
    narrative = serializers.CharField(
        source="query.narrative", allow_blank=True, help_text="TREC's narrative."
    )


class SideText(serializers.Serializer):
    title = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)


class OptionRow(serializers.Serializer):
    key = serializers.CharField(help_text="What `answer` may be.")
    name = serializers.CharField()
    definition = serializers.CharField(allow_blank=True)


class OwnPairRow(serializers.Serializer):
    position = serializers.IntegerField()
    facet = serializers.CharField(allow_blank=True)
    question = serializers.CharField(help_text="The question, or the aspect.")
    query = ReadQuery()
    document = ReadText()
    side_text = SideText(allow_null=True, help_text="A text beside the document.")
    answers = OptionRow(many=True, help_text="Options, and reasons why it cannot be judged.")
    standing = serializers.JSONField(help_text="Your answer, and the version it is at.")


class ComponentFields(serializers.Serializer):
    text = serializers.CharField(allow_blank=True, help_text="A key component.")
    met = choice(Met, required=False, allow_blank=True, default="", help_text="How far it is met.")


class NewRating(serializers.Serializer):
    answer = serializers.CharField(
        help_text="The key of an option, or of a reason; cannot-judge:own with `own_reason`."
    )
    own_reason = serializers.CharField(required=False, max_length=200)
    based_on = serializers.IntegerField(
        min_value=0, help_text="The version of your answer that you read, 0 for none."
    )
    scheme_version = serializers.IntegerField(min_value=1, help_text="The version you read.")
    note = serializers.CharField(required=False, allow_blank=True, default="")
    is_flagged = serializers.BooleanField(required=False, default=False)
    active_seconds = serializers.DecimalField(
        required=False, max_digits=8, decimal_places=1, default=0
    )
    components = ComponentFields(many=True, required=False, default=list)


class OwnPair(Endpoint):
    scope, roles = Scope.READ, ANNOTATOR

    @described(
        "get-own-pair",
        "One pair of your seat as it is read: both texts, the question, and your answer.",
        answers={(200, "application/json"): OwnPairRow},
        tag="Rate",
    )
    def get(self, request: Any, slug: str, public_id: Any, position: int) -> Response:
        bench = bench_of(request, slug, public_id)
        [context] = text_contexts(bench, [step_at(bench, position)], known_keys=[])
        return Response(_as_read(context))


def _as_form(fields: dict[str, Any], save_id: Any) -> dict[str, Any]:
    form_fields = {name: value for name, value in fields.items() if name != "components"}
    for number, component in enumerate(fields["components"], 1):
        form_fields[f"component-{number}"] = component["text"]
        form_fields[f"met-{number}"] = component["met"]
    return form_fields | {"save_id": save_id}


def _as_read(context: dict[str, Any]) -> dict[str, Any]:
    reasons = [(reason.key, reason.name, "") for reason in context["reasons"]]
    options = [(choice.key, choice.words, choice.definition) for choice in context["choices"]]
    answers = [*options, *reasons, (OWN_REASON, "In your own words", "")]
    content = context | {
        "position": context["step"].position,
        "facet": context["facet_key"],
        "query": context["shown"],
        "document": document_of(context["document"], context["candidate_lens"]),
        "answers": [
            {"key": key, "name": name, "definition": definition}
            for key, name, definition in answers
        ],
        "standing": json.loads(context["standing"]),
    }
    return OwnPairRow(content).data


def document_of(document: Any, lens: Any) -> dict[str, Any]:
    sentences = [sentence for run in lens.runs for sentence in run.sentences]
    return {"title": document.title, "sentences": sentences}


def _own_seat(call: Call) -> Seat:
    seat = get_seat(call.user, call.public_id)
    of_collection(seat.batch.collection, call.arguments["slug"])
    return seat


def _place(call: Call) -> tuple[Bench, Any]:
    bench = Bench(_own_seat(call))
    return bench, step_at(bench, call.arguments["position"])


def _rate(call: Call) -> dict[str, Any]:
    bench, step = call.target
    options = [option.key for option in bench.terms.options_of(step.facet)]
    answers = [*options, *(reason.key for reason in reasons(bench.terms)), OWN_REASON]
    refuse_no_choice("answer", call.fields["answer"], answers)
    form = RatingForm(_as_form(call.fields, call.key), terms=bench.terms, facet=step.facet)
    if not form.is_valid():
        raise Invalid(form.sentence)
    revision = rate_pair(
        seat=bench.seat,
        pair_id=step.pair_id,
        by=call.user,
        position=step.number,
        token=call.request.auth,
        **form.rating,
    )
    return {"version": revision.version}


def _hand_in(call: Call) -> None:
    if not call.collection.programs_may_rate:
        raise PermissionDenied(NO_PROGRAMS)
    hand_in(seat=call.target, by=call.user)


OWN_SEAT = Target("seat", _own_seat)
WRITES = [
    Write(
        "rate-pair",
        "Keep your answer to a pair. `Idempotency-Key` (a UUID) is the save's own: sent again, it "
        "is the same save. Such ratings say that a program sent them.",
        f"{OWN_SEAT_AT}/pairs/<int:position>",
        _rate,
        Target("place", _place),
        fields=NewRating,
        answer={
            "version": serializers.IntegerField(
                help_text="The version that the next change is based on."
            )
        },
        status=200,
        method="put",
        scope=Scope.RATE,
        has_save_id=True,
    ),
    Write(
        "hand-in",
        "Close your seat. Every pair needs an answer first.",
        f"{OWN_SEAT_AT}/hand-in",
        _hand_in,
        OWN_SEAT,
        scope=Scope.RATE,
    ),
]
