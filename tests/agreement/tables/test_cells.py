"""Cells as people read them, and marks at their places, in percent of the cell."""

import pytest

from agreement.tables.cells import (
    Axis,
    RowDots,
    Words,
    bar_looks,
    heat_steps,
    linked,
    printed,
    printed_ends,
    scaled_cells,
    shades,
    shares_of,
    stacked,
    steps_of,
)
from agreement.tables.crossed import heat_key, heat_rows, heat_table, spoken
from agreement.tables.table import (
    Beside,
    Column,
    Count,
    Dots,
    Grid,
    Heat,
    Kind,
    Pairs,
    Series,
    Table,
    Working,
)

MINUS = "\u2212"


def addresses(link):
    """As a page makes them; a list that the filters leave nothing of leads nowhere."""
    if isinstance(link, Working):
        return f"working/{link.measure}"
    return "" if link.cell == "none" else f"?list={link.kind}&cell={link.cell}"


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (0, Kind.COUNT, "0"),
        (1_234_567, Kind.COUNT, "1,234,567"),
        (1, Kind.SHARE, "100.0%"),
        (0.0004, Kind.SHARE, "0.0%"),
        (-0.5, Kind.GRADE, f"{MINUS}0.5"),
        (2.0, Kind.GRADE, "2"),
        (0.125, Kind.GRADE, "0.125"),
        (0, Kind.SECONDS, "0 s"),
        (119.4, Kind.SECONDS, "119 s"),
        (119.6, Kind.SECONDS, "2 min 0 s"),
        (3_600_000, Kind.SECONDS, "60,000 min 0 s"),
        (1, Kind.HOURS, "1.0 h"),
        (0.995, Kind.HOURS, "1.0 h"),
        (0.991, Kind.HOURS, "59 min"),
        (0, Kind.HOURS, "0 min"),
        (12_345.6, Kind.HOURS, "12,345.6 h"),
        (-1.005, Kind.NUMBER, f"{MINUS}1.00"),
        (0.0009, Kind.P, "<0.001"),
        (0.001, Kind.P, "0.001"),
        (0.0994, Kind.P, "0.099"),
        (0.1, Kind.P, "0.10"),
        (1, Kind.P, "1.00"),
        ("", Kind.TEXT, ""),
    ],
)
def test_number_is_written_as_its_kind_is(cell, kind, text):
    assert printed(cell, kind) == text


def test_interval_stands_in_words_where_it_has_both_ends():
    columns = (
        Column("rho", "rho", Kind.COEFFICIENT, ends=("low", "high")),
        Column("low", "from", Kind.COEFFICIENT),
        Column("high", "to", Kind.COEFFICIENT),
    )
    table = Table("t", "T", columns, [])

    assert printed_ends(table, (0.1, -0.206, 0.35), columns[0]) == f"{MINUS}0.21 to 0.35"
    for low, high in ((None, None), (None, 0.35), (-0.206, None)):
        assert printed_ends(table, (0.1, low, high), columns[0]) == ""
    assert printed_ends(table, (0.1, 0.1, 0.2), columns[1]) == ""


# --- where a cell leads --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "count", "words"),
    [
        (None, 3, Words("3")),
        ("/elsewhere", None, Words("3", "/elsewhere")),
        (Working("rho", "before"), None, Words("3", "working/rho", look="why")),
        (
            Pairs("judged", "2", "grade 2"),
            3,
            Words("3", "?list=judged&cell=2", "3 pairs: grade 2", "opens"),
        ),
        (
            Pairs("judged", "2", "grade 2"),
            1,
            Words("3", "?list=judged&cell=2", "3 pair: grade 2", "opens"),
        ),
        (
            Pairs("crossed", "a,b", "both"),
            2,
            Words("3", "?list=crossed&cell=a,b", "3 documents: both", "opens"),
        ),
        # Of a text, which may be long, there are two lines.
        ("/elsewhere", "A title", Words("3", "/elsewhere", look="clip2")),
        # Nothing opens from 0, and none from what has no value.
        (Pairs("judged", "2"), 0, Words("3")),
        (Pairs("judged", "2"), None, Words("3")),
    ],
)
def test_figure_leads_to_its_working_and_a_count_to_its_pairs(link, count, words):
    assert linked("3", link, addresses, count) == words


# --- axes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "at"), [(-1, "0.00%"), (0, "33.33%"), (0.5, "50.00%"), (2, "100.00%")]
)
def test_mark_stands_at_its_share_of_the_axis(value, at):
    assert Axis(-1, 2, 1).at(value) == at


def test_axis_of_one_value_divides_by_nothing():
    assert Axis(0.5, 0.5, 1).at(0.5) == "0.00%"


