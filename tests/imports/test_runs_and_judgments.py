"""Runs and judgments come in by command, all files of it or none."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.schemes.actions import load_definition
from datasets.models import JudgmentSet, Run
from datasets.runs.reading import literals_of
from tests.factories.studies import make_collection, make_study, make_topic
from tests.shelf import shelved

TREC = "q1_method Q0 q1c1 1 2.0 bm25\nq1_method Q0 q1c2 2 2.0 bm25\n"


@shelved
def study(db):
    return make_study()


def test_runs_are_stored_and_reported(study, tmp_path, capsys):
    (tmp_path / "bm25.run").write_text(TREC + "q7 Q0 d1 1 1.0 bm25\n")
    arguments = ["import", "trec-run", tmp_path / "bm25.run", "--collection", study.collection.slug]

    call_command(*map(str, arguments))
    call_command(*map(str, arguments))

    printed = capsys.readouterr().out
    assert "bm25: 2 topics, 3 lines, 1 tie, 0 ranks against the score. 1 topic (q7) is " in printed
    assert "It was there already." in printed
    assert Run.objects.count() == 1
    (tmp_path / "bm25.run").write_text("q8 Q0 d1 1 1.0 bm25\n" + TREC)
    call_command(*map(str, arguments))
    assert "bm25: 3 topics, 4 lines" in (printed := capsys.readouterr().out)
    assert "1 topic of these is new to it." in printed


@pytest.mark.parametrize(
    ("text", "slug", "message"),
    [
        ("q1_method Q0 q1c1 1 2.0\n", "study", "1 problem"),
        (TREC, "none", "no collection 'none'"),
    ],
)
def test_refused_runs_leave_nothing(study, tmp_path, text, slug, message):
    (tmp_path / "x.run").write_text(text)

    with pytest.raises(CommandError, match=message):
        call_command("import", "trec-run", str(tmp_path / "x.run"), "--collection", slug)

    assert not Run.objects.exists()


def test_real_runs_of_csfcube_half_are_read(db, shared_data, capsys):
    """Eleven runs of equal length, strictly ordered."""
    folder = shared_data / "csfcube-half/runs"
    files = sorted(folder.glob("*.run"))
    topics = {line.split()[0] for line in files[0].read_text().splitlines()}
    collection = make_collection("half", load_definition("csfcube"))
    for topic in sorted(topics):
        query, _, facet = topic.rpartition("_")
        make_topic(collection, query_id=query, facet=facet, candidates=1)

    call_command("import", "trec-run", *map(str, files), "--collection", "half")

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 11
    assert all("25 topics, 3,069 lines, 0 ties, 0 ranks" in line for line in lines)


def test_qrels_made_elsewhere_are_kept_with_their_grades_as_written(study, tmp_path, capsys):
    (tmp_path / "nist.qrels").write_text("q1_method 0 q1c1 2\nq1_method 0 q1c2 0.50\n")

    call_command("import", "trec-qrels", str(tmp_path / "nist.qrels"), "--collection", "study")

    assert "nist: 2 judgments of topics." in capsys.readouterr().out
    [kept] = JudgmentSet.objects.all()
    assert literals_of(kept) == {"q1_method": {"q1c1": "2", "q1c2": "0.50"}}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "order=alphabet"], "order is 'alphabet'; expected one of score, rank"),
        (["--set", "colour=red"], "trec-run has no setting colour"),
        (["--create", "New"], "trec-run takes no --create"),
        (["--dry-run"], "trec-run takes no --dry-run"),
    ],
)
def test_what_a_run_is_not_asked_is_refused(study, tmp_path, options, message):
    (tmp_path / "x.run").write_text(TREC)

    with pytest.raises(CommandError, match=message):
        call_command(
            "import", "trec-run", str(tmp_path / "x.run"), "--collection", "study", *options
        )

    assert not Run.objects.exists()
