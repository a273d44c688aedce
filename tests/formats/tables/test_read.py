"""Tables of all kinds: a text stays a text, columns are guessed, and errors are reported."""

import json
from dataclasses import replace

import openpyxl
import pandas
import pytest

from formats.completing import NO_POOL
from formats.files import open_files
from formats.problems import BadInputError
from formats.reading import Options, left_alone
from formats.records import NOT_RATED
from formats.tables import read as tables
from tests.formats.registered import recognise
from tests.formats.studies import FACETS, csfcube_study, written
from tests.formats.tables.writing import templates

PLAIN = Options(judged_by="plain")
DOCUMENTS = "id,title,text\n007,A title,One. Two.\n1e5,NA,NA\n"
QUERIES = "id,text\nq1,What is it?\n"


@pytest.fixture
def folder(tmp_path):
    """Writes files into a new folder, by name."""

    def write(**files):
        folder = tmp_path / "study"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            path = folder / name.replace("_", ".")
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return write


def read(folder, options=PLAIN):
    with open_files([folder]) as files:
        return tables.read(files, options)


def problems_of(folder, options=PLAIN):
    with pytest.raises(BadInputError) as caught:
        read(folder, options)
    return [(problem.file, problem.place, problem.message) for problem in caught.value.problems]


def test_text_stays_text(folder):
    study = read(
        folder(
            documents_csv=b"\xef\xbb\xbf" + DOCUMENTS.encode(),
            queries_csv=QUERIES,
            ratings_csv="query;document;rater;grade\nq1;007;R1;1,50\nq1;1e5;R1;NA\n",
        )
    )

    assert [(document.id, document.title, document.text) for document in study.documents] == [
        ("007", "A title", "One. Two."),
        ("1e5", "NA", "NA"),
    ]
    assert [(rating.document, rating.grade) for rating in study.ratings] == [
        ("007", "1,50"),
        ("1e5", "NA"),
    ]


BY_TEXT = """query,docid,rating
What  is it?,007,3
q1,1e5,0
How is it made?,007,1
"""


def test_a_table_may_name_queries_by_their_text(folder):
    """As Quepid exports judgments: a query is its text there."""
    options = Options(judged_by="plain", known_queries={"q2": "How is it made?"})

    study = read(
        folder(documents_csv=DOCUMENTS, queries_csv=QUERIES, judgments_csv=BY_TEXT), options
    )

    assert [judgment[:3] for judgment in study.judgments[0].judgments] == [
        ("q1", "007", "3"), ("q1", "1e5", "0"), ("q2", "007", "1"),
    ]  # fmt: skip
    assert (
        "judgments.csv names queries by their texts (2): 'What  is it?' is q1, 'How is it made?' "
        "is q2." in study.notes
    )


