"""Every endpoint has an example in docs/api.md, and every example there does what it says."""

import json
import re
import uuid
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from adjudication.actions import decide
from annotation.assigning.actions.batches import lock_topic, make_batches
from annotation.collections.actions import start_collection
from annotation.models import MachineRun
from api.page import schema
from audit.models import Event
from datasets.actions import change_programs, invite
from datasets.models import SCOPES_OF, Import, Membership, Role, Scope
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from jobs.models import Job
from releases.actions import make_export
from tests.adjudication.audits import make_audit
from tests.factories.definitions import add_binary, grades_of
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import (
    assign_all,
    make_aspect_query,
    make_aspect_study,
    make_member,
    make_study,
    make_topic,
)
from tests.factories.tokens import program_of, token_of
from webhooks.actions import add_hook, send_test

DOCS = Path(__file__).resolve().parent.parent.parent / "docs" / "api.md"
BLOCK = re.compile(
    r"```http\n# by ([^\n]+)\n(\w+) /api/v1(\S+)\n((?:[\w-]+: [^\n]+\n)*)"
    r"((?:(?!```).)*?)\n→ (\d+)\n```",
    re.S,
)
EXAMPLES = [match.groups() for match in BLOCK.finditer(DOCS.read_text())]
FILES = {
    "documents.csv": b"id,title,text\nd9,A title,A text.\n",
    "bm25.run": b"q1_method Q0 q1c1 1 3.0 dense\n",
    "nist.txt": b"q1_method 0 q1c1 2\n",
    "corpus.jsonl": b'{"_id": "d9", "title": "A title", "text": "A text."}\n',
    "doris-mae.json": b'{"Annotation": []}',
}

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def world():
    """A study in which every kind of object is: one topic finished and decided, one in dispute,
    one locked, one being rated, one without seats; and a query of aspects that nobody rates."""
    study = make_study(facets=("method", "result"), assign=False)
    collection, lena = study.collection, study.lena
    for number in range(2, 5):
        make_topic(collection, query_id=f"q{number}")
    batches = make_batches(collection=collection, by=lena)
    decided, disputed, locked, running, free = batches[:5]
    assign_all(study, [decided, disputed, locked, running], ["alice", "bob"])
    for batch, values in ((decided, [0, 3, 1]), (disputed, [0, 3, 1]), (locked, [0, 1, 1])):
        study.finish(batch, alice=[0, 1, 1], bob=values)
    dispute = decided.pairs.get(state="disputed")
    decision = decide(pair=dispute, by=study.carol, save_id=uuid.uuid4(), option=study.option(1))
    topic = locked.pairs.first().topic
    lock_topic(topic=topic, by=lena)
    change_programs(collection=collection, by=lena, programs_may_rate=True)
    topics = collection.topics.exclude(pk=topic.pk)  # a pool adds nothing to the locked one
    ranked = {topic.external_id: ["q1c1", "q1c2"] for topic in topics}
    run = add_run(collection=collection, run=run_of(ranked), by=lena).run
    grades = judgments_of({name: {"q1c1": "1"} for name in ranked}, name="own")
    judged = add_judgments(collection=collection, judgments=grades, by=lena).judgment_set
    make_topic(collection, query_id="q9")  # its pairs wait for a batch
    flagged = study.rate("bob", running.pairs.first(), 1, is_flagged=True).rating
    member = make_member(collection, "Dora", "annotator")
    invitation, _ = invite(collection=collection, role="annotator", by=lena)
    brought = Import.objects.create(
        collection=collection, kind="tables", fingerprint="a", state="active",
        activated_at=collection.created_at,
    )  # fmt: skip
    export = make_export(
        collection=collection, export_format="trec", by=lena, allow_incomplete=True
    )
    audit = make_audit(study, size=1, control_count=0)
    hook, _ = add_hook(
        collection=collection, address="https://example.org/", kinds=["batch.completed"], by=lena
    )
    add_binary(collection, by=lena)
    ids = {
        "members": study.members["bob"],
        "invitations": invitation,
        "documents": collection.documents.first(),
        "queries": collection.queries.first(),
        "topics": collection.topics.first(),
        "member": member,
        "imports": brought,
        "jobs": Job.objects.create(kind="export", collection=collection.public_id, created_by=lena),
        "pairs": decided.pairs.first(),
        "batches": decided,
        "seats": decided.seats.first(),
        "free": free.seats.first(),
        "own": running.seats.get(holder=study.members["alice"]),
        "disputed": disputed.pairs.get(state="disputed"),
        "decided": dispute,
        "locked": topic,
        "ratings": decided.pairs.first().ratings.first(),
        "decisions": decision,
        "systems": run.system,
        "runs": run,
        "judgments": judged,
        "machine": MachineRun.objects.create(collection=collection, model="m", name="r"),
        "exports": export,
        "imported": Membership.objects.create(
            collection=collection, name="Ida", external_id="ida", is_annotator=True
        ),
        "adjudicator": study.members["carol"],
        "waiting": free,
        "contested": disputed.pairs.first().topic,
        "flagged": flagged,
        "audits": audit,
        "audited": audit.audited_pairs.get(),
        "hooks": hook,
        "deliveries": send_test(hook=hook, by=lena),
    }
    names = {name: str(row.public_id) for name, row in ids.items()}
    names |= {"uuid": str(uuid.uuid4()), "option": study.option(1).key}
    ada = type(lena).objects.get(email="ada@example.org")
    _, admin = token_of(None, account=ada)
    start_collection(by=ada, name="Empty", slug="empty", scheme="csfcube")
    aspects = make_aspect_study()
    query = make_aspect_query(aspects.collection, query_id="1", tree={"90": []})
    bare = make_aspect_query(aspects.collection, query_id="2", tree={})
    names |= {
        "query": str(query.public_id),
        "bare": str(bare.public_id),
        "place": str(query.places.get().pk),
        "links": json.dumps([["90"]] * len(query.sentences)),
        "grades": json.dumps(grades_of(collection.scheme, float)),
    }
    programs = {
        "a lead of aspects": program_of(aspects.members["lena"]),
        "a lead": program_of(study.members["lena"]),
        "an annotator": program_of(study.members["alice"]),
        "an adjudicator": program_of(study.members["carol"]),
        "a site admin": Client(headers={"Authorization": f"Bearer {admin}"}),
    }
    return names, programs


