"""A row by the fields of a study, whatever its columns are called."""

import pytest

from formats.records import Place
from formats.strict import BadTextError
from formats.tables.cells import Cells, list_of, refuse_python

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


@pytest.mark.parametrize(
    ("value", "values"),
    [
        (None, []),
        ("", []),
        ([], []),
        (["a", None], ["a", None]),
        ("bm25", ["bm25"]),
        (7, [7]),
        (0, [0]),
        (' ["a", "b"]', ["a", "b"]),
        ("[]", []),
        # Texts that begin like a list, as titles do.
        ("[sic] a title", ["[sic] a title"]),
        ("[1] and [2]", ["[1] and [2]"]),
        ('{"a": 1}', ['{"a": 1}']),
    ],
)
def test_a_cell_is_a_list_of_json_or_a_single_value(value, values):
    assert list_of(value) == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('["A\\u0000."]', "a NUL character"),
        ('["B.", "A\\ud800"]', "half a character"),
    ],
)
def test_a_list_in_a_cell_is_refused_where_no_database_could_keep_it(text, message):
    # Written out such characters are refused with their line; here they are escaped.
    with pytest.raises(BadTextError, match=message):
        list_of(text)


@pytest.mark.parametrize("text", ["['a', 'b']", "[\"a\", 'b']", " ['a\n b'] ", "['it']"])
def test_a_list_of_python_is_refused_with_the_way_to_write_it(text):
    with pytest.raises(BadTextError, match="a list as Python prints it") as caught:
        refuse_python(text)

    assert "json.dumps" in caught.value.remedy


@pytest.mark.parametrize("text", ["[a]", "['a'] and more", "see ['a']", "", "[1, 2]", "'a'"])
def test_brackets_alone_make_no_list_of_python(text):
    refuse_python(text)


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        (" ann ", "ann"), (1, "1"), (1.0, "1"), ("1.0", "1"), ("007.0", "007"), ("1.5", "1.5"),
        ("ann.0", "ann.0"), ("1.0.0", "1.0.0"), (None, ""), ("", ""),
    ],
)  # fmt: skip
def test_rater_one_point_zero_is_rater_one(cell, name):
    assert cells(Doc=cell).name("id") == name


def test_what_no_field_takes_is_metadata_unless_it_is_empty():
    row = cells(Doc="d1", Body="B", R1="2", R2="", year="1999", venue="", award=None, pages=0)

    assert row.others() == {"year": "1999", "pages": 0}


def test_the_place_of_a_field_names_its_column_where_it_has_one():
    row = cells(Doc="d1")

    assert str(row.at("id")) == "a.csv, line 3, column Doc"
    assert str(row.at("grades")) == str(row.at("facet")) == "a.csv, line 3"
