"""Units that runs rank: their grades, and the tags of their queries."""

import numpy as np
import pytest

from annotation.schemes.actions import load_definition
from datasets.models import Level, Query
from evaluation.runs.units import MOST_TAG_VALUES, NO_PAIR, Unit, tags_of, units_in_words
from tests.factories.studies import make_collection


def test_number_is_the_same_tag_whether_a_file_holds_it_as_whole_or_as_decimal(db):
    collection = make_collection("study", load_definition("litsearch"))
    rows = [{"specificity": 0}, {"specificity": 0.0}, {"specificity": 1.5}, {"specificity": None}]
    for number, metadata in enumerate(rows):
        Query.objects.create(
            collection=collection, external_id=str(number), text="?", metadata=metadata
        )

    assert tags_of(collection) == {
        "0": {"specificity": "0"},
        "1": {"specificity": "0"},
        "2": {"specificity": "1.5"},
        "3": {},
    }


# --- the grades of a unit ------------------------------------------------------------------------


def unit(places, documents=("d1", "d2")):
    """Of aspects in rows and documents in columns, by the positions of their pairs; NO_PAIR where
    there is none."""
    return Unit("q", "A query", "", (), documents, np.array(places))


def grades_of(judged):
    return judged.grades.values.tolist()


def test_topic_has_the_grades_of_its_own_pairs():
    topic = unit([[3, 1]])

    assert topic.pairs.tolist() == [1, 3]
    assert grades_of(topic.judged(np.array([9.0, 1, 9, 3]))) == [3, 1]
    assert topic.judged(np.array([9.0, 1, 9, 3])).grades.documents == ("d1", "d2")


def test_query_has_the_mean_of_its_aspects():
    query = unit([[0, 1], [2, 3], [4, 5]])

    # (0 + 1 + 2) / 3 and (1 + 1 + 2) / 3
    assert grades_of(query.judged(np.array([0.0, 1, 1, 1, 2, 2]))) == pytest.approx([1, 4 / 3])


def test_document_without_a_grade_for_every_aspect_has_none():
    values = np.array([0.0, 1, np.nan, 1])

    assert grades_of(unit([[0, 1], [2, 3]]).judged(values)) == pytest.approx(
        [np.nan, 1], nan_ok=True
    )
    lacking = unit([[0, 1], [NO_PAIR, 3]])
    assert lacking.pairs.tolist() == [0, 1, 3]
    assert grades_of(lacking.judged(values)) == pytest.approx([np.nan, 1], nan_ok=True)


def test_unit_without_any_pair_has_no_grade():
    for values in (np.array([1.0, 2.0]), np.empty(0)):
        assert grades_of(unit([[NO_PAIR, NO_PAIR]]).judged(values)) == pytest.approx(
            [np.nan, np.nan], nan_ok=True
        )


def test_pair_that_two_aspects_share_counts_for_both():
    query = unit([[0, 1], [0, 1]])

    assert query.pairs.tolist() == [0, 1]
    assert grades_of(query.judged(np.array([2.0, 1]))) == [2, 1]


def test_draws_are_graded_at_once():
    draws = np.array([[0.0, 1, 2, 3], [3.0, 2, 1, 0]])

    assert grades_of(unit([[0, 1], [2, 3]]).judged(draws)) == [[1, 2], [2, 1]]


def test_grades_of_the_own_pairs_alone_are_in_their_order():
    query = unit([[7, 5], [9, NO_PAIR]])

    # Pairs 5, 7 and 9.
    assert grades_of(query.judged_by_own(np.array([1.0, 2, 3]))) == pytest.approx(
        [2.5, np.nan], nan_ok=True
    )


def test_judgments_made_elsewhere_name_their_own_documents():
    judged = unit([[0, 1]]).judged_elsewhere({"d9": 2.0, "d1": 0.5})

    assert (judged.grades.documents, grades_of(judged)) == (("d9", "d1"), [2, 0.5])


@pytest.mark.parametrize(
    ("level", "count", "words"),
    [
        (Level.TOPICS, 25, "25 topics"),
        (Level.QUERIES, 1, "1 query"),
        (Level.SUB_QUERIES, 1200, "1,200 sub-queries"),
    ],
)
def test_units_are_called_by_their_level(level, count, words):
    assert units_in_words(level, count) == words


def test_names_that_many_queries_tell_apart_are_no_tags(db):
    collection = make_collection("study", load_definition("litsearch"))
    for number in range(MOST_TAG_VALUES + 1):
        metadata = {
            "number": number,
            "month": number % MOST_TAG_VALUES,
            "list": [1],
            "": "",
            "e": "",
        }
        Query.objects.create(
            collection=collection, external_id=f"{number}", text="?", metadata=metadata
        )

    assert tags_of(collection)["3"] == {"month": "3"}
