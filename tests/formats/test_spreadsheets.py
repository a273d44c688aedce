"""Cells of CSV files."""

import csv
import io
import itertools

import pytest

from formats.spreadsheets import cell, csv_table, csv_text, escaped, unescaped


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("cell", ["a\rb", "a\nb", "a\r\nb", "\r", "a,b", 'a "b"', ""])
def test_a_cell_stays_one_cell_whatever_stands_in_it(cell, line_end):
    rows = [[cell, "c"], ["d", cell]]

    text = csv_text(rows, line_end=line_end)

    assert list(csv.reader(io.StringIO(text, newline=""), strict=True)) == rows
    assert text.endswith(line_end)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\x00"])
def test_no_cell_starts_like_a_formula(start):
    assert escaped(f"{start}1+1") == f"'{start}1+1"


@pytest.mark.parametrize("cell", ["plain", "1", "-3", "-0.5", "a=b", "'quoted", ""])
def test_other_cells_are_left_alone(cell):
    assert escaped(cell) == unescaped(cell) == cell


def test_every_text_comes_back_as_it_was():
    texts = ["".join(signs) for n in range(5) for signs in itertools.product("'=-\ta", repeat=n)]
    texts += ["-1", "'-1", "''-1", "-1-1", "--1", "-1\n"]

    cells = [escaped(text) for text in texts]

    assert [unescaped(cell) for cell in cells] == texts
    assert len(set(cells)) == len(texts)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""), ("", ""), ("=1+1", "'=1+1"), ("-1", "-1"), (0, "0"), (-2, "-2"),
        (0.1 + 0.2, "0.30000000000000004"), (1e-7, "1e-07"), (1.0, "1.0"), (True, "True"),
    ],
)  # fmt: skip
def test_a_value_is_a_cell_from_which_it_can_be_read_again(value, text):
    assert cell(value) == text


def test_a_table_has_a_line_for_each_row():
    assert csv_table([["a", None, 0.5], ["=b", 'c"', "d,e"], []]) == (
        'a,,0.5\n\'=b,"c""","d,e"\n\n'
    )
    assert csv_table([]) == ""
