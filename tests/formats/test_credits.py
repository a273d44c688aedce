"""Licence and citation are found beside the data, and are no data."""

import pytest

from formats.credits import data_files, texts_beside
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
