"""The formats: pure functions over records."""

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from formats.papers import Paper
from releases.formats import Choices, ExportFile, UnfitError
from releases.formats.beir import beir_files
from releases.formats.birco import birco_files
from releases.formats.csfcube import annotations, csfcube_files
from releases.formats.tables import csv_files
from releases.formats.trec import qrels, trec_files
from releases.records import (
    Answer,
    Answered,
    Choice,
    JudgedPair,
    JudgedTopic,
    Person,
    SideText,
    Study,
    Verdict,
)

FIRST = Person("A-AAAAAA", "1", "4")
SECOND = Person("A-BBBBBB", "2", "3")
THIRD = Person("A-CCCCCC", "3", "1")


def answer(seat, value, annotator, note=""):
    choice = None if value is None else Choice(f"o{value}", Decimal(value))
    return Answer(seat, annotator, choice, "" if choice else "garbled", note, False, 1)


def pair(document, first, second, gold, *, raters=(FIRST, SECOND), verdicts=()):
    return JudgedPair(
        document=document,
        batch="q1_method",
        state="adjudicated",
        origin="" if gold is None else "adjudicated",
        value=None if gold is None else Decimal(gold),
        option="",
        overlap=2,
        answers=[answer(1, first, raters[0]), answer(2, second, raters[1])],
        verdicts=list(verdicts),
    )


def topic(*pairs, query="q1", facet="method"):
    return JudgedTopic(f"{query}_{facet}", facet, query, {}, list(pairs))


def study(*topics, **more):
    values = {
        "collection": {"slug": "s"},
        "scheme": {"facets": ["background", "method", "result"]},
        "topics": list(topics),
        "pools": {},
        "extra": {},
        "import_summaries": [],
        "withheld_batches": 0,
        "batches": [],
        "papers": lambda: iter([]),
        "aspect_rows": None,
    }
    return Study(**(values | more))


def paper_of(paper_id):
    sentences = [{"text": f"What {paper_id} does.", "label": "method_label"}]
    return Paper(paper_id, f"Title of {paper_id}", sentences, {}, [])


def text(file):
    return "".join(file.parts)


def test_qrels_are_sorted_as_text_with_one_line_per_pair_with_gold():
    second = topic(pair("b", 0, 1, "1.000"), pair("a", 3, 3, 3), pair("c", 1, 2, None), query="q2")
    first = topic(pair("10", 0, 0, 0), pair("9", 1, 1, 1), query="q10")

    assert qrels([second, first]) == (
        "q10_method 0 10 0\nq10_method 0 9 1\nq2_method 0 a 3\nq2_method 0 b 1\n"
    )


def test_trec_has_a_file_per_facet_in_use_and_one_of_all():
    files = trec_files(
        study(topic(pair("a", 1, 1, 1), facet="result"), topic(pair("a", 2, 2, 2))), Choices()
    )

    assert {file.name: text(file) for file in files} == {
        "qrels-method.txt": "q1_method 0 a 2\n",
        "qrels-result.txt": "q1_result 0 a 1\n",
        "qrels-all.txt": "q1_method 0 a 2\nq1_result 0 a 1\n",
    }


def test_the_parts_of_a_study_are_gone_through_once_for_all_rows_of_a_table():
    """A row of each of half a million ratings asked the thousands of seats for a program."""
    looks = []

    class Answered(list):
        def __iter__(self):
            looks.append(len(self))
            return super().__iter__()

    def looks_at(pairs):
        looks.clear()
        documents = [pair(str(number), 1, 1, 1) for number in range(pairs)]
        csv_files(study(topic(*documents), answered=Answered()), Choices())
        return len(looks)

    assert 0 < looks_at(50) == looks_at(1)


def test_decimals_are_refused_not_rounded():
    with pytest.raises(UnfitError, match=r"a has the grade 0\.5 in q1_method"):
        qrels([topic(pair("a", 0, 1, "0.5"))])


def test_qrels_are_read_by_ir_measures():
    import ir_measures

    lines = qrels([topic(pair("a", 0, 1, 1), pair("b", 2, 2, 2))])

    assert list(ir_measures.read_trec_qrels(lines)) == [
        ir_measures.Qrel("q1_method", "a", 1, "0"),
        ir_measures.Qrel("q1_method", "b", 2, "0"),
    ]


def test_ratings_of_a_topic_are_its_seats_in_order_with_minus_one_for_none():
    judged = annotations(topic(pair("b", None, 2, 1), pair("a", 0, 3, 3), pair("x", 1, 2, None)))

    assert judged.candidates == ["b", "a"]
    assert judged.ratings == {"1": [-1, 0], "2": [2, 3]}
    assert judged.adjudicated == [1, 3]


