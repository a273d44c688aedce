"""What tells an archive, and what is refused of one before anything is unpacked."""

import io
import tarfile
import zipfile

import pytest

from formats import archives
from formats.archives import (
    BOMB_BYTES,
    RefusedError,
    check_bomb,
    checked_members,
    first_bytes,
    is_left_behind,
    is_office,
    kind_of_archive,
)


def members(*names):
    """The names of the files of a zip that are taken."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    with zipfile.ZipFile(data) as archive:
        return [member.filename for member in checked_members(archive)]


def test_files_are_taken_without_folders_and_what_systems_leave():
    names = ["a.csv", "set/", "set/b.csv", "__MACOSX/a.csv", "set/.DS_Store", "Thumbs.db"]

    assert members(*names) == ["a.csv", "set/b.csv"]


def test_an_archive_of_as_many_files_as_are_read_is_read(monkeypatch):
    monkeypatch.setattr(archives, "MAX_MEMBERS", 2)

    assert members("a", "b", "folder/") == ["a", "b"]
    with pytest.raises(RefusedError, match="the archive has 3 files; at most 2 are read") as caught:
        members("a", "b", "c")
    assert caught.value.remedy == "Divide it."


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_archive_with_a_name_twice_is_refused():
    with pytest.raises(RefusedError, match=r"the archive has set/a\.csv twice") as caught:
        members("set/a.csv", "a.csv", "set/a.csv")

    assert caught.value.remedy == "Keep one of the two."


@pytest.mark.parametrize(
    "name", ["../a", "a/../b", "a/..", "/a", "\\a", "a\\..\\b", "C:/a", "c:a", "\\\\host\\a"]
)
def test_a_name_that_leads_out_of_an_archive_is_refused(name):
    with pytest.raises(RefusedError, match="which leads out of it"):
        members(name)


@pytest.mark.parametrize("name", ["a..", "a..b/c", "a.../b", "a/b:c", "ä/日本.csv", " "])
def test_a_name_that_only_looks_so_is_taken(name):
    assert members(name) == [name]


@pytest.mark.parametrize(
    ("name", "is_left"),
    [
        ("a.csv", False),
        (".a.csv", True),
        ("set/.git/a.csv", True),
        ("~$a.xlsx", True),
        ("a~$.xlsx", False),
        ("desktop.ini", True),
        ("set/Thumbs.db", True),
        ("Thumbs.db.csv", False),
    ],
)
def test_what_nobody_meant_to_send_is_hidden_or_of_a_system(name, is_left):
    assert is_left_behind(name) is is_left


def tar():
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.csv"))
    return data.getvalue()


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"PK\x03\x04", "a zip archive"),
        (b"PK\x05\x06", "an empty zip archive"),
        (b"\x1f\x8b\x08", "a gzip archive inside another"),
        (b"BZh9", "a bzip2 archive"),
        (b"\xfd7zXZ\x00", "an xz archive"),
        (b"\x28\xb5\x2f\xfd", "a zstd archive"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"Rar!\x1a", "a RAR archive"),
        (tar(), "a tar archive"),
        (b"id,ustar\n" + b" " * 300 + b"ustar", ""),
        (b"PK,title\n", ""),
        (b"B", ""),
        (b"", ""),
    ],
)
def test_archives_are_told_by_their_first_bytes(tmp_path, start, kind):
    (tmp_path / "a.csv").write_bytes(start)

    assert kind_of_archive(tmp_path / "a.csv") == kind


def test_a_document_of_an_office_program_is_no_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "a", "w") as archive:
        archive.writestr("[Content_Types].xml", "")
    with zipfile.ZipFile(tmp_path / "b", "w") as archive:
        archive.writestr("set/[Content_Types].xml", "")

    assert (is_office(tmp_path / "a"), kind_of_archive(tmp_path / "a")) == (True, "")
    assert (is_office(tmp_path / "b"), kind_of_archive(tmp_path / "b")) == (False, "a zip archive")


def test_what_only_begins_as_a_zip_is_no_document_of_an_office_program(tmp_path):
    (tmp_path / "a").write_bytes(b"PK\x03\x04 and no more")

    assert is_office(tmp_path / "a") is False


@pytest.mark.parametrize(
    ("unpacked", "packed"),
    [(BOMB_BYTES, 0), (10**12, 10**12), (0, 0)],
)
def test_what_grows_as_text_does_or_stays_small_is_no_bomb(unpacked, packed):
    check_bomb(unpacked, packed)


def test_what_grows_beyond_all_text_is_a_bomb():
    packed = BOMB_BYTES // 100
    check_bomb(packed * 200, packed)

    for unpacked, of in [(BOMB_BYTES + 1, 0), (packed * 200 + 1, packed)]:
        with pytest.raises(RefusedError, match=rf"more than {unpacked:,} bytes, packed {of:,}"):
            check_bomb(unpacked, of)


def test_the_sign_of_a_tar_is_among_the_first_bytes(tmp_path):
    (tmp_path / "a").write_bytes(tar())

    assert len(first_bytes(tmp_path / "a")) >= 262
