import shutil

import pytest
from django.conf import settings as django_settings

from datasets.models import Collection
from datasets.runs.actions import add_run
from tests.databases import RUN, make_once, on_sqlite, other_database, undone_in
from tests.evaluation import csfcube
from tests.factories.runs import run_of


def add_runs(collection, folder):
    names = csfcube.expected(folder)["sources"]["adjudicated"]
    for name, rankings in csfcube.rankings(folder, names).items():
        add_run(collection=collection, run=run_of(rankings, tag=name), by=None)


@pytest.fixture(scope="session")
def half_with_runs_file(half_file, django_db_blocker, shared_data):
    """The half's database with the runs in it, made once for all processes."""

    def make(path):
        shutil.copyfile(half_file, path)
        with other_database(path):
            add_runs(Collection.objects.get(), shared_data)

    with django_db_blocker.unblock():
        made = make_once(RUN / "half-with-runs.sqlite3", make)
    return shutil.copyfile(made, django_settings.STATE_DIR / "half-with-runs.sqlite3")


@pytest.fixture
def half_with_runs(request, shared_data):
    """CSFCube's half with its eleven runs. What a test changes is undone."""
    if not on_sqlite():
        half = request.getfixturevalue("half")
        add_runs(half, shared_data)
        yield half
        return
    path = request.getfixturevalue("half_with_runs_file")
    request.getfixturevalue("db")
    with undone_in(path):
        yield Collection.objects.get()
