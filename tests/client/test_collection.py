"""One collection: what is asked of the server, and what is made of its answer."""

import json

import httpx
import pandas as pd
import pytest
from facetwise.collection import Collection

from tests.client.fake import Server

SCHEME = {
    "version": 1,
    "definition": {"options": [{"key": "no"}, {"key": "yes"}], "facets": [{"key": "relevance"}]},
}
TABLE = {"title": "", "notes": [], "columns": {"run": {"title": "Run"}}, "rows": [{"run": "bm25"}]}
JOB = httpx.Response(202, json={"id": "j1", "state": "queued"})


def of(server):
    return Collection(server.connection, "study")


def lines(*rows):
    return httpx.Response(200, text="".join(json.dumps(row) + "\n" for row in rows))


# --- tables ----------------------------------------------------------------------------------


def test_a_table_is_asked_for_as_lines_and_with_its_filters():
    server = Server(lines({"id": "d1"}, {"id": "d2"}))

    frame = of(server).table("documents", document="d1")

    assert server.addresses == ["GET collections/study/documents?document=d1"]
    assert server.accepts == ["application/x-ndjson"]
    assert frame["id"].tolist() == ["d1", "d2"]


def test_a_table_without_rows_has_the_columns_of_its_file():
    server = Server(httpx.Response(200, text=""), httpx.Response(200, text="id,title\r\n"))

    frame = of(server).table("documents", document="d9")

    assert list(frame.columns) == ["id", "title"]
    assert server.accepts == ["application/x-ndjson", "text/csv"]
    assert server.addresses == ["GET collections/study/documents?document=d9"] * 2


def test_a_table_with_options_reads_the_scheme_for_their_order():
    server = Server(lines({"option": "yes"}), SCHEME)

    frame = of(server).ratings(document="d1")

    assert list(frame["option"].cat.categories) == ["no", "yes"]
    assert server.addresses == [
        "GET collections/study/ratings?document=d1",
        "GET collections/study/scheme",
    ]


@pytest.mark.parametrize("name", ["ratings", "gold"])
def test_named_tables_take_filters_like_all_tables(name):
    server = Server(lines({"topic": "q1"}))

    getattr(of(server), name)(topic="q1")

    assert server.addresses == [f"GET collections/study/{name}?topic=q1"]


# --- figures ---------------------------------------------------------------------------------


def test_figures_of_agreement_have_a_page_a_table_and_filters():
    server = Server(TABLE)

    of(server).agreement("raters", "pairs", facet="method")

    assert server.addresses == ["GET collections/study/agreement/raters/pairs?facet=method"]


@pytest.mark.parametrize(("method", "figure"), [("scores", "scores"), ("stability", "ranks")])
def test_figures_of_runs_say_whose_values_they_rest_on(method, figure):
    server = Server(TABLE, TABLE)

    frame = getattr(of(server), method)()
    getattr(of(server), method)("seat:2", measure="ndcg")

    assert frame.to_dict("records") == TABLE["rows"]
    assert server.addresses == [
        f"GET collections/study/scores/{figure}?values=gold",
        f"GET collections/study/scores/{figure}?values=seat%3A2&measure=ndcg",
    ]


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, "values=gold"),
        ({"is_incomplete": True}, "values=gold&all=1"),
        ({"source": "seat:1", "mapping": "binary"}, "values=seat%3A1&mapping=binary"),
        ({"facet": "method"}, "values=gold&facet=method"),
    ],
)
def test_qrels_are_of_a_source_a_mapping_and_a_facet(given, asked):
    server = Server(httpx.Response(200, text=""), httpx.Response(200, content=b"q1 0 d1 1\n"))

    frame = of(server).qrels(**given)
    file = of(server).qrels_file(**given)

    assert list(frame.columns) == ["topic", "document", "grade"]
    assert file == b"q1 0 d1 1\n"
    assert server.addresses == [f"GET collections/study/qrels?{asked}"] * 2
    assert server.accepts == ["application/x-ndjson", "text/plain"]


