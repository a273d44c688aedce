"""A lead who rates learns from no page and no refusal how far the others of the batch are."""

import json
import re

import pytest
from django.db import transaction

from annotation.assigning.actions.assign import hand_in
from annotation.assigning.actions.batches import make_batches, raise_overlap
from audit.chain import seal_trail
from datasets.actions import change_programs
from datasets.runs.actions import add_run
from releases.actions import write_export
from tests.factories.definitions import add_binary, add_ours
from tests.factories.runs import run_of
from tests.factories.studies import assign_all, make_aspect_study, make_member, make_study
from tests.factories.tokens import program_of, token_of
from tests.proof.permissions import MATRIX
from tests.proof.test_blindness import masked
from tests.proof.world import parameters_of
from webhooks.actions import add_hook
from webhooks.kinds import BY_NAME
from webhooks.outbox import collect

pytestmark = [pytest.mark.once, pytest.mark.django_db]

SENT = {
    "datasets:set-roles": [{"roles": ["lead"]}, {"roles": ["annotator", "lead"]}],
    "datasets:remove-member": [{}],
    "annotation:change-rules": [
        {"rule": "majority", "overlap": 2},
        {"rule": "adjudicate_all", "overlap": 3},
    ],
    "annotation:assign-seat": [{"reason": "because"}],
    "annotation:return-seat": [{"reason": "because"}, {}],
    "annotation:raise-overlap": [{"overlap": 5, "reason": "because"}, {"overlap": 1}],
    "annotation:waive-reading": [{"reason": "because"}],
    "annotation:unlock-topic": [{"reason": "because"}],
    "annotation:unlock-topics": [{"reason": "because"}],
    "annotation:link-sentences": [{"0": "0"}],
    "agreement:audits": [
        {"name": "A", "size": 1, "control_count": 0, "seed": "s", "adjudicators": "all"}
    ],
}
# What programs send, by method, where an empty object would say nothing.
BY_PROGRAM = {
    "api:members-row": [{"roles": ["lead"]}, {"roles": ["annotator", "lead"]}],
    "api:seats-row": [{"holder": None, "reason": "because"}],
    "api:return-seat": [{"reason": "because"}],
    "api:batches-row": [{"way": "document"}],
    "api:change-rules": [{"rule": "majority", "overlap": 3}],
    "api:collection": [{"name": "Another"}],
    "api:audits": [{"name": "A", "size": 1, "control_count": 0, "seed": "s", "adjudicators": []}],
    "api:preview-sample": [{"name": "S", "size": 1, "seed": "s"}],
    "api:draw-sample": [{"name": "S", "size": 1, "seed": "s"}],
    "api:draw-unjudged": [{"depth": 2}],
    "api:answer-flag": [{"kind": "reply", "text": "Yes."}],
    "api:raise-overlap": [{"overlap": 5, "reason": "because"}, {"overlap": 1, "reason": "because"}],
    "api:unlock-topic": [{"reason": "because"}],
    "api:unlock-topics": [{"reason": "because"}],
    "api:reopen-pair": [{"reason": "because"}],
    "api:exports": [{"format": "trec"}, {"format": "csv", "allow_incomplete": True}],
}
LEFT_OUT = {
    # What is made and shown once, has a name of its own at each go.
    *("datasets:invite", "datasets:link-member", "accounts:password-change"),
    *("webhooks:hooks", "webhooks:renew-secret", "api:hooks", "api:renew-secret"),
    "accounts:begin-second-factor",
    # After it she would be a stranger, to whom every page is the same.
    "accounts:sign-out",
}
# Asked of every page under --full: choices among pairs by what was rated.
FILTERS = [
    "channel=pages",
    "batch=handed-in&cannot-judge=drop&list=values&cell=0,2",
    "from=2020-01-01&version=1&values=seat:1&missing=lowest",
    "words=hm&order=widest&show=all",
]
RANDOM = re.compile(
    rb"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    rb'|(?<=name="seed" value=")\d+'
    rb"|(?<!\d)\d\d:\d\d(:\d\d)?(\.\d+)?(?!\d)"
)


