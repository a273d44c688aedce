"""Lists as pages of JSON and as whole tables, and what of them a lead who rates does not see."""

import csv
import io
import json
import uuid
from datetime import UTC, datetime

import pandas
import pytest

from adjudication.actions import decide
from annotation.assigning.actions.assign import assign_seat
from api.columns import Column
from api.endpoint import BrokenOffError
from api.formats import as_csv
from api.resources.registry import LISTS
from datasets.actions.members import remove_member
from tests.api.conftest import HOME
from tests.api.test_authentication import problem_of
from tests.factories.studies import make_member, make_study, make_topic
from tests.factories.tokens import program_of, used_tomorrow
from tests.shelf import shelved


def rows_of(program, name, **parameters):
    return program.get(f"{HOME}/{name}", parameters).json()["results"]


@shelved
def finished(study):
    """All handed in; the second pair was disputed and is decided."""
    study.finish(alice=[0, 1, 2], bob=[0, 2, 2])
    decide(
        pair=study.batch.pairs.get(state="disputed"),
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(1),
        rationale="weighed",
    )
    return study


def test_a_list_comes_a_page_at_a_time(study, lena):
    everything = rows_of(lena, "documents")
    first = lena.get(f"{HOME}/documents?rows=3").json()

    second = lena.get(first["next"]).json()

    assert first["results"] + second["results"] == everything
    assert second["next"] is None
    assert [row["document"] for row in everything] == ["q1", "q1c1", "q1c2", "q1c3"]


def test_cursors_tell_no_number(study, lena):
    cursors = {lena.get(f"{HOME}/documents?rows={n}").json()["next"][-16:] for n in (1, 2)}

    assert len({cursor[:8] for cursor in cursors}) == 2


def test_ratings_decisions_and_gold_say_what_the_pages_say(finished, lena):
    ratings = rows_of(lena, "ratings")
    [decision] = rows_of(lena, "decisions")
    gold = rows_of(lena, "gold")

    assert [(row["seat"], row["document"], row["value"]) for row in ratings] == [
        *((1, f"q1c{n}", value) for n, value in ((1, 0.0), (2, 1.0), (3, 2.0))),
        *((2, f"q1c{n}", value) for n, value in ((1, 0.0), (2, 2.0), (3, 2.0))),
    ]
    assert {row["query"] for row in ratings} == {"q1"}
    assert len({row["annotator"] for row in ratings}) == 2
    assert "Alice" not in json.dumps(ratings)
    assert (decision["document"], decision["value"], decision["is_standing"]) == ("q1c2", 1.0, True)
    assert [(row["document"], row["origin"], row["value"]) for row in gold] == [
        ("q1c1", "consensus", 0.0),
        ("q1c2", "adjudicated", 1.0),
        ("q1c3", "consensus", 2.0),
    ]


def test_the_same_table_comes_in_every_format(finished, lena):
    path = f"{HOME}/ratings"
    rows = rows_of(lena, "ratings")

    ndjson = lena.get(path, headers={"Accept": "application/x-ndjson"})
    parquet = lena.get(path, headers={"Accept": "application/vnd.apache.parquet"})
    text = lena.get(path, headers={"Accept": "text/csv"})

    lines = ndjson.getvalue().decode().splitlines()
    assert [json.loads(line) for line in lines] == [
        row | {"created_at": row["created_at"].replace("Z", "+00:00")} for row in rows
    ]
    frame = pandas.read_parquet(io.BytesIO(parquet.getvalue()))
    assert frame["value"].tolist() == [row["value"] for row in rows]
    assert str(frame["created_at"].dtype) == "datetime64[us, UTC]"
    table = list(csv.DictReader(io.StringIO(text.getvalue().decode())))
    assert [row["option"] for row in table] == [row["option"] for row in rows]
    assert text["Content-Disposition"] == 'attachment; filename="study-ratings.csv"'


def test_a_cell_of_a_table_is_a_text_a_number_or_json():
    row = ["=1+1", 2.5, 3, True, None, ["x", "é"], {"at": datetime(2026, 3, 2, tzinfo=UTC)}]
    columns = [Column(f"c{number}", "") for number in range(len(row))]

    text = b"".join(as_csv(columns, [[row]])).decode()

    assert list(csv.reader(io.StringIO(text)))[1] == [
        "'=1+1",
        "2.5",
        "3",
        "true",
        "",
        '["x", "é"]',
        '{"at": "2026-03-02T00:00:00+00:00"}',
    ]


