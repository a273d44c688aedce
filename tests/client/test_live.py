"""The client against the real server."""

import json

import facetwise
import pandas as pd
import pytest
from facetwise.shell import main
from pandas.testing import assert_frame_equal

from annotation.models import Seat
from datasets.actions import accept_invitation
from datasets.models import Document, Run
from datasets.tokens.actions import make_token
from releases.models import Export
from tests.factories.definitions import add_binary
from tests.factories.studies import make_user

pytestmark = pytest.mark.once

DOCUMENTS = pd.DataFrame(
    {
        "id": ["d1", "d2"],
        "title": ["Bearings that sing", "Quiet gears"],
        "text": ["Bearings wear out. We listen to them.", "Gears wear out too. It is hard."],
    }
)
QUERIES = pd.DataFrame(
    {
        "id": ["q1"],
        "text": ["How do I hear faults?"],
        "facets": [["method"]],
        "narrative": ["A method that works by sound alone."],
    }
)
POOL = pd.DataFrame({"query": ["q1", "q1"], "document": ["d1", "d2"], "source": ["bm25", "e5"]})


def test_ratings_are_a_frame_with_categories(collection):
    ratings = collection.ratings()

    assert len(ratings) == 6
    options = ["irrelevant", "related", "similar", "identical"]
    assert list(ratings["option"].cat.categories) == options
    assert ratings["option"].cat.ordered
    assert ratings["value"].tolist() == ratings["option"].cat.codes.tolist()
    assert ratings["created_at"].dt.tz is not None


def test_filters_choose_rows_and_no_row_keeps_the_columns(collection):
    assert len(collection.ratings(document="q1c1")) == 2

    nothing = collection.ratings(document="q1")

    assert nothing.empty
    assert list(nothing.columns) == list(collection.ratings().columns)


def test_agreement_is_the_table_of_the_page(collection, client, study):
    client.force_login(study.lena)
    page = client.get("/collections/study/agreement/overview/table.json")

    table = collection.agreement()

    assert table.to_dict("records") == page.json()["rows"]
    assert table.attrs["title"] == page.json()["title"]
    assert collection.agreement(facet="method").attrs["chosen"] == {"Facet": "Method"}


def test_qrels_are_a_frame_or_the_bytes_of_an_export(fw, collection, study):
    qrels = collection.qrels()

    assert list(qrels.columns) == ["topic", "document", "grade"]
    assert qrels["grade"].tolist() == [0, 1, 2]
    fw.wait(collection.export("trec"), timeout=60)
    export = Export.objects.get()
    with export.store().open(export.stored_name("qrels-all.txt")) as file:
        assert collection.qrels_file() == file.read()


def test_qrels_are_read_by_a_mapping(collection, study):
    add_binary(study.collection)
    collection.export("trec", source="seat:2", mapping="binary").wait(timeout=60)

    [made] = collection.table("exports")["id"]
    assert collection.export_file(made, "qrels-all.txt") == (
        collection.qrels_file("seat:2", mapping="binary")
    )
    assert collection.qrels(mapping="binary")["grade"].tolist() == [0, 0, 1]
    assert collection.qrels_file("seat:2", mapping="binary").split() == (
        b"q1_method 0 q1c1 0 q1_method 0 q1c2 0 q1_method 0 q1c3 1".split()
    )


def test_a_run_is_uploaded_scored_and_compared(collection, run_file):
    stored = collection.upload_run(run_file)
    again = collection.upload_run(run_file)

    assert (stored["is_new"].tolist(), again["is_new"].tolist()) == ([True], [False])
    assert collection.runs()["tag"].tolist() == ["bm25"]
    assert Run.objects.get().rankings.get().document_ids == ["q1c1", "q1c2", "q1c3"]
    assert "bm25" in collection.scores().to_string()


def test_a_folder_of_trec_files_becomes_a_study(client_of, new, tmp_path):
    folder = tmp_path / "trec"
    (folder / "runs").mkdir(parents=True)
    (folder / "docs.jsonl").write_text('{"docno": "d1", "text": "Bearings wear out."}\n')
    (folder / "topics.tsv").write_text("t1\tHow do I hear faults?\n")
    (folder / "runs" / "bm25.run").write_text("t1 Q0 d1 1 2.5 bm25\n")
    study = client_of(new).collection("new")

    job = study.import_files(folder, file_format="trec").wait(timeout=60)

    assert "1 document, 1 query" in job.message
    assert study.table("pools")["sources"].tolist() == [["bm25"]]
    assert study.runs()["tag"].tolist() == ["bm25"]


def test_three_tables_become_a_study_with_seats(client_of, new):
    fw = client_of(new)
    study = fw.collection("new")

    job = fw.wait(study.import_tables(documents=DOCUMENTS, queries=QUERIES, pool=POOL), timeout=60)
    assert "2 documents" in job.message
    members = study.add_members(["alice@example.org", "bob@example.org"])
    study.make_batches()
    for seat, member in zip(study.table("seats")["id"], members, strict=True):
        study.assign(seat, member)

    assert [seat.holder.name for seat in Seat.objects.order_by("ordinal")] == ["Alice", "Bob"]
    progress = study.progress()
    assert progress[["pairs", "ratings_wanted", "ratings_given"]].to_numpy().tolist() == [[2, 4, 0]]


def test_tables_that_cannot_be_are_refused_with_the_servers_sentence(client_of, new):
    fw = client_of(new)
    pool = POOL.assign(query="q9")

    with pytest.raises(facetwise.JobFailed, match=r"pool\.csv, line 2: .*q9"):
        fw.wait(
            fw.collection("new").import_tables(documents=DOCUMENTS, queries=QUERIES, pool=pool),
            timeout=60,
        )

    assert not Document.objects.exists()


