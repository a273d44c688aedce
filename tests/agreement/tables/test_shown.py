from dataclasses import replace

import pytest

from agreement.study.filters import ALL, Filters
from agreement.tables.cells import heat_step, stacked
from agreement.tables.columns import share_columns
from agreement.tables.crossed import heat_key, heat_rows, heat_table
from agreement.tables.shown import MOST_ROWS, ShownTable
from agreement.tables.table import (
    GRID,
    Bars,
    Beside,
    Column,
    Count,
    Dots,
    Grid,
    Head,
    Heat,
    Kind,
    Pairs,
    Series,
    Table,
    Working,
)
from agreement.templatetags.figures import Addresses

HOME = "/collections/study/agreement"
ADDRESSES = Addresses(f"{HOME}/pairs/", f"{HOME}/working/", Filters(), frozenset({ALL, "method"}))
COUNTS = (Column("facet", "Facet"), Column("pairs", "Pairs", Kind.COUNT))


def shown(columns, row, beside=None, picture=None):
    """The only row of a table, as a page shows it."""
    table = Table("key", "Title", columns, [row], picture=picture, beside=[beside or Beside()])
    return next(ShownTable(table, ADDRESSES).rows)


def test_count_opens_its_pairs_under_the_filters_of_the_page():
    [cell] = shown(COUNTS, ("Method", 1), Beside({"pairs": Pairs("gold", "2", "Method")})).cells

    assert cell.words.href == "/collections/study/agreement/pairs/?list=gold&cell=2"
    assert cell.words.label == "1 pair: Method"


@pytest.mark.parametrize(
    ("facet", "address"),
    [(None, ""), ("", ""), ("method", "&facet=method"), ("aspect", "&level=aspect"), ("x", None)],
)
def test_list_is_of_the_facet_or_level_of_its_row_and_none_where_no_filter_names_it(facet, address):
    row = shown(COUNTS, ("Method", 2), Beside({"pairs": Pairs("gold", facet=facet)}))

    home = "/collections/study/agreement/pairs/?list=gold"
    assert row.cells[0].words.href == ("" if address is None else home + address)


def test_what_a_number_is_made_of_stands_below_it_and_opens():
    made_of = {"pairs": [Count(1, "excluded", Pairs("outcome", "excluded", "Method, excluded"))]}

    [cell] = shown(COUNTS, ("Method", 2), Beside(counts=made_of)).cells

    [below] = cell.below
    assert (below.text, below.after) == ("1", " excluded")
    assert below.href == "/collections/study/agreement/pairs/?list=outcome&cell=excluded"
    assert below.label == "1 pair: Method, excluded"


def test_nothing_opens_from_0():
    [cell] = shown(COUNTS, ("Method", 0), Beside({"pairs": Pairs("gold")})).cells

    assert (cell.words.text, cell.words.href) == ("0", "")


def test_undefined_figure_still_leads_to_its_working_and_says_why():
    columns = (COUNTS[0], Column("kappa", "κ", Kind.COEFFICIENT))
    beside = Beside(
        {"kappa": Working("kappa", "before", "method")},
        missing={"kappa": "undefined"},
        why={"kappa": "one value in use"},
    )

    [cell] = shown(columns, ("Method", None), beside).cells

    assert (cell.words.text, cell.why) == ("undefined", "one value in use")
    assert "working/?facet=method&when=before&measure=kappa" in cell.words.href


@pytest.mark.parametrize(
    ("working", "address"),
    [
        (Working("rho", "after"), "?when=after&measure=rho"),
        (Working("rho", "after", "result"), "?facet=result&when=after&measure=rho"),
        # A topic is looked for under the facet of the page, which may have a scale of its own.
        (
            Working("rho", "after", topic="q1_method"),
            "?facet=method&when=after&measure=rho&topic=q1_method",
        ),
    ],
)
def test_working_is_of_the_facet_of_its_row_and_that_of_a_topic_under_the_filters(working, address):
    of_method = replace(ADDRESSES, filters=Filters(facet="method"))

    assert of_method(working) == f"{HOME}/working/{address}"


