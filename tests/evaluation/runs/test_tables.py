"""The tables of the pages of runs: what each row says, in files as on the page."""

from types import SimpleNamespace

import numpy as np
import pytest

from agreement.tables.cells import printed_ends
from agreement.tables.writing import as_latex
from evaluation.orders.draws import Drawn
from evaluation.orders.stability import Orders
from evaluation.protocols import shipped
from evaluation.runs import tables
from evaluation.runs.comparison import Difference
from evaluation.runs.disagreement import Compared
from evaluation.runs.lab import LabRow
from evaluation.runs.ranked import TopicLine
from evaluation.runs.scores import Cell, People, Row, Scores
from evaluation.runs.tables import (
    by_source_sheet,
    by_topic_sheet,
    changes_sheet,
    lab_sheet,
    notes_of,
    pairs_sheet,
    ranks_sheet,
    scores_sheet,
)
from evaluation.runs.units import NotYet
from evaluation.sources.source import GOLD, Kind, Source
from tests.evaluation.runs.test_disagreement_in_words import APART, CLOSE

TREC = shipped()["trec"]
WORDS = SimpleNamespace(facet_name={"method": "Method"}.get)
SCHEME = SimpleNamespace(current=SimpleNamespace(words=WORDS))
SEAT = Source(Kind.SEAT, "1")


def evaluation(**more):
    usual = {"facet": "all", "fold": "all", "tag": "", "not_yet": [], "topics": ["q1", "q2"]}
    usual |= {"tested": ""}
    return SimpleNamespace(
        source=GOLD,
        protocol=TREC,
        collection=SimpleNamespace(scheme=SCHEME),
        count_in_words="{} topics".format,
        **usual | more,
    )


def compared(reference, *draws):
    """By values of the systems in each draw, alike on all topics."""
    topics = reference.values.shape[-1]
    values = np.repeat(np.array(draws, dtype=float)[..., np.newaxis], topics, axis=-1)
    return Compared("group", "name", Orders(reference, values))


def matter(reference, *draws, alone=()):
    drawn = compared(reference, *draws)
    return SimpleNamespace(
        evaluation=evaluation(),
        measure=TREC.parsed[0],
        reference=reference,
        by="gold",
        drawn=lambda _: drawn,
        alone=list(alone),
        everything=[drawn, *alone],
        draws=1_000,
        seed=7,
    )


def rows_of(table, *keys):
    return list(zip(*(table.cells(key) for key in keys), strict=True))


# --- notes ---------------------------------------------------------------------------------------


def test_notes_say_whose_values_count_on_how_many_topics_and_which_do_not_yet():
    late = NotYet("q3_method", "Title", "seat 2 is open")

    first, *rest = notes_of(evaluation(not_yet=[late]))

    assert first == "Values of gold; 2 topics."
    assert rest[-1] == "Not yet: q3_method (seat 2 is open)."
    assert f"{TREC.parsed[0].name}: {TREC.parsed[0].words}." in rest


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"facet": "method"}, "Values of gold; 2 topics, under Method."),
        ({"fold": "fold1"}, "Values of gold; 2 topics, fold fold1."),
        ({"tag": "length=long"}, "Values of gold; 2 topics, length: long."),
        (
            {"facet": "method", "fold": "fold1", "tag": "a=b"},
            "Values of gold; 2 topics, under Method, fold fold1, a: b.",
        ),
    ],
)
def test_notes_say_to_what_topics_are_narrowed(chosen, sentence):
    assert notes_of(evaluation(**chosen))[0] == sentence


# --- scores --------------------------------------------------------------------------------------


def test_runs_and_people_have_a_row_with_every_measure_in_points(monkeypatch):
    first, second = TREC.parsed[:2]
    run = (Cell(first, 0.5, 0.25, 0.75, 0.125, 1.0), Cell(second, None, *[None] * 4))
    person = (Cell(first, 0.25, *[None] * 4), Cell(second, 1.0, *[None] * 4))
    scores = Scores((first, second), first, (Row("BM25", "1", run, 0),), 2, None)
    people = People((Row("Seat 1", "", person, 0, "judged by seat 2"),))
    monkeypatch.setattr(tables, "scores_of", lambda *of: scores)
    monkeypatch.setattr(tables, "people_of", lambda *of: people)

    table = scores_sheet(evaluation(), second)

    of_first = [f"{first.name}{part}" for part in ("", " low", " high", " error", " judged")]
    assert rows_of(table, "run", "rank", *of_first) == [
        ("BM25", "1", 50, 25, 75, 12.5, 100),
        ("Seat 1", "", 25, None, None, None, None),
    ]
    assert table.cells(second.name) == [None, 100]
    assert table.notes[-1] == "Seat 1: judged by seat 2."
    # Papers have the value alone, with its interval behind it; the picture is of the one asked for.
    assert [table.columns[number].key for number in table.printed][2:] == [first.name, second.name]
    assert printed_ends(table, table.rows[0], table.columns[2]) == "25.00 to 75.00"
    assert table.picture.series[0].column == second.name
    assert (table.picture.low, table.picture.high) == (0, 100)


# --- two runs ------------------------------------------------------------------------------------


def comparison(**more):
    return SimpleNamespace(
        evaluation=evaluation(), measure=TREC.parsed[0], first="BM25", second="dense", **more
    )


