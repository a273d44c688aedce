"""What a measure says of itself, and how it is taken over ties."""

from itertools import permutations

import numpy as np
import pytest

from evaluation.measures import Grades, litsearch, parse, published, ranked_by
from evaluation.measures.measure import fixed, ratio

POOL = Grades(tuple("abcdef"), np.array([3.0, 0.0, 1.0, 2.0, 0.0, 1.0]), size=2)
# Groups of three and two that are tied; the last document is in no group.
RANKED = ranked_by(POOL, [1, 2, 1, 1, 2, np.nan])

NAMES = [
    *("P@2", "P(rel=2)@3", "R@3", "R(rel=2)@3", "Success@1", "Success(rel=2)@2", "AP", "AP@3"),
    *("RR", "RR@1", "RR(rel=2)@3", "Rprec", "Rprec(rel=2)", "Bpref", "Bpref(rel=2)"),
    *("nDCG", "nDCG@3", "nDCG(dcg='exp-log2')", "nDCG(dcg='exp-log2')@3", "Judged", "Judged@2"),
    *("RBP(p=0.5)", "RBP(rel=2,p=0.8)@3"),
]


def measures():
    return [*map(parse, NAMES), *(parse(name, 2) for name in published(2))]


def test_measure_is_found_by_the_name_that_it_has():
    assert [measure.name for measure in measures()] == [*NAMES, *published(2)]


def test_measures_of_grades_of_many_digits_have_names_of_their_own():
    for name in ("P(rel=0.8666667)@5", "RBP(p=0.9999999)@10"):
        assert parse(name).name == name


def test_measure_says_how_many_ranks_count():
    """Nothing below that depth changes the value."""
    order, swapped = list("beadc"), list("beacd")

    for measure in measures():
        _, _, percent = measure.name.partition("NDCG")
        depth = measure.depth(POOL.rank(order))
        if "%" in percent:
            assert depth == 5 * int("".join(filter(str.isdigit, percent))) // 100, measure.name
        elif "@" in measure.name:
            assert depth == int(measure.name.split("@")[1].split()[0]), measure.name
        else:
            assert depth is None, measure.name
        if depth is not None and depth <= 3:
            values = [measure.of(POOL.rank(documents)) for documents in (order, swapped)]
            np.testing.assert_equal(*values, err_msg=measure.name)


def test_of_linear_measures_alone_the_mean_over_orders_is_that_of_mean_gains():
    orders = [[*above, *below] for above in permutations("be") for below in permutations("acd")]

    for measure in measures():
        exact = np.mean([measure.of(POOL.rank(order)) for order in orders])
        averaged = measure.over_ties(RANKED, seed=3)

        # Fifty orders by chance are near the mean over all of them.
        near = {"rel": 1e-9} if measure.is_linear else {"abs": 0.12}
        assert averaged == pytest.approx(exact, nan_ok=True, **near), measure.name


def test_not_every_measure_of_mean_gains_is_the_mean_measure():
    for name in ("AP", "RR", "Bpref", "Success(rel=2)@2", "CSFCube RP", "DORIS-MAE MRR@10"):
        assert not parse(name).is_linear, name


@pytest.mark.parametrize("axes", [(), (2,), (2, 3)])
@pytest.mark.parametrize("ranking", ["", "x", "beadc", "fxa"])
def test_grades_by_many_sources_are_measured_as_each_of_them_alone(axes, ranking):
    """Also where nothing is ranked. Without a depth `Judged` is of who was judged first."""
    grades = np.random.default_rng(5).integers(0, 4, (*axes, 6)).astype(float)
    # One of them did not judge the last and is tied elsewhere: its last judged counts for less.
    grades[(0,) * len(axes)] = [2.0] * 5 + [np.nan]

    for measure in measures():
        if "Judged" in measure.name:
            continue
        together = measure.of(Grades(tuple("abcdef"), grades, size=2).rank(ranking))
        alone = np.empty(axes)
        for source in np.ndindex(*axes):
            pool = Grades(tuple("abcdef"), grades[source], size=2)
            alone[source] = measure.of(pool.rank(ranking))
        np.testing.assert_allclose(together, alone, atol=1e-12, err_msg=measure.name)


