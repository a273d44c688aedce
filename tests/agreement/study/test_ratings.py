"""The arrays that every figure is made of, as far as they are not read from tables."""

from dataclasses import fields, replace

import numpy as np
import pytest

from agreement.study.ratings import Ratings, read_ratings_of
from agreement.study.scales import Scale
from agreement.study.selection import unit_under
from agreement.tables.columns import ASPECT, QUERY, TOPIC
from annotation.schemes.actions import load_definition
from datasets.models import Query
from tests.factories.ratings import SKIPPED, facts, ratings_of
from tests.factories.studies import ASPECT_TEXTS, make_aspect_study, make_collection, make_study

GRADES, WIDER = Scale((0.0, 1.0)), Scale((0.0, 1.0, 2.0))
LABELS = Scale((0.0, 1.0), is_ordinal=False, labels=("survey", "theory"))


def of_topics(*topics):
    """A pair of each."""
    return ratings_of([1] * len(topics), topics=topics, topic=range(len(topics)))


# --- clusters: what is drawn together ------------------------------------------------------------


@pytest.mark.parametrize(
    ("queries", "clusters"),
    [
        # A query of its own for each topic.
        ([["a"], ["b"], ["c"]], [0, 1, 2]),
        # Two facets of one query, with another between them.
        ([["a"], ["b"], ["a"]], [0, 1, 0]),
        # The third is asked for by both queries, so both stay together.
        ([["a"], ["b"], ["a", "b"]], [0, 0, 0]),
        # A chain: a and b share the second, b and c the fourth.
        ([["a"], ["a", "b"], ["c"], ["b", "c"]], [0, 0, 0, 0]),
        # A late link joins what was numbered apart, and nothing else.
        ([["a"], ["b"], ["c"], ["d"], ["d", "b"]], [0, 1, 2, 1, 1]),
        # A topic that stands under no query is alone.
        ([["a"], [], ["a"], []], [0, 1, 0, 3]),
    ],
)
def test_topics_of_a_query_and_of_all_that_share_one_with_it_are_one_cluster(queries, clusters):
    topics = [facts(f"t{n}", queries=tuple(of)) for n, of in enumerate(queries)]

    assert of_topics(*topics).clusters.tolist() == clusters


def test_clusters_are_the_connected_parts_of_topics_and_queries():
    """Against a search by hand, over many studies."""
    random = np.random.default_rng(6)
    for _ in range(40):
        topics = [
            facts(f"t{n}", queries=tuple(f"q{query}" for query in random.choice(12, size=2)))
            for n in range(random.integers(1, 12))
        ]
        expected = list(range(len(topics)))
        for _ in topics:
            for one, first in enumerate(topics):
                for other, second in enumerate(topics):
                    if set(first.queries) & set(second.queries):
                        expected[one] = min(expected[one], expected[other])

        assert of_topics(*topics).clusters.tolist() == expected


def test_queries_are_counted_once_whatever_topics_they_have():
    topics = [facts("t0", queries=("a",)), facts("t1", queries=("a", "b")), facts("t2", queries=())]

    ratings = of_topics(*topics)

    assert [ratings.queries(numbers) for numbers in ([0], [0, 1], [2], [])] == [1, 2, 0, 0]


# --- the noun for topics -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topics", "unit"),
    [
        ([facts("q1_method", "method", ("q1",))], TOPIC),
        ([facts("q1", "relevance", ("q1",)), facts("q2", "relevance", ("q2",))], QUERY),
        # One that is named otherwise than its query, and they are topics.
        ([facts("q1", "relevance", ("q1",)), facts("q2x", "relevance", ("q2",))], TOPIC),
        ([facts("0", "", ("q1", "q2"))], ASPECT),
        ([facts("0", "", ("q1",)), facts("q1_method", "method", ("q1",))], TOPIC),
        ([], TOPIC),
    ],
)
def test_topics_are_called_what_they_are(topics, unit):
    assert replace(of_topics(facts("q")), topics=tuple(topics)).unit is unit


# --- scales --------------------------------------------------------------------------------------


def with_scales(scales, *used):
    return replace(of_topics(*(facts(f"q_{facet}", facet) for facet in used)), scales=scales)


def test_shared_scale_is_that_of_every_facet():
    ratings = with_scales({"": WIDER}, "background", "method")

    assert (ratings.scale, ratings.has_different_scales) == (WIDER, False)
    assert ratings.scale_under("method") is WIDER


def test_facets_with_scales_of_their_own_are_different_even_where_the_values_are_the_same():
    ratings = with_scales({"a": GRADES, "b": Scale((0.0, 1.0))}, "a", "b")

    assert ratings.has_different_scales
    assert ratings.scale_under("b") == GRADES


def test_of_one_facet_in_use_its_scale_is_the_scale():
    ratings = with_scales({"a": GRADES, "b": WIDER}, "b")

    assert (ratings.scale, ratings.has_different_scales) == (WIDER, False)
    assert ratings.scales_in_use == [WIDER]


@pytest.mark.parametrize(("other", "is_ordinal"), [(WIDER, True), (LABELS, False)])
def test_over_different_scales_stand_the_values_of_all(other, is_ordinal):
    scale = with_scales({"a": Scale((-1.0, 2.0)), "b": other}, "a", "b").scale

    assert scale.values == tuple(sorted({-1.0, 2.0, *other.values}))
    assert scale.is_ordinal == is_ordinal