def test_neighbours_of_one_group_that_lack_the_same_become_one_cell():
    columns = (
        COUNTS[0],
        *(Column(key, key, Kind.COEFFICIENT, key[0]) for key in ("a1", "a2", "b1")),
    )
    missing = dict.fromkeys(("a1", "a2", "b1"), "not yet")

    cells = shown(columns, ("Method", None, None, None), Beside(missing=missing)).cells

    assert [(cell.words.text, cell.width) for cell in cells] == [("not yet", 2), ("not yet", 1)]


def test_count_and_interval_of_a_share_stand_below_it():
    columns = (COUNTS[0], *share_columns("found", "Found"))
    beside = Beside({"found_count": Pairs("gold")}, parts_of={"found": 8})

    [cell] = shown(columns, ("Method", 2, 0.25, 0.03, 0.65), beside).cells

    count, interval = cell.below
    assert (cell.words.text, cell.look) == ("25.0%", "num strong")
    assert (count.text, count.after, bool(count.href)) == ("2", " of 8", True)
    assert interval.text == "3.0% to 65.0%"


def test_figure_is_strong_over_what_stands_below_it_where_it_opens_nothing():
    columns = (COUNTS[0], Column("rho", "rho", Kind.COEFFICIENT, ends=("low", "high")))
    columns += (Column("low", "from", printed=False), Column("high", "to", printed=False))
    table = Table("key", "Title", columns, [("Method", 0.5, 0.4, 0.6), ("Result", 0.5, None, None)])
    to_working = Beside({"rho": Working("rho", "before")})

    with_ends, without = [row.cells[0] for row in ShownTable(table, ADDRESSES).rows]
    opening = shown(columns, ("Method", 0.5, 0.4, 0.6), to_working).cells[0]
    on_paper = next(ShownTable(table).rows).cells[0]

    assert (with_ends.look, without.look, opening.look) == ("num strong", "num", "num")
    assert ([words.text for words in on_paper.below], on_paper.look) == (["0.40 to 0.60"], "num")


def test_what_has_no_value_is_dim_on_a_page_alone():
    columns = (COUNTS[0], Column("rho", "rho", Kind.COEFFICIENT))
    table = Table("key", "Title", columns, [("Method", None)])

    [on_page], [on_paper] = (
        next(ShownTable(table, addresses).rows).cells for addresses in (ADDRESSES, None)
    )

    assert (on_page.words.text, on_page.look) == ("–", "num dim")
    assert (on_paper.words.text, on_paper.look) == ("–", "num")


def test_difference_has_a_plus_above_0_alone():
    columns = (COUNTS[0], Column("change", "Change", Kind.GRADE, is_signed=True))

    texts = [shown(columns, ("Method", value)).cells[0].words.text for value in (1, 0, -0.5, "new")]

    assert texts == ["+1", "0", "\u22120.5", "new"]


def test_heads_are_words_of_a_page_and_letters_of_measures_stay():
    columns = (
        COUNTS[0],
        Column("pairs", "pairs", Kind.COUNT, about="Those that count."),
        Column("rho", "rho", Kind.COEFFICIENT),
        Column("percent", "percent", Kind.PERCENT),
        Column("why", "why"),
    )
    table = Table("key", "Title", columns, [])

    [(_, on_page)], [(_, on_paper)] = ShownTable(table, ADDRESSES).groups, ShownTable(table).groups

    assert [(head.title, head.about, head.look) for head in on_page] == [
        ("Pairs", "Those that count.", "num"),
        ("rho", "", "num"),
        ("percent", "", "num"),
        ("Why", "", ""),
    ]
    titles = ["pairs", "rho", "percent", "why"]
    assert [(head.title, head.about) for head in on_paper] == [(title, "") for title in titles]


def test_groups_of_columns_have_a_line_of_heads_above_those_of_columns():
    grouped = (*COUNTS, Column("rho", "rho", Kind.COEFFICIENT, "Before"))

    lines = [
        ShownTable(Table("key", "Title", columns, []), ADDRESSES).lines_of_heads
        for columns in (COUNTS, grouped)
    ]

    assert lines == [1, 2]


def test_line_stands_before_each_group_but_a_first_one():
    columns = (
        COUNTS[0],
        *(Column(key, key, group=key[0]) for key in ("a1", "a2", "b1", "b2")),
    )
    table = ShownTable(Table("key", "Title", columns, []), ADDRESSES)

    looks = {group: [head.look for head in heads] for group, heads in table.groups}
    assert looks == {"a": ["", ""], "b": ["gap", ""]}


