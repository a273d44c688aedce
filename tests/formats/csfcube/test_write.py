"""What is read is written back in the same bytes, whatever the text."""

import json

from hypothesis import given
from hypothesis import strategies as st

from formats.csfcube.read import read_release
from formats.csfcube.records import JudgedCandidate
from formats.csfcube.sources import find_in_folder
from formats.csfcube.write import (
    paper_line,
    write_annotations,
    write_pools,
    write_queries,
    write_readable,
    write_splits,
)
from formats.papers import Paper
from tests.factories.csfcube import FACETS, Folder

# Any text that a database keeps: no NUL, no lone surrogates. Quotes, newlines, U+2028, marks of
# direction and characters beyond the basic plane are all in it.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda children: st.lists(children, max_size=3) | st.dictionaries(texts, children, max_size=3),
    max_leaves=8,
)  # fmt: skip


def written(release):
    """The files of a release as our writers make them."""
    files = {
        "queries-release.csv": write_queries(
            release.rows, columns=release.columns, line_end=release.line_end
        ),
        "abstracts-csfcube-preds.jsonl": "".join(map(paper_line, release.papers())),
        "test-pid2pool-csfcube.json": write_pools(release.pools),
        "evaluation_splits.json": write_splits(release.splits),
    }
    for facet, judged in release.annotations.items():
        files[f"test-pid2anns-csfcube-{facet}.json"] = write_annotations(judged)
    return {name: text.encode() for name, text in files.items()}


@given(
    title=texts,
    sentences=st.lists(texts, min_size=1, max_size=4),
    metadata=st.dictionaries(texts, values, max_size=4),
    unknown=st.dictionaries(texts.filter(lambda key: key not in {
        "paper_id", "metadata", "title", "abstract", "pred_labels", "pred_labels_truncated",
    }), values, max_size=3),
    fields=st.tuples(texts, texts, texts),
    source=texts,
)  # fmt: skip
def test_files_come_back_byte_for_byte(
    tmp_path_factory, title, sentences, metadata, unknown, fields, source
):
    folder = Folder()
    del folder.papers["other"]  # only pooled papers are kept
    folder.papers["q1c1"] |= {
        "title": title,
        "abstract": sentences,
        "pred_labels": ["other_label"] * len(sentences),
        "metadata": metadata,
        **unknown,
    }
    folder.queries[0][2:] = fields
    folder.pools["q1"]["cand_source"][0] = [source]
    path = folder.write(tmp_path_factory.mktemp("folder"))

    release = read_release(find_in_folder(path), scales=dict.fromkeys(FACETS, range(4)))

    assert written(release) == folder.files()


def test_readable_text_is_as_the_release_has_it():
    query = Paper("q1", "A = B: C", [{"text": "One: two - 3", "label": "method_label"}], {}, [], 1)
    near = Paper(
        "c1",
        "Near",
        [
            {"text": "First.", "label": "background_label"},
            {"text": "Second.", "label": "other_label"},
        ],
        {"year": 2018},
        [],
        2,
    )
    far = Paper("c2", "Far", [{"text": "Third.", "label": "result_label"}], {"year": 2001}, [], 3)

    text = write_readable(
        query,
        [
            JudgedCandidate(far, [0, -1], 0, ["cited", "specter"]),
            JudgedCandidate(near, [3, 2], 3, ["abs_tfidf"]),
        ],
        numbers=["4", "3"],
    )

    assert text == "\n".join(
        [
            "=" * 70,
            "paper_id: q1; YEAR: None",
            "TITLE: A = B: C",
            "ABSTRACT: method_label: One: two - 3",
            "=" * 35,
            "paper_id: c1; YEAR: 2018",
            "adju relevance: Identical (+3)",
            "difference: 1; annotator4: 3; annotator3: 2",
            "sources: abs_tfidf",
            "TITLE: Near",
            "ABSTRACT: background_label: First.",
            "other_label: Second.",
            "",
            "=" * 35,
            "paper_id: c2; YEAR: 2001",
            "adju relevance: Irrelevant (0)",
            "difference: 1; annotator4: 0; annotator3: -1",
            "sources: cited - specter",
            "TITLE: Far",
            "ABSTRACT: result_label: Third.",
            "",
            "",
        ]
    )


def test_a_paper_without_a_record_gets_the_official_keys():
    paper = Paper("p1", "T", [{"text": "S", "label": "method_label"}], {"year": 1999}, [], 0)

    assert json.loads(paper_line(paper)) == {
        "paper_id": "p1",
        "metadata": {"year": 1999},
        "title": "T",
        "abstract": ["S"],
        "pred_labels": ["method_label"],
        "pred_labels_truncated": False,
    }
