"""One study from nothing to qrels by programs alone; people only sign in and make tokens."""

import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from datasets.actions import accept_invitation, change_programs
from datasets.models import Collection
from datasets.tokens.actions import make_token
from jobs.running import run_job
from tests.factories.studies import make_user
from tests.factories.tokens import program, program_of

HOME = "/api/v1/collections/small"
TABLES = {
    "documents.csv": "id,title,text\n"
    + "".join(f"d{n},Title {n},What is done. How it is done.\n" for n in range(1, 4)),
    "queries.csv": 'id,text,facets\nq1,How do people search?,"[""method""]"\n',
    "pool.csv": "query,document,source\nq1,d1,bm25\nq1,d2,bm25\nq1,d3,bm25\n",
}
JSON = {"content_type": "application/json"}

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def done(answer, status):
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def finished_job(asking, answer):
    """What became of the job of a 202, which a worker would have done meanwhile."""
    job = done(answer, 202)
    run_job(job["id"])
    outcome = done(asking.get(job["address"]), 200)
    assert (outcome["state"], outcome["error"]) == ("done", "")
    return outcome


def create(ada):
    """The collection, and its first lead's program."""
    _, token = make_token(
        account=ada, membership=None, name="setup", scopes=["collections"], days=1
    )
    started = done(
        program(token).post(
            "/api/v1/collections",
            {"name": "Small", "slug": "small", "scheme": "csfcube"},
            **JSON,
        ),
        201,
    )
    lena = make_user("Lena")
    member = accept_invitation(token=started["link"].rstrip("/").rpartition("/")[2], by=lena)
    return program_of(member)


def bring_in(lead, tables=TABLES):
    files = [SimpleUploadedFile(name, text.encode()) for name, text in tables.items()]
    key = {"Idempotency-Key": str(uuid.uuid4())}
    answer = lead.post(f"{HOME}/imports", {"files": files}, headers=key)
    return finished_job(lead, answer)


def rows(asking, path):
    return done(asking.get(f"{HOME}/{path}"), 200)["results"]


def seat_people(lead):
    """The accounts of three people join, and two of them take the seats of every batch."""
    people = {name: make_user(name) for name in ("Alice", "Bob", "Carol")}
    lines = "alice@example.org\nbob@example.org\ncarol@example.org adjudicator"
    joined = done(lead.post(f"{HOME}/members", {"people": lines}, **JSON), 201)["joined"]
    assert len(joined) == 3
    done(lead.post(f"{HOME}/batches", {}, **JSON), 201)
    for seat, member in zip(rows(lead, "seats"), joined, strict=False):
        done(lead.patch(f"{HOME}/seats/{seat['id']}", {"holder": member}, **JSON), 204)
    members = Collection.objects.get(slug="small").memberships
    return {name: program_of(members.get(user=user)) for name, user in people.items()}


def rate_all(annotator, grades):
    """Rate what waits, by title, and hand in."""
    [seat] = rows(annotator, "own-seats")
    home = f"{HOME}/own-seats/{seat['id']}"
    for place in done(annotator.get(f"{home}/pairs"), 200):
        address = f"{home}/pairs/{place['position']}"
        pair = done(annotator.get(address), 200)
        answer = {
            "answer": pair["answers"][grades[pair["document"]["title"]]]["key"],
            "based_on": pair["standing"]["version"],
            "scheme_version": seat["scheme_version"],
        }
        key = {"Idempotency-Key": str(uuid.uuid4())}
        for _ in range(2):  # a repetition is the same save
            saved = done(annotator.put(address, answer, headers=key, **JSON), 200)
            assert saved == {"version": 1}
    done(annotator.post(f"{home}/hand-in", **JSON), 204)


def test_an_import_says_what_its_dry_run_would(django_user_model):
    lead = create(make_user("Ada", is_site_admin=True))
    twice = TABLES["pool.csv"] + "q1,d3,bm25\nq1,d4,bm25\n"
    nothing = {"queries2.csv": "id,text\n"}

    first = bring_in(lead, TABLES | {"pool.csv": twice} | nothing)["message"]
    again = bring_in(lead, TABLES | {"pool.csv": twice + "\n"} | nothing)["message"]

    for message, sentence in ((first, "Added 3 documents"), (again, "Everything in these")):
        assert message.startswith(sentence)
        assert "but without text, kept as candidates without pairs: d4." in message
        assert "queries2.csv has columns, and no row." in message
        assert "Left out: pool.csv, line 5: The document d3 of the query q1 is the same" in message


def test_a_study_by_programs_alone(django_user_model, client):
    lead = create(make_user("Ada", is_site_admin=True))
    assert "3 documents" in bring_in(lead)["message"]
    people = seat_people(lead)
    collection = Collection.objects.get(slug="small")
    lena = django_user_model.objects.get(email="lena@example.org")
    change_programs(collection=collection, by=lena, programs_may_rate=True)

    rate_all(people["Alice"], {"Title 1": 0, "Title 2": 1, "Title 3": 2})
    rate_all(people["Bob"], {"Title 1": 0, "Title 2": 2, "Title 3": 2})
    [dispute] = rows(people["Carol"], "adjudication")
    address = f"{HOME}/adjudication/{dispute['pair']}"
    case = done(people["Carol"].get(address), 200)
    assert sorted(rating["letter"] for rating in case["ratings"]) == ["A", "B"]
    chosen = {"option": case["options"][1]["key"], "reason": "weighed"}
    key = {"Idempotency-Key": str(uuid.uuid4())}
    decided = done(people["Carol"].post(address, chosen, headers=key, **JSON), 200)
    assert decided == done(people["Carol"].post(address, chosen, headers=key, **JSON), 200)

    client.force_login(lena)
    of_page = client.get("/collections/small/agreement.json").json()
    assert done(lead.get(f"{HOME}/agreement"), 200) == of_page
    assert of_page["topics"]["q1_method"]
    finished_job(lead, lead.post(f"{HOME}/exports", {"format": "trec"}, **JSON))
    [export] = rows(lead, "exports")
    file = lead.get(f"{HOME}/exports/{export['id']}/files/qrels-all.txt")
    qrels = lead.get(f"{HOME}/qrels", headers={"Accept": "text/plain"})
    assert qrels.content == b"".join(file.streaming_content)
    assert len(qrels.content.splitlines()) == 3
    assert {row["is_by_program"] for row in rows(lead, "ratings")} == {True}
    done(lead.post(f"{HOME}/topics/{rows(lead, 'topics')[0]['id']}/lock", **JSON), 204)


def test_nobody_starts_a_study_without_the_scope():
    ada = make_user("Ada", is_site_admin=True)
    lead = create(ada)

    answer = lead.post(
        "/api/v1/collections", {"name": "X", "slug": "x", "scheme": "csfcube"}, **JSON
    )

    assert answer.status_code == 403
    assert Client().post("/api/v1/collections", {}, **JSON).status_code == 401