# --- bringing in -----------------------------------------------------------------------------


def parts_of(request):
    """{name of a field or file: its text} of what a form sent."""
    boundary = request.headers["Content-Type"].partition("boundary=")[2]
    parts = {}
    for part in request.content.decode().split(f"--{boundary}")[1:-1]:
        head, _, body = part.strip("\r\n").partition("\r\n\r\n")
        file = head.partition('filename="')[2] or head.partition('name="')[2]
        parts[file.partition('"')[0]] = body
    return parts


def test_runs_are_sent_under_their_own_names_with_what_they_are(tmp_path):
    for name in ("bm25.run", "e5.run"):
        (tmp_path / name).write_text(f"q1 Q0 d1 1 1.0 {name}")
    server = Server([{"id": "r1", "tag": "bm25", "is_new": True}])

    frame = of(server).upload_run(
        tmp_path / "bm25.run", str(tmp_path / "e5.run"), kind="reranking", level="topics"
    )

    assert server.addresses == ["POST collections/study/runs"]
    assert parts_of(server.requests[0]) == {
        "kind": "reranking",
        "order": "score",
        "level": "topics",
        "bm25.run": "q1 Q0 d1 1 1.0 bm25.run",
        "e5.run": "q1 Q0 d1 1 1.0 e5.run",
    }
    assert frame.to_dict("records") == [{"id": "r1", "tag": "bm25", "is_new": True}]


def test_a_level_that_is_not_named_is_left_to_the_server(tmp_path):
    (tmp_path / "a.run").write_text("x")
    server = Server([])

    frame = of(server).upload_run(tmp_path / "a.run", order="rank")

    assert parts_of(server.requests[0]) == {"kind": "retrieval", "order": "rank", "a.run": "x"}
    assert list(frame.columns) == ["id", "tag", "is_new"]


def test_tables_are_sent_as_files_with_the_settings_of_the_import():
    server = Server(JOB)
    documents, queries = pd.DataFrame({"id": ["d1"]}), pd.DataFrame({"id": ["q1"]})

    job = of(server).import_tables(
        settings={"sentences": "split"}, documents=documents, queries=queries
    )

    assert server.addresses == ["POST collections/study/imports"]
    assert parts_of(server.requests[0]) == {
        "settings": '{"sentences": "split"}',
        "documents.csv": "id\r\nd1",
        "queries.csv": "id\r\nq1",
    }
    assert (job.collection, job.id, job.state) == ("study", "j1", "queued")


def test_an_import_without_settings_sends_none():
    server = Server(JOB)

    of(server).import_tables(pool=pd.DataFrame({"query": ["q1"]}))

    assert parts_of(server.requests[0])["settings"] == "{}"


