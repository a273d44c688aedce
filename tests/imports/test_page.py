"""The import page: who may, what is refused before it is read, what a job makes of an upload."""

import gzip
import json
import pickle
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.asserts import assertContains, assertRedirects

from annotation.models import MachineRun, Pair
from annotation.schemes.actions import load_definition
from datasets import stores, uploads
from datasets.models import Document, Import
from imports.tasks import tidy
from jobs.models import Job
from tests.factories.csfcube import Folder
from tests.factories.doris_mae import make_dataset
from tests.factories.studies import (
    make_aspect_study,
    make_collection,
    make_member,
    make_study,
    make_user,
)

PAGE = "/collections/study/import/"


@pytest.fixture(autouse=True)
def state(settings, tmp_path):
    """A state folder without the uploads of other tests."""
    settings.STATE_DIR = tmp_path / "state"
    settings.STATE_DIR.mkdir()


@pytest.fixture
def study(db):
    make_user("Dave")
    return make_study(assign=False)


@pytest.fixture
def lena(client, study):
    """The lead's browser."""
    client.force_login(study.lena)
    return client


def chosen(folder, **renamed):
    """The files as a browser sends them."""
    return [
        SimpleUploadedFile(renamed.get(name, name.rpartition("/")[2]), data)
        for name, data in folder.files().items()
    ]


def kept_files():
    return list(stores.names_in(uploads.store()))


def listed(job):
    return "\n".join([job.error, *map(str, job.result.get("errors", []))])


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    ("name", "expected"), [("alice", 403), ("carol", 403), ("dave", 404), ("ada", 404), (None, 302)]
)
def test_only_leads_import(client, study, name, expected, method):
    if name:
        account = study.members[name].user if name in study.members else None
        client.force_login(account or type(study.lena).objects.get(name=name.title()))

    response = getattr(client, method)(PAGE)

    assert response.status_code == expected
    assert not Job.objects.exists()


def test_a_collection_that_is_not_there_does_not_exist(lena):
    assert lena.get("/collections/nowhere/import/").status_code == 404


def test_other_methods_are_refused(lena):
    assert lena.put(PAGE).status_code == 405


def test_an_upload_without_a_token_against_forgery_is_refused(study):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(study.lena)

    response = browser.post(PAGE, {"files": chosen(Folder())})

    assert response.status_code == 403
    assert not Job.objects.exists()


def test_a_whole_import_by_the_page(transactional_db, client, eager_jobs):
    study = make_study(assign=False, facets=())
    client.force_login(study.lena)

    response = client.post(PAGE, {"files": chosen(Folder()), "with_ratings": "on"})

    job = Job.objects.get()
    assertRedirects(response, job.get_absolute_url())
    assert (job.state, job.error) == ("done", "")
    assertContains(client.get(job.get_absolute_url()), "Added ")
    assert Pair.objects.exclude(gold_value=None).count() == 9
    assert Import.objects.get().created_by == study.lena
    assertContains(client.get(PAGE), "nobody rates them: textless")
    assert kept_files() == []


def test_a_refused_import_lists_what_is_wrong_and_stores_nothing(
    transactional_db, client, eager_jobs
):
    study = make_study(assign=False, facets=())
    client.force_login(study.lena)
    folder = Folder()
    folder.papers["q1c1"]["title"] = "<script>alert(1)</script>\x00"
    folder.annotations["background"]["q2"]["relevance_adju"] = [9, 3, 0]
    before = Document.objects.count()

    client.post(PAGE, {"files": chosen(folder)})

    job = Job.objects.get()
    assert job.state == "failed"
    assert "There are 2 problems with the input. Nothing was stored." in listed(job)
    assert "line 2: a NUL character" in listed(job)
    assert "the grade 9 is outside the scale" in listed(job)
    page = client.get(job.get_absolute_url())
    assert page.status_code == 200
    assert b"<script>alert(1)</script>" not in page.content
    assert Document.objects.count() == before
    assert kept_files() == []


