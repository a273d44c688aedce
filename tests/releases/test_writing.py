"""Files of an export are on disk as they were written, and appear as a whole."""

import hashlib
import zipfile

from releases.writing import Folder


def test_file_is_written_in_parts_below_folders_and_named_with_its_hash(tmp_path):
    with Folder(tmp_path / "new" / "place" / "out") as folder:
        entry = folder.write("qrels/test.tsv", ["q1\t", "ü\n"])
        folder.keep()

    content = (tmp_path / "new" / "place" / "out" / "qrels" / "test.tsv").read_bytes()
    assert content == "q1\tü\n".encode()
    assert entry == {
        "name": "qrels/test.tsv",
        "size": 6,
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def test_archive_has_the_files_in_order_and_the_same_bytes_each_time(tmp_path):
    with Folder(tmp_path / "out") as folder:
        for name in ("a.txt", "b.txt", "c.txt"):
            folder.write(name, [name * 100])
        for archive in ("one.zip", "two.zip"):
            folder.archive(archive, ["b.txt", "a.txt"])

        with zipfile.ZipFile(folder.path / "one.zip") as archive:
            assert archive.namelist() == ["b.txt", "a.txt"]
            assert archive.read("a.txt") == b"a.txt" * 100
            assert archive.infolist()[0].external_attr >> 16 == 0o644
            assert archive.infolist()[0].compress_type == zipfile.ZIP_DEFLATED
        assert (folder.path / "one.zip").read_bytes() == (folder.path / "two.zip").read_bytes()


def test_a_kept_folder_is_for_all_to_read_and_for_its_owner_to_write(tmp_path):
    with Folder(tmp_path / "out") as folder:
        folder.keep()

    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o755


def test_folder_that_is_not_kept_leaves_nothing(tmp_path):
    with Folder(tmp_path / "out") as folder:
        folder.write("a.txt", ["a"])

    assert list(tmp_path.iterdir()) == []


def test_folder_takes_the_place_of_an_earlier_one(tmp_path):
    for content in ("old", "new"):
        with Folder(tmp_path / "out") as folder:
            folder.write(f"{content}.txt", [content])
            folder.keep()

    assert [path.name for path in tmp_path.rglob("*")] == ["out", "new.txt"]
