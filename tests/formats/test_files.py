"""Files in: folders, zips and gzip are unpacked with care, and what could do harm is refused."""

import gzip
import hashlib
import io
import os
import stat
import tarfile
import zipfile
import zlib

import pyarrow
import pyarrow.parquet
import pytest

from formats.files import open_files
from formats.problems import BadInputError


def zipped(path, members, **options):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def refusal(sources, **options):
    with pytest.raises(BadInputError) as caught, open_files(sources, **options):
        pass
    (problem,) = caught.value.problems
    return problem


def test_files_of_a_folder_come_with_their_path_below_it(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("a")
    (tmp_path / "corpus.jsonl").write_text("b")
    (tmp_path / ".DS_Store").write_text("left behind")
    (tmp_path / "~$ratings.xlsx").write_text("of an Office program that has the file open")

    with open_files([tmp_path]) as files:
        assert [(file.name, file.start()) for file in files] == [
            ("corpus.jsonl", b"b"),
            ("qrels/test.tsv", b"a"),
        ]


def test_members_of_a_zip_are_named_after_both(tmp_path):
    path = zipped(tmp_path / "beir.zip", [("qrels/test.tsv", "a"), ("__MACOSX/x", "left behind")])

    with open_files([path]) as files:
        (file,) = files
        assert (file.name, file.base, file.folder) == (
            "beir.zip \u203a qrels/test.tsv",
            "test.tsv",
            "qrels",
        )


def test_gzip_is_recognised_by_its_first_bytes_whatever_the_name(tmp_path):
    (tmp_path / "bm25.run").write_bytes(gzip.compress(b"1 Q0 d1 1 2.5 bm25\n"))

    with open_files([tmp_path / "bm25.run"]) as files:
        (file,) = files
        assert file.start() == b"1 Q0 d1 1 2.5 bm25\n"
        assert file.sha256 != ""


def test_gzipped_file_in_a_zip_is_read_since_runs_often_come_so(tmp_path):
    path = zipped(tmp_path / "runs.zip", [("bm25.run.gz", gzip.compress(b"1"))])

    with open_files([path]) as files:
        assert [(file.base, file.start()) for file in files] == [("bm25.run", b"1")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_text_in_utf_16_is_read_as_utf_8_and_known_by_its_own_bytes(tmp_path, encoding):
    data = "\ufeffid\ttext\r\n1\tMüller 日本 😀\r\n".removeprefix(
        "\ufeff" if encoding == "utf-16" else ""
    ).encode(encoding)
    (tmp_path / "a.txt").write_bytes(data)
    path = zipped(tmp_path / "b.zip", [("a.txt", data)])

    with open_files([tmp_path / "a.txt", path]) as files:
        for file in files:
            assert file.start() == "id\ttext\r\n1\tMüller 日本 😀\r\n".encode()
            assert file.sha256 == hashlib.sha256(data).hexdigest()


def test_bytes_that_only_begin_like_utf_16_stay_as_they_are(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\xff\xfea")

    with open_files([tmp_path / "a.bin"]) as files:
        assert [file.start() for file in files] == [b"\xff\xfea"]


def test_upload_is_called_as_it_came_and_read_where_it_lies(tmp_path):
    stored = tmp_path / "000-f3a9"
    stored.write_text("x")

    with open_files([("ratings.csv", stored)]) as files:
        assert [file.name for file in files] == ["ratings.csv"]


@pytest.mark.parametrize("name", ["../outside.csv", "/etc/passwd", "a/../../b", "C:\\x"])
def test_zip_with_a_name_that_leads_out_of_it_is_refused(tmp_path, name):
    problem = refusal([zipped(tmp_path / "a.zip", [(name, "x")])])

    assert (problem.file, "leads out" in problem.message) == ("a.zip", True)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a\x07b.csv", "'a\\x07b.csv'"), ("ratings\u202evsc.exe", "'ratings\\u202evsc.exe'")],
)
def test_zip_with_a_name_that_cannot_be_seen_whole_is_refused_for_that(tmp_path, name, shown):
    problem = refusal([zipped(tmp_path / "a.zip", [(name, "x")])])

    assert problem.message == (
        f"the archive has a file named {shown}, with characters that cannot be seen."
    )


def test_archive_inside_an_archive_is_refused_by_its_content(tmp_path):
    inner = zipped(tmp_path / "inner.zip", [("a.csv", "x")])
    problem = refusal([zipped(tmp_path / "a.zip", [("data.csv", inner.read_bytes())])])

    assert (problem.file, problem.message) == (
        "a.zip \u203a data.csv",
        "this is a zip archive; an archive inside another is not opened.",
    )


def test_tar_in_gzip_is_refused(tmp_path):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("a.csv"))
    (tmp_path / "a.tgz").write_bytes(packed.getvalue())

    assert "a tar archive" in refusal([tmp_path / "a.tgz"]).message


def test_gzip_in_gzip_is_refused(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(gzip.compress(b"x")))

    assert "inside another" in refusal([tmp_path / "a.gz"]).message


def test_encrypted_zip_is_refused(tmp_path):
    path = zipped(tmp_path / "a.zip", [("a.csv", "x")])
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flag in the directory of the archive
    path.write_bytes(data)

    assert refusal([path]).message == "a.csv is encrypted."


def test_link_in_a_zip_is_refused(tmp_path):
    link = zipfile.ZipInfo("a.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16

    assert "a link" in refusal([zipped(tmp_path / "a.zip", [(link, "/etc/passwd")])]).message


def test_limit_counts_unpacked_bytes_of_all_files(tmp_path):
    packed = zipped(tmp_path / "a.zip", [("a.csv", "0" * 60_000)])
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"0" * 60_000))

    problem = refusal([packed, tmp_path / "b.csv.gz"], limit=100_000)

    assert problem.file == "b.csv.gz"
    assert "at most 100,000" in problem.message
    assert "command" in problem.remedy