def test_differences_by_source_are_in_points_with_their_p():
    by_sources = [
        Difference(GOLD, 0.05, 0.01, 0.09, 0.0004, 5, 1, 2),
        Difference(SEAT, -0.02, -0.05, 0.01, 0.25, 3, 0, 5),
    ]

    table = by_source_sheet(comparison(by_sources=by_sources))

    assert table.title == f"BM25 less dense, {TREC.parsed[0].name}"
    assert rows_of(table, "difference", "low", "high", "p") == [
        (5, 1, 9, 0.0004),
        (-2, -5, 1, 0.25),
    ]
    assert rows_of(table, "won", "tied", "lost") == [(5, 1, 2), (3, 0, 5)]

    of_folds = comparison(by_sources=by_sources)
    of_folds.evaluation.tested = "Of the plain mean."
    assert "Of the plain mean." in by_source_sheet(of_folds).notes


def test_no_p_is_printed_as_0():
    by_sources = [Difference(GOLD, 0.05, 0.01, 0.09, 0.0004, 5, 1, 2)]

    lines = as_latex(by_source_sheet(comparison(by_sources=by_sources)), label="tab:p")

    assert r" & 5.00 & \textless{}0.001 & 5 & 1 & 2 \\" in lines


def test_topics_stand_with_the_values_of_both_runs():
    unit = SimpleNamespace(id="q1_method", facet="method")
    lines = [TopicLine(unit, 0.5, 0.25, 3, 10, False, False)]

    table = by_topic_sheet(comparison(lines=lines))

    assert list(table.rows) == [("q1_method", "method", 3, 50, 25, 25)]
    assert [series.words for series in table.picture.series] == ["BM25", "dense"]
    assert (table.picture.low, table.picture.high) == (0, 100)


# --- orders --------------------------------------------------------------------------------------


def test_ranks_are_those_by_the_reference_by_each_seat_and_of_draws():
    seat = Compared("alone", "First seat", Orders(CLOSE, np.array([[1.0], [3], [2]])), source=SEAT)
    gold = Compared("alone", "Gold", Orders(CLOSE, CLOSE.values), source=GOLD)

    table = ranks_sheet(matter(CLOSE, (3, 2, 1), (2, 3, 1), alone=[seat, gold]), Drawn.TOPIC)

    assert rows_of(table, "run", "value", "rank", SEAT.address) == [
        ("a", 300, 1, 3),
        ("b", 200, 2, 1),
        ("c", 100, 3, 2),
    ]
    assert rows_of(table, "share_1", "share_2", "share_3") == [
        (50, 50, 0),
        (50, 50, 0),
        (0, 0, 100),
    ]
    assert [series.column for series in table.picture.series] == ["share_1", "share_2", "share_3"]
    # Gold is the reference, and no column of its own.
    assert [column.key for column in table.columns].count(GOLD.address) == 0
    assert "1,000 draws of one rater per topic, seed 7" in table.notes[-1]


def test_claims_are_the_significant_differences_alone():
    draws = (3, 2, 1), (2, 3, 1)

    pairs, claims = (
        pairs_sheet(matter(APART, *draws), Drawn.PAIR, significant=significant)
        for significant in (False, True)
    )
    none = pairs_sheet(matter(CLOSE, *draws), Drawn.PAIR, significant=True)

    assert pairs.rows == claims.rows
    assert rows_of(claims, "above", "below", "difference", "significant", "kept_share") == [
        ("a", "b", 100, 1, 0.5),
        ("a", "c", 200, 1, 1),
        ("b", "c", 100, 1, 1),
    ]
    assert {type(cell) for cell in claims.cells("significant")} == {int}
    assert (pairs.key, claims.key, none.rows) == ("pairs", "claims", [])
    assert "one rater per pair" in pairs.notes[-1]


def test_changes_have_a_row_for_every_order_with_ranges_where_there_are_draws():
    gold = Compared("alone", "Gold", Orders(CLOSE, CLOSE.values), source=GOLD)

    table = changes_sheet(matter(CLOSE, (3, 2, 1), (1, 2, 3), alone=[gold]))

    assert rows_of(table, "values_of", "group", "tau_b", "swaps") == [
        ("name", "group", 0, 1.5),
        ("Gold", "alone", 1, 0),
    ]
    [of_draws, of_gold] = rows_of(table, "swaps_low", "swaps_high")
    assert of_draws == pytest.approx((0.075, 2.925))
    assert of_gold == (None, None)
    # Correlations, held against that of an order with itself.
    assert (table.picture.low, table.picture.high, table.picture.line) == (-1, 1, 1)
    assert [table.columns[number].title for number in table.printed] == [
        *("Values of", "tau-b", "tau_AP", "RBO .9"),
        *("Swaps", "Kept", "Lost", "Reversed", "New"),
    ]
    swaps = table.columns[table.number_of("swaps")]
    assert printed_ends(table, table.rows[0], swaps) == "0.08 to 2.92"


# --- the pool lab --------------------------------------------------------------------------------


def test_lab_has_scores_in_points_and_none_where_there_is_none():
    counts = {"ranked": 20, "unjudged": 2, "relevant": 5, "alone": 3, "relevant_alone": 1}
    more = {"finds": (), "more_finds": 0}
    rows = [
        LabRow("BM25", **counts, value=0.5, rank="1", without=0.25, rank_without="2=", **more),
        LabRow("dense", **counts, value=None, rank="–", without=None, rank_without="–", **more),
    ]
    lab = SimpleNamespace(evaluation=evaluation(), measure=TREC.parsed[0], depth=10, rows=rows)

    table = lab_sheet(lab)

    assert list(table.rows) == [
        ("BM25", 20, 2, 5, 3, 1, 50, "1", 25, "2="),
        ("dense", 20, 2, 5, 3, 1, None, "–", None, "–"),
    ]
    assert table.title == "What each run found, first 10"
