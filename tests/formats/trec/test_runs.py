"""Runs are read whole or refused with the line that is wrong."""

import gzip

import pytest

from formats.files import open_files
from formats.problems import Problems
from formats.trec.qrels import looks_like_qrels, read_qrels
from formats.trec.runs import looks_like_run, read_run


@pytest.fixture
def reading(tmp_path):
    """Reads a run of these bytes: (run, its problems)."""

    def read(data, name="a.run"):
        (tmp_path / name).write_bytes(data)
        problems = Problems()
        with open_files([tmp_path / name]) as files:
            return read_run(files.all[0], problems), problems.first

    return read


def test_run_keeps_ids_as_they_are_written(reading):
    run, problems = reading(b"007 Q0 1e5 1 2.50 bm25\n007\tQ0  0012 2 1e-3 bm25\r\n")

    assert problems == []
    assert run.tag == "bm25"
    assert [line[:4] for line in run.lines] == [("007", "1e5", 1, 2.5), ("007", "0012", 2, 0.001)]


@pytest.mark.parametrize(
    ("line", "is_run"),
    [
        (b"q Q0 d 1 2.5 bm25\n", True),
        (b"q Q0 d 1 2.5 7\n", True),
        (b"q Q0 d first 2.5 bm25\n", False),
        (b"q Q0 d 1 high 7\n", False),
        (b"", False),
    ],
)
def test_run_is_known_by_the_numbers_in_its_fourth_and_fifth_columns(tmp_path, line, is_run):
    (tmp_path / "results.txt").write_bytes(line * 3)

    with open_files([tmp_path / "results.txt"]) as files:
        assert looks_like_run(files.all[0]) is is_run


def test_gzipped_run_is_recognised_by_its_first_bytes(reading):
    run, problems = reading(gzip.compress(b"1 Q0 d 1 2 x\n"), name="a.run")

    assert (problems, len(run.lines)) == ([], 1)


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        (b"1 Q0 d1 2 1 x", "line 2, column 3", "in line 1 already"),
        (b"1 Q0 d2 2 nan x", "line 2, column 5", "not a finite number"),
        (b"1 Q0 d2 2 -inf x", "line 2, column 5", "not a finite number"),
        (b"1 Q0 d2 2 1e999 x", "line 2, column 5", "not a finite number"),
        (b"1 Q0 d2 2 1_0 x", "line 2, column 5", "not a finite number"),
        (b"1 Q0 d2 2 \xd9\xa2 x", "line 2, column 5", "not a finite number"),
        (b"1 Q0 d2 2 0,5 x", "line 2, column 5", "no number"),
        (b"1 Q0 d2 two 1 x", "line 2, column 4", "not a whole number"),
        (b"1 Q0 d2 --2 1 x", "line 2, column 4", "not a whole number"),
        (b"1 Q0 d2 - 1 x", "line 2, column 4", "not a whole number"),
        (b"1 Q0 d2 2.0 1 x", "line 2, column 4", "not a whole number"),
        (b"1 Q0 d2 \xd9\xa2 1 x", "line 2, column 4", "not a whole number"),
        (b"1 Q0 d2 1234567890 1 x", "line 2, column 4", "not a whole number"),
        (b"1 Q0 d2 2 1 y", "line 2, column 6", "the tag 'y'; line 1 has 'x'"),
        (b"1 Q0 d2 2 1", "line 2", "5 columns"),
        (b"1 Q0 d2 2 1 x y", "line 2", "7 columns"),
        (b"1 Q0 d\xe2\x80\x8b2 2 1 x", "line 2, column 3", "invisible"),
        (b"1 Q0 d\xff 2 1 x", "line 2, byte 7", "not UTF-8"),
        (b"1 Q0 d\x00 2 1 x", "line 2, character 7", "NUL"),
        (b"1 Q0 " + b"d" * 5000 + b" 2 1 x", "line 2", "a line of more than"),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(reading, line, place, message):
    _, (problem,) = reading(b"1 Q0 d1 1 2 x\n" + line + b"\n")

    assert (problem.file, problem.place) == ("a.run", place)
    assert message in problem.message


@pytest.mark.parametrize(
    "lines",
    [b"q Q0 d 1 2.5 x\nq Q0 e two 2.5 x\n", b"q Q0 d 1 2.5 x\nq Q0 e 2 low x\n"],
)
def test_one_line_of_words_makes_it_no_run(tmp_path, lines):
    (tmp_path / "results.txt").write_bytes(lines)

    with open_files([tmp_path / "results.txt"]) as files:
        assert not looks_like_run(files.all[0])


def test_a_line_with_a_problem_is_not_ranked_and_the_others_are(reading):
    lines = [
        b"q Q0 a 1 2 x",
        b"q Q0 b two 1 x",
        b"q Q0 c 3 low x",
        b"q Q0 a 4 0 x",
        b"q Q0 e 5 0 x",
    ]

    run, problems = reading(b"\n".join(lines))

    assert [line.document for line in run.lines] == ["a", "e"]
    assert [problem.place for problem in problems] == [
        "line 2, column 4", "line 3, column 5", "line 4, column 3",
    ]  # fmt: skip


