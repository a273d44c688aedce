"""A row by the fields of a study, whatever its columns are called."""

import pytest

from formats.records import Place
from formats.strict import BadTextError
from formats.tables.cells import Cells

COLUMNS = {"id": "Doc", "text": "Body", "grades": ["R1", "R2"], "note": "Note"}


def cells(**row):
    return Cells(COLUMNS, Place("a.csv", 3), row)


def test_field_has_the_content_of_its_column():
    row = cells(Doc="d1", Body="", Note=1.5)

    assert (row.value("id"), row.text("id"), row.has("id")) == ("d1", "d1", True)
    assert (row.text("text"), row.has("text")) == ("", False)
    assert row.text("note") == "1.5"


def test_a_cell_that_is_no_text_is_named_by_its_column():
    with pytest.raises(BadTextError, match="'Body' holds a list; expected text"):
        cells(Body=["a"]).text("text")


@pytest.mark.parametrize("field", ["facet", "grades"])
def test_field_without_a_column_or_with_several_has_no_text(field):
    row = cells(Doc="d1")

    assert (row.value(field), row.text(field), row.has(field)) == (None, "", False)


def test_texts_of_a_cell_are_named_where_one_is_none():
    assert cells(Body='["a", "b"]').texts("text") == ["a", "b"]
    with pytest.raises(BadTextError, match="among the text: "):
        cells(Body=[{"a": 1}]).texts("text")
