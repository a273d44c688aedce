"""Programs get the figures, runs and progress that the pages compute."""

import csv
import io
import json
import uuid
from functools import partial
from itertools import islice

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from adjudication.actions import decide
from agreement.tables import writing
from annotation.assigning.actions.assign import assign_seat
from annotation.models import MachineRun, MachineScore
from api import endpoint
from api.resources import activity
from datasets.actions import change_scoring_guard
from datasets.runs import reading
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from evaluation.sources.choices import source_named
from jobs.models import Job
from releases.actions import write_export
from tests.adjudication.audits import make_audit
from tests.api.conftest import HOME
from tests.factories.definitions import add_binary
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import make_member, make_study, make_topic
from tests.factories.tokens import program_of
from tests.shelf import shelved

pytestmark = pytest.mark.once

NDJSON = {"Accept": "application/x-ndjson"}
TEXT = {"Accept": "text/plain"}


@shelved
def finished(study):
    """All handed in, the dispute decided; two runs and a set of judgments."""
    study.finish(alice=[0, 1, 2], bob=[0, 2, 2])
    decide(
        pair=study.batch.pairs.get(state="disputed"),
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(1),
        rationale="weighed",
    )
    for tag, order in (("up", ["q1c1", "q1c2", "q1c3"]), ("down", ["q1c3", "q1c2", "q1c1"])):
        add_run(
            collection=study.collection, run=run_of({"q1_method": order}, tag=tag), by=study.lena
        )
    grades = judgments_of({"q1_method": {"q1c1": "2", "q1c2": "no"}})
    add_judgments(collection=study.collection, judgments=grades, by=study.lena)
    return study


def rows_of(program, path, **parameters):
    answer = program.get(f"{HOME}/{path}", parameters)
    assert answer.status_code == 200, answer.content
    body = json.loads(answer.getvalue())
    return body["results"] if isinstance(body, dict) else body


def test_gold_is_held_against_judgments_made_elsewhere(finished, lena):
    grades = judgments_of({"q1_method": {"q1c1": "2", "q1c2": "0"}}, name="trec")
    add_judgments(collection=finished.collection, judgments=grades, by=finished.lena)
    chosen = {"a": "gold", "b": "judgments:trec"}

    [coefficients, *_] = lena.get(f"{HOME}/agreement/against", chosen).json()
    alone = lena.get(f"{HOME}/agreement/against/coefficients", chosen).json()

    assert coefficients["table"] == "coefficients"
    assert alone["rows"] == coefficients["rows"] != []
    assert lena.get(f"{HOME}/agreement/against").json() == []


def test_qrels_are_the_bytes_of_an_export(finished, lena, tmp_path):
    write_export(collection=finished.collection, export_format="trec", folder=tmp_path / "out")

    everything = lena.get(f"{HOME}/qrels", headers=TEXT)
    of_facet = lena.get(f"{HOME}/qrels?facet=method", headers=TEXT)

    assert everything.content == (tmp_path / "out" / "qrels-all.txt").read_bytes()
    assert of_facet.content == (tmp_path / "out" / "qrels-method.txt").read_bytes()


def test_qrels_of_every_source(finished, lena):
    pairs = finished.batch.pairs.order_by("pk")
    machine = MachineRun.objects.create(collection=finished.collection, model="m", name="run")
    for pair in pairs[:2]:
        MachineScore.objects.create(run=machine, pair=pair, value=3)
    values = {
        row["values"]: [
            judgment["grade"] for judgment in rows_of(lena, "qrels", values=row["values"])
        ]
        for row in rows_of(lena, "sources")
        if row["kind"] not in ("member", "judgments")
    }

    assert values == {
        "gold": [0, 1, 2],
        "seat:1": [0, 1, 2],
        "seat:2": [0, 2, 2],
        "majority": [0, 2],
        "median": [0, 1.5, 2],
        "highest": [0, 2, 2],
        "lowest": [0, 1, 2],
        f"machine:{machine.public_id}": [3, 3],
    }
    assert lena.get(f"{HOME}/qrels?values=median", headers=TEXT).status_code == 422
    assert lena.get(f"{HOME}/qrels?values=seat:7").status_code == 400


