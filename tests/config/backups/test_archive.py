"""What is refused: files that are no whole backup, and installations that are not empty."""

import io
import json
import tarfile

import pytest
from django.core.management import CommandError, call_command

from config.backups import BackupError
from config.backups.making import make_backup
from config.backups.restoring import check_backup, restore_backup
from datasets.models import Collection
from tests.factories.studies import make_study

pytestmark = pytest.mark.both


@pytest.fixture
def file(db, tmp_path):
    make_study()
    make_backup(tmp_path / "backup")
    return tmp_path / "backup"


def rewritten(file, change):
    """The backup once more, after `change` of its members ({name: bytes})."""
    with tarfile.open(file) as tar:
        members = {info.name: tar.extractfile(info).read() for info in tar.getmembers()}
    change(members)
    with tarfile.open(file, "w") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


def in_manifest(**values):
    def change(members):
        content = json.loads(members["manifest.json"]) | values
        members["manifest.json"] = json.dumps(content).encode()

    return change


def test_a_backup_is_whole_and_has_its_tables(file):
    content = check_backup(file)

    assert content["rows"]["annotation_pair"] == 3
    assert "accounts_session" not in content["rows"]
    assert not list(file.parent.glob(".*"))


def test_the_same_rows_are_the_same_tables(file, tmp_path):
    make_backup(tmp_path / "again")
    first, second = check_backup(file), check_backup(tmp_path / "again")

    assert first["members"] == second["members"]


@pytest.mark.parametrize("share", [0, 0.3, 0.8, 0.99])
def test_a_truncated_backup_is_refused(file, share):
    data = file.read_bytes()
    with tarfile.open(file) as tar:
        end = tar.getmembers()[-1].offset_data
    file.write_bytes(data[: int(end * share)])

    with pytest.raises(BackupError, match="truncated"):
        check_backup(file)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda m: m.update({"tables/audit_event.jsonl.gz": b"forged"}), "is not what it was"),
        (lambda m: m.pop("tables/audit_event.jsonl.gz"), "is missing"),
        (lambda m: m.pop("manifest.json"), "no manifest"),
        (in_manifest(format=2), "is a backup of format 2"),
        (in_manifest(migrations=[["audit", "0999_future"]]), "made by a newer version"),
        (lambda m: m.update({"manifest.json": b"{"}), "cannot be read"),
    ],
)
def test_a_backup_that_was_tampered_with_or_is_of_another_version_is_refused(file, change, reason):
    rewritten(file, change)

    with pytest.raises(BackupError, match=reason):
        check_backup(file)


@pytest.mark.parametrize("name", ["../evil", "uploads/../../evil", "/etc/passwd", "tables/evil"])
def test_a_strange_member_is_refused(file, name):
    def add(members):
        manifest = members.pop("manifest.json")
        members |= {name: b"x", "manifest.json": manifest}

    rewritten(file, lambda members: add(members))

    with pytest.raises(BackupError, match="holds"):
        check_backup(file)


def test_a_link_is_refused(file):
    with tarfile.open(file, "a") as tar:
        info = tarfile.TarInfo("uploads/a/link")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(info)

    with pytest.raises(BackupError):
        check_backup(file)


def test_a_backup_replaces_no_file(file):
    before = file.read_bytes()

    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(file))

    assert file.read_bytes() == before


def test_a_backup_that_cannot_be_written_is_told_in_a_sentence(tmp_path):
    with pytest.raises(BackupError, match="cannot be written: File name too long"):
        make_backup(tmp_path / ("x" * 255))


def test_nothing_is_left_of_a_backup_that_failed(db, tmp_path, monkeypatch):
    monkeypatch.setattr("config.backups.making.write_table", lambda *args, **kwargs: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        make_backup(tmp_path / "backup")

    assert list(tmp_path.iterdir()) == []


def test_an_installation_with_rows_is_not_restored_into(file):
    before = Collection.objects.count()

    with pytest.raises(BackupError, match="not empty: there are rows in"):
        restore_backup(file)

    assert Collection.objects.count() == before
