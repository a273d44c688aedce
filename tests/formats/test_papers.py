"""Papers of a release outside memory."""

import pytest

from formats.papers import Paper, Papers
from formats.records import Place

PAPER = Paper(
    "7",
    "Über",
    [{"text": "A.", "label": "method"}, {"text": "日本。", "label": None}],
    {"year": 1999},
    [["paper_id", None], ["venue", '"here"']],
    "line 2",
)


def test_papers_come_back_as_they_were_kept_in_the_order_of_the_release():
    papers = Papers()
    other = Paper("007", "", [], {}, [])

    papers.keep(PAPER)
    papers.keep(other)

    assert list(papers.papers()) == [PAPER, other]
    # One may be read between two that are written.
    assert papers.paper("7") == PAPER
    papers.keep(Paper("8", "T", [], {}, []))
    assert papers.paper("8").title == "T"
    assert list(papers.offsets) == ["7", "007", "8"]
    with pytest.raises(KeyError):
        papers.paper("9")


def test_a_paper_is_a_document_that_knows_where_it_stood():
    document = PAPER.as_document("abstracts.jsonl")

    assert document[:5] == (
        "7", "Über", (("A.", "method"), ("日本。", None)), None, {"year": 1999},
    )  # fmt: skip
    assert document.place == Place("abstracts.jsonl", key="line 2")
    assert document.extra == {"record": PAPER.record}
