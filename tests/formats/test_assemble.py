"""Records of one kind that stand twice: the same counts once, another is refused."""

import pytest

from formats.assemble import Assembly
from formats.files import Files
from formats.reading import Options
from formats.records import (
    Decision,
    Document,
    Place,
    PoolEntry,
    Query,
    Rating,
    Sentence,
    Study,
)

FIRST, SECOND = Place("a.csv", 2), Place("b.csv", 3)


def assembly(**options):
    return Assembly(Study("tables"), Options(judged_by="plain", **options))


def entry(*sources, document="d", topic=None, rank=None, side=("", ""), place=FIRST):
    return PoolEntry("q", topic, document, sources, rank, *side, place)


def rating(grade="2", rater="ann", document="d", reason="", place=FIRST):
    return Rating("q", document, rater, grade, reason, "", "", place)


def decision(grade="2", adjudicator="", document="d", reason="", place=FIRST):
    return Decision("q", document, adjudicator, grade, reason, "", "", "", place)


def document(name="d", text="One.", place=FIRST, **metadata):
    return Document(name, "T", (Sentence(text),), text, metadata, place)


def problems_of(these):
    return [str(problem) for problem in these.problems.first]


# Candidates


def test_a_candidate_named_again_has_the_sources_of_both_in_their_order():
    these = assembly()

    for sources in [("bm25",), ("dense", "bm25"), ("bm25", "cited")]:
        these.add_pool(entry(*sources))

    [candidate] = these.pool.values()
    assert candidate.sources == ("bm25", "dense", "cited")
    assert these.study.left_out == []


def test_a_candidate_of_a_topic_is_another_than_that_of_its_query():
    these = assembly()

    for topic in (None, "q_method", "q_result"):
        these.add_pool(entry("bm25", topic=topic))

    assert list(these.pool) == [("q", None, "d"), ("q", "q_method", "d"), ("q", "q_result", "d")]


def test_a_candidate_with_nothing_new_is_told():
    these = assembly()

    these.add_pool(entry("bm25", rank=1))
    these.add_pool(entry("bm25", rank=1, place=SECOND))

    assert these.study.left_out_in_words == [
        "Left out: b.csv, line 3: The document d of the query q is the same in a.csv, line 2."
    ]


def test_a_candidate_with_another_rank_is_refused():
    these = assembly()

    these.add_pool(entry("bm25", rank=1))
    these.add_pool(entry("bm25", rank=2, place=SECOND))

    assert problems_of(these) == [
        "b.csv, line 3: the document d of the query q stands in a.csv, line 2 already, with other "
        "columns. Keep one of the two."
    ]


@pytest.mark.parametrize(("first", "second"), [((), ()), ((), ("bm25",)), (("bm25",), ())])
def test_a_candidate_without_sources_may_be_named_by_many_rows(first, second):
    these = assembly()

    these.add_pool(entry(*first))
    these.add_pool(entry(*second, place=SECOND))

    assert [candidate.sources for candidate in these.pool.values()] == [first + second]
    assert (these.study.left_out, problems_of(these)) == ([], [])


@pytest.mark.parametrize(
    ("first", "second"), [(("", ""), ("T", "Side.")), (("T", "Side."), ("", ""))]
)
def test_a_side_text_may_stand_in_either_row(first, second):
    these = assembly()

    these.add_pool(entry("bm25", side=first))
    these.add_pool(entry("dense", side=second))

    assert [candidate[5:7] for candidate in these.pool.values()] == [("T", "Side.")]


@pytest.mark.parametrize("other", [("T", "Other."), ("U", "Side.")])
def test_a_pair_has_one_side_text(other):
    these = assembly()

    these.add_pool(entry("bm25", side=("T", "Side.")))
    these.add_pool(entry("dense", side=("T", "Side.")))
    these.add_pool(entry("cited", side=other, place=SECOND))

    assert problems_of(these) == [
        "b.csv, line 3: the document d of the query q has another side text in a.csv, line 2. A "
        "pair has one side text: correct one of the two."
    ]
    assert these.pool["q", None, "d"].sources == ("bm25", "dense")


# Ratings and decisions


def test_the_same_rating_again_counts_once_and_is_told():
    these = assembly()

    these.add_rating(rating())
    these.add_rating(rating(place=SECOND))

    assert list(these.ratings.values()) == [rating()]
    assert these.study.left_out_in_words == [
        "Left out: b.csv, line 3: ann gave the same answer for q, d in a.csv, line 2."
    ]


