"""The steps of a formula, worked by hand over a table of six or ten pairs."""

import re

import numpy as np
import pytest

from agreement.study.scales import OF_GRADES, OF_LABELS, Scale
from agreement.subjects.overview.formulas import steps

SCALE = Scale((0.0, 1.0, 2.0, 3.0))
LABELS = Scale((0.0, 1.0, 2.0), is_ordinal=False, labels=("survey", "theory", "tool"))
# Rows 0 and 3, columns 0 and 3: two on each place of the diagonal, one on each beside it.
SIX = [0, 0, 3, 3, 0, 3], [0, 3, 3, 3, 0, 0]
TEN = [0, 0, 0, 0, 0, 0, 1, 1, 2, 3], [0, 0, 0, 0, 0, 1, 0, 1, 3, 2]


def steps_of(measure, lists, scale=SCALE):
    first, second = (np.array(values, dtype=float) for values in lists)
    return steps(measure, first, second, scale)


def value_of(lines):
    """What a formula comes to."""
    return float(lines[-1].rsplit("= ", 1)[1].replace("\u2212", "-").replace(",", ""))


@pytest.mark.parametrize(
    ("lists", "values"),
    [
        (
            TEN,
            {"rho": 0.736, "alpha": 0.750, "alpha_nominal": 0.345, "kappa": 0.310,
             "kappa_linear": 0.592, "kappa_quadratic": 0.802, "percent": 60},
        ),
        (
            SIX,
            {"rho": 0.333, "alpha": 0.389, "alpha_nominal": 0.389, "kappa": 0.333,
             "kappa_linear": 0.333, "kappa_quadratic": 0.333, "percent": 66.667},
        ),
        (
            ([0, 1, 2, 3], [3, 2, 1, 0]),
            {"rho": -1, "alpha": -0.75, "alpha_nominal": -0.167, "kappa": -0.333,
             "kappa_linear": -0.6, "kappa_quadratic": -1, "percent": 0},
        ),
        (
            ([0, 1, 2, 0, 1, 2], [1, 2, 3, 1, 2, 3]),
            {"rho": 1, "alpha": 0.528, "alpha_nominal": -0.269, "kappa": -0.286,
             "kappa_linear": 0.182, "kappa_quadratic": 0.571, "percent": 0},
        ),
        # One list of a single value: rho has none, the others do.
        (
            ([0, 0, 0], [1, 1, 1]),
            {"alpha": -0.667, "alpha_nominal": -0.667, "kappa": 0, "kappa_linear": 0,
             "kappa_quadratic": 0, "percent": 0},
        ),
    ],
)  # fmt: skip
def test_formula_comes_to_the_value_of_the_published_lists(lists, values):
    worked = {measure: value_of(steps_of(measure, lists)) for measure in values}

    assert worked == pytest.approx(values, abs=5e-4)


def test_percent_is_of_the_pairs_with_the_same_value():
    assert steps_of("percent", SIX) == [
        "100 × pairs with the same value / pairs = 100 × 4 / 6 = 66.6667"
    ]


def test_kappa_shows_both_disagreements():
    observed, expected, value = steps_of("kappa", SIX)

    assert observed.endswith("pairs off the diagonal / pairs = 2 / 6 = 0.333333")
    # Both lists are half 0 and half 3: by chance half of the pairs differ.
    assert expected.endswith("= 0.500000")
    assert value == "κ = 1 − D_o / D_e = 1 − 0.333333 / 0.500000 = 0.333333"


def test_weighted_kappa_weighs_by_the_distance_of_the_values():
    linear, quadratic = steps_of("kappa_linear", SIX), steps_of("kappa_quadratic", SIX)

    # Two pairs of six are three grades apart; by chance half of them.
    assert [line.rsplit("= ", 1)[1] for line in linear[1:3]] == ["1.000000", "1.500000"]
    assert [line.rsplit("= ", 1)[1] for line in quadratic[1:3]] == ["3.000000", "4.500000"]
    assert linear[0].startswith("w(c, k) = |c − k|")
    assert quadratic[0].startswith("w(c, k) = (c − k)²")


def test_distances_are_of_the_values_themselves_where_they_are_not_even():
    uneven = Scale((0.0, 0.5, 2.0))

    lines = steps_of("kappa_linear", ([0, 0.5, 2, 0], [0.5, 2, 2, 0]), uneven)

    # 0.5 and 1.5 apart, over four pairs.
    assert lines[1].endswith("Σ w × pairs / 4 = 0.500000")


def test_rho_is_of_ranks_that_equal_values_share():
    _, top, bottom, value = steps_of("rho", SIX)

    # Three of rank 2 and three of rank 5 in each list: 1.5 from the mean, four times alike of six.
    assert top.endswith("= 4.50")
    assert bottom.endswith("= 13.50")
    assert value == "ρ = 4.50 / 13.50 = 0.333333"


