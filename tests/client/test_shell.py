"""The command: what it writes, what it says, and how it ends."""

import csv
import json
import re

import httpx
import pandas as pd
import pytest
from facetwise import shell
from facetwise.shell import WRITERS, main

from tests.client.fake import Server

FRAME = pd.DataFrame({"id": ["d1", "d2"], "text": ["a\rb", "c"], "year": [{"y": 1}, None]})


@pytest.fixture
def run(monkeypatch):
    """`run(server, *words)`: the status of the command against a server of the test."""
    monkeypatch.setenv("FACETWISE_TOKEN", "fw_x")

    def with_server(server, *words):
        def client(url):
            return made(url, transport=server.transport)

        monkeypatch.setattr(shell, "Client", client)
        return main(["--url", "https://example.org", *words])

    made = shell.Client
    return with_server


def written(name, frame, tmp_path):
    path = tmp_path / f"table.{name}"
    WRITERS[name](frame, path)
    return path


def test_a_carriage_return_in_a_cell_ends_no_row_of_a_pulled_table(tmp_path):
    path = written("csv", FRAME, tmp_path)

    with path.open(newline="") as file:
        assert list(csv.reader(file))[1:] == [["d1", "a\rb", '{"y": 1}'], ["d2", "c", ""]]


def test_lines_of_json_keep_numbers_and_times_as_exact_as_they_came(tmp_path):
    moment = "2026-01-02T03:04:05.123456Z"
    frame = pd.DataFrame({"score": [0.1234567890123, 1e-12], "at": [pd.Timestamp(moment)] * 2})

    lines = written("jsonl", frame, tmp_path).read_text().splitlines()

    assert [json.loads(line) for line in lines] == [
        {"score": 0.1234567890123, "at": moment},
        {"score": 1e-12, "at": moment},
    ]


def test_lines_of_json_keep_letters_and_what_lists_hold(tmp_path):
    frame = pd.DataFrame({"title": ["Résumé\u2028x"], "facets": [["method"]], "note": [None]})

    text = written("jsonl", frame, tmp_path).read_text(encoding="utf-8")

    assert "Résumé" in text
    assert [json.loads(line) for line in text.split("\n") if line] == [
        {"title": "Résumé\u2028x", "facets": ["method"], "note": None}
    ]


def test_pull_makes_its_folder_and_names_files_after_collection_and_table(run, tmp_path, capsys):
    server = Server(*[httpx.Response(200, text='{"id": "d1"}\n')] * 2)
    folder = tmp_path / "deep" / "er"

    status = run(server, "pull", "study", "--out", str(folder), "--tables", "documents", "pools")

    assert status == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "study-documents.csv",
        "study-pools.csv",
    ]
    assert capsys.readouterr().out.splitlines() == [
        f"{folder}/study-documents.csv: 1 rows",
        f"{folder}/study-pools.csv: 1 rows",
    ]


def test_push_says_of_each_run_whether_it_was_there(run, tmp_path, capsys):
    (tmp_path / "a.run").write_text("x")
    rows = [{"id": "1", "tag": "a", "is_new": True}, {"id": "2", "tag": "b", "is_new": False}]
    server = Server(rows)
    options = ["--kind", "machine", "--order", "rank", "--level", "queries"]

    assert run(server, "push-run", "study", str(tmp_path / "a.run"), *options) == 0

    assert capsys.readouterr().out == "a: stored\nb: there already\n"
    body = server.requests[0].content.decode()
    fields = re.findall(r'name="(\w+)"\r\n\r\n(\w+)', body)
    assert dict(fields) == {"kind": "machine", "order": "rank", "level": "queries"}


def test_a_refusal_is_one_line_for_people_and_status_one(run, capsys):
    server = Server(httpx.Response(403, json={"detail": "This token lacks the scope 'read'."}))

    assert run(server, "pull", "study") == 1
    assert capsys.readouterr().err == "facetwise: This token lacks the scope 'read'.\n"


def test_a_file_that_is_not_there_is_named(run, tmp_path, capsys):
    assert run(Server(), "push-run", "study", str(tmp_path / "gone.run")) == 1
    assert "gone.run" in capsys.readouterr().err


def test_a_server_that_does_not_answer_is_told_as_such(run, monkeypatch, capsys):
    def away(request):
        raise httpx.ConnectError("Connection refused", request=request)

    monkeypatch.setattr("facetwise.connection.TRIES", 1)
    server = Server()
    server.transport = httpx.MockTransport(away)

    assert run(server, "pull", "study") == 1
    assert capsys.readouterr().err == (
        "facetwise: The server does not answer: Connection refused.\n"
    )


def test_a_missing_token_is_told_by_the_names_of_the_variables(monkeypatch, capsys):
    monkeypatch.delenv("FACETWISE_TOKEN", raising=False)

    assert main(["--url", "https://example.org", "pull", "study"]) == 1
    assert "FACETWISE_TOKEN" in capsys.readouterr().err


def test_the_token_is_no_option_that_a_list_of_processes_shows(capsys):
    with pytest.raises(SystemExit):
        main(["pull", "study", "--token", "fw_x"])

    assert "unrecognized arguments: --token" in capsys.readouterr().err