def bars_of(table):
    return [cell.bar for row in table.rows for cell in row.cells if cell.look == "bar"]


def heads_of(columns, **drawn):
    table = ShownTable(Table("key", "Title", columns, [], **drawn), ADDRESSES)
    return [head.title for _, heads in table.groups for head in heads]


@pytest.mark.parametrize("below", ["", "b_share"])
def test_picture_of_numbers_stands_after_the_last_of_them(below):
    columns = (
        COUNTS[0],
        Column("b_share", "B %", Kind.SHARE),
        Column("a", "A", Kind.COUNT),
        Column("b", "B", Kind.COUNT, below=below),
        Column("c", "C", Kind.COUNT),
    )
    dots = Dots((Series("a", "A"),), "pairs", 0, 100, after="a")
    grid = Grid("Grades", "a", ("0", "1"), "first", "second")
    shown = ["B %", "A", "C"] if below else ["B %", "A", "B", "C"]

    assert heads_of(columns) == shown
    after_a = shown.index("A") + 1
    dotted = [*shown[:after_a], "pairs, chart", *shown[after_a:]]
    assert heads_of(columns, picture=dots) == dotted
    assert heads_of(columns, grid=grid) == [*shown[:after_a], "Grades", *shown[after_a:]]
    bars = Bars((Series("a", "A"), Series("b", "B")), "share")
    assert heads_of(columns, picture=bars) == [*shown[:-1], "Share, as a bar", "C"]


def test_table_without_a_number_has_no_bar_of_them():
    """As the distances between ratings while no pair has two."""
    nothing = Bars((), "share")

    assert heads_of(COUNTS[:1], picture=nothing) == []
    assert heads_of((COUNTS[0], Column("a", "A", Kind.COUNT)), picture=nothing) == ["A"]


def test_bar_is_of_the_row_or_of_the_longest_row():
    columns = (COUNTS[0], Column("a", "A", Kind.COUNT), Column("b", "B", Kind.COUNT))
    series = (Series("a", "A"), Series("b", "B"))
    rows = [("one", 3, 1), ("two", 1, 1)]

    def widths(as_shares):
        table = Table("key", "Title", columns, rows, picture=Bars(series, "pairs", as_shares))
        return [[piece.width for piece in bar] for bar in bars_of(ShownTable(table, ADDRESSES))]

    assert widths(True) == [["75.00%", "25.00%"], ["50.00%", "50.00%"]]
    assert widths(False) == [["75.00%", "25.00%"], ["25.00%", "25.00%"]]


def test_sum_has_a_bar_only_where_each_row_is_a_whole_of_its_own():
    columns = (COUNTS[0], Column("a", "A", Kind.COUNT), Column("b", "B", Kind.COUNT))
    series = (Series("a", "A"), Series("b", "B"))
    rows = [("one", 4, None), ("two", 2, 0), ("all", 6, 0)]
    beside = [Beside(), Beside(), Beside(look="sum")]

    def widths(as_shares):
        picture = Bars(series, "pairs", as_shares)
        table = Table("key", "Title", columns, rows, picture=picture, beside=beside)
        return [[piece.width for piece in bar] for bar in bars_of(ShownTable(table, ADDRESSES))]

    assert widths(False) == [["100.00%"], ["50.00%"], []]
    assert widths(True) == [["100.00%"], ["100.00%"], ["100.00%"]]


def test_legend_has_the_shades_of_the_bars_and_none_is_of_a_single_series():
    columns = (COUNTS[0], Column("a", "A", Kind.COUNT), Column("b", "B", Kind.COUNT))
    series = (Series("a", "low"), Series("b", "high", look="cj"))

    def of_page(series):
        table = Table("key", "Title", columns, [("one", 1, 1)], picture=Bars(series, "pairs"))
        shown = ShownTable(table, ADDRESSES)
        return shown.legend, [piece.shade for bar in bars_of(shown) for piece in bar]

    assert of_page(series) == ([("low", "s0"), ("high", "cj")], ["s0", "cj"])
    assert of_page(series[:1]) == ([], ["s2"])
    assert ShownTable(Table("key", "Title", columns, []), ADDRESSES).legend == []


