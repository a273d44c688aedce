"""How many problems there are, and how many of them are listed."""

import pytest

from formats.problems import BadInputError, Problem, Problems
from formats.records import Place
from formats.strict import BadTextError


@pytest.mark.parametrize(
    ("listed", "total", "end"),
    [
        (2, 2, "There are 2 problems with the input. Nothing was stored."),
        (1, 2, "Listed: 1. The others are the same in further rows."),
        (150, 250, "Nothing was stored. The first 100 are listed."),
    ],
)
def test_the_number_of_problems_is_told_with_the_number_listed(listed, total, end):
    problems = [Problem("a.csv", f"line {line}", "wrong.") for line in range(listed)]

    assert BadInputError(problems, total).sentence.endswith(end)


@pytest.mark.parametrize(
    ("listed", "total", "sentence"),
    [
        (1, 1, "There is 1 problem with the input. Nothing was stored."),
        (100, 100, "There are 100 problems with the input. Nothing was stored."),
        (100, 1234, "There are 1,234 problems with the input. Nothing was stored. The first 100 "
         "are listed."),
        (99, 100, "There are 100 problems with the input. Nothing was stored. Listed: 99. The "
         "others are the same in further rows."),
    ],
)  # fmt: skip
def test_the_sentence_is_about_one_or_many(listed, total, sentence):
    problems = [Problem("a.csv", "", "wrong.") for _ in range(listed)]

    assert str(BadInputError(problems, total)) == sentence


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (Problem("a.csv", "line 2", "no id.", "Add one."), "a.csv, line 2: no id. Add one."),
        (Problem("a.csv", "", "no id."), "a.csv: no id."),
    ],
)
def test_a_problem_says_where_what_and_how_to_mend_it(problem, text):
    assert str(problem) == text


def test_a_problem_at_a_record_has_its_line_and_column_apart():
    problems = Problems()

    problems.at(Place("a.csv", 1204, "id"), "no id.", "Add one.", about="q_method")
    problems.add("a.csv", "line 2", "no id.")

    first, second = problems.first
    assert (first.place, first.line, first.column) == ("line 1,204, column id", 1204, "id")
    assert first.about == "q_method"
    assert (second.line, second.column, second.about) == (0, "", "")


def test_text_that_cannot_be_read_is_a_problem_of_its_file_and_nothing_else_is():
    problems = Problems()

    with problems.of("a.csv"):
        raise BadTextError("broken.", "Mend it.", "line 3")
    with pytest.raises(KeyError), problems.of("a.csv"):
        raise KeyError("of ours")

    assert [str(problem) for problem in problems.first] == ["a.csv, line 3: broken. Mend it."]


def test_thousands_of_problems_are_kept_and_all_are_counted(monkeypatch):
    monkeypatch.setattr("formats.problems.KEPT_PROBLEMS", 102)
    problems = Problems()

    for _ in range(101):
        problems.add("a.csv", "", "wrong.")
    problems.at(Place("a.csv"), "the last that is kept.")
    problems.at(Place("a.csv"), "not kept.")
    problems.add("a.csv", "", "not kept.")

    with pytest.raises(BadInputError) as caught:
        problems.raise_any()
    assert [problem.message for problem in caught.value.kept[-2:]] == [
        "wrong.", "the last that is kept.",
    ]  # fmt: skip
    assert (len(caught.value.kept), caught.value.total) == (102, 104)
    assert len(problems.first) == len(caught.value.problems) == 100


def test_without_problems_nothing_is_raised():
    Problems().raise_any()