def test_archive_that_lies_about_its_size_is_refused(tmp_path):
    path = zipped(tmp_path / "a.zip", [("a.csv", "0" * 60_000)])
    data = path.read_bytes().replace((60_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(data)

    assert refusal([path], limit=100_000).file == "a.zip"


def test_bomb_is_refused_without_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("formats.archives.BOMB_BYTES", 100_000)
    bomb = tmp_path / "a.csv"
    bomb.write_bytes(gzip.compress(b"\0" * 1_000_000))

    assert "made to fill disks" in refusal([bomb]).remedy


def test_workbook_that_unpacks_beyond_the_limit_is_refused(tmp_path):
    path = zipped(
        tmp_path / "a.xlsx", [("[Content_Types].xml", ""), ("xl/workbook.xml", " " * 200_000)]
    )

    assert "at most 100,000" in refusal([path], limit=100_000).message


def test_workbook_that_lies_about_its_size_is_refused(tmp_path):
    text = b" " * 3_000_000
    path = zipped(tmp_path / "a.xlsx", [("[Content_Types].xml", ""), ("xl/workbook.xml", text)])
    data = path.read_bytes()
    # Its checksum is that of the little which it tells of.
    for true, told in [(len(text), 3), (zlib.crc32(text), zlib.crc32(text[:3]))]:
        data = data.replace(true.to_bytes(4, "little"), told.to_bytes(4, "little"))
    path.write_bytes(data)

    assert "at most 1,000,000" in refusal([path], limit=1_000_000).message


def test_workbook_that_is_broken_or_encrypted_is_refused(tmp_path):
    path = zipped(tmp_path / "a.xlsx", [("[Content_Types].xml", ""), ("xl/workbook.xml", "abc")])
    data = path.read_bytes()
    for changed in [
        data.replace(zlib.crc32(b"abc").to_bytes(4, "little"), b"0000"),
        data.replace(b"PK\1\2\x14\3\x14\0\0", b"PK\1\2\x14\3\x14\0\1"),
    ]:
        path.write_bytes(changed)

        assert changed != data
        assert "the workbook is broken" in refusal([path]).message


@pytest.mark.parametrize("cut", [10, 40, 90])
def test_broken_archive_is_refused_with_its_name(tmp_path, cut):
    whole = zipped(tmp_path / "whole.zip", [("a.csv", "abc" * 100)]).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:cut])

    assert refusal([tmp_path / "cut.zip"]).file == "cut.zip"


