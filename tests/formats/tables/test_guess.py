"""What part of a study a table seems to be, and which field each of its columns fills."""

import pytest

from formats.reading import Column
from formats.tables.guess import guess_by_name, guess_columns, guess_part, lacking, normal
from formats.tables.no_part import two_documents


@pytest.mark.parametrize(
    ("name", "columns", "part"),
    [
        ("papers.csv", ["doc_id", "title", "abstract"], "documents"),
        ("x.csv", ["id", "title", "text"], "documents"),
        ("queries.csv", ["id", "text"], "queries"),
        ("x.csv", ["query", "document", "sources", "rank"], "pool"),
        ("x.csv", ["query", "doc", "annotator", "rating"], "ratings"),
        ("x.csv", ["query", "doc", "Rater 1", "Rater 2"], "ratings"),
        ("x.csv", ["query", "doc", "adjudicator", "grade"], "decisions"),
        ("x.csv", ["topic", "docno", "rel"], "judgments"),
        ("x.csv", ["query", "doc", "query_text", "abstract"], "pairs"),
        ("x.csv", ["colour", "shape"], ""),
        ("questions.csv", ["Nr", "Question", "Background"], "queries"),
        ("candidates.csv", ["question", "paper"], "pool"),
        ("x.csv", ["query", "document"], "pool"),
        ("x.csv", ["qid", "query", "docid", "document", "participant_id", "label"], "pairs"),
        ("x.csv", ["qid", "query", "docid", "worker_id", "label"], "ratings"),
        ("ratings.csv", ["qid", "question", "docid", "text", "rater", "label"], "pairs"),
        ("ratings.csv", ["qid", "docid", "text", "rater", "label"], "ratings"),
        # Quepid's export of a case names no rater, so that only people can say what its grades are.
        ("case.csv", ["Case ID", "Query Text", "Doc ID", "Doc Position", "Title", "Rating"], ""),
        ("papers.csv", ["id", "title", "query_id", "relevance"], ""),
        ("queries.jsonl", ["query_id", "title", "description", "narrative"], "queries"),
    ],
)
def test_part_is_the_one_that_explains_most_of_the_columns(name, columns, part):
    assert guess_part(name, [Column(column) for column in columns])[0] == part


IDS = (Column("query_id", ("q1",)), Column("facet", ("method",)), Column("doc", ("007",)))
ALICE, BOB = Column("Alice", ("2", "0", "0")), Column("Bob", ("1", "0"))


@pytest.mark.parametrize(
    ("name", "columns", "part", "raters"),
    [
        ("sheet1.csv", [ALICE, BOB], "ratings", ["Alice", "Bob"]),
        (
            "x.csv",
            [Column("AK", ("2 Similar",)), Column("remarks"), Column("BT", ("0 Irrelevant",))],
            "ratings",
            ["AK", "BT"],
        ),
        ("x.csv", [Column("A", ("-3",)), Column("B", ("0,5",))], "ratings", ["A", "B"]),
        # One column may be anything, and ranks of systems begin with small numbers, too.
        ("x.csv", [ALICE], "pool", None),
        ("x.csv", [Column("bm25", ("1", "2", "3")), Column("e5", ("4", "1"))], "pool", None),
        ("x.csv", [Column("bm25", ("12",)), Column("e5", ("4", "1"))], "pool", None),
        ("x.csv", [Column("bm25_rank", ("1",)), Column("year", ("5",))], "pool", None),
        ("ratings.csv", [Column("A", ("1", "2", "3")), BOB], "ratings", ["A", "Bob"]),
        ("x.csv", [Column("rel", ("2",)), ALICE, BOB], "judgments", None),
        # The numbers of the rows, which pandas writes unless told not to.
        ("x.csv", [Column("column 1", ("0", "1", "2")), ALICE, BOB], "ratings", ["Alice", "Bob"]),
        (
            "ratings.csv",
            [Column("Unnamed: 0", ("0", "1")), ALICE, BOB],
            "ratings",
            ["Alice", "Bob"],
        ),
        ("x.csv", [Column("__index_level_0__", ("0", "1")), ALICE], "pool", None),
    ],
)
def test_columns_of_grades_beside_a_pair_are_those_of_raters(name, columns, part, raters):
    guessed, guess = guess_part(name, [*IDS, *columns])

    assert (guessed, guess.get("grades")) == (part, raters)


@pytest.mark.parametrize("name", ["David", "Frank", "Bruno", "INGRID", "Goldberg", "Meaney"])
def test_a_rater_may_have_a_name_in_which_a_word_of_numbers_stands(name):
    _, guess = guess_part("ratings.csv", [*IDS, ALICE, BOB, Column(name, ("2", "1"))])

    assert guess["grades"] == ["Alice", "Bob", name]


