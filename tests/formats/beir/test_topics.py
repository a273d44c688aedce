"""Queries of BEIR that say of themselves that they are a query under a facet."""

import json

import pytest

from formats.beir.topics import are_topics, topic_of
from formats.files import open_files
from formats.reading import Options

FACETS = Options(facets=("background", "method"))


def row(name="q_method", **metadata):
    return {
        "_id": name,
        "text": "What?",
        "metadata": {"query": "q", "facet": "method", "document": None} | metadata,
    }


def test_a_query_names_its_query_its_facet_and_its_paper():
    assert topic_of(row()) == ("q", "method", "", {})
    assert topic_of(row(document="d", year=1999)) == ("q", "method", "d", {"year": 1999})
    assert topic_of(row("q", facet="relevance")) == ("q", "relevance", "", {})


@pytest.mark.parametrize(
    "other",
    [
        {"_id": "q_method", "text": "What?"},
        row() | {"metadata": "q_method"},
        row() | {"metadata": {"query": "q", "facet": "method"}},
        row(query=7),
        row(facet=None),
        row(query=7, facet=None),
        row(document=7),
        # It is called otherwise than the topic would be.
        row("q_background"),
        row("q"),
        row(None),
    ],
)
def test_what_does_not_say_all_of_it_is_a_query_of_its_own(other):
    assert topic_of(other) is None


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row(), row("q_background", facet="background")], True),
        ([row(), {"_id": "r", "text": "What?"}], False),
        ([row(), row("q_result", facet="result")], False),
        ([], False),
    ],
)
def test_queries_are_topics_where_all_are_under_facets_of_the_scheme(tmp_path, rows, expected):
    # Read as one, whatever file they stand in.
    for number, content in enumerate(rows):
        (tmp_path / f"queries-{number}.jsonl").write_text(json.dumps(content))

    with open_files([tmp_path]) as files:
        assert are_topics(files, FACETS) is expected


def test_queries_that_cannot_be_read_are_no_topics(tmp_path):
    (tmp_path / "queries.jsonl").write_text(f"{json.dumps(row())}\nnothing\n")

    with open_files([tmp_path]) as files:
        assert are_topics(files, FACETS) is False
