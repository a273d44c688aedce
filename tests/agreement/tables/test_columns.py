"""Columns that several tables have, and the words for choices and counts."""

import pytest

from agreement.statistics import (
    REGISTRY,
    CannotJudge,
    Figure,
    Interval,
    Method,
    Over,
    Reason,
    Share,
    Summary,
    SummaryKind,
)
from agreement.tables.columns import (
    ASPECT,
    NOT_KNOWN,
    QUERY,
    TOPIC,
    Gaps,
    cross_table,
    dots,
    ends_of,
    grade_cells,
    grade_columns,
    grade_links,
    intervals_note,
    kind_of,
    measure_cells,
    measure_columns,
    raters_in_words,
    rule_in_words,
    share_cells,
    share_columns,
)
from agreement.tables.table import Column, Kind, Pairs, Series

MEASURES = {"rho": "Spearman's rho", "percent": "Percent agreement"}
MINUS = "\u2212"


def interval(low=0.1, high=0.5, *, over=Over.TOPICS, **details):
    usual = {"level": 0.95, "method": Method.PERCENTILE, "resamples": 2000, "seed": 1}
    return Interval(low=low, high=high, over=over, **usual | details)


def summary(value, *, defined=2, left_out=None):
    figure = Figure(value) if value is not None else Figure.undefined(Reason.NO_FIGURES)
    return Summary(figure, defined, left_out or {})


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        ([2, 2], "two"),
        ([3, 2, 2], "two to three"),
        ([1, 2, 4], "one to four"),
        ([10], "ten"),
        ([2, 11], "two to 11"),
        ([], "no"),
    ],
)
def test_raters_are_told_in_words_up_to_ten(seats, words):
    assert raters_in_words(seats) == words


@pytest.mark.parametrize(
    ("lowest", "has_labels", "sentence"),
    [
        ((0.0,), False, "“Cannot judge” counts as the lowest value, 0."),
        ((-1.0,), False, f"“Cannot judge” counts as the lowest value, {MINUS}1."),
        # Scales with one lowest value need not be told apart.
        ((0.0, 0.0), False, "“Cannot judge” counts as the lowest value, 0."),
        ((1.0, 0.5), False, "“Cannot judge” counts as the lowest value of its scale (0.5, 1)."),
        (
            (0.0,),
            True,
            "“Cannot judge” counts as the lowest value, 0. Of labels, pairs with one are left out "
            "of every figure.",
        ),
    ],
)
def test_rule_names_the_lowest_values_and_what_labels_do_without(lowest, has_labels, sentence):
    assert rule_in_words(CannotJudge.LOWEST, *lowest, has_labels=has_labels) == sentence


def test_rules_that_need_no_lowest_value_name_none():
    for rule in (CannotJudge.DROP, CannotJudge.GAPS):
        assert rule_in_words(rule, 0.0, has_labels=True) == rule_in_words(rule)
    assert rule_in_words(CannotJudge.DROP).startswith("Pairs with a “cannot judge” are left out")


def test_unit_says_what_figures_are_summarised_over_and_what_is_drawn():
    assert [TOPIC.summary(kind) for kind in SummaryKind] == [
        "median over topics",
        "mean over topics",
        "all pairs pooled",
    ]
    assert TOPIC.over(Over.QUERIES) == "whole queries, with all of their facets"
    assert ASPECT.over(Over.BOTH) == "aspects and, within them, pairs"
    assert QUERY.over(Over.PAIRS) == "pairs within queries"
    assert (TOPIC.parts, QUERY.parts, ASPECT.parts) == ("Facet", "Queries", "Aspects")


# --- measures ------------------------------------------------------------------------------------


def test_column_of_a_measure_has_two_for_its_interval_that_only_files_have():
    columns = measure_columns(MEASURES, "before", "Before")

    assert [column.key for column in columns] == [
        "before_rho",
        "before_rho_low",
        "before_rho_high",
        "before_percent",
        "before_percent_low",
        "before_percent_high",
    ]
    assert columns[0].ends == ("before_rho_low", "before_rho_high")
    assert [column.printed for column in columns] == [True, False, False] * 2
    assert {column.group for column in columns} == {"Before"}
    assert [column.kind for column in columns[::3]] == [Kind.COEFFICIENT, Kind.PERCENT]
    assert [column.about for column in columns[::3]] == ["Spearman's rho", "Percent agreement"]


