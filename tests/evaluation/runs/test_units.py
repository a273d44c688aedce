"""Units that runs rank: their grades, and the tags of their queries."""

import numpy as np
import pytest

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.schemes.actions import load_definition
from datasets.models import Level, Query
from evaluation.runs.units import (
    MOST_TAG_VALUES,
    NO_PAIR,
    Unit,
    tags_of,
    units_of,
)
from evaluation.sources.reading import Judging
from tests.factories.studies import (
    make_aspect_query,
    make_aspect_study,
    make_collection,
    make_member,
    make_study,
)
from tests.shelf import shelved

pytestmark = pytest.mark.once


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


def test_decimals_that_add_up_to_a_relevant_grade_are_one():
    query = unit([[0], [1], [2]], documents=("d1",))

    assert grades_of(query.judged(np.array([0.7, 1.4, 0.9]))) == [1]
    assert grades_of(query.judged(np.array([2.0, 2, 0]))) == [4 / 3]


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


# --- the units of a collection -------------------------------------------------------------------


@pytest.mark.django_db
def test_topics_are_units_with_their_pairs_and_the_paper_that_asks():
    study = make_study(facets=("background", "method"), candidates=2)
    Query.objects.update(metadata={"year": 2019})

    background, method = units_of(Judging.of(study.collection), Level.TOPICS)

    assert (background.id, background.facet) == ("q1_background", "background")
    assert (background.topics, method.topics) == ((0,), (1,))
    assert (method.id, method.documents, method.places.tolist()) == (
        "q1_method",
        ("q1c1", "q1c2"),
        [[2, 3]],
    )
    assert (method.title, method.query_paper) == ("Title of q1", "q1")
    assert method.tags == {"year": "2019"}
    assert method.public_id == str(study.topics[1].public_id)
    judged = method.judged(np.array([9.0, 9, 1, 0]))
    assert (judged.id, judged.facet, judged.title, judged.tags) == (
        "q1_method",
        "method",
        "Title of q1",
        {"year": "2019"},
    )


@shelved
def aspects():
    """Two queries that share the aspect "0"; the first has 0 with 1 and 2 below, and 3 with 2."""
    study = make_aspect_study()
    make_aspect_query(study.collection, query_id="1", tree={"0": ["9"]})
    return study


@pytest.mark.django_db
def test_query_is_made_of_the_pairs_of_its_aspects_each_once(aspects):
    first, second = units_of(Judging.of(aspects.collection), Level.QUERIES)

    assert (first.id, first.facet, len(first.topics)) == ("0", "", 4)
    assert first.title.startswith("I look after the bearings")
    assert first.places.shape == (4, 3)
    assert first.pairs.size == 12
    assert (second.id, len(second.topics)) == ("1", 2)
    # Both rest on the pairs of the aspect that they share.
    assert np.intersect1d(first.pairs, second.pairs).size == 3
    assert first.tags == {"query_type": "ML"}


@pytest.mark.django_db
def test_sub_queries_are_units_of_some_aspects(aspects):
    units = units_of(Judging.of(aspects.collection), Level.SUB_QUERIES)

    assert [(unit.id, len(unit.topics)) for unit in units] == [("0_0+3", 4)]


@pytest.mark.django_db
def test_aspect_that_the_viewer_still_rates_takes_its_queries_with_it(aspects):
    """Nora leads, and holds a seat of the aspect that only the second query has."""
    nora = make_member(aspects.collection, "Nora", "lead", "annotator")
    [batch] = make_batches(collection=aspects.collection, by=aspects.lena)
    assign_seat(seat=batch.seats.first(), member=nora, by=aspects.lena)

    seen_by = {
        name: [unit.id for unit in units_of(Judging.of(aspects.collection, user), Level.QUERIES)]
        for name, user in (("nora", nora.user), ("lena", aspects.lena))
    }

    assert seen_by == {"nora": ["0"], "lena": ["0", "1"]}
