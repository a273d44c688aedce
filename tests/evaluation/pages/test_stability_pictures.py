"""Boards of systems side by side, and the chances of their ranks, over three systems by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evaluation.orders.stability import Orders, Reference
from evaluation.pages import stability_pictures
from evaluation.pages.stability_pictures import (
    bump,
    columns_of,
    lots,
    percent_of,
    shade_of,
    swaps,
)
from evaluation.protocols import Summary
from evaluation.results import Together
from evaluation.runs.disagreement import Compared
from evaluation.sources.source import GOLD, Kind, Source, seat

MACHINE = Source(Kind.MACHINE, "1", "machine run GPT-4o, Run 2")
ON_ONE_TOPIC = Together.of(Summary.MEAN, ["q1"])
# The values of three systems by the reference: a 3, b 2, c 1.
REFERENCE = Reference.of(("a", "b", "c"), np.array([[3.0], [2.0], [1.0]]), ON_ONE_TOPIC)


def compared(source, *values):
    """Another order, by the values of a, b and c."""
    orders = Orders(REFERENCE, np.array(values, dtype=float)[:, np.newaxis])
    return Compared("One source alone", source.in_words, orders, source=source)


def matter(*alone, by=GOLD):
    return SimpleNamespace(
        reference=REFERENCE, alone=list(alone), evaluation=SimpleNamespace(source=by)
    )


# --- boards --------------------------------------------------------------------------------------


def test_reference_stands_between_two_seats():
    columns = columns_of(
        matter(compared(seat(1), 3, 2, 1), compared(seat(2), 1, 2, 3), compared(seat(3), 1, 1, 1))
    )

    assert [(column.name, column.x) for column in columns] == [
        ("first seat", "3%"),
        ("Gold", "50%"),
        ("second seat", "97%"),
    ]


@pytest.mark.parametrize(
    ("others", "xs"),
    [([], ["50%"]), ([compared(seat(1), 3, 2, 1)], ["3%", "97%"])],
)
def test_boards_share_the_width_whatever_there_is(others, xs):
    assert [column.x for column in columns_of(matter(*others))] == xs


def test_only_gold_and_seats_stand_beside_the_reference():
    others = [compared(MACHINE, 1, 2, 3), compared(GOLD, 3, 2, 1)]

    columns = columns_of(matter(*others, by=seat(1)))

    assert [column.name for column in columns] == ["gold", "First seat"]
    assert columns[1].note == "the reference"


def test_name_of_a_reference_keeps_its_letters():
    [column] = columns_of(matter(by=MACHINE))

    assert column.name == "Machine run GPT-4o, Run 2"
    assert bump(matter(by=MACHINE), [column])["systems"][-1]["title"] == (
        "a: 1 by machine run GPT-4o, Run 2"
    )


@pytest.mark.parametrize(
    ("values", "places", "ranks", "note"),
    [
        ((3, 2, 1), [0, 1, 2], ["1", "2", "3"], "tau 1.00"),
        ((1, 2, 3), [2, 1, 0], ["3", "2", "1"], "tau \u22121.00"),
        # Equal systems share a rank, and stand in the order of the reference.
        ((2, 1, 2), [0, 2, 1], ["1=", "3", "1="], "tau 0.00"),
        ((1, 1, 1), [0, 1, 2], ["1=", "1=", "1="], "no tau"),
    ],
)
def test_board_has_its_own_ranks_and_how_alike_it_is(values, places, ranks, note):
    column = columns_of(matter(compared(seat(1), *values)))[0]

    assert (column.places, column.ranks, column.note) == (places, ranks, note)


def test_lines_go_from_board_to_board_with_the_first_two_on_top():
    boards = matter(compared(seat(1), 1, 3, 2))

    drawn = bump(boards, columns_of(boards))

    assert [(system["name"], system["css"]) for system in drawn["systems"]] == [
        ("c", ""),
        ("b", "is-b"),
        ("a", "is-a"),
    ]
    last = drawn["systems"][-1]
    # Third of the seat's order, first of gold's: 2.5 and 0.5 rows down.
    assert [point[:2] for point in last["points"]] == [("3%", 85), ("97%", 17)]
    assert last["segments"] == [tuple(last["points"])]
    assert last["title"] == "a: 3 by first seat, 1 by gold"
    assert drawn["left"] == [("b", "is-b"), ("c", ""), ("a", "is-a")]
    assert drawn["right"] == [("a", "is-a"), ("b", "is-b"), ("c", "")]


# --- ranks by lot --------------------------------------------------------------------------------


def test_share_of_draws_with_each_rank_and_none_where_there_are_none():
    draws = np.array([[3, 2, 1], [3, 2, 1], [2, 3, 1], [3, 2, 1]], dtype=float)

    rows = lots(matter(), Orders(REFERENCE, draws[..., np.newaxis]))

    assert [(name, [cell.words.text for cell in cells]) for name, cells in rows] == [
        ("1 a", ["75", "25", ""]),
        ("2 b", ["25", "75", ""]),
        ("3 c", ["", "", "100"]),
    ]
    assert [[cell.is_diagonal for cell in cells] for _, cells in rows] == np.eye(3).tolist()
    assert rows[0][1][2].heat == ""


@pytest.mark.parametrize(
    ("share", "percent"),
    [
        (0, "0"),
        (0.001, "<1"),
        (0.005, "1"),
        (0.125, "13"),
        (0.994, "99"),
        (0.996, ">99"),
        (1, "100"),
    ],
)
def test_what_is_not_all_or_nothing_is_never_printed_so(share, percent):
    assert percent_of(share) == percent


def test_equal_percents_have_one_shade_and_the_least_has_one_too():
    assert shade_of(0.1451) == shade_of(0.1449 + 0.0004)
    assert shade_of(0.0001) == "h1"
    assert shade_of(0.595) == shade_of(0.6) == "h5"
    assert (shade_of(0.146), shade_of(0.1549)) == ("h2", "h2")  # both are 15


# --- differences that turn -----------------------------------------------------------------------

# On eight topics 1 apart, so that every difference is significant.
APART = Reference.of(
    ("a", "b", "c"),
    np.repeat([[0.3], [0.2], [0.1]], 8, axis=1),
    Together.of(Summary.MEAN, [f"q{number}" for number in range(8)]),
)


def page(**parameters):
    def address(route, **more):
        return f"{route}?{'&'.join(f'{name}={value}' for name, value in more.items())}"

    return SimpleNamespace(parameters=parameters, address=address)


def turned(reference=REFERENCE, draws=((3, 2, 1), (2, 3, 1), (3, 2, 1), (3, 2, 1)), **parameters):
    """Of every two systems, the first two in a quarter of the draws."""
    topics = reference.values.shape[-1]
    values = np.repeat(np.array(draws, dtype=float)[..., np.newaxis], topics, axis=-1)
    of = SimpleNamespace(reference=reference)
    return swaps(page(**parameters), of, Orders(reference, values), {"measure": "AP"})


def test_shares_of_reversals_stand_above_differences_in_points():
    rows = turned()["rows"]

    assert [name for name, _ in rows] == ["1 a", "2 b", "3 c"]
    assert [[cell.words.text for cell in cells] for _, cells in rows] == [
        ["", "25", "0"],
        ["100.0", "", "0"],
        ["200.0", "100.0", ""],
    ]
    assert [[cell.heat for cell in cells] for _, cells in rows] == [
        ["", "h2", "h0"],
        ["", "", "h0"],
        ["", "", ""],
    ]
    assert [cell.column for cell in rows[0][1]] == ["1 a", "2 b", "3 c"]


def test_share_of_reversals_leads_to_the_two_runs_and_says_whose_it_is():
    [(_, (_, cell, _)), *_] = turned()["rows"]

    assert cell.words.href == "evaluation:compare?a=a&b=b&measure=AP"
    assert cell.words.label == "a over b: reversed in 25% of draws"


def test_significant_differences_are_ringed_on_both_sides():
    ringed = [[cell.is_diagonal for cell in cells] for _, cells in turned(APART)["rows"]]

    assert ringed == (~np.eye(3, dtype=bool)).tolist()
    assert not any(cell.is_diagonal for _, cells in turned()["rows"] for cell in cells)


def test_of_many_systems_those_alone_are_shown_that_turn_unless_all_are_wanted(monkeypatch):
    monkeypatch.setattr(stability_pictures, "MOST_SYSTEMS", 2)

    cut, whole = turned(), turned(all="1")

    assert ([name for name, _ in cut["rows"]], cut["hidden"]) == (["1 a", "2 b"], 1)
    assert (len(whole["rows"]), whole["hidden"]) == (3, 0)
    assert cut["to_all"] == "evaluation:stability?all=1&measure=AP"
    # As many as may be shown are.
    monkeypatch.setattr(stability_pictures, "MOST_SYSTEMS", 3)
    assert turned()["hidden"] == 0
