"""Which tables take part in a study, as they were matched or guessed, and why others do not."""

import io

import openpyxl
import pytest

from formats.files import open_files
from formats.problems import Problems
from formats.records import Place
from formats.tables.matching import (
    FIRST_VALUES,
    SHOWN_LENGTH,
    first_columns,
    mapped_tables,
    other_columns,
    parts_seen,
)
from formats.tables.opening import open_tables
from formats.tables.rows import Row

RATINGS = "query,document,rater,grade\nq,d,ann,1\n"


@pytest.fixture
def folder(tmp_path):
    def write(**files):
        for name, text in files.items():
            (tmp_path / name.replace("_", ".")).write_text(text)
        return tmp_path

    return write


def mapped(folder, mapping=None):
    """The parts that take part, by file, and the problems."""
    problems = Problems()
    with open_files([folder]) as files:
        tables = mapped_tables(files, mapping or {}, problems)
        parts = [(table.file, table.part, dict(table.columns)) for table in tables]
        return parts, [str(problem) for problem in problems.first]


def choice(part="ratings", file="a.csv", **columns):
    return {"files": {file: {"part": part, "columns": columns}}}


def workbook(rows):
    """The bytes of a workbook with one sheet."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


MATCHED = {"query": "query", "document": "document", "rater": "rater", "grade": "grade"}


def test_a_table_is_taken_as_it_is_guessed(folder):
    assert mapped(folder(a_csv=RATINGS)) == ([("a.csv", "ratings", MATCHED)], [])


def test_a_table_is_taken_as_it_was_matched(folder):
    other = choice("judgments", query="query", document="document", grade="grade", note="")

    [(_, part, columns)], problems = mapped(folder(a_csv=RATINGS), other)

    assert (part, problems) == ("judgments", [])
    assert columns == {"query": "query", "document": "document", "grade": "grade"}


def test_what_a_mapping_says_beside_part_and_columns_is_kept(folder):
    mapping = choice("ratings", **MATCHED)
    mapping["files"]["a.csv"] |= {"name": "NIST", "level": "query"}

    with open_files([folder(a_csv=RATINGS)]) as files:
        [table] = mapped_tables(files, mapping, Problems())

    assert table.settings == {"name": "NIST", "level": "query"}


def test_columns_of_fields_that_the_part_does_not_have_are_left_out(folder):
    [(_, _, columns)], problems = mapped(
        folder(a_csv=RATINGS), choice(**MATCHED, sentences="grade")
    )  # fmt: skip

    assert (columns, problems) == (MATCHED, [])


def test_a_file_that_is_to_be_left_alone_is_no_problem(folder):
    assert mapped(folder(a_csv="foo,bar\n1,2\n"), choice("")) == ([], [])


@pytest.mark.parametrize(
    ("mapping", "problem"),
    [
        (choice("rating", **MATCHED), "a.csv: there is no part 'rating'. One of documents, queries,"
         " aspects, pool, ratings, pairs, decisions, judgments."),
        (choice(**MATCHED | {"grade": "rel"}), "a.csv: there is no column 'rel'. Match the columns "
         "again."),
        (choice(query="query", document="document", grades=["rater", "ben"]), "a.csv: there is no "
         "column 'ben'. Match the columns again."),
        (choice(query="query", rater="rater", grade="grade"), "a.csv: no column is matched with "
         "Document. Match one under Columns."),
        (choice(document="document", rater="rater", grade="grade"), "a.csv: no column is matched "
         "with Query or Topic. Match one under Columns."),
        (choice("?"), "a.csv: its columns fit no part of a study: 'query', 'document', 'rater', "
         "'grade'. Choose its part and match its columns, or leave it out."),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_with_the_file(folder, mapping, problem):
    parts, [told] = mapped(folder(a_csv=RATINGS), mapping)

    assert parts == []
    assert told.startswith(problem)


def test_everything_that_is_not_matched_is_told_at_once(folder):
    _, problems = mapped(folder(a_csv=RATINGS), choice(query="query"))

    assert problems == [
        f"a.csv: no column is matched with {fields}. Match one under Columns."
        for fields in ("Document", "Rater or Grades by rater", "Grade or Grades by rater")
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id,document,title,sentences,metadata\n", "a.csv: this is the API's list of documents, "
         "whose ids are the program's own. Take the export BEIR instead"),
        ("text,_input_hash,_task_hash\n", "a.csv: this is an export of Prodigy, which is"),
        ("query,doc_a,doc_b,winner\n", "a.csv: a row names two documents: 'doc_a', 'doc_b'. A "
         "rating here is of one document for one query"),
        (",".join(f"c{n}" for n in range(9)), "a.csv: its columns fit no part of a study: 'c0', "
         "'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'. Choose"),
    ],
)  # fmt: skip
def test_why_a_table_fits_no_part_is_told(folder, text, problem):
    parts, [told] = mapped(folder(a_csv=text))

    assert parts == []
    assert told.startswith(problem)


@pytest.mark.parametrize(
    ("name", "data", "question"),
    [
        ("a.csv", b"foo|bar\n1|2\n", " Is the first row the names of the columns, and are the "
         "cells divided by commas, semicolons or tabs?"),
        ("a.xlsx", workbook([["foo", "bar"], [1, 2]]), " Is the first row the names of the "
         "columns?"),
        ("a.jsonl", b'{"foo": 1, "bar": 2}\n', ""),
    ],
)  # fmt: skip
def test_what_may_be_wrong_with_a_table_fits_its_kind_of_file(tmp_path, name, data, question):
    (tmp_path / name).write_bytes(data)

    _, [problem] = mapped(tmp_path)

    assert problem.endswith(f"match its columns, or leave it out.{question}")


def test_a_table_without_a_row_of_json_is_called_so(folder):
    assert mapped(folder(a_jsonl="")) == ([], ["a.jsonl: there is no row in it. Leave it out."])


def test_a_table_that_cannot_be_read_is_seen_and_told(folder):
    place = folder(a_csv="id,id\n1,2\n", b_csv=RATINGS)

    with open_files([place]) as files:
        assert [(part.file, part.key, part.label) for part in parts_seen(files)] == [
            ("a.csv", "?", "Cannot be read"), ("b.csv", "ratings", "Ratings"),
        ]  # fmt: skip
    assert mapped(place)[1] == [
        "a.csv, line 1: it cannot be read as a table: two columns are called 'id'. Give one of "
        "them another name."
    ]


def test_runs_and_qrels_are_seen_beside_tables_alone(folder):
    place = folder(a_run="q Q0 d 1 2.5 x\n", b_txt="Some words.\n")
    with open_files([place]) as files:
        assert parts_seen(files) == []

    with open_files([folder(c_csv=RATINGS)]) as files:
        assert [(part.file, part.key) for part in parts_seen(files)] == [
            ("c.csv", "ratings"), ("a.run", "run"),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "is_seen"),
    [
        ("query,document,rater,grade\nq,d,ann,1\n", True),
        ("query\nq\n", False),
        ("a,b\n1,2\n", False),
    ],
)
def test_a_text_is_a_table_where_several_of_its_columns_are_those_of_a_part(
    folder, text, is_seen
):  # fmt: skip
    with open_files([folder(a_txt=text, b_csv=RATINGS)]) as files:
        assert ("a.txt" in [part.file for part in parts_seen(files)]) is is_seen


def test_columns_are_shown_with_their_first_values_cut_to_a_line():
    class Given:
        name, columns = "a.jsonl", ["a", "b"]

        @staticmethod
        def rows():
            for number in range(30):
                yield Row(number, {"a": "" if number < 18 else f"{number}", "b": None})
                yield Row(number, {"a": "x" * 100, "c": {"é": [1.5]}})

        @staticmethod
        def place(line):
            return Place("a.jsonl", line)

    first, second, third = first_columns(Given)

    assert [column.name for column in (first, second, third)] == ["a", "b", "c"]
    assert first.first_values == ("x" * (SHOWN_LENGTH - 1) + "…",) * FIRST_VALUES
    assert second.first_values == ()
    assert third.first_values == ('{"é": [1.5]}',) * FIRST_VALUES


def test_columns_of_a_table_that_breaks_off_are_those_before(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3\n")

    with open_files([tmp_path]) as files:
        [table] = open_tables(files.all[0])
        assert [column.first_values for column in first_columns(table)] == [("1",), ("2",)]


def test_columns_that_no_field_takes_are_in_the_order_of_the_file():
    assert other_columns("dcba", {"id": "c", "grades": ["a", "e"]}) == ["d", "b"]
