"""Texts as other programs write them: what a sensible reader can take is taken."""

import json
from itertools import zip_longest

import pandas
import pytest

from formats.files import open_files
from formats.strict import BadTextError
from formats.tables.kinds import SEEN_BYTES, is_json_table, is_table
from formats.tables.rows import open_tables


@pytest.fixture
def rows(tmp_path):
    """The rows of one file, each as (its place, its cells)."""

    def read(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with open_files([path]) as files:
            [table] = open_tables(files.all[0])
            return [(table.place(row.line).inside, row.cells) for row in table.rows()]

    return read


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2,\n",
        "a,b,\n1,2,\n",
        "a,b\n1,2,, ,\n",
        "a;b\r\n1;2\r\n",
        "sep=;\na;b\n1;2\n",
        "\n\na,b\n1,2\n",
        "a,b\n\n , \n1,2\n,\n",
    ],
)
def test_empty_cells_and_lines_say_nothing(rows, text):
    [(_, cells)] = rows("a.csv", text)

    assert {name: cell for name, cell in cells.items() if cell} == {"a": "1", "b": "2"}


@pytest.mark.parametrize(
    "text", ["a;b;;\n1;2;;\n", "a;b;;\n1;2\n", ";a;;b\n;1; ;2\n", "a;;b\n1;;2;;\n"]
)
def test_column_without_name_and_value_is_none(rows, tmp_path, text):
    lines = [line.split(";") for line in text.splitlines()]
    frame = pandas.DataFrame(zip_longest(*lines, fillvalue="")).T
    frame.to_excel(tmp_path / "made.xlsx", index=False, header=False)

    assert rows("a.csv", text) == [("line 2", {"a": "1", "b": "2"})]
    [(_, cells)] = rows("a.xlsx", (tmp_path / "made.xlsx").read_bytes())
    assert cells == {"a": "1", "b": "2"}


def test_line_may_lack_the_cells_of_columns_without_name(rows):
    assert rows("a.csv", "a,b,\n1,2\n3,4,5\n") == [
        ("line 2", {"a": "1", "b": "2", "column 3": ""}),
        ("line 3", {"a": "3", "b": "4", "column 3": "5"}),
    ]


def test_name_of_a_column_is_one_line(rows, tmp_path):
    frame = pandas.DataFrame({"query ": ["q1"], "Anna\nM.": ["1"]})
    frame.to_excel(tmp_path / "made.xlsx", index=False)
    frame.to_parquet(tmp_path / "made.parquet", index=False)

    for name, content in [
        ("a.csv", 'query ,"Anna\r\nM."\nq1,1\n'),
        ("a.xlsx", (tmp_path / "made.xlsx").read_bytes()),
        ("a.parquet", (tmp_path / "made.parquet").read_bytes()),
    ]:
        [(_, cells)] = rows(name, content)
        assert cells == {"query": "q1", "Anna M.": "1"}, name


@pytest.mark.parametrize("line", ["1", "1,2,3", "1,2,,3"])
def test_line_with_other_cells_than_columns_is_refused(rows, line):
    with pytest.raises(BadTextError, match="cells; expected 2") as caught:
        rows("a.csv", f"a,b\n{line}\n")

    assert caught.value.place == "line 2"


COLUMNS = [f"c{number}" for number in range(1_001)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", f"{','.join(COLUMNS)}\n"),
        ("a.jsonl", json.dumps(dict.fromkeys(COLUMNS, 1))),
    ],
)
def test_columns_are_so_few_that_each_can_be_compared_with_all_others(rows, name, text):
    with pytest.raises(BadTextError, match="1,001 columns; at most 1,000 are read"):
        rows(name, text)


ENTRIES = [{"a": "1", "b": 2}, {"a": "\u00e9", "c": [1.5]}]
LINES = "\n".join(map(json.dumps, ENTRIES))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", json.dumps(ENTRIES)),
        ("a.json", "\ufeff" + json.dumps(ENTRIES, indent=1)),
        ("a.jsonl", json.dumps(ENTRIES)),
        ("a.json", LINES),
    ],
)
def test_json_may_be_a_list_or_lines_whatever_its_name(rows, name, text):
    assert [cells for _, cells in rows(name, text)] == ENTRIES


def test_list_keeps_numbers_as_written_and_says_which_entry(rows):
    [(place, cells)] = rows("a.json", '[{"grade": 1.50}]')

    assert (place, cells["grade"].literal) == ("entry 1", "1.50")
    with pytest.raises(BadTextError, match="NUL") as caught:
        rows("a.json", '[{"a": 1}, {"a": "\\u0000"}]')
    assert caught.value.place == "entry 2"


def test_workbook_is_told_by_its_content(tmp_path, small_workbook):
    for name in ("a.xls", "a.bin"):
        (tmp_path / name).write_bytes(small_workbook)
        with open_files([tmp_path / name]) as files:
            assert is_table(files.all[0])
            assert open_tables(files.all[0])[0].columns == ["id"]


@pytest.fixture
def small_workbook(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["id"])
    book.save(tmp_path / "a.xlsx")
    return (tmp_path / "a.xlsx").read_bytes()


@pytest.mark.parametrize(
    ("content", "is_one"),
    [
        ('{"a": 1}\n{"a": 2}', True),
        ('{"a": 1} \r\n\n {"a": 2}', True),
        ('[{"a": 1}]', True),
        ('{"a": {}}', False),
        ("}" + "\n" * SEEN_BYTES, False),  # has to be told in one pass
    ],
)
def test_json_is_a_table_where_it_has_objects_after_each_other(tmp_path, content, is_one):
    path = tmp_path / "a.json"
    path.write_bytes(content.encode())

    with open_files([path]) as files:
        assert is_json_table(files.all[0]) is is_one