def test_mark_has_an_interval_only_with_both_of_its_ends():
    axis = Axis(0, 1, 0.5)

    whole = axis.mark(0.5, 0.25, 0.75)
    assert (whole.at, whole.low, whole.high) == ("50.00%", "25.00%", "75.00%")
    for low, high in ((None, 0.75), (0.25, None)):
        assert (axis.mark(0.5, low, high).low, axis.mark(0.5, low, high).high) == (None, None)
    # Without a value there is no mark, whatever its interval.
    assert axis.mark(None, 0.25, 0.75).at is None


def test_ticks_stand_at_every_step_and_the_outer_ones_inside_the_axis():
    ticks = Axis(-0.5, 1, 0.5).ticks

    assert [(tick.at, tick.label, tick.anchor, tick.is_zero) for tick in ticks] == [
        ("0.00%", f"{MINUS}0.5", "start", False),
        ("33.33%", "0", "middle", True),
        ("66.67%", "0.5", "middle", False),
        ("100.00%", "1", "end", False),
    ]


@pytest.mark.parametrize(
    ("low", "high", "most", "steps"),
    [
        (0, 1, 2, [0, 1]),
        (0, 7, 6, [0, 2, 4, 6]),
        (0, 35, 5, [0, 10, 20, 30]),
        (0, 12, 6, [0, 2.5, 5, 7.5, 10]),
        (0.3, 0.7, 5, [0.3, 0.4, 0.5, 0.6, 0.7]),
        (-1, 1, 5, [-1, -0.5, 0, 0.5, 1]),
        (0, 0.003, 4, [0, 0.001, 0.002, 0.003]),
        (0, 900_000, 4, [0, 500_000]),
        (5, 5, 1, [5]),
    ],
)
def test_steps_are_round_and_at_most_so_many(low, high, most, steps):
    assert steps_of(low, high, most=most) == pytest.approx(steps)
    assert len(steps) <= max(most, 1)


# --- dots in the rows ----------------------------------------------------------------------------


def row_dots(*series, line=None, kind=Kind.COEFFICIENT, low=-1, high=1):
    columns = [Column("who", "Who")]
    for key in ("before", "after"):
        columns += [
            Column(key, key, kind, ends=(f"{key}_low", f"{key}_high")),
            Column(f"{key}_low", "from", kind),
            Column(f"{key}_high", "to", kind),
        ]
    drawn = Dots(tuple(Series(key, key) for key in series), "axis", low, high, line, "before")
    return RowDots(drawn, Table("t", "T", tuple(columns), []))


def test_first_series_comes_last_and_so_on_top():
    marks = row_dots("before", "after").marks(("a", 0, -0.5, 0.5, 1, None, None))

    assert [(mark.at, mark.low, mark.high, mark.look) for mark in marks] == [
        ("100.00%", None, None, "pt"),
        ("50.00%", "25.00%", "75.00%", "pre"),
    ]


def test_series_alone_looks_as_the_last_of_two():
    assert [mark.look for mark in row_dots("before").marks(("a", 0, None, None, 1, 0, 1))] == ["pt"]


def test_row_without_a_value_has_no_mark():
    assert row_dots("before", "after").marks(("a", None, -0.5, 0.5, None, None, None)) == []


@pytest.mark.parametrize(("high", "look"), [(0.19, "pt low"), (0.2, "pt"), (0.6, "pt")])
def test_row_is_low_where_its_interval_ends_below_the_line(high, look):
    [mark] = row_dots("before", line=0.2).marks(("a", 0.1, 0.0, high, None, None, None))

    assert mark.look == look


@pytest.mark.parametrize("line", [None, 0])
def test_line_at_0_is_that_of_the_axis(line):
    assert row_dots("before", line=line).line == ""
    assert row_dots("before", line=0.5).line == "75.00%"


def test_shares_are_drawn_as_percent():
    dots = row_dots("before", line=0.5, kind=Kind.SHARE, low=0)

    assert (dots.axis.low, dots.axis.high) == (0, 100)
    assert [tick.label for tick in dots.ticks] == ["0", "25", "50", "75", "100"]
    assert [tick.is_zero for tick in dots.ticks] == [True, False, False, False, False]
    [mark] = dots.marks(("a", 0.25, 0.1, 0.4, None, None, None))
    assert (mark.at, mark.low, mark.look) == ("25.00%", "10.00%", "pt low")
    table = Table("t", "T", (Column("s", "S", Kind.SHARE),), [(0.25,), (None,)])
    assert scaled_cells(table, "s") == [25, None]


# --- bars ----------------------------------------------------------------------------------------


def test_pieces_of_a_bar_stand_end_to_end():
    pieces = stacked([1, 0, 3], ["s0", "s1", "s2"])

    assert [(piece.x, piece.width, piece.shade) for piece in pieces] == [
        ("0.00%", "25.00%", "s0"),
        ("25.00%", "75.00%", "s2"),
    ]