def test_stacked_bar_has_no_piece_for_0():
    assert [(piece.x, piece.width, piece.shade) for piece in stacked([2, 0, 2], "abc")] == [
        ("0.00%", "50.00%", "a"),
        ("50.00%", "50.00%", "c"),
    ]
    assert stacked([0, 0], "ab") == []


def test_heat_table_shows_counts_with_their_share_of_the_row():
    rows = dict(heat_table([[2, 1, 0], [0, 0, 0], [0, 0, 5]], ["0", "1", "2"]))

    assert [(cell.words.text, cell.below.text, cell.heat) for cell in rows["0"]] == [
        ("2", "67%", "h5"),
        ("1", "33%", "h3"),
        ("0", "0%", "h0"),
    ]
    assert [cell.is_diagonal for cell in rows["2"]] == [False, False, True]
    assert {cell.below.text for cell in rows["1"]} == {""}


def test_cross_table_opens_the_pairs_of_each_cell():
    columns = (COUNTS[0], Column("v0", "0", Kind.COUNT), Column("v1", "1", Kind.COUNT))
    picture = Heat((Series("v0", "0"), Series("v1", "1")), "first", "second")
    beside = [Beside({"v0": Pairs("confusion", "1,0"), "v1": Pairs("confusion", "1,1")})]
    table = Table("key", "Title", columns, [("1", 3, 0)], picture=picture, beside=beside)

    [(name, cells)] = heat_rows(table, ADDRESSES)

    assert name == "1"
    assert ["cell=1%2C0" in cells[0].words.href, cells[1].words.href] == [True, ""]
    assert [cell.is_diagonal for cell in cells] == [False, True]


@pytest.mark.parametrize("highest", [1.0, 100.0])
def test_the_key_of_shades_names_where_each_begins(highest):
    key = heat_key(highest)

    assert [step for _, step in key] == ["h0", "h1", "h2", "h3", "h4", "h5"]
    for words, step in key[2:]:
        least = float(words.removeprefix("from ")) / highest
        assert heat_step(least) == step
        assert heat_step(least - 0.001) != step


def test_matrix_shows_figures_with_the_pairs_that_they_rest_on():
    columns = (COUNTS[0], *(Column(key, key, Kind.COEFFICIENT) for key in ("A", "B", "C")))
    picture = Heat(tuple(Series(key, key) for key in ("A", "B", "C")), "", "", highest=1.0)
    beside = Beside(
        missing={"C": "undefined"},
        why={"C": "one value in use"},
        counts={"B": [Count(7, "", Pairs("two", "A,B"))], "C": [Count(2, "", Pairs("two", "A,C"))]},
    )
    rows = [("A", None, 0.65, None)]
    table = Table("key", "Title", columns, rows, picture=picture, beside=[beside])

    [(_, cells)] = heat_rows(table, ADDRESSES)

    assert [(cell.words.text, cell.below.text, cell.heat, cell.why) for cell in cells] == [
        ("", "", "h0 none", ""),
        ("0.65", "7", "h5", ""),
        ("undefined", "2", "h0", "one value in use"),
    ]
    assert "list=two&cell=A%2CB" in cells[1].below.href


def dots_of(rows, line=None):
    columns = (
        COUNTS[0],
        Column("before", "Before", Kind.PERCENT, ends=("low", "high")),
        Column("low", "From", Kind.PERCENT, printed=False),
        Column("high", "To", Kind.PERCENT, printed=False),
        Column("after", "After", Kind.PERCENT),
    )
    series = (Series("before", "before"), Series("after", "after"))
    picture = Dots(series, "percent", 0, 100, line=line, after="before")
    table = ShownTable(Table("key", "Title", columns, rows, picture=picture), ADDRESSES)
    return [row.cells[1] for row in table.rows]


def test_marks_stand_in_the_rows_and_the_first_series_on_top():
    [cell] = dots_of([("one", 50, 25, 75, 80)])

    assert [(mark.look, mark.at, mark.low, mark.high) for mark in cell.marks] == [
        ("pt", "80.00%", None, None),
        ("pre", "50.00%", "25.00%", "75.00%"),
    ]
    assert [tick.label for tick in cell.dots.ticks] == ["0", "25", "50", "75", "100"]