def test_an_identifier_that_stands_in_many_lines_is_told_once(reading):
    lines = [f"q\u200b Q0 d{rank} {rank} 1 x\n" for rank in range(3)]

    _, problems = reading("".join(lines).encode())

    assert [problem.place for problem in problems] == ["line 1, column 1"]


def test_negative_ranks_and_scores_are_kept(reading):
    run, problems = reading(b"q Q0 d -1 -2.5e-3 x\n")

    assert problems == []
    assert run.lines == [("q", "d", -1, -0.0025, 1)]


@pytest.mark.parametrize("data", [b"", b"\n\n"])
def test_empty_run_is_reported(reading, data):
    assert [problem.message for problem in reading(data)[1]] == ["the run is empty."]


def test_runs_of_csfcube_are_read(shared_data):
    with open_files([shared_data / "csfcube-half" / "runs"]) as files:
        runs = [file for file in files if looks_like_run(file)]
        problems = Problems()
        read = {run.tag: run for run in (read_run(file, problems) for file in runs)}

    assert problems.total == 0
    assert len(read) == 11
    assert {len({line.topic for line in run.lines}) for run in read.values()} == {25}


def test_qrels_keep_grades_as_they_are_written(tmp_path):
    (tmp_path / "qrels.txt").write_text("007 0 d1 -2\n007 0 d2 1.50\n")
    problems = Problems()

    with open_files([tmp_path / "qrels.txt"]) as files:
        (file,) = files
        assert looks_like_qrels(file)
        judgments = read_qrels(file, problems, name="NIST", level="topic")

    assert [judgment[:3] for judgment in judgments.judgments] == [
        ("007", "d1", "-2"),
        ("007", "d2", "1.50"),
    ]
    assert judgments.sha256 != ""
    assert problems.total == 0


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        ("007 0 d1 2", "line 2", "in line 1 already"),
        ("007 0 d2 high", "line 2, column 4", "no number"),
        ("007 0 d2 1_0", "line 2, column 4", "no number"),
        ("007 0 d2 \u0663", "line 2, column 4", "no number"),
        ("007 0 d2 1e400", "line 2, column 4", "no number"),
        ("007 0 d2", "line 2", "3 columns"),
    ],
)
def test_what_is_wrong_in_qrels_is_reported_with_its_line(tmp_path, line, place, message):
    (tmp_path / "qrels.txt").write_text(f"007 0 d1 1\n{line}\n", encoding="utf-8")
    problems = Problems()

    with open_files([tmp_path / "qrels.txt"]) as files:
        read_qrels(files.all[0], problems, name="NIST", level="topic")

    (problem,) = problems.first
    assert problem.place == place
    assert message in problem.message


def test_tag_that_is_too_long_is_reported_with_its_line(reading):
    _, problems = reading(b"1 Q0 d1 1 2 " + b"x" * 121 + b"\n")

    assert [problem.place for problem in problems] == ["line 1, column 6"]


def test_three_columns_are_a_query_a_document_and_a_score(reading):
    run, problems = reading(b"q d1 2.5\nq d2 2.5\nr d1 -1e-3\n", name="our bm25.run")

    assert problems == []
    assert [line[:4] for line in run.lines] == [
        ("q", "d1", 1, 2.5), ("q", "d2", 2, 2.5), ("r", "d1", 1, -0.001),
    ]  # fmt: skip
    assert run.tag == "our-bm25"
    assert run.remark == (
        "our bm25.run has three columns, read as query, document and score; the run is called "
        "our-bm25 after its file."
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"q d1 1\nq d2 2\n", "the third column rises within the query 'q', so that it may be a"),
        (b"q d1 2\nq Q0 d2 1 2 x\n", "6 columns; the first line has three."),
        (b"q Q0 7\n", "3 columns; a run has six."),
        (b"q d1 2\nq d1 1\n", "the document 'd1' stands for the topic 'q' in line 1 already."),
    ],
)
def test_three_columns_that_may_be_something_else_are_refused(reading, data, message):
    [problem] = reading(data)[1]

    assert problem.message.startswith(message)


@pytest.mark.parametrize(
    ("line", "is_known"), [("q\td1\t2\n", True), ("query-id\tcorpus-id\tscore\n", False)]
)
def test_qrels_called_a_table_are_qrels_where_no_line_names_columns(tmp_path, line, is_known):
    (tmp_path / "qrels.tsv").write_text(line)

    with open_files([tmp_path / "qrels.tsv"]) as files:
        assert looks_like_qrels(files.all[0]) is is_known


def test_qrels_of_three_columns_are_a_query_a_document_and_a_grade(tmp_path):
    (tmp_path / "our.qrels").write_text("q d1 2\nq d2 0\n")
    problems = Problems()

    with open_files([tmp_path / "our.qrels"]) as files:
        judgments = read_qrels(files.all[0], problems, name="our", level="topic")

    assert problems.first == []
    assert [judgment[:3] for judgment in judgments.judgments] == [
        ("q", "d1", "2"),
        ("q", "d2", "0"),
    ]
    assert judgments.remark == "our.qrels has three columns, read as query, document and grade."
