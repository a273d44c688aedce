"""Tables and histograms of text queries, over a few scores by hand."""

from fractions import Fraction

import pytest

from agreement.tables.cells import printed
from evaluation.queries.statistics import Part
from evaluation.queries.tables import distribution, tables
from evaluation.scores import Spread, histogram

MINUS = "\u2212"


def part_of(totals=(), *, name="", low=0, high=2000, steps=4, **figures):
    """Documents with these scores in thousandths, each of a query of one aspect."""
    few = Spread(2, 1, Fraction(3, 2), 2)
    usual = {
        "queries": 2,
        "words": few,
        "aspects": few,
        "sub_aspects": few,
        "ids": few,
        "pools": few,
        "pairs": 10,
        "values": {0: 6, 1000: 2, 2000: 1},
        "scored": len(totals),
        "unscored": 0,
        "scores": histogram(totals, [1] * len(totals), low=low, high=high, steps=steps),
        "mean_score": Fraction(1, 3),
        "with_scores": 1,
        "relevant": None,
        "without_relevant": None,
        "sub_queries": [],
    }
    return Part(name=name, **usual | figures)


# --- values --------------------------------------------------------------------------------------


def test_shares_of_values_are_of_the_pairs_that_have_one():
    table = tables([part_of()])["values"]

    [row] = table.rows
    cells = dict(zip([column.key for column in table.columns], row, strict=True))
    assert cells == {
        "type": "All queries",
        "grade_0_count": 6,
        "grade_0": pytest.approx(6 / 9),
        "grade_1_count": 2,
        "grade_1": pytest.approx(2 / 9),
        "grade_2_count": 1,
        "grade_2": pytest.approx(1 / 9),
        "none": 1,
    }


def test_without_a_value_there_is_no_share_and_all_pairs_are_without():
    [row] = tables([part_of(values={0: 0, 500: 0})])["values"].rows

    assert row == ("All queries", 0, None, 0, None, 10)


def test_values_below_zero_and_of_decimals_stand_as_people_write_them():
    columns = tables([part_of(values={-500: 1, 1250: 1})])["values"].columns

    assert [(column.key, column.title) for column in columns[2:5:2]] == [
        ("grade_-0.5", f"{MINUS}0.5"),
        ("grade_1.25", "1.25"),
    ]


# --- spreads -------------------------------------------------------------------------------------


def test_spread_is_its_mean_with_its_ends_below():
    table = tables([part_of(words=Spread(3, 900, Fraction(3001, 3), 1200))])["complexity"]

    number = table.number_of("words")
    assert table.rows[0][number] == pytest.approx(1000 + 1 / 3)
    assert printed(table.rows[0][number], table.columns[number].kind) == "1000.33"
    assert table.beside[0].below["words"] == "900–1,200"


def test_figure_that_there_is_not_yet_says_so():
    table = tables([part_of(mean_score=None, relevant=None)])["relevant"]

    assert table.rows[0][table.number_of("relevant")] is None
    assert table.beside[0].missing["relevant"] == "not yet"
    assert "relevant" not in table.beside[0].below


# --- the histogram -------------------------------------------------------------------------------


def test_bars_are_as_high_as_their_share_of_the_highest_and_darker_from_1_on():
    [(_, bars)] = distribution([part_of([0, 0, 400, 1000, 2000])])["histograms"]

    assert [(bar.x, bar.height, bar.y, bar.shade) for bar in bars] == [
        ("0.30%", "100.00%", "0.00%", "s1"),
        ("50.30%", "33.33%", "66.67%", "s3"),
        ("75.30%", "33.33%", "66.67%", "s3"),
    ]


def test_steps_are_named_by_their_borders_and_the_last_holds_its_end():
    steps = distribution([part_of([0, 499, 500, 2000])])["steps"]

    assert [row[:3] for row in steps.rows] == [
        ("0 to below 0.5", 2, 0.5),
        ("0.5 to below 1", 1, 0.25),
        ("1 to below 1.5", 0, 0),
        ("1.5 to 2", 1, 0.25),
    ]


def test_steps_below_zero_have_a_minus_and_no_hyphen():
    steps = distribution([part_of([-1000, 1000], low=-1000, high=1000)])["steps"]

    assert [row[0] for row in steps.rows][:2] == [
        f"{MINUS}1 to below {MINUS}0.5",
        f"{MINUS}0.5 to below 0",
    ]


def test_types_stand_side_by_side_and_those_without_scores_are_left_out():
    parts = [part_of([0, 2000]), part_of([0], name="ML"), part_of([], name="CV")]

    drawn = distribution(parts)

    assert [part.label for part, _ in drawn["histograms"]] == ["All queries", "ML"]
    assert [column.title for column in drawn["steps"].columns[2::2]] == ["All queries", "ML"]
    assert distribution([part_of([])]) == distribution([part_of([0], scores=None)]) == {}


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 2000, [("0", "0.00%", "start"), ("1", "50.00%", "middle"), ("2", "100.00%", "end")]),
        (0, 1500, [("0", "0.00%", "start"), ("1", "66.67%", "middle")]),
        (0, 500, [("0", "0.00%", "start"), ("0.5", "100.00%", "end")]),
        (-250, 250, [(f"{MINUS}0.25", "0.00%", "start"), ("0.25", "100.00%", "end")]),
    ],
)
def test_axis_has_whole_steps_inside_the_scale_and_both_ends_of_a_short_one(low, high, ticks):
    drawn = distribution([part_of([low], low=low, high=high)])["ticks"]

    assert [(tick.label, tick.at, tick.anchor) for tick in drawn] == ticks


def test_long_scale_has_few_ticks():
    drawn = distribution([part_of([0], high=100_000)])["ticks"]

    assert [tick.label for tick in drawn] == ["0", "20", "40", "60", "80", "100"]
