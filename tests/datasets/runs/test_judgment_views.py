"""Leads keep judgments of others and get them back as they were written."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from datasets.models import JudgmentSet
from datasets.runs.judgments import add_judgments
from tests.factories.runs import judgments_of
from tests.factories.studies import make_study
from tests.shelf import shelved

QRELS = b"q1_method 0 q1c1 1.50\nq1_method 0 q1c2 0\n"


@shelved
def study(db):
    return make_study()


@pytest.fixture
def lena(study):
    client = Client()
    client.force_login(study.lena)
    return client


def upload(client, study, *contents, name="NIST 2019"):
    files = [SimpleUploadedFile(f"{n}.txt", content) for n, content in enumerate(contents)]
    address = reverse("datasets:judgments", args=[study.collection.slug])
    return client.post(address, {"files": files, "name": name, "note": "binary"})


def test_qrels_come_out_as_they_went_in(study, lena):
    page = upload(lena, study, QRELS).url

    judgment_set = JudgmentSet.objects.get()
    qrels = lena.get(reverse("datasets:judgments-qrels", args=[judgment_set.public_id]))
    assertContains(lena.get(page), "1.50")
    assert (judgment_set.key, judgment_set.scale_note) == ("NIST-2019", "binary")
    assert qrels.content == QRELS


def test_grades_of_several_words_are_offered_and_given_as_no_qrels(study, lena):
    words = judgments_of({"q1_method": {"q1c1": "very relevant", "q1c2": "no"}})
    stored = add_judgments(collection=study.collection, judgments=words, by=study.lena)
    address = reverse("datasets:judgments-qrels", args=[stored.judgment_set.public_id])

    page = lena.get(reverse("datasets:judgment-set", args=[stored.judgment_set.public_id]))

    assertNotContains(page, address)
    assertContains(lena.get(address), "&#x27;very relevant&#x27; has several", status_code=422)


def test_bad_qrels_are_refused_with_their_line(study, lena):
    answer = upload(lena, study, QRELS + b"q1_method 0 q1c1 2\n")

    assertContains(answer, "0.txt, line 3", status_code=422)
    assert not JudgmentSet.objects.exists()


def test_qrels_of_another_collection_and_two_files_are_refused(study, lena):
    assertContains(upload(lena, study, b"q7 0 d 1\n"), "it has 1 other: q7", status_code=422)
    assertContains(upload(lena, study, QRELS, QRELS), "2 files", status_code=422)


def test_set_is_renamed_and_removed(study, lena):
    page = upload(lena, study, QRELS).url
    upload(lena, study, QRELS, name="other")

    lena.post(page, {"name": "NIST", "key": "nist", "scale_note": ""})
    assert lena.post(page, {"name": "NIST", "key": "other"}).status_code == 422
    judgment_set = JudgmentSet.objects.get(key="nist")
    assert judgment_set.name == "NIST"
    assertContains(lena.get(page), 'aria-label="Remove these judgments"')
    lena.post(reverse("datasets:remove-judgments", args=[judgment_set.public_id]))
    assert list(JudgmentSet.objects.values_list("key", flat=True)) == ["other"]