def test_column_without_an_interval_stands_alone():
    columns = measure_columns(MEASURES, intervals=False)

    assert [(column.key, column.ends) for column in columns] == [("rho", None), ("percent", None)]


def test_what_is_measured_in_grades_is_a_number_and_no_coefficient():
    [in_grades] = {kind_of(name) for name, of in REGISTRY.items() if of.unit == "grade"}

    assert in_grades is Kind.NUMBER


@pytest.mark.parametrize(
    ("figures", "intervals", "cells"),
    [
        (
            {"rho": summary(0.4), "percent": summary(70)},
            {"rho": interval(0.1, 0.5), "percent": interval(60, 80)},
            [0.4, 0.1, 0.5, 70, 60, 80],
        ),
        # Undefined, and so its interval; one that is not known yet.
        (
            {"rho": summary(None), "percent": summary(70)},
            {"rho": interval(None, None, reason=Reason.CONSTANT_LIST), "percent": interval(60, 80)},
            [None, None, None, 70, 60, 80],
        ),
        ({"rho": Figure(0.4), "percent": Figure(70)}, None, [0.4, None, None, 70, None, None]),
        (None, {"rho": interval(), "percent": interval()}, [None] * 6),
    ],
)
def test_cells_are_figures_with_their_intervals_or_nothing(figures, intervals, cells):
    assert measure_cells(figures, MEASURES, intervals) == cells


def test_interval_that_there_is_not_has_no_ends():
    assert (ends_of(None), ends_of(interval(0.1, 0.5))) == ((None, None), (0.1, 0.5))


# --- notes on intervals --------------------------------------------------------------------------


def test_each_way_of_an_interval_is_said_once_and_what_is_missing_last():
    notes = intervals_note(
        [
            None,
            {"rho": interval(), "percent": interval()},
            {"rho": interval(over=Over.PAIRS, resamples=500, seed=7, method=Method.BCA)},
            None,
        ],
        TOPIC,
    )

    assert notes == [
        "Intervals: 95%, percentile bootstrap over topics, 2,000 resamples, seed 1.",
        "Intervals: 95%, BCa bootstrap over pairs within topics, 500 resamples, seed 7.",
        NOT_KNOWN,
    ]


def test_interval_that_is_undefined_or_exact_was_not_resampled():
    undefined = interval(None, None, reason=Reason.ONE_TOPIC)

    assert intervals_note([{"rho": undefined, "percent": interval(over=None)}], TOPIC) == []
    assert intervals_note([], TOPIC) == []


# --- words for what has no value -----------------------------------------------------------------


def test_figure_without_a_value_says_so_and_why():
    gaps = Gaps()

    gaps.tell("rho", Figure.undefined(Reason.CONSTANT_LIST))
    gaps.tell("percent", Figure(50))

    beside = gaps.beside()
    assert dict(beside.missing) == {"rho": "undefined"}
    assert dict(beside.why) == {"rho": "one list holds a single value"}


def test_summary_says_how_many_figures_it_leaves_out_and_why():
    gaps = Gaps().tell_all(
        {
            "rho": summary(0.4, defined=1, left_out={Reason.CONSTANT_LIST: 2, Reason.ONE_PAIR: 1}),
            "percent": summary(70),
        },
        "before",
    )

    assert gaps.below == {"before_rho": "3 left out"}
    assert gaps.why == {
        "before_rho": "one list holds a single value (2 of 4), fewer than two pairs (1 of 4)"
    }
    assert gaps.missing == {}


def test_summary_of_undefined_figures_alone_is_undefined_and_counts_none_as_left_out():
    gaps = Gaps()

    gaps.tell("rho", summary(None, defined=0, left_out={Reason.CONSTANT_LIST: 2}))
    gaps.tell("percent", summary(None, defined=0))

    assert gaps.missing == {"rho": "undefined", "percent": "undefined"}
    assert gaps.below == {}
    assert gaps.why == {
        "rho": "one list holds a single value (2 of 2)",
        "percent": "no figure to summarise",
    }


def test_row_of_a_sum_says_so_beside_its_links_and_gaps():
    link = Pairs("judged", "", "all")

    beside = Gaps(below={"rho": "1 left out"}).beside({"pairs": link}, look="sum")

    assert (beside.links, beside.below, beside.look) == (
        {"pairs": link},
        {"rho": "1 left out"},
        "sum",
    )
    assert (Gaps().beside().links, Gaps().beside().look) == ({}, "")


