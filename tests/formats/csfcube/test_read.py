"""Every bad input gives a sentence that says what and where."""

import gzip
import json
import pickle

import pytest

from formats.csfcube.read import read_release
from formats.csfcube.sources import find_in_folder, find_sources
from formats.problems import BadInputError
from tests.factories.csfcube import FACETS, Folder, make_paper

ABSTRACTS = "abstracts-csfcube-preds.jsonl"
BACKGROUND = "test-pid2anns-csfcube-background.json"
POOLS = "test-pid2pool-csfcube.json"
QUERIES = "queries-release.csv"
SPLITS = "evaluation_splits.json"


@pytest.fixture
def folder():
    return Folder()


def read(folder, path):
    return read_release(find_in_folder(folder.write(path)), scales=dict.fromkeys(FACETS, range(4)))


def problems_of(folder, path):
    with pytest.raises(BadInputError) as caught:
        read(folder, path)
    return [str(problem) for problem in caught.value.problems]


def test_a_good_folder_is_read_whole(folder, tmp_path):
    release = read(folder, tmp_path)

    assert [row.topic_id for row in release.rows] == [
        "q1_background", "q2_background", "q1_method",
    ]  # fmt: skip
    assert list(release.offsets) == ["q1", "q1c1", "q1c2", "q1c3", "q2", "q2c1", "q2c2", "q2c3"]
    assert release.papers_read == 9
    assert release.without_text == ["textless"]
    assert release.annotations["background"]["q2"].ratings == {"4": [1, 0, -1], "2": [1, 3, 2]}
    assert list(release.annotations["background"]) == ["q2", "q1"]
    assert release.judged(release.rows[0]) == ["q1c1", "q1c2", "q1c3"]
    assert release.notes == []


def test_without_rating_files_the_whole_pool_with_text_is_judged(folder, tmp_path):
    folder.annotations = {}

    release = read(folder, tmp_path)

    assert release.judged(release.rows[0]) == ["q1c3", "q1c1", "q1c2"]


def test_missing_files_are_all_named(folder, tmp_path):
    folder.write(tmp_path)
    (tmp_path / QUERIES).unlink()
    (tmp_path / ABSTRACTS).unlink()

    with pytest.raises(BadInputError) as caught:
        read_release(find_in_folder(tmp_path), scales=dict.fromkeys(FACETS, range(4)))

    assert [problem.file for problem in caught.value.problems] == [QUERIES, ABSTRACTS]


@pytest.mark.parametrize("name", [QUERIES, ABSTRACTS, POOLS])
def test_a_file_that_is_missing_is_the_only_problem(folder, tmp_path, name):
    folder.write(tmp_path)
    (tmp_path / name).unlink()

    with pytest.raises(BadInputError) as caught:
        read_release(find_in_folder(tmp_path), scales=dict.fromkeys(FACETS, range(4)))

    assert [str(problem) for problem in caught.value.problems] == [
        f"{name}: the file is missing. Add it under exactly this name."
    ]


def test_a_release_without_splits_is_read(folder, tmp_path):
    folder.write(tmp_path)
    (tmp_path / SPLITS).unlink()

    release = read_release(find_in_folder(tmp_path), scales=dict.fromkeys(FACETS, range(4)))

    assert (release.splits, release.notes) == (None, [])


def test_files_that_are_none_of_a_release_are_named_and_left_alone(folder, tmp_path):
    folder.write(tmp_path)
    named = [(path.name, path) for path in tmp_path.iterdir() if path.is_file()]

    sources = find_sources([*named, ("notes.docx", tmp_path)])

    assert sources.unknown == ["notes.docx"]
    assert read_release(sources, scales=dict.fromkeys(FACETS, range(4))).rows


