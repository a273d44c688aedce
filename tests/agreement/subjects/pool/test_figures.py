"""What sources brought into pools, on a few pairs whose grades can be counted on paper."""

import numpy as np
import pytest

from agreement.statistics import CannotJudge
from agreement.study.counted import progress_of
from agreement.study.grades import Relevance, gold_of, graded
from agreement.study.parts import Part
from agreement.study.scales import Scale
from agreement.study.sources import Sources
from agreement.subjects.pool.figures import UNNAMED, Pool, Spread
from tests.factories.ratings import SCALE, facts, ratings_of

TOPICS = (facts("q1", "background", ("q1",)), facts("q2", "method", ("q2",)))
ALL = Part("", "All", np.array([True, True]))
EACH = (
    Part("background", "Background", np.array([True, False])),
    Part("method", "Method", np.array([False, True])),
)


def pool_of(grades, brought_by, *, topic=0, relevant=2, scale=SCALE, parts=(*EACH, ALL), more=()):
    """Pairs with these grades, None while one is open, each with the names of its sources; every
    pair is a candidate. `more` are candidates of the same queries that no pair was made of."""
    gold = np.array([np.nan if grade is None else grade for grade in grades], dtype=float)
    ratings = ratings_of(
        gold, gold, topics=TOPICS, topic=topic, gold=gold, origin=~np.isnan(gold) * 1, scale=scale
    )
    done = gold_of(ratings, progress_of(ratings), CannotJudge.LOWEST)
    names = tuple(sorted({name for sources in brought_by for name in sources}))

    def by_name(rows):
        table = [[name in sources for name in names] for sources in rows]
        return np.array(table, dtype=bool).reshape(len(rows), len(names))

    of_done = [
        sources
        for sources, pair in zip(brought_by, ratings.pair.tolist(), strict=True)
        if pair in done.pairs.pair
    ]
    sources = Sources(names, by_name(of_done), by_name([*brought_by, *more]), 0)
    relevance = Relevance(scale, relevant)
    every = graded("", "All", done.grades, relevance)
    return Pool(relevance, True, every, done, ratings, sources, list(parts))


# --- sources -------------------------------------------------------------------------------------


def test_pair_counts_for_each_source_that_brought_it_and_alone_for_one():
    pool = pool_of([3, 2, 0, 0], [{"bm25", "dense"}, {"dense"}, {"bm25"}, {"bm25"}])

    bm25, dense = sorted(pool.sources, key=lambda source: source.name)

    assert (bm25.brought.counts, bm25.alone.counts) == ((2, 0, 0, 1), (2, 0, 0, 0))
    assert (dense.brought.counts, dense.alone.counts) == ((0, 0, 1, 1), (0, 0, 1, 0))
    assert (bm25.alone_share.count, bm25.alone_share.of) == (2, 3)
    # Two pairs are relevant; BM25 brought one of them, the other both.
    assert [(s.recall.count, s.recall.of) for s in (bm25, dense)] == [(1, 2), (2, 2)]


def test_source_with_the_largest_share_of_relevant_pairs_comes_first_then_by_name():
    pool = pool_of([3, 0, 3, 0, 0], [{"half"}, {"half"}, {"all"}, {"none"}, {"a none"}])

    assert [source.name for source in pool.sources] == ["all", "half", "a none", "none"]
    assert pool.best.name == "all"


def test_what_no_source_brought_comes_last_and_is_nobodys_merit():
    pool = pool_of([3, 3, 0], [set(), {"bm25"}, {"bm25"}], more=[set(), set()])

    *named, unnamed = pool.sources

    assert (unnamed.name, unnamed.candidates) == (UNNAMED, 3)
    assert (unnamed.brought.total, unnamed.alone.total, unnamed.recall.value) == (1, 1, 0.5)
    assert pool.named == named
    assert (pool.best.name, pool.only_it.name) == ("bm25", "bm25")


def test_source_of_no_judged_pair_is_not_listed():
    pool = pool_of([1], [{"bm25"}], more=[{"bm25"}, {"bm25"}])

    assert [(source.name, source.candidates) for source in pool.sources] == [("bm25", 3)]
    assert pool.candidates == 3


def test_without_relevant_pairs_no_source_is_the_best_and_none_would_be_missed():
    pool = pool_of([0, 1], [{"bm25"}, {"dense"}])

    assert (pool.best, pool.only_it) == (None, None)
    assert [source.recall.value for source in pool.sources] == [None, None]


def test_source_without_which_the_most_relevant_pairs_would_be_missing_comes_first():
    """The largest share of relevant pairs says nothing of that."""
    pool = pool_of(
        [3, 3, 2, 0, 3], [{"many"}, {"many"}, {"both", "many"}, {"many"}, {"both"}], relevant=2
    )

    assert pool.best.name == "both"
    assert pool.only_it.name == "many"
    assert [(s.name, s.alone.relevant.count) for s in pool.by_loss] == [("many", 2), ("both", 1)]


def test_equal_losses_are_in_the_order_of_names():
    pool = pool_of([3, 3, 3], [{"c"}, {"a"}, {"b"}])

    assert [source.name for source in pool.by_loss] == ["a", "b", "c"]


