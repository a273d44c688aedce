"""One facet against another, on a few documents whose grades can be counted on paper."""

import numpy as np
import pytest

from agreement.statistics import CannotJudge
from agreement.study.counted import progress_of, rated_of
from agreement.study.filters import ALL, Choices
from agreement.study.grades import Relevance, gold_of
from agreement.study.parts import Part
from agreement.study.scales import Scale
from agreement.subjects.facets.figures import Crossed, Facets
from tests.factories.ratings import SCALE, SKIPPED, facts, ratings_of

NAMES = {"background": "Background", "method": "Method", "result": "Result"}
FROM_2 = Relevance(SCALE, 2)
# Grades under the first facet in rows, under the second in columns.
COUNTS = np.array([[5, 1, 2, 0], [1, 3, 0, 1], [0, 2, 4, 1], [0, 0, 1, 2]])


def facets_of(*topics, facet=ALL, rated=None, names=NAMES, **columns):
    """Topics as (query, facet, grades of the documents from 101 on); None is a document that the
    facet does not have, and of a topic without grades one pair waits."""
    documents, gold, topic_of = [], [], []
    for number, (_, _, grades) in enumerate(topics):
        for place, grade in enumerate(grades):
            if grade is not None:
                documents.append(101 + place)
                gold.append(grade)
                topic_of.append(number)
    values = np.array(gold, dtype=float)
    given = [gold, gold] if rated is None else rated
    ratings = ratings_of(
        *given,
        topics=[facts(f"{query}_{key}", key, (query,)) for query, key, _ in topics],
        topic=topic_of,
        document=documents,
        gold=values,
        **{"origin": np.where(np.isnan(values), 0, 1)} | columns,
    )
    progress = progress_of(ratings)
    queries = {query: f"Title of {query}" for query, _, _ in topics}
    present = [key for key in names if any(key == of for _, of, _ in topics)]
    parts = [Part(key, names[key], np.array([key == of for _, of, _ in topics])) for key in present]
    return Facets(
        FROM_2,
        Choices(names, queries, {}, {}, []),
        facet,
        [*parts, Part("", "All", np.ones(len(topics), dtype=bool))],
        gold_of(ratings, progress, CannotJudge.LOWEST),
        rated_of(ratings, progress, CannotJudge.LOWEST).ratings,
    )


# --- a cross table -------------------------------------------------------------------------------


def test_relevant_under_either_is_counted_once():
    crossed = Crossed(COUNTS, 1, FROM_2)

    assert crossed.shared == 23
    # On the diagonal: 5 + 3 + 4 + 2.
    assert (crossed.same.count, crossed.same.of) == (14, 23)
    # In the last two rows 10, in the last two columns 11, in both 4 + 1 + 1 + 2 = 8.
    assert crossed.either == 13
    assert (crossed.both.count, crossed.both.of) == (8, 13)
    assert (crossed.first_alone.count, crossed.first_alone.of) == (2, 13)
    assert (crossed.second_alone.count, crossed.second_alone.of) == (3, 13)


@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_both_and_either_alone_are_all_that_are_relevant_under_either(place):
    crossed = Crossed(COUNTS, 1, Relevance(SCALE, place))

    alone = crossed.first_alone.count + crossed.second_alone.count
    assert crossed.both.count + alone == crossed.either <= crossed.shared


def test_each_number_has_a_list_of_its_pairs():
    cells = Crossed(COUNTS, 1, FROM_2).cells("background,method")

    assert cells == {
        "shared": "background,method",
        "same": "background,method,same",
        "either": "background,method,2+",
        "both": "background,method,2+,2+",
        "first_alone": "background,method,2+,2-",
        "second_alone": "background,method,2-,2+",
    }


@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_facets_that_change_places_change_what_only_one_has(place):
    relevance = Relevance(SCALE, place)
    crossed, turned = Crossed(COUNTS, 1, relevance), Crossed(COUNTS.T, 1, relevance)

    assert (crossed.first_alone, crossed.second_alone) == (turned.second_alone, turned.first_alone)
    assert (crossed.same, crossed.both, crossed.either) == (turned.same, turned.both, turned.either)


def test_of_labels_one_is_relevant_and_not_those_after_it():
    labels = Scale((0.0, 1.0, 2.0), is_ordinal=False, labels=("survey", "theory", "tool"))
    counts = np.array([[1, 0, 0], [2, 4, 1], [3, 0, 5]])

    crossed = Crossed(counts, 1, Relevance(labels, 1))

    assert (crossed.both.count, crossed.either) == (4, 7)
    assert (crossed.first_alone.count, crossed.second_alone.count) == (3, 0)


def test_where_nothing_is_shared_there_is_no_share():
    crossed = Crossed(np.zeros((4, 4), dtype=int), 1, FROM_2)

    assert (crossed.shared, crossed.either) == (0, 0)
    shares = (crossed.same, crossed.both, crossed.first_alone, crossed.second_alone)
    assert [share.value for share in shares] == [None] * 4


# --- queries under two facets --------------------------------------------------------------------


def test_documents_that_only_one_facet_has_are_in_no_cross_table():
    facets = facets_of(("q1", "background", [0, 1, 3, 2]), ("q1", "method", [None, 1, 2, None]))

    [crossing] = facets.crossings

    assert crossing.crossed.counts.tolist() == [
        [0, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 1, 0],
    ]
    assert (crossing.names, crossing.cell) == (("Background", "Method"), "background,method")
    assert crossing.title == "Title of q1"