@pytest.mark.parametrize(
    ("table", "header"),
    [("ratings_csv", "query,docid,rater,rating"), ("pool_csv", "query,docid,source,rank")],
)
def test_ratings_and_pools_may_name_queries_by_their_text_too(folder, table, header):
    rows = f"{header}\nWhat is it?,007,ann,1\n"

    study = read(folder(documents_csv=DOCUMENTS, queries_csv=QUERIES, **{table: rows}))

    assert [(entry.query, entry.document) for entry in study.pool] == [("q1", "007")]


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        (QUERIES + "q2,What is it?\n",
         "the text 'What is it?' is that of several queries: q1, q2."),
        ("id,text\nq1,Where is it?\n", "no query has the id or the text 'What is it?'."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("header", ["query,docid,rating", "query,docid,rater,rating"])
def test_a_text_of_several_queries_or_of_none_is_refused(folder, queries, message, header):
    row = f"What is it?,007,{'ann,' * ('rater' in header)}1\n"

    problems = problems_of(
        folder(documents_csv=DOCUMENTS, queries_csv=queries, ratings_csv=f"{header}\n{row}")
    )

    assert problems == [("ratings.csv", "line 2", message)]


@pytest.mark.parametrize("part", ["ratings", "pairs"])
def test_work_that_a_crowds_platform_does_not_count_is_left_out_and_told(folder, part):
    statuses = ["Approved", "Rejected", "TIMED-OUT", "", "SKIPPED", "EXPIRED"]
    texts, header = (",What?,One.", ",query_text,text") if part == "pairs" else ("", "")
    rows = [f"q1,007,w{n},{n},{status}{texts}" for n, status in enumerate(statuses)]
    columns = f"query,document,worker,grade,AssignmentStatus{header}"
    files = {"answers_csv": "\n".join([columns, *rows])}
    if part == "ratings":
        files |= {"documents_csv": DOCUMENTS, "queries_csv": QUERIES}

    study = read(folder(**files))

    assert [rating.rater for rating in study.ratings] == ["w0", "w3"]
    assert [str(entry.place) for entry in study.left_out] == [
        "answers.csv, line 3, column AssignmentStatus",
        "answers.csv, line 4, column AssignmentStatus",
        "answers.csv, line 6, column AssignmentStatus",
        "answers.csv, line 7, column AssignmentStatus",
    ]


def test_tables_of_grades_without_a_rater_are_told_to_be_ratings_perhaps(folder):
    grades = "query,document,grade\nq1,007,1\n"
    files = {"queries_csv": QUERIES, "documents_csv": DOCUMENTS, "ann_csv": grades}

    of_one = read(folder(**files)).notes
    [note] = set(read(folder(**files, ben_csv=grades)).notes) - set(of_one)

    assert "ann.csv, ben.csv." in note
    assert "a column that names the rater" in note


def test_documents_without_text_that_nothing_names_are_told(folder):
    study = read(folder(documents_csv="id,title\nd1,A title\n"))

    assert study.notes == ["Documents without text, which are not kept (1): d1."]


def test_an_abstract_may_be_the_list_of_its_sentences(folder):
    study = read(folder(corpus_jsonl='{"doc_id": 7, "abstract": ["One. Two.", "Three."]}\n'))

    [document] = study.documents
    assert [sentence.text for sentence in document.sentences] == ["One. Two.", "Three."]


def test_line_is_where_the_row_begins_whatever_breaks_stand_in_quotes(folder):
    study = read(folder(documents_csv='id,title,text\nd1,"A\nB","C\n\nD"\nd2,E,F\n'))

    assert [(document.title, document.place.line) for document in study.documents] == [
        ("A\nB", 2),
        ("E", 6),
    ]


def test_semicolons_and_tabs_divide_cells_too(folder):
    study = read(folder(documents_csv="id;title;text\nd;a, b;c\n"))

    assert [document.title for document in study.documents] == ["a, b"]


def test_other_columns_are_metadata(folder):
    study = read(folder(documents_csv="id,title,text,year,venue\nd,A,B,1999,\n"))

    assert study.documents["d"].metadata == {"year": "1999"}


def test_json_lines_keep_numbers_as_written_and_lists(folder):
    lines = [
        '{"id": 12, "title": "T", "sentences": ["A.", "B."], "labels": ["method", null]}',
        '{"query": "q1", "document": 12, "rater": 3, "grade": 1.50}',
    ]
    study = read(
        folder(documents_jsonl=lines[0], ratings_jsonl=lines[1] + "\n", queries_csv=QUERIES)
    )

    assert [tuple(sentence) for sentence in study.documents["12"].sentences] == [
        ("A.", "method"),
        ("B.", None),
    ]
    assert [(rating.rater, rating.grade) for rating in study.ratings] == [("3", "1.50")]


def test_parquet_is_read_like_the_same_json_lines(folder, tmp_path):
    place = folder(queries_csv=QUERIES)
    frame = pandas.DataFrame(
        {"id": ["007"], "title": ["T"], "sentences": [["A.", "B."]], "year": [1999]}
    )
    frame.to_parquet(place / "documents.parquet")

    document = read(place).documents["007"]

    assert [sentence.text for sentence in document.sentences] == ["A.", "B."]
    assert document.metadata == {"year": 1999}


@pytest.mark.parametrize(
    ("cell", "topics"),
    [
        ('"Method, result"', ["q_method", "q_result"]),
        ("result;method;", ["q_result", "q_method"]),
        ('"purpose, aim"', ["q_method"]),
    ],
)
def test_a_cell_names_several_facets(folder, cell, topics):
    mapping = {"facets": {"purpose, aim": "method"}}
    options = Options(facets=("method", "result"), mapping=mapping)

    study = read(folder(queries_csv=f"id,text,facets\nq,Q,{cell}\n"), options)

    assert [topic.id for topic in study.topics] == topics


def test_a_cell_with_an_unknown_facet_is_refused_as_it_is(folder):
    files = folder(queries_csv='id,text,facets\nq,Q,"method, resul"\n')

    (problem,) = problems_of(files, Options(facets=("method", "result")))

    assert "the facet 'method, resul' is not in the scheme." in str(problem)


def test_facets_are_one_in_each_row_or_a_list_or_those_of_the_scheme(folder):
    options = Options(facets=("method", "result"))
    study = read(
        folder(
            queries_jsonl='{"id": "a", "text": "A", "facets": ["Method"]}\n'
            '{"id": "b", "text": "B"}\n',
            more_csv="id,text,facet,year\nc,C,method,1999\nc,C,result,1999\n",
        ),
        options,
    )

    assert [topic.id for topic in study.topics] == [
        "c_method", "c_result", "a_method", "b_method", "b_result",
    ]  # fmt: skip
    assert study.topics[0].metadata == {"year": "1999"}


def test_aspects_stand_in_trees_of_queries(folder):
    study = read(
        folder(
            queries_csv="id,text\nq1,A\nq2,B\n",
            aspects_csv="id,text,query,parent\na1,First,q1,\na2,Second,q1,a1\na1,First,q2,\n",
            documents_csv="id,title,text\nd,T,X\n",
            pool_csv="query,document,source\nq1,d,bm25\nq2,d,bm25\nq1,d,dense\n",
            ratings_csv="aspect,query,document,rater,grade\na2,q1,d,R,2\n",
        ),
        Options(judged_by="aspects"),
    )

    assert [(topic.id, [tuple(place) for place in topic.places]) for topic in study.topics] == [
        ("a1", [("q1", None), ("q2", None)]),
        ("a2", [("q1", "a1")]),
    ]
    assert [(candidate.query, candidate.sources) for candidate in study.pool] == [
        ("q1", ("bm25", "dense")),
        ("q2", ("bm25",)),
    ]
    assert [rating.topic for rating in study.ratings] == ["a2"]


def test_column_for_each_rater_gives_their_ratings(folder):
    study = read(
        folder(
            documents_csv=DOCUMENTS,
            queries_csv=QUERIES,
            expected_csv="topic,document,rater1,rater2\nq1,007,1,2\nq1,1e5,,0\n",
        )
    )

    assert [
        (rating.document, rating.rater, rating.grade, rating.reason) for rating in study.ratings
    ] == [
        ("007", "rater1", "1", ""),
        ("007", "rater2", "2", ""),
        ("1e5", "rater1", None, NOT_RATED),
        ("1e5", "rater2", "0", ""),
    ]


def test_columns_that_may_be_of_further_raters_are_named(folder):
    study = read(
        folder(
            documents_csv=DOCUMENTS,
            queries_csv=QUERIES,
            expected_csv="topic,document,rater1,Ann Lee,page\nq1,007,1,1,7\nq1,1e5,0,2,9\n",
        )
    )

    [note] = [note for note in study.notes if "Ann Lee" in note]
    assert note.startswith(
        "expected.csv has columns that are not read and begin with grades as those of the raters "
        "do: Ann Lee."
    )


def test_grades_beside_texts_that_no_rater_is_named_for_are_told(folder):
    study = read(
        folder(
            pairs_csv="query_id,query_text,doc_id,doc_text,Ann,Ben,year\n"
            "q1,What?,d1,It is so.,2,1,2019\nq1,What?,d2,No.,0,0,2020\n"
        )
    )

    [note] = study.notes
    assert note.startswith("pairs.csv has columns that are no ratings and begin with grades: Ann")
    assert study.ratings == []


def test_one_table_may_have_it_all(folder):
    study = read(
        folder(
            pairs_csv="query_id,query_text,doc_id,doc_text,annotator,grade\n"
            "q1,What?,d1,It is so.,ann,2\nq1,What?,d1,It is so.,ben,1\nq1,What?,d2,No.,ann,0\n"
        )
    )

    assert [document.id for document in study.documents] == ["d1", "d2"]
    assert [query.text for query in study.queries] == ["What?"]
    assert [(rating.document, rating.rater, rating.grade) for rating in study.ratings] == [
        ("d1", "ann", "2"), ("d1", "ben", "1"), ("d2", "ann", "0"), ("d2", "ben", None),
    ]  # fmt: skip


def test_columns_may_be_matched_otherwise(folder):
    place = folder(documents_csv="a,b,c\nd1,Text.,T\n", queries_csv=QUERIES)
    columns = {"id": "a", "text": "b", "title": "c"}
    mapping = {
        "files": {
            "documents.csv": {"part": "documents", "columns": columns},
            "queries.csv": {"part": "", "columns": {}},
        }
    }

    study = read(place, Options(judged_by="plain", mapping=mapping))

    assert [document.title for document in study.documents] == ["T"]
    assert study.queries == []


def test_documents_that_nobody_pooled_are_counted(folder):
    files = folder(
        documents_csv=DOCUMENTS, queries_csv=QUERIES, pool_csv="query,document,source\nq1,007,a\n"
    )

    assert (len(read(files).documents), read(files).unpooled_documents) == (1, 1)
    assert len(read(files, Options(judged_by="plain", keep_unpooled=True)).documents) == 2


def test_judgments_alone_pool_nothing_which_is_said(folder):
    qrels = "query,document,grade\nq1,007,1\n"
    pool = "query,document,source\nq1,007,a\n"

    alone = read(folder(documents_csv=DOCUMENTS, queries_csv=QUERIES, qrels_csv=qrels))
    pooled = read(folder(pool_csv=pool))

    assert (alone.pool, alone.notes) == ([], [NO_POOL])
    assert (len(pooled.pool), pooled.notes) == (1, [])


RUN = "q1 Q0 007 1 2.5 bm25\nq1 Q0 1e5 2 1.5 bm25\n"


def test_runs_and_qrels_of_trec_come_in_beside_tables(folder):
    tables_alone = {"documents_csv": DOCUMENTS, "queries_csv": QUERIES}
    study = read(folder(**tables_alone, bm25_run=RUN, qrels_txt="q1 0 007 1\n"))

    assert [(run.tag, len(run.lines)) for run in study.runs] == [("bm25", 2)]
    assert [judgments.judgments[0][:3] for judgments in study.judgments] == [("q1", "007", "1")]
    assert [(row.document, row.sources) for row in study.pool] == [
        ("007", ("bm25",)),
        ("1e5", ("bm25",)),
    ]
    assert [document.id for document in study.documents] == ["007", "1e5"]


@pytest.mark.parametrize(
    ("pool", "settings", "pooled", "notes"),
    [
        ("", {}, ["007", "1e5"], [tables.RUNS_ARE_POOLED]),
        ("query,document\nq1,007\n", {}, ["007"], [tables.RUNS_ARE_NOT_POOLED]),
        ("query,document\nq1,007\n", {"pools": True}, ["007", "1e5"], [tables.RUNS_ARE_POOLED]),
        ("", {"pools": False}, [], []),
    ],
)
def test_runs_beside_tables_give_the_pools_where_no_table_does(
    folder, pool, settings, pooled, notes
):
    files = {"documents_csv": DOCUMENTS, "queries_csv": QUERIES, "bm25_run": RUN}
    study = read(
        folder(**files, **({"pool_csv": pool} if pool else {})),
        Options(judged_by="plain", settings=settings),
    )

    assert [row.document for row in study.pool] == pooled
    assert [run.tag for run in study.runs] == ["bm25"]
    assert study.notes == notes


def test_tables_whose_columns_are_to_be_matched_go_before_the_run_beside_them(folder):
    with open_files([folder(a_csv="Alpha,Beta\n1,2\n", bm25_run=RUN)]) as files:
        tables_first, trec = recognise(files)

    assert (tables_first.format, trec.format) == ("tables", "trec")
    assert [part.label for part in tables_first.parts] == ["Not recognised", "Run"]


def test_judgments_keep_their_literals_and_the_size_they_name(folder):
    study = read(
        folder(qrels_tsv="query\tabstract\tS\tsize_of_Q\n0\t190473\t06\t15\n"),
        Options(judged_by="aspects"),
    )

    (judgments,) = study.judgments
    assert (judgments.name, judgments.level) == ("qrels", "query")
    assert [judgment[:4] for judgment in judgments.judgments] == [("0", "190473", "06", "15")]


def test_a_judgment_whose_identifier_is_no_good_is_one_problem(folder):
    [(_, place, message)] = problems_of(folder(qrels_csv="query,document,grade\nq1,my id,1\n"))

    assert place == "line 2, column document"
    assert "has white space" in message


RATING = "query,document,rater,grade\n"
START = "id,title,text\n"
ID_COLUMN = "line 2, column id"


@pytest.mark.parametrize(
    ("name", "content", "place", "message"),
    [
        ("documents_csv", START + "a,b\n", "line 2", "2 cells; expected 3."),
        ("documents_csv", START + 'a,"b,c\n', "line 2", "broken CSV"),
        ("documents_csv", START.encode() + b"a,\xff,c\n", "line 2, byte 3", "UTF-8"),
        ("documents_csv", START + "a,\x00,c\n", "line 2, character 3", "NUL"),
        ("documents_csv", "id,id,text\na,b,c\n", "line 1", "two columns"),
        ("documents_csv", START + "a b,b,c\n", ID_COLUMN, "white space"),
        ("documents_csv", START + ",b,c\n", ID_COLUMN, "there is no identifier"),
        ("documents_csv", DOCUMENTS + "007,A,B\n", "line 4", "has another text in documents.csv"),
        (
            "documents_csv", 'id,sentences\na,"[""A\\u0000""]"\n', "line 2",
            "among the sentences: a NUL character",
        ),
        ("documents_jsonl", '{"id": 1.0, "title": "c"}', "line 1", "decimal number"),
        ("documents_jsonl", '{"id": 1, "id": 2}', "line 1", "occurs twice"),
        ("documents_jsonl", '\n{"id"\n', "line 3, column 1", "broken JSON"),
        ("documents_jsonl", "[1]", "line 1", "this is a list"),
        ("ratings_csv", RATING + "q2,007,R,1\n", "line 2", "'q2' is not among the queries."),
        ("ratings_csv", RATING + "q1,008,R,1\n", "line 2", "'008' is rated and has no text."),
        ("ratings_csv", RATING + "q1,007,,1\n", "line 2", "the rater is not named."),
        (
            "ratings_csv", RATING + "q1,007,R,1\nq1,007,R,2\n", "line 3",
            "R rated q1, 007 as '2' here, and as '1' in ratings.csv, line 2.",
        ),
        ("unknown_csv", "foo,bar\n1,2\n", "", "fit no part of a study"),
        (
            "wide_csv", "query_id,doc_id,Ann\nq7,007,1\nq7,008,1\n", "line 3",
            "the query q7 is the document 008 here, and 007 in wide.csv, line 2.",
        ),
        (
            "wide_csv", "query_id,doc_id,Ann\nq1,007,1\n", "line 2",
            "the query q1 is the document 007 here, and a text in queries.csv, line 2.",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_with_its_place(folder, name, content, place, message):
    everything = {"documents_csv": DOCUMENTS, "queries_csv": QUERIES, name: content}
    if name == "documents_jsonl":
        del everything["documents_csv"]

    (problem,) = problems_of(folder(**everything))

    assert problem[:2] == (name.replace("_", "."), place)
    assert message in problem[2]


@pytest.mark.parametrize("row", ["q1,008", "q2,007"])
def test_an_unknown_id_of_a_wide_row_is_one_problem_of_the_row(folder, row):
    wide = f"query,document,Ann,Ben\nq1,007,1,2\n{row},1,2\n"

    with pytest.raises(BadInputError) as caught:
        read(folder(documents_csv=DOCUMENTS, queries_csv=QUERIES, wide_csv=wide))

    [problem] = caught.value.problems
    assert (problem.place, caught.value.total) == ("line 3", 1)


@pytest.mark.parametrize(
    ("files", "unknown"),
    [
        ({"pool_csv": "query,document\n1,7.0\n"}, "'7.0'"),
        ({"pool_csv": "query,document\n1.0,7\n"}, "'1.0'"),
        ({"documents_csv": "id,text\n7.0,One.\n", "pool_csv": "query,document\n1,7\n"}, "'7'"),
        ({"ratings_csv": RATING + "1,7.0,R,1\n"}, "'7.0'"),
        ({"ratings_csv": RATING + "1.0,7,R,1\n"}, "'1.0'"),
        ({"queries_csv": "id,document\n1,7.0\n"}, "'7.0'"),
        ({"ratings_csv": "topic,document,rater,grade\n1.0,7,R,1\n"}, "'1.0'"),
        ({"bm25_run": "1.0 Q0 7 1 9.5 bm25\n"}, "the run shares no topic"),
        ({"documents_jsonl": '{"id": 7.0, "text": "One."}', "documents_csv": ""}, "7.0"),
    ],
)
def test_ids_that_were_made_decimals_are_told_to_be_so(folder, files, unknown):
    everything = {"documents_csv": "id,text\n7,One.\n", "queries_csv": "id,text\n1,What?\n"}
    everything = {name: text for name, text in (everything | files).items() if text}

    with pytest.raises(BadInputError) as caught:
        read(folder(**everything))

    [problem] = caught.value.problems
    assert unknown in problem.message
    assert "the same number as" in problem.remedy or "have been a whole number" in problem.remedy
    assert problem.remedy.endswith("Write the column as text, or in pandas as Int64.")


def test_raters_whose_numbers_were_made_decimals_are_the_people_of_these_numbers(folder):
    files = {"documents_csv": DOCUMENTS, "queries_csv": QUERIES}
    rows = pandas.DataFrame({"query": "q1", "document": "007", "rater": [3.0], "grade": 1})
    there = folder(**files, ratings_csv=RATING + "q1,007,12.0,1\nq1,007,v1.0,2\n")
    rows.to_parquet(there / "more-ratings.parquet")

    assert {rating.rater for rating in read(there).ratings} == {"3", "12", "v1.0"}


@pytest.mark.parametrize(
    ("written", "why"),
    [("7", "drop the zeros"), ("0007", "drop the zeros"), ("7.0", "as decimals")],
)
def test_ids_that_lost_their_zeros_are_told_to_have_lost_them(folder, written, why):
    files = {"documents_csv": DOCUMENTS, "queries_csv": QUERIES}
    with pytest.raises(BadInputError) as caught:
        read(folder(**files, ratings_csv=RATING + f"q1,{written},R,1\n"))

    [problem] = caught.value.problems
    assert problem.remedy.startswith(f"There is 007, the same number as {written}: pandas")
    assert why in problem.remedy


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("documents_csv", "id,sentences\n007,\"['One.', 'Two.']\"\n"),
        ("documents_csv", "id,text\n007,\"['One.', 'Two.']\"\n"),
        ("pool_csv", "query,document,source\nq1,007,\"['bm25', 'e5']\"\n"),
    ],
)
def test_a_list_as_pandas_writes_it_into_csv_is_no_text(folder, name, table):
    files = {"documents_csv": DOCUMENTS, "queries_csv": QUERIES, name: table}

    [problem] = problems_of(folder(**files))

    assert problem[:2] == (name.replace("_", "."), "line 2")
    assert "a list as Python prints it." in problem[2]


def test_a_decimal_id_that_no_other_id_is_like_is_told_as_any_unknown_one(folder):
    files = {"documents_csv": DOCUMENTS, "queries_csv": QUERIES}
    with pytest.raises(BadInputError) as caught:
        read(folder(**files, ratings_csv=RATING + "q1,8.0,R,1\n"))

    [problem] = caught.value.problems
    assert problem.remedy == "Add it to the documents, or correct the id."


def test_rated_document_is_in_the_pool_where_there_is_one(folder):
    files = folder(
        documents_csv=DOCUMENTS,
        queries_csv=QUERIES,
        pool_csv="query,document,source\nq1,1e5,a\n",
        ratings_csv=RATING + "q1,007,R,1\n",
    )

    (problem,) = problems_of(files)

    assert problem[:2] == ("ratings.csv", "line 2")
    assert "in none of its pools" in problem[2]


def test_facet_that_the_scheme_does_not_have_is_reported(folder):
    files = folder(queries_csv="id,text,facet\nq,What?,purpose\n")

    (problem,) = problems_of(files, Options(facets=("method",)))

    assert problem[2] == "the facet 'purpose' is not in the scheme."
    mapping = {"facets": {"purpose": "method"}}
    assert read(files, Options(facets=("method",), mapping=mapping)).topics[0].id == "q_method"


def test_templates_are_tables_that_can_be_read(tmp_path):
    for name, data in templates():
        if name not in ("aspects.csv", "decisions.csv"):
            (tmp_path / name).write_bytes(data)

    study = read(tmp_path)

    assert len(study.documents) == 2
    assert [(rating.rater, rating.grade) for rating in study.ratings] == [
        ("rater1@example.org", "2"),
        ("rater2@example.org", None),
    ]


def test_recognition_says_what_it_takes_each_table_for(folder):
    place = folder(documents_csv=DOCUMENTS, queries_csv=QUERIES, notes_csv="foo\nbar\n")

    with open_files([place]) as files:
        recognition = tables.recognise(files)

    assert recognition.sentence == "Tables: documents, queries."
    assert [(part.file, part.key) for part in recognition.parts] == [
        ("documents.csv", "documents"), ("notes.csv", "?"), ("queries.csv", "queries"),
    ]  # fmt: skip
    assert recognition.parts[0].columns[0].first_values == ("007", "1e5")
    assert json.loads(json.dumps(recognition.mapping())) == recognition.mapping()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it cannot be read as a table: the file is empty"),
        (b"\n \n", "it cannot be read as a table: the file is empty"),
        (b"id,title,title\nd1,a,b\n", "two columns are called 'title'"),
        ("id,text\nd1,x\n".encode("utf-16-le"), "this is text in UTF-16, not UTF-8"),
        (b"id,text\rd1,x\r", "its lines end with a carriage return alone"),
        (
            b"text,_input_hash,_task_hash,label\n",
            "this is an export of Prodigy, which is not read.",
        ),
        (b"#FORMAT=WebAnno TSV 3.3\n\n#Text=One\n", "this is an export of INCEpTION or WebAnno"),
        (b"doc_a,doc_b,text\nd1,d2,x\n", "a row names two documents: 'doc_a', 'doc_b'."),
        (b"id|text\nd1|x\n", "its columns fit no part of a study: 'id|text'"),
        (b"Our data,\nid,text\nd1,x\n", "its columns fit no part of a study"),
    ],
)
def test_a_table_that_cannot_be_read_refuses_the_import_also_as_it_was_guessed(
    tmp_path, data, message
):
    (tmp_path / "documents.csv").write_bytes(data)
    (tmp_path / "queries.csv").write_text("id,text\nq,What?\n")
    with open_files([tmp_path]) as files:
        guess = tables.recognise(files).mapping()

    for mapping in ({}, guess):
        [(file, _, problem)] = problems_of(tmp_path, Options(judged_by="plain", mapping=mapping))
        assert file == "documents.csv"
        assert message in problem