def test_a_seat_that_changed_hands_carries_both_numbers():
    judged = annotations(topic(pair("a", 0, 1, 1), pair("b", 2, 2, 2, raters=(THIRD, SECOND))))

    assert list(judged.ratings) == ["1+3", "2"]


def test_pairs_with_unequal_numbers_of_ratings_do_not_fit_csfcube():
    longer = pair("b", 1, 1, 1)
    longer.answers.append(answer(3, 1, THIRD))

    with pytest.raises(UnfitError, match="pairs with 2 and with 3 ratings"):
        annotations(topic(pair("a", 1, 1, 1), longer))


def test_tables_carry_pseudonyms_and_no_notes_unless_asked_for():
    verdict = Verdict(THIRD, Choice("o1", Decimal(1)), "", "granularity", "=why", True)
    judged = topic(pair("a", 0, 1, 1, verdicts=[verdict]))
    judged.pairs[0].answers[0] = answer(1, 0, FIRST, note="=note")

    plain = {file.name: text(file) for file in csv_files(study(judged), Choices())}
    noted = {file.name: text(file) for file in csv_files(study(judged), Choices(with_notes=True))}

    assert plain["ratings.csv"].splitlines()[1] == (
        "q1_method,method,q1,a,q1_method,2,1,A-AAAAAA,o0,0,,no,1"
    )
    assert plain["decisions.csv"].splitlines()[1] == (
        "q1_method,method,q1,a,A-CCCCCC,o1,1,,granularity,yes"
    )
    assert not any("note" in content or "=why" in content for content in plain.values())
    assert noted["ratings.csv"].splitlines()[1].endswith(",no,1,'=note")
    assert noted["decisions.csv"].splitlines()[1].endswith(",yes,'=why")


def test_texts_beside_documents_are_a_table_that_comes_in_again():
    judged = topic(pair("a", 1, 1, 1), pair("b", 1, 1, 1))
    judged.pairs[0] = replace(judged.pairs[0], side_text=SideText("Answer", "=It is."))

    files = {file.name: text(file) for file in csv_files(study(judged), Choices())}

    assert files["side-texts.csv"].splitlines() == [
        "topic,query,document,side_title,side_text",
        "q1_method,q1,a,Answer,'=It is.",
    ]
    assert "side-texts.csv" not in {file.name for file in csv_files(study(topic()), Choices())}


def test_the_documents_name_the_columns_of_every_table():
    judged = topic(pair("a", 1, 1, 1))
    judged.pairs[0] = replace(judged.pairs[0], side_text=SideText("Answer", "Yes."))
    by_program = Answered("q1_method", FIRST, 1, 0, by_program=1)
    files = csv_files(study(judged, answered=[by_program]), Choices(with_notes=True))
    formats = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([\w-]+\.csv)` \| (.+) \|$", formats, re.MULTILINE))

    named = {file.name: re.findall(r"`(\w+)`", rows[file.name]) for file in files}

    assert named == {file.name: text(file).splitlines()[0].split(",") for file in files}


def test_file_names_of_an_endless_identifier_are_refused():
    paper = paper_of("q" * 300)
    judged = topic(pair("a", 1, 1, 1), query=paper.paper_id)

    with pytest.raises(UnfitError, match=r"qqq is too long for a file name\. Choose CSV"):
        csfcube_files(study(judged, papers=lambda: iter([paper, paper_of("a")])), Choices())


def test_texts_and_pools_have_no_gold_and_keep_their_names():
    judged = topic(pair("a", 1, 1, 1))
    judged.pairs[0] = replace(judged.pairs[0], side_text=SideText("Answer", "Yes."))
    judged.paper = "q1"
    records = study(
        judged,
        papers=lambda: iter([paper_of("q1"), paper_of("a")]),
        extra={"csfcube": {"splits": "{}"}},
    )

    writers = (csfcube_files, beir_files, csv_files)
    files = [file for write in writers for file in write(records, Choices())]

    assert {file.name for file in files if not file.has_gold} == {
        *("queries-release.csv", "abstracts-csfcube-preds.jsonl", "test-pid2pool-csfcube.json"),
        *("evaluation_splits.json", "corpus.jsonl", "queries.jsonl", "side-texts.csv"),
    }


def test_letters_of_any_script_stand_in_birco_as_they_are():
    judged = topic(pair("a", 1, 1, 1))
    judged.query_text = "Was heißt 中?"

    [file] = birco_files(study(judged, papers=lambda: iter([paper_of("a")])), Choices())

    assert '"Was heißt 中?"' in text(file)


def test_only_names_of_files_with_gold_say_incomplete():
    assert ExportFile("qrels-all.txt", []).marked_name(True) == "qrels-all-incomplete.txt"
    assert ExportFile("qrels-all.txt", []).marked_name(False) == "qrels-all.txt"
    assert ExportFile("pool.json", [], has_gold=False).marked_name(True) == "pool.json"