def test_query_under_three_facets_is_crossed_three_times_in_the_order_of_the_scheme():
    topics = [("q1", key, [1, 1]) for key in ("result", "background", "method")]

    pairs = [crossing.cell for crossing in facets_of(*topics).crossings]

    assert pairs == ["background,method", "background,result", "method,result"]


def test_chosen_facet_is_one_of_the_two():
    topics = [("q1", key, [1, 1]) for key in NAMES]

    pairs = [crossing.cell for crossing in facets_of(*topics, facet="method").crossings]

    assert pairs == ["background,method", "method,result"]


def test_query_of_one_facet_is_single_and_an_aspect_is_of_none():
    facets = facets_of(
        ("q1", "background", [1]),
        ("q1", "method", [1]),
        ("q2", "method", [2]),
        ("q3", "result", [2]),
        ("q4", "", [2]),
    )

    assert facets.single == 2
    assert [crossing.query for crossing in facets.crossings] == ["q1"]


def test_least_alike_come_first_then_those_that_share_nothing_then_those_not_yet_done():
    facets = facets_of(
        ("late", "background", [np.nan]),
        ("late", "method", [1]),
        ("apart", "background", [1, None]),
        ("apart", "method", [None, 1]),
        ("half", "background", [1, 2]),
        ("half", "method", [1, 3]),
        ("none", "background", [1, 2]),
        ("none", "method", [0, 3]),
        ("same", "background", [1]),
        ("same", "method", [1]),
    )

    assert [crossing.query for crossing in facets.crossings] == [
        "none",
        "half",
        "same",
        "apart",
        "late",
    ]


def test_query_is_crossed_once_both_topics_are_decided_and_says_which_is_not():
    facets = facets_of(("q1", "background", [1, 2]), ("q1", "method", [1, np.nan]))

    [crossing] = facets.crossings

    assert (crossing.crossed, crossing.cells) == (None, {})
    assert crossing.not_yet == ["Method: 1 pair to decide"]
    assert (facets.crossed, facets.together, facets.whole) == ([], [], None)


# --- all queries together ------------------------------------------------------------------------


def test_cross_tables_add_up_over_queries_and_over_facets():
    facets = facets_of(
        ("q1", "background", [0, 1, 2]),
        ("q1", "method", [0, 2, 2]),
        ("q1", "result", [0, 0, 3]),
        ("q2", "background", [3]),
        ("q2", "method", [3]),
    )

    of_two = {together.key: together for together in facets.together}

    assert list(of_two) == ["background-method", "background-result", "method-result"]
    assert of_two["background-method"].name == "Background and Method"
    queries = {key: (two.crossed.queries, two.crossed.shared) for key, two in of_two.items()}
    assert queries == {
        "background-method": (2, 4),
        "background-result": (1, 3),
        "method-result": (1, 3),
    }
    summed = np.sum([crossing.crossed.counts for crossing in facets.crossed], axis=0)
    assert facets.whole.counts.tolist() == summed.tolist()
    assert (facets.whole.queries, facets.whole.shared) == (4, 10)


def test_facets_of_one_name_are_not_taken_for_each_other():
    facets = facets_of(
        ("q1", "background", [0, 1, 2]),
        ("q1", "method", [0, 2]),
        ("q1", "result", [3]),
        names={"background": "Background", "method": "Part", "result": "Part"},
    )

    shared = {together.key: together.crossed.shared for together in facets.together}
    assert shared == {"background-method": 2, "background-result": 1, "method-result": 1}
    assert facets.whole.shared == 4


def test_pair_that_is_excluded_under_one_facet_is_shared_by_none():
    facets = facets_of(
        ("q1", "background", [1, np.nan]),
        ("q1", "method", [1, 2]),
        rated=[[1, 0, 1, 2], [1, 3, 1, 2]],
        origin=[1, 3, 1, 1],
    )

    assert (facets.whole.shared, facets.whole.same.count) == (1, 1)
    assert (facets.done.excluded, facets.done.pairs.size) == (1, 3)


def test_grades_before_adjudication_are_of_every_rating_and_after_it_of_every_pair():
    facets = facets_of(
        ("q1", "background", [1, 2]),
        ("q2", "method", [3]),
        rated=[[0, 2, 3], [1, SKIPPED, 3]],
    )

    # "Cannot judge" counts as the lowest grade here.
    rated = {part.name: part.counts for part in facets.rated}
    assert rated == {
        "Background": (2, 1, 1, 0),
        "Method": (0, 0, 0, 2),
        "All": (2, 1, 1, 2),
    }
    gold = {part.name: part.counts for part in facets.gold}
    assert gold == {"Background": (0, 1, 1, 0), "Method": (0, 0, 0, 1), "All": (0, 1, 1, 1)}


def test_parts_add_up_to_all_of_them():
    facets = facets_of(
        *((query, key, [0, 1, 2, 3, 1]) for query in ("q1", "q2") for key in NAMES), facet="method"
    )

    for *parts, whole in (facets.gold, facets.rated):
        summed = np.sum([part.counts for part in parts], axis=0)
        assert tuple(summed.tolist()) == whole.counts
        assert sum(part.relevant.count for part in parts) == whole.relevant.count
    assert facets.rated_topics == 6