def test_a_sheet_beside_those_of_a_study_is_left_alone(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["Notes of mine"])
    for row in (["id", "text"], ["q", "What?"]):
        (book["queries"] if "queries" in book else book.create_sheet("queries")).append(row)
    book.save(tmp_path / "study.xlsx")

    with open_files([tmp_path]) as files:
        recognition = tables.recognise(files)

    assert [part.key for part in recognition.parts] == ["", "queries"]


def test_table_without_rows_and_sheet_of_which_nothing_is_read_are_named(tmp_path):
    book = openpyxl.Workbook()
    for title, rows in {
        "Queries": [["id", "text"], ["q1", "What?"]],
        "Ratings": [["query", "document", "rater", "grade"]],
        "Notes": [["To do", "by"]],
    }.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "study.xlsx")

    with open_files([tmp_path / "study.xlsx"]) as files:
        mapping = tables.recognise(files).mapping()
        study = tables.read(files, replace(PLAIN, mapping=mapping))

    assert study.notes == [
        "Sheets of which nothing was read: study.xlsx \u203a Notes.",
        "study.xlsx \u203a Ratings has columns, and no row.",
    ]


def test_a_text_whose_first_line_names_columns_is_a_table(tmp_path):
    (tmp_path / "queries.txt").write_text("id\ttext\nq\tWhat, then?\n")
    (tmp_path / "notes.txt").write_text("Some words, and more.\n")

    with open_files([tmp_path]) as files:
        recognition = tables.recognise(files)
        left = left_alone(files, recognition.mapping())

    assert [(part.file, part.key) for part in recognition.parts] == [("queries.txt", "queries")]
    assert left == ["notes.txt"]