def test_head_over_marks_has_their_axis():
    columns = (COUNTS[0], Column("percent", "%", Kind.PERCENT))
    picture = Dots((Series("percent", "before"),), "percent", 0, 100, after="percent")
    table = ShownTable(Table("key", "Title", columns, [], picture=picture), ADDRESSES)

    [(_, [_, over_marks])] = table.groups

    assert (over_marks.title, over_marks.look) == ("percent, chart", "axis plot")
    assert [tick.at for tick in over_marks.dots.ticks][::4] == ["0.00%", "100.00%"]


def test_row_whose_interval_lies_wholly_below_the_line_is_marked():
    cells = dots_of(
        [("low", 30, 20, 45, None), ("not", 60, 45, 80, None), ("none",) + (None,) * 4], 50
    )

    assert [[mark.look for mark in cell.marks] for cell in cells] == [["pt low"], ["pre"], []]


def test_row_says_why_in_the_place_of_what_it_does_not_have():
    columns = (*COUNTS, Column("a", "A", Kind.COUNT), Column("b", "B", Kind.COUNT))
    grid = Grid("Grades", "b", ("0", "1"), "first", "second")
    head = Head("A title", "/there/", ("q1",))
    beside = [
        Beside(head=head, instead="not yet: to decide"),
        Beside(grid=[[2, 1], [0, 3]]),
    ]
    rows = [("q1", 4, None, None), ("q2", 4, 1, 2)]
    table = ShownTable(Table("key", "Title", columns, rows, beside=beside, grid=grid), ADDRESSES)

    waiting, done = table.rows

    assert [(cell.words.text, cell.width) for cell in waiting.cells] == [
        ("4", 1),
        ("not yet: to decide", 3),
    ]
    assert (waiting.head.text, waiting.head.href, waiting.below) == ("A title", "/there/", ("q1",))
    assert done.cells[3].words.text == "first in rows, second in columns: 0: 2 1; 1: 0 3"
    assert [name for name, _ in done.cells[3].grid] == ["0", "1"]
    assert done.head.text == "q2"


def test_small_cross_table_leads_where_its_row_says():
    grid = Grid("Grades", "pairs", ("0", "1"), "first", "second")
    counts = [[2, 1], [0, 3]]
    beside = [Beside({GRID: Working("kappa", "before")}, grid=counts), Beside(grid=counts)]
    rows = [("q1", 6), ("q2", 6)]
    table = ShownTable(Table("key", "Title", COUNTS, rows, beside=beside, grid=grid), ADDRESSES)

    first, second = (row.cells[1].words.href for row in table.rows)

    assert first.startswith("/collections/study/agreement/working/?when=before&measure=kappa")
    assert second == ""


def test_a_long_table_is_printed_in_part_and_says_how_much_is_left_out():
    def printed(rows):
        return ShownTable(Table("key", "Title", COUNTS, [(f"t{row}", row) for row in range(rows)]))

    long, short = printed(MOST_ROWS + 7), printed(3)

    assert (len(list(long.rows)), long.rows_left_out) == (MOST_ROWS, 7)
    assert (len(list(short.rows)), short.rows_left_out) == (3, 0)
    on_page = ShownTable(long.table, ADDRESSES)
    assert (len(list(on_page.rows)), on_page.rows_left_out) == (MOST_ROWS + 7, 0)


def test_print_has_the_columns_of_papers_and_nothing_that_opens():
    columns = (
        *COUNTS,
        Column("on", "On", on_page=True, printed=False),
        Column("day", "Day", is_date=True),
    )
    beside = [Beside({"pairs": Pairs("gold", "2", "Method")}, below={"pairs": "more"})]
    table = Table("key", "Title", columns, [("Method", 1, "x", "2026-03-01")], beside=beside)

    [row] = ShownTable(table).rows

    assert [(cell.words.text, cell.words.href, cell.below) for cell in row.cells] == [
        ("1", "", []),
        ("2026-03-01", "", []),
    ]


def test_words_for_all_that_is_missing_begin_behind_a_count_of_0():
    columns = (*COUNTS, Column("differing", "Differing", Kind.COUNT))

    beside = Beside(instead="not yet: no pairs")

    for nothing in (None, ""):
        cells = shown(columns, ("q1", 0, nothing), beside).cells
        assert [cell.words.text for cell in cells] == ["0", "not yet: no pairs"]
