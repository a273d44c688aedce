"""Other people's implementations, and a slow one of ours, give the same numbers.

The tolerance is 1e-9 throughout: what is left is the order in which the same terms are added.
"""

import subprocess
import sys
import warnings

import krippendorff
import numpy as np
import pytest
import scipy.stats
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from agreement.statistics import majority
from agreement.statistics.any_raters import (
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
    ordinal_alpha,
)
from agreement.statistics.two_raters import (
    cohen_kappa,
    kendall_tau_b,
    macro_f1,
    mean_signed_difference,
    percent_agreement,
    spearman_rho,
)
from tests.agreement.statistics import reference

TOLERANCE = 1e-9

# Short lists over few values, so that constant lists, single pairs and empty ones come up often.
grades = st.sampled_from([0, 1, 2, 3])
decimals = st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.75])
two_lists = st.one_of(
    st.lists(st.tuples(values, values), max_size=40) for values in (grades, decimals)
).map(lambda pairs: ([a for a, _ in pairs], [b for _, b in pairs]))


def same(figure, expected):
    if expected is None or np.isnan(expected):
        return figure.value is None
    return figure.value == pytest.approx(expected, abs=TOLERANCE)


@given(two_lists)
def test_every_measure_equals_its_definition(lists):
    x, y = lists

    assert same(percent_agreement(x, y), reference.percent(x, y))
    assert same(spearman_rho(x, y), reference.rho(x, y))
    assert same(cohen_kappa(x, y), reference.kappa(x, y))
    assert same(ordinal_alpha(x, y), reference.MEASURES["alpha"](x, y))
    assert same(kendall_tau_b(x, y), reference.tau_b(x, y))
    assert same(macro_f1(x, y), reference.macro_f1(x, y))
    assert same(mean_signed_difference(x, y), reference.signed_difference(x, y))
    for weights, power in (("linear", 1), ("quadratic", 2)):
        expected = reference.kappa(x, y, lambda a, b, power=power: abs(a - b) ** power)
        assert same(cohen_kappa(x, y, weights=weights), expected)


@given(two_lists.filter(lambda lists: len(lists[0]) >= 2))
def test_rho_equals_scipy(lists):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", scipy.stats.ConstantInputWarning)
        expected = scipy.stats.spearmanr(*lists).statistic

    assert same(spearman_rho(*lists), expected)


@given(
    st.lists(st.tuples(grades, grades), min_size=1, max_size=40),
    st.sampled_from(["linear", "quadratic", None]),
)
def test_kappa_equals_scikit_learn(pairs, weights):
    x, y = zip(*pairs, strict=True)
    # scikit-learn weighs by position among the labels, so it gets every value of the scale.
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = sklearn.metrics.cohen_kappa_score(x, y, labels=[0, 1, 2, 3], weights=weights)
    if len({*x, *y}) == 1:
        expected = None  # 0/0, for which scikit-learn's answer depends on its version

    assert same(cohen_kappa(x, y, weights=weights or "unweighted"), expected)


@given(two_lists.filter(lambda lists: len(lists[0]) >= 2))
def test_tau_b_equals_scipy(lists):
    assert same(kendall_tau_b(*lists), scipy.stats.kendalltau(*lists).statistic)


@given(st.lists(st.tuples(grades, grades), min_size=1, max_size=40))
def test_macro_f1_equals_scikit_learn(pairs):
    x, y = zip(*pairs, strict=True)

    f1 = sklearn.metrics.f1_score(x, y, average="macro", zero_division=0)
    assert same(macro_f1(x, y), f1)


ratings = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.one_of(st.none(), grades), min_size=raters, max_size=raters),
        min_size=1,
        max_size=15,
    )
)


@given(ratings, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_with_missing_ratings_equals_its_definition(units, level):
    matrix = np.array(units, dtype=float).T

    assert same(krippendorff_alpha(matrix, level=level), reference.alpha(units, level))


@given(ratings, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_equals_the_library_on_the_raw_matrix(units, level):
    matrix = np.array(units, dtype=float).T
    figure = krippendorff_alpha(matrix, level=level)
    if figure.value is None:
        return  # the library raises or divides by zero there

    expected = krippendorff.alpha(reliability_data=matrix, level_of_measurement=level)

    assert figure.value == pytest.approx(expected, abs=TOLERANCE)


@given(ratings)
def test_measures_of_any_number_of_raters_equal_their_definitions(units):
    matrix = np.array(units, dtype=float).T
    scale = [0, 1, 2, 3]

    ac2 = reference.gwet(units, scale, reference.ordinal_weight(scale))
    assert same(gwet_ac1(matrix, values=scale), reference.gwet(units, scale))
    assert same(gwet_ac2(matrix, values=scale), ac2)
    assert same(fleiss_kappa(matrix), reference.fleiss(units))


@given(ratings)
def test_majority_equals_its_definition(units):
    winners = [reference.majority(unit) for unit in units]

    np.testing.assert_array_equal(
        majority(np.array(units, dtype=float).T), np.array(winners, dtype=float)
    )


@given(ratings, st.randoms(use_true_random=False))
def test_measures_are_the_same_for_every_order_of_raters(units, random):
    matrix = np.array(units, dtype=float).T
    order = list(range(len(matrix)))
    random.shuffle(order)

    for measure in (gwet_ac1, gwet_ac2, fleiss_kappa):
        before, after = measure(matrix), measure(matrix[order])
        assert before.reason == after.reason
        assert same(after, before.value)


@given(ratings, st.randoms(use_true_random=False))
def test_alpha_is_the_same_for_every_order_of_raters(units, random):
    matrix = np.array(units, dtype=float).T
    order = list(range(len(matrix)))
    random.shuffle(order)

    before = krippendorff_alpha(matrix, level="ordinal")
    after = krippendorff_alpha(matrix[order], level="ordinal")

    assert before.reason == after.reason
    assert same(after, before.value)


@given(two_lists)
def test_measures_are_the_same_when_the_raters_change_places(lists):
    x, y = lists

    for measure in (
        percent_agreement,
        spearman_rho,
        kendall_tau_b,
        cohen_kappa,
        ordinal_alpha,
        macro_f1,
    ):
        assert same(measure(y, x), measure(x, y).value)
    signed = mean_signed_difference(x, y).value
    assert same(mean_signed_difference(y, x), None if signed is None else -signed)


@given(two_lists)
def test_coefficients_stay_in_their_range(lists):
    for measure in (spearman_rho, cohen_kappa, ordinal_alpha):
        figure = measure(*lists)
        assert figure.value is None or -1 <= figure.value <= 1


def test_rho_is_computed_without_what_takes_forty_megabytes_to_load():
    """Every web process that ever showed a rho would keep it."""
    code = (
        "import sys; from agreement.statistics.two_raters import spearman_rho; "
        "spearman_rho([1, 2], [2, 1]); sys.exit('scipy.stats' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