def test_rho_below_zero_has_a_minus_and_no_hyphen():
    lines = steps_of("rho", ([0, 1, 2, 3], [3, 2, 1, 0]))

    assert lines[-1] == "ρ = −5.00 / 5.00 = −1.000000"


def test_alpha_counts_the_ratings_of_both_lists():
    ratings, distance, observed, expected, value = steps_of("alpha_nominal", TEN)

    assert ratings == (
        "ratings of each value, both lists together: 0: 12, 1: 4, 2: 2, 3: 2; N = 20"
    )
    assert distance == "δ(c, k) = 0 where c and k are the same, else 1"
    # Eight of twenty ratings stand beside another; by chance (400 - 144 - 16 - 4 - 4) / 380.
    assert observed.endswith("= 0.4000")
    assert expected.endswith("= 0.6105")
    assert value.endswith("0.400000 / 0.610526 = 0.344828")


def test_ordinal_alpha_counts_what_lies_between():
    lines = steps_of("alpha", SIX)

    # From 0 to 3 lie the twelve ratings, less half of the six and six: 6, and 36 squared.
    assert lines[2].endswith("= 12.0000")
    assert lines[3].endswith("= 19.6364")


def test_gwets_ac1_takes_chance_from_the_whole_scale():
    words, observed, shares, chance, value = steps_of("ac1", SIX)

    assert words == "w(c, k) = 1 where the values are the same"
    assert observed.endswith("/ 6 = 0.666667")
    assert shares.endswith("0: 0.5000, 1: 0.0000, 2: 0.0000, 3: 0.5000")
    # (4 values) 4 × (0.25 + 0.25) / (4 × 3)
    assert chance.endswith("k = 4 values: 0.166667")
    assert value.endswith("= 0.600000")


def test_shares_of_ac1_are_of_both_lists():
    lines = steps_of("ac1", ([0, 0, 1, 1], [0, 1, 1, 1]), Scale((0.0, 1.0)))

    # π of 0 is 3/8, of 1 5/8, and Σ π (1 − π) is 30/64.
    assert lines[2].endswith("0: 0.3750, 1: 0.6250")
    assert lines[3].endswith("0.468750")
    assert lines[4].endswith("= 0.529412")


def test_gwets_ac2_says_how_it_weighs():
    lines = steps_of("ac2", SIX)

    assert "less by m (m − 1) / (k (k − 1)) for m values from c to k" in lines[0]
    # Ends of the scale have the weight 0, so nothing is added to the diagonal.
    assert lines[1].endswith("/ 6 = 0.666667")


def test_fleiss_kappa_takes_chance_from_both_lists_together():
    lines = steps_of("fleiss_kappa", ([0, 0, 1, 2], [0, 1, 1, 2]), LABELS)

    assert lines[0].endswith("= 0.750000")
    assert lines[1].endswith("survey: 0.3750, theory: 0.3750, tool: 0.2500")
    # 9/64 + 9/64 + 4/64 = 22/64, and (48 - 22) / (64 - 22).
    assert lines[2].endswith("= 0.343750")
    assert lines[3].endswith("= 0.619048")


@pytest.mark.parametrize("measure", OF_LABELS.keys)
def test_labels_stand_in_a_formula_by_their_names(measure):
    text = " ".join(steps_of(measure, ([0, 0, 1, 2], [0, 1, 1, 2]), LABELS))

    assert not re.search(r"\b[012]: ", text)


@pytest.mark.parametrize("measure", OF_GRADES.keys)
def test_renaming_grades_by_equal_steps_changes_no_value(measure):
    """From 0 1 2 3 to -1 -0.5 0 0.5: what counts steps counts as many."""
    shifted = Scale((-1.0, -0.5, 0.0, 0.5))
    moved = [[value / 2 - 1 for value in values] for values in TEN]

    assert value_of(steps_of(measure, moved, shifted)) == pytest.approx(
        value_of(steps_of(measure, TEN)), abs=2e-6
    )


@pytest.mark.parametrize("measure", {**OF_GRADES.titles, **OF_LABELS.titles})
def test_lists_that_change_places_come_to_the_same_value(measure):
    assert value_of(steps_of(measure, TEN)) == pytest.approx(
        value_of(steps_of(measure, TEN[::-1])), abs=2e-6
    )


def test_grades_below_zero_stand_in_a_formula_with_a_minus():
    scale = Scale((-1.0, -0.5, 2.0))

    ratings = steps_of("alpha", ([-1, -0.5], [2, -0.5]), scale)[0]

    assert ratings.endswith("−1: 1, −0.5: 2, 2: 1; N = 4")


def test_large_numbers_have_their_thousands_apart():
    lists = [0, 1] * 1500, [0, 0] * 1500

    assert "100 × 1,500 / 3,000" in steps_of("percent", lists)[0]
    assert steps_of("alpha", lists)[0].endswith("0: 4,500, 1: 1,500, 2: 0, 3: 0; N = 6,000")
