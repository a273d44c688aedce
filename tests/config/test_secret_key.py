"""The key that signs: where it comes from, and what is refused."""

import os
import stat

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.secret_key import secret_key


def test_a_secret_key_is_made_once_and_readable_by_its_owner_only(monkeypatch, tmp_path):
    monkeypatch.setenv("SETTING", "")
    file = tmp_path / "state" / "secret-key"

    key = secret_key("SETTING", file)

    assert len(key) >= 64
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert secret_key("SETTING", file) == key
    assert [entry.name for entry in file.parent.iterdir()] == ["secret-key"]


def test_the_process_that_makes_the_file_first_decides(monkeypatch, tmp_path):
    monkeypatch.setenv("SETTING", "")
    file = tmp_path / "secret-key"
    link = os.link

    def link_too_late(source, target):
        file.write_text("k" * 50)
        file.chmod(0o600)
        link(source, target)

    monkeypatch.setattr(os, "link", link_too_late)

    assert secret_key("SETTING", file) == "k" * 50
    assert [entry.name for entry in tmp_path.iterdir()] == ["secret-key"]


def test_a_kept_key_is_read_without_the_line_end_of_an_editor(monkeypatch, tmp_path):
    monkeypatch.setenv("SETTING", "")
    file = tmp_path / "secret-key"
    file.write_text("k" * 50 + "\n")
    file.chmod(0o640)

    assert secret_key("SETTING", file) == "k" * 50


def test_machines_that_share_files_need_a_given_key(monkeypatch):
    """Each would make another one, and none would know the sessions of the others."""
    monkeypatch.setenv("SETTING", "")

    with pytest.raises(ImproperlyConfigured, match=r"SETTING is not set\. .* one and the same key"):
        secret_key("SETTING", None)

    monkeypatch.setenv("SETTING", "k" * 50)
    assert secret_key("SETTING", None) == "k" * 50


def test_a_key_is_made_where_its_folder_is_not_there_yet(monkeypatch, tmp_path):
    monkeypatch.setenv("SETTING", "")

    assert secret_key("SETTING", tmp_path / "new" / "state" / "secret-key")


def spoil(file, how):
    match how:
        case "empty" | "short":
            file.write_text("" if how == "empty" else "k" * 49)
        case "binary":
            file.write_bytes(b"\xff\xfe\0")
        case "a folder":
            file.unlink()
            file.mkdir()
        case "open to all":
            file.chmod(0o604)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("empty", "has 0 characters; expected at least 50"),
        ("short", "has 49 characters"),
        ("binary", "has 3 characters"),
        ("a folder", "cannot be read, or not be made: Is a directory"),
        ("open to all", "Everybody on this machine may read the key in .*: chmod 600 "),
    ],
)
def test_a_key_file_that_holds_no_secret_is_refused_with_a_way_out(
    monkeypatch, tmp_path, how, words
):
    monkeypatch.setenv("SETTING", "")
    file = tmp_path / "secret-key"
    key = secret_key("SETTING", file)
    spoil(file, how)

    with pytest.raises(ImproperlyConfigured, match=words) as failure:
        secret_key("SETTING", file)

    assert key not in str(failure.value)


def test_a_given_secret_key_goes_before_the_file_and_must_be_long(monkeypatch, tmp_path):
    monkeypatch.setenv("SETTING", "k" * 50)
    assert secret_key("SETTING", tmp_path / "secret-key") == "k" * 50

    monkeypatch.setenv("SETTING", "k" * 49)
    with pytest.raises(ImproperlyConfigured, match="SETTING has 49 characters") as failure:
        secret_key("SETTING", tmp_path / "secret-key")
    assert "kkk" not in str(failure.value)