def test_every_endpoint_has_an_example():
    shown = {(method, _pattern(path)) for _, method, path, *_ in EXAMPLES}
    endpoints = {
        (method.upper(), _pattern(path))
        for path, methods in schema()["paths"].items()
        for method in methods
    }

    assert {endpoint for endpoint in endpoints if not _is_among(endpoint, shown)} == set()


def _pattern(path):
    return tuple(re.sub(r"\{[^}]*\}", "*", part) for part in path.partition("?")[0].split("/"))


def _is_among(endpoint, shown):
    """Whether an address of an example fits the endpoint's, whose arguments stand for anything."""
    method, parts = endpoint
    return any(
        method == other
        and len(parts) == len(example)
        and all(part in ("*", given) for part, given in zip(parts, example, strict=True))
        for other, example in shown
    )


def test_every_example_does_what_it_says(world):
    """Each in a state of its own; and sent again under its key, it acts no second time."""
    names, programs = world
    wrong = []
    for who, method, path, headers, body, status in EXAMPLES:
        with transaction.atomic():
            answer = _ask(programs[who], method, _filled(path, names), headers, body, names)
            if answer.status_code != int(status):
                wrong.append(f"{method} {path}: {answer.status_code} {answer.content[:300]}")
            elif answer.streaming:
                answer.getvalue()
            elif method != "GET" and answer.status_code < 300 and not path.endswith("/preview"):
                events = Event.objects.count()
                again = _ask(programs[who], method, _filled(path, names), headers, body, names)
                if (again.status_code, again.content) != (answer.status_code, answer.content):
                    wrong.append(f"{method} {path} again: {again.status_code} {again.content}")
                if Event.objects.count() > events:
                    wrong.append(f"{method} {path} again: acts a second time")
            transaction.set_rollback(True)
    assert wrong == []
    assert len(EXAMPLES) > 140


def _filled(text, names):
    for name, value in names.items():
        text = text.replace("{" + name + "}", value)
    return text


def _ask(program, method, path, headers, body, names):
    given = dict(line.split(": ", 1) for line in _filled(headers, names).splitlines())
    if method != "GET":
        given.setdefault("Idempotency-Key", names["uuid"])
    body = _filled(body.strip(), names)
    address = f"/api/v1{path}"
    if body.startswith("file"):
        fields = dict(line.split(": ", 1) for line in body.splitlines())
        field, name = next(iter(fields.items()))
        fields[field] = SimpleUploadedFile(name, FILES[name])
        return program.post(address, fields, headers=given)
    content = {"content_type": "application/json"} if body else {}
    sent = json.dumps(json.loads(body)) if body else ""
    return program.generic(method, address, sent, headers=given, **content)


def test_every_scope_is_named_with_the_roles_that_it_is_of_use_to():
    rows = re.findall(r"^\| `([\w:]+)` \| .+ \| ([\w ,]+) \|$", DOCS.read_text(), re.M)
    people = {Role.LEAD: "leads", Role.ANNOTATOR: "annotators", Role.ADJUDICATOR: "adjudicators"}
    of_use = {
        scope: {words for role, words in people.items() if scope in SCOPES_OF[role]}
        for scope in Scope
    }
    of_use[Scope.COLLECTIONS] = {"site admins"}

    assert {name: set(who.split(", ")) for name, who in rows} == {
        **of_use, Scope.READ: {"all"}
    }  # fmt: skip


def test_every_status_of_a_refusal_is_named():
    refusals = re.search(r"A refusal is a problem.*?503", DOCS.read_text(), re.DOTALL)[0]
    answers = {
        status
        for methods in schema()["paths"].values()
        for operation in methods.values()
        for status in operation["responses"]
        if status >= "4"
    }

    # Of no endpoint of its own: another method, an error of the server, and an outage.
    assert set(re.findall(r"\b[45]\d\d\b", refusals)) == answers | {"405", "500", "503"}


def test_every_write_says_what_it_takes():
    """Fields that several writes share are in the schema of each."""
    properties = {
        operation["operationId"]: _fields(operation["requestBody"])
        for methods in schema()["paths"].values()
        for operation in methods.values()
        if "requestBody" in operation
    }

    assert {name for name, fields in properties.items() if not fields} == set()
    assert properties["change-mapping"] == properties["add-mapping"] == {"name", "grades"}


def _fields(body):
    [content] = body["content"].values()
    name = content["schema"]["$ref"].rpartition("/")[2]
    return set(schema()["components"]["schemas"][name].get("properties", {}))
