"""What an export is written from, and what it says is missing."""

from dataclasses import replace
from decimal import Decimal

import pytest

from releases.records import NO_GRADE, UNMAPPED, UNREAD, UNSCORED, JudgedPair, JudgedTopic, Study


def pair(document, state="agreed", origin="consensus", value=1, batch="b"):
    value = None if value is None else Decimal(value)
    return JudgedPair(document, batch, state, origin, value)


def missing(state, batch="b", is_handed_in=True):
    left = pair(f"{state}{batch}", state, origin="", value=None, batch=batch)
    return replace(left, is_handed_in=is_handed_in)


def study_of(*pairs, withheld_batches=0):
    topics = [JudgedTopic("t1", "", "q1", {}, list(pairs)), JudgedTopic("t2", "", "q1", {})]
    return Study(
        collection={},
        scheme={},
        topics=topics,
        pools={},
        extra={},
        import_summaries=[],
        withheld_batches=withheld_batches,
        batches=[],
        papers=lambda: iter(()),
        aspect_rows=lambda: None,
    )


def test_values_are_exact_thousandths_of_the_pairs_that_have_one():
    study = study_of(pair("d1", value="1.5"), pair("d2", origin="excluded", value=None))

    assert study.values == {"t1": {"d1": 1500}, "t2": {}}
    assert [judged.document for judged in study.topics[0].gold] == ["d1"]
    assert [judged.document for judged in study.pairs] == ["d1", "d2"]


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (missing("open", batch=""), "waiting for a batch"),
        (missing("open"), "not rated"),
        (missing("partial"), "partly rated"),
        (missing("agreed"), "not handed in"),
        (missing("disputed", is_handed_in=False), "not handed in"),
        (missing("disputed"), "not adjudicated"),
        (missing(UNSCORED), "without a score of the run"),
        (missing(UNREAD), "whose answer could not be read as a value"),
        (missing(UNMAPPED), "rated by options of one value and of different grades"),
    ],
)
def test_pair_without_a_value_is_counted_by_where_it_stands(left, words):
    study = study_of(pair("d1"), left, pair("d3", origin=NO_GRADE, value=None))

    assert study.missing == {words: 1}
    assert study.is_incomplete


def test_withheld_batches_are_missing_too():
    whole, withheld = study_of(pair("d1")), study_of(pair("d1"), withheld_batches=2)

    assert (whole.missing, whole.is_incomplete) == ({}, False)
    assert withheld.missing == {"in a batch in which you still rate": 2}
    assert withheld.is_incomplete
