"""What a row of each part says, cell by cell."""

import pytest

from formats.assemble import Assembly
from formats.reading import Options
from formats.records import MAX_OVERLAP, Document, Place, Query, Sentence, Study
from formats.tables import parts
from formats.tables.cells import Mapped
from formats.tables.parts import TableReader, rows_of
from formats.tables.rows import Row


class File:
    name = "a.jsonl"
    sha256 = ""


class Given:
    """A table of these rows, which stand from line 2 on."""

    name, file = "a.jsonl", File

    def __init__(self, rows):
        self._rows = rows

    def rows(self):
        for line, cells in enumerate(self._rows, start=2):
            yield Row(line, cells)

    @staticmethod
    def place(line):
        return Place("a.jsonl", line)


def table(part, *rows, **columns):
    names = dict.fromkeys(name for row in rows for name in row)
    return Mapped(Given(rows), part, {name: name for name in names} | columns, {})


def study(part, *rows, documents=("d",), options=None, **columns):
    """The assembly of a study with a query and documents, once it has read these rows."""
    these = Assembly(Study("tables"), Options(**{"judged_by": "plain"} | (options or {})))
    these.add_query(Query("q", "What?", "", "", "", {}, Place("queries.csv", 2)))
    for name in documents:
        text = (Sentence("One."),)
        these.add_document(Document(name, "", text, "One.", {}, Place("documents.csv", 2)))
    TableReader(these).read(table(part, *rows, **columns))
    return these


def problems_of(these):
    return [str(problem) for problem in these.problems.first]


RATED = {"query": "q", "document": "d", "rater": "ann", "grade": "2"}


def answers(these):
    return [(rating.rater, rating.grade, rating.reason) for rating in these.ratings.values()]


# Documents


def document(**cells):
    [only] = study("documents", {"id": "e"} | cells, documents=()).study.documents
    return only


@pytest.mark.parametrize(
    ("cells", "sentences", "text"),
    [
        ({"text": "One. Two."}, [("One.", None), ("Two.", None)], "One. Two."),
        ({"title": "T"}, [], ""),
        ({"sentences": ["One.", "Two."]}, [("One.", None), ("Two.", None)], None),
        ({"sentences": '["One. Two."]'}, [("One. Two.", None)], None),
        ({"sentences": "One. Two."}, [("One. Two.", None)], None),
        ({"text": ["One.", "Two."]}, [("One.", None), ("Two.", None)], None),
        ({"sentences": ["One."], "text": "Other."}, [("One.", None)], None),
        ({"sentences": ["One.", "Two."], "labels": ["method", None]},
         [("One.", "method"), ("Two.", None)], None),
        ({"sentences": ["One."], "labels": '[""]'}, [("One.", None)], None),
        ({"sentences": "", "text": "One."}, [("One.", None)], "One."),
    ],
)  # fmt: skip
def test_a_document_has_a_text_or_sentences_with_their_labels(cells, sentences, text):
    assert (document(**cells).sentences, document(**cells).text) == (tuple(sentences), text)


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"sentences": ["One."], "labels": ["a", "b"]}, "line 2: 2 labels for 1 sentences. Write "
         "one for each, null where a sentence has none."),
        ({"sentences": [["One."]]}, "line 2: among the sentences: a list; expected text or a"),
        ({"text": {"a": 1}}, "line 2: 'text' holds an object; expected text or a number."),
        ({"text": "['One.']"}, "line 2: a list as Python prints it. Write lists as JSON"),
        ({"sentences": "['One.', 'Two.']"}, "line 2: among the sentences: a list as Python"),
    ],
)  # fmt: skip
def test_a_document_whose_text_is_none_is_told(cells, problem):
    these = study("documents", {"id": "e"} | cells, documents=())

    [told] = problems_of(these)
    assert told.startswith(f"a.jsonl, {problem}")
    assert these.study.documents.ids == []


# Pools


@pytest.mark.parametrize(
    ("sources", "names"),
    [
        ("bm25", ("bm25",)), ('["bm25", "dense"]', ("bm25", "dense")), (["bm25", 7], ("bm25", "7")),
        ("", ()), (None, ()), (7, ("7",)),
    ],
)  # fmt: skip
def test_sources_are_one_name_or_a_list(sources, names):
    these = study("pool", {"query": "q", "document": "d", "sources": sources})

    assert [entry.sources for entry in these.pool.values()] == [names]


@pytest.mark.parametrize(
    ("rank", "number"), [("1", 1), (" 7 ", 7), ("3.0", 3), (4, 4), ("", None), (None, None)]
)
def test_a_rank_is_a_whole_number_or_not_there(rank, number):
    these = study("pool", {"query": "q", "document": "d", "rank": rank})

    assert [entry.rank for entry in these.pool.values()] == [number]


@pytest.mark.parametrize("rank", ["1.5", "first", "1e3", "nan"])
def test_another_rank_is_told(rank):
    these = study("pool", {"query": "q", "document": "d", "rank": rank})

    assert problems_of(these) == [
        f"a.jsonl, line 2: the rank '{rank}' is not a whole number. Count from 1."
    ]


def test_a_rank_counts_from_0_or_1_and_is_never_below():
    rows = [{"query": "q", "document": f"d{rank}", "rank": str(rank)} for rank in (0, -1)]

    these = study("pool", *rows)

    assert [entry.rank for entry in these.pool.values()] == [0]
    assert problems_of(these) == [
        "a.jsonl, line 3: the rank is -1; a pool has none below 0. Correct the number, or match no "
        "column with the rank."
    ]


