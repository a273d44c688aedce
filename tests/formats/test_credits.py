"""Licence and citation are found beside the data, and are no data."""

import pytest

from formats.credits import MAX_BYTES, data_files, kind_of, texts_beside
from formats.files import open_files


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("LICENSE", "licence"),
        ("LICENSE.md", "licence"),
        ("licence.txt", "licence"),
        ("COPYING", "licence"),
        ("ATTRIBUTION.txt", "attribution"),
        ("CITATION.cff", "citation"),
        ("README.md", "readme"),
    ],
)
def test_text_is_recognised_by_its_name(tmp_path, name, kind):
    (tmp_path / name).write_text("CC BY 4.0\n")
    (tmp_path / "documents.csv").write_text("id\n")

    with open_files([tmp_path]) as files:
        (text,) = texts_beside(files)
        assert (text.kind, text.text) == (kind, "CC BY 4.0")
        assert [file.name for file in data_files(files)] == ["documents.csv"]


@pytest.mark.parametrize("name", ["licences.csv", "citations.jsonl", "readme.json"])
def test_table_is_data_whatever_its_name(tmp_path, name):
    (tmp_path / name).write_text("id\n")

    with open_files([tmp_path]) as files:
        assert texts_beside(files) == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("NOTICE", "attribution"),
        ("authors.md", "attribution"),
        ("License-CC-BY-4.0.txt", "licence"),
        ("LICENSE_data", "licence"),
        ("Read_me.rst", "readme"),
        ("read-me", "readme"),
        ("readme.de.txt", "readme"),
        ("LICENSED.txt", None),
        ("my-licence.txt", None),
        ("citations.txt", None),
        ("notice board.txt", None),
        ("README.CSV", None),
        ("authors.jsonl", None),
        ("licence.xml", None),
    ],
)
def test_kind_of_a_text_is_the_beginning_of_its_name(tmp_path, name, kind):
    (tmp_path / name).write_text("x")

    with open_files([tmp_path / name]) as files:
        assert kind_of(files.all[0]) == kind


def test_texts_are_taken_off_their_white_space_and_byte_order_mark(tmp_path):
    (tmp_path / "LICENSE").write_bytes("\ufeff\n CC BY 4.0 \n\n".encode())

    with open_files([tmp_path]) as files:
        assert [text.text for text in texts_beside(files)] == ["CC BY 4.0"]


def test_a_text_that_is_too_long_to_be_confirmed_or_no_utf_8_is_left_alone(tmp_path):
    (tmp_path / "LICENSE").write_bytes(b"x" * MAX_BYTES)
    (tmp_path / "LICENSE-long").write_bytes(b"x" * (MAX_BYTES + 1))
    (tmp_path / "NOTICE").write_bytes(b"\xff")

    with open_files([tmp_path]) as files:
        assert [(text.file, len(text.text)) for text in texts_beside(files)] == [
            ("LICENSE", MAX_BYTES)
        ]
        assert data_files(files) == []
