"""Figures about pools, by hand and against the pools themselves."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.pooling.draw import Way, draw_pool
from annotation.pooling.figures import (
    neighbours_first,
    overlap,
    sizes_by_depth,
    sizes_by_draw,
    unjudged,
)
from tests.annotation.pooling.test_draw import RANKINGS

TWO = {"x": {"1": ["a", "b"], "2": ["c"]}, "y": {"1": ["b", "d"]}, "z": {"1": ["e"]}}


def test_overlap_is_the_mean_over_topics_that_both_rank():
    table = overlap(TWO, depth=2)

    x, y, z = (table.runs.index(run) for run in "xyz")
    assert table.shared[x][y] == table.shared[y][x] == 1
    assert table.shared[x][z] == 0
    assert table.shared[x][x] is None
    assert dict(zip(table.runs, table.alone, strict=True)) == {"x": 2, "y": 1, "z": 1}
    assert table.from_one_run == 4


def test_overlap_looks_at_the_first_documents_alone():
    table = overlap(TWO, depth=1)

    assert table.shared[0][1] == 0
    assert table.from_one_run == 4


def test_runs_without_a_common_topic_share_nothing_that_could_be_averaged():
    table = overlap({"x": {"1": ["a"]}, "y": {"2": ["a"]}}, depth=1)

    assert table.shared == [[None, None], [None, None]]


def test_neighbours_stand_together_and_ties_go_by_name():
    shared = {("a", "c"): 9.0, ("a", "b"): 1.0, ("b", "c"): 1.0}
    shared |= {(second, first): value for (first, second), value in shared.items()}

    assert neighbours_first(["c", "b", "a"], shared) == ["a", "c", "b"]
    assert neighbours_first([], {}) == []


@given(RANKINGS, st.lists(st.integers(1, 12), max_size=3), st.booleans())
def test_sizes_are_those_of_the_pools(rankings, depths, with_whole):
    whole = ["cited"] if with_whole else []
    by_depth = sizes_by_depth(rankings, depths, whole_runs=whole)
    by_draw = sizes_by_draw(rankings, depths, seed="7", whole_runs=whole)

    for way, sizes in ((Way.DEPTH, by_depth), (Way.DRAW, by_draw)):
        for depth, size in zip(depths, sizes, strict=True):
            pool = draw_pool(rankings, way=way, size=depth, seed="7", whole_runs=whole)
            assert size.by_topic == {topic: len(pooled) for topic, pooled in pool.items()}


def test_a_way_that_takes_nearly_all_says_so():
    rankings = {"x": {"1": list("abcdefghij")}}

    shallow, deep = sizes_by_depth(rankings, [8, 9])

    assert (shallow.takes_nearly_all, deep.takes_nearly_all) == (False, True)


def test_unjudged_are_the_first_ones_without_a_judgment():
    assert unjudged(["a", "b", "c", "d"], {"b", "d"}, 3) == ["a", "c"]


def test_csfcube_half_has_the_sizes_counted_apart_from_this_code(shared_data):
    rankings = {}
    for file in sorted((shared_data / "csfcube-half/runs").glob("*.run")):
        lists = rankings.setdefault(file.stem, {})
        for line in file.read_text().splitlines():
            topic, _, document, *_ = line.split()
            lists.setdefault(topic, []).append(document)

    sizes = sizes_by_depth(rankings, [5, 10, 20, 33, 50])
    table = overlap(rankings, 20)

    assert [size.pairs for size in sizes] == [759, 1288, 1936, 2376, 2709]
    assert (min(sizes[2].by_topic.values()), max(sizes[2].by_topic.values())) == (63, 114)
    assert table.from_one_run == 709
    assert table.alone[table.runs.index("length")] == 232
    first, second = table.runs.index("bm25-title"), table.runs.index("tfidf-title")
    assert round(table.shared[first][second], 1) == 14.8
    assert abs(first - second) == 1
    assert table.runs[-1] == "length"
