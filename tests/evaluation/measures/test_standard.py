"""Standard measures: what ir-measures gives on random judgments, and toys counted by hand."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.measures import Grades, UnfitError, parse, ranked_by
from evaluation.measures.measure import SHUFFLES

EXAMPLES = 1000 if os.environ.get("FACETWISE_STRESS") == "full" else 60
NAMES = [
    "nDCG",
    "nDCG@3",
    "nDCG@10",
    "P@3",
    "P(rel=2)@10",
    "R@3",
    "R(rel=2)@10",
    "Rprec",
    "Rprec(rel=2)",
    "AP",
    "AP(rel=2)",
    "AP@5",
    "RR",
    "RR(rel=2)",
    "Bpref",
    "Bpref(rel=2)",
    "Success@3",
    "Judged@5",
]


@st.composite
def judged_rankings(draw):
    """Judgments of some documents, and a ranking of some that may be others."""
    everything = [f"d{number}" for number in range(draw(st.integers(1, 14)))]
    judged = draw(st.lists(st.sampled_from(everything), min_size=1, unique=True))
    grades = {document: draw(st.integers(0, 3)) for document in judged}
    ranking = draw(st.lists(st.sampled_from(everything), min_size=1, unique=True))
    return grades, ranking


@settings(max_examples=EXAMPLES, deadline=None)
@given(judged_rankings())
def test_standard_measures_are_those_of_ir_measures(case):
    import ir_measures

    grades, ranking = case
    pool = Grades(tuple(grades), np.array(list(grades.values()), dtype=float))
    run = {"q": {document: float(len(ranking) - rank) for rank, document in enumerate(ranking)}}
    names = [ir_measures.parse_measure(name) for name in NAMES]

    theirs = ir_measures.calc_aggregate(names, {"q": grades}, run)

    for text, name in zip(NAMES, names, strict=True):
        mine = float(parse(text).of(pool.rank(ranking)))
        # trec_eval has 0 where there is no relevant document; here that is no value.
        assert (0.0 if np.isnan(mine) else mine) == pytest.approx(theirs[name], abs=1e-12), text


def value(name, grades, ranking, least=1):
    pool = Grades(tuple(grades), np.array(list(grades.values()), dtype=float))
    return float(parse(name, least).of(pool.rank(ranking)))


@pytest.mark.parametrize("name", ["R@5", "Rprec", "AP", "nDCG@5", "CSFCube RP", "CSFCube NDCG%100"])
def test_without_a_relevant_document_there_is_no_value(name):
    assert np.isnan(value(name, {"a": 0, "b": 0}, ["a", "b"]))


@pytest.mark.parametrize(
    ("name", "least", "expected"), [("P@5", 1, 0), ("RR", 1, 0), ("P@2", 0, 1)]
)
def test_precision_and_first_rank_have_a_value_without_relevant_documents(name, least, expected):
    assert value(name, {"a": 0, "b": 0}, ["a", "b"], least) == expected


def test_with_all_grades_tied_every_order_is_ideal():
    assert value("nDCG@2", {"a": 2, "b": 2, "c": 2}, ["c", "a", "b"]) == 1
    assert value("CSFCube NDCG%100", {"a": 2, "b": 2, "c": 2}, ["c", "a", "b"]) == 1


def test_a_pool_of_one_document_has_every_measure():
    for name in ["nDCG@10", "P@1", "R@1", "Rprec", "AP", "RR", "Bpref", "Judged@10", "CSFCube RP"]:
        assert value(name, {"a": 1}, ["a"]) == 1, name


def test_precision_beyond_the_ranking_divides_by_k_and_recall_does_not():
    assert value("P@10", {"a": 1, "b": 0}, ["a", "b"]) == 0.1
    assert value("R@10", {"a": 1, "b": 0}, ["a", "b"]) == 1


def test_csfcubes_r_precision_divides_by_the_rank_of_the_last_relevant_document():
    assert value("CSFCube RP", {"a": 3, "b": 0, "c": 2}, ["b", "a", "c"], 2) == pytest.approx(2 / 3)
    assert value("Rprec", {"a": 3, "b": 0, "c": 2}, ["b", "a", "c"], 2) == 0.5


def test_csfcubes_depth_is_the_integer_part_of_the_share_of_what_is_ranked():
    pool = Grades(("a",), np.array([1.0]))
    assert parse("CSFCube NDCG%20").depth(pool.rank("x" * 101)) == 20
    assert parse("CSFCube NDCG%20").depth(pool.rank("x" * 4)) == 0


def test_csfcubes_first_two_ranks_weigh_the_same():
    assert value("CSFCube NDCG%100", {"a": 0, "b": 3, "c": 0}, ["a", "b", "c"]) == 1


def test_unjudged_documents_count_as_not_relevant_and_are_reported():
    grades = {"a": 1, "b": 1}

    assert value("P@2", grades, ["x", "a"]) == 0.5
    assert value("Judged@2", grades, ["x", "a"]) == 0.5


def test_the_least_relevant_grade_completes_a_name_that_does_not_say_it():
    assert parse("P@20", 2).name == "P(rel=2)@20"
    assert parse("P(rel=3)@20", 2).name == "P(rel=3)@20"


def test_rbp_adds_powers_of_its_persistence():
    assert value("RBP(p=0.5)", {"a": 1, "b": 0, "c": 1}, ["a", "b", "c"]) == 0.5 * (1 + 0.25)


def test_what_ir_measures_alone_knows_is_computed_by_it_for_whole_grades():
    assert value("IPrec@0.5", {"a": 1, "b": 0}, ["b", "a"]) == 0.5
    with pytest.raises(UnfitError, match="whole grades"):
        value("IPrec@0.5", {"a": 0.5, "b": 0}, ["b", "a"])


def test_unjudged_documents_and_ids_of_any_script_reach_ir_measures():
    grades, ranking = {"ü/1": 1, "d 2": 0, "d3": 2}, ["x", "y", "d3", "z", "ü/1"]

    assert value("SetP", grades, ranking) == pytest.approx(2 / 5)
    assert value("P(judged_only=True)@2", grades, ranking) == 1
    assert value("ERR@3", {"ü": 1}, ["ü"]) == pytest.approx(1 / 16)


def test_what_ir_measures_computes_is_averaged_over_orders_of_ties():
    measure = parse("AP(judged_only=True)")
    ranked = ranked_by(Grades(("a", "b"), np.array([1.0, 0.0])), [2.0, 2.0])

    of_orders = measure.of(ranked.shuffled(SHUFFLES, seed=1))

    assert set(of_orders.tolist()) == {1.0, 0.5}
    assert measure.over_ties(ranked, seed=1) == of_orders.mean()


def test_least_relevant_grade_reaches_what_ir_measures_computes():
    assert value("SetP", {"a": 1, "b": 2}, ["a", "b"], 2) == 0.5
    assert value("SetP", {"a": 1, "b": 2}, ["a", "b"], 1.5) == 0.5
    assert value("SetP(rel=1)", {"a": 1, "b": 2}, ["a", "b"], 2) == 1
    assert value("NumRet", {"a": 1, "b": 2}, ["a", "b"], 2) == 2


def test_negative_grades_alone_give_no_value_and_no_endless_loop():
    assert np.isnan(value("nDCG(judged_only=True)", {"a": -1, "b": -1, "c": -1}, ["x", "b"]))


def test_grades_that_a_program_refuses_are_unfit():
    with pytest.raises(UnfitError, match="ERR@5 cannot be computed"):
        value("ERR@5", {"a": 7}, ["a"])
    with pytest.raises(UnfitError, match="SetP cannot be computed"):
        value("SetP", {"a": 10**20}, ["a"])


@pytest.mark.parametrize(
    "name",
    [
        *("", "nDCG@", "Precision", "P(rel=x)@3", "P@0", "__import__('os')"),
        # What is wrong with these is found where something is measured.
        *("infAP(rel=99999999999999)", "nDCG(gains={1:99999999999999999999})@5", "IPrec@1e30"),
        *("P(rel=nan)@5", "P(rel=inf)@5"),
    ],
)
def test_a_name_that_is_no_measure_is_refused(name):
    with pytest.raises(ValueError, match=r"measure|counts to rank|no number"):
        parse(name)


def test_draws_are_measured_as_each_of_them_alone():
    random = np.random.default_rng(3)
    draws = random.integers(0, 4, (20, 9)).astype(float)
    draws[random.random(draws.shape) < 0.2] = np.nan
    names = tuple("abcdefghi")
    order = list(random.permutation(names))[:7]

    for name in [
        *NAMES,
        "CSFCube RP",
        "CSFCube NDCG%20",
        "DORIS-MAE MRR@10",
        "DORIS-MAE NDCGexp10%",
    ]:
        together = parse(name).of(Grades(names, draws).rank(order))
        alone = [parse(name).of(Grades(names, draw).rank(order)) for draw in draws]
        # Judged@k of draws is about the first alone; no draw changes who was asked.
        np.testing.assert_allclose(together, np.array(alone), atol=1e-12, err_msg=name)


def orders_of(size):
    from itertools import permutations

    return list(permutations(range(size)))


@pytest.mark.parametrize("name", ["nDCG@3", "P@2", "R@2", "Rprec", "CSFCube NDCG%100"])
def test_ties_of_a_person_are_averaged_over_all_their_orders_in_closed_form(name):
    pool = Grades(tuple("abcd"), np.array([3.0, 0.0, 2.0, 1.0]))
    ranked = ranked_by(pool, [1, 1, 1, 0])

    averaged = parse(name).over_ties(ranked, seed=7)

    every = [
        parse(name).of(pool.rank([*(("abc")[at] for at in order), "d"])) for order in orders_of(3)
    ]
    assert averaged == pytest.approx(np.mean(every))


def test_a_measure_that_is_no_sum_over_ranks_takes_seeded_orders_of_ties():
    pool = Grades(tuple("abcd"), np.array([3.0, 0.0, 2.0, 1.0]))
    ranked = ranked_by(pool, [1, 1, 1, 0])

    random = np.random.default_rng(7)
    orders = [
        np.concatenate([random.permutation(ranked.places[:3]), random.permutation([3])])
        for _ in range(SHUFFLES)
    ]
    for name in ("AP", "Bpref", "RR", "CSFCube RP", "Success@1"):
        alone = [parse(name).of(pool.rank_places(order)) for order in orders]
        assert parse(name).over_ties(ranked, seed=7) == np.mean(alone)
    assert ranked_by(pool, [3, np.nan, 2, 1]).places.tolist() == [0, 2, 3]


@pytest.mark.parametrize(
    "name", ["P(rel=1)@10", "AP(rel=1)", "RBP(rel=1,p=0.5)@10", "SetP(rel=1)", "P(rel=3)@10"]
)
def test_the_name_of_a_measure_finds_it_again_where_the_usual_grade_is_2(name):
    assert parse(name, 2).name == name


def test_the_grade_1_is_left_out_of_a_name_where_it_is_the_usual_one():
    assert parse("P(rel=1)@10", 1).name == "P@10"
