"""Where shared files lie: a folder on this machine, or a bucket."""

import os
import stat
import subprocess
import sys

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile

from config import env
from config.bucket import Bucket
from config.outages import STORE
from config.storage import StateFolder, StoreError
from datasets import uploads
from jobs.models import Job
from tests.factories.csfcube import Folder
from tests.factories.studies import make_study


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_files_on_disk_are_for_their_owner_alone(settings, tmp_path):
    settings.STATE_DIR = tmp_path

    StateFolder("exports").save("id/qrels/test.tsv", ContentFile(b"data"))

    assert mode(tmp_path / "exports" / "id" / "qrels" / "test.tsv") == 0o600
    assert mode(tmp_path / "exports" / "id" / "qrels") == mode(tmp_path / "exports") == 0o700


def test_what_is_saved_on_disk_survives_a_loss_of_power(settings, tmp_path, monkeypatch):
    settings.STATE_DIR = tmp_path
    synced = []
    monkeypatch.setattr(
        os, "fsync", lambda handle: synced.append(os.readlink(f"/proc/self/fd/{handle}"))
    )

    StateFolder("exports").save("id/ratings.csv", ContentFile(b"data"))

    exports = tmp_path / "exports"
    assert synced == [str(exports / "id" / "ratings.csv"), str(exports / "id"), str(exports)]


@pytest.fixture
def bucket(object_store, monkeypatch):
    """`bucket(**changed)`: a new bucket, as the environment names it."""

    def make(**changed):
        for name, value in (object_store.bucket() | changed).items():
            monkeypatch.setenv(name, value)
        return Bucket(**env.bucket("FACETWISE_FILES"))

    return make


def test_a_bucket_that_is_not_there_fails_as_a_disk_would(bucket):
    store = bucket()
    store.bucket_name = "nobodys"

    for step in [
        lambda: store.save("id/name", ContentFile(b"data")),
        lambda: store.listdir(""),
    ]:
        with pytest.raises(StoreError, match="The file store failed to"):
            step()


@pytest.mark.django_db
def test_an_upload_while_the_bucket_is_away_may_come_again(bucket, client, monkeypatch):
    store = bucket()
    store.bucket_name = "nobodys"
    monkeypatch.setattr(uploads, "store", lambda: store)
    study = make_study(assign=False)
    client.force_login(study.lena)
    client.raise_request_exception = False
    files = [SimpleUploadedFile(name, data) for name, data in Folder().files().items()]

    response = client.post("/collections/study/import/", {"files": files})

    assert (response.status_code, response["Retry-After"].isdigit()) == (503, True)
    assert STORE.sentence in response.content.decode()
    assert not Job.objects.exists()


def test_what_is_not_in_a_bucket_is_not_found(bucket):
    with pytest.raises(FileNotFoundError):
        bucket().open("id/name")


def test_a_large_file_of_a_bucket_waits_on_disk_and_not_in_memory(bucket):
    store = bucket()
    store.save("id/large", ContentFile(b"x" * (store.max_memory_size + 1)))
    store.save("id/small", ContentFile(b"x"))

    with store.open("id/large") as large, store.open("id/small") as small:
        assert (large.file._rolled, small.file._rolled) == (True, False)
        assert sum(map(len, large.chunks())) == store.max_memory_size + 1


def test_boto3_is_loaded_only_where_a_bucket_is_named(tmp_path):
    code = (
        "import django, sys; django.setup(); from django.core.files.storage import storages;"
        "storages['uploads']; from config.urls import urlpatterns; print('boto3' in sys.modules)"
    )
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "FACETWISE_STATE": str(tmp_path),
    }
    shared = {"FACETWISE_FILES": "s3://bucket", "SECRET_KEY": "x" * 50}

    loaded = [
        subprocess.run(
            [sys.executable, "-c", code], env=environment | more, capture_output=True, text=True
        ).stdout
        for more in [{}, shared]
    ]

    assert loaded == ["False\n", "True\n"]
