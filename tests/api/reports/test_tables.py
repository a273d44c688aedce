"""Tables of pages for programs: the same data in JSON, and rows with types in files."""

import csv
import io
import json
from types import SimpleNamespace

import pyarrow
import pytest
from pyarrow import parquet

from agreement.tables.table import Column, Kind, Table
from api.formats import CSV, NDJSON, Parquet
from api.reports.tables import columns_of, streamed_data, table_answer

COLUMNS = (
    Column("run", "Run"),
    Column("count", "Pairs", Kind.COUNT),
    Column("tau", "τ", Kind.COEFFICIENT),
    Column("grade", "Grade", is_graded=True),
)
ROWS = (("bm25", 3, 0.1 + 0.2, "−1"), ("é", 0, None, "−0.5 and up"))
TABLE = Table("scores", "Scores", COLUMNS, ROWS, ("All pairs.",))


def answer(renderer=None, table=TABLE):
    renderer = renderer or SimpleNamespace(format="json")
    request = SimpleNamespace(accepted_renderer=renderer)
    return table_answer(request, table, "study-scores", {"chosen": {"Facet": "Method"}})


def file_of(renderer, table=TABLE):
    return b"".join(answer(renderer, table).streaming_content)


def test_json_says_what_the_table_is_of_and_what_its_columns_are():
    data = answer().data

    assert data["chosen"] == {"Facet": "Method"}
    assert (data["table"], data["title"], data["notes"]) == ("scores", "Scores", ["All pairs."])
    assert data["columns"]["tau"] == {"title": "τ", "kind": "coefficient"}
    assert data["rows"][0] == {"run": "bm25", "count": 3, "tau": 0.1 + 0.2, "grade": "-1"}
    assert data["rows"][1]["tau"] is None


def test_a_count_is_whole_in_every_format():
    [line, _] = file_of(NDJSON()).decode().splitlines()

    assert '"count": 3,' in line
    assert [row["count"] for row in answer().data["rows"]] == [3, 0]


def test_numbers_of_files_are_unrounded_and_a_grade_has_the_hyphen_of_programs():
    rows = list(csv.reader(io.StringIO(file_of(CSV()).decode(), newline="")))

    assert rows == [
        ["run", "count", "tau", "grade"],
        ["bm25", "3", "0.30000000000000004", "-1"],
        ["é", "0", "", "'-0.5 and up"],
    ]


def test_a_file_is_named_after_the_collection_and_its_table():
    disposition = answer(NDJSON())["Content-Disposition"]

    assert disposition == 'attachment; filename="study-scores.ndjson"'


def test_columns_of_words_are_texts_and_all_others_numbers():
    table = parquet.read_table(io.BytesIO(file_of(Parquet())))

    texts, numbers = pyarrow.string(), pyarrow.float64()
    assert table.schema.types == [texts, numbers, numbers, texts]
    assert [column.about for column in columns_of(TABLE)] == ["Run", "Pairs", "τ", "Grade"]


def test_a_table_without_rows_has_its_columns_in_every_format():
    empty = Table("scores", "Scores", COLUMNS, (), ())

    assert answer(table=empty).data["rows"] == []
    assert file_of(CSV(), empty) == b"run,count,tau,grade\n"
    assert parquet.read_table(io.BytesIO(file_of(Parquet(), empty))).num_rows == 0


@pytest.mark.parametrize("count", [0, 1, 2, 5_000])
def test_rows_that_are_written_while_they_are_sent_make_the_same_json(count):
    rows = [(f"run {number}", number, None, "1") for number in range(count)]
    whole = answer(table=Table("scores", "Scores", COLUMNS, tuple(rows), ())).data

    streamed = streamed_data(
        Table("scores", "Scores", COLUMNS, (), ()), iter(rows), {"chosen": {"Facet": "Method"}}
    )

    assert json.loads(b"".join(streamed.streaming_content)) == whole
    assert streamed["Content-Type"] == "application/json"