def changed_zip(path, at, new, *, sign=b"PK\1\2", packing=zipfile.ZIP_DEFLATED):
    """A zip with other bytes so far behind a sign: of the directory, of its end, or of a file."""
    with zipfile.ZipFile(path, "w", packing) as archive:
        archive.writestr("é", "abc" * 100)
    data = bytearray(path.read_bytes())
    start = data.index(sign) + at
    data[start : start + len(new)] = new
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"at": 6, "new": b"\x80"}, "zip file version 12.8"),
        ({"at": 10, "new": b"\x63"}, "That compression method is not supported"),
        ({"at": 46, "new": b"\xff"}, "'utf-8' codec can't decode byte 0xff"),
        ({"at": 16, "new": b"\x01"}, "Bad CRC-32"),
        ({"sign": b"PK\5\6", "at": 16, "new": b"\xff"}, ""),  # a directory before the file
        ({"sign": b"PK\3\4", "at": 37, "new": b"\xff" * 9, "packing": zipfile.ZIP_LZMA}, ""),
        ({"sign": b"PK\3\4", "at": 33, "new": b"\xff" * 9}, ""),
        ({"sign": b"PK\3\4", "at": 33, "new": b"\xff" * 9, "packing": zipfile.ZIP_BZIP2}, ""),
    ],
)
def test_a_zip_that_is_damaged_anywhere_is_refused_with_its_name(tmp_path, change, reason):
    problem = refusal([changed_zip(tmp_path / "a.zip", **change)])

    assert problem.file == "a.zip"
    assert problem.message.startswith(f"the zip archive is broken: {reason}")
    assert problem.remedy == "Pack it again, or bring its files."


def test_a_file_without_a_name_in_a_zip_is_refused(tmp_path):
    problem = refusal([changed_zip(tmp_path / "a.zip", at=28, new=b"\0\0\2\0")])

    assert problem.message == "the archive has a file named '', which leads out of it."


def test_two_files_of_one_name_are_refused(tmp_path):
    (tmp_path / "a").write_text("x")

    problem = refusal([("a.csv", tmp_path / "a"), ("a.csv", tmp_path / "a")])

    assert problem.message == "there are two files of this name."


def test_missing_path_is_reported(tmp_path):
    assert refusal([tmp_path / "nothing"]).message == "there is no such file or folder."


def test_a_name_that_is_not_utf_8_is_refused(tmp_path):
    (tmp_path / os.fsdecode(b"Qu\xe9bec.csv")).write_text("query,document,grade\n")

    problem = refusal([tmp_path])

    assert (problem.file, problem.message) == ("Qu?bec.csv", "its name is not UTF-8.")


def parquet(path, *values):
    pyarrow.parquet.write_table(pyarrow.table({"a": values}), path)
    return path


def total_of(sources):
    """The number of bytes that the sources have unpacked: the least limit that takes them."""
    low, high = 0, 1 << 20
    while low < high:
        middle = (low + high) // 2
        try:
            with open_files(sources, limit=middle):
                high = middle
        except BadInputError:
            low = middle + 1
    return low


def test_a_limit_takes_as_many_bytes_and_not_one_more(tmp_path):
    (tmp_path / "plain.csv").write_bytes(b"0" * 1000)
    (tmp_path / "packed.csv.gz").write_bytes(gzip.compress(b"0" * 2000))
    zipped(tmp_path / "a.zip", [("a.csv", "0" * 3000), ("b.csv", "0" * 4000)])
    zipped(tmp_path / "c.zip", [("a.csv", gzip.compress(b"0" * 500))])

    sizes = {path.name: total_of([path]) for path in tmp_path.iterdir()}

    of_gzip = len(gzip.compress(b"0" * 500))
    assert sizes == {
        "plain.csv": 1000, "packed.csv.gz": 2000, "a.zip": 7000, "c.zip": 500 + of_gzip,
    }  # fmt: skip
    assert total_of([tmp_path / "a.zip", tmp_path / "plain.csv"]) == 8000


def test_a_workbook_counts_as_its_parts_where_these_are_more(tmp_path):
    sheets = [("[Content_Types].xml", "x" * 100), ("xl/workbook.xml", " " * 5000)]
    path = zipped(tmp_path / "a.xlsx", sheets)

    assert path.stat().st_size < 5100
    assert total_of([path]) == 5100


