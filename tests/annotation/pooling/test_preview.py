"""What a pool would bring and cost, before it is made."""

from types import SimpleNamespace

import pytest

from annotation.pooling import preview as previewing
from annotation.pooling.draw import Way
from annotation.pooling.preview import OWN_PACE, PACES, preview, unjudged_of
from annotation.pooling.reading import Material, Stock, Subject, read_material
from datasets.runs.actions import add_run
from tests.factories.runs import run_of
from tests.factories.studies import make_document, make_study
from tests.shelf import shelved


@shelved
def study(db):
    """Three judged documents and two more, of which runs of two topics rank some."""
    study = make_study(facets=("method", "result"))
    for external_id in ("d1", "d2"):
        make_document(study.collection, external_id)
    study.runs = [
        add(study, "bm25", {"q1_method": ["d1", "q1c1", "d2", "gone"], "q1_result": ["d1"]}),
        add(study, "e5", {"q1_method": ["d2", "q1c3"]}),
    ]
    return study


def add(study, tag, rankings):
    run = run_of(rankings, tag=tag)
    return add_run(collection=study.collection, run=run, by=study.lena).run


def previewed(study, *, way=Way.DEPTH, size=2, whole=()):
    return preview(
        collection=study.collection,
        material=read_material(study.collection, study.runs),
        runs=study.runs,
        way=way,
        size=size,
        seed="7",
        whole=whole,
        user=study.lena,
    )


def of_one_run(study, rankings):
    """The pool to depth 50 of one run whose documents have texts."""
    subjects = {name: Subject(None, []) for name in rankings}
    documents = {document: 1 for ranked in rankings.values() for document in ranked}
    return preview(
        collection=study.collection,
        material=Material(subjects, {"bm25": rankings}, Stock(documents, set())),
        runs=[SimpleNamespace(label="bm25")],
        way=Way.DEPTH,
        size=50,
        seed="",
        whole=[],
        user=study.lena,
    )


def test_a_pool_is_foreseen_with_what_judging_it_takes(study):
    pool = previewed(study)

    assert {name: len(pooled) for name, pooled in pool.pool.items()} == {
        "q1_method": 4,
        "q1_result": 1,
    }
    assert (pool.chosen.key, pool.chosen.name) == ("depth-2", "Depth 2")
    assert (pool.chosen.pairs, pool.chosen.ratings) == (5, 5 * study.scheme.overlap)
    assert (pool.chosen.smallest, pool.chosen.largest) == (1, 4)
    assert pool.paces == PACES
    ratings = pool.chosen.ratings
    assert pool.chosen.hours == [ratings * 15 / 3600, ratings * 240 / 3600, ratings * 300 / 3600]
    assert (pool.new_pairs, pool.without_text) == (3, [])
    assert (pool.median_size, pool.large_topics) == (2.5, [])
    assert pool.rankings.keys() == {run.label for run in study.runs}
    assert pool.overlap.from_one_run == 5


@pytest.mark.parametrize(
    ("way", "keys"),
    [
        (Way.DEPTH, ["depth-2", "depth-5", "depth-10", "depth-20", "depth-33", "depth-50"]),
        (Way.DRAW, ["depth-5", "depth-10", "depth-20", "depth-33", "depth-50", "draw-2"]),
    ],
)
def test_the_chosen_size_stands_among_the_usual_ones_of_its_way(study, way, keys):
    costs = previewed(study, way=way).costs

    assert [cost.key for cost in costs] == [*keys, "draw-13", "draw-33"]
    assert costs[-1].name == "CSFCube's draw, 33 each"


def test_a_whole_run_brings_documents_below_the_depth_and_those_without_text(study):
    bm25, _ = study.runs

    pool = previewed(study, size=1, whole=[bm25])

    assert [document.document for document in pool.pool["q1_method"]] == [
        "d2", "d1", "q1c1", "gone",
    ]  # fmt: skip
    assert pool.without_text == ["gone"]
    assert pool.costs[0] == pool.chosen


@pytest.mark.parametrize("way", Way)
def test_a_document_without_text_is_no_pair_in_any_cost(study, way):
    """d1, q1c1 and d2 of bm25, q1c3 of e5; and d1 of the other topic."""
    pool = previewed(study, way=way, size=5)

    assert pool.without_text == ["gone"]
    assert (pool.chosen.pairs, pool.chosen.largest, pool.chosen.size.pairs) == (5, 4, 5)
    assert pool.chosen in pool.costs
    assert {cost.pairs for cost in pool.costs} == {5}
    assert pool.chosen.size.share_of_lines == 1


def test_a_topic_far_above_the_mean_is_large(study):
    """Two standard deviations: the mean is 11.6, the limit 18.9."""
    sizes = [10] * 8 + [14, 22]
    rankings = {f"t{n}": [f"d{m}" for m in range(size)] for n, size in enumerate(sizes)}

    pool = of_one_run(study, rankings)

    assert (pool.large_topics, pool.median_size) == (["t9"], 10)


def test_runs_without_a_topic_of_the_collection_bring_nothing(study):
    pool = of_one_run(study, {})

    assert (pool.chosen.pairs, pool.chosen.smallest, pool.chosen.largest) == (0, 0, 0)
    assert (pool.large_topics, pool.median_size) == ([], 0)


def test_the_pace_is_that_of_ratings_here_once_there_are_enough(study, monkeypatch):
    elsewhere = make_study(slug="elsewhere")
    # A rating from a file tells no time.
    for rated, seconds in ((study, [0, 1, 79]), (elsewhere, [900, 900, 900])):
        for pair, active_seconds in zip(rated.batch.pairs.all(), seconds, strict=True):
            for name in ("alice", "bob"):
                rated.rate(name, pair, 1, active_seconds=active_seconds)

    monkeypatch.setattr(previewing, "RATINGS_FOR_A_PACE", 4)
    assert previewed(study).paces == PACES | {OWN_PACE: 40.0}
    monkeypatch.setattr(previewing, "RATINGS_FOR_A_PACE", 5)
    assert previewed(study).paces == PACES


def test_the_pace_is_that_of_the_latest_ratings(study, monkeypatch):
    for pair, active_seconds in zip(study.batch.pairs.all(), [30, 50, 90], strict=True):
        study.rate("alice", pair, 1, active_seconds=active_seconds)
    monkeypatch.setattr(previewing, "RATINGS_FOR_A_PACE", 2)
    monkeypatch.setattr(previewing, "LATEST_RATINGS", 2)

    assert previewed(study).paces[OWN_PACE] == 70.0


def test_unjudged_are_first_documents_that_were_never_given_out(study):
    bm25, e5 = study.runs
    material = read_material(study.collection, study.runs)

    of_bm25, of_e5 = unjudged_of(material, [bm25, e5], depth=4)

    assert (of_bm25.run, of_bm25.pairs, of_bm25.without_text) == (bm25, 3, 1)
    assert (of_e5.pairs, of_e5.without_text) == (1, 0)
    [first_only] = unjudged_of(read_material(study.collection, [bm25]), [bm25], depth=1)
    assert first_only.pairs == 2
