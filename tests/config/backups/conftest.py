"""Empty databases and installations to restore into."""

import subprocess
import sys
import uuid
from contextlib import ExitStack, contextmanager
from urllib.parse import quote

import pytest
from django.db import connection

from tests.databases import MIGRATED, copy_migrated, migrated_on_server, on_sqlite, turn
from tests.processes import ROOT


@contextmanager
def new_database(folder, *, is_migrated):
    """The address of an empty database of the kind that the tests run on, with the tables of today
    where they are asked for."""
    if on_sqlite():
        if is_migrated:
            copy_migrated(folder / "empty.sqlite3")
        yield f"sqlite:///{folder / 'empty.sqlite3'}"
        return
    name = f"restored_{uuid.uuid4().hex[:12]}"
    settings = connection.settings_dict
    # Beside the test's connection, which may be in a transaction.
    server = connection.copy("server")
    template = f'TEMPLATE "{migrated_on_server()}"' if is_migrated else ""
    # A template is copied for one at a time.
    with turn(MIGRATED), server._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} {template}")
    url = f"postgresql://{quote(settings['USER'])}:{quote(settings['PASSWORD'])}@/{name}"
    url += f"?host={settings['HOST']}" + (f"&port={settings['PORT']}" if settings["PORT"] else "")
    try:
        yield url
    finally:
        with server._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def empty(installation, tmp_path):
    """`empty()`: an installation with an empty database and an empty state folder. Tables take
    seconds to make; `is_migrated` brings those of today."""
    with ExitStack() as databases:

        def make(*, is_migrated=False):
            folder = tmp_path / f"database-{uuid.uuid4().hex}"
            folder.mkdir()
            url = databases.enter_context(new_database(folder, is_migrated=is_migrated))
            return Restored(installation(DATABASE_URL=url))

        yield make


class Restored:
    """An installation on another database than the test's; commands run as in its shell."""

    def __init__(self, site):
        self.site = site

    def manage(self, *arguments):
        return self.run("manage.py", *map(str, arguments))

    def shell(self, code):
        """What code prints that runs in the installation."""
        answer = self.run("-c", f"import django; django.setup()\n{code}")
        assert answer.returncode == 0, answer.stderr
        return answer.stdout.strip()

    def run(self, *command):
        return subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=self.site.env,
            capture_output=True,
            text=True,
            check=False,
        )
