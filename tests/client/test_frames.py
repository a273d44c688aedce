"""DataFrames from what the server sends."""

import csv
import io
import json

import pandas as pd
import pytest
from facetwise.frames import as_csv, frame_of, frame_of_table, with_options

OPTIONS = [{"key": "low"}, {"key": "high"}, {"key": "higher"}]
SHARED = {"definition": {"options": OPTIONS, "facets": [{"key": "a"}]}}
NOMINAL = {"definition": SHARED["definition"] | {"order": "nominal"}}
TWO_SCALES = {
    "definition": {
        "facets": [
            {"key": "a", "scale": {"options": OPTIONS}},
            {"key": "b", "scale": {"options": [{"key": "yes"}, {"key": "low"}]}},
        ]
    }
}


def test_lines_become_rows_and_times_become_times():
    line = json.dumps({"document": "d1", "value": None, "created_at": "2026-01-02T03:04:05+00:00"})

    frame = frame_of(f"{line}\n", [])

    assert frame["created_at"][0] == pd.Timestamp("2026-01-02T03:04:05Z")
    assert frame["value"].isna().all()


def test_times_are_of_one_zone_however_exactly_they_are_written():
    """A time on the full second has no fraction, and PostgreSQL's may have another offset."""
    times = ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456+01:00", None]

    frame = frame_of("\n".join(json.dumps({"decided_at": time}) for time in times), [])

    assert str(frame["decided_at"].dt.tz) == "UTC"
    assert frame["decided_at"][1] == pd.Timestamp("2026-01-02T02:04:05.123456Z")
    assert frame["decided_at"].isna().tolist() == [False, False, True]


def test_a_column_of_times_without_rows_is_one_of_times():
    assert str(frame_of("", ["decided_at"])["decided_at"].dt.tz) == "UTC"


def test_truths_and_decimals_stay_what_they_are():
    rows = [{"is_flagged": True, "value": 1}, {"is_flagged": False, "value": 0.5}]

    frame = frame_of("\n".join(map(json.dumps, rows)), [])

    assert frame["is_flagged"].tolist() == [True, False]
    assert frame["value"].tolist() == [1.0, 0.5]


def test_the_table_that_is_brought_in_stays_as_it_was():
    frame = pd.DataFrame({"facets": [["method"]]})

    as_csv(frame)

    assert frame["facets"][0] == ["method"]


def test_a_line_break_inside_a_text_ends_no_line():
    frame = frame_of(json.dumps({"note": "a\u2028b"}, ensure_ascii=False) + "\n", [])

    assert frame["note"][0] == "a\u2028b"


def test_whole_numbers_stay_whole_where_some_are_missing():
    """As of seats whose progress a lead who rates may not know."""
    rows = [{"rated": 2**60 + 1, "value": 1.0}, {"rated": None, "value": None}]
    lines = "\n".join(map(json.dumps, rows))

    frame = frame_of(lines, ["rated", "value"])

    assert as_csv(frame).decode().split("\r\n") == ["rated,value", f"{2**60 + 1},1.0", ",", ""]
    columns = {name: {"title": name} for name in rows[0]}
    table = {"rows": rows, "columns": columns, "title": "", "notes": []}
    assert frame_of_table(table).equals(frame)


def test_a_table_without_rows_has_its_columns():
    assert list(frame_of("", ["topic", "decided_at"]).columns) == ["topic", "decided_at"]


@pytest.mark.parametrize(
    ("scheme", "keys", "is_ordered"),
    [
        (SHARED, ["low", "high", "higher"], True),
        (NOMINAL, ["low", "high", "higher"], False),
        (TWO_SCALES, ["low", "high", "higher", "yes"], False),
    ],
)
def test_options_are_categories_in_the_order_of_the_scheme(scheme, keys, is_ordered):
    frame = with_options(pd.DataFrame({"option": ["high", None]}), scheme)

    assert list(frame["option"].cat.categories) == keys
    assert frame["option"].cat.ordered == is_ordered
    assert frame["option"].isna().tolist() == [False, True]


def test_a_table_keeps_title_notes_and_headings():
    frame = frame_of_table(
        {
            "title": "Table 2",
            "notes": ["All pairs."],
            "columns": {"facet": {"title": "Facet"}, "rho": {"title": "ρ"}},
            "rows": [{"facet": "method", "rho": 0.5}],
        }
    )

    assert frame.to_dict("list") == {"facet": ["method"], "rho": [0.5]}
    assert frame.attrs["title"] == "Table 2"
    assert frame.attrs["columns"] == {"facet": "Facet", "rho": "ρ"}


def test_lists_are_brought_in_as_json():
    frame = pd.DataFrame({"id": ["q1"], "facets": [["method", "résultat"]], "note": [None]})

    assert as_csv(frame).decode() == 'id,facets,note\r\nq1,"[""method"", ""résultat""]",\r\n'


@pytest.mark.parametrize("text", ["a\rb", "a\nb", "a\r\nb"])
def test_a_line_end_in_a_cell_ends_no_row(text):
    sent = as_csv(pd.DataFrame({"id": ["d1"], "text": [text]})).decode()

    assert list(csv.reader(io.StringIO(sent, newline=""))) == [["id", "text"], ["d1", text]]
