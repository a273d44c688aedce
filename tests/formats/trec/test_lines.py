"""Lines of a few columns: which file has them, and what is refused of them."""

import pytest

from formats.files import open_files
from formats.problems import Problems
from formats.trec import lines
from formats.trec.lines import (
    columns_of,
    first_lines,
    has_three_columns,
    is_called,
    is_finite_number,
    looks_like,
)


@pytest.fixture
def file_of(tmp_path):
    """A file of these bytes, as readers get it."""

    def write(data, name="results.txt"):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        with open_files([path]) as files:
            return files.all[0]

    return write


def test_line_that_the_first_bytes_cut_off_is_not_looked_at(file_of):
    # Of two bytes a letter, so that the first bytes have far fewer letters than bytes.
    run = "".join(f"q Q0 документ-{rank} {rank} {999 - rank}.5 система\n" for rank in range(1, 200))

    split = looks_like(file_of(run), 6)

    assert split[0] == ["q", "Q0", "документ-1", "1", "998.5", "система"]
    assert len(split) < 199


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_last_line_of_a_short_file_is_looked_at_whether_it_ends_or_not(file_of, end):
    assert first_lines(file_of(f"a b\r\n\n \nc d{end}")) == ["a b", "c d"]


def test_file_that_ends_with_the_first_bytes_is_looked_at_whole(file_of):
    line = b"x" * (lines.FIRST_BYTES - 4)

    assert first_lines(file_of(line + b"\nend")) == [line.decode(), "end"]
    assert first_lines(file_of(line + b"\nends")) == [line.decode()]


def test_first_bytes_without_an_end_of_a_line_have_no_line(file_of):
    assert looks_like(file_of("a b c d " * 1000), 8000) == []


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\x0b", "\x0c", "\x1e"])
def test_only_the_ends_of_lines_that_files_have_divide_them(file_of, mark):
    assert first_lines(file_of(f"q1\tone{mark}two\nq2\tthree\n")) == [
        f"q1\tone{mark}two",
        "q2\tthree",
    ]


def test_one_line_of_other_columns_makes_it_another_file(file_of):
    assert looks_like(file_of("a b\nc d\n"), 2) == [["a", "b"], ["c", "d"]]
    assert looks_like(file_of("a b\nc d e\n"), 2) == []
    assert looks_like(file_of(""), 2) == []


def test_byte_order_mark_is_no_part_of_the_first_column(file_of):
    problems = Problems()
    file = file_of(b"\xef\xbb\xbfq 0 d 1\n")

    assert looks_like(file, 4) == [["q", "0", "d", "1"]]
    assert list(columns_of(file, problems)) == [(1, ["q", "0", "d", "1"])]
    assert problems.total == 0


def test_lines_are_counted_with_the_empty_ones(file_of):
    assert list(columns_of(file_of("a b\n\n \nc\td\n"), Problems())) == [
        (1, ["a", "b"]),
        (4, ["c", "d"]),
    ]


def test_lines_before_one_that_cannot_be_read_are_given(file_of):
    problems = Problems()

    assert list(columns_of(file_of(b"a b\n\xff\nc d\n"), problems)) == [(1, ["a", "b"])]
    assert [str(problem) for problem in problems.first] == [
        "results.txt, line 2, byte 1: byte 0xff is not UTF-8. Save the file as UTF-8."
    ]


def test_line_of_as_many_bytes_as_are_read_is_read(file_of):
    problems = Problems()
    longest = "d" * (lines.MAX_LINE_BYTES - 1) + "\n"

    assert len(list(columns_of(file_of(longest), problems))) == 1
    assert list(columns_of(file_of("d" + longest), problems)) == []
    assert [str(problem) for problem in problems.first] == [
        "results.txt, line 1: a line of more than 4,096 bytes. A line is a few columns: is this "
        "the right file?"
    ]


def test_file_is_given_up_where_its_lines_say_nothing_new(file_of, monkeypatch):
    monkeypatch.setattr(lines, "GIVE_UP_AFTER", 2)
    problems = Problems()
    taken = []

    for line, _ in columns_of(file_of("a\n" * 9), problems):
        problems.add("results.txt", f"line {line}", "wrong.")
        taken.append(line)

    assert taken == [1, 2]


@pytest.mark.parametrize(
    ("name", "is_run"),
    [
        ("bm25.run", True),
        ("BM25.RUN", True),
        ("run", True),
        ("run.bm25.txt", True),
        ("run-bm25", True),
        ("run_bm25.trec", True),
        ("run.bm25.csv", False),
        ("bm25.run.txt", False),
        ("rerun.txt", False),
        ("running.txt", False),
        ("runs.txt", False),
    ],
)
def test_a_name_says_run_at_its_end_or_at_the_beginning_of_that_of_a_text(file_of, name, is_run):
    assert is_called(file_of("q\td\t1\n", name), "run") is is_run


@pytest.mark.parametrize(
    ("line", "has_three"),
    [
        ("q d 1.5", True),
        ("q d -1", True),
        ("q d L2", True),
        ("q d high", False),
        # A number here is more likely the document of a line whose last columns are lacking.
        ("q 0 17", False),
        ("q Q0 17", False),
        ("q q0 17", False),
        ("q d 1 1", False),
        ("", False),
    ],
)
def test_three_columns_end_with_a_number_and_have_no_filler(file_of, line, has_three):
    # The first line decides, whatever follows.
    assert has_three_columns(file_of(f"{line}\na b c d e f\n" if line else "")) is has_three


@pytest.mark.parametrize("text", ["0", "-1", "+1", "1.5", ".5", "1.", "1e-3", "1E30"])
def test_numbers_that_every_program_reads(text):
    assert is_finite_number(text)


@pytest.mark.parametrize(
    "text", ["", "-", "high", "1,5", "nan", "-inf", "1e400", "1_0", "\u0663", "\u00b2", "0x1"]
)
def test_what_only_some_programs_or_none_read_is_no_number(text):
    assert not is_finite_number(text)
