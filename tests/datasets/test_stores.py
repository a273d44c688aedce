"""Shared files in both kinds of store, by the same functions."""

import os
import time

import pytest
from django.core.files.base import ContentFile

from config import env
from config.bucket import Bucket
from config.storage import StateFolder
from datasets import stores


@pytest.fixture(params=["folder", "bucket"])
def store(request, settings, tmp_path, monkeypatch):
    settings.STATE_DIR = tmp_path
    if request.param == "folder":
        return StateFolder("exports")
    for name, value in request.getfixturevalue("object_store").bucket().items():
        monkeypatch.setenv(name, value)
    return Bucket(**env.bucket("FACETWISE_FILES"))


def put(store, *names):
    for name in names:
        assert store.save(name, ContentFile(name.encode())) == name


def test_all_files_of_a_folder_are_named(store):
    put(store, "one/b", "one/qrels/test.tsv", "one/a", "two/c")

    assert list(stores.names_in(store, "one")) == ["one/a", "one/b", "one/qrels/test.tsv"]
    assert len(list(stores.names_in(store))) == 4
    assert list(stores.names_in(store, "three")) == []


def test_a_folder_goes_with_everything_in_it(store):
    put(store, "one/a", "one/qrels/test.tsv", "two/c")

    stores.remove(store, "one")
    stores.remove(store, "one")

    assert list(stores.names_in(store)) == ["two/c"]
    assert store.listdir("") == (["two"], [])


def test_only_unknown_folders_that_nobody_wrote_to_for_a_day_are_swept(store, monkeypatch):
    put(store, "known/a", "lost/qrels/b")

    stores.sweep(store, keep={"known"})
    assert len(list(stores.names_in(store))) == 2

    monkeypatch.setattr(stores, "KEPT_SECONDS", -5)
    stores.sweep(store, keep={"known"})
    assert list(stores.names_in(store)) == ["known/a"]


def test_a_store_without_any_file_is_swept_without_trouble(store):
    stores.sweep(store)


def test_files_of_any_store_can_be_read_by_their_paths(store, settings):
    put(store, "one/a", "one/b")

    with stores.local_paths(store, ["one/a", "one/b"]) as paths:
        assert [path.read_bytes() for path in paths] == [b"one/a", b"one/b"]
        assert all(path.is_relative_to(settings.STATE_DIR) for path in paths)

    assert list((settings.STATE_DIR / "scratch").glob("*")) == []
    assert list(stores.names_in(store)) == ["one/a", "one/b"]


def test_what_a_killed_process_left_is_deleted(settings, tmp_path):
    settings.STATE_DIR = tmp_path
    with stores.scratch_folder() as used:
        left, new = used.with_name("left"), used.with_name("new")
        uploaded, being_uploaded = used.with_name("a.upload"), used.with_name("b.upload")
        for folder in (left, new):
            folder.mkdir()
            (folder / "copy").touch()
        for file in (uploaded, being_uploaded):
            file.touch()
        # It tells by its lock that its process lives, however long it takes.
        for path, age in [(used, 10**9), (uploaded, 10**9), (left, 60), (being_uploaded, 60)]:
            os.utime(path, (time.time() - age,) * 2)

        with stores.scratch_folder() as other:
            assert set(used.parent.iterdir()) == {used, other, new, being_uploaded}