def test_an_annotators_client_sees_what_they_see_on_the_pages(client_of, study):
    alice = client_of(study.members["alice"]).collection("study")

    with pytest.raises(facetwise.Refused) as refused:
        alice.ratings()

    assert refused.value.status == 403
    assert len(alice.table("own-ratings")) == 3


GRADES = {"Bearings that sing": ("identical", "similar"), "Quiet gears": ("related", "related")}


def create(server, accounts):
    """The collection, made with a site admin's token, and its first lead."""
    ada = make_user("Ada", is_site_admin=True)
    _, token = make_token(account=ada, membership=None, name="x", scopes=["collections"], days=1)
    with facetwise.Client(server.url, token) as admin:
        made, link = admin.create("Small", slug="small", scheme="csfcube", lead="l@example.org")
    lead = accept_invitation(token=link.rstrip("/").rpartition("/")[2], by=accounts["Lena"])
    return made.slug, lead


def rate_seat(study, number):
    [seat] = study.own_seats()
    assert (seat.size, seat.answered, seat.handed_in_at) == (2, 0, None)
    for pair in seat.waiting():
        assert (pair.query.text, pair.facet, pair.answer) == (QUERIES["text"][0], "method", "")
        assert (pair.query.description, pair.query.narrative) == ("", QUERIES["narrative"][0])
        assert seat.rate(pair, GRADES[pair.document.title][number], note="read") == 1
    assert seat.queue()["state"].tolist() == ["rated", "rated"]
    kept = seat.pair(1)
    assert (kept.answer, kept.note, kept.version) == (
        GRADES[kept.document.title][number],
        "read",
        1,
    )
    with pytest.raises(facetwise.Refused) as refused:
        seat.rate(pair, "irrelevant")  # as it was read before
    assert refused.value.status == 409
    assert seat.answered == 2
    seat.hand_in()


def test_clients_alone_create_rate_and_decide_a_study(server, client_of, transactional_db):
    accounts = {name: make_user(name) for name in ("Lena", "Alice", "Bob", "Carol")}
    slug, lead = create(server, accounts)
    study = client_of(lead).collection(slug)
    assert study.send("settings/programs", {"programs_may_rate": True}, "PATCH") is None
    assert study.read("settings")["programs_may_rate"]
    study.import_tables(documents=DOCUMENTS, queries=QUERIES, pool=POOL).wait(timeout=60)
    people = ["alice@example.org", "bob@example.org", "carol@example.org adjudicator"]
    members = study.add_members(people)
    assert study.members()["name"].tolist() == list(accounts)
    assert "/invitations/" in study.invite("adjudicator", "dora@example.org")
    study.make_batches()
    for seat, member in zip(study.seats()["id"], members, strict=False):
        study.assign(seat, member)

    def of(name):
        return client_of(accounts[name].memberships.get()).collection(slug)

    rate_seat(of("Alice"), 0)
    rate_seat(of("Bob"), 1)
    desk = of("Carol").desk
    [case] = desk.waiting()
    assert (case.document.title, case.query.text) == ("Bearings that sing", QUERIES["text"][0])
    assert (case.query.narrative, case.side_text) == (QUERIES["narrative"][0], None)
    assert sorted(case.ratings["option"]) == ["identical", "similar"]
    with pytest.raises(TypeError, match="by its key"):
        desk.decide(case, float("nan"))  # as a table holds the option of "cannot judge"
    kept = desk.decide(case, "similar", reason="weighed")
    changed = desk.decide(desk.case(case.id), "identical", reason="weighed again")

    assert kept["id"] != changed["id"]
    assert desk.queue().empty
    assert study.qrels()["grade"].tolist() == [3, 1]
    assert study.ratings()["is_by_program"].all()
    assert study.send("topics/lock-done")["topics"] == ["q1_method"]
    study.export("csv").wait(timeout=60)
    [made] = study.table("exports").to_dict("records")
    assert json.loads(study.export_file(made["id"]))["counts"]["by_program"] == 4
    assert b"similar" in study.export_file(made["id"], "ratings.csv")


def test_pull_writes_tables_and_push_run_stores_runs(
    fw, study, run_file, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("FACETWISE_URL", str(fw.connection._http.base_url.join("/")))
    token = fw.connection._http.headers["Authorization"].removeprefix("Bearer ")
    monkeypatch.setenv("FACETWISE_TOKEN", token)
    folder = tmp_path / "out"

    assert main(["push-run", "study", str(run_file)]) == 0
    assert main(["pull", "study", "--out", str(folder), "--tables", "gold", "ratings"]) == 0
    parquet = ["--tables", "gold", "--format", "parquet"]
    assert main(["pull", "study", "--out", str(folder), *parquet]) == 0

    assert "bm25: stored" in capsys.readouterr().out
    gold = pd.read_csv(folder / "study-gold.csv")
    assert gold["value"].tolist() == [0, 1, 2]
    kept = pd.read_parquet(folder / "study-gold.parquet")
    assert_frame_equal(kept[["document", "value"]], gold[["document", "value"]], check_dtype=False)
    assert len(pd.read_csv(folder / "study-ratings.csv")) == 6
    parquet = ["--tables", "documents", "--format", "parquet"]
    assert main(["pull", "study", "--out", str(folder), *parquet]) == 0
    metadata = pd.read_parquet(folder / "study-documents.parquet")["metadata"]
    assert {json.loads(text)["year"] for text in metadata} == {2001}


def test_the_command_tells_a_refusal_in_one_line(live_server, monkeypatch, capsys):
    monkeypatch.setenv("FACETWISE_TOKEN", "fw_of-nobody")

    assert main(["--url", live_server.url, "pull", "study"]) == 1

    assert capsys.readouterr().err.startswith("facetwise: ")