@pytest.mark.parametrize("resource", LISTS, ids=lambda resource: resource.name)
@pytest.mark.parametrize(
    "accept", ["text/csv", "application/x-ndjson", "application/vnd.apache.parquet"]
)
def test_every_list_comes_in_every_format(finished, resource, accept):
    role = resource.roles[0].value
    person = {"annotator": "alice", "lead": "lena", "adjudicator": "carol"}[role]
    program = program_of(finished.members[person])
    rows = program.get(f"{HOME}/{resource.name}?rows=1000").json()["results"]

    answer = program.get(f"{HOME}/{resource.name}", headers={"Accept": accept})

    assert answer.status_code == 200
    assert answer["Content-Type"] == accept
    assert rows_in(answer.getvalue(), accept) == len(rows)


@pytest.mark.parametrize(
    "accept", ["text/csv", "application/x-ndjson", "application/vnd.apache.parquet"]
)
def test_a_file_which_has_all_rows_refuses_what_chooses_a_page(study, lena, accept):
    following = lena.get(f"{HOME}/documents?rows=3").json()["next"]
    cursor = following.rpartition("cursor=")[2]

    for name, value in [("cursor", cursor), ("rows", "3")]:
        answer = lena.get(f"{HOME}/documents?{name}={value}", headers={"Accept": accept})
        assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
        assert answer.json()["detail"].startswith(f"{name} chooses a page of JSON, and ")


def rows_in(table, accept):
    """How many rows a file has."""
    if accept == "text/csv":
        return len(list(csv.DictReader(io.StringIO(table.decode()))))
    if accept == "application/x-ndjson":
        return len(table.splitlines())
    return len(pandas.read_parquet(io.BytesIO(table)))


def test_a_format_that_there_is_not_is_refused(lena):
    answer = lena.get(f"{HOME}/ratings", headers={"Accept": "text/html"})

    assert (answer.status_code, answer.json()["detail"]) == (
        406,
        "Accept names no format that is given here: application/json or text/csv or "
        "application/x-ndjson or application/vnd.apache.parquet.",
    )


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        (
            "application/vnd.apache.parquet, application/json;q=0.5",
            "application/vnd.apache.parquet",
        ),
        ("text/csv;q=0.1, application/x-ndjson", "application/x-ndjson"),
        ("application/json;q=0, text/csv", "text/csv"),
        ("application/*;q=0.5, application/json;q=0.1, */*;q=0.2", "application/x-ndjson"),
        ("text/csv; charset=utf-8", "text/csv"),
        ("text/*, */*;q=0.1", "text/csv"),
        ("*/*", "application/json"),
    ],
)
def test_the_format_is_that_which_accept_prefers(lena, accept, given):
    answer = lena.get(f"{HOME}/ratings", headers={"Accept": accept})

    assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (200, given)


def test_a_format_of_quality_0_is_not_given(lena):
    answer = lena.get(f"{HOME}/ratings", headers={"Accept": "*/*;q=0"})

    assert answer.status_code == 406


def test_a_table_is_read_in_chunks_of_which_none_is_lost(finished, lena, monkeypatch):
    monkeypatch.setattr("api.endpoint.STREAMED_ROWS", 4)

    answer = lena.get(f"{HOME}/ratings", headers={"Accept": "application/x-ndjson"})

    lines = answer.getvalue().decode().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [
        row["id"] for row in rows_of(lena, "ratings")
    ]


@pytest.mark.parametrize("name", ["ratings", "documents"])
def test_a_table_breaks_off_where_its_reader_is_removed(finished, lena, monkeypatch, name):
    monkeypatch.setattr("api.endpoint.STREAMED_ROWS", 1)
    answer = lena.get(f"{HOME}/{name}", headers={"Accept": "application/x-ndjson"})
    lines = iter(answer.streaming_content)
    next(lines)
    lars = make_member(finished.collection, "Lars", "lead")
    remove_member(membership=finished.members["lena"], by=lars.user)

    with pytest.raises(BrokenOffError):
        next(lines)


def test_rows_are_asked_for_by_what_they_are_about(finished, lena):
    assert [row["state"] for row in rows_of(lena, "pairs", document="q1c2")] == ["adjudicated"]
    assert rows_of(lena, "ratings", facet="background") == []
    assert len(rows_of(lena, "pairs", batch=str(finished.batch.public_id))) == 3
    [topic] = rows_of(lena, "topics")
    assert topic["queries"] == ["q1"]


@pytest.mark.parametrize(
    ("name", "parameter", "known"),
    [
        ("ratings", "facet", "method"),
        ("topics", "facet", "method"),
        ("pairs", "state", "disputed"),
        ("runs", "level", "topics"),
        ("ratings", "topic", "q1_method"),
        ("pairs", "document", "q1, q1c1, q1c2, q1c3."),
        ("documents", "document", "q1c3"),
        ("pools", "query", "q1"),
        ("pools", "document", "q1c3"),
    ],
)
def test_a_filter_that_no_row_can_have_is_refused_with_those_that_there_are(
    study, lena, name, parameter, known
):
    status, sentence = problem_of(lena.get(f"{HOME}/{name}?{parameter}=typo"))

    assert (status, sentence.split(";")[0]) == (400, f"{parameter} is 'typo'")
    assert known in sentence.partition("expected one of")[2]