def test_labels_of_a_document_without_sentences_are_kept_beside_it(folder):
    place = folder(
        documents_jsonl='{"id": "d", "text": "So.", "labels": {"topic": ["IR"]}}\n',
        queries_csv="id,text\nq,What?\n",
        pool_csv="query,document\nq,d\n",
    )

    study = read(place, Options(judged_by="plain"))

    assert study.documents["d"].metadata == {"labels": {"topic": ["IR"]}}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"documents_jsonl": '{"id": "d", "sentences": ["A."], "labels": [{"x": 1}]}\n'},
            ("documents.jsonl", "line 1",
             "among the labels: an object; expected text or a number."),
        ),
        (
            {"ratings_csv": "query,document,rater,grade\n,d,ann,1\n"},
            ("ratings.csv", "line 2", "no query is named."),
        ),
    ],
)  # fmt: skip
def test_cells_that_hold_something_else_are_named(folder, files, expected):
    whole = {"queries_csv": "id,text\nq,What?\n", "pool_csv": "query,document\nq,d\n"} | files

    [problem] = problems_of(folder(**whole))

    assert problem == expected


def test_csfcube_written_as_tables_gives_the_same_records(shared_data, tmp_path):
    study = csfcube_study(shared_data / "csfcube-half")

    again = read(written(study, tmp_path / "tables"), Options(facets=tuple(FACETS)))

    assert [(topic.id, topic.facet) for topic in again.topics] == [
        (topic.id, topic.facet) for query in study.queries
        for topic in study.topics if topic.places[0].query == query.id
    ]  # fmt: skip
    assert [candidate[:6] for candidate in again.pool] == [
        candidate[:6] for candidate in study.pool
    ]
    assert [rating[:5] for rating in again.ratings] == [rating[:5] for rating in study.ratings]
    assert [decision[:4] for decision in again.decisions] == [
        decision[:4] for decision in study.decisions
    ]
    assert [document[:3] for document in again.documents] == [
        document[:3] for document in study.documents
    ]