def test_ndcg_of_doris_mae_is_cut_by_what_each_source_judged():
    documents = tuple(f"d{place:02}" for place in range(20))
    grades = np.stack([np.arange(20.0), np.where(np.arange(20) < 19, np.arange(20.0), np.nan)])

    for name in ("DORIS-MAE NDCG10%", "DORIS-MAE NDCGexp10%"):
        alone = [parse(name).of(Grades(documents, of).rank(documents[::-1])) for of in grades]
        together = parse(name).of(Grades(documents, grades).rank(documents[::-1]))
        np.testing.assert_allclose(together, alone)


@pytest.mark.parametrize("axes", [(), (2,), (2, 3)])
def test_pool_without_documents_has_a_value_of_each_source(axes):
    pool = Grades((), np.empty((*axes, 0)))

    for measure in measures():
        if "Judged" not in measure.name:
            assert np.shape(measure.of(pool.rank(["x", "y"]))) == axes, measure.name


@pytest.mark.parametrize(("kind", "tag"), [("broad", "0"), ("specific", "1")])
def test_recall_of_litsearch_is_of_the_questions_of_one_kind_alone(kind, tag):
    assert litsearch.recall(kind, 20).only == ("specificity", tag)
    assert litsearch.recall(kind, 20).of(POOL.rank("ab")) == pytest.approx(1 / 4)


def test_quotient_by_nothing_is_no_value():
    np.testing.assert_equal(ratio([1, 0, 3], [2, 0, 0]), [0.5, np.nan, np.nan])
    np.testing.assert_equal(ratio([[1, 2]], [2]), [[0.5, 1.0]])


def test_fixed_depth_is_that_of_any_ranking():
    assert (fixed(3)(1), fixed(3)(100), fixed(None)(7)) == (3, 3, None)


@pytest.mark.parametrize(
    ("name", "grades", "ranking", "expected"),
    [
        # trec_eval takes a negative grade for no judgment: b costs a nothing.
        ("Bpref", {"a": 1, "b": -1, "c": 0}, "bac", 1),
        ("Bpref", {"a": 1, "b": 0, "c": 0}, "bac", 0),
        ("Bpref", {"a": 1, "b": 0, "c": 0, "d": 1}, "abdc", 0.75),
        ("RBP(p=0.5)@2", {"a": 1, "b": 0, "c": 1}, "abc", 0.5),
        ("RBP(rel=2,p=0.8)", {"a": 1, "b": 2}, "ab", 0.2 * 0.8),
        ("nDCG(dcg='exp-log2')", {"a": 1, "b": 3}, "ab", 5.4165082 / 7.6309298),
        ("Success(rel=2)@2", {"a": 1, "b": 2}, "ab", 1),
        ("Success(rel=2)@1", {"a": 1, "b": 2}, "ab", 0),
        ("RR@1", {"a": 0, "b": 1}, "ab", 0),
        ("AP@1", {"a": 1, "b": 1}, "ab", 0.5),
        ("DORIS-MAE NDCG10%", dict.fromkeys("abcdefghij", 1) | {"a": 3}, "bacdefghij", 1 / 3),
        ("DORIS-MAE NDCGexp10%", dict.fromkeys("abcdefghij", 1) | {"a": 3}, "bacdefghij", 0.25),
    ],
)  # fmt: skip
def test_values_are_those_counted_by_hand(name, grades, ranking, expected):
    pool = Grades(tuple(grades), np.array(list(grades.values()), dtype=float))

    assert float(parse(name).of(pool.rank(ranking))) == pytest.approx(expected)


def best(values, ranking, size=1):
    pool = Grades(tuple("abcd"[: len(values)]), np.array(values, dtype=float), size=size)
    return float(parse("DORIS-MAE MRR@10").of(pool.rank(ranking)))


def test_first_abstract_of_highest_grade_counts_by_its_rank():
    nan = np.nan

    assert best([1, 2, 0], "abc") == 0.5
    assert best([1, 2, nan], "xcb") == pytest.approx(1 / 3)
    # A third of three is a whole number again, in spite of the last places.
    assert best([1 / 3 + 1e-9, 1 / 3, 0], "bca", size=3) == 1
    assert best([nan, nan], "ab") == 0
    assert best([], "x") == 0


def test_where_all_are_tied_the_last_of_the_pool_does_not_count():
    nan = np.nan

    assert best([1, 1, 1], "cab") == 0.5
    assert best([1, 1, nan], "bac") == 0.5
    assert best([1], "a") == 0
