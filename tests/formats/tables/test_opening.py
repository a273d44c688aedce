"""Texts as other programs write them: what a sensible reader can take is taken."""

import json
from itertools import zip_longest

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.files import open_files
from formats.spreadsheets import csv_text, escaped
from formats.strict import BadTextError
from formats.tables.kinds import SEEN_BYTES, is_json_table, is_table
from formats.tables.opening import open_tables, stem_of
from formats.text_lines import text_lines


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


@pytest.fixture
def file_of(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with open_files([path]) as files:
            return files.all[0]

    return write


@pytest.mark.parametrize(
    ("name", "first", "delimiter"),
    [
        ("a.csv", "a,b", ","),
        ("a.csv", "a;b", ";"),
        ("a.csv", "a\tb", "\t"),
        ("a.csv", "a", ","),
        # The most frequent one outside of quotes; of two alike the comma.
        ("a.csv", "a;b;c,d", ";"),
        ("a.csv", "a;b,c", ","),
        ("a.csv", 'a;"b,c,d"', ";"),
        ("a.csv", "a;b\tc", ";"),
        ("a.csv", "sep=;\na,b", ";"),
        ("a.csv", "SEP=\t\r\na,b", "\t"),
        ("a.csv", "\n\n a;b", ";"),
        ("a.tsv", "a,b;c", "\t"),
        ("a.tab", "a,b", "\t"),
    ],
)
def test_cells_are_divided_by_the_sign_that_the_first_line_has(file_of, name, first, delimiter):
    [table] = open_tables(file_of(name, f"{first}\n"))

    assert table.delimiter == delimiter


@pytest.mark.parametrize(
    ("data", "place", "message", "remedy"),
    [
        (b"a,b\n1,2,3\n", "line 2", "3 cells; expected 2.", "that contains \u201c,\u201d"),
        (b"a\tb\n1\n", "line 2", "1 cells; expected 2.", "contains \u201ca tab\u201d or a quot"),
        (b'a,b\n"1,2\n3,4\n', "line 2", "broken CSV: unexpected end of data.", "every quoted cell"),
        (b'a,b\n1,2\n"1"x,2\n', "line 3", "broken CSV: ',' expected after '\"'.", "are doubled"),
        (b'a,b\n"x\ny",2\n3\n', "line 4", "1 cells; expected 2.", "in quotation marks"),
        (b"a,b\n1,\xff\n", "line 2, byte 3", "byte 0xff is not UTF-8.", "Save the file as UTF-8."),
        (b"\xef\xbb\xbfa,b\n1,\x00\n", "line 2, character 3", "a NUL character", "Remove it."),
        (b"", "", "the file is empty.", "The first line names the columns."),
        (b" , \n\n", "", "the file is empty.", "The first line names the columns."),
        (b"a,b,a\n", "line 1", "two columns are called 'a'.", "Give one of them another name."),
        (b"\na,A b,A  b\n", "line 2", "two columns are called 'A b'.", "Give one of them another"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_lines_is_told_with_its_place(file_of, data, place, message, remedy):
    with pytest.raises(BadTextError) as caught:
        list(open_tables(file_of("a.csv", data))[0].rows())

    assert caught.value.place == place
    assert caught.value.message.startswith(message)
    assert remedy in caught.value.remedy


def test_a_line_of_as_many_bytes_as_are_read_is_read(file_of, monkeypatch):
    monkeypatch.setattr("formats.text_lines.MAX_LINE_BYTES", 10)

    assert [text for _, text in text_lines(file_of("a.csv", b"123456789\n1\n"))] == [
        "123456789\n", "1\n",
    ]  # fmt: skip
    with pytest.raises(BadTextError, match="a line of more than 10 bytes") as caught:
        list(text_lines(file_of("a.csv", b"1\n1234567890\n")))
    assert caught.value.place == "line 2"
    assert caught.value.remedy == "Divide it, or leave the long cell out."


def test_lines_are_counted_and_keep_their_ends(file_of):
    file = file_of("a.csv", "\ufeffa\r\n\n\u2028b\x0bc\nd")

    assert list(text_lines(file)) == [(1, "a\r\n"), (2, "\n"), (3, "\u2028b\x0bc\n"), (4, "d")]
    assert list(text_lines(file_of("b.csv", ""))) == []


def test_cells_that_were_written_here_lose_the_quotes_before_formulas(rows):
    text = "topic,document,origin,note\nt,'=d,adjudicated,'-so\n"

    [(_, ours)] = rows("a.csv", text)
    [(_, others)] = rows("b.csv", text.replace("origin", "colour"))

    assert (ours["document"], ours["note"]) == ("=d", "-so")
    assert (others["document"], others["note"]) == ("'=d", "'-so")


@pytest.mark.parametrize(
    ("name", "content", "place", "message"),
    [
        ("a.jsonl", '{"a": 1}\n[1]\n', "line 2", "this is a list; expected an object."),
        ("a.jsonl", '{"a": 1}\n\n{"a"\n', "line 4, column 1", "broken JSON"),
        ("a.jsonl", '{"a": "\\ud800"}', "line 1", "half a character"),
        ("a.json", '[{"a": 1}, 7]', "entry 2", "this is a number; expected an object."),
        ("a.json", '[{"a": 1}, {"a" 1}]', "byte 16", "broken JSON"),
        ("a.json", '[{"a": 1}', "byte 9", "broken JSON: the file ends too early."),
        ("a.json", '[{"a": 1}] []', "byte 11", "broken JSON: Something follows the end."),
    ],
)
def test_what_is_wrong_with_json_is_told_with_its_place(file_of, name, content, place, message):
    with pytest.raises(BadTextError) as caught:
        list(open_tables(file_of(name, content))[0].rows())

    assert caught.value.place == place
    assert caught.value.message.startswith(message)


def test_columns_of_json_are_the_keys_of_the_first_lines(file_of, monkeypatch):
    monkeypatch.setattr("formats.tables.json_rows.LINES_FOR_COLUMNS", 2)
    content = "\n".join(map(json.dumps, [{"b": 1}, {"a": 1, "b": 2}, {"c": 3}]))

    [table] = open_tables(file_of("a.jsonl", content))

    assert table.columns == ["b", "a"]
    assert [row.cells for row in table.rows()][2] == {"c": 3}


def test_a_file_is_opened_once_for_all_readers(file_of):
    file = file_of("a.csv", "a\n1\n")

    assert open_tables(file) is open_tables(file)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Ratings.CSV", "ratings"),
        ("study.zip \u203a set/Ratings.final.csv", "ratings.final"),
        ("book.xlsx \u203a My Sheet", "my sheet"),
        ("README", "readme"),
    ],
)
def test_a_table_is_called_by_the_last_part_of_its_name(name, stem):
    assert stem_of(name) == stem


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)
TABLES = st.lists(st.tuples(st.text("ab=-'", min_size=1, max_size=4), TEXTS, TEXTS), max_size=4)


@given(content=TABLES, line_end=st.sampled_from(["\n", "\r\n"]), mark=st.booleans())
def test_any_table_that_is_written_is_read_as_it_was(tmp_path_factory, content, line_end, mark):
    text = csv_text([["a", "b", "c"], *content], line_end=line_end)
    path = tmp_path_factory.mktemp("table") / "a.csv"
    path.write_bytes(text.encode("utf-8-sig" if mark else "utf-8"))

    with open_files([path]) as files:
        read = [tuple(row.cells.values()) for row in open_tables(files.all[0])[0].rows()]

    assert read == content


@given(content=TABLES)
def test_texts_that_were_kept_from_being_formulas_are_read_as_they_were(tmp_path_factory, content):
    # The names of the columns say who wrote the file.
    rows = [map(escaped, row) for row in content]
    path = tmp_path_factory.mktemp("table") / "a.csv"
    path.write_text(csv_text([["topic", "document", "origin"], *rows]), newline="")

    with open_files([path]) as files:
        read = [tuple(row.cells.values()) for row in open_tables(files.all[0])[0].rows()]

    assert read == content