@pytest.mark.parametrize(
    ("grade", "reason", "told"),
    [("3", "", "'3'"), ("2.0", "", "'2.0'"), (None, "too vague", "cannot judge")],
)
def test_two_answers_of_one_rater_to_a_pair_are_refused(grade, reason, told):
    these = assembly()

    these.add_rating(rating())
    these.add_rating(rating(grade, reason=reason, place=SECOND))

    assert problems_of(these) == [
        f"b.csv, line 3: ann rated q, d as {told} here, and as '2' in a.csv, line 2. Keep one of "
        "the two."
    ]


def test_other_raters_and_other_pairs_are_no_repetitions():
    these = assembly()

    for answer in (rating(), rating(rater="ben"), rating(document="e")):
        these.add_rating(answer)

    assert len(these.ratings) == 3
    assert these.study.left_out == []


@pytest.mark.parametrize(("first", "second"), [("", ""), ("eva", "eva"), ("eva", "")])
def test_the_same_decision_again_counts_once_and_is_told(first, second):
    these = assembly()

    these.add_decision(decision(adjudicator=first))
    these.add_decision(decision(adjudicator=second, place=SECOND))

    assert [kept.adjudicator for kept in these.decisions.values()] == [first]
    assert these.study.left_out_in_words == [
        "Left out: b.csv, line 3: A decision that stands in a.csv as well."
    ]


@pytest.mark.parametrize(
    "second",
    [
        decision(grade="3"),
        decision(grade=None, reason="off topic"),
        # Somebody decided the same whom the first does not name.
        decision(adjudicator="max"),
    ],
)
def test_a_pair_has_one_decision(second):
    these = assembly()

    these.add_decision(decision())
    these.add_decision(second._replace(place=SECOND))

    assert problems_of(these) == [
        "b.csv, line 3: q, d was decided in a.csv, line 2 already. Keep the decision that stands."
    ]
    assert list(these.decisions.values()) == [decision()]


# Documents


def test_the_same_document_again_counts_once_and_is_told():
    these = assembly()

    # A tuple is a list once it was kept.
    assert these.add_document(document(authors=("A", "B")))
    assert not these.add_document(document(authors=("A", "B"), place=SECOND))

    assert these.study.left_out_in_words == [
        "Left out: b.csv, line 3: The document d is the same in a.csv, line 2."
    ]


@pytest.mark.parametrize(
    ("again", "problem"),
    [
        (document(text="Two."), "the document d has another text in a.csv, line 2. One id has one "
         "text: correct one of the two."),
        (document()._replace(title="U"), "the document d has another text in a.csv, line 2. One id "
         "has one text: correct one of the two."),
        (document(year=1), "the document d stands in a.csv, line 2 already, with other columns. "
         "Keep one of the two."),
    ],
)  # fmt: skip
def test_another_document_of_an_id_is_refused(again, problem):
    these = assembly()

    these.add_document(document())
    assert not these.add_document(again._replace(place=SECOND))

    assert problems_of(these) == [f"b.csv, line 3: {problem}"]


def test_a_record_is_new_until_it_comes_with_the_same_texts():
    these = assembly()

    assert these.is_new("query", "q", "T", "One.")
    assert not these.is_new("query", "q", "T", "One.")
    assert these.is_new("query", "q", "T", "Two.")
    assert these.is_new("document", "q", "T", "Two.")
    assert these.is_new("query", "r", "T", "Two.")


# What is wanted of a large corpus


def test_nothing_that_names_documents_wants_them_all():
    assert assembly().wanted is None
    queries = assembly()
    queries.add_query(Query("q", "", "p", "", "", {}, FIRST))
    assert queries.wanted is None


@pytest.mark.parametrize(
    "add",
    [
        lambda these: these.add_pool(entry()),
        lambda these: these.add_rating(rating()),
        lambda these: these.add_decision(decision()),
    ],
)
def test_whatever_names_a_document_wants_it_and_those_that_are_queries(add):
    these = assembly()
    these.add_query(Query("q", "", "p", "", "", {}, FIRST))

    add(these)

    assert these.wanted == {"d", "p"}


def test_all_documents_are_kept_where_that_is_asked_for():
    these = assembly(keep_unpooled=True)

    these.add_pool(entry())

    assert these.wanted is None


def test_progress_is_told_before_each_file():
    class File:
        def __init__(self, size):
            self.size = size

    told = []
    files = Files((File(30), File(0), File(12)))
    these = assembly(progress=lambda done, total: told.append((done, total)))

    for file in files:
        these.report_on(file, files)

    assert told == [(0, 42), (30, 42), (30, 42)]