@pytest.mark.parametrize(
    "name", ["gold", "Final", "mean", "majority_vote", "adjudicated", "confidence", "BM25Rank"]
)
def test_what_is_made_of_grades_or_said_of_them_is_no_rater(name):
    _, guess = guess_part("ratings.csv", [*IDS, ALICE, BOB, Column(name, ("2", "1"))])

    assert guess["grades"] == ["Alice", "Bob"]


def test_columns_called_after_raters_are_theirs_unless_they_sum_them_up():
    raters = ["rater 1", "rater_2", "gold@example.org"]

    guess = guess_columns("ratings", ["query", "doc", *raters, "rater mean", "judge_agreement"])

    assert guess["grades"] == raters


def test_each_column_is_taken_once_by_the_first_field_that_is_called_so():
    assert guess_columns("ratings", ["Query ID", "DOC-ID", "Annotator", "Label", "score"]) == {
        "query": "Query ID",
        "document": "DOC-ID",
        "rater": "Annotator",
        "grade": "Label",
    }
    # Two columns of one name: the first counts.
    assert guess_columns("judgments", ["doc", "DOC", "rel"])["document"] == "doc"


@pytest.mark.parametrize("column", ["source", "Run", "System"])
def test_what_put_a_document_into_a_pool_is_its_source(column):
    assert guess_columns("pool", ["Question ID", "Paper ID", column])["sources"] == column


@pytest.mark.parametrize(
    ("name", "columns", "part", "guess"),
    [
        (
            "Papers export.csv",
            ["Title of paper", "Paper No", "Abstract text", "Year"],
            "documents",
            {"id": "Paper No", "title": "Title of paper", "text": "Abstract text"},
        ),
        (
            "topics.tsv",
            ["Topic", "Information need", "Narrative"],
            "queries",
            {"id": "Topic", "text": "Information need", "narrative": "Narrative"},
        ),
        ("topics.tsv", ["Nr.", "Topic"], "queries", {"id": "Nr.", "text": "Topic"}),
        # The year of a paper is no id, and a number of sentences no list of them.
        ("papers.csv", ["Year", "Title", "Number of sentences"], "", {}),
        ("corpus.csv", ["Document key", "Words"], "documents", {"id": "Document key"}),
        ("x.csv", ["Paper No", "Abstract text"], "", {}),
    ],
)
def test_a_table_called_after_a_part_is_matched_by_the_words_of_its_columns(
    name, columns, part, guess
):
    columns = [Column(column) for column in columns]
    assert guess_part(name, columns)[0] == ""
    assert guess_by_name(name, columns) == (part, guess)


def test_passage_goes_before_the_document_that_it_is_from():
    assert guess_columns("documents", ["pid", "passage", "spans", "docid"]) == {
        "id": "pid",
        "text": "passage",
    }


def test_the_text_of_a_paper_is_known_by_what_people_call_it():
    assert guess_columns("documents", ["No", "Paper title", "Abstract text", "Year"]) == {
        "id": "No",
        "title": "Paper title",
        "text": "Abstract text",
    }


def test_an_id_goes_before_the_column_that_may_be_its_text():
    columns = ["query", "qid", "document", "docid", "label", "worker"]

    assert guess_columns("pairs", columns) == {
        "query": "qid",
        "query_text": "query",
        "document": "docid",
        "text": "document",
        "rater": "worker",
        "grade": "label",
    }


def test_the_columns_of_a_task_of_mechanical_turk_are_not_those_of_the_study():
    columns = ["HITId", "Title", "Description", "WorkerId", "Input.qid", "Input.query"]
    columns += ["AssignmentStatus"]
    columns += ["Input.docid", "Input.doctext", "Answer.relevance"]

    assert guess_columns("pairs", columns) == {
        "query": "Input.qid",
        "query_text": "Input.query",
        "document": "Input.docid",
        "text": "Input.doctext",
        "rater": "WorkerId",
        "grade": "Answer.relevance",
        "status": "AssignmentStatus",
    }