def test_a_table_of_parquet_counts_as_its_cells_beside_other_files(tmp_path):
    path = parquet(tmp_path / "a.parquet", *["x" * 1000] * 50)
    (tmp_path / "b.csv").write_bytes(b"0" * 1000)

    assert path.stat().st_size < 10_000
    assert total_of([path]) == 50_000
    assert total_of([path, tmp_path / "b.csv"]) == 51_000


def test_a_table_of_parquet_that_is_larger_than_its_cells_counts_as_it_is(tmp_path):
    path = parquet(tmp_path / "a.parquet", 1)

    assert total_of([path]) == path.stat().st_size


def test_an_archive_that_tells_of_too_much_is_refused_by_the_sum_of_its_files(tmp_path):
    path = zipped(tmp_path / "a.zip", [("a.csv", "0" * 60_000), ("b.csv", "0" * 60_000)])

    assert refusal([path], limit=100_000).message == (
        "unpacked, the files have 120,000 bytes or more; at most 100,000 are taken."
    )


def test_many_files_that_are_small_by_themselves_may_be_a_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr("formats.archives.BOMB_BYTES", 100_000)
    path = zipped(tmp_path / "a.zip", [("a.csv", "0" * 60_000), ("b.csv", "0" * 60_000)])

    assert refusal([path]).message.startswith("unpacked it has more than 120,000 bytes, packed ")


def test_a_gzipped_file_may_have_as_many_bytes_as_do_no_harm(tmp_path, monkeypatch):
    monkeypatch.setattr("formats.archives.BOMB_BYTES", 100_000)
    (tmp_path / "a.csv").write_bytes(gzip.compress(b"\0" * 100_000))
    (tmp_path / "b.csv").write_bytes(gzip.compress(b"\0" * 100_001))

    with open_files([tmp_path / "a.csv"]) as files:
        assert files.size == 100_000
    assert refusal([tmp_path / "b.csv"]).message.startswith("unpacked it has more than 100,001")


@pytest.mark.parametrize("change", [slice(0, -4), slice(0, 12), slice(0, 3)])
def test_a_gzip_that_is_cut_is_refused(tmp_path, change):
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(b"1 Q0 d1 1 2.5 bm25\n" * 50)[change])

    problem = refusal([tmp_path / "a.run.gz"])

    assert problem.file == "a.run.gz"
    assert problem.message.startswith("the gzip archive is broken: ")
    assert problem.remedy == "Pack it again, or bring it unpacked."


def test_only_the_ending_of_what_was_unpacked_is_taken_off(tmp_path):
    (tmp_path / "a.run").write_bytes(gzip.compress(b"x"))
    (tmp_path / "b.run.GZ").write_bytes(gzip.compress(b"x"))
    (tmp_path / "c.run.gz").write_bytes(b"x")

    with open_files([tmp_path]) as files:
        assert [(file.base, file.suffix) for file in files] == [
            ("a.run", ".run"),
            ("b.run", ".run"),
            ("c.run.gz", ".gz"),
        ]


def test_a_file_is_called_by_what_stands_after_its_archive(tmp_path):
    path = zipped(tmp_path / "my \u203a a.zip", [("runs/b.run", "x"), ("c.run", "x")])

    with open_files([path]) as files:
        assert {file.base: file.folder for file in files} == {"b.run": "runs", "c.run": ""}


def test_every_problem_of_the_sources_is_told_at_once(tmp_path):
    (tmp_path / "a.gz").write_bytes(b"\x1f\x8b\x08")
    with pytest.raises(BadInputError) as caught, open_files([tmp_path / "b", tmp_path / "a.gz"]):
        pass

    assert [problem.file for problem in caught.value.problems] == ["b", "a.gz"]


def test_the_fingerprint_is_of_names_and_bytes_in_any_order(tmp_path):
    for name, content in [("a", "1"), ("b", "2"), ("c", "1")]:
        (tmp_path / name).write_text(content)

    def fingerprint(*names):
        with open_files([tmp_path / name for name in names]) as files:
            return files.fingerprint

    assert fingerprint("a", "b") == fingerprint("b", "a")
    assert len({fingerprint("a", "b"), fingerprint("c", "b"), fingerprint("a")}) == 3
    assert fingerprint() == hashlib.sha256(b"").hexdigest()