def test_other_files_of_a_folder_are_left_alone(folder, tmp_path):
    (tmp_path / "LICENSE.md").write_text("CC BY-NC 4.0")

    assert read(folder, tmp_path).rows


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (POOLS, b'{"q1": ', f"{POOLS}, line 1, column 8: broken JSON"),
        (POOLS, b'{"q1": []}', f"{POOLS}, key 'q1': a list; expected an object."),
        (BACKGROUND, b'{"q1": 7}', f"{BACKGROUND}, key 'q1': a number; expected an object."),
        (POOLS, b"[]", f"{POOLS}: the file holds a list; expected an object."),
        (POOLS, gzip.compress(b"{}", mtime=0), f"{POOLS}: this is a gzip archive"),
        (POOLS, pickle.dumps({"q1": {}}), f"{POOLS}: this is a Python pickle"),
        (POOLS, '{"q1": "naïve"}'.encode("latin-1"), f"{POOLS}, line 1, byte 11: byte 0xef"),
        (POOLS, b'{"q1": {"cands": ["a\\u0000"]}}', f"{POOLS}: a NUL character (U+0000)"),
        (POOLS, b'{"q1": {"\\ud800": []}}', f"{POOLS}: half a character"),
        (POOLS, b'{"q1": {}, "q1": {}}', f"{POOLS}: the key 'q1' occurs twice"),
        (ABSTRACTS, pickle.dumps([1]), f"{ABSTRACTS}: this is a Python pickle"),
        (ABSTRACTS, b'{"paper_id": "q1"}\n{"paper_id": ', f"{ABSTRACTS}, line 2, column 14"),
        (
            ABSTRACTS,
            b'{"title": "x"}\n',
            f"{ABSTRACTS}, line 1: expected an object with a paper_id",
        ),
        (QUERIES, b"pid,facet\n", f"{QUERIES}: there is no query in the file."),
        (QUERIES, b"query;facet\nq1;method\n", f"{QUERIES}, line 1: the columns are"),
        (QUERIES, b"", f"{QUERIES}, line 1: the columns are"),
        (QUERIES, b'pid,facet\nq1,"method', f"{QUERIES}, line 2: broken CSV: unexpected end"),
        (QUERIES, b"pid,facet\nq1,method,2014\n", f"{QUERIES}, line 2: 3 fields; expected 2."),
        (QUERIES, b"pid,facet\nq 1,method\n", f"{QUERIES}, line 2: the identifier 'q 1' has white"),
        (QUERIES, b"pid,facet\nq1,magic\n", f"{QUERIES}, line 2: the facet 'magic' is not in"),
        (
            QUERIES,
            b"pid,facet\nq1,method\nq2,method\nq1,method\n",
            f"{QUERIES}, line 4: the query q1_method stands in line 2 already.",
        ),
        (QUERIES, b"pid,facet,title\nq1,method,a\x00b\n", f"{QUERIES}, line 2"),
        (QUERIES, b"pid,facet,ti\x00tle\nq1,method,a\n", f"{QUERIES}, line 1: a NUL character"),
    ],
)
def test_a_broken_file_is_reported_with_its_place(folder, tmp_path, name, data, message):
    folder.text_of[name] = data

    problems = problems_of(folder, tmp_path)

    assert any(problem.startswith(message) for problem in problems), problems


def test_a_pickle_is_never_opened(folder, tmp_path):
    class Evil:
        def __reduce__(self):
            return (tmp_path.joinpath("ran").write_text, ("yes",))

    folder.text_of[POOLS] = pickle.dumps(Evil())

    problems_of(folder, tmp_path)

    assert not (tmp_path / "ran").exists()