def test_a_batch_of_another_collection_is_as_one_that_there_is_not(study, lena):
    other = make_study(slug="other")
    for batch in ("nonsense", str(uuid.uuid4()), str(other.batch.public_id)):
        answer = lena.get(f"{HOME}/pairs?batch={batch}")

        expected = f"batch is {batch!r}; expected one of {study.batch.public_id}."
        assert problem_of(answer) == (400, expected)


def test_of_many_names_a_refusal_says_some_and_of_none_that_there_is_none(study, lena):
    for number in range(20):
        make_topic(study.collection, query_id=f"n{number}", candidates=1)

    _, sentence = problem_of(lena.get(f"{HOME}/topics?topic=typo"))

    assert sentence.count(",") == 12
    assert sentence.endswith(", ….")
    none = problem_of(lena.get(f"{HOME}/runs?tag=bm25"))
    assert none == (400, "tag is 'bm25', but there is none yet.")


def test_a_verb_that_the_trail_has_not_yet_is_no_mistake_and_one_that_is_none_is_refused(lena):
    assert rows_of(lena, "trail", kind="decide") == []

    status, sentence = problem_of(lena.get(f"{HOME}/trail?kind=decided"))
    assert status == 400
    assert sentence.startswith("kind is 'decided'; expected one of create collection, ")


def test_one_row_is_asked_for_by_its_id(finished, lena):
    for name in ("documents", "ratings", "seats", "members"):
        row = rows_of(lena, name)[1]
        assert lena.get(f"{HOME}/{name}/{row['id']}").json() == row
    assert lena.get(f"{HOME}/ratings/{uuid.uuid4()}").status_code == 404


def test_more_rows_take_no_more_statements(finished, lena, django_assert_num_queries):
    used_tomorrow()
    lena.get(f"{HOME}/ratings")  # takes what the token may ask at once
    with django_assert_num_queries(6) as few:
        rows_of(lena, "ratings", rows=1)
    with django_assert_num_queries(len(few)):
        rows_of(lena, "ratings")


def test_a_lead_who_rates_sees_nothing_of_the_batch(study):
    """Neither ratings nor how far anybody is, until every seat is handed in."""
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    make_topic(study.collection, query_id="q2")
    seat = study.seat("bob")
    assign_seat(seat=seat, member=nora, by=study.lena, reason="ill")
    study.members["nora"] = nora
    program = program_of(nora)
    study.rate("alice", study.batch.pairs.first(), 2)

    assert rows_of(program, "ratings") == []
    assert rows_of(program, "pairs", topic="q1_method", batch=str(study.batch.public_id)) == []
    assert {row["document"][:2] for row in rows_of(program, "pairs")} == {"q2"}
    alices, lenas = rows_of(program, "seats")
    assert (alices["rated"], alices["is_handed_in"], alices["handed_in_at"]) == (None, None, None)
    assert (lenas["rated"], lenas["is_handed_in"]) == (0, False)
    assert rows_of(program, "batches")[0]["is_finished"] is None
    assert rows_of(program, "own-seats")[0]["answered"] == 0


def test_annotators_have_their_seats_and_answers_and_nothing_else(study, alice):
    study.rate("alice", study.batch.pairs.first(), 2, note="close")

    [seat] = rows_of(alice, "own-seats")
    [rating] = rows_of(alice, "own-ratings")

    assert (seat["size"], seat["answered"], seat["handed_in_at"]) == (3, 1, None)
    assert (rating["seat"], rating["value"], rating["note"]) == (seat["id"], 2.0, "close")
    assert alice.get(f"{HOME}/own-seats/{seat['id']}").json() == seat
    for name in ("pairs", "seats", "ratings", "documents", "members"):
        assert alice.get(f"{HOME}/{name}").status_code == 403


@pytest.mark.parametrize("name", ["own-seats", "own-ratings"])
def test_more_seats_take_no_more_statements(db, name, django_assert_num_queries):
    study = make_study(facets=("background", "method", "result"))
    alice = program_of(study.members["alice"])
    study.rate_all("alice", 2)
    used_tomorrow()
    rows_of(alice, name)  # its walks through seats are in memory from now on
    with django_assert_num_queries(5):
        rows_of(alice, name)


def test_every_member_reads_how_pairs_are_judged(study, alice):
    scheme = alice.get(f"{HOME}/scheme").json()

    assert scheme["version"] == 1
    assert {option["value"] for option in scheme["definition"]["options"]} == {*"0123"}