def test_a_candidate_of_a_facet_is_one_of_its_topic_and_of_none_where_there_is_no_such():
    options = {"judged_by": "facets", "facets": ("method",)}
    rows = [{"query": "q", "document": "d", "facet": facet} for facet in (" Method ", "mood")]

    these = study("pool", *rows, options=options)

    assert list(these.pool) == [("q", "q_method", "d")]
    [problem] = problems_of(these)
    assert problem.startswith("a.jsonl, line 3: the facet 'mood' is not in the scheme.")


# Ratings


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        ({}, [("ann", "2", "")]),
        ({"grade": 1.5}, [("ann", "1.5", "")]),
        ({"grade": " 2 "}, [("ann", " 2 ", "")]),
        ({"grade": "", "reason": "unclear"}, [("ann", None, "unclear")]),
        ({"grade": " ", "reason": "unclear"}, [("ann", None, "unclear")]),
        ({"grade": "2", "reason": "unclear"}, [("ann", "2", "")]),
        ({"grade": ""}, []),
        ({"grade": None, "reason": ""}, []),
        ({"rater": 7}, [("7", "2", "")]),
    ],
)
def test_an_answer_is_a_grade_or_a_reason_and_else_none(cells, answer):
    assert answers(study("ratings", RATED | cells)) == answer


def test_a_rating_says_when_and_where_it_was_given():
    cells = {"note": "so", "time": "now", "batch": " A ", "seat": " 2 ", "overlap": "3"}

    [rating] = study("ratings", RATED | cells).ratings.values()

    assert rating[5:] == ("so", "now", Place("a.jsonl", 2), "A", "2", 3)


def test_a_column_for_each_rater_gives_their_answers_in_no_seat():
    row = {"query": "q", "document": "d", "Ann": "2", "Ben": "", "Cat": 0, "seat": "1"}

    these = study("ratings", row, grades=["Ann", "Ben", "Cat"])

    assert answers(these) == [("Ann", "2", ""), ("Cat", "0", "")]
    assert [rating.seat for rating in these.ratings.values()] == ["", ""]
    assert [str(rating.place) for rating in these.ratings.values()] == [
        "a.jsonl, line 2, column Ann", "a.jsonl, line 2, column Cat",
    ]  # fmt: skip


@pytest.mark.parametrize("overlap", [0, MAX_OVERLAP + 1, -1])
def test_an_overlap_is_from_one_to_the_most_seats(overlap):
    these = study("ratings", RATED | {"overlap": str(overlap)})

    assert problems_of(these) == [
        f"a.jsonl, line 2: the overlap is {overlap}; from 1 to 9 people rate a pair. Correct the "
        "number, or match no column with the overlap."
    ]


@pytest.mark.parametrize(
    ("status", "is_left"),
    [
        ("Rejected", True), ("TIMED-OUT", True), ("timed out", True), (" returned ", True),
        ("Approved", False), ("", False), ("not rejected", False), (None, False),
    ],
)  # fmt: skip
def test_work_that_does_not_count_is_left_out_with_its_status(status, is_left):
    these = study("ratings", RATED | {"status": status})

    assert (answers(these) == []) is is_left
    assert [entry.place.column for entry in these.study.left_out] == ["status"] * is_left


# Pairs


def test_a_grade_beside_texts_without_a_rater_is_left_out_and_told():
    row = {"query": "p", "document": "e", "query_text": "How?", "text": "Two.", "grade": "2"}

    these = study("pairs", row, row | {"document": "f", "rater": "ann"})

    assert answers(these) == [("ann", "2", "")]
    assert [str(entry.place) for entry in these.study.left_out] == [
        "a.jsonl, line 2, column grade"
    ]  # fmt: skip


# Decisions


@pytest.mark.parametrize(
    ("cells", "decision"),
    [
        ({"grade": "2"}, [("", "2", "")]),
        ({"grade": "2", "adjudicator": 1.0}, [("1", "2", "")]),
        ({"grade": "", "reason": "off topic"}, [("", None, "off topic")]),
        ({"grade": "2", "reason": "off topic"}, [("", "2", "")]),
        ({"grade": ""}, []),
        ({"grade": "2", "standing": "no"}, []),
        ({"grade": "2", "origin": "consensus"}, []),
    ],
)
def test_a_decision_is_a_grade_or_a_reason_to_exclude_that_stands(cells, decision):
    these = study("decisions", {"query": "q", "document": "d"} | cells)

    assert [
        (kept.adjudicator, kept.grade, kept.reason) for kept in these.decisions.values()
    ] == decision
    assert problems_of(these) == []


@pytest.mark.parametrize("cells", [{"query": "gone"}, {"document": "d 1"}, {"document": ""}])
def test_a_decision_that_does_not_stand_is_left_out_whatever_it_names(cells):
    row = {"query": "q", "document": "d", "grade": "2", "standing": "no"} | cells

    these = study("decisions", row)

    assert problems_of(these) == []
    assert [entry.place.line for entry in these.study.left_out] == [2]


# Rows


def test_a_table_without_a_row_is_noted():
    these = study("ratings")

    assert these.study.notes == ["a.jsonl has columns, and no row."]


def test_a_table_is_given_up_once_too_many_of_its_rows_are_wrong(monkeypatch):
    monkeypatch.setattr(parts, "GIVE_UP_AFTER", 3)
    these = Assembly(Study("tables"), Options(judged_by="plain"))
    these.problem(Place("other.csv"), "of another file.")
    taken = 0

    for cells in rows_of(table("ratings", *[RATED] * 9), these):
        these.problem(cells.place, "wrong.")
        taken += 1

    assert taken == 4