def change_ratings(**lists):
    def change(folder):
        folder.annotations["background"]["q1"] |= lists

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            change_ratings(relevance_ann1=[1, 0]),
            f"{BACKGROUND}, key 'q1': relevance_ann1 has 2 values, but there are 3 candidates.",
        ),
        (
            change_ratings(relevance_ann1=[1, 4, -1]),
            f"{BACKGROUND}, key 'q1', relevance_ann1, candidate q1c2: the grade 4 is outside the "
            "scale. The scheme has 0, 1, 2, 3, or -1 for none given.",
        ),
        (
            change_ratings(relevance_adju=[1, -1, 0]),
            f"{BACKGROUND}, key 'q1', relevance_adju, candidate q1c2: the grade -1 is outside",
        ),
        (
            change_ratings(relevance_ann1=[1, "0", -1]),
            f"{BACKGROUND}, key 'q1', relevance_ann1, candidate q1c2: the grade '0' is not an int",
        ),
        (
            change_ratings(relevance_ann1=[1, 0.5, -1]),
            f"{BACKGROUND}, key 'q1', relevance_ann1, candidate q1c2: the grade 0.5 is not an int",
        ),
        (
            change_ratings(relevance_ann1=[True, 0, -1]),
            f"{BACKGROUND}, key 'q1', relevance_ann1, candidate q1c1: the grade true is not an int",
        ),
        (
            change_ratings(relevance_max=[1, 2, 2]),
            f"{BACKGROUND}, key 'q1', candidate q1c2: relevance_max is 2, but the ratings give 3.",
        ),
        (
            change_ratings(relevance_guess=[1, 2, 2]),
            f"{BACKGROUND}, key 'q1': the key 'relevance_guess' is not known.",
        ),
        (
            change_ratings(cands=["q1c1", "q1c1", "q1c3"]),
            f"{BACKGROUND}, key 'q1': the candidate q1c1 occurs twice.",
        ),
        (
            change_ratings(cands=["q1c1", "other", "q1c3"]),
            f"{BACKGROUND}, key 'q1': the judged paper other is not in the pool of q1.",
        ),
        (
            change_ratings(cands=["q1c1", "textless", "q1c3"]),
            f"{BACKGROUND}, key 'q1': the judged paper textless has no text.",
        ),
        (
            lambda folder: folder.annotations["background"].update(
                other=Folder.judged("q1", "1", "2")
            ),
            f"{BACKGROUND}, key 'other': {QUERIES} has no row for this paper under background.",
        ),
        (
            lambda folder: folder.annotations.update(magic={}),
            "test-pid2anns-csfcube-magic.json: the facet 'magic' is not in the scheme.",
        ),
        (
            lambda folder: folder.annotations.update({"background-incomplete": {}}),
            "test-pid2anns-csfcube-background-incomplete.json: the gold of this export is "
            "incomplete",
        ),
        (
            lambda folder: folder.pools["q1"]["cand_source"].pop(),
            f"{POOLS}, key 'q1': cand_source has 3 values, but there are 4 candidates.",
        ),
        (
            lambda folder: folder.pools["q1"].update(cand_source=["cited"] * 4),
            f"{POOLS}, key 'q1': cand_source must hold a list of method names per candidate.",
        ),
        (
            lambda folder: folder.pools.update(q1=5),
            "test-pid2pool-csfcube.json, key 'q1': a number; expected an object.",
        ),
        (
            lambda folder: folder.pools["q1"].update(cands="q1c1"),
            "test-pid2pool-csfcube.json, key 'q1': cands is text, not a list.",
        ),
        (
            lambda folder: folder.pools["q1"].pop("cand_source"),
            "test-pid2pool-csfcube.json, key 'q1': cand_source is missing.",
        ),
        (
            lambda folder: folder.pools.pop("q2"),
            f"{POOLS}, key 'q2': the query of {QUERIES}, line 3, has no pool.",
        ),
        (
            lambda folder: folder.pools.update(other={"cands": [], "cand_source": []}),
            f"{POOLS}, key 'other': {QUERIES} has no row for this paper.",
        ),
        (
            lambda folder: folder.papers.pop("q2"),
            f"{ABSTRACTS}: the query paper q2 ({QUERIES}, line 3) has no text.",
        ),
        (
            lambda folder: folder.papers["q1c1"].update(abstract=[], pred_labels=[]),
            f"{BACKGROUND}, key 'q1': the judged paper q1c1 has no text.",
        ),
        (
            lambda folder: folder.papers.update(again=make_paper("q1c1")),
            f"{ABSTRACTS}, line 10: the paper q1c1 stands in line 2 already.",
        ),
        (
            lambda folder: folder.papers["q1c1"].update(pred_labels=["background_label"]),
            f"{ABSTRACTS}, line 2: q1c1 has 4 sentences, but pred_labels has 1 labels.",
        ),
        (
            lambda folder: folder.papers["q1c1"].update(pred_labels=["hype_label"] * 4),
            f"{ABSTRACTS}, line 2: q1c1 has the sentence label 'hype_label', which is not known.",
        ),
        (
            lambda folder: folder.papers["q1c1"].update(title=None),
            f"{ABSTRACTS}, line 2: the title of q1c1 is null, not text.",
        ),
        (
            lambda folder: folder.papers["q1c1"].update(title="a\x00b"),
            f"{ABSTRACTS}, line 2: a NUL character (U+0000) at position 2",
        ),
        (
            lambda folder: folder.papers["q1c1"].update(title="a\ud800"),
            f"{ABSTRACTS}, line 2, byte ",
        ),
        (
            lambda folder: folder.papers["other"].update(paper_id="oth er"),
            f"{ABSTRACTS}, line 9: the identifier 'oth er' has white space",
        ),
        (
            lambda folder: folder.splits.update(all=["q1"]),
            "evaluation_splits.json, key 'all': expected lists of query keys by fold.",
        ),
        (
            lambda folder: folder.readable.update({"q1-background-adju.txt": "nothing"}),
            "readable_annotations/q1-background-adju.txt, line 1: this is not a readable",
        ),
        (
            lambda folder: folder.readable.update({"q9-method-adju.txt": "nothing"}),
            "readable_annotations/q9-method-adju.txt: there are no adjudicated ratings",
        ),
    ],
)
def test_content_that_cannot_be_right_is_reported_with_its_place(folder, tmp_path, change, message):
    change(folder)

    problems = problems_of(folder, tmp_path)

    assert any(problem.startswith(message) for problem in problems), problems


