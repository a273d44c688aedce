"""Which files may be tables, by their first bytes and their names."""

import zipfile

import pytest

from formats.files import open_files
from formats.tables.kinds import is_json_list, is_json_table, is_table, is_workbook


@pytest.fixture
def file_of(tmp_path):
    def write(name, content=b""):
        path = tmp_path / name
        path.write_bytes(content)
        with open_files([path]) as files:
            return files.all[0]

    return write


def office(path, *parts):
    with zipfile.ZipFile(path, "w") as archive:
        for part in ("[Content_Types].xml", *parts):
            archive.writestr(part, "")
    return path.read_bytes()


@pytest.mark.parametrize(
    ("name", "start", "is_one"),
    [
        ("a.csv", b"id\n", True),
        ("a.TSV", b"id\n", True),
        ("a.tab", b"", True),
        ("a.ndjson", b"{}", True),
        ("a.xlsx", b"id\n", True),
        ("a.bin", b"PAR1", True),
        ("a.xls", b"\xd0\xcf\x11\xe0", True),
        # A document of the old Word begins alike.
        ("a.doc", b"\xd0\xcf\x11\xe0", False),
        ("a.xls", b"id\n", False),
        ("a.txt", b"id,text\n", False),
        ("a.json", b"[{}]", False),
        ("a", b"", False),
    ],
)
def test_a_table_is_told_by_its_bytes_or_its_ending(file_of, name, start, is_one):
    assert is_table(file_of(name, start)) is is_one


def test_an_office_file_is_a_table_where_it_has_a_workbook(file_of, tmp_path):
    book = file_of("a.bin", office(tmp_path / "made", "xl/workbook.xml"))
    text = file_of("b.bin", office(tmp_path / "made", "word/document.xml"))

    assert (is_workbook(book), is_table(book)) == (True, True)
    assert (is_workbook(text), is_table(text)) == (False, False)


def test_what_is_no_zip_is_no_workbook(file_of):
    assert not is_workbook(file_of("a.xlsx", b"id,text\n"))


@pytest.mark.parametrize(
    ("start", "is_one"),
    [
        (b'[{"a": 1}]', True),
        (b"\xef\xbb\xbf [ \n {", True),
        (b"[]", False),
        (b"[[{}]]", False),
        (b'{"a": [{}]}', False),
        (b"", False),
    ],
)
def test_a_list_of_objects_is_told_by_its_beginning(file_of, start, is_one):
    assert is_json_list(file_of("a.json", start)) is is_one


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt", "a"])
def test_only_what_is_called_json_is_looked_at_for_objects(file_of, name):
    assert not is_json_table(file_of(name, b'[{"a": 1}]'))