def test_the_columns_of_a_task_of_toloka_are_known_by_their_names_in_its_form():
    columns = ["INPUT:query_id", "INPUT:query", "INPUT:doc_id", "INPUT:text", "OUTPUT:relevance"]
    columns += ["GOLDEN:relevance", "HINT:text", "ASSIGNMENT:link", "ASSIGNMENT:assignment_id"]
    columns += ["ASSIGNMENT:worker_id", "ASSIGNMENT:status", "ASSIGNMENT:started"]

    assert guess_columns("pairs", columns) == {
        "query": "INPUT:query_id",
        "query_text": "INPUT:query",
        "document": "INPUT:doc_id",
        "text": "INPUT:text",
        "rater": "ASSIGNMENT:worker_id",
        "grade": "OUTPUT:relevance",
        "status": "ASSIGNMENT:status",
    }


def test_columns_of_raters_are_grades_where_no_column_says_who_rated():
    columns = ["query", "doc", "score", "annotator_7", "lena@example.org", "remarks"]

    by_rater = guess_columns("ratings", columns)

    assert by_rater["grades"] == ["annotator_7", "lena@example.org"]
    assert "grade" not in by_rater
    assert "grades" not in guess_columns("ratings", ["query", "doc", "rater", "annotator_7"])
    assert guess_columns("ratings", ["query", "doc"]) == {"query": "query", "document": "doc"}


@pytest.mark.parametrize("name", ["@x.org", "lena@", "the grade\n(see help@x.org)"])
def test_a_column_with_an_at_sign_is_a_rater_only_where_it_is_an_address(name):
    assert "grades" not in guess_columns("ratings", ["query", "doc", name])


def test_a_name_of_a_column_is_looked_at_in_one_go():
    # Each @ was once the middle of another attempt, which took minutes.
    assert "grades" not in guess_columns("ratings", ["query", "doc", "@" * 100_000 + "\n"])


@pytest.mark.parametrize(
    ("part", "guess", "missing"),
    [
        ("documents", {"id": "a", "text": "b"}, []),
        ("documents", {"text": "b"}, ["id"]),
        ("documents", {"id": "a"}, ["title or text or sentences"]),
        ("pool", {}, ["document", "query or topic"]),
        ("decisions", {"topic": "a", "document": "b"}, ["grade or reason"]),
        ("aspects", {"id": "a", "text": "b"}, ["query"]),
        ("ratings", {"query": "a", "document": "b", "rater": "c", "grade": "d"}, []),
        ("ratings", {"query": "a", "document": "b", "grades": ["c"]}, []),
        ("ratings", {"query": "a", "document": "b"}, ["rater or grades", "grade or grades"]),
        ("ratings", {"query": "a", "document": "b", "rater": "c"}, ["grade or grades"]),
        ("judgments", {"topic": "a", "document": "b"}, ["grade"]),
    ],
)
def test_fields_that_a_part_cannot_do_without_are_named(part, guess, missing):
    fields = [" or ".join(field.key for field in fields) for fields in lacking(part, guess)]
    assert fields == missing


@pytest.mark.parametrize(
    ("name", "same"), [(" Doc-ID ", "doc_id"), ("query  id", "query_id"), ("_id", "id"), ("?", "?")]
)
def test_names_are_compared_without_case_and_signs(name, same):
    assert normal(name) == same


@pytest.mark.parametrize(
    ("columns", "documents"),
    [
        ("query document_a document_b annotator preference", ["document_a", "document_b"]),
        ("qid docid docid2 assessor label", ["docid", "docid2"]),
        ("query Left-Passage Right-Passage rater grade", ["Left-Passage", "Right-Passage"]),
        ("query query_document document rater grade", []),
        ("query document side_title rater grade", []),
    ],
)
def test_a_row_with_two_documents_is_a_preference_and_no_rating(columns, documents):
    names = columns.split()

    assert two_documents(names) == documents
    is_guessed = bool(guess_part("ratings.csv", [Column(name) for name in names])[0])
    assert is_guessed is not bool(documents)


@pytest.mark.parametrize(
    ("name", "rows", "part"),
    [
        ("queries.csv", {"query": "qqr", "facet": "aba", "document": "ddc"}, "queries"),
        ("queries.csv", {"query": "qrs", "text": "abc"}, "queries"),
        # A pool, by its rows, by its columns, or since nothing calls it otherwise.
        ("queries.csv", {"query": "qqr", "facet": "aab", "document": "dcd"}, "pool"),
        ("queries.csv", {"query": "qrs", "document": "cde", "source": "abc"}, "pool"),
        ("data.csv", {"query": "qrs", "facet": "aba", "document": "dce"}, "pool"),
    ],
)
def test_query_is_the_id_in_a_table_that_is_called_after_queries(name, rows, part):
    columns = [Column(column, tuple(values)) for column, values in rows.items()]

    guessed_part, guess = guess_part(name, columns)

    assert guessed_part == part
    assert guess["id" if part == "queries" else "query"] == "query"