def test_in_a_topic_of_a_crowd_nobody_was_to_rate_everything(folder):
    rows = [f"q1,{document},R{n},1\n" for n in range(6) for document in ("007", "1e5")[n % 2 :]]
    few = folder(documents_csv=DOCUMENTS, queries_csv=QUERIES, ratings_csv=RATING + "".join(rows))
    assert sum(rating.grade is None for rating in read(few).ratings) == 3

    many = [f"q1,{('007', '1e5')[n % 2]},R{n},1\n" for n in range(10)]
    (few / "ratings.csv").write_text(RATING + "".join(many))
    assert len(read(few).ratings) == 10


def test_progress_is_reported_in_bytes_of_all_files(folder):
    place = folder(documents_csv=DOCUMENTS, queries_csv=QUERIES)
    steps = []

    read(
        place, Options(judged_by="plain", progress=lambda done, total: steps.append((done, total)))
    )

    total = len(DOCUMENTS) + len(QUERIES)
    assert steps == [(0, total), (len(QUERIES), total)]


def test_a_grade_that_nobody_gave_is_left_out_and_said(folder):
    study = read(folder(pairs_csv="query,query_text,document,text,grade\nq1,What?,d1,A text.,2\n"))

    assert study.ratings == []
    assert [(entry.sentence[:21], str(entry.place)) for entry in study.left_out] == [
        ("A grade without a rat", "pairs.csv, line 2, column grade")
    ]


