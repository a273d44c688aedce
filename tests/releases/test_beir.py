"""BEIR folders of papers under facets: no query is rewarded for finding itself."""

import json

import ir_measures
import pytest
from ir_measures import nDCG
from sklearn.feature_extraction.text import TfidfVectorizer

from annotation.assigning.actions.batches import make_batches
from releases.actions import write_export
from tests.factories.studies import assign_all, make_study

EXCLUSIONS = "exclusions.tsv"


def export(collection, folder):
    manifest = write_export(collection=collection, export_format="beir", folder=folder)
    return manifest, excluded_pairs(folder)


def excluded_pairs(folder):
    header, *lines = (folder / EXCLUSIONS).read_text(encoding="utf-8").splitlines()
    assert header == "query-id\tcorpus-id"
    return [tuple(line.split("\t")) for line in lines]


def test_a_query_paper_is_excluded_for_its_own_queries(db, tmp_path):
    study = make_study(facets=("background", "method"))
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[0, 1, 2], bob=[0, 1, 2])

    manifest, excluded = export(study.collection, tmp_path / "out")

    assert excluded == [("q1_background", "q1"), ("q1_method", "q1")]
    assert EXCLUSIONS in [file["name"] for file in manifest["files"]]
    assert manifest["notes"] == [
        "exclusions.tsv lists 2 pairs of a query and the paper that it is. Remove them from a run "
        "before it is scored: else such queries find themselves first."
    ]


def test_a_query_paper_that_gold_judges_is_not_excluded(db, tmp_path):
    study = make_study(facets=("method",), candidates=1, assign=False)
    query_paper = study.collection.documents.get(external_id="q1")
    study.topics[0].pairs.create(document=query_paper, position=9)
    assign_all(study, make_batches(collection=study.collection, by=study.lena), ["alice", "bob"])
    study.finish(alice=[1, 3], bob=[1, 3])

    manifest, excluded = export(study.collection, tmp_path / "out")

    assert excluded == []
    assert manifest["notes"] == []


@pytest.mark.parametrize(
    ("query", "text", "excluded"),
    [
        ({"document": None, "text": "What is known?"}, "What is known?", None),
        ({"external_id": "other"}, "Title of q1 How q1 does it.", [("q1_method", "q1")]),
    ],
)
def test_a_query_may_be_a_text_or_be_called_otherwise_than_its_paper(
    db, tmp_path, query, text, excluded
):
    study = make_study(facets=("method",), assign=False)
    study.collection.queries.update(**query)
    assign_all(study, make_batches(collection=study.collection, by=study.lena), ["alice", "bob"])
    study.finish(alice=[0, 1, 2], bob=[0, 1, 2])

    write_export(collection=study.collection, export_format="beir", folder=tmp_path / "out")

    assert [line["text"] for line in read_lines(tmp_path / "out" / "queries.jsonl")] == [text]
    has_exclusions = (tmp_path / "out" / EXCLUSIONS).exists()
    assert (excluded_pairs(tmp_path / "out") if has_exclusions else None) == excluded


def test_tf_idf_with_the_exclusions_scores_as_without_the_query_papers(half, tmp_path):
    _, excluded = export(half, tmp_path)
    corpus, queries = read_lines(tmp_path / "corpus.jsonl"), read_lines(tmp_path / "queries.jsonl")
    qrels = read_qrels(tmp_path / "qrels/test.tsv")
    judged = {(qrel.query_id, qrel.doc_id) for qrel in qrels}
    own_papers = {(query["_id"], query["metadata"]["query"]) for query in queries} - judged
    ranked = rank(corpus, queries)

    as_exported = score(qrels, ranked)
    with_list = score(qrels, [row for row in ranked if row[:2] not in set(excluded)])
    without_papers = score(qrels, [row for row in ranked if row[:2] not in own_papers])

    assert with_list == without_papers
    assert with_list > as_exported + 0.05


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_qrels(path):
    _, *lines = path.read_text(encoding="utf-8").splitlines()
    fields = (line.split("\t") for line in lines)
    return [ir_measures.Qrel(query, document, int(grade)) for query, document, grade in fields]


def rank(corpus, queries):
    """(query, document, score) by cosine of TF-IDF vectors over title and text."""
    vectorizer = TfidfVectorizer()
    documents = vectorizer.fit_transform(f"{paper['title']} {paper['text']}" for paper in corpus)
    query_vectors = vectorizer.transform(query["text"] for query in queries)
    scores = (query_vectors @ documents.T).toarray()
    return [
        (query["_id"], paper["_id"], float(scores[row, column]))
        for row, query in enumerate(queries)
        for column, paper in enumerate(corpus)
    ]


def score(qrels, ranked):
    run = [ir_measures.ScoredDoc(*row) for row in ranked]
    return ir_measures.calc_aggregate([nDCG @ 10], qrels, run)[nDCG @ 10]