def test_a_pickle_under_another_name_is_refused(transactional_db, client, eager_jobs):
    study = make_study(assign=False, facets=())
    client.force_login(study.lena)
    folder = Folder()
    folder.text_of["test-pid2pool-csfcube.json"] = pickle.dumps(folder.pools)

    client.post(PAGE, {"files": chosen(folder)})

    assert "test-pid2pool-csfcube.json: this is a Python pickle" in listed(Job.objects.get())


def test_a_lead_who_left_meanwhile_imports_nothing(transactional_db, client, eager_jobs):
    study = make_study(assign=False, facets=())
    token = uploads.keep(chosen(Folder()))
    job = Job.objects.create(
        kind="import-csfcube",
        params={"upload": token, "with_ratings": False},
        created_by=study.alice,
        collection=study.collection.public_id,
    )

    from jobs.actions import run_job

    run_job(job.public_id)

    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "Only a lead imports into a collection.")
    assert not Import.objects.exists()


def test_an_upload_above_the_limit_is_refused_before_it_is_read(lena, settings):
    settings.FACETWISE_MAX_UPLOAD = 1000

    response = lena.post(PAGE, {"files": chosen(Folder())})

    assertContains(response, "python manage.py import_csfcube FOLDER", status_code=413)
    assert "_files" not in response.wsgi_request.__dict__  # the body was never parsed
    assert not Job.objects.exists()


def test_missing_unknown_and_double_files_are_told_by_the_form(lena):
    files = [
        SimpleUploadedFile("queries-release.csv", b"pid,facet\n"),
        SimpleUploadedFile("queries-release.csv", b"pid,facet\n"),
        SimpleUploadedFile("holiday.png", b"png"),
    ]

    response = lena.post(PAGE, {"files": files})

    for sentence in [
        "abstracts-csfcube-preds.jsonl is missing.",
        "test-pid2pool-csfcube.json is missing.",
        "holiday.png is no file of a CSFCube release.",
        "queries-release.csv was chosen twice.",
    ]:
        assertContains(response, sentence, status_code=422)
    assert not Job.objects.exists()


def test_no_files_at_all_is_told_by_the_form(lena):
    assertContains(lena.post(PAGE, {}), "Choose the files.", status_code=422)


def test_pools_beyond_all_measure_are_sent_to_the_command(lena, monkeypatch):
    monkeypatch.setattr("imports.forms.MAX_WHOLE_BYTES", 100)

    response = lena.post(PAGE, {"files": chosen(Folder())})

    assertContains(response, "test-pid2pool-csfcube.json is larger than", status_code=422)


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "C:\\temp\\queries-release.csv", "a\x00b", "CON"]
)
def test_names_of_uploads_are_never_paths(name, settings):
    file = SimpleUploadedFile("x", b"data")
    file._name = name
    token = uploads.keep([file])

    with uploads.named_files(token) as [(_, path)]:
        assert path.parent == settings.STATE_DIR / "uploads" / token
        assert path.read_bytes() == b"data"
    with pytest.raises(ValueError, match="no token"):
        uploads.discard("../" + token)


def test_lost_uploads_are_deleted_after_a_day(db, monkeypatch):
    token = uploads.keep([SimpleUploadedFile("x", b"data")])

    tidy()
    assert kept_files()

    monkeypatch.setattr(stores, "KEPT_SECONDS", -1)
    tidy()
    assert kept_files() == []
    with uploads.named_files(token) as files:
        assert files == []


# A DORIS-MAE file

ASPECTS = f"{PAGE}?kind=doris-mae"


def one_file(dataset=None, name="DORIS-MAE_dataset_v1.json", data=None):
    data = json.dumps(dataset or make_dataset()).encode() if data is None else data
    return [SimpleUploadedFile(name, data)]


