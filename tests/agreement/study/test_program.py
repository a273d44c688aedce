"""The hash of what computes figures: its code, and the libraries that it asks."""

import shutil
import sys
from importlib.metadata import version

import pytest

from agreement.study import program
from agreement.study.program import program_hash


@pytest.fixture
def hash_of(tmp_path, monkeypatch):
    """The hash of a package with these files, under these versions of libraries."""
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "figures_of_ours"
    folder.mkdir()

    def hashed(files, versions=None):
        shutil.rmtree(folder)
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text)
        sys.modules.pop("figures_of_ours", None)
        versions = versions or {"numpy": "2.0", "scipy": "1.17"}
        monkeypatch.setattr(program, "version", versions.__getitem__)
        program_hash.cache_clear()
        return program_hash(("figures_of_ours",), tuple(versions))

    yield hashed
    program_hash.cache_clear()


FILES = {"__init__.py": "", "alpha.py": "def alpha(): ...\n"}


def test_same_code_and_libraries_have_one_hash(hash_of):
    assert hash_of(FILES) == hash_of(dict(reversed(FILES.items())))


@pytest.mark.parametrize(
    "files",
    [
        FILES | {"alpha.py": "def alpha(): pass\n"},
        FILES | {"kappa.py": ""},
        {"__init__.py": FILES["alpha.py"], "alpha.py": ""},
    ],
)
def test_another_code_has_another_hash(hash_of, files):
    assert hash_of(FILES) != hash_of(files)


@pytest.mark.parametrize(
    "versions", [{"numpy": "2.0", "scipy": "1.18"}, {"numpy": "2.01", "scipy": ".17"}]
)
def test_another_library_has_another_hash(hash_of, versions):
    assert hash_of(FILES) != hash_of(FILES, versions)


def test_what_is_no_code_changes_nothing(hash_of):
    assert hash_of(FILES) == hash_of(FILES | {"notes.txt": "Nothing."})


def test_libraries_are_those_that_are_installed():
    assert program.version is version
