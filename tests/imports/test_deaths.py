"""An import that dies leaves nothing to see, and the next one starts clean."""

import random
import subprocess
import sys
import time

import pytest
from django.conf import settings

from annotation.schemes.actions import create_scheme, load_definition
from config.integrity import findings
from datasets.models import Collection, Import
from formats.csfcube.sources import find_in_folder
from imports import life
from imports.run import sweep_dead_imports
from tests.factories.csfcube import Folder, make_paper
from tests.factories.imports import import_csfcube
from tests.imports.rows import NO_ROWS, count_rows, count_visible_rows
from tests.processes import ROOT, Installation, wait_until

# The command with longer pauses between its transactions, so that a kill meets it at work.
SLOWED = """
import sys, django
django.setup()
from django.core.management import call_command
from imports import life
life.PAUSE_SECONDS = float(sys.argv[1])
call_command("import_csfcube", sys.argv[2], collection="study", with_ratings=True)
"""


class Injected(Exception):
    pass


@pytest.fixture
def collection(transactional_db):
    collection = Collection.objects.create(slug="study", name="Study")
    create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
    return collection


@pytest.fixture
def folder():
    """Large enough that its import takes a moment."""
    folder = Folder()
    for query in ["q1", "q2"]:
        for number in range(4, 150):
            paper_id = f"{query}c{number}"
            folder.papers[paper_id] = make_paper(paper_id)
            folder.pools[query]["cands"].append(paper_id)
            folder.pools[query]["cand_source"].append(["cited"])
    return folder


def no_rows_visible():
    return dict.fromkeys(count_visible_rows(), 0)


def start_import(path, pause=0.3):
    """The command in a process of its own, on the test database and state folder."""
    env = Installation(settings.STATE_DIR).env
    return subprocess.Popen(
        [sys.executable, "-c", SLOWED, str(pause), str(path)],
        cwd=ROOT,
        env=env,
        stdout=subprocess.DEVNULL,
    )


def test_a_kill_at_any_point_leaves_nothing_to_see(collection, folder, tmp_path, stress):
    path = folder.write(tmp_path)
    moments = random.Random(35)

    for _ in range(stress(2, 10)):
        process = start_import(path, pause=1)
        wait_until(
            lambda: Import.objects.filter(state=Import.State.INACTIVE).exists(),
            "the import to begin",
        )
        time.sleep(moments.uniform(0, 2.5))
        process.kill()
        process.wait()
        assert not Import.objects.filter(state=Import.State.ACTIVE).exists()
        assert count_visible_rows() == no_rows_visible()
        sweep_dead_imports()
        assert count_rows() == NO_ROWS

    assert start_import(path, pause=0).wait() == 0
    assert collection.imports.filter(state=Import.State.ACTIVE).count() == 1
    assert count_visible_rows()["Pair"] == 9
    assert list(findings()) == []


def test_a_failure_in_any_transaction_leaves_no_row(collection, tmp_path, monkeypatch):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    sources = find_in_folder(Folder().write(tmp_path))
    hold = life.Writer._hold
    failed = 0

    while True:
        held = []

        def fail_late(writer, held=held, last=failed):
            hold(writer)
            held.append(writer)
            if len(held) > last:
                raise Injected

        monkeypatch.setattr(life.Writer, "_hold", fail_late)
        try:
            import_csfcube(sources=sources, collection=collection, by=None, with_ratings=True)
        except Injected:
            assert count_rows() == NO_ROWS
            failed += 1
        else:
            break

    assert failed == len(held) >= 13  # one for each transaction, the last one included
    assert count_visible_rows()["Pair"] == 9


def test_a_failure_in_the_last_transaction_leaves_no_row(collection, tmp_path, monkeypatch):
    sources = find_in_folder(Folder().write(tmp_path))

    def fail(*args, **kwargs):
        raise Injected

    monkeypatch.setattr(life, "record", fail)

    with pytest.raises(Injected):
        import_csfcube(sources=sources, collection=collection, by=None, with_ratings=True)

    assert count_rows() == NO_ROWS
    collection.refresh_from_db()
    assert collection.extra == {}


def test_what_is_being_written_is_seen_by_nobody_and_breaks_no_rule(
    collection, tmp_path, monkeypatch
):
    sources = find_in_folder(Folder().write(tmp_path))
    visible_rows, all_findings = [], []

    def look(done, total, stage):
        visible_rows.append(count_visible_rows())
        all_findings.extend(findings())

    import_csfcube(
        sources=sources,
        collection=collection,
        by=None,
        with_ratings=True,
        progress=look,
    )

    assert len(visible_rows) > 5
    assert all_findings == []
    assert all(counts == no_rows_visible() for counts in visible_rows)
    assert count_visible_rows()["Membership"] == 5


def test_an_import_beside_another_is_refused(collection, tmp_path):
    sources = find_in_folder(Folder().write(tmp_path))
    writer = life.begin(collection=collection, kind="csfcube", fingerprint="x", by=None)

    with pytest.raises(life.ImportRunningError):
        import_csfcube(sources=sources, collection=collection, by=None)

    writer.close()
    assert count_rows() == NO_ROWS


def test_a_silent_import_of_another_machine_is_dead_only_after_a_while(collection, settings):
    writer = life.begin(collection=collection, kind="csfcube", fingerprint="x", by=None)
    life.lock_path(writer.imported).unlink()  # as on a machine with another state folder

    sweep_dead_imports()
    assert Import.objects.get().state == Import.State.INACTIVE

    settings.JOB_STALE_SECONDS = 0
    sweep_dead_imports()
    assert Import.objects.get().state == Import.State.DEAD


def test_a_writer_that_was_swept_cannot_write_on(collection):
    writer = life.begin(collection=collection, kind="csfcube", fingerprint="x", by=None)
    life.abandon(writer.imported)

    with pytest.raises(life.ImportLostError), writer.chunk():
        pass
