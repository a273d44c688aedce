"""What the topics of a file are in a collection."""

import pytest

from audit.refusals import Invalid
from datasets.models import Collection, Level, Query, Topic
from datasets.runs.levels import known_ids, level_of
from formats.words import counted


@pytest.fixture
def make(db):
    def collection_of(*, topics=(), queries=()):
        collection = Collection.objects.create(slug="study", name="Study")
        for position, name in enumerate(topics):
            # An aspect has a text and no facet.
            facet = name.partition("_")[2]
            text = "" if facet else f"Text {name}"
            Topic.objects.create(
                collection=collection, external_id=name, facet=facet, text=text, position=position
            )
        for position, name in enumerate(queries):
            Query.objects.create(
                collection=collection, external_id=name, text="A text", position=position
            )
        return collection

    return collection_of


@pytest.mark.parametrize(
    ("topics", "queries", "ids", "level"),
    [
        (["q1_method"], ["q1"], ["q1_method", "x"], Level.TOPICS),
        (["q1_method"], ["q1"], ["q1", "x"], Level.QUERIES),
        # Both are numbered from 0, and runs are made for queries.
        (["0", "1", "2"], ["0", "1"], ["0", "1"], Level.QUERIES),
        (["0", "1", "2"], ["0", "1"], ["0", "1", "2"], Level.TOPICS),
        (["0", "1"], ["0", "1"], ["0", "1"], Level.TOPICS),
        (["a", "b"], ["q_1"], ["q_1_a+b", "elsewhere_a+b"], Level.SUB_QUERIES),
    ],
)
def test_level_is_that_at_which_most_ids_are_known(make, topics, queries, ids, level):
    collection = make(topics=topics, queries=queries)

    assert level_of(collection, ids) == level
    assert known_ids(collection, Level.SUB_QUERIES, ["q_1_a+b", "x_a"]) == (
        {"q_1_a+b"} if "q_1" in queries else set()
    )


def test_stated_level_counts_whatever_else_is_known(make):
    collection = make(topics=["0", "1"], queries=["0", "1"])

    assert level_of(collection, ["0"], level="queries") == Level.QUERIES


@pytest.mark.parametrize(
    ("stored", "ids", "level", "sentence"),
    [
        ({}, ["x"], "", "The collection has no queries yet"),
        ({"queries": ["q1"]}, ["x"], "", "the 1 query; it has 1 other: x. The collection has q1."),
        (
            {"queries": ["q1", "q2"]}, list("wxyz"), "",
            "none of the 2 queries; it has 4 others, such as w, x, y. The collection has q1, q2.",
        ),
        ({"topics": ["t1"], "queries": ["q1"]}, ["q1"], "topics", "none of the 1 topic; it has"),
        ({"topics": ["t1"], "queries": ["q1"]}, ["x"], "", "none of the 1 query;"),
        ({"topics": ["t1", "t2"]}, ["x"], "", "none of the 2 topics;"),
    ],
)  # fmt: skip
def test_file_about_nothing_of_the_collection_is_refused(make, stored, ids, level, sentence):
    with pytest.raises(Invalid) as refused:
        level_of(make(**stored), ids, level=level)

    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("level", "count", "words"),
    [
        (Level.TOPICS, 25, "25 topics"),
        (Level.QUERIES, 1, "1 query"),
        (Level.SUB_QUERIES, 1200, "1,200 sub-queries"),
    ],
)
def test_what_is_ranked_is_called_by_its_level(level, count, words):
    assert counted(count, level.singular) == words
