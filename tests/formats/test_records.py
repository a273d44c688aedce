"""The neutral records: places in sentences, names of topics, documents outside memory."""

import pytest

from formats.records import (
    Document,
    Documents,
    JudgmentSet,
    Place,
    PoolEntry,
    Query,
    Rating,
    Run,
    RunLine,
    Sentence,
    Study,
    Topic,
    places_in,
    topic_id,
)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place("ratings.csv"), "ratings.csv"),
        (Place("ratings.csv", 1204), "ratings.csv, line 1,204"),
        (Place("ratings.csv", 3).at("grade"), "ratings.csv, line 3, column grade"),
        (Place("export.json", key="task 8"), "export.json, task 8"),
    ],
)
def test_place_says_what_is_known_of_it(place, expected):
    assert str(place) == expected


@pytest.mark.parametrize(
    ("facet", "expected"), [("method", "7_method"), ("", "7"), ("relevance", "7")]
)
def test_topic_of_plain_relevance_has_the_name_of_its_query(facet, expected):
    assert topic_id("7", facet) == expected


def test_documents_come_back_as_they_were_kept_in_their_order():
    documents = Documents()
    place = Place("documents.csv", 2)
    labelled = Document(
        "007", "Über", (Sentence("A.", "method"), Sentence("B.")), "A. B.", {"year": 1999}, place
    )
    without_text = Document("1e5", "", (), None, {}, place)

    documents.keep(labelled)
    documents.keep(without_text)

    assert list(documents) == [labelled, without_text]
    assert documents["007"] == labelled
    assert documents.without_text == {"1e5"}


def test_study_keeps_the_first_hundred_kinds_of_what_it_leaves_out_and_counts_the_rest():
    study = Study("tables")

    for line in range(150):
        study.leave_out(Place("a.csv", line), f"draft {line}")
        study.leave_out(Place("a.csv", line), "draft 0")

    assert (len(study.left_out), study.left_out_count) == (100, 300)
    assert study.left_out[0].places == "a.csv, and 150 further"


def test_what_is_left_out_in_many_places_of_a_file_is_one_kind():
    study = Study("tables")

    for line in range(2, 1003):
        study.leave_out(Place("a.csv", line), "A draft is no rating.")
    study.leave_out(Place("b.csv", 9), "A draft is no rating.")
    study.leave_out(Place("a.csv", 5), "Another reason.")

    assert study.left_out_in_words == [
        "Left out: a.csv, line 2, and 1,000 further: A draft is no rating.",
        "Left out: b.csv, line 9: A draft is no rating.",
        "Left out: a.csv, line 5: Another reason.",
        "Left out in all: 1,003.",
    ]


def test_what_is_left_out_once_each_needs_no_sum():
    study = Study("tables")

    study.leave_out(Place("a.csv"), "A draft is no rating.")

    assert study.left_out_in_words == ["Left out: a.csv: A draft is no rating."]


HERE = Place("a.csv", 2)
QUERY = Query("q", "What?", "", "", "", {}, HERE)


@pytest.mark.parametrize(
    "change",
    [
        lambda study: study.documents.keep(Document("d", "", (), None, {}, HERE)),
        lambda study: study.queries.append(QUERY),
        lambda study: study.topics.append(Topic("q", "", "", (), {}, HERE)),
        lambda study: study.pool.append(PoolEntry("q", None, "d", (), None, "", "", HERE)),
        lambda study: study.ratings.append(Rating("q", "d", "a", "1", "", "", "", HERE)),
        lambda study: study.decisions.append(None),
        lambda study: study.judgments.append(JudgmentSet("a", "topic", "", "", "", [])),
        lambda study: study.runs.append(Run("a", "", "", [])),
        lambda study: vars(study).update(unpooled_documents=1),
    ],
)
def test_a_study_is_empty_until_anything_was_read(change):
    study = Study("tables", notes=["of nothing"])
    assert study.is_empty

    change(study)

    assert not study.is_empty


def test_a_tree_is_read_from_its_roots_down():
    tree = {"a": ["b", "c"], "d": [], "c": ["b"]}

    assert places_in(tree) == [
        ("a", None), ("b", "a"), ("c", "a"), ("d", None), ("c", None), ("b", "c"),
    ]  # fmt: skip
    assert QUERY._replace(tree=tree).aspects == ["a", "b", "c", "d"]
    assert QUERY.aspects == []


def test_topics_of_a_run_come_once_in_the_order_of_its_lines():
    run = Run("bm25", "a.run", "", [RunLine(topic, "d", 1, 1.0, 1) for topic in "babc"])

    assert run.topics == ["b", "a", "c"]


def test_documents_may_be_read_while_others_are_kept():
    documents = Documents()
    for name in ("a", "b"):
        documents.keep(Document(name, "", (Sentence("日本。"),), None, {}, HERE))

    reading = iter(documents)
    first = next(reading)
    assert documents["b"].id == "b"

    assert [first.id, next(reading).id] == documents.ids == ["a", "b"]
    assert (len(documents), "a" in documents, "c" in documents) == (2, True, False)
    assert documents.without_text == set()


def test_a_document_that_is_kept_again_takes_the_place_of_the_first():
    documents = Documents()
    documents.keep(Document("a", "T", (), None, {}, HERE))
    documents.keep(Document("a", "U", (), None, {}, HERE, {"record": [["id", None]]}))

    assert [document.title for document in documents] == ["U"]
    assert documents["a"].extra == {"record": [["id", None]]}
