"""What became of pairs whose raters differ, on ratings that can be counted on paper."""

import numpy as np
import pytest

from agreement.statistics import CannotJudge, disagreement_by_topic, disagreement_in_all
from agreement.study.counted import count
from agreement.study.scales import Scale
from agreement.subjects.disagreements.figures import (
    DECIDED,
    Outcome,
    Outcomes,
    disagreements_of,
)
from tests.factories.ratings import SCALE, SKIPPED, facts, ratings_of

OPEN, CONSENSUS, ADJUDICATED, EXCLUDED = range(4)
LABELS = Scale((0.0, 1.0, 2.0), is_ordinal=False, labels=("survey", "theory", "tool"))
CAUSES = {"granularity": "Granularity", "context": "Context missed"}
TWO_FACETS = (facts("q1", "background"), facts("q2", "method"))


def figures_of(*seats, facet="", rule="lowest", gold=None, **columns):
    """Disagreements over all of these pairs and under each of their facets; decided by Carol where
    there is gold, and open elsewhere."""
    if gold is not None:
        values = np.array([np.nan if value is None else value for value in gold], dtype=float)
        columns = {"gold": values, "origin": np.isfinite(values) * ADJUDICATED} | columns
    counted = count(ratings_of(*seats, **columns), CannotJudge(rule))
    by_topic = disagreement_by_topic(counted.topics)
    facets = dict.fromkeys(topic.facet for topic in counted.ratings.topics)
    parts = [
        (
            key,
            key.title(),
            disagreement_in_all(
                of_topic
                for of_topic, topic in zip(by_topic, counted.ratings.topics, strict=True)
                if topic.facet == key
            ),
        )
        for key in facets
    ]
    whole = ("", "All", disagreement_in_all(by_topic))
    return disagreements_of(counted, [*parts, whole], facet=facet, causes=CAUSES)


def outcomes_of(*seats, **columns):
    """The outcomes of all pairs, one word each where there are any."""
    whole = figures_of(*seats, **columns).parts[-1].outcomes
    return {str(outcome): pairs for outcome, pairs in whole.counts.items() if pairs}


# --- the outcome of a pair -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "gold", "outcome"),
    [
        ((0, 2), 0, "lower"),
        ((2, 0), 0, "lower"),
        ((0, 2), 2, "higher"),
        ((0, 2), 1, "between"),
        ((1, 2), 0, "neither"),
        ((1, 2), 3, "neither"),
        # Of three raters the middle one's value is between the others' too.
        ((0, 1, 3), 1, "between"),
        ((0, 1, 3), 2, "between"),
        ((0, 1, 3), 3, "higher"),
        ((1, 1, 2), 1, "lower"),
    ],
)
def test_decision_is_at_an_end_of_the_ratings_between_them_or_beyond(given, gold, outcome):
    assert outcomes_of(*([value] for value in given), gold=[gold]) == {outcome: 1}


@pytest.mark.parametrize(
    ("given", "gold", "outcome"),
    [
        ((0, 2), 0, "a rater's label"),
        ((0, 2), 2, "a rater's label"),
        # Between them stands no label: "theory" is as far from both as any other.
        ((0, 2), 1, "another label"),
    ],
)
def test_label_is_one_that_a_rater_gave_or_another(given, gold, outcome):
    seats = [[value] for value in given]

    assert outcomes_of(*seats, gold=[gold], scale=LABELS) == {outcome: 1}


def test_label_that_was_given_to_another_pair_is_another_one_here():
    outcomes = outcomes_of([0, 1, 0], [2, 2, 1], gold=[1, 2, 2], scale=LABELS)

    assert outcomes == {"a rater's label": 1, "another label": 2}


@pytest.mark.parametrize(
    ("origin", "gold", "outcome"),
    [
        (OPEN, np.nan, "to decide"),
        (CONSENSUS, 0.0, "settled by the rule"),
        (EXCLUDED, np.nan, "excluded"),
    ],
)
@pytest.mark.parametrize("scale", [SCALE, LABELS])
def test_pair_without_a_decision_is_told_apart(origin, gold, outcome, scale):
    seats = [0], [0], [2]

    assert outcomes_of(*seats, origin=origin, gold=[gold], scale=scale) == {outcome: 1}


def test_pairs_on_which_all_agree_have_no_outcome_even_where_somebody_decided():
    figures = figures_of([1, 2, 0], [1, 2, 3], gold=[3, None, 0])

    whole = figures.parts[-1]
    assert (whole.alike, whole.outcomes.pairs, whole.disagreement.pairs) == (2, 1, 3)


def test_cannot_judge_differs_from_a_grade_as_the_rule_says():
    seats = [SKIPPED, 2, 1], [1, 2, 0]

    differing = {
        rule: figures_of(*seats, rule=rule).parts[-1].outcomes.pairs
        for rule in ("lowest", "drop", "gaps")
    }

    assert differing == {"lowest": 2, "drop": 1, "gaps": 1}


def test_pair_that_one_rater_alone_judged_is_neither_alike_nor_different():
    whole = figures_of([1, 1], [SKIPPED, 1], rule="gaps").parts[-1]

    assert (whole.disagreement.pairs, whole.alike, whole.outcomes.pairs) == (1, 1, 0)


# --- shares --------------------------------------------------------------------------------------