def test_qrels_by_a_mapping_are_the_bytes_of_an_export(finished, lena, tmp_path):
    mapping = add_binary(finished.collection)
    for values in ("gold", "seat:2", "highest"):
        source = source_named(finished.collection, values, mapping=mapping.key)
        write_export(
            collection=finished.collection,
            export_format="trec",
            folder=tmp_path / values,
            source=source,
        )
        address = f"{HOME}/qrels?values={values}&mapping={mapping.key}&least=1"

        qrels = lena.get(address, headers=TEXT)

        assert qrels.content == (tmp_path / values / "qrels-all.txt").read_bytes()
        assert qrels.content != lena.get(f"{HOME}/qrels?values={values}", headers=TEXT).content
    assert lena.get(f"{HOME}/qrels?mapping=none").status_code == 400
    assert lena.get(f"{HOME}/qrels?least=some").status_code == 400


def test_judgments_of_others_keep_their_literals(finished, lena):
    [judgments] = rows_of(lena, "judgments")

    grades = rows_of(lena, f"judgments/{judgments['id']}/grades")

    assert [row["grade"] for row in grades] == ["2", "no"]
    assert lena.get(f"{HOME}/qrels?values=judgments:{judgments['key']}").status_code == 422


def test_grades_made_elsewhere_are_numbers_as_scores_take_them(finished, lena):
    keep = partial(add_judgments, collection=finished.collection, by=finished.lena)
    keep(judgments=judgments_of({"q1_method": {"q1c1": "2,5", "q1c2": "\u22121"}}, name="comma"))
    keep(judgments=judgments_of({"q1_method": {"q1c1": "2", "q1c2": "nan"}}, name="none"))

    rows = rows_of(lena, "qrels", values="judgments:comma")

    assert [row["grade"] for row in rows] == [2.5, -1]
    refused = lena.get(f"{HOME}/qrels?values=judgments:none")
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith("These judgments have a grade that is not a number.")


def test_a_facet_chooses_among_judgments_made_elsewhere(finished, lena):
    make_topic(finished.collection, facet="background")
    of_topics = {"q1_method": {"q1c1": "2"}, "q1_background": {"q1c1": "1", "q1c2": "0"}}
    of_queries = judgments_of({"q1": {"q1c1": "2"}}, name="whole")
    keep = partial(add_judgments, collection=finished.collection, by=finished.lena)
    keep(judgments=judgments_of(of_topics, name="trec"))
    keep(judgments=of_queries, level="queries")
    mapping = add_binary(finished.collection).key

    def grades(facet, **more):
        rows = rows_of(lena, "qrels", values="judgments:trec", facet=facet, **more)
        return [row["grade"] for row in rows]

    assert (grades("method"), grades("background")) == ([2], [1, 0])
    assert grades("method", mapping=mapping) == [1]
    assert (grades("all"), grades("result")) == ([1, 0, 2], [])
    for values in ("judgments:trec", "gold", "seat:1"):
        answer = lena.get(f"{HOME}/qrels", {"values": values, "facet": "none", "all": "1"})
        assert answer.status_code == 400
        assert answer.json()["detail"].startswith("facet is 'none'; expected one of all, ")
    whole = lena.get(f"{HOME}/qrels?values=judgments:whole&facet=method")
    assert (whole.status_code, "under no facet" in whole.json()["detail"]) == (422, True)


def test_gold_that_is_not_complete_is_refused_unless_that_is_wanted(study, lena):
    assert lena.get(f"{HOME}/qrels").status_code == 409
    assert lena.get(f"{HOME}/qrels?values=seat:1").status_code == 409
    assert rows_of(lena, "qrels", all="1") == []
    assert lena.get(f"{HOME}/qrels?all=0").status_code == 409
    assert lena.get(f"{HOME}/qrels?all=perhaps").status_code == 400


def test_agreement_is_what_the_pages_say(finished, lena, client):
    client.force_login(finished.lena)
    page = "/collections/study/agreement"

    assert lena.get(f"{HOME}/agreement").json() == client.get(f"{page}.json").json()
    tables = lena.get(f"{HOME}/agreement/disagreements?facet=method").json()
    for table in tables:
        of_page = client.get(f"{page}/disagreements/{table['table']}.json?facet=method").json()
        assert table["rows"] == of_page["rows"]
    assert tables
    assert lena.get(f"{HOME}/agreement/disagreements/nothing").status_code == 404
    assert lena.get(f"{HOME}/agreement/nothing").status_code == 404


