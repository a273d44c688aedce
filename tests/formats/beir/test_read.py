"""BEIR's folders and zips: qrels are judgments, and what nobody pooled is counted."""

import json
import zipfile

import pytest

from formats.beir import read as beir
from formats.files import open_files
from formats.problems import BadInputError
from formats.reading import Options
from tests.formats.registered import recognise

PLAIN = Options(judged_by="plain")


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


FILES = {
    "corpus.jsonl": lines(
        {"_id": "d1", "title": "T", "text": "One. Two.", "metadata": {"year": 1}},
        {"_id": "d2", "title": "", "text": "Three."},
    ),
    "queries.jsonl": lines({"_id": "q1", "text": "A?"}, {"_id": "q2", "text": "B?"}),
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t2\n",
    "qrels/train.tsv": "query-id\tcorpus-id\tscore\nq2\td2\t1\n",
}


@pytest.fixture
def zipped(tmp_path):
    def write(**changes):
        with zipfile.ZipFile(tmp_path / "beir.zip", "w") as archive:
            for name, content in (FILES | changes).items():
                if content is not None:
                    archive.writestr(f"set/{name}", content)
        return tmp_path / "beir.zip"

    return write


def test_split_for_testing_is_taken_and_the_rest_is_counted(zipped):
    with open_files([zipped()]) as files:
        assert recognise(files)[0].format == "beir"
        study = beir.read(files, PLAIN)
        assert study.fingerprint == files.fingerprint

    assert [
        (judgment.name, [judgment[:3] for judgment in judgment.judgments])
        for judgment in study.judgments
    ] == [("test", [("q1", "d1", "2")])]
    assert [(candidate.query, candidate.document) for candidate in study.pool] == [("q1", "d1")]
    assert [query.id for query in study.queries] == ["q1"]
    assert [(document.id, document.metadata) for document in study.documents] == [
        ("d1", {"year": 1})
    ]
    assert study.unpooled_documents == 1
    assert "queries that no chosen split judges, which are left out: 1." in study.notes[0]


def test_runs_beside_a_corpus_without_qrels_give_the_pools(zipped):
    run = "q1 Q0 d2 1 1.0 dense\n"
    with open_files([zipped(**{"runs/dense.run": run})]) as files:
        judged = beir.read(files, PLAIN)
    without = dict.fromkeys(["qrels/test.tsv", "qrels/train.tsv"])
    with open_files([zipped(**without, **{"runs/dense.run": run})]) as files:
        ranked = beir.read(files, PLAIN)

    assert [(study.runs[0].tag, study.pool[0].document) for study in (judged, ranked)] == [
        ("dense", "d1"),
        ("dense", "d2"),
    ]
    assert len(judged.pool) == 1


def test_qrels_of_mteb_are_lines_of_json(zipped):
    row = {"query-id": "q1", "corpus-id": "d1", "score": 1.50}
    names = {"qrels/test.tsv": None, "qrels/test.jsonl": lines(row, row | {"corpus-id": "d2"})}

    with open_files([zipped(**names)]) as files:
        study = beir.read(files, PLAIN)

    (judgments,) = study.judgments
    assert judgments.name == "test"
    assert [judgment[:3] for judgment in judgments.judgments] == [
        ("q1", "d1", "1.5"),
        ("q1", "d2", "1.5"),
    ]


@pytest.mark.parametrize("folder", ["", "set/"])
def test_qrels_that_cannot_be_read_are_refused_and_not_left_alone(tmp_path, folder):
    with zipfile.ZipFile(tmp_path / "beir.zip", "w") as archive:
        for name, content in (FILES | {"qrels/test.jsonl": "{}\n"}).items():
            archive.writestr(f"{folder}{name}", content)

    with open_files([tmp_path / "beir.zip"]) as files:
        parts = {part.file: part.key for part in beir.recognise(files).parts}

    assert parts[f"beir.zip \u203a {folder}qrels/test.jsonl"] == "qrels"


def test_everything_is_kept_when_asked_for(zipped):
    with open_files([zipped()]) as files:
        study = beir.read(files, Options(judged_by="plain", keep_unpooled=True))

    assert (len(study.documents), len(study.queries)) == (2, 2)


def test_another_split_may_be_chosen(zipped):
    name = "beir.zip \u203a set/qrels/{}.tsv"
    chosen = {name.format("test"): {"part": ""}, name.format("train"): {"part": "qrels"}}

    with open_files([zipped()]) as files:
        study = beir.read(files, Options(judged_by="plain", mapping={"files": chosen}))

    assert [judgments.name for judgments in study.judgments] == ["train"]