def test_of_two_decisions_on_a_pair_the_same_without_a_name_counts_once(folder):
    tables_of_both = {
        "documents_csv": DOCUMENTS,
        "queries_csv": QUERIES,
        "decisions_csv": "query,document,adjudicator,grade\nq1,007,Carol,1\nq1,1e5,Carol,0\n",
    }

    study = read(folder(**tables_of_both, gold_csv="query,document,gold\nq1,007,1\n"))

    assert [decision.adjudicator for decision in study.decisions] == ["Carol", "Carol"]
    assert study.left_out_count == 1
    for other in ("gold\nq1,007,0", "gold,adjudicator\nq1,007,1,Dora"):
        place = folder(**tables_of_both, gold_csv=f"query,document,{other}\n")
        [(_, _, message)] = problems_of(place)
        assert "was decided in decisions.csv, line 2 already" in message


def test_json_lines_without_a_row_are_called_so(folder):
    place = folder(queries_csv=QUERIES, decisions_jsonl="\n")

    assert problems_of(place) == [("decisions.jsonl", "", "there is no row in it.")]


def test_only_what_somebody_decided_and_stands_is_a_decision(folder):
    rows = [
        "q1,007,1,yes,adjudicated",
        "q1,1e5,0,NO,adjudicated",
        "q1,1e5,0,,Consensus",
        "q1,1e6,0,,consensus",
        "q1,1e5,0,true,seat",
    ]

    study = read(
        folder(
            documents_csv=DOCUMENTS,
            queries_csv=QUERIES,
            decisions_csv="query,document,grade,standing,origin\n" + "\n".join(rows),
        )
    )

    assert [decision.document for decision in study.decisions] == ["007"]
    assert [(entry.sentence, entry.places) for entry in study.left_out] == [
        ("A decision that a later one took the place of.", "decisions.csv, line 3"),
        ("Gold by agreement: it follows from the ratings.", "decisions.csv, line 4, and 1 further"),
        ("Gold of the origin 'seat', which nobody decided.", "decisions.csv, line 6"),
    ]
    assert study.left_out_count == 4


def test_a_word_that_does_not_say_whether_a_decision_stands_is_refused(folder):
    place = folder(
        documents_csv=DOCUMENTS,
        queries_csv=QUERIES,
        decisions_csv="query,document,grade,standing\nq1,007,1,perhaps\n",
    )

    [(file, line, message)] = problems_of(place)
    assert (file, line) == ("decisions.csv", "line 2")
    assert message == "'perhaps' does not say whether the decision stands."


RATED = "query,document,rater,grade,overlap\n"


@pytest.mark.parametrize(
    ("rows", "place", "message"),
    [
        (["q1,007,ann,1,2", "q1,007,ben,1,3"], "line 3", "the overlap of q1, 007 is 3 here, and 2"),
        (["q1,007,ann,1,1", "q1,007,ben,1,1"], "line 2", "is 1, and 2 people rated it."),
        (["q1,007,ann,1,0"], "line 2", "the overlap is 0; from 1 to 9 people rate a pair."),
        (["q1,007,ann,1,10"], "line 2", "the overlap is 10; from 1 to 9 people rate a pair."),
        (["q1,007,ann,1,2.5"], "line 2", "the overlap '2.5' is not a whole number."),
    ],
)
def test_an_overlap_that_cannot_be_is_refused(folder, rows, place, message):
    ratings = RATED + "\n".join(rows)
    files = folder(documents_csv=DOCUMENTS, queries_csv=QUERIES, ratings_csv=ratings)

    assert [(file, line, message in text) for file, line, text in problems_of(files)] == [
        ("ratings.csv", place, True)
    ]


def test_an_incomplete_export_that_names_no_overlap_is_noted(folder):
    ratings = "topic,document,batch,seat,annotator,option,scheme_version\nq1,007,b,1,ann,1,1\n"
    place = folder(documents_csv=DOCUMENTS, queries_csv=QUERIES)
    (place / "ratings-incomplete.csv").write_text(ratings)

    [note] = read(place).notes

    assert note.startswith("ratings-incomplete.csv is an incomplete export that does not say")


@pytest.mark.parametrize("judged_by", ["plain", "facets", "aspects"])
def test_a_pool_may_name_a_stored_topic_alone(folder, judged_by):
    options = Options(
        judged_by=judged_by,
        facets=("method",) if judged_by == "facets" else (),
        known_queries={"q1": ""},
        known_topics={"t": ["q1"]},
    )

    study = read(folder(documents_csv=DOCUMENTS, pool_csv="topic,document\nt,007\n"), options)

    assert [(entry.query, entry.topic) for entry in study.pool] == [("q1", "t")]


def test_a_pool_of_an_aspect_in_several_queries_must_name_one(folder):
    options = Options(judged_by="aspects", known_topics={"t": ["q1", "q2"]})
    place = folder(documents_csv=DOCUMENTS, pool_csv="topic,document\nt,007\n")

    assert problems_of(place, options) == [("pool.csv", "line 2", "there is no query.")]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("id,query,document,position,sources,ranks", "x,q1,{},0,[],{{}}"),
        ("topic,query,document,side_title,side_text", "q1,q1,{},,"),
    ],
)
def test_a_pool_written_here_has_no_quotes_of_formulas(folder, header, row):
    cells = "\n".join(row.format(cell) for cell in ("'-1", "''=x", "'y"))
    place = folder(
        documents_csv="id,text\n-1,One.\n'=x,Two.\n'y,Three.\n",
        queries_csv=QUERIES,
        pool_csv=f"{header}\n{cells}\n",
    )

    assert [entry.document for entry in read(place).pool] == ["-1", "'=x", "'y"]