def test_study_without_topics_has_the_scales_of_its_scheme():
    assert with_scales({"a": GRADES, "b": WIDER}).scales_in_use == [GRADES, WIDER]


# --- choosing pairs ------------------------------------------------------------------------------


@pytest.fixture
def ratings():
    """Five pairs of three topics: two, none and three."""
    return ratings_of(
        [0, 1, SKIPPED, 3, 2],
        [0, None, 2, 3, 1],
        topics=[facts("q1"), facts("q2"), facts("q3")],
        topic=[0, 0, 2, 2, 2],
        origin=[1, 0, 3, 2, 0],
        cause=["", "", "", "granularity", ""],
    )


def columns_of(ratings):
    return {
        column.name: getattr(ratings, column.name)
        for column in fields(Ratings)
        if isinstance(getattr(ratings, column.name), np.ndarray)
    }


def test_every_column_keeps_the_pairs_that_are_chosen(ratings):
    mask = np.array([True, False, False, True, True])

    chosen = columns_of(ratings.only(mask))

    for name, column in columns_of(ratings).items():
        np.testing.assert_array_equal(chosen[name], column[..., mask], err_msg=name)


def test_topics_stay_where_their_pairs_go_and_go_where_they_are_not_chosen(ratings):
    without_pairs = ratings.only(np.array([False, False, True, True, True]))
    chosen = ratings.of_topics([1, 2])

    assert [topic.key for topic in without_pairs.topics] == ["q1", "q2", "q3"]
    assert without_pairs.starts.tolist() == [0, 0, 0, 3]
    assert [topic.key for topic in chosen.topics] == ["q2", "q3"]
    assert (chosen.topic.tolist(), chosen.starts.tolist()) == ([1, 1, 1], [0, 0, 3])
    assert chosen.pair.tolist() == [3, 4, 5]
    assert ratings.of_topics([0, 1]).pair.tolist() == [1, 2]


def test_topics_begin_where_those_before_them_end(ratings):
    assert ratings.starts.tolist() == [0, 2, 2, 5]


def test_where_all_is_chosen_nothing_is_copied(ratings):
    assert ratings.only(np.ones(5, dtype=bool)) is ratings
    assert ratings.of_topics([0, 1, 2]) is ratings


def test_nothing_may_be_chosen(ratings):
    for nothing in (ratings.only(np.zeros(5, dtype=bool)), ratings.of_topics([])):
        assert (nothing.size, nothing.values.shape) == (0, (2, 0))
    assert ratings.of_topics([]).starts.tolist() == [0]


def test_cannot_judge_is_an_answer_and_an_unrated_pair_is_none(ratings):
    assert ratings.is_cannot_judge.tolist() == [[False] * 2 + [True] + [False] * 2, [False] * 5]


def test_exclusion_is_a_decision_and_consensus_is_none(ratings):
    assert ratings.is_decided.tolist() == [False, False, True, True, False]


# --- what is read from tables --------------------------------------------------------------------


def test_a_topic_is_called_by_its_text_or_by_its_query(db):
    facets, aspects = make_study(facets=("method",)), make_aspect_study()
    texts = make_study(slug="texts")
    Query.objects.filter(collection=texts.collection).update(text="Which bearings?", document=None)

    def titles(study):
        return [topic.title for topic in read_ratings_of(study.collection).topics]

    assert titles(facets) == ["Title of q1"]
    assert titles(aspects) == [ASPECT_TEXTS[key] for key in sorted(ASPECT_TEXTS)]
    assert titles(texts) == ["Which bearings?"]


def test_values_without_an_order_have_labels_and_grades_have_none(db):
    grades = make_study(slug="grades")
    options = [
        {"key": key, "name": name, "value": value, "shortcut": f"{number}"}
        for number, (key, name, value) in enumerate(
            [("survey", "Survey", 1), ("theory", "Theory", 0), ("proof", "Proof", 0)], 1
        )
    ]
    labels = make_study(order="nominal", rule={"name": "majority"}, options=options)

    [scale] = read_ratings_of(labels.collection).scales.values()
    assert (scale.values, scale.labels) == ((0.0, 1.0), ("Theory or Proof", "Survey"))
    [scale] = read_ratings_of(grades.collection).scales.values()
    assert (scale.values, scale.labels) == ((0.0, 1.0, 2.0, 3.0), ())


def test_what_nobody_answered_has_neither_option_nor_rater(db):
    study = make_study(candidates=2)
    first, second = study.batch.pairs.all()
    study.rate("alice", first, 0)
    study.rate("bob", second, 0)

    ratings = read_ratings_of(study.collection)

    assert ratings.is_answered.tolist() == [[True, False], [False, True]]
    for of_answer in (ratings.option, ratings.annotator, ratings.version):
        assert (of_answer != 0).tolist() == ratings.is_answered.tolist()
    for of_answer in (ratings.values, ratings.given_at, ratings.seconds):
        assert (~np.isnan(of_answer)).tolist() == ratings.is_answered.tolist()


@pytest.mark.parametrize(
    ("definition", "unit"), [("csfcube", TOPIC), ("doris-mae", ASPECT), ("trec-graded", QUERY)]
)
def test_without_topics_they_are_called_as_the_scheme_would(db, definition, unit):
    collection = make_collection("study", load_definition(definition))

    assert unit_under(collection.scheme) is unit
