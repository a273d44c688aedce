"""Cells of CSV files."""

import itertools

import pytest

from formats.spreadsheets import escaped, unescaped


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\x00"])
def test_no_cell_starts_like_a_formula(start):
    assert escaped(f"{start}1+1") == f"'{start}1+1"


@pytest.mark.parametrize("cell", ["plain", "1", "a=b", "'quoted", ""])
def test_other_cells_are_left_alone(cell):
    assert escaped(cell) == unescaped(cell) == cell


def test_every_text_comes_back_as_it_was():
    texts = ["".join(signs) for n in range(5) for signs in itertools.product("'=-\ta", repeat=n)]

    cells = [escaped(text) for text in texts]

    assert [unescaped(cell) for cell in cells] == texts
    assert len(set(cells)) == len(texts)
