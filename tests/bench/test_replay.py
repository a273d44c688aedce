"""A small study of each kind is played over HTTP from its folder, and comes out as recorded."""

import json
from collections import Counter

import pytest
from django.contrib.auth.hashers import make_password

from bench import replay
from bench.replaying.csfcube_compared import GRADES, compare_grid, nameless
from bench.replaying.steps import Differences
from tests.factories.csfcube import Folder
from tests.factories.doris_mae import make_dataset, write_dataset
from tests.factories.studies import make_user

PASSWORD = "a-long-password-for-a-replay"


@pytest.fixture
def play(transactional_db, installation, settings, monkeypatch, capsys):
    """`play(folder)`: the exit code of a replay through a real server, and its words."""
    admin = make_user("Ada", is_site_admin=True)
    # The processes know the product's own hashers alone.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    admin.password = make_password(PASSWORD)
    admin.save()
    monkeypatch.setenv("FACETWISE_PASSWORD", PASSWORD)
    site = installation()
    _, url = site.start_web()
    site.start_worker()

    def played(folder):
        code = replay.main([str(folder), "--url", url, "--email", admin.email])
        return code, capsys.readouterr().out

    return played


@pytest.fixture
def csfcube_folder(tmp_path):
    folder = Folder()
    # Two candidates of one text, which only the lead's table tells apart.
    folder.papers["q1c2"] = folder.papers["q1c1"] | {"paper_id": "q1c2"}
    for paper in folder.papers.values():
        paper["title"] += " of $N$-ary relations"  # which pages print as people read it
    folder.readable = {
        f"{query}-{facet}-adju.txt": readable(folder, query, facet)
        for facet, judged in folder.annotations.items()
        for query in judged
    }
    return folder.write(tmp_path / "csfcube")


def readable(folder, query, facet):
    """The text file of one query, its candidates by falling grade."""
    names = ["Irrelevant", "Related", "Similar", "Identical"]
    judged = folder.annotations[facet][query]
    pool = folder.pools[query]
    sources = dict(zip(pool["cands"], pool["cand_source"], strict=True))
    first, second = (judged[key] for key in judged if key.startswith("relevance_ann"))
    rows = zip(judged["cands"], first, second, judged["relevance_adju"], strict=True)
    parts = [f"{'=' * 70}\n{paper_text(folder.papers[query])}{'=' * 35}\n"]
    for document, fourth, third, grade in sorted(rows, key=lambda row: -row[3]):
        paper = folder.papers[document]
        head, _, text = paper_text(paper).partition("\n")
        parts.append(
            f"{head}\nadju relevance: {names[grade]} ({f'+{grade}' if grade else grade})\n"
            f"difference: {abs(fourth - third)}; annotator4: {fourth}; annotator3: {third}\n"
            f"sources: {' - '.join(sources[document])}\n{text}\n{'=' * 35}\n"
        )
    return "".join(parts).removesuffix(f"{'=' * 35}\n")


def paper_text(paper):
    labelled = zip(paper["pred_labels"], paper["abstract"], strict=True)
    lines = "\n".join(f"{label}: {text}" for label, text in labelled)
    return (
        f"paper_id: {paper['paper_id']}; YEAR: {paper['metadata']['year']}\n"
        f"TITLE: {paper['title']}\nABSTRACT: {lines}\n"
    )


@pytest.fixture
def doris_mae_folder(tmp_path):
    dataset = make_dataset()
    recorded = {key: dataset.pop(key) for key in ("Annotation", "Test_set")}
    folder = tmp_path / "doris-mae"
    write_dataset(dataset | {"Annotation": [], "Test_set": []}, folder)
    (folder / "synthetic-ratings.json").write_text(json.dumps(recorded))
    return folder


@pytest.mark.once
def test_a_csfcube_folder_comes_out_as_recorded(play, csfcube_folder):
    code, words = play(csfcube_folder)

    assert "18 ratings" in words
    assert "0 differences" in words, words
    assert code == 0


@pytest.mark.once
def test_a_doris_mae_file_comes_out_as_recorded(play, doris_mae_folder):
    code, words = play(doris_mae_folder)

    assert "9 ratings" in words
    assert "0 differences" in words, words
    assert code == 0


def test_counts_that_differ_are_reported():
    differences = Differences()
    rows = [{"value": str(grade)} | {f"value_{other}": 0 for other in GRADES} for grade in GRADES]

    compare_grid("confusion", rows, "value", Counter({(1, 2): 5}), differences)

    assert differences == ["confusion (1, 2): 0 instead of 5"]
    assert differences.compared == 16


def test_text_files_are_compared_but_for_the_numbers_of_annotators():
    text = "difference: 1; annotator4: 1; annotator3: 2\n"

    assert nameless(text) == nameless(text.replace("4", "1+2").replace("r3", "r9"))
    assert nameless(text) != nameless(text.replace(": 1; ann", ": 2; ann"))
