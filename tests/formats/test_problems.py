"""How many problems there are, and how many of them are listed."""

import pytest

from formats.problems import BadInputError, Problem


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