def test_tables_of_figures_come_in_every_format(finished, lena):
    path = f"{HOME}/agreement/disagreements/confusion"
    rows = lena.get(path).json()["rows"]

    lines = lena.get(path, headers=NDJSON).getvalue().decode().splitlines()
    table = lena.get(path, headers={"Accept": "text/csv"}).getvalue().decode()

    assert [json.loads(line) for line in lines] == rows
    assert len(list(csv.DictReader(io.StringIO(table)))) == len(rows)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("agreement/queries/queries?measure=typo", "measure is 'typo'; expected one of rho, "),
        ("agreement/queries/queries?person=x", "This endpoint knows no parameter 'person'."),
        ("scores/lab?depth=0", "depth is '0'; expected a number from 1 to "),
        ("scores?draws=pair", "This endpoint knows no parameter 'draws'."),
        ("scores?fold=1&fold=2", "fold stands 2 times in the address. Name it once."),
    ],
)
def test_a_figure_takes_the_parameters_that_it_is_made_by_and_no_others(
    finished, lena, path, sentence
):
    answer = lena.get(f"{HOME}/{path}")

    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(sentence)


def test_runs_their_rankings_and_scores(finished, lena, client):
    client.force_login(finished.lena)
    runs = rows_of(lena, "runs")

    ranked = rows_of(lena, f"runs/{runs[0]['id']}/rankings")
    scores = lena.get(f"{HOME}/scores").json()
    sheet = lena.get(f"{HOME}/scores/scores").json()

    assert {run["tag"] for run in runs} == {"up", "down"}
    assert [row["rank"] for row in ranked] == [1, 2, 3]
    assert set(scores["runs"]) == {"up", "down"}
    of_page = client.get("/collections/study/runs/tables/scores.json").json()
    assert sheet["rows"] == of_page["rows"]


@pytest.mark.parametrize("accept", ["application/json", "text/csv"])
def test_rankings_and_grades_are_read_while_they_are_sent(finished, lena, monkeypatch, accept):
    monkeypatch.setattr(reading, "AT_ONCE", 1)
    monkeypatch.setattr(writing, "ROWS_OF_A_PART", 1)
    topics = {name: ["d1", "d2"] for name in ("q1_method", "t1", "t2", "t3")}
    grades = {topic: dict.fromkeys(documents, "1") for topic, documents in topics.items()}
    keep = {"collection": finished.collection, "by": finished.lena}
    run = add_run(run=run_of(topics, tag="large"), **keep).run
    judgments = add_judgments(judgments=judgments_of(grades, name="many"), **keep).judgment_set

    for address in (f"runs/{run.public_id}/rankings", f"judgments/{judgments.public_id}/grades"):
        answer = lena.get(f"{HOME}/{address}", headers={"Accept": accept})
        with CaptureQueriesContext(connection) as statements:
            begun = b"".join(islice(answer.streaming_content, 3))
        with CaptureQueriesContext(connection) as later_statements:
            whole = begun + b"".join(answer.streaming_content)

        # Its rows by number, then two topics of four.
        assert len(statements) <= 3
        assert len(later_statements) >= 2
        assert [whole.count(topic.encode()) for topic in topics] == [2] * 4
        assert accept != "application/json" or len(json.loads(whole)) == 8


def test_scores_stay_closed_as_on_the_pages(finished, lena):
    change_scoring_guard(
        collection=finished.collection, by=finished.lena, scores_wait_for_locking=True
    )

    for path in ("scores", "scores/scores"):
        answer = lena.get(f"{HOME}/{path}")
        assert answer.status_code == 404
        assert answer.json()["detail"] == "Scores stay closed until every topic is locked."


