"""What disagreement does to an order, in a sentence and in rows, over three systems by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evaluation.orders.draws import Drawn
from evaluation.orders.stability import Orders, Reference
from evaluation.protocols import Summary
from evaluation.results import Together
from evaluation.runs.disagreement import Compared
from evaluation.runs.disagreement_in_words import (
    mean,
    middle,
    pairs_of,
    row_of,
    sentence_of,
    share_in_words,
)


def reference_of(*values):
    """Systems a, b and c with a value on each topic."""
    table = np.array(values, dtype=float)
    together = Together.of(Summary.MEAN, [f"q{topic}" for topic in range(table.shape[-1])])
    return Reference.of(("a", "b", "c")[: len(table)], table, together)


CLOSE = reference_of([3], [2], [1])
# On eight topics 1 apart, so that every difference is significant, also after Holm.
APART = reference_of(*([value] * 8 for value in (3, 2, 1)))


def matter(reference, *draws):
    """`draws` are the values of the systems in each, alike on all topics."""
    topics = reference.values.shape[-1]
    values = np.repeat(np.array(draws, dtype=float)[..., np.newaxis], topics, axis=-1)
    compared = Compared("draws", "One rater per topic", Orders(reference, values))
    return SimpleNamespace(reference=reference, by="gold", drawn=lambda _: compared)


def sentence(of, draws=Drawn.TOPIC):
    return "".join(words for words, _ in sentence_of(of, draws))


# --- the sentence --------------------------------------------------------------------------------


def test_sentence_counts_what_is_never_reversed_and_what_of_it_is_significant():
    drawn = matter(APART, (3, 2, 1), (2, 3, 1), (3, 2, 1), (3, 2, 1))

    text = sentence(drawn)

    # Tau is 1 three times and 1/3 once.
    assert text == (
        "3 systems: the order by gold agrees with the order by a random rater to tau 0.83. "
        "a over b is reversed in 25.0% of the draws; 2 of 3 differences are never reversed, among "
        "them 2 of the 3 that are significant."
    )
    assert [words for words, is_stressed in sentence_of(drawn, Drawn.TOPIC) if is_stressed] == [
        "tau 0.83",
        "a over b",
        "reversed in 25.0% of the draws",
        "2 of 3",
        "2 of the 3",
    ]


def test_sentence_says_why_nothing_is_significant_on_one_topic():
    text = sentence(matter(CLOSE, (3, 2, 1)), Drawn.PAIR)

    assert "the order by a random rater for each pair to tau 1.00" in text
    assert "a over b is never reversed; 3 of 3 differences are never reversed" in text
    assert text.endswith("and none is significant by gold; no p after Holm can be below 1.00 here.")


def test_two_systems_that_are_level_at_the_top_are_not_one_over_the_other():
    text = sentence(matter(reference_of([3], [3], [1]), (3, 2, 1)))

    assert ". a and b are level; 3 of 3 differences are never reversed" in text


def test_order_without_any_tau_is_said_so_and_one_below_zero_has_a_minus():
    assert "to no tau at all. " in sentence(matter(CLOSE, (1, 1, 1)))
    assert "to tau \u22121.00. " in sentence(matter(CLOSE, (1, 2, 3)))


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0, "never reversed"),
        (0.001, "reversed in 0.1% of the draws"),
        (0.479, "reversed in 47.9% of the draws"),
        (0.48, "reversed in half of the draws"),
        (0.52, "reversed in half of the draws"),
        (0.521, "reversed in 52.1% of the draws"),
        (1, "reversed in 100.0% of the draws"),
    ],
)
def test_about_half_of_the_draws_is_half(share, words):
    assert share_in_words(share) == words


# --- over draws ----------------------------------------------------------------------------------


def test_mean_is_of_the_draws_that_have_a_value():
    assert mean([1, np.nan, 0]) == 0.5
    assert mean([np.nan, np.nan]) is mean([]) is None
    assert mean(np.float64(0.25)) == 0.25


def test_middle_of_draws_leaves_out_as_many_at_both_ends():
    draws = np.append(np.arange(41.0), np.nan)

    assert middle(draws) == (1, 39)
    assert middle([np.nan]) is None
    # One source is no draw.
    assert middle(np.float64(0.5)) is None


# --- rows ----------------------------------------------------------------------------------------


def test_row_of_draws_has_means_with_their_range_and_of_one_source_the_figures_alone():
    of_draws = row_of(matter(CLOSE, (3, 2, 1), (1, 2, 3)).drawn(Drawn.TOPIC))
    alone = row_of(Compared("alone", "First seat", Orders(CLOSE, np.array([[2.0], [3], [1]]))))

    assert (of_draws["group"], of_draws["values_of"]) == ("draws", "One rater per topic")
    assert (of_draws["tau_b"], of_draws["swaps"]) == (0, 1.5)
    assert (of_draws["swaps_low"], of_draws["swaps_high"]) == pytest.approx((0.075, 2.925))
    assert alone["tau_b"] == pytest.approx(1 / 3)
    assert (alone["swaps"], alone["swaps_low"], alone["swaps_high"]) == (1, None, None)


def test_every_two_systems_have_their_fate_and_what_is_not_significant_is_not_kept():
    draws = (3, 2, 1), (2, 3, 1)
    significant, uncertain = (matter(reference, *draws) for reference in (APART, CLOSE))

    rows = pairs_of(significant, significant.drawn(Drawn.TOPIC))

    assert [(row["above"], row["below"], row["difference"]) for row in rows] == [
        ("a", "b", 1),
        ("a", "c", 2),
        ("b", "c", 1),
    ]
    assert [row["reversed_share"] for row in rows] == [0.5, 0, 0]
    assert [row["kept_share"] for row in rows] == [0.5, 1, 1]
    assert all(row["significant"] and row["p"] <= row["p_holm"] < 0.05 for row in rows)
    for row in pairs_of(uncertain, uncertain.drawn(Drawn.TOPIC)):
        assert (row["significant"], row["kept_share"]) == (False, None)
