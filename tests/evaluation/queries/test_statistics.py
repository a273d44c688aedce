"""Statistics of text queries, over two queries that can be counted by hand."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from evaluation.queries.reading import ReadQuery, TextQuery
from evaluation.queries.statistics import statistics
from evaluation.scores import Aspect, ComplexQuery, Sentence, Spread
from evaluation.values import Values

SCALE = (0, 1000, 2000)


def query(query_id, aspects, documents, *, text="Some words", kind=None, pool_size=None):
    """Its sentences ask for one aspect each."""
    tree = ComplexQuery(
        query_id,
        tuple(Aspect(key, (key, *below)) for key, below in aspects.items()),
        tuple(Sentence(f"For {key}.", frozenset({key})) for key in aspects),
    )
    row = SimpleNamespace(metadata={} if kind is None else {"query_type": kind})
    size = len(documents) if pool_size is None else pool_size
    return ReadQuery(row, [], TextQuery(text, tree, list(documents)), size)


def values_of(**topics):
    """{topic: the values of d1, d2 and so on}, None where there is none."""
    return Values(
        {
            topic: {
                f"d{number}": 1000 * value
                for number, value in enumerate(values, start=1)
                if value is not None
            }
            for topic, values in topics.items()
        },
        set(),
        0,
    )


# Two aspects, of which the first has one below; over three documents.
FIRST = query("q1", {"a": ["a1"], "b": []}, ["d1", "d2", "d3"], kind="ML", pool_size=4)
# An aspect that stands in the first query too, and two of its own; over d1 and d2.
SECOND = query(
    "q2", {"a": [], "c": [], "e": []}, ["d1", "d2"], kind="CV", text="Five words of a query"
)
VALUES = values_of(a=[2, 1, 0], a1=[1, 1, None], b=[0, 1, 0], c=[0, 1], e=[0, 1])


@pytest.fixture
def parts():
    return {part.name: part for part in statistics([FIRST, SECOND], VALUES, SCALE)}


def test_all_come_first_and_types_in_the_order_in_which_they_occur(parts):
    assert list(parts) == ["", "ML", "CV"]
    assert [part.label for part in parts.values()] == ["All queries", "ML", "CV"]
    assert [part.queries for part in parts.values()] == [2, 1, 1]


def test_queries_without_a_type_are_a_part_beside_those_with_one():
    untyped = query("q3", {"c": []}, ["d1"])

    names = [part.name for part in statistics([FIRST, untyped], VALUES, SCALE)]
    alone = [part.name for part in statistics([untyped], VALUES, SCALE)]

    assert (names, alone) == (["", "ML", "no type named"], [""])
    assert statistics([], VALUES, SCALE) == []


def test_spreads_are_of_queries(parts):
    whole = parts[""]

    assert whole.words == Spread(2, 2, Fraction(7, 2), 5)
    assert whole.aspects == Spread(2, 2, Fraction(5, 2), 3)
    assert whole.sub_aspects == Spread(2, 0, Fraction(1, 2), 1)
    assert whole.ids == Spread(2, 3, 3, 3)
    # Of candidates, also of those without a text.
    assert whole.pools == Spread(2, 2, 3, 4)


def test_pair_that_two_queries_ask_for_is_counted_once(parts):
    # Three ids over three documents, and two more over two; "a" is shared.
    assert [part.pairs for part in parts.values()] == [9 + 4, 9, 6]
    # a: 2 1 0, a1: 1 1, b: 0 1 0, c: 0 1, e: 0 1
    assert parts[""].values == {0: 5, 1000: 6, 2000: 1}
    assert (parts[""].valued, parts[""].pairs_without_value) == (12, 1)
    assert parts["CV"].values == {0: 2, 1000: 3, 2000: 1}


def test_value_that_nobody_gave_is_counted_as_none_and_one_off_the_scale_as_itself():
    [part] = statistics([query("q3", {"c": []}, ["d1", "d2"])], values_of(c=[0, 0.5]), SCALE)

    assert part.values == {0: 1, 500: 1, 1000: 0, 2000: 0}


def test_scores_are_of_each_query_and_only_of_documents_with_every_value(parts):
    # In the first query d1 and d2 have 3/3 each, in the second 2/3 and 3/3.
    assert [(part.scored, part.unscored) for part in parts.values()] == [(4, 1), (2, 1), (2, 0)]
    assert [part.mean_score for part in parts.values()] == [Fraction(11, 12), 1, Fraction(5, 6)]
    assert sum(parts[""].scores.counts) == 4
    assert (parts[""].scores.borders[0], parts[""].scores.borders[-1]) == (0, 2)
    # Relevant is a score of 1 and more.
    assert [part.relevant for part in parts.values()] == [
        Spread(2, 1, Fraction(3, 2), 2),
        Spread(1, 2, 2, 2),
        Spread(1, 1, 1, 1),
    ]
    assert [part.without_relevant for part in parts.values()] == [0, 0, 0]


def test_query_without_a_relevant_document_is_counted_and_one_without_scores_is_not():
    low = query("q3", {"c": []}, ["d1"])
    unknown = query("q4", {"z": []}, ["d1"])

    whole = statistics([low, unknown], VALUES, SCALE)[0]
    nothing = statistics([unknown], VALUES, SCALE)[0]

    assert (whole.with_scores, whole.without_relevant) == (1, 1)
    assert whole.relevant == Spread(1, 0, 0, 0)
    assert (nothing.with_scores, nothing.without_relevant, nothing.relevant) == (0, None, None)
    assert (nothing.mean_score, nothing.scored, nothing.unscored) == (None, 0, 1)


def test_sub_query_that_is_known_settles_no_other():
    three = query("q3", {"a": [], "b": [], "c": []}, ["d1"])

    [whole] = statistics([three], values_of(a=[0], b=[0], c=[None]), SCALE)

    # Of a+b, a+c and b+c the first alone is known.
    assert (whole.sub_queries[0].count, whole.sub_queries[0].unsettled) == (3, 2)


def test_scale_of_a_single_value_has_no_histogram():
    [part] = statistics([query("q3", {"c": []}, ["d1"])], VALUES, (1000,))

    assert part.scores is None


def test_sub_queries_are_counted_by_how_far_they_are_known(parts):
    two, three = parts["CV"].sub_queries

    # a+c, a+e and c+e: of d2 all are 1, so each has a relevant document.
    assert (two.size, two.count, two.with_relevant, two.unsettled) == (2, 3, 3, 0)
    assert (three.size, three.count, three.with_relevant, three.unsettled) == (3, 1, 1, 0)
    # With the one of the first query, which has no three aspects.
    assert [
        (counts.count, counts.with_relevant, counts.unsettled) for counts in parts[""].sub_queries
    ] == [(4, 4, 0), (1, 1, 0)]


@pytest.mark.parametrize(
    ("second", "with_relevant", "unsettled"),
    [
        ([0, None], 0, 1),  # d2 may be relevant yet
        ([2, None], 1, 0),  # d1 is, whatever comes of d2
        ([0, 0], 0, 0),
    ],
)
def test_sub_query_is_settled_with_a_relevant_document_or_once_all_are_scored(
    second, with_relevant, unsettled
):
    part = query("q3", {"a": [], "b": []}, ["d1", "d2"])

    [whole] = statistics([part], values_of(a=[0, 0], b=second), SCALE)

    assert whole.sub_queries[0].count == 1
    assert (whole.sub_queries[0].with_relevant, whole.sub_queries[0].unsettled) == (
        with_relevant,
        unsettled,
    )
