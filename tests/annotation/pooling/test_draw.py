"""The same runs and seed give the same pool, and each document knows who proposed it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.pooling.draw import Way, draw_pool

DOCUMENTS = st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=10)
RANKINGS = st.dictionaries(
    st.sampled_from(["bm25", "cited", "specter", "tfidf"]),
    st.dictionaries(st.sampled_from(["1", "2"]), DOCUMENTS, max_size=2),
    max_size=4,
)
WAYS = st.sampled_from(Way)


def text_of(pool):
    return json.dumps(
        {
            topic: [[candidate.document, candidate.ranks] for candidate in pooled]
            for topic, pooled in pool.items()
        }
    )


def documents(pool, topic="1"):
    return [candidate.document for candidate in pool[topic]]


@given(RANKINGS, WAYS, st.integers(1, 12), st.randoms())
def test_pool_is_the_same_bytes_in_whatever_order_runs_and_topics_come(rankings, way, size, mix):
    def mixed(mapping):
        items = list(mapping.items())
        mix.shuffle(items)
        return dict(items)

    again = mixed({run: mixed(lists) for run, lists in rankings.items()})

    assert text_of(draw_pool(rankings, way=way, size=size, seed="7")) == text_of(
        draw_pool(again, way=way, size=size, seed="7")
    )


@given(RANKINGS, WAYS, st.integers(1, 12), st.sets(st.sampled_from(["cited", "bm25", "none"])))
def test_each_document_is_once_in_and_knows_its_ranks(rankings, way, size, whole):
    pool = draw_pool(rankings, way=way, size=size, seed="7", whole_runs=sorted(whole))

    for topic, pooled in pool.items():
        assert len({candidate.document for candidate in pooled}) == len(pooled)
        for candidate in pooled:
            assert candidate.ranks
            for run, rank in candidate.ranks.items():
                assert rankings[run][topic][rank - 1] == candidate.document


@given(RANKINGS, st.integers(1, 12))
def test_depth_takes_the_first_of_every_run_and_no_other(rankings, depth):
    pool = draw_pool(rankings, way=Way.DEPTH, size=depth)

    for topic in pool:
        expected = set().union(*(lists.get(topic, [])[:depth] for lists in rankings.values()))
        assert set(documents(pool, topic)) == expected


@given(RANKINGS, st.integers(1, 12), st.sampled_from(["1", "x"]))
def test_turns_give_every_run_its_number_or_end_it(rankings, count, seed):
    pool = draw_pool(rankings, way=Way.DRAW, size=count, seed=seed)

    for topic, pooled in pool.items():
        lists = [lists[topic] for lists in rankings.values() if topic in lists]
        every = set().union(*lists)
        assert len(pooled) <= count * len(lists)
        # Who stopped before its end gave `count`: so no fewer than that are in.
        assert len(pooled) == len(every) or len(pooled) >= count


@given(RANKINGS, WAYS, st.integers(1, 3))
def test_whole_sources_are_added_whole(rankings, way, size):
    pool = draw_pool(rankings, way=way, size=size, seed="7", whole_runs=["cited"])

    for topic, cited in rankings.get("cited", {}).items():
        assert set(cited) <= set(documents(pool, topic))


@given(RANKINGS, WAYS, st.integers(1, 6))
def test_a_larger_size_never_loses_a_document(rankings, way, size):
    smaller, larger = (
        draw_pool(rankings, way=way, size=count, seed="7") for count in (size, size + 1)
    )

    if way == Way.DEPTH:
        for topic in smaller:
            assert set(documents(smaller, topic)) <= set(documents(larger, topic))
    else:
        assert all(len(smaller[topic]) <= len(larger[topic]) for topic in smaller)


def test_a_run_whose_document_is_taken_goes_deeper():
    rankings = {"x": {"1": ["a", "b", "c"]}, "y": {"1": ["a", "b", "d"]}}

    pool = draw_pool(rankings, way=Way.DRAW, size=1, seed="7")

    assert documents(pool) == ["a", "b"]
    assert [sorted(candidate.ranks.values()) for candidate in pool["1"]] == [[1, 1], [2]]


def test_order_of_turns_depends_on_seed_and_topic():
    runs = {f"run{number}": {t: [f"d{number}"] for t in "1234"} for number in range(6)}

    orders = {
        tuple(documents(draw_pool(runs, way=Way.DRAW, size=1, seed=seed), topic))
        for seed in "ab"
        for topic in "1234"
    }

    assert len(orders) == 8


def test_depth_orders_by_best_rank_then_document():
    rankings = {"x": {"1": ["b", "c"]}, "y": {"1": ["a", "b"]}}

    assert documents(draw_pool(rankings, way=Way.DEPTH, size=2)) == ["a", "b", "c"]


@pytest.mark.parametrize("way", list(Way))
def test_no_run_makes_no_pool(way):
    assert draw_pool({}, way=way, size=3) == {}
