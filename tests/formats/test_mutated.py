"""Files that were damaged in any way are read wholly, or refused with the file: never a crash."""

import gzip
import json
import os
import zipfile

import openpyxl
import pandas
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.files import open_files
from formats.problems import BadInputError
from formats.reading import Options
from formats.records import Study
from tests.formats.registered import reader_of, recognise
from tests.formats.tables.writing import templates

EXAMPLES = 1000 if os.environ.get("FACETWISE_STRESS") == "full" else 60
# What breaks readers: signs of their own languages, ends of lines, numbers that are none.
NASTY = [
    b"", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\t", b'"', b"'",
    b"NaN", b"-Infinity", b"1e999", b"9" * 400, b"null", b"true", b"{}", b"[]", b"[" * 100,
    b'{"a":' * 70, b"\\ud800", b"\\u0000", b"--1", b"<top>", b"</top>", b'<!ENTITY a "b">',
    b"PK\x03\x04", b"\x1f\x8b", b",", b";", b":", b" ", b"\xe2\x80\x8b", b"1.0", b"-1",
    b"\x80\x04", b"PAR1",
]  # fmt: skip


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


TASK = {"query_id": "q", "query_text": "What?", "doc_id": "d", "doc_text": "So. It is."}
ANNOTATION = {
    "completed_by": 1,
    "result": [{"from_name": "relevance", "type": "choices", "value": {"choices": ["2"]}}],
}
STATE = {
    "user_id": "ann",
    "instance_id_to_label_to_value": {"i1": [[{"schema": "relevance", "name": "2"}, "2"]]},
}
STUDIES = {
    "tables": {name: data for name, data in templates() if name != "aspects.csv"},
    "json lines": {
        "documents.jsonl": lines({"id": 1, "title": "T", "sentences": ["A."], "labels": [None]}),
        "queries.jsonl": lines({"id": "q", "text": "What?", "facets": ["method"]}),
        "ratings.jsonl": lines({"query": "q", "document": 1, "rater": "ann", "grade": 1.50}),
    },
    "trec": {
        "topics.sgml": b"<top>\n<num> Number: 1\n<title> A &amp; B\n<narr> N\n</top>\n",
        "corpus.jsonl": lines({"docno": "d1", "title": "T", "contents": "One. Two."}),
        "a.run": b"1 Q0 d1 1 2.5 bm25\n1 Q0 d2 2 1.5 bm25\n",
        "b.run": gzip.compress(b"1 Q0 d1 1 2.5 dense\n"),
        "qrels.txt": b"1 0 d1 -2\n1 0 d2 1\n",
    },
    "beir": {
        "corpus.jsonl": lines({"_id": "d1", "title": "T", "text": "One.", "metadata": {"a": 1}}),
        "queries.jsonl": lines({"_id": "q1", "text": "A?"}),
        "test.tsv": b"query-id\tcorpus-id\tscore\nq1\td1\t2\n",
    },
    "birco": {
        "task.json": b'{"query": {"q": "A?"}, "corpus": {"d": "B."}, "qrel": {"q": {"d": 1.50}}}',
        "rank.json": b'{"q": ["d"]}',
    },
    "litsearch": {
        "query.jsonl": lines({"query": "A?", "specificity": 0, "quality": 2, "corpusids": [7]}),
        "corpus.jsonl": lines({"corpusid": 7, "title": "T", "abstract": "A.", "citations": []}),
    },
    "label-studio": {
        "export.json": json.dumps(
            [{"id": 1, "data": TASK, "annotations": [ANNOTATION], "drafts": [{}]}]
        ).encode(),
        "users.json": b'[{"id": 1, "email": "ann@example.org"}]',
    },
    "doccano": {
        "ann.jsonl": lines({"id": 1, "text": "t", **TASK, "label": ["2"], "Comments": ["so"]}),
    },
    "potato": {
        "pairs.jsonl": lines({"id": "i1", "text": "t", **TASK}),
        "ann/user_state.json": json.dumps(STATE).encode(),
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def studies(tmp_path_factory):
    """The studies above and some that are packed, by name: {file: bytes}."""
    folder = tmp_path_factory.mktemp("packed")
    book = openpyxl.Workbook()
    for row in (["id", "title", "text"], ["007", "T", "A."]):
        book.active.append(row)
    book.save(folder / "documents.xlsx")
    frame = pandas.DataFrame({"id": ["007"], "title": ["T"], "text": ["A."]})
    frame.to_parquet(folder / "documents.parquet")
    with zipfile.ZipFile(folder / "beir.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in STUDIES["beir"].items():
            archive.writestr(name, data)
    packed = {path.name: {path.name: path.read_bytes()} for path in folder.iterdir()}
    return STUDIES | packed


@st.composite
def damages(draw):
    """Some changes of bytes: where (a share of the length), how many go, and what comes."""
    return draw(
        st.lists(
            st.tuples(
                st.floats(0, 1),
                st.sampled_from([0, 0, 1, 2, 7, 40, 10_000]),
                st.one_of(st.sampled_from(NASTY), st.binary(max_size=8)),
            ),
            min_size=1,
            max_size=3,
        )
    )


def damaged(data, changes):
    for where, removed, new in changes:
        at = int(where * len(data))
        data = data[:at] + new + data[at + removed :]
    return data


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(draw=st.data())
def test_damaged_files_are_read_or_refused(studies, tmp_path_factory, draw):
    files = dict(studies[draw.draw(st.sampled_from(sorted(studies)))])
    name = draw.draw(st.sampled_from(sorted(files)))
    files[name] = damaged(files[name], draw.draw(damages()))
    judged_by = draw.draw(st.sampled_from(["plain", "facets", "aspects"]))
    folder = tmp_path_factory.mktemp("study")
    for path, data in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(data)

    outcomes = list(read_all(folder, Options(judged_by=judged_by, facets=("method", "result"))))

    for outcome in outcomes:
        if isinstance(outcome, BadInputError):
            assert outcome.problems
            assert all(problem.file and problem.message for problem in outcome.problems)
            json.dumps([vars(problem) for problem in outcome.problems]).encode()
        else:
            # Half characters cannot be encoded, and no database keeps NUL.
            kept = [outcome.queries, outcome.topics, outcome.pool, outcome.ratings]
            text = json.dumps([*kept, list(outcome.documents)], ensure_ascii=False)
            assert "\\u0000" not in text.encode().decode()


def read_all(folder, options):
    """Yield what each reader that takes the files for its own gives: a study, or the refusal."""
    try:
        with open_files([folder], limit=10_000_000) as files:
            for recognition in recognise(files):
                reader = reader_of(recognition)
                try:
                    study = reader.read(files, options)
                except BadInputError as refused:
                    yield refused
                else:
                    assert isinstance(study, Study)
                    yield study
    except BadInputError as refused:
        yield refused
