"""Handing out pairs: samples, chosen pairs, pools from runs, the plan."""

import secrets
from typing import Any

from rest_framework import serializers

from annotation.assigning.actions.assign import apply_plan
from annotation.assigning.plan import placements_of, propose
from annotation.models import Batch
from annotation.pooling.preview import preview
from annotation.pooling.reading import poolable_runs, read_material
from annotation.sampling.actions import draw_sample
from annotation.sampling.drawing import strata
from annotation.sampling.elsewhere.actions import hand_out_chosen
from annotation.sampling.elsewhere.forms import GivenPairsForm
from annotation.sampling.forms import SampleForm
from annotation.sampling.strata import By, drawable_pairs
from api.writes.call import Call, calling
from api.writes.fields import NEW_BATCH, NEW_BATCHES, ids, texts
from api.writes.forms import NewPoolForm
from api.writes.targets import JUDGED, RUN
from api.writes.write import HOME, ROW, Write
from audit.refusals import Refused
from imports.pooling import actions as pools
from imports.pooling.views import MAX_DEPTH, is_large
from jobs.models import Job

SAMPLE: dict[str, Any] = {
    "target": JUDGED,
    "form": SampleForm,
    "usual": {
        "overlap": lambda call: call.scheme.overlap,
        "stratify": lambda call: By.NOTHING,
        "parts": lambda call: 1,
        "way": lambda call: Batch.Way.BY_TOPIC,
        "seed": lambda call: str(secrets.randbelow(10**8)),
    },
}


class StratumRow(serializers.Serializer):
    name = serializers.CharField(allow_blank=True)
    size = serializers.IntegerField(help_text="How many of its pairs wait.")
    drawn = serializers.IntegerField(help_text="How many of them the sample takes.")


def _preview_sample(call: Call) -> dict[str, Any]:
    pairs = drawable_pairs(call.collection, By(call.fields["stratify"]))
    size = call.fields["size"]
    rows = strata(pairs, size) if size <= len(pairs) else []
    return {"waiting": len(pairs), "strata": rows}


class Placement(serializers.Serializer):
    seat = serializers.UUIDField(help_text="The public id of a free seat.")
    member = serializers.UUIDField(help_text="The public id of the member who gets it.")


class ShareRow(serializers.Serializer):
    member = serializers.UUIDField(source="member.public_id")
    before = serializers.IntegerField(help_text="Pairs in their seats now.")
    after = serializers.IntegerField(help_text="Pairs in their seats with the plan.")


def _preview_plan(call: Call) -> dict[str, Any]:
    people, batches = call.fields.get("people"), call.fields.get("batches")
    proposal = propose(
        call.member,
        chosen_people=None if people is None else {str(public_id) for public_id in people},
        chosen_batches={str(public_id) for public_id in batches} if batches else None,
    )
    return {
        "assignments": [
            {"seat": seat.public_id, "member": member.public_id}
            for seat, member in proposal.placements
        ],
        "people": proposal.people,
        "unfilled": proposal.unfilled,
    }


def _apply_plan(call: Call) -> None:
    entries = [
        (str(assignment["seat"]), str(assignment["member"]))
        for assignment in call.fields["assignments"]
    ]
    apply_plan(assignments=placements_of(call.member, entries), by=call.user)


POOL: dict[str, Any] = {
    "form": NewPoolForm,
    "options": lambda call: {"by_level": poolable_runs(call.collection)},
}


class CostRow(serializers.Serializer):
    way = serializers.CharField(source="key", help_text="As `how` takes it.")
    pairs = serializers.IntegerField()
    ratings = serializers.IntegerField(help_text="Of all seats.")


def _chosen_pool(call: Call) -> dict[str, Any]:
    pool = call.form.chosen
    if not pool["runs"]:
        raise Refused("There is no run from which a pool can be made.")
    return pool


def _preview_pool(call: Call) -> dict[str, Any]:
    choices = _chosen_pool(call)
    view = preview(
        collection=call.collection,
        material=read_material(call.collection, choices["runs"]),
        user=call.user,
        **choices,
    )
    return {
        "pairs": view.chosen.pairs,
        "new_pairs": view.new_pairs,
        "without_text": view.without_text,
        "large_topics": view.large_topics,
        "hours": dict(zip(view.paces, view.chosen.hours, strict=True)),
        "ways": view.costs,
    }


