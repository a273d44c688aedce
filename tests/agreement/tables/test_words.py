"""Studies of aspects speak of aspects and of their queries, everywhere."""

import re

import pytest
from django.http import QueryDict
from django.urls import reverse

from agreement.statistics import Over
from agreement.study.intervals import in_words
from agreement.study.selection import selection_of
from agreement.subjects.overview.by_facet import intervals_wanted
from agreement.subjects.overview.closed import closed_of
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.overview.report import report_on
from agreement.subjects.registry import tables_of
from agreement.tables.columns import ASPECT, QUERY, TOPIC
from annotation.assigning.actions.batches import make_batches
from tests.factories.studies import (
    assign_all,
    make_aspect_query,
    make_aspect_study,
    make_study,
    make_topic,
)
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TREES = {"1": {"4": ["5"]}, "2": {"6": ["7"]}}


@shelved
def study():
    """Eight aspects of three queries: four, two and two. All are rated."""
    study = make_aspect_study()
    for query, tree in TREES.items():
        make_aspect_query(study.collection, query_id=query, tree=tree)
    batches = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, batches, ["alice", "bob", "erin"])
    for number, batch in enumerate(study.collection.batches.all()):
        study.finish(batch, alice=[0, 1, 2], bob=[0, 1, number % 3], erin=[0, (number + 1) % 3, 2])
    return study


def selection_for(study, query=""):
    return selection_of(study.members["lena"], study.lena, QueryDict(query))


@pytest.mark.parametrize(
    ("unit", "topics", "queries", "words"),
    [
        (ASPECT, 63, 6, "63 aspects of 6 queries"),
        (ASPECT, 1, 1, "1 aspect of 1 query"),
        (QUERY, 8, 8, "8 queries"),
        (TOPIC, 25, 17, "25 topics of 17 queries"),
        (TOPIC, 8, 8, "8 topics of 8 queries"),
        (QUERY, 1, 1, "1 query"),
    ],
)
def test_topics_are_counted_with_their_queries(unit, topics, queries, words):
    assert unit.of_queries(topics, queries) == words


def test_methods_paragraph_counts_aspects_of_queries(study):
    selection = selection_for(study)

    text = methods_paragraph(selection, overview_of(selection))

    assert text.startswith("24 pairs of 8 aspects of 3 queries were each rated by")
    assert "as the median over aspects." in text
    assert "bootstrap intervals over aspects (1,000 resamples" in text


@pytest.mark.parametrize(
    ("route", "phrase"),
    [
        ("agreement", "8 of 8 aspects of 3 queries"),
        ("queries", "8 of 8 aspects"),
        ("disagreements", "counts once its aspect"),
        ("working", "pairs of 8 aspects of 3 queries"),
        ("report", "pairs of 8 aspects of 3 queries"),
    ],
)
def test_pages_of_aspects_count_no_aspect_as_a_query(study, client, route, phrase):
    client.force_login(study.lena)

    page = client.get(reverse(f"agreement:{route}", args=["aspects"])).content.decode()
    words = re.sub(r"<[^>]*>", " ", re.search(r"<main.*</main>", page, re.DOTALL)[0])
    words = re.sub(r"\s+", " ", words)

    assert "over queries" not in words
    assert "8 queries" not in words
    assert phrase in words


def test_tables_of_aspects_name_them_in_titles_columns_and_notes(study):
    tables = {table.key: table for table in tables_of(selection_for(study), "overview", {})}
    table = tables["table"]

    assert table.title == "Agreement before and after adjudication, median over aspects"
    assert "All: 8 aspects of 3 queries with 24 pairs before" in " ".join(table.notes)
    assert "bootstrap over aspects, 1,000 resamples, seed 0." in " ".join(table.notes)
    row = dict(zip([column.key for column in table.columns], table.rows[-1], strict=True))
    assert (row["before_topics"], row["before_queries"], row["before_pairs"]) == (8, 3, 24)
    [by_aspect] = tables_of(selection_for(study), "queries", {})
    assert by_aspect.title == "Agreement by aspect: All"
    assert by_aspect.columns[0].title == "Aspect"


def test_intervals_can_resample_queries_with_their_aspects(study):
    selection = selection_for(study, "resampled=queries")
    overview = overview_of(selection)

    wanted = intervals_wanted(overview.report)[0]

    assert (wanted.over, wanted.topics.topics, wanted.topics.clusters) == (Over.QUERIES, 8, 3)
    assert in_words([wanted], selection.unit) == (
        "percentile bootstrap intervals over whole queries, with all of their aspects"
    )
    assert wanted.key != intervals_wanted(overview_of(selection_for(study)).report)[0].key
    assert "over whole queries, with all of their aspects" in methods_paragraph(selection, overview)


def test_queries_that_share_an_aspect_are_drawn_together(study):
    make_aspect_query(study.collection, query_id="9", tree={"4": ["8"]})

    ratings = selection_for(study).everything

    by_key = {
        topic.key: cluster
        for topic, cluster in zip(ratings.topics, ratings.clusters.tolist(), strict=True)
    }
    assert by_key["4"] == by_key["5"] == by_key["8"]
    assert len({by_key["0"], by_key["4"], by_key["6"]}) == 3


def test_facets_of_a_query_are_drawn_together():
    study = make_study(facets=("background", "method"), candidates=3, assign=False)
    make_topic(study.collection, query_id="q2", facet="background")

    ratings = selection_for(study).everything

    assert ratings.unit is TOPIC
    assert [topic.key for topic in ratings.topics] == [
        "q1_background",
        "q1_method",
        "q2_background",
    ]
    assert ratings.clusters.tolist() == [0, 0, 2]
    assert report_on(study.collection).in_all == "3 topics of 2 queries"


def test_closed_page_speaks_of_the_unit_too(study):
    assert closed_of(study.collection, viewer=study.lena) is None
    assert report_on(study.collection).unit is ASPECT