def test_each_part_of_the_jobs_reads_its_own_problems(study, lena, monkeypatch):
    monkeypatch.setattr(endpoint, "STREAMED_ROWS", 2)
    failed = {"collection": study.collection.public_id, "created_by": study.lena, "kind": "import"}
    failed |= {"state": "failed", "error": "No.", "finished_at": timezone.now()}
    jobs = [Job.objects.create(**failed, result={"errors": [f"row {n}"]}) for n in range(5)]

    with CaptureQueriesContext(connection) as statements:
        text = lena.get(f"{HOME}/jobs", headers=NDJSON).getvalue().decode()

    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["problems"] for row in rows] == [[f"row {n}"] for n in range(len(jobs))]
    # The problems of a part are read by its jobs, and that after them, which tells of more.
    of_parts = [row["sql"] for row in statements if "'failed'" in row["sql"]]
    assert [sql.rpartition(" IN (")[2].count(",") for sql in of_parts] == [2, 2, 0]


def test_problems_of_a_job_that_quote_ratings_are_for_tokens_that_read_these(study, lena):
    quote = {"text": "2, but 1 is stored.", "about": "q1_method"}
    Job.objects.create(
        collection=study.collection.public_id,
        created_by=study.lena,
        kind="import-upload",
        state="failed",
        error="No.",
        finished_at=timezone.now(),
        result={"errors": ["row 1", quote]},
    )
    reader = program_of(study.members["lena"], "read", "write:data")

    [[job], [read]] = rows_of(lena, "jobs"), rows_of(reader, "jobs")

    assert job["problems"] == ["row 1", "2, but 1 is stored."]
    assert read["problems"] == ["row 1", activity.QUOTING]


def test_runs_of_another_collection_do_not_exist(finished, lena):
    other = make_other(finished)

    assert lena.get(f"{HOME}/runs/{other.public_id}/rankings").status_code == 404


def make_other(study):
    other = make_study(slug="other")
    stored = add_run(
        collection=other.collection, run=run_of({"q1_method": ["q1c1"]}), by=other.lena
    )
    return stored.run


def test_progress_and_the_trail_tell_the_course(finished, lena):
    [topic] = rows_of(lena, "progress")
    trail = rows_of(lena, "trail", kind="rate")

    assert (topic["state"], topic["ratings_given"], topic["decided"]) == ("done", 6, 1)
    assert len(trail) == 6
    assert {event["subject_type"] for event in trail} == {"annotation.pair"}
    assert "Alice" not in json.dumps(trail)


def test_a_lead_who_rates_reads_no_course_of_the_batch(study):
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    make_topic(study.collection, query_id="q2")
    assign_seat(seat=study.seat("bob"), member=nora, by=study.lena, reason="ill")
    program = program_of(nora)
    before = {path: program.get(f"{HOME}/{path}").json() for path in ("trail", "progress")}

    study.rate("alice", study.batch.pairs.first(), 2)

    assert before == {path: program.get(f"{HOME}/{path}").json() for path in before}
    assert not any(row["verb"] == "rate" for row in before["trail"]["results"])


def test_the_trail_of_a_lead_who_rates_names_no_pairs_to_the_database(db):
    study = make_study(facets=("method", "background"))
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    hidden, seen = (batch.pairs.first() for batch in study.collection.batches.all())
    assign_seat(seat=study.seat("bob", hidden.batch), member=nora, by=study.lena, reason="ill")
    program = program_of(nora)

    def ask():
        with CaptureQueriesContext(connection) as statements:
            rows = json.loads(program.get(f"{HOME}/trail?rows=1000").content)["results"]
        return rows, max(len(statement["sql"]) for statement in statements)

    for pair in (hidden, seen):
        study.rate("alice", pair, 2)
    rows, length = ask()
    make_topic(study.collection, query_id="q2", candidates=40)
    of_judging = [row for row in rows if row["subject_type"].startswith("annotation.")]

    assert [row["subject"] for row in of_judging] == [str(seen.public_id)]
    assert ask()[1] == length


def test_the_report_of_an_audit_takes_the_scope_of_single_decisions(finished, lena):
    audit = make_audit(finished, size=1, control_count=0)
    address = f"{HOME}/audits/{audit.public_id}/report"
    reader = program_of(finished.members["lena"], "read")

    assert [program.get(address).status_code for program in (reader, lena)] == [403, 200]


def test_people_see_the_jobs_that_they_started(study, lena):
    for by in (study.lena, study.carol):
        Job.objects.create(kind="export", collection=study.collection.public_id, created_by=by)

    [job] = rows_of(lena, "jobs")

    assert (job["kind"], job["state"]) == ("export", "queued")