def test_shares_are_of_the_decided_pairs_alone():
    counts = dict.fromkeys(Outcome, 0) | {
        Outcome.LOWER: 1,
        Outcome.HIGHER: 3,
        Outcome.EXCLUDED: 5,
        Outcome.RULE: 7,
        Outcome.OPEN: 9,
    }
    outcomes = Outcomes("All", counts)

    assert (outcomes.pairs, outcomes.decided) == (25, 4)
    assert [(outcome, pairs, share) for outcome, pairs, share, _ in outcomes.shares] == [
        (Outcome.LOWER, 1, 0.25),
        (Outcome.HIGHER, 3, 0.75),
        (Outcome.BETWEEN, 0, 0),
        (Outcome.NEITHER, 0, 0),
    ]
    # The exact interval of 1 of 4 in every table: 0.6 % to 80.6 %.
    low, high = outcomes.shares[0][3].low, outcomes.shares[0][3].high
    assert (low, high) == pytest.approx((0.006310, 0.805880), abs=1e-6)


def test_where_nothing_is_decided_there_are_no_shares():
    outcomes = Outcomes("All", dict.fromkeys(Outcome, 0) | {Outcome.OPEN: 2})

    assert [share[2:] for share in outcomes.shares] == [(None, None)] * len(DECIDED)


# --- splits --------------------------------------------------------------------------------------


def splits_of(*seats, **columns):
    splits = figures_of(*seats, **columns).splits
    return [(split.name, split.cell, split.pairs) for split in splits]


def test_splits_are_by_the_lowest_and_the_highest_value_the_most_common_first():
    splits = splits_of([0, 3, 1, 0, 2], [2, 1, 3, 0, 3], [1, 3, 3, 0, 1])

    # 0 2 1, 3 1 3, 1 3 3, 0 0 0, 2 3 1.
    assert splits == [("1 and 3", "1,3", 3), ("0 and 2", "0,2", 1)]


def test_equal_splits_stay_in_the_order_of_the_scale():
    assert [name for name, _, _ in splits_of([2, 0, 0, 1], [3, 3, 1, 2])] == [
        "0 and 1",
        "0 and 3",
        "1 and 2",
        "2 and 3",
    ]


def test_grades_of_decimals_and_below_zero_are_named_as_people_write_them():
    scale = Scale((-1.0, -0.5, 2.25))

    assert splits_of([-1, -0.5], [-0.5, 2.25], scale=scale) == [
        ("\u22121 and \u22120.5", "-1,-0.5", 1),
        ("\u22120.5 and 2.25", "-0.5,2.25", 1),
    ]


def test_labels_split_by_which_were_given_whoever_gave_them():
    splits = splits_of([0, 2, 0, 1, 0], [2, 0, 1, 1, 1], [2, 2, 2, 1, 1], scale=LABELS, rule="drop")

    assert splits == [
        ("survey / tool", "0,2", 2),
        ("survey / theory", "0,1", 1),
        ("survey / theory / tool", "0,1,2", 1),
    ]


def test_splits_add_up_to_the_pairs_that_differ():
    random = np.random.default_rng(3)
    seats = random.integers(0, 4, size=(3, 200)).tolist()

    figures = figures_of(*seats, gold=random.integers(0, 4, size=200).tolist())

    whole = figures.parts[-1].outcomes
    assert sum(split.pairs for split in figures.splits) == whole.pairs > 0
    for outcome in Outcome:
        assert sum(split.counts[outcome] for split in figures.splits) == whole.counts[outcome]


# --- facets and causes ---------------------------------------------------------------------------


def test_facets_add_up_to_all_and_splits_are_of_the_chosen_one():
    figures = figures_of(
        [0, 1, 0, 2], [1, 1, 3, 1], topics=TWO_FACETS, topic=[0, 0, 1, 1], facet="method"
    )

    background, method, whole = figures.parts
    assert [part.outcomes.pairs for part in (background, method, whole)] == [1, 2, 3]
    assert [part.alike for part in (background, method, whole)] == [1, 0, 1]
    assert [split.name for split in figures.splits] == ["0 and 3", "1 and 2"]
    assert figures.confusion.tolist() == [[0, 0, 0, 1], [0] * 4, [0, 1, 0, 0], [0] * 4]


def test_cross_table_has_the_earlier_seat_in_rows():
    confusion = figures_of([0, 0, 3], [0, 2, 1]).confusion

    assert confusion.tolist() == [[1, 0, 1, 0], [0] * 4, [0] * 4, [0, 1, 0, 0]]


def test_causes_come_in_the_order_of_the_scheme_then_others_then_none():
    figures = figures_of(
        [0] * 6,
        [1] * 6,
        gold=[0, 1, 0, 0, None, 1],
        cause=["old", "context", "granularity", "", "", "context"],
    )

    causes = [(cause.name, cause.cell, cause.pairs) for cause in figures.causes]
    assert causes == [
        ("Granularity", "granularity", 1),
        ("Context missed", "context", 2),
        ("old", "old", 1),
        ("no cause recorded", "", 1),
    ]
    assert sum(pairs for _, _, pairs in causes) == figures.parts[-1].outcomes.decided


def test_cause_of_a_pair_on_which_all_agreed_is_none_of_a_difference():
    figures = figures_of([0, 1], [1, 1], gold=[0, 2], cause=["context", "granularity"])

    assert [cause.name for cause in figures.causes] == ["Context missed"]


def test_without_pairs_there_is_nothing_to_tell():
    for scale in (SCALE, LABELS):
        figures = figures_of([], [], scale=scale)

        assert (figures.splits, figures.causes) == ([], [])
        assert [(part.alike, part.outcomes.pairs) for part in figures.parts] == [(0, 0)] * 2
