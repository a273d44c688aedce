"""Examples that others have worked out and printed; each tolerance is half a unit of the last
digit that they print."""

import numpy as np
import pytest

from agreement.statistics import binomial_interval
from agreement.statistics.any_raters import fleiss_kappa, gwet_ac1, gwet_ac2, krippendorff_alpha
from agreement.statistics.two_raters import (
    cohen_kappa,
    kendall_tau_b,
    macro_f1,
    mean_signed_difference,
    spearman_rho,
)

# 12 units, 4 raters, a row per rater; Krippendorff (2011), on any number of raters with missing
# data, and Gwet (2014), who computes his coefficients of the same ratings.
KRIPPENDORFF = [
    [np.nan if sign == "." else int(sign) for sign in row]
    for row in ("123321412...", "1233224125..", ".33323422513", "12332441251.")
]

# 100 women by type of pregnancy, two abstractors; data set cont3x3abstractors of the R package
# irrCAC 1.0, whose vignette "overview" prints the results.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]

# 85 xeromammograms by two radiologists: Boyd, N. F. et al. (1982), Journal of the National Cancer
# Institute 68, 357-363; Stata's manual, entry kappa, prints the results with its weights w and w2.
RADIOLOGISTS = [[21, 12, 0, 0], [4, 17, 1, 0], [3, 9, 15, 2], [0, 0, 0, 1]]


def two_lists(table):
    """The lists of which a confusion table is a count."""
    first, second = np.nonzero(table)
    counts = np.array(table)[first, second]
    return np.repeat(first, counts), np.repeat(second, counts)


@pytest.mark.parametrize(
    ("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_of_krippendorffs_example(level, expected):
    assert krippendorff_alpha(KRIPPENDORFF, level=level).value == pytest.approx(expected, abs=5e-4)


def test_kappa_of_cohens_example():
    # Cohen (1960) and (1968), the shares of 200 cases by two judges; kappa .492.
    judges = two_lists([[88, 14, 18], [10, 40, 10], [2, 6, 12]])

    assert cohen_kappa(*judges).value == pytest.approx(0.492, abs=5e-4)


@pytest.mark.parametrize(
    ("weights", "expected"), [("unweighted", 0.4728), ("linear", 0.5684), ("quadratic", 0.6714)]
)
def test_weighted_kappa_of_two_radiologists(weights, expected):
    radiologists = two_lists(RADIOLOGISTS)

    assert cohen_kappa(*radiologists, weights=weights).value == pytest.approx(expected, abs=5e-5)


def test_kappa_and_nominal_alpha_of_two_abstractors():
    abstractors = two_lists(ABSTRACTORS)
    alpha = krippendorff_alpha(np.array(abstractors), level="nominal")

    assert cohen_kappa(*abstractors).value == pytest.approx(0.7964094, abs=5e-8)
    assert alpha.value == pytest.approx(0.7972585, abs=5e-8)


def test_ac1_of_gwets_examples():
    assert gwet_ac1(np.array(two_lists(ABSTRACTORS))).value == pytest.approx(0.8493305, abs=5e-8)
    # With missing ratings: data set cac.raw4raters of irrCAC.
    assert gwet_ac1(KRIPPENDORFF).value == pytest.approx(0.77544, abs=5e-6)


def test_ac2_with_ordinal_weights_of_four_raters():
    # irrCAC 0.4.4 for Python, CAC(ratings, weights="ordinal").gwet(), prints 0.89894.
    assert gwet_ac2(KRIPPENDORFF).value == pytest.approx(0.89894, abs=5e-6)


def test_fleiss_kappa_of_fourteen_raters():
    # Wikipedia, "Fleiss' kappa", worked example: 10 subjects by the number of the 14 raters that
    # chose each of 5 categories; .210.
    chosen = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    ratings = np.array([np.repeat(range(5), subject) for subject in chosen]).T

    assert fleiss_kappa(ratings).value == pytest.approx(0.210, abs=5e-4)


def test_fleiss_kappa_with_missing_ratings():
    # irrCAC 0.4.4 for Python, CAC(ratings).fleiss(), prints 0.76117.
    assert fleiss_kappa(KRIPPENDORFF).value == pytest.approx(0.76117, abs=5e-6)


def test_rho_of_intelligence_and_television():
    # Wikipedia, "Spearman's rank correlation coefficient", worked example: -29/165.
    intelligence = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    television = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]

    assert spearman_rho(intelligence, television).value == pytest.approx(-29 / 165, abs=1e-12)


def test_tau_b_of_income_and_job_satisfaction():
    # Agresti (2002), Categorical data analysis, section 2.4, prints 1,331 pairs of 96 people that
    # are ordered alike and 849 ordered against each other; the margins leave 3,401 pairs ordered by
    # income and 2,943 by satisfaction.
    people = two_lists([[1, 3, 10, 6], [2, 3, 10, 7], [1, 6, 14, 12], [0, 1, 9, 11]])

    expected = (1331 - 849) / (3401 * 2943) ** 0.5
    assert kendall_tau_b(*people).value == pytest.approx(expected, abs=1e-12)


def test_macro_f1_of_scikit_learns_example():
    # scikit-learn, f1_score, first example: 0.267.
    assert macro_f1([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1]).value == pytest.approx(0.267, abs=5e-4)


def test_mean_signed_difference_of_two_flow_meters():
    # Bland and Altman (1986), first reading of the large and of the mini meter: -2.1 l/min.
    large = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
    mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]

    assert mean_signed_difference(large, mini).value == pytest.approx(-2.1, abs=5e-2)


@pytest.mark.parametrize(
    ("count", "trials", "low", "high"),
    [
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_exact_intervals_of_newcombes_table(count, trials, low, high):
    # Newcombe, R. G. (1998). Two-sided confidence intervals for the single proportion. Statistics
    # in Medicine 17, 857-872, Table I, method 5.
    interval = binomial_interval(count, trials)

    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)