def test_pairs_alone_and_pairs_of_several_sources_are_all_pairs():
    brought_by = [{"a"}, {"a", "b"}, {"b", "c"}, {"c"}, {"a", "b", "c"}, set()]
    pool = pool_of([0, 1, 2, 3, 3, 2], brought_by)

    alone = sum(source.alone.total for source in pool.sources)
    of_several = sum(len(sources) > 1 for sources in brought_by)
    assert alone + of_several == pool.every.total == 6


# --- citations -----------------------------------------------------------------------------------


def test_cited_and_not_cited_are_all_pairs_of_a_part():
    pool = pool_of(
        [3, 3, 0, 2, 1],
        [{"cited", "bm25"}, {"bm25"}, {"cited"}, {"bm25"}, {"references"}],
        topic=[0, 0, 0, 1, 1],
    )

    background, method, whole = pool.cited

    assert pool.citations == ["cited", "references"]
    assert (background.cited.counts, background.others.counts) == ((1, 0, 0, 1), (0, 0, 0, 1))
    assert (method.cited.counts, method.others.counts) == ((0, 1, 0, 0), (0, 0, 1, 0))
    assert (whole.recall.count, whole.missed.count, whole.recall.of) == (1, 2, 3)
    for row in pool.cited:
        assert row.recall.count + row.missed.count == row.recall.of == row.missed.of
    assert sum(row.cited.total + row.others.total for row in (background, method)) == 5


def test_where_nothing_is_relevant_citations_missed_no_share():
    [whole] = pool_of([0, 1], [{"cited"}, {"bm25"}], parts=[ALL]).cited

    assert (whole.recall.value, whole.missed.value) == (None, None)
    assert [words for words, _, _ in whole.both] == ["cited", "not cited"]


# --- Table 1 -------------------------------------------------------------------------------------


def rows_of(pool):
    return {row.words: list(row.cells) for row in pool.table}


def test_table_counts_pools_wholly_and_grades_of_those_that_are_decided():
    pool = pool_of([0, 1, 1, 3, 2, None], [set()] * 6, topic=[0, 0, 0, 0, 1, 1], parts=(*EACH, ALL))

    rows = rows_of(pool)

    assert rows["Queries"] == [1, 1, 2]
    assert rows["Pools"] == [1, 1, 2]
    assert rows["Pools judged"] == [1, 0, 1]
    assert rows["Pool size"] == [Spread(4, 4, 4, 4), Spread(2, 2, 2, 2), Spread(6, 2, 4, 3)]
    nothing = Spread(0, None, None, None)
    assert rows["Judged pairs"] == [Spread(4, 4, 4, 4), nothing, Spread(4, 4, 4, 4)]
    assert rows["Grade 1"] == [Spread(2, 2, 2, 2), nothing, Spread(2, 2, 2, 2)]
    assert rows["Grade 2"] == [Spread(0, 0, 0, 0), nothing, Spread(0, 0, 0, 0)]


def test_spread_is_over_pools_also_those_without_such_a_pair():
    pool = pool_of([3, 3, 3, 0], [set()] * 4, topic=[0, 0, 0, 1], parts=[ALL])

    assert rows_of(pool)["Grade 3"] == [Spread(3, 0, 3, 1.5)]


def test_grades_come_highest_first_and_between_the_ends_also_from_each_on():
    words = [row.words for row in pool_of([0], [set()]).table]

    assert words == [
        "Queries",
        "Pools",
        "Pool size",
        "Pools judged",
        "Judged pairs",
        "Grade 3",
        "Grade 2 or more",
        "Grade 2",
        "Grade 1 or more",
        "Grade 1",
        "Grade 0",
    ]


def test_labels_are_rows_by_their_names_and_none_is_more_than_another():
    scale = Scale((0.0, 1.0, 2.0), is_ordinal=False, labels=("survey", "theory", "tool"))
    pool = pool_of([0, 2, 2], [{"a"}, {"a"}, {"b"}], scale=scale, relevant=0, parts=[ALL])

    rows = rows_of(pool)

    assert list(rows)[5:] == ["tool", "theory", "survey"]
    assert [rows[label][0].total for label in ("tool", "theory", "survey")] == [2, 0, 1]
    # Relevant is the one label "survey", not what stands above it.
    assert [(s.name, s.brought.relevant.count) for s in pool.sources] == [("a", 1), ("b", 0)]


def test_grades_of_a_column_add_up_to_its_judged_pairs():
    pool = pool_of([0, 1, 1, 3, 2, 0, 3], [set()] * 7, topic=[0, 0, 0, 0, 1, 1, 1])

    for column in pool.columns:
        assert sum(spread.total for spread in column.grades) == column.judged.total
        assert column.from_grades[0] == column.judged
        assert column.from_grades[-1] == column.grades[-1]
    *parts, whole = pool.columns
    assert sum(part.judged.total for part in parts) == whole.judged.total == 7


@pytest.mark.parametrize(
    ("row", "listed"),
    [
        ("Queries", ("", "")),
        ("Pool size", ("pooled", "")),
        ("Judged pairs", ("judged", "")),
        ("Grade 2 or more", ("judged", "2+")),
        ("Grade 2", ("judged", "2")),
    ],
)
def test_each_count_of_pairs_names_its_list(row, listed):
    rows = {line.words: line for line in pool_of([0], [set()]).table}

    assert (rows[row].list, rows[row].list_cell) == listed
