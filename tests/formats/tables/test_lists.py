"""Lists of the program's own API, exports of other tools and preferences: tables that are none of
a study, each with what to bring in its stead."""

import pytest

from formats.tables.lists import NOTHING, REMEDIES, list_name
from formats.tables.other_tools import other_tool
from formats.tables.two_documents import two_documents


def test_a_list_of_the_api_is_known_by_all_of_its_columns_in_any_order():
    columns = ["metadata", "sentences", "title", "document", "id"]

    assert list_name(columns) == "documents"
    assert list_name(columns[1:]) == ""
    assert list_name([*columns, "note"]) == ""
    assert list_name([]) == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [("documents", "BEIR"), ("queries", "BEIR"), ("topics", "BEIR"), ("pairs", "the export CSV")],
)
def test_what_a_list_of_the_api_is_for_is_told(name, words):
    assert words in REMEDIES[name]


def test_what_is_no_part_of_a_study_is_to_be_left_out():
    assert (
        list_name(["id", "kind", "hook", "body", "state", "attempts", "created_at"]) == "deliveries"
    )
    assert REMEDIES.get("deliveries", NOTHING).startswith("Leave it out")


@pytest.mark.parametrize(
    ("columns", "tool"),
    [
        (["text", "_input_hash", "_task_hash", "answer"], "Prodigy"),
        (["#FORMAT=WebAnno TSV 3.3"], "INCEpTION or WebAnno"),
        (["text", "_input_hash", "answer"], None),
        (["id", "#FORMAT=WebAnno TSV 3.3"], None),
        ([], None),
    ],
)
def test_exports_of_other_tools_are_known_by_their_columns(columns, tool):
    refusal = other_tool(columns)

    if tool is None:
        assert refusal is None
    else:
        message, remedy = refusal
        assert tool in message
        assert remedy.startswith("Write a table with a row for each answer: ")


@pytest.mark.parametrize(
    ("columns", "documents"),
    [
        ("query doc_1 doc_2", ["doc_1", "doc_2"]),
        ("query 1_doc 2_doc", ["1_doc", "2_doc"]),
        ("query doc1 doc2", ["doc1", "doc2"]),
        ("query first_passage second_passage", ["first_passage", "second_passage"]),
        ("query Document.Left Document.Right", ["Document.Left", "Document.Right"]),
        ("query pid_a_id pid_b_id", ["pid_a_id", "pid_b_id"]),
        ("query candidate candidate_b grade", ["candidate", "candidate_b"]),
        ("query doc_1 grade", []),
        ("query doc doc_3", []),
        ("query doc document grade", []),
        ("query doc_alpha doc_beta", []),
        ("", []),
    ],
)
def test_two_documents_of_a_row_are_numbered_lettered_or_beside_each_other(columns, documents):
    assert two_documents(columns.split()) == documents
