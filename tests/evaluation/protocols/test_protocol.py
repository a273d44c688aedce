"""A protocol as data: what it accepts, what it refuses, and its words."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.measures import parse, published
from evaluation.protocols import Protocol, Summary, Undefined, shipped
from evaluation.protocols.protocol import MOST_MEASURES, Missing


def test_shipped_protocols_are_offered_in_their_order():
    assert list(shipped()) == [
        "trec",
        "csfcube",
        "csfcube-topics",
        "doris-mae",
        "birco",
        "litsearch",
    ]


@pytest.mark.parametrize("key", shipped())
def test_protocol_is_read_as_it_was_written(key):
    protocol = shipped()[key]

    assert Protocol.read(json.loads(json.dumps(protocol.data))) == protocol


def test_everything_that_is_said_is_kept():
    data = {
        "key": "k",
        "name": "N",
        "measures": ["P@1"],
        "least": 2,
        "undefined": "left out",
        "missing": "lowest",
        "summary": "mean of folds",
        "query_paper_counts": False,
        "errors": True,
        "left_out": ["d"],
    }

    protocol = Protocol.read(data)

    assert protocol == Protocol(
        "k", "N", ("P@1",), 2.0, Undefined.LEFT_OUT, Missing.LOWEST, Summary.FOLDS, False, True,
        ("d",),
    )  # fmt: skip
    assert protocol.data == data


def test_what_is_not_said_is_as_trec_has_it():
    protocol = Protocol.read({"key": "k", "name": "N", "measures": ["P@1"]})

    assert protocol == Protocol("k", "N", ("P@1",))
    assert (protocol.undefined, protocol.missing) == (Undefined.ZERO, Missing.UNJUDGED)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"key": "k", "name": "N"}, "lacks 'measures'"),
        ({"measures": ["P@1"]}, "lacks a key or a name"),
        ({"key": "k", "name": "N", "measures": ["P@1"], "folds": 2}, "has no 'folds'"),
        ({"key": "k", "name": "N", "measures": []}, "has 0 measures; expected 1 to 40"),
        ({"key": "k", "name": "N", "measures": ["P@1"] * 41}, "has 41 measures"),
        ({"key": "k", "name": "N", "measures": ["nonsense"]}, "nonsense"),
        ({"key": "k", "name": "N", "measures": ["P@1"], "missing": "x"}, "'x'"),
        ({"key": "k", "name": "N", "measures": ["P@1"], "undefined": "x"}, "'x'"),
        ({"key": "k", "name": "N", "measures": ["P@1"], "summary": "x"}, "'x'"),
        ({"key": "k", "name": "N", "measures": ["P@1"], "least": "x"}, "'x'"),
    ],
)
def test_what_is_no_protocol_is_refused(data, sentence):
    with pytest.raises(ValueError, match=sentence):
        Protocol.read(data)


def test_as_many_measures_as_are_allowed_are_taken():
    assert len(Protocol("k", "N", ("P@1",) * MOST_MEASURES).measures) == MOST_MEASURES


def test_another_least_grade_reaches_measures_that_name_the_usual_one():
    protocol = Protocol("k", "N", ("P(rel=2)@5", "P(rel=3)@5", "nDCG@5"), least=2.0)

    stricter = protocol.relevant_from(3.0)

    assert [measure.name for measure in stricter.parsed] == ["P(rel=3)@5", "nDCG@5"]
    assert [measure.name for measure in protocol.parsed] == ["P(rel=2)@5", "P(rel=3)@5", "nDCG@5"]
    assert stricter.measure("RR").name == "RR(rel=3)"


@pytest.mark.parametrize(
    ("name", "name_from_3"),
    [
        ("RBP(rel=2,p=0.5)@10", "RBP(rel=3,p=0.5)@10"),
        ("RBP(p=0.5, rel=2.0)", "RBP(rel=3,p=0.5)"),
        ("P( rel = 2 )@5", "P(rel=3)@5"),
        ("SetP(rel=2)", "SetP(rel=3)"),
        ("RBP(rel=1,p=0.5)", "RBP(rel=1,p=0.5)"),
    ],
)
def test_usual_least_grade_is_found_however_a_measure_writes_it(name, name_from_3):
    protocol = Protocol("k", "N", (name,), least=2.0)

    assert [measure.name for measure in protocol.relevant_from(3.0).parsed] == [name_from_3]


def test_a_protocol_describes_itself_in_words():
    plain = Protocol("k", "N", ("P@1",), least=1.5)
    varied = replace(plain, errors=True, left_out=("d1", "d2"), query_paper_counts=False)

    assert dict(plain.in_words) == {
        "Protocol": "N (mean over topics)",
        "Relevant": "grade 1.5 or more, where a measure names no other",
        "No value on a topic": "counts as 0",
        "No value from the source": "unjudged, so not relevant",
        "A run without a topic": "counts as 0 there",
    }
    assert [row for row in varied.in_words if row not in plain.in_words] == [
        ("Standard errors", "after \u00b1: the standard deviation of 1,000 bootstrap means over "
         "topics"),
        ("Left out", "documents d1, d2"),
        ("Left out", "the query paper itself"),
    ]  # fmt: skip


EVALUATION = (Path(__file__).parents[3] / "docs" / "evaluation.md").read_text(encoding="utf-8")


def test_the_documents_say_what_the_shipped_protocols_count():
    words = {"0": Undefined.ZERO, "left out": Undefined.LEFT_OUT}
    missing = {"unjudged": Missing.UNJUDGED, "lowest grade": Missing.LOWEST}
    row = re.compile(r"^\| `([\w-]+)` \| (\d) \| .+ \| (.+) \| (.+) \|$", re.MULTILINE)

    assert {
        key: (float(least), words[value], missing[seat])
        for key, least, value, seat in row.findall(EVALUATION)
    } == {
        protocol.key: (protocol.least, protocol.undefined, protocol.missing)
        for protocol in shipped().values()
    }


def test_the_documents_name_every_published_measure_and_only_measures():
    table = EVALUATION.partition("## Measures")[2].partition("## Protocols")[0]
    first_cells = "".join(re.findall(r"^\| (`.+?`) \|", table, re.MULTILINE))
    named = {name.replace("@k", "@10") for name in re.findall(r"`([^`]+)`", first_cells)}

    assert {name for name in named if not parse(name)} == set()
    assert set(published(2)) <= named
