"""A TREC collection as a study: runs are pools, qrels are judgments."""

import gzip

import pytest

from formats.completing import NO_POOL
from formats.files import open_files
from formats.problems import BadInputError
from formats.reading import Options
from formats.trec import read as trec
from tests.formats.registered import recognise

PLAIN = Options(judged_by="plain")
TOPICS = "<top>\n<num> 1\n<title> A\n<narr> N\n</top><top><num> 2<title> B</top>"
CORPUS = (
    '{"docno": "d1", "title": "T", "contents": "One. Two.", "year": 1999}\n'
    '{"docno": "d2", "contents": "Three."}\n{"docno": "d3", "contents": "Nobody pooled it."}\n'
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "topics.sgml").write_text(TOPICS)
    (tmp_path / "corpus.jsonl").write_text(CORPUS)
    (tmp_path / "a.run").write_bytes(gzip.compress(b"1 Q0 d1 1 2 bm25\n1 Q0 d2 2 1 bm25\n"))
    (tmp_path / "b.run").write_text("1 Q0 d2 1 2 dense\n2 Q0 d9 1 1 dense\n9 Q0 d1 1 1 dense\n")
    (tmp_path / "qrels.txt").write_text("1 0 d1 -2\n2 0 d1 1\n")
    return tmp_path


def test_collection_is_read_as_a_study(folder):
    with open_files([folder]) as files:
        assert recognise(files)[0].sentence == (
            "TREC: topics, run (2), judgments made elsewhere, documents."
        )
        study = trec.read(files, PLAIN)
        assert study.fingerprint == files.fingerprint

    assert [(query.id, query.text, query.narrative) for query in study.queries] == [
        ("1", "A", "N"), ("2", "B", ""),
    ]  # fmt: skip
    assert [(row.query, row.document, row.sources) for row in study.pool] == [
        ("1", "d1", ("bm25",)), ("1", "d2", ("bm25", "dense")), ("2", "d9", ("dense",)),
    ]  # fmt: skip
    assert [(document.id, document.metadata) for document in study.documents] == [
        ("d1", {"year": 1999}),
        ("d2", {}),
    ]
    assert study.unpooled_documents == 1
    assert [run.tag for run in study.runs] == ["bm25", "dense"]
    assert [judgment[:3] for judgment in study.judgments[0].judgments] == [
        ("1", "d1", "-2"),
        ("2", "d1", "1"),
    ]
    assert any("topics that the study does not have (1): 9" in note for note in study.notes)
    # A candidate without text, which whoever stores the study names.
    assert "d9" not in study.documents
    assert study.ratings == []


def test_passages_are_told_from_topics_by_the_name_of_their_file(tmp_path):
    (tmp_path / "queries.tsv").write_text("1\tWhat?\n")
    (tmp_path / "collection.tsv").write_text("d1\tOne. Two.\nd2\tThree.\n")
    (tmp_path / "a.run").write_text("1 Q0 d1 1 2 bm25\n")

    with open_files([tmp_path]) as files:
        study = trec.read(files, PLAIN)

    assert [query.id for query in study.queries] == ["1"]
    assert [(document.id, document.text) for document in study.documents] == [("d1", "One. Two.")]
    assert study.unpooled_documents == 1


def test_passage_is_called_by_its_id_and_not_by_its_document(folder):
    (folder / "corpus.jsonl").write_text('{"pid": "d1", "passage": "One.", "docid": "whole"}\n')

    with open_files([folder]) as files:
        study = trec.read(files, PLAIN)

    assert [(document.id, document.text, document.metadata) for document in study.documents] == [
        ("d1", "One.", {"docid": "whole"})
    ]


