"""Two rankings side by side, each document with the other's rank of it."""

from types import SimpleNamespace

import pytest

from evaluation.runs.ranked import LISTED, TopicLine, _ranked_documents, _scale
from evaluation.sources.source import GOLD

GRADES = {"d1": 3.0, "d2": 1.333333, "d3": 0.0, "d4": None}


def rows_of(ranking, other=(), pairs=None):
    titles = {"d1": "First", "d2": "Second"}
    return _ranked_documents(ranking, other, GRADES, titles, pairs or {}, 3.0)


def test_document_has_its_own_rank_and_the_other_runs():
    rows = rows_of(["d2", "d1", "d3"], ["d1", "d4", "d2"])

    assert [(row.rank, row.document, row.other_rank) for row in rows] == [
        (1, "d2", 3),
        (2, "d1", 1),
        (3, "d3", None),
    ]


def test_grade_is_shown_to_two_decimals_and_0_is_one():
    rows = rows_of(["d1", "d2", "d3", "d4", "d5"])

    assert [row.grade for row in rows] == [3.0, 1.33, 0.0, None, None]
    assert [row.shade for row in rows] == ["h6", "h2", "h1", "h1", "h1"]


def test_paper_without_a_title_is_its_id_and_one_that_nobody_judged_leads_nowhere():
    rows = rows_of(["d1", "d3"], pairs={"d1": "public-id"})

    assert [(row.title, row.pair) for row in rows] == [("First", "public-id"), ("d3", "")]


def test_first_documents_alone_are_listed_and_ranks_of_the_other_are_of_all():
    ranking = [f"d{number}" for number in range(1, LISTED + 5)]

    rows = rows_of(ranking, ranking[::-1])

    assert len(rows) == LISTED == rows[-1].rank
    assert rows[0].other_rank == LISTED + 4


@pytest.mark.parametrize(
    ("mapping", "grades"),
    [(None, [0, 1, 2]), (SimpleNamespace(grades=[("", "no", "0"), ("", "yes", "1.5")]), [0, 1.5])],
)
def test_shades_are_by_the_grades_that_there_are(mapping, grades):
    judging = SimpleNamespace(ratings=SimpleNamespace(scale=SimpleNamespace(values=(0, 1, 2))))
    source = GOLD if mapping is None else SimpleNamespace(mapping=mapping)

    assert _scale(SimpleNamespace(source=source, judging=judging)) == grades


def test_difference_of_a_topic_is_the_first_less_the_second():
    assert TopicLine(None, 0.25, 0.5, 1, 2, False, False).difference == -0.25