def test_bar_of_a_larger_whole_does_not_fill_it():
    pieces = stacked([1, 3], ["s0", "s1"], whole=8)

    assert [(piece.x, piece.width) for piece in pieces] == [
        ("0.00%", "12.50%"),
        ("12.50%", "37.50%"),
    ]
    assert stacked([0, 0], ["s0", "s1"]) == []


def test_shades_reach_from_the_lightest_to_the_darkest():
    assert [shades(number) for number in (1, 2, 3, 5)] == [
        ["s0"],
        ["s0", "s3"],
        ["s0", "s2", "s3"],
        ["s0", "s1", "s2", "s2", "s3"],
    ]
    assert (bar_looks(1), bar_looks(2)) == (["s2"], ["s0", "s3"])


# --- heat ----------------------------------------------------------------------------------------


def test_cell_is_a_share_of_its_row_or_of_the_highest_and_never_below_0():
    assert shares_of([1, 3, None]) == [0.25, 0.75, 0]
    assert shares_of([0, 0]) == [0, 0]
    assert shares_of([0.5, -0.2, "x"], highest=1) == [0.5, 0, 0]


@pytest.mark.parametrize(
    ("share", "step"),
    [(0, "h0"), (0.149, "h1"), (0.15, "h2"), (0.3, "h3"), (0.5, "h4"), (0.6, "h5"), (1, "h5")],
)
def test_shade_begins_at_its_least_share(share, step):
    assert heat_steps([share], highest=1) == [step]


def test_counts_have_their_share_of_the_row_below_and_equal_values_on_the_diagonal():
    [(_, zeros), (name, ones)] = heat_table([[0, 0], [1, 2]], ["0", "1"])

    assert [(cell.words.text, cell.below.text, cell.heat) for cell in zeros] == [
        ("0", "", "h0"),
        ("0", "", "h0"),
    ]
    assert name == "1"
    assert [(cell.words.text, cell.below.text, cell.heat, cell.is_diagonal) for cell in ones] == [
        ("1", "33%", "h3", False),
        ("2", "67%", "h5", True),
    ]


def heat_of(rows, beside=(), highest=None, kind=Kind.COUNT):
    series = (Series("a", "Alice"), Series("b", "Bob"))
    columns = (Column("who", "Who"), Column("a", "Alice", kind), Column("b", "Bob", kind))
    return Table("m", "M", columns, rows, picture=Heat(series, "R", "C", highest), beside=beside)


def test_counts_of_a_cross_table_open_their_pairs_where_there_are_any():
    links = {key: Pairs("crossed", key, "both") for key in ("a", "b")}

    [(name, (alice, bob))] = heat_rows(heat_of([("Alice", 4, None)], [Beside(links)]), addresses)

    assert (name, alice.words.href, alice.is_diagonal) == (
        "Alice",
        "?list=crossed&cell=a",
        True,
    )
    assert (bob.words.text, bob.words.href, bob.heat) == ("0", "", "h0")
    # Without anything beside its rows the numbers are the same.
    [(_, plain)] = heat_rows(heat_of([("Alice", 4, None)]), addresses)
    assert [cell.words.text for cell in plain] == ["4", "0"]


def test_figures_of_a_matrix_stand_with_the_pairs_they_rest_on_and_why_there_is_none():
    beside = Beside(
        missing={"b": "undefined"},
        why={"b": "fewer than two pairs"},
        counts={"a": [Count(12, "pairs", Pairs("two", "a", "Alice and Bob"))]},
    )
    table = heat_of([("Alice", 0.55, None)], [beside], highest=1, kind=Kind.COEFFICIENT)

    [(_, (alice, bob))] = heat_rows(table, addresses)

    assert (alice.words.text, alice.heat, alice.below.text) == ("0.55", "h4", "12")
    assert alice.below.href == "?list=two&cell=a"
    assert (bob.words.text, bob.heat, bob.why) == (
        "undefined",
        "h0 none",
        "fewer than two pairs",
    )


def test_table_without_shades_is_no_cross_table():
    with pytest.raises(TypeError, match="The table m is no cross table"):
        heat_rows(Table("m", "M", (Column("who", "Who"),), []), addresses)


def test_small_cross_table_is_read_aloud_row_by_row():
    rows = heat_table([[1, 2], [3, 4]], ["0", "1"])
    grid = Grid("Values", "rho", ("0", "1"), "first seat", "later seat")

    assert spoken(grid, rows) == "first seat in rows, later seat in columns: 0: 1 2; 1: 3 4"


def test_key_of_shades_names_the_least_figure_of_each():
    assert heat_key(100) == [
        ("0, below or undefined", "h0"),
        ("above 0", "h1"),
        ("from 15", "h2"),
        ("from 30", "h3"),
        ("from 50", "h4"),
        ("from 60", "h5"),
    ]