def test_run_over_other_topics_is_refused_with_its_line(folder):
    (folder / "c.run").write_text("77 Q0 d1 1 2 other\n")

    with open_files([folder]) as files, pytest.raises(BadInputError) as caught:
        trec.read(files, PLAIN)

    assert [str(problem) for problem in caught.value.problems] == [
        "c.run, line 1: the run shares no topic with the study. Is it a run over other topics?"
    ]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("c.run", b"", "c.run: the run is empty. A line is topic Q0 document rank score tag."),
        ("c.run", b"1 Q0 d1 1 1,5 c\n",
         "c.run, line 1, column 5: the score '1,5' is no number. Write decimals with a point."),
        ("run.c.txt", b"1,Q0,d1,1,1.5,c\n", "run.c.txt, line 1: 1 columns; a run has six. "),
        ("c.run", "1 Q0 d1 1 1 c\n".encode("utf-16-le"),
         "c.run: this is text in UTF-16, not UTF-8. Save it as UTF-8."),
        ("c.run", b"1 Q0 d1 1 2 c\r1 Q0 d2 2 1 c\r",
         "c.run, line 1: its lines end with a carriage return alone (CR)."),
        ("c.run", b"1 Q0 d1 1 2 bm25\n1 Q0 d2 2 1 bm25\n",
         "c.run, line 1, column 6: the run 'bm25' stands in a.run already."),
        ("c.run", b"1 Q0 d1 1 2 c\n1 Q0 d1 2 1 c\n",
         "c.run, line 2, column 3: the document 'd1' stands for the topic '1' in line 1 already."),
        ("qrels.old", b"", ""),
        ("more.qrels", b"1 0 d1 L2\n",
         "more.qrels, line 1, column 4: the grade 'L2' is no number. NTCIR's L2 is 2: take off"),
        ("more.qrels", b"1 0 d1\n", "more.qrels, line 1: 3 columns; qrels have four."),
    ],
)  # fmt: skip
def test_what_is_called_a_run_is_read_as_one_or_refused(folder, name, data, expected):
    (folder / name).write_bytes(data)

    with open_files([folder]) as files:
        try:
            trec.read(files, PLAIN)
            problems = [""]
        except BadInputError as refused:
            problems = [str(problem) for problem in refused.problems]

    [problem] = problems
    assert problem.startswith(expected)


def test_runs_of_csfcube_pool_topics_under_facets(shared_data, tmp_path):
    topics = sorted(
        {line.split()[0] for line in
         (shared_data / "csfcube-half" / "runs" / "specter.run").read_text().splitlines()}
    )  # fmt: skip
    papers = dict.fromkeys(topic.rpartition("_")[0] for topic in topics)
    (tmp_path / "topics.tsv").write_text("".join(f"{paper}\tA paper\n" for paper in papers))

    with open_files([shared_data / "csfcube-half" / "runs", tmp_path]) as files:
        study = trec.read(files, Options(facets=("background", "method", "result")))

    assert sorted(topic.id for topic in study.topics) == topics
    assert len(study.runs) == 11
    assert {entry.topic for entry in study.pool} == set(topics)


def test_runs_may_stay_out_of_the_pools(folder):
    with open_files([folder]) as files:
        study = trec.read(files, Options(judged_by="plain", settings={"pools": False}))

    assert (study.pool, len(study.runs), len(study.documents)) == ([], 2, 3)


def test_qrels_without_a_run_pool_nothing_and_this_is_noted(folder):
    for run in ("a.run", "b.run"):
        (folder / run).unlink()

    with open_files([folder]) as files:
        study = trec.read(files, PLAIN)

    assert study.pool == []
    assert study.notes.count(NO_POOL) == 1


def test_progress_is_told_in_bytes_of_all_files(folder):
    told = []

    with open_files([folder]) as files:
        sizes = {file.name: file.size for file in files}
        trec.read(files, Options(judged_by="plain", progress=lambda *step: told.append(step)))

    order = ["topics.sgml", "a.run", "b.run", "qrels.txt", "corpus.jsonl"]
    done = [sum(sizes[name] for name in order[:number]) for number in range(5)]
    assert told == [(before, sum(sizes.values())) for before in done]