def test_aspects_that_the_files_or_the_collection_know_can_be_rated_and_others_not(folder):
    files = {
        "documents_csv": DOCUMENTS,
        "queries_csv": QUERIES,
        "aspects_csv": "id,text,query\na1,First,q1\n",
    }
    rows = "aspect,query,document,rater,grade\n"
    options = Options(judged_by="aspects", known_topics={"t": ["q9"]})

    study = read(folder(**files, ratings_csv=f"{rows}a1,q1,007,R,1\nt,,007,R,2\n"), options)

    assert [(rating.topic, rating.grade) for rating in study.ratings] == [("a1", "1"), ("t", "2")]
    place = folder(**files, ratings_csv=f"{rows}other,,007,R,1\n")
    [(file, line, message)] = problems_of(place, options)
    assert (file, line) == ("ratings.csv", "line 2")
    assert message.startswith("the aspect 'other' is not among")


def test_what_a_row_says_beside_a_query_is_said_of_its_facets_where_it_names_them(folder):
    options = Options(facets=("method", "result"))
    queries = "id,text,facets,venue\nq1,What?,method,ACL\n"

    with_facets = read(folder(queries_csv=queries), options)
    plain = read(folder(queries_csv="id,text,venue\nq1,What?,ACL\n"))

    [query] = with_facets.queries
    assert (query.metadata, with_facets.topics[0].metadata) == ({}, {"venue": "ACL"})
    assert plain.queries[0].metadata == {"venue": "ACL"}


def test_a_text_that_cannot_be_read_is_no_table(tmp_path):
    (tmp_path / "notes.txt").write_bytes(b"id,text\xff,x\n")
    (tmp_path / "queries.txt").write_text("id,text\nq1,What?\n")

    with open_files([tmp_path]) as files:
        parts = tables.recognise(files).parts

    assert [part.file for part in parts] == ["queries.txt"]


def test_sheets_that_fit_no_part_are_named_and_the_workbook_is_not_left_alone(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "queries"
    for row in (["id", "text"], ["q", "What?"]):
        book.active.append(row)
    for number in range(10):
        book.create_sheet(f"notes {number}").append(["Notes of mine"])
    book.save(tmp_path / "study.xlsx")

    with open_files([tmp_path]) as files:
        mapping = tables.recognise(files).mapping()
        assert left_alone(files, mapping) == []
        study = tables.read(files, replace(PLAIN, mapping=mapping))

    [note] = [note for note in study.notes if note.startswith("Sheets")]
    assert note.endswith("notes 7 and 2 more.")


ENDS = Options(facets=("method", "sub_method"))


@pytest.mark.parametrize(
    "ratings",
    [
        "query,facet,document,rater,grade\np,sub_method,007,ann,1\np_sub,method,007,ann,0\n",
        "topic,document,rater,grade\np_sub_method,007,ann,1\n",
    ],
)
def test_two_topics_of_one_name_are_refused(folder, ratings):
    place = folder(
        documents_csv=DOCUMENTS,
        queries_csv="id,text,facet\np,A?,sub_method\np_sub,B?,method\n",
        ratings_csv=ratings,
    )

    assert {message for _, _, message in problems_of(place, ENDS)} <= {
        f"the topic 'p_sub_method' of the query '{query}' has the name of a topic of the query "
        f"'{other}'."
        for query, other in [("p", "p_sub"), ("p_sub", "p")]
    }


@pytest.mark.parametrize(("facet", "query"), [("method", "p_sub"), ("sub_method", "p")])
def test_a_topics_name_is_of_the_query_that_is_asked_under_its_facet(folder, facet, query):
    others = {"p": "method", "p_sub": "sub_method"} | {query: facet}
    place = folder(
        documents_csv=DOCUMENTS,
        queries_csv="id,text,facet\n" + "".join(f"{q},A?,{f}\n" for q, f in others.items()),
        ratings_csv="topic,document,rater,grade\np_sub_method,007,ann,1\n",
    )

    study = read(place, ENDS)

    [topic] = [topic for topic in study.topics if topic.id == "p_sub_method"]
    assert topic.places[0].query == query


def test_the_same_row_twice_counts_once_and_is_told(folder):
    study = read(
        folder(
            documents_csv="id,text,year\nd,One.,2001\nd,One.,2001\n",
            queries_csv="id,text\nq,What?\nq,What?\n",
            pool_csv="query,document,source,rank\nq,d,bm25,1\nq,d,bm25,1\n",
        )
    )

    assert (len(study.documents), len(study.queries), len(study.pool)) == (1, 1, 1)
    assert [left_out.sentence for left_out in study.left_out] == [
        "The query q is the same in queries.csv, line 2.",
        "The document d of the query q is the same in pool.csv, line 2.",
        "The document d is the same in documents.csv, line 2.",
    ]


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        ("documents_csv", "d,One.,2002", "the document d stands in documents.csv, line 2 already"),
        ("queries_csv", "q,What?,2002", "the query q stands in queries.csv, line 2 already"),
        ("pool_csv", "q,d,bm25,2,", "the document d of the query q stands in pool.csv, line 2"),
        ("pool_csv", "q,d,e5,1,Other.", "has another side text in pool.csv, line 2"),
    ],
)
def test_a_row_again_with_another_column_is_refused(folder, name, row, message):
    files = {
        "documents_csv": "id,text,year\nd,One.,2001\n",
        "queries_csv": "id,text,year\nq,What?,2001\n",
        "pool_csv": "query,document,source,rank,side_text\nq,d,bm25,1,An answer.\n",
    }
    files[name] += f"{row}\n"

    [(file, place, found)] = problems_of(folder(**files))

    assert (file, place) == (name.replace("_", "."), "line 3")
    assert message in found


def test_the_side_text_of_a_candidate_may_stand_in_any_of_its_rows(folder):
    study = read(
        folder(
            documents_csv=DOCUMENTS,
            queries_csv=QUERIES,
            pool_csv="query,document,source,side_text\nq1,007,bm25,\nq1,007,e5,An answer.\n",
        )
    )

    [entry] = study.pool
    assert (entry.sources, entry.side_text) == (("bm25", "e5"), "An answer.")