@pytest.fixture
def aspects(transactional_db, client, eager_jobs):
    """A collection for aspects with nothing in it yet; its lead is signed in."""
    collection = make_collection("study", load_definition("doris-mae"))
    lena = make_member(collection, "Lena", "lead").user
    client.force_login(lena)
    return collection


@pytest.mark.parametrize(("make", "shown"), [(make_study, "CSFCube"), (make_aspect_study, "DORIS")])
def test_the_page_offers_first_what_the_scheme_is_for(db, client, make, shown):
    study = make(slug="study", assign=False)
    client.force_login(study.lena)

    page = client.get(PAGE).content.decode()

    current = re.search(r'\?kind=[a-z-]+" aria-current="page">([^<]+)<', page)[1]
    assert shown in current


def test_a_kind_that_there_is_not_shows_the_usual_one(lena):
    assertContains(lena.get(f"{PAGE}?kind=nonsense"), "queries-release.csv")


def test_a_whole_doris_mae_import_by_the_page(aspects, client):
    details = {"files": one_file(), "model": "gpt-3.5-turbo", "run": "June"}
    response = client.post(ASPECTS, details)

    job = Job.objects.get()
    assertRedirects(response, job.get_absolute_url())
    assert (job.kind, job.state, job.error) == ("import-doris-mae", "done", "")
    assert Pair.objects.count() == 9
    assert str(MachineRun.objects.get()) == "gpt-3.5-turbo, June"
    page = client.get(ASPECTS)
    assertContains(page, "3 machine scores (gpt-3.5-turbo, June)")
    assertContains(page, "could not be read as a score, so they have no value (1): aspect a")
    assert kept_files() == []


def test_a_refused_file_is_told_with_its_places_and_stores_nothing(aspects, client):
    dataset = make_dataset()
    dataset["Query"][1]["candidate_pool"].append(77)
    dataset["Corpus"][1]["title"] = ["<script>alert(1)</script>"]

    client.post(ASPECTS, {"files": one_file(dataset)})

    job = Job.objects.get()
    assert job.state == "failed"
    assert "There is 1 problem with the input. Nothing was stored." in listed(job)
    assert "DORIS-MAE_dataset_v1.json, Corpus[1].title (byte " in listed(job)
    assert not Document.objects.exists()
    assert kept_files() == []


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (pickle.dumps({}), "this is a Python pickle"),
        (gzip.compress(b"{}", mtime=0), "this is a gzip archive"),
        (b'{"Query": [', "byte 11: broken JSON: the file ends too early."),
    ],
)
def test_what_is_no_such_file_is_refused_by_its_content(aspects, client, data, sentence):
    client.post(ASPECTS, {"files": one_file(data=data)})

    assert sentence in listed(Job.objects.get())


def test_a_collection_for_papers_takes_no_aspects(transactional_db, client, eager_jobs):
    study = make_study(assign=False)
    client.force_login(study.lena)

    client.post(ASPECTS, {"files": one_file()})

    assert "judges facets of papers" in Job.objects.get().error


def test_a_collection_for_aspects_takes_no_papers(aspects, client):
    client.post(f"{PAGE}?kind=csfcube", {"files": chosen(Folder())})

    assert "judges aspects of queries" in Job.objects.get().error


def test_no_file_and_long_names_are_told_by_the_form(lena):
    assertContains(lena.post(ASPECTS, {}), "Choose the file.", status_code=422)
    response = lena.post(ASPECTS, {"files": one_file(), "run": "x" * 121})
    assertContains(response, "at most 120 characters", status_code=422)
    assert not Job.objects.exists()


def test_a_file_above_the_limit_is_sent_to_its_command(lena, settings):
    settings.FACETWISE_MAX_UPLOAD = 1000

    response = lena.post(ASPECTS, {"files": one_file()})

    assertContains(response, "python manage.py import_doris_mae FILE", status_code=413)
    assert "_files" not in response.wsgi_request.__dict__  # the body was never parsed