@pytest.fixture(params=[pytest.param("facets", marks=pytest.mark.full), "aspects"])
def study(request):
    """A finished batch of Alice and Bob; one of Alice and Nora, who leads, with a free seat."""
    if request.param == "facets":
        study = make_study(facets=("method", "result"), assign=False)
        batches = make_batches(collection=study.collection, by=study.lena)
    else:
        study = make_aspect_study(annotators=["alice", "bob"], overlap=2)
        type(study.batch.seats.first()).objects.update(holder=None, handovers=9)
        batches = list(study.collection.batches.all()[:2])
        study.batch.tenures.model.objects.all().delete()
    study.members["nora"] = make_member(study.collection, "Nora", "lead", "annotator")
    study.members["dora"] = make_member(study.collection, "Dora", "adjudicator", "annotator")
    finished, running = batches
    assign_all(study, [finished], ["alice", "bob"])
    study.finish(finished, alice=[0, 1, 2], bob=[0, 2, 2])
    raise_overlap(batch=running, overlap=3, by=study.lena, reason="more")
    assign_all(study, [running], ["alice", "nora"])
    study.running = running
    rank_everything(study)
    add_hook(
        collection=study.collection, address="https://example.org/", kinds=BY_NAME, by=study.lena
    )
    study.hooks = study.collection.hooks.all()
    add_binary(study.collection, by=study.lena)
    add_ours(study.collection, key="binary", by=study.lena)
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    study.collection.refresh_from_db()
    study.token, _ = token_of(study.members["alice"])
    return study


def rank_everything(study):
    """Three runs over every topic, so that pages of runs have something to tell."""
    topics = {}
    for batch in study.collection.batches.all():
        for pair in batch.pairs.all():
            topics.setdefault(pair.topic.external_id, []).append(pair.document.external_id)
    for tag, step in {"up": 1, "down": -1, "again": 1}.items():
        rankings = {topic: documents[::step] for topic, documents in topics.items()}
        run = run_of(rankings, tag=tag)
        add_run(collection=study.collection, run=run, level="topics", by=study.lena)


def waits(study):
    pass


def rates(study):
    study.rate("alice", study.running.pairs.first(), 2, note="hm", is_flagged=True)


def rates_by_program(study):
    study.rate("alice", study.running.pairs.first(), 2, token=study.token)


def hands_in(study):
    study.rate_all("alice", [None, 2, 0], study.running)
    hand_in(seat=study.seat("alice", study.running), by=study.alice)


def objects(study):
    """Every object of the running batch that a route may take, by the route's own name."""
    running = study.running
    pair = running.pairs.first()
    return {
        "batch": [running],
        "set-way": [running],
        "raise-overlap": [running],
        "waive-reading": [running],
        "assign-seat": list(running.seats.all()),
        "return-seat": list(running.seats.all()),
        "topic": [pair.topic],
        "lock-topic": [pair.topic],
        "unlock-topic": [pair.topic],
        "pair": [pair],
        "pair-history": [pair],
        "hand-over": [study.members[name] for name in ("alice", "bob", "dora")],
        "reopen-pair": [pair],
        "set-roles": [study.members[name] for name in ("alice", "bob", "dora")],
        "remove-member": [study.members[name] for name in ("alice", "bob", "dora")],
        **{key: list(study.hooks) for key in ("hook", "turn-on", "turn-off", "send-test")},
        "members-row": [study.members[name] for name in ("alice", "bob", "dora")],
        "revoke-token": list(study.members["nora"].tokens.all()),
        "documents-row": [pair.document],
        "topics-row": [pair.topic],
        "pairs-row": list(running.pairs.all()),
        "batches-row": [running],
        "seats-row": list(running.seats.all()),
        "hooks-row": list(study.hooks),
        "link-member": [study.members[name] for name in ("alice", "bob", "dora")],
        "answer-flag": list(pair.ratings.all()) or [pair],
        "draw-unjudged": list(study.collection.systems.first().runs.all()),
        "own-seats-row": list(running.seats.all()),
        "own-pairs": list(running.seats.all()),
        "own-pair": list(running.seats.all()),
        "hand-in": list(running.seats.all()),
        "ratings-row": list(pair.ratings.all()) or [pair],
    }