def test_files_and_folders_are_brought_in_under_their_names(tmp_path):
    (tmp_path / "beir" / "qrels").mkdir(parents=True)
    (tmp_path / "beir" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n")
    (tmp_path / "bm25.run").write_text("q1 Q0 d1 1 2 bm25\n")
    server = Server(JOB)

    of(server).import_files(
        tmp_path / "beir",
        str(tmp_path / "bm25.run"),
        file_format="beir",
        settings={"keep_unpooled": True},
    )

    assert server.addresses == ["POST collections/study/imports"]
    body = server.requests[-1].content
    assert b'{"format": "beir", "keep_unpooled": true}' in body
    assert b'filename="beir.zip"' in body
    assert b"qrels/test.tsv" in body
    assert b'filename="bm25.run"' in body


def test_an_import_of_nothing_is_refused_before_anything_is_sent():
    server = Server()

    with pytest.raises(ValueError, match="at least one table"):
        of(server).import_tables(settings={})
    with pytest.raises(ValueError, match="at least one file"):
        of(server).import_files()

    assert server.requests == []


def test_an_export_is_a_job_with_its_format_and_options():
    server = Server(JOB)

    job = of(server).export("csv", with_notes=True)

    assert server.addresses == ["POST collections/study/exports"]
    assert server.sent == {"format": "csv", "with_notes": True}
    assert job.id == "j1"


# --- people and work -------------------------------------------------------------------------


def test_people_are_sent_a_line_each():
    server = Server({"joined": ["m1"]})

    assert of(server).add_members(["a@b.org", "c@d.org adjudicator"]) == ["m1"]
    assert server.addresses == ["POST collections/study/members"]
    assert server.sent == {"people": "a@b.org\nc@d.org adjudicator"}


def test_an_invitation_is_for_a_role_and_may_be_for_an_address():
    server = Server({"link": "https://example.org/invitations/x/"})

    assert of(server).invite("lead", "l@b.org") == "https://example.org/invitations/x/"
    assert server.addresses == ["POST collections/study/invitations"]
    assert server.sent == {"role": "lead", "email": "l@b.org"}


@pytest.mark.parametrize(
    ("topics", "sent"), [(None, {}), ([], {"topics": []}), (iter(["t1"]), {"topics": ["t1"]})]
)
def test_batches_are_of_all_topics_where_none_are_named(topics, sent):
    """An empty list is no topic, not every topic."""
    server = Server({"batches": ["b1"]})

    assert of(server).make_batches(topics) == ["b1"]
    assert server.addresses == ["POST collections/study/batches"]
    assert server.sent == sent


@pytest.mark.parametrize("member", ["m1", None])
def test_a_seat_is_given_to_a_member_or_freed(member):
    server = Server({})

    of(server).assign("s1", member)

    assert server.addresses == ["PATCH collections/study/seats/s1"]
    assert server.sent == {"holder": member}


def test_own_seats_are_read_page_by_page():
    def row(number):
        return {
            "id": f"s{number}",
            "size": 3,
            "answered": 1,
            "handed_in_at": None,
            "return_reason": None,
        }

    following = "https://example.org/api/v1/collections/study/own-seats?rows=1000&cursor=x"
    server = Server({"results": [row(1)], "next": following}, {"results": [row(2)], "next": None})

    assert [repr(seat) for seat in of(server).own_seats()] == [
        "Seat('s1', 1 of 3 answered)",
        "Seat('s2', 1 of 3 answered)",
    ]


# --- everything else -------------------------------------------------------------------------


def test_any_address_below_the_collection_may_be_read():
    server = Server({"programs_may_rate": True})

    assert of(server).read("settings", page="2") == {"programs_may_rate": True}
    assert server.addresses == ["GET collections/study/settings?page=2"]


def test_details_are_at_the_address_of_the_collection_itself():
    server = Server({"name": "Study"})

    assert of(server).details() == {"name": "Study"}
    assert server.addresses == ["GET collections/study"]


def test_a_change_returns_its_answer():
    server = Server({"topics": ["q1"]})

    assert of(server).send("topics/lock", {"topics": ["q1"]}) == {"topics": ["q1"]}
    assert server.addresses == ["POST collections/study/topics/lock"]
    assert server.sent == {"topics": ["q1"]}


def test_a_change_without_an_answer_returns_none():
    server = Server(httpx.Response(204))

    assert of(server).send("settings/programs", None, "PATCH") is None
    assert server.addresses == ["PATCH collections/study/settings/programs"]
    assert server.sent == {}


def test_a_change_that_takes_long_returns_its_job():
    server = Server(JOB)

    assert of(server).send("exports", {"format": "trec"}).id == "j1"


def test_a_file_of_an_export_comes_as_its_bytes():
    server = Server(httpx.Response(200, content=b"\xff\r\n"))

    assert of(server).export_file("e1", "ratings.csv") == b"\xff\r\n"
    assert server.addresses == ["GET collections/study/exports/e1/files/ratings.csv"]
    assert server.accepts == ["*/*"]
