"""Qrels: what tells them, and what is refused of a line."""

import pytest

from formats.files import open_files
from formats.problems import Problems
from formats.trec.qrels import looks_like_qrels, read_qrels


@pytest.fixture
def file_of(tmp_path):
    def write(text, name="judged.txt"):
        (tmp_path / name).write_bytes(text.encode())
        with open_files([tmp_path / name]) as files:
            return files.all[0]

    return write


@pytest.fixture
def qrels(file_of):
    """What is read of these lines: the literals, and the problems."""

    def read(text, name="judged.txt"):
        problems = Problems()
        judgments = read_qrels(
            file_of(text, name), problems, name="NIST", level="query", note="0 to 2"
        )
        assert (judgments.name, judgments.level, judgments.note) == ("NIST", "query", "0 to 2")
        literals = [judgment[:3] for judgment in judgments.judgments]
        return literals, [str(problem) for problem in problems.first]

    return read


@pytest.mark.parametrize(
    ("text", "name", "is_one"),
    [
        ("q 0 d 1\nq 0 e -1\n", "judged.txt", True),
        ("q 0 d 1\nq 0 e high\n", "judged.txt", False),
        ("q 0 d high\n", "judged.txt", False),
        ("q 0 d\n", "judged.txt", False),
        ("", "judged.txt", False),
        ("q 0 d high\n", "qrels.txt", True),
        ("", "nist.qrels", True),
    ],
)
def test_qrels_have_four_columns_with_a_number_in_all_lines_or_are_called_so(
    file_of, text, name, is_one
):
    assert looks_like_qrels(file_of(text, name)) is is_one


@pytest.mark.parametrize("grade", ["0", "-2", "1.50", "1e0", "+1", "007"])
def test_a_grade_is_kept_as_it_is_written(qrels, grade):
    assert qrels(f"q 0 d {grade}\n") == ([("q", "d", grade)], [])


def test_the_iteration_says_nothing(qrels):
    assert qrels("q 0 d 1\nq Q0 e 1\nq 17 f 1\n")[0] == [
        ("q", "d", "1"), ("q", "e", "1"), ("q", "f", "1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("q 0 e", "line 2: 3 columns; qrels have four. A line is topic iteration document grade."),
        ("q 0 e 1 x", "line 2: 5 columns; qrels have four."),
        ("q\u200b 0 e 1", "line 2: the identifier 'q\\u200b' has an invisible or control"),
        ("q 0 e\x07 1", "line 2: the identifier 'e\\x07' has an invisible or control character"),
        (f"q 0 {'e' * 201} 1", "line 2: an identifier of 201 characters; at most 200 fit."),
        ("q 0 e high", "line 2, column 4: the grade 'high' is no number. Correct the line."),
        ("q 0 e L1", "line 2, column 4: the grade 'L1' is no number. NTCIR's L1 is 1: take off the "
         "letter, in every line."),
        ("q 0 e Lx", "line 2, column 4: the grade 'Lx' is no number. Correct the line."),
        ("q 0 d 1", "line 2: the document 'd' is judged for 'q' in line 1 already. Keep one of the "
         "two."),
    ],
)  # fmt: skip
def test_a_line_that_is_wrong_is_told_and_the_others_are_read(qrels, line, problem):
    literals, [told] = qrels(f"q 0 d 1\n{line}\nr 0 d 2\n")

    assert told.startswith(f"judged.txt, {problem}")
    assert literals == [("q", "d", "1"), ("r", "d", "2")]


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_a_judgment_is_told(qrels, text):
    assert qrels(text) == (
        [],
        ["judged.txt: there is no judgment in the file. A line is topic iteration document grade."],
    )


def test_where_the_first_line_has_three_columns_all_have(qrels):
    literals, problems = qrels("q d L1\nq e 2\nq 0 f 1\n")

    assert literals == [("q", "e", "2")]
    assert [problem.partition(": ")[0] for problem in problems] == [
        "judged.txt, line 1, column 3", "judged.txt, line 3",
    ]  # fmt: skip
    assert "4 columns; the first line has three." in problems[1]