def arguments(study, route, of_kind):
    """The arguments of a route for each object that it may take."""
    name = route.split(":")[-1]
    chosen = of_kind.get(name) or [study.collection.queries.first()]
    values = {"slug": study.collection.slug, "number": 1, "page": "disagreements"}
    values |= {
        "sheet": "confusion",
        "suffix": "csv",
        "figure": "scores",
        "key": "binary",
        "table": "documents",
        "token": "t",
        "position": 1,
        "place": 1,
        "name": "manifest.json",
    }
    for object_ in chosen:
        kwargs = values | {"public_id": object_.public_id}
        yield {name: kwargs[name] for name in parameters_of(route)}


def sent_by_program(nora, route, methods, address):
    for method in sorted(set(methods) - {"GET"}):
        for data in BY_PROGRAM.get(route, [{}]):
            with transaction.atomic():
                answer = nora.generic(method, address, json.dumps(data), "application/json")
                transaction.set_rollback(True)
            yield route, masked(answer)


def evening_of_nora(study, filters):
    from django.urls import reverse

    nora = program_of(study.members["nora"])
    nora.force_login(study.nora)
    of_kind = objects(study)
    for route, methods in MATRIX.items():
        is_hers = next(iter(methods.values())).allowed >= {"nora"}
        if not is_hers or route in LEFT_OUT or "seat_id" in parameters_of(route):
            continue
        for kwargs in arguments(study, route, of_kind):
            address = reverse(route, kwargs=kwargs)
            if "GET" in methods:
                yield route, masked(nora.get(address))
            if "GET" in methods and not route.startswith("api:"):
                for query in filters:
                    yield f"{route}?{query}", masked(nora.get(f"{address}?{query}"))
            if route.startswith("api:"):
                yield from sent_by_program(nora, route, methods, address)
                continue
            for data in SENT.get(route, [{}]) if "POST" in methods else []:
                data = dict(data)
                if route.endswith("assign-seat"):
                    seat = study.running.seats.get(public_id=kwargs["public_id"])
                    data["holder"] = seat.holder.public_id if seat.holder else ""
                    data["member"] = study.members["dora"].public_id
                if route.endswith("waive-reading"):
                    data["member"] = study.members["dora"].public_id
                with transaction.atomic():
                    answer = nora.post(address, data)
                    followed = nora.get(answer["Location"]) if answer.status_code == 302 else None
                    transaction.set_rollback(True)
                yield route, masked(answer)
                if followed:
                    yield route, masked(followed)
    assert nora.get("/").status_code == 200  # she was signed in all evening


def lived(study, act, filters):
    with transaction.atomic():
        act(study)
        seal_trail()
        collect()
        evening = [
            (route, status, body) for route, (status, _, _, body) in evening_of_nora(study, filters)
        ]
        transaction.set_rollback(True)
    return evening


def are_alike(mine, theirs):
    """Whether two answers are the same but for what is random; most are so byte for byte."""
    return mine == theirs or (
        mine[:2] == theirs[:2] and RANDOM.sub(b"", mine[2]) == RANDOM.sub(b"", theirs[2])
    )


def test_a_lead_who_rates_cannot_tell_what_the_others_did(study, stress):
    """After each act, on a push after one, she reads every page and sends every form, and her
    programs ask for the same."""
    filters = stress([], FILTERS)
    baseline = lived(study, waits, filters)

    for act in stress([hands_in], [rates, rates_by_program, hands_in]):
        evening = lived(study, act, filters)

        assert [route for route, *_ in evening] == [route for route, *_ in baseline]
        pairs = zip(evening, baseline, strict=True)
        differing = {mine[0] for mine, theirs in pairs if not are_alike(mine, theirs)}
        assert differing == set(), f"after {act.__name__}"


def exported(study, act, folder):
    """{name: bytes} of the files that Nora may make after an act of the others."""
    with transaction.atomic():
        act(study)
        for export_format in ("trec", "csv"):
            write_export(
                collection=study.collection,
                export_format=export_format,
                folder=folder / export_format,
                by=study.nora,
                allow_incomplete=True,
            )
        transaction.set_rollback(True)
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def test_no_export_tells_a_lead_who_rates_what_the_others_did(study, tmp_path):
    baseline = exported(study, waits, tmp_path / "before")

    files = exported(study, rates, tmp_path / "after")

    assert {"trec/manifest.json", "csv/manifest.json"} <= files.keys()
    assert files == baseline