# --- shares and grades ---------------------------------------------------------------------------


def test_share_is_its_count_its_value_and_the_ends_of_its_exact_interval():
    columns = share_columns("found", "Found")

    # 1 of 4 in every table of exact intervals: 0.6 % to 80.6 %.
    cells = share_cells(Share(1, 4))
    assert [column.key for column in columns] == [
        "found_count",
        "found",
        "found_low",
        "found_high",
    ]
    assert cells == [1, 0.25, pytest.approx(0.006310, abs=1e-6), pytest.approx(0.805880, abs=1e-6)]
    assert share_cells(Share(0, 0)) == [0, None, None, None]
    assert (columns[0].below, [column.printed for column in columns]) == (
        "found",
        [False, True, False, False],
    )


@pytest.mark.parametrize(("intervals", "per_grade"), [(True, 4), (False, 2)])
def test_grades_have_as_many_cells_as_columns(intervals, per_grade):
    titles = {"0": "Grade 0", "0.5": "Grade 0.5"}

    columns = grade_columns(titles, intervals=intervals)
    cells = grade_cells([Share(1, 4), Share(3, 4)], intervals=intervals)

    assert len(columns) == len(cells) == 2 * per_grade
    assert [column.key for column in columns[::per_grade]] == ["grade_0_count", "grade_0.5_count"]
    assert [column.ends is not None for column in columns[1::per_grade]] == [intervals] * 2
    assert [column.key for column in columns[1::per_grade]] == ["grade_0", "grade_0.5"]
    assert [column.kind for column in columns[:2]] == [Kind.COUNT, Kind.SHARE]
    assert cells[:2] == [1, 0.25]
    assert cells[per_grade : per_grade + 2] == [3, 0.75]


def test_grades_lead_to_their_pairs_with_what_follows_in_the_address():
    links = grade_links("source", ["0", "1"], "BM25", None, cell="bm25")

    assert links == {
        "grade_0_count": Pairs("source", "0,bm25", "BM25"),
        "grade_1_count": Pairs("source", "1,bm25", "BM25"),
    }
    assert grade_links("judged", ["2"], "all", "method") == {
        "grade_2_count": Pairs("judged", "2", "all", "method")
    }


def test_cross_table_has_a_column_and_a_shade_for_each_value():
    first = {"0": Pairs("crossed", "0,0")}

    table = cross_table(
        "crossed",
        "One against the other",
        Column("first", "Background"),
        [("0", "Grade 0"), ("1", "Grade 1")],
        [("Grade 0", 3, 1), ("Grade 1", 0, 2)],
        axes=("Background", "Method"),
        group="Method",
        notes=("Documents that both share.",),
        links=[first, {}],
    )

    assert [(column.key, column.group) for column in table.columns] == [
        ("first", ""),
        ("0", "Method"),
        ("1", "Method"),
    ]
    assert [series.column for series in table.picture.series] == ["0", "1"]
    assert (table.picture.rows, table.picture.columns) == ("Background", "Method")
    assert [beside.links for beside in table.beside] == [first, {}]
    assert table.notes == ("Documents that both share.",)
    assert (table.groups, table.cells("1")) == ([("", 1), ("Method", 2)], [1, 2])


# --- the axis of dots ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "low"),
    [
        ([("a", 0.3, 0.1, 0.5)], 0),
        ([("a", 0.6, 0.5, 0.7)], 0),
        ([("a", 0.3, -0.01, 0.5)], -0.25),
        ([("a", 0.3, -0.25, 0.5)], -0.25),
        ([("a", -0.6, None, None)], -0.75),
        ([("a", None, None, None)], 0),
        ([], 0),
    ],
)
def test_axis_of_a_coefficient_reaches_below_0_as_far_as_there_are_values(rows, low):
    columns = [Column("who", "Who"), *measure_columns({"rho": "Spearman's rho"})]

    drawn = dots((Series("rho", "before"),), columns, rows, "rho", line=0.2, after="rho")

    assert (drawn.low, drawn.high, drawn.line, drawn.after) == (low, 1, 0.2, "rho")


def test_axis_of_percent_is_the_whole_of_it():
    columns = [Column("who", "Who"), *measure_columns({"percent": "Percent agreement"})]

    drawn = dots((Series("percent", "before"),), columns, [("a", 50, 40, 60)], "%")

    assert (drawn.low, drawn.high) == (0, 100)
