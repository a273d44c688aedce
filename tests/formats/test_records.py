"""The neutral records: places in sentences, names of topics, documents outside memory."""

import pytest

from formats.records import Document, Documents, Place, Sentence, Study, topic_id


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