def _make_pool(call: Call) -> Job | pools.Made:
    choices = _chosen_pool(call)
    if is_large(choices):
        return pools.start_pool(collection=call.collection, by=call.user, **choices)
    return pools.make_pool(collection=call.collection, by=call.user, **choices)


def _draw_unjudged(call: Call) -> Batch:
    return pools.draw_unjudged(
        collection=call.collection, run=call.target, by=call.user, **call.fields
    )


WRITES = [
    Write(
        "preview-sample",
        "The pairs that a sample would take from each stratum. Nothing is written.",
        f"{HOME}/batches/sample/preview",
        _preview_sample,
        **SAMPLE,
        answer={
            "waiting": serializers.IntegerField(help_text="How many pairs wait for a batch."),
            "strata": StratumRow(many=True),
        },
        status=200,
    ),
    Write(
        "draw-sample",
        "Draw pairs that wait, at random, into one batch or several. The seed is kept.",
        f"{HOME}/batches/sample",
        calling(draw_sample, lambda drawn: {"batches": [batch.public_id for batch in drawn]}),
        **SAMPLE,
        answer=NEW_BATCHES,
    ),
    Write(
        "hand-out-given",
        "One batch of pairs that were chosen elsewhere: a line each, topic and document.",
        f"{HOME}/batches/given",
        calling(hand_out_chosen),
        JUDGED,
        form=GivenPairsForm,
        usual={"overlap": lambda call: call.scheme.overlap},
        answer=NEW_BATCH,
    ),
    Write(
        "preview-plan",
        "A balanced plan for the free seats. Nothing is written; send its assignments to apply it.",
        f"{HOME}/plan/preview",
        _preview_plan,
        JUDGED,
        fields={
            "people": ids("Members, by public id; by default those who only rate.", required=False),
            "batches": ids(
                "Batches, by public id; by default all with free seats.", required=False
            ),
        },
        answer={
            "assignments": Placement(many=True),
            "people": ShareRow(many=True),
            "unfilled": serializers.IntegerField(help_text="Seats for which nobody is left."),
        },
        status=200,
    ),
    Write(
        "apply-plan",
        "Assign many free seats, all of them or none.",
        f"{HOME}/plan",
        _apply_plan,
        JUDGED,
        fields={"assignments": Placement(many=True)},
    ),
    Write(
        "preview-pool",
        "The contents and the cost of a pool from runs. Nothing is written.",
        f"{HOME}/pools/from-runs/preview",
        _preview_pool,
        **POOL,
        answer={
            "pairs": serializers.IntegerField(help_text="That the pool asks for."),
            "new_pairs": serializers.IntegerField(help_text="That are not there yet."),
            "without_text": texts("Documents that nobody could rate."),
            "large_topics": texts(),
            "hours": serializers.DictField(
                child=serializers.FloatField(), help_text="Of all seats, by pace."
            ),
            "ways": CostRow(many=True),
        },
        status=200,
    ),
    Write(
        "make-pool",
        "Put the first documents of runs into the pools. The same again changes nothing. A "
        "large pool is made by a job.",
        f"{HOME}/pools/from-runs",
        _make_pool,
        **POOL,
        answer={
            "candidates": serializers.IntegerField(help_text="New ones."),
            "pairs": serializers.IntegerField(help_text="New ones, which wait for a batch."),
            "without_text": serializers.IntegerField(),
            "message": serializers.CharField(source="sentence"),
        },
        starts_job=True,
    ),
    Write(
        "draw-unjudged",
        "Hand out the unjudged ones of a run's first documents, in one batch.",
        f"{HOME}/runs/{ROW}/draw-unjudged",
        _draw_unjudged,
        RUN,
        fields={
            "depth": serializers.IntegerField(
                min_value=1, max_value=MAX_DEPTH, help_text="How many documents of each ranking."
            )
        },
        answer=NEW_BATCH,
    ),
]
