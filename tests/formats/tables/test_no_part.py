"""Lists of the program's own API, exports of other tools and preferences: tables that are none of
a study, each with what to bring in its stead."""

import pytest

from formats.tables.no_part import two_documents, why_no_part


def test_a_list_of_the_api_is_known_by_all_of_its_columns_in_any_order():
    columns = ["metadata", "sentences", "title", "document", "id"]

    assert "the API's list of documents" in why_no_part(columns)[0]
    assert why_no_part(columns[1:]) is None
    assert why_no_part([*columns, "note"]) is None
    assert why_no_part([]) is None


@pytest.mark.parametrize(
    ("columns", "name", "remedy"),
    [
        ("id document title sentences metadata", "documents", "Take the export BEIR"),
        (
            "id query document text sentences description narrative metadata",
            "queries",
            "Take the export BEIR",
        ),
        ("id topic facet text queries metadata locked_at", "topics", "Take the export BEIR"),
        ("id topic facet query document batch batch_name state", "pairs", "Take the export CSV"),
        ("id kind hook body state attempts created_at", "deliveries", "Leave it out"),
    ],
)
def test_what_to_bring_in_place_of_a_list_of_the_api_is_told(columns, name, remedy):
    message, what_to_do = why_no_part(columns.split())

    assert message == f"this is the API's list of {name}, whose ids are the program's own."
    assert what_to_do.startswith(remedy)


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
    refusal = why_no_part(columns)

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