@pytest.mark.parametrize(
    ("name", "content", "place", "message"),
    [
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\n", "line 2", "2 columns"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\thigh\n", "line 2, column score",
         "no number"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\tnan\n", "line 2, column score",
         "the score 'nan' is no number"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1_0\n", "line 2, column score",
         "the score '1_0' is no number"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td1\t1\n", "line 3",
         "in line 2 already"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq7\td1\t1\n", "line 2",
         "'q7' is not among the queries."),
        ("qrels/test.jsonl", lines({"query-id": "q1", "corpus-id": ["d1"], "score": 1}),
         "line 1, column corpus-id", "a list; expected text"),
        ("qrels/test.jsonl", lines({"query-id": "q1", "corpus-id": "d1", "score": "high"}),
         "line 1, column score", "no number"),
        ("qrels/test.jsonl", '{"query-id": "q1", "corpus-id": "d1", "score": NaN}\n', "line 1",
         "NaN"),
        ("qrels/test.jsonl", lines({"query-id": "q1", "corpus-id": "d1"}),
         "line 1, column score", "no number"),
        ("corpus.jsonl", FILES["corpus.jsonl"] + '{"_id": 1.5, "text": "x"}\n', "line 3",
         "decimal number"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_with_its_line(zipped, name, content, place, message):
    with open_files([zipped(**{name: content})]) as files, pytest.raises(BadInputError) as caught:
        beir.read(files, PLAIN)

    (problem,) = caught.value.problems
    assert (problem.file, problem.place) == (f"beir.zip \u203a set/{name}", place)
    assert message in problem.message


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("test.tsv", "query-id\tcorpus-id\tscore\n", "qrels"),
        ("test.tsv", "\ufeffquery-id\tcorpus-id\tscore\r\n", "qrels"),
        ("test.tsv", "corpus-id\tquery-id\tscore\n", None),
        ("test.tsv", "", None),
        ("qrels.tsv", "", "qrels"),
        ("more.jsonl", lines({"_id": "q", "text": "A?"}), "queries"),
        ("corpus-2.jsonl", lines({"_id": "d", "text": "One."}), "documents"),
        ("more.jsonl", lines({"_id": "d", "title": "", "text": "One."}), "documents"),
        ("more.jsonl", lines({"_id": "d"}), None),
        ("a.run", "q1 Q0 d1 1 2.5 x\n", "run"),
        ("notes.txt", "Some words.\n", None),
    ],
)
def test_files_of_a_folder_are_told_by_their_first_line_or_their_name(zipped, name, content, kind):
    without = {"qrels/test.tsv": None, "qrels/train.tsv": None}
    with open_files([zipped(**without, **{name: content})]) as files:
        parts = {part.file.rpartition("set/")[2]: part.key for part in beir.recognise(files).parts}

    assert parts.pop("corpus.jsonl") == "documents"
    assert parts.pop("queries.jsonl") == "queries"
    assert parts == ({} if kind is None else {name: kind})


def test_a_query_whose_id_is_no_good_is_told_and_not_counted_as_unjudged(zipped):
    queries = FILES["queries.jsonl"] + lines({"_id": "a b", "text": "C?"})

    with (
        open_files([zipped(**{"queries.jsonl": queries})]) as files,
        pytest.raises(BadInputError) as caught,
    ):
        beir.read(files, PLAIN)

    [problem] = caught.value.problems
    assert (problem.place, problem.column) == ("line 3, column _id", "_id")


@pytest.mark.parametrize("written", ["5.0", "005"])
def test_queries_whose_ids_were_rewritten_in_the_qrels_are_told_so(zipped, written):
    queries = lines({"_id": "5", "text": "A?"})
    qrels = f"query-id\tcorpus-id\tscore\n{written}\td1\t1\n"
    changes = {"queries.jsonl": queries, "qrels/test.tsv": qrels, "qrels/train.tsv": None}

    with open_files([zipped(**changes)]) as files, pytest.raises(BadInputError) as caught:
        beir.read(files, PLAIN)

    [problem] = caught.value.problems
    assert problem.remedy.startswith(f"There is 5, the same number as {written}: pandas and")


FACETED = Options(facets=("background", "method"))


def topic(query, facet, document, **more):
    """A row of a query under a facet, as our own export writes it."""
    metadata = {"query": query, "facet": facet, "document": document, **more}
    return {"_id": f"{query}_{facet}", "text": f"{query} {facet}", "metadata": metadata}


def faceted(zipped, *queries):
    qrels = "".join(f"{query['_id']}\td1\t1\n" for query in queries)
    place = zipped(
        **{
            "queries.jsonl": lines(*queries),
            "qrels/test.tsv": f"query-id\tcorpus-id\tscore\n{qrels}",
        }
    )
    with open_files([place]) as files:
        return beir.read(files, FACETED)


def test_queries_that_say_their_facet_are_topics(zipped):
    study = faceted(
        zipped,
        topic("q", "background", "d2", n=1),
        topic("q", "method", "d2"),
        topic("r", "method", None),
    )

    assert [(query.id, query.document, query.text) for query in study.queries] == [
        ("q", "d2", ""),
        ("r", "", "r method"),
    ]
    assert [(topic.id, topic.facet, topic.metadata) for topic in study.topics] == [
        ("q_background", "background", {"n": 1}),
        ("q_method", "method", {}),
        ("r_method", "method", {}),
    ]
    assert [(entry.query, entry.topic) for entry in study.pool] == [
        ("q", "q_background"),
        ("q", "q_method"),
        ("r", "r_method"),
    ]
    assert [judgments.level for judgments in study.judgments] == ["topic"]


@pytest.mark.parametrize(
    "other",
    [
        topic("q", "method", None) | {"metadata": {"query": "q", "facet": "method"}},
        topic("q", "method", None) | {"_id": "s_method"},
        topic("q", "result", None),
    ],
)
def test_queries_that_only_look_like_topics_stay_queries_and_are_noted(zipped, other):
    study = faceted(zipped, topic("r", "method", None), other)

    assert [query.id for query in study.queries] == ["r_method", other["_id"]]
    assert study.judgments[0].level == "query"
    assert study.notes[0].startswith("Queries called like a query under a facet: r_method")


def test_qrels_without_the_names_of_their_columns_are_refused(zipped):
    place = zipped(**{"qrels/test.tsv": "q1\td1\t2\n"})

    with open_files([place]) as files, pytest.raises(BadInputError) as caught:
        beir.read(files, PLAIN)

    [problem] = caught.value.problems
    assert (problem.file.endswith("set/qrels/test.tsv"), problem.place) == (True, "line 1")
    assert "query-id, corpus-id, score" in problem.remedy
