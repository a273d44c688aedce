"""The ranked pool and the heat map of a query, as people read them."""

import pytest

from annotation.reading.aspects import TreePlace
from evaluation.queries.reading import ReadQuery, TextQuery
from evaluation.queries.reports import Ranked, heat_of, linked_sentences, query_row, shown
from evaluation.scores import Aspect, ComplexQuery, Place, Sentence
from evaluation.values import Values

MINUS = "\u2212"
TREE = ComplexQuery(
    "q",
    (Aspect("a", ("a", "a1")), Aspect("b", ("b", "a1"))),
    (
        Sentence("Both.", frozenset({"a", "b"})),
        Sentence("The second.", frozenset({"b", "elsewhere"})),
        Sentence("Nothing.", frozenset()),
    ),
)
PLACES = [
    TreePlace("A", 0, "a", "First"),
    TreePlace("A1", 1, "a1", "Below it"),
    TreePlace("B", 0, "b", "Second"),
    TreePlace("B1", 1, "a1", "Below it", same_as="A1"),
]


def query(documents=("d1", "d2")):
    return ReadQuery(None, PLACES, TextQuery("Both.", TREE, list(documents)), len(documents))


def ranked(total, *, rank=1, is_tied=False, size=3):
    return Ranked(Place("d1", rank, is_tied, total, size, size, False), "A paper")


@pytest.mark.parametrize(
    ("total", "size", "score", "text"),
    [
        (5000, 3, "1.667", "5"),
        (0, 3, "0.000", "0"),
        (500, 3, "0.167", "0.5"),
        (-2000, 3, f"{MINUS}0.667", f"{MINUS}2"),
        # What rounds to nothing has no sign.
        (-1, 3, "0.000", f"{MINUS}0.001"),
        (None, 3, "", ""),
    ],
)
def test_score_is_the_sum_by_the_number_of_aspects(total, size, score, text):
    document = ranked(total, size=size)

    assert (document.score, document.total) == (score, text)


@pytest.mark.parametrize(
    ("rank", "is_tied", "text"), [(3, False, "3"), (3, True, "3="), (None, False, "")]
)
def test_rank_that_others_share_says_so(rank, is_tied, text):
    assert ranked(None, rank=rank, is_tied=is_tied).rank == text


@pytest.mark.parametrize(
    ("value", "scale", "heat"),
    [
        (0, (0, 1000, 2000), "h1"),
        (1000, (0, 1000, 2000), "h3"),
        (2000, (0, 1000, 2000), "h5"),
        (500, (0, 2000), "h2"),
        (-1000, (-1000, 0, 1000), "h1"),
        # A median or a machine may lie beyond the scale.
        (-5, (0, 1000), "h1"),
        (1200, (0, 1000), "h5"),
        (700, (700,), "h1"),
    ],
)
def test_shade_is_of_the_place_on_the_scale(value, scale, heat):
    assert heat_of(value, scale) == heat


def test_values_are_written_without_needless_zeros():
    assert [shown(value) for value in (0, 1000, 1500, -250)] == ["0", "1", "1.5", f"{MINUS}0.25"]


def test_aspect_of_two_places_counts_once_in_a_row_of_the_list():
    values = Values({"a": {"d1": 0, "d2": 1}, "a1": {"d1": 1}, "b": {"d1": 2, "x": 1}}, set(), 0)

    row = query_row(query(), values)

    # Three ids over two documents; d1 has all of them.
    assert (row.sub_aspects, row.documents, row.pairs) == (1, 2, 6)
    assert (row.valued, row.complete, row.percent) == (4, 1, 66)


def test_percent_is_rounded_down_and_of_no_pairs_there_is_none():
    everything = {"a": {"d1": 0}, "a1": {"d1": 0}, "b": {"d1": 0}}

    assert query_row(query(["d1"]), Values(everything, set(), 0)).percent == 100
    assert query_row(query([]), Values(everything, set(), 0)).percent is None


def test_sentence_is_chosen_where_it_asks_for_a_chosen_aspect():
    first, _ = TREE.aspects

    sentences = linked_sentences(query(), [first])

    assert [(s.text, s.marks, s.is_chosen) for s in sentences] == [
        ("Both.", ["A", "B"], True),
        ("The second.", ["B"], False),
        ("Nothing.", [], False),
    ]