def test_the_first_hundred_problems_are_listed_and_all_are_counted(folder, tmp_path):
    folder.pools["q1"]["cands"] = [f"bad id {number}" for number in range(250)]

    with pytest.raises(BadInputError) as caught:
        read(folder, tmp_path)

    assert len(caught.value.problems) == 100
    assert caught.value.total == 250
    assert caught.value.sentence == (
        "There are 250 problems with the input. Nothing was stored. The first 100 are listed."
    )


def test_files_that_were_not_read_whole_are_not_compared_with_others(folder, tmp_path):
    # Without its pools, each of its queries and annotations would be refused too.
    folder.text_of[POOLS] = b"{"

    assert len(problems_of(folder, tmp_path)) == 1


def test_problems_of_several_files_are_reported_together(folder, tmp_path):
    folder.text_of[POOLS] = b"{"
    folder.papers["q1c1"]["title"] = 3
    folder.annotations["background"]["q1"]["relevance_adju"] = [9, 9, 9]
    folder.pools["q1"]["cands"][1] = "q1c1"

    files = {problem.partition(",")[0] for problem in problems_of(folder, tmp_path)}

    assert files >= {POOLS, BACKGROUND}


def test_lines_of_papers_that_nobody_pooled_must_only_be_json(folder, tmp_path):
    folder.papers["other"] = {"paper_id": "other", "title": 7, "abstract": "not even a list"}

    assert "other" not in read(folder, tmp_path).offsets


def test_very_long_sentences_are_read(folder, tmp_path):
    folder.papers["q1c1"]["abstract"][0] = "x" * 1_000_000

    release = read(folder, tmp_path)

    assert len(release.paper("q1c1").sentences[0]["text"]) == 1_000_000


def test_lines_beyond_all_measure_are_refused_without_reading_them(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("formats.csfcube.papers.MAX_LINE_BYTES", 2**20)
    folder.papers["q1c1"]["abstract"][0] = "x" * 2_000_000

    assert problems_of(folder, tmp_path)[0].startswith(
        f"{ABSTRACTS}, line 2: the line is longer than 1 MB."
    )


def test_pooled_papers_keep_what_we_do_not_interpret(folder, tmp_path):
    folder.papers["q1c1"] = {"arxiv_id": "x", **make_paper("q1c1"), "cites": {"z": 1, "a": [2.0]}}

    record = dict(read(folder, tmp_path).paper("q1c1").record)

    assert list(record) == list(folder.papers["q1c1"])
    assert json.loads(record["cites"]) == {"z": 1, "a": [2.0]}


def test_splits_that_name_other_queries_are_kept_and_noted(folder, tmp_path):
    folder.splits["all"]["fold1_dev"].append("q9_result")

    release = read(folder, tmp_path)

    assert (
        "names 1 queries that queries-release.csv does not have ('q9_result')" in release.notes[0]
    )


@pytest.mark.parametrize("name", [QUERIES, POOLS, BACKGROUND, SPLITS, ABSTRACTS])
def test_each_file_that_is_spelled_otherwise_is_noted(folder, tmp_path, name):
    data = folder.files()[name]
    if name == QUERIES:
        data = data.replace(b"2014", b'"2014"')
    elif name == ABSTRACTS:
        data = data.replace(b'"q1c1"', b' "q1c1" ')
    else:
        data = json.dumps(json.loads(data), indent=2).encode()
    folder.text_of[name] = data

    assert read(folder, tmp_path).notes == [
        f"Spaced or quoted otherwise than in the official release: {name}. An export gives the "
        "same content in the official spelling."
    ]


def test_all_files_that_are_spelled_otherwise_are_in_one_note(folder, tmp_path):
    for name, content in [(POOLS, folder.pools), (SPLITS, folder.splits)]:
        folder.text_of[name] = json.dumps(content, indent=3).encode()

    [note] = read(folder, tmp_path).notes

    assert f"release: {POOLS}, {SPLITS}. " in note


def test_the_same_bytes_have_the_same_fingerprint_and_others_another(folder, tmp_path):
    first = read(folder, tmp_path / "a").fingerprint
    again = read(folder, tmp_path / "b").fingerprint
    folder.papers["other"]["title"] = "another"
    paper_changed = read(folder, tmp_path / "c").fingerprint
    folder.queries[0][2] = "2013"
    query_changed = read(folder, tmp_path / "d").fingerprint

    assert first == again
    assert len({first, paper_changed, query_changed}) == 3
