"""The restore drill: a backup made while people rate, restored into an empty installation."""

import lzma
import threading
from pathlib import Path

import httpx
import pytest
from django.contrib.auth.hashers import make_password
from django.core.files.base import ContentFile
from django.db import connections
from django.test import Client

from bench.visitor import Visitor
from config.backups.making import make_backup
from datasets import uploads
from datasets.runs.judgments import add_judgments
from releases.actions import make_export, write_export
from releases.models import Export
from tests.factories.runs import judgments_of
from tests.factories.studies import PASSWORD, make_study
from tests.factories.tokens import token_of
from webhooks.actions import add_hook
from webhooks.kinds import BY_NAME

pytestmark = pytest.mark.django_db(transaction=True)

PROGRAMS = (
    "from datasets.models import Token; from webhooks.models import Hook\n"
    "print(Hook.objects.get().off, Token.objects.working().count(), Token.objects.count())"
)
COUNT = "from annotation.models import Rating; print(Rating.objects.count())"
# Made by a demo study on the main of that day, with the password of all tests.
STORED = Path(__file__).parent / "study-2026-11-22.tar.xz"


@pytest.fixture
def study(settings):
    """Rated by Bob and exported; the processes know the product's own hashers alone, whose work
    is worth it for Lena, who signs in."""
    study = make_study(candidates=40)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    study.lena.password = make_password(PASSWORD)
    study.lena.save()
    study.rate_all("bob", 1)
    study.hand_in("bob")
    make_export(
        collection=study.collection, export_format="csv", by=study.lena, allow_incomplete=True
    )
    judgments = judgments_of({"q1_method": {"q1c1": "2.50"}})
    add_judgments(collection=study.collection, judgments=judgments, by=study.lena)
    add_hook(
        collection=study.collection, address="https://example.org/", kinds=BY_NAME, by=study.lena
    )
    token_of(study.members["lena"])
    study.upload = uploads.new_token()
    uploads.add(study.upload, [ContentFile(b"a study", name="study.csv")])
    return study


class Raters:
    """Alice's ratings, one after the other, until they are stopped."""

    def __init__(self, study):
        self.study = study
        self.saved = 0
        self.begun, self.stopped = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.rate)

    def rate(self):
        for pair in self.study.batch.pairs.all():
            self.study.rate("alice", pair, 2, note="ü\u2028x")
            self.saved += 1
            if self.saved == 5:
                self.begun.set()
            if self.stopped.is_set():
                break
        connections.close_all()

    def __enter__(self):
        self.thread.start()
        assert self.begun.wait(60)
        return self

    def __exit__(self, *error):
        self.stopped.set()
        self.thread.join()


@pytest.mark.both
def test_what_was_backed_up_while_people_rated_comes_back_whole(study, empty, tmp_path):
    file = tmp_path / "backup"
    with Raters(study) as raters:
        before = 40 + raters.saved
        make_backup(file)
        after = 41 + raters.saved
    restored = empty(is_migrated=True)

    answer = restored.manage("restore", file)

    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "Every invariant holds." in answer.stdout
    assert before <= int(restored.shell(COUNT)) <= after
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_is_restored_is_the_installation_as_it_was(study, empty, tmp_path, settings):
    client = Client()
    client.force_login(study.lena)
    write_export(
        collection=study.collection,
        export_format="csv",
        folder=tmp_path / "before",
        allow_incomplete=True,
    )
    make_backup(tmp_path / "backup")
    restored = empty(is_migrated=True)
    answer = restored.manage("restore", tmp_path / "backup")
    assert answer.returncode == 0, answer.stdout + answer.stderr

    # Files are the same bytes, those that were made and those that are made anew.
    for name in (file["name"] for file in Export.objects.get().files):
        stored_name = Export.objects.get().stored_name(name)
        with Export.store().open(stored_name) as stored:
            assert (restored.site.state / "exports" / stored_name).read_bytes() == stored.read()
    [upload] = (restored.site.state / "uploads" / study.upload).iterdir()
    assert upload.read_bytes() == b"a study"
    options = ("--format", "csv", "--out", tmp_path / "after", "--allow-incomplete")
    assert restored.manage("export", "study", *options).returncode == 0
    assert contents(tmp_path / "after") == contents(tmp_path / "before")

    # People sign in anew: their passwords are good, their sessions are not.
    _, url = restored.site.start_web()
    session = {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
    assert httpx.get(url, cookies=session, follow_redirects=True).url.path == "/sign-in/"
    visitor = Visitor(url)
    assert visitor.sign_in(study.lena.email, PASSWORD).xpath("//*[contains(., 'Study')]")
    visitor.close()

    # Programs elsewhere hear nothing, and theirs open nothing, until people want it.
    assert restored.shell(PROGRAMS) == "copied 0 1"

    # New rows get ids of their own.
    assert "Every invariant holds." in restored.shell(
        "from django.core.management import call_command\n"
        "call_command('site_admin', 'new@example.org')\n"
        "call_command('verify_integrity')"
    )


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_backup_of_an_earlier_version_migrates_forward(empty, tmp_path):
    file = tmp_path / "backup"
    file.write_bytes(lzma.decompress(STORED.read_bytes()))
    restored = empty()

    answer = restored.manage("restore", file)

    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "Every invariant holds." in answer.stdout
    # Whatever is not migrated ends the shell.
    printed = restored.shell(
        "from django.core.management import call_command\n"
        "call_command('migrate', '--check')\n"
        f"{COUNT}\n"
        "from accounts.models import User\n"
        f"print(all(user.check_password({PASSWORD!r}) for user in User.objects.all()))"
    )
    assert printed == "166\nTrue"
