"""LitSearch's rows, as JSON lines and as Parquet."""

import json

import pandas
import pytest

from formats.files import open_files
from formats.litsearch import read as litsearch
from formats.problems import BadInputError
from formats.reading import Options
from tests.formats.registered import recognise

PLAIN = Options(judged_by="plain")


@pytest.fixture
def sample(shared_data, tmp_path):
    """Questions and corpus of the sample, as JSON lines or Parquet."""

    def copy(suffix):
        for name in ("synthetic-query", "synthetic-corpus_clean"):
            text = (shared_data / "litsearch-sample" / f"{name}.jsonl").read_text()
            rows = [json.loads(line) for line in text.splitlines()]
            if suffix == "parquet":
                pandas.DataFrame(rows).to_parquet(tmp_path / f"{name}.parquet")
            else:
                (tmp_path / f"{name}.jsonl").write_text(text)
        return tmp_path

    return copy


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_questions_and_papers_are_read(sample, suffix):
    with open_files([sample(suffix)]) as files:
        assert recognise(files)[0].format == "litsearch"
        study = litsearch.read(files, PLAIN)
        assert study.fingerprint == files.fingerprint

    first = study.queries[0]
    assert (first.id, first.text) == ("0", "Synthetic question one about summary evaluation?")
    assert first.metadata == {"query_set": "inline_acl", "specificity": 0, "quality": 2}
    assert [judgment[:3] for judgment in study.judgments[0].judgments][:2] == [
        ("0", "900000001", "1"), ("0", "900000002", "1"),
    ]  # fmt: skip
    assert study.documents["900000001"].title == "Synthetic paper 1"
    assert study.documents["900000001"].metadata == {"citations": []}
    assert len(study.pool) == len(study.judgments[0].judgments)


def test_questions_of_several_files_have_the_names_of_their_files(shared_data):
    with open_files([shared_data / "litsearch-sample"]) as files:
        study = litsearch.read(files, PLAIN)

    assert study.queries[0].id == "guideline-examples-0"


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_a_question_that_stands_twice_is_told(tmp_path, suffix):
    texts = ["Which papers?", "Which others?", "Which papers?"]
    rows = [{"query": text, "corpusids": [7]} for text in texts]
    if suffix == "parquet":
        pandas.DataFrame(rows).to_parquet(tmp_path / "query.parquet")
    else:
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        (tmp_path / "query.jsonl").write_text(lines)

    with open_files([tmp_path]) as files:
        study = litsearch.read(files, Options(judged_by="plain", known_documents=frozenset("7")))

    assert [query.text for query in study.queries] == texts
    word = "row" if suffix == "parquet" else "line"
    assert study.notes == [
        "Queries with the same text (1), each of which is rated by itself: "
        f"0 (query.{suffix}, {word} 1), 2 (query.{suffix}, {word} 3)."
    ]


def question(**more):
    return {"query": "Which papers?", "specificity": 1, "corpusids": [7]} | more


@pytest.fixture
def study(tmp_path):
    """What is read of these questions, and of a corpus with the papers 7 and 8."""

    def read(*questions, papers=(7, 8)):
        corpus = [{"corpusid": paper, "title": "T", "abstract": "One."} for paper in papers]
        for name, rows in [("query", questions), ("corpus", corpus)]:
            lines = "".join(f"{json.dumps(row)}\n" for row in rows)
            (tmp_path / f"{name}.jsonl").write_text(lines)
        with open_files([tmp_path]) as files:
            return litsearch.read(files, PLAIN)

    return read


def test_questions_are_numbered_from_zero(study):
    read = study(question(), question(query="Which others?", corpusids=[8, 7]))

    assert [query.id for query in read.queries] == ["0", "1"]
    assert [(entry.query, entry.document) for entry in read.pool] == [
        ("0", "7"), ("1", "8"), ("1", "7"),
    ]  # fmt: skip
    assert read.judgments[0].name == "query"


def test_a_paper_that_stands_twice_in_a_list_is_judged_once_and_told(study):
    read = study(question(corpusids=[7, 8, 7]))

    assert [judgment[:2] for judgment in read.judgments[0].judgments] == [("0", "7"), ("0", "8")]
    assert read.left_out_in_words == [
        "Left out: query.jsonl, line 1: The paper 7 stands twice in the list."
    ]


def test_a_question_without_papers_is_a_query_without_a_pool(study):
    read = study(question(corpusids=[]), question(query="Which?"))

    assert [entry.query for entry in read.pool] == ["1"]
    assert len(read.queries) == 2


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ({"corpusids": [7.0]}, "query.jsonl, line 1: the identifier 7.0 is a decimal number; "
         "expected text. It may have been a whole number"),
        ({"corpusids": ["a b"]}, "query.jsonl, line 1, column corpusids: the identifier 'a b' has"),
        ({"corpusids": [{}]}, "query.jsonl, line 1: the identifier {} is an object; expected text"),
        ({"query": ["Which?"]}, "query.jsonl, line 1: a list; expected text or a number."),
        ({"query": ""}, "query.jsonl, line 1: the query 0 has no text and names no document."),
    ],
)  # fmt: skip
def test_a_question_that_is_wrong_is_told_with_its_line(study, bad, problem):
    with pytest.raises(BadInputError) as caught:
        study(question(**bad), question(query="Which others?"))

    [told] = caught.value.problems
    assert str(told).startswith(problem)


def test_files_are_said_to_be_what_they_are(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps(question()))

    with open_files([tmp_path]) as files:
        assert litsearch.recognise(files).sentence == "LitSearch: questions."
    corpus = {"corpusid": 7, "title": "T", "abstract": "One."}
    (tmp_path / "b.jsonl").write_text(json.dumps(corpus))
    with open_files([tmp_path]) as files:
        assert litsearch.recognise(files).sentence == "LitSearch: questions and corpus."
    with open_files([tmp_path / "b.jsonl"]) as files:
        assert litsearch.recognise(files) is None
