"""The values with who gave each: the gap is that between raters, and one's own value beside it."""

from decimal import Decimal
from types import SimpleNamespace

from adjudication.value_line import value_line

VALUES = [Decimal(value) for value in range(4)]


def rater(letter, value):
    option = None if value is None else SimpleNamespace(value=Decimal(value))
    return SimpleNamespace(letter=letter, rating=SimpleNamespace(option=option))


def drawn(raters, chosen=None):
    return [
        ("".join(rater.letter for rater in mark.raters) + "You" * mark.is_own, mark.reach)
        for mark in value_line(VALUES, raters, chosen)
    ]


def test_the_gap_reaches_from_the_lowest_rating_to_the_highest():
    raters = [rater("A", 3), rater("B", 0), rater("C", 3)]

    assert drawn(raters) == [("B", "from"), ("", "gap"), ("", "gap"), ("AC", "to")]


def test_the_own_value_stands_beside_the_ratings_and_is_no_part_of_the_gap():
    raters = [rater("A", 1), rater("B", 2)]

    assert drawn(raters, chosen=Decimal(3)) == [("", ""), ("A", "from"), ("B", "to"), ("You", "")]
    assert drawn(raters, chosen=Decimal(1))[1] == ("AYou", "from")


def test_equal_ratings_have_no_gap_and_cannot_judge_stands_nowhere():
    assert drawn([rater("A", 2), rater("B", 2), rater("C", None)]) == [
        ("", ""),
        ("", ""),
        ("AB", ""),
        ("", ""),
    ]
    assert drawn([rater("A", None)]) == []
