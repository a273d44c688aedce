"""LitSearch's rows, as JSON lines and as Parquet."""

import json

import pandas
import pytest

from formats.files import open_files
from formats.litsearch import read as litsearch
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
