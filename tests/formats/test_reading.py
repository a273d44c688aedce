"""What a reader guesses of files, and what people match instead."""

import pytest

from formats.files import Files, open_files
from formats.reading import (
    Column,
    Options,
    Part,
    Recognition,
    left_alone,
    parts_in_order,
)


def part(file, key, *columns, **guess):
    return Part(file, key, key.title(), tuple(map(Column, columns)), guess)


RATINGS = part("ratings.csv", "ratings", "qid", "rel", query="qid", grade="rel")
POOL = part("pool.csv", "pool", "qid", "doc", query="qid")


def recognition(*parts, **more):
    return Recognition("tables", 2, "Tables.", parts, **more)


def test_guesses_are_a_mapping_that_can_be_kept():
    mapping = recognition(RATINGS, POOL, along=("users.json",)).mapping()

    assert mapping == {
        "files": {
            "ratings.csv": {"part": "ratings", "columns": {"query": "qid", "grade": "rel"}},
            "pool.csv": {"part": "pool", "columns": {"query": "qid"}},
        },
        "along": ["users.json"],
        "facets": {},
    }
    # Changing it changes no guess.
    mapping["files"]["ratings.csv"]["columns"]["grade"] = "other"
    assert RATINGS.guess["grade"] == "rel"


def test_a_kept_mapping_is_offered_to_files_with_the_same_columns_in_any_order():
    key = recognition(RATINGS, POOL).columns_key

    assert recognition(POOL, RATINGS).columns_key == key
    assert recognition(part("other.csv", "pool", "rel", "qid"), POOL).columns_key == key
    assert recognition(RATINGS).columns_key != key
    assert recognition(RATINGS, part("pool.csv", "pool", "qid")).columns_key != key


def test_files_are_said_to_be_what_they_were_matched_as():
    guess = recognition(RATINGS, POOL, say=lambda parts: f"Tables: {', '.join(sorted(parts))}.")
    matched = {"files": {"pool.csv": {"part": "queries"}}}

    assert guess.sentence_of(matched) == "Tables: queries, ratings."
    assert guess.sentence_of({"files": {}}) == "Tables: pool, ratings."
    assert recognition(RATINGS).sentence_of(matched) == "Tables."


@pytest.mark.parametrize(
    ("mapping", "read_as"),
    [
        ({}, "guessed"),
        ({"files": None}, "guessed"),
        ({"files": {"b.csv": {"part": "pool"}}}, "guessed"),
        ({"files": {"a.csv": {"part": "pool"}}}, "pool"),
        ({"files": {"a.csv": {"part": ""}}}, ""),
        ({"files": {"a.csv": {}}}, ""),
    ],
)
def test_a_file_is_read_as_it_was_matched_else_as_it_was_guessed(mapping, read_as):
    assert Options(mapping=mapping).part_of("a.csv", "guessed") == read_as


@pytest.fixture
def files(tmp_path):
    for name in ("a.csv", "b.csv", "c.csv", "LICENSE"):
        (tmp_path / name).write_text("id\n")
    with open_files([tmp_path]) as opened:
        yield opened


def test_parts_are_read_in_the_order_of_the_format_and_files_in_that_of_their_names(files):
    guess = recognition(part("a.csv", "pool"), part("b.csv", "queries"), part("c.csv", "pool"))
    options = Options(mapping={"files": {"c.csv": {"part": "queries"}}})

    def order(options, guess):
        parts = parts_in_order(files, options, guess, ["queries", "pool"])
        return [(file.name, key) for file, key in parts]

    assert order(Options(), guess) == [("b.csv", "queries"), ("a.csv", "pool"), ("c.csv", "pool")]
    assert order(options, guess) == [("b.csv", "queries"), ("c.csv", "queries"), ("a.csv", "pool")]
    assert order(options, None) == [("c.csv", "queries")]
    assert list(parts_in_order(files, Options(), guess, ["ratings"])) == []


@pytest.mark.parametrize(
    ("mapping", "names"),
    [
        ({}, ["a.csv", "b.csv", "c.csv"]),
        ({"files": {"a.csv": {"part": ""}}}, ["b.csv", "c.csv"]),
        ({"files": {"a.csv": {}}, "along": ["b.csv"]}, ["c.csv"]),
        # A sheet of a workbook.
        ({"files": {"b.csv \u203a Ratings": {}}}, ["a.csv", "c.csv"]),
    ],
)
def test_files_that_no_mapping_names_are_left_alone(files, mapping, names):
    assert left_alone(files, mapping) == names


def test_no_files_have_nothing_to_leave_alone():
    assert left_alone(Files(()), {}) == []
