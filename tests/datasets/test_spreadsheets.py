"""Cells of CSV files."""

import pytest

from datasets.spreadsheets import escaped


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\x00"])
def test_no_cell_starts_like_a_formula(start):
    assert escaped(f"{start}1+1") == f"'{start}1+1"


@pytest.mark.parametrize("cell", ["plain", "1", "a=b", "'quoted", ""])
def test_other_cells_are_left_alone(cell):
    assert escaped(cell) == cell