def test_what_all_rows_of_a_name_lack_is_listed_once(folder):
    rows = "\n".join(f"q9,d{number},R1,1" for number in range(3))
    ratings = f"query,document,rater,grade\nq1,d9,R1,1\nq1,d9,R2,2\n{rows}\n"
    place = folder(documents_csv=DOCUMENTS, queries_csv=QUERIES, ratings_csv=ratings)
    pool = folder(pool_csv="query,document\nq8,007\nq8,1e5\n")

    with pytest.raises(BadInputError) as caught:
        read(place)
    (place / "ratings.csv").unlink()
    with pytest.raises(BadInputError) as pooled:
        read(pool)

    assert (caught.value.total, len(caught.value.problems)) == (3, 1)
    assert "'q9' is not among" in caught.value.problems[0].message
    assert (pooled.value.total, len(pooled.value.problems)) == (2, 1)
    assert "'q8' is not among" in pooled.value.problems[0].message


def test_an_empty_cell_of_merged_ones_is_explained(folder):
    place = folder(
        documents_csv=DOCUMENTS, queries_csv=QUERIES, pool_csv="query,document\nq1,007\n,1e5\n"
    )

    with pytest.raises(BadInputError) as caught:
        read(place)

    assert "of merged cells only the first has a value" in caught.value.problems[0].remedy


def test_a_sheet_called_after_a_part_is_asked_for_what_it_lacks(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Pool"
    for row in (["query", "document", "source"], ["q1", "007", "bm25"]):
        book.active.append(row)
    sheet = book.create_sheet("Queries")
    for row in (["qid", "Anfrage"], ["q1", "Was?"]):
        sheet.append(row)
    book.save(tmp_path / "study.xlsx")

    problems = problems_of(tmp_path)

    assert problems[0] == (
        "study.xlsx",
        "sheet Queries",
        "no column is matched with Text or Query document or Facets.",
    )


def test_side_texts_beside_ratings_are_no_pool(folder):
    study = read(
        folder(
            documents_csv=DOCUMENTS,
            queries_csv=QUERIES,
            ratings_csv="query,document,rater,grade\nq1,007,R1,1\nq1,1e5,R1,2\n",
            texts_csv="topic,document,side_title,side_text\nq1,1e5,Answer,It is so.\n",
        )
    )

    assert {entry.document: entry.side_text for entry in study.pool} == {
        "1e5": "It is so.",
        "007": "",
    }


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (["documents", "queries"], "Tables: documents, queries."),
        (["queries", "ratings", "queries", "ratings"], "Tables: queries (2), ratings (2)."),
        (["ratings", "?", "", "run"], "Tables: ratings, run."),
        (["qrels", "pool"], "Tables: judgments made elsewhere, pool."),
        (["?"], "Tables whose columns are to be matched."),
        (["?", "run"], "Tables whose columns are to be matched."),
        ([], "Tables whose columns are to be matched."),
    ],
)
def test_the_parts_are_counted_in_words(parts, sentence):
    assert tables.in_words(iter(parts)) == sentence


@pytest.mark.parametrize(
    ("files", "certainty"),
    [
        ({"queries_csv": QUERIES}, 2),
        ({"queries_csv": QUERIES, "notes_csv": "foo\nbar\n"}, 2),
        ({"notes_csv": "foo\nbar\n"}, 1),
        ({"notes_csv": "foo\nbar\n", "a_run": "q Q0 d 1 2.5 bm25\n"}, 1),
    ],
)
def test_tables_are_surer_where_one_is_a_part_of_a_study(folder, files, certainty):
    with open_files([folder(**files)]) as opened:
        recognition = tables.recognise(opened)

    assert recognition.certainty == certainty
    assert recognition.sentence == tables.in_words(part.key for part in recognition.parts)
    # What people match is said as they matched it.
    parts = {part.file: {"part": "pool"} for part in recognition.parts}
    assert recognition.sentence_of({"files": parts}).startswith("Tables: pool")


def test_files_of_which_none_is_a_table_are_one_problem(folder):
    problems = problems_of(folder(b_txt="Some words.\n", a_txt="Others.\n"))

    assert problems == [("a.txt", "", "no table of a study was recognised.")]


def test_a_table_that_cannot_be_read_is_the_only_problem(folder):
    [(file, place, _)] = problems_of(folder(a_csv="id,id\n", b_txt="Some words.\n"))

    assert (file, place) == ("a.csv", "line 1")


def test_tables_that_are_left_alone_leave_nothing_to_read(folder):
    mapping = {"files": {"queries.csv": {"part": ""}}}

    problems = problems_of(
        folder(queries_csv=QUERIES), Options(judged_by="plain", mapping=mapping)
    )  # fmt: skip

    assert problems == [("queries.csv", "", "no table of a study was recognised.")]


GRADES = "query,document,grade\nq1,007,1\n"


@pytest.mark.parametrize(
    "files",
    [
        {"ann_csv": GRADES},
        {"ann_csv": GRADES, "ben_csv": GRADES, "all_csv": RATING + "q1,007,R,1\n"},
        {
            "ann_csv": GRADES, "ben_csv": GRADES,
            "pairs_csv": "query,query_text,document,text,rater,grade\nq2,How?,d2,So.,R,1\n",
        },
    ],
)  # fmt: skip
def test_one_table_of_grades_or_several_beside_ratings_need_no_word(folder, files):
    study = read(folder(documents_csv=DOCUMENTS, queries_csv=QUERIES, **files))

    assert [note for note in study.notes if note.startswith("Tables of grades")] == []


def test_columns_of_a_pool_that_begin_with_grades_are_told(folder):
    pool = "query,document,source,Ann,Ben\nq1,007,bm25,2,0\nq1,1e5,bm25,0,1\n"
    mapping = {
        "files": {
            "pool.csv": {
                "part": "pool",
                "columns": {"query": "query", "document": "document", "sources": "source"},
            }
        }
    }
    place = folder(documents_csv=DOCUMENTS, queries_csv=QUERIES, pool_csv=pool)

    study = read(place, Options(judged_by="plain", mapping=mapping))

    assert (
        "pool.csv has columns that are no ratings and begin with grades: Ann, Ben. If raters gave "
        "them, bring a table of query, document and these columns too."
    ) in study.notes
