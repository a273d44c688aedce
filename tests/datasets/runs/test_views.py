"""Leads upload runs and read what is worth a look in them."""

import gzip

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from annotation.models import Pair
from datasets.models import Candidate, Document, Run, System
from datasets.runs import actions, uploading
from datasets.runs.actions import add_run
from tests.factories.runs import run_of
from tests.factories.studies import make_document, make_study, make_topic
from tests.shelf import shelved

pytestmark = pytest.mark.once

TREC = b"q1_method Q0 q1c1 1 2.0 bm25\nq1_method Q0 elsewhere 2 2.0 bm25\n"
BIRCO = b'{"q1_method": ["q1c2", "q1c1"]}'


@shelved
def study(db):
    return make_study()


@pytest.fixture
def lena(study):
    client = Client()
    client.force_login(study.lena)
    return client


def address(study):
    return reverse("datasets:runs", args=[study.collection.slug])


def upload(client, study, *files, **data):
    sent = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(
        address(study), {"files": sent, "kind": "retrieval", "order": "score"} | data
    )


def test_uploaded_run_leads_to_its_report(study, lena):
    answer = upload(lena, study, ("bm25.run", TREC), kind="reranking")

    page = lena.get(answer.url)
    assert System.objects.get().kind == "reranking"
    assertContains(page, "Neighbours with one score, whose ids decide as in trec_eval: 1")
    assertContains(page, "elsewhere for q1_method")
    assertContains(page, "q1c3 for q1_method")
    assertContains(page, "The collection knows every id")


def test_unknown_documents_are_counted_and_named_before_anybody_scores(study, lena):
    answer = upload(lena, study, ("bm25.run", TREC))
    page = lena.get(answer.url)
    runs = lena.get(address(study))

    sentence = "1 of 2 lines (50%) ranks a document that the collection does not have: elsewhere."
    assertContains(page, f"bm25: {sentence}")
    assertContains(
        page, "Lines about documents that the collection does not have; they are kept: 1"
    )
    assertContains(runs, "1 tie, 1 line about an unknown document")
    assertNotContains(runs, "nothing odd")


def test_list_says_which_runs_lack_topics_or_have_unknown_ones(lena, study):
    make_topic(study.collection, query_id="q2")
    whole = {"q1_method": ["q1c1"], "q2_method": ["q2c1"]}
    of_queries = {"q1": ["q1c1"], "q2": ["q2c1"]}
    for tag, rankings, level in (
        ("whole", whole, "topics"),
        ("partial", {"q1_method": ["q1c1"], "q9_method": ["q1c1"]}, "topics"),
        ("queries", of_queries, "queries"),
        ("parts", {"q1_a+b": ["q1c1"]}, "sub-queries"),
    ):
        run = run_of(rankings, tag=tag)
        add_run(collection=study.collection, run=run, by=study.lena, level=level)

    page = lena.get(address(study))

    assert {run.tag: oddities for run, oddities in page.context["runs"]} == {
        "whole": [],
        "partial": ["lacks 1 of 2 topics", "1 list about something unknown"],
        "queries": [],
        "parts": [],
    }
    assertContains(page, "lacks 1 of 2 topics, 1 list about something unknown", count=1)
    assertContains(page, "nothing odd", count=3)


def test_run_on_another_corpus_is_refused_unless_no_corpus_is_there_yet(study, lena):
    strange = TREC.replace(b"q1c1", b"PMC1")

    refused = upload(lena, study, ("bm25.run", strange))
    assertContains(
        refused,
        "None of its documents is one of the collection, which has 3 documents, such as q1c1, q1c2,"
        " q1c3. The file ranks PMC1, elsewhere. It may be a run on another corpus",
        status_code=422,
    )
    assert not Run.objects.exists()
    make_document(study.collection, "12")
    decimals = upload(lena, study, ("bm25.run", b"q1_method Q0 12.0 1 9.5 bm25\n"))
    assertContains(decimals, "There is 12, the same number as 12.0: pandas", status_code=422)

    Pair.objects.all().delete()
    Candidate.objects.all().delete()
    Document.objects.filter(queries=None).delete()
    assert upload(lena, study, ("bm25.run", strange)).status_code == 302


def test_texts_beside_runs_are_passed_over_and_are_no_run_alone(study, lena):
    readme = ("README.txt", b"These runs are ours.")

    refused, answer = upload(lena, study, readme), upload(lena, study, readme, ("a.run", TREC))

    assert refused.status_code == 422
    assert answer.status_code == 302
    assert System.objects.get().name == "bm25"


def test_gzipped_runs_and_rankings_of_birco_are_read(study, lena):
    answer = upload(lena, study, ("a.run.gz", gzip.compress(TREC)), ("e5.json", BIRCO))

    assert answer.url == address(study)
    assert set(Run.objects.values_list("tag", flat=True)) == {"bm25", "e5"}
    (ranking,) = Run.objects.get(tag="e5").rankings.all()
    assert ranking.document_ids == ["q1c2", "q1c1"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.run", b"q1_method Q0 q1c1 1 2.0\n", "x.run, line 1"),
        ("x.run", TREC + b"q1_method Q0 q1c1 3 1.0 bm25\n", "x.run, line 3"),
        ("x.run", b"q1_method Q0 q1c1 1 nan bm25\n", "x.run, line 1"),
        ("x.run", TREC + b"q1_method Q0 q1c2 3 1.0 other\n", "x.run, line 3"),
        ("x.run", b"q7 Q0 q1c1 1 2.0 bm25\n", "it has 1 other: q7"),
        ("x.json", b'{"q1_method": ["q1c1", "q1c1"]}', "is ranked twice"),
        ("x.json", b'{"q1_method": "q1c1"}', "expected a list of ids"),
        ("x.json", b'{"q1_method": [', "broken JSON"),
    ],
)
def test_bad_file_is_refused_with_its_place_and_nothing_is_stored(
    study, lena, name, content, message
):
    answer = upload(lena, study, ("good.run", TREC), (name, content))

    assertContains(answer, message, status_code=422)
    assert not Run.objects.exists()


def test_same_run_again_changes_nothing(study, lena):
    upload(lena, study, ("bm25.run", TREC))

    answer = upload(lena, study, ("again.run", TREC))

    assertContains(lena.get(answer.url), "There already, so nothing changed: bm25")
    assert Run.objects.count() == 1


def test_rankings_of_further_topics_are_added_and_told(study, lena):
    make_topic(study.collection, query_id="q2", facet="method")
    upload(lena, study, ("bm25.run", TREC))
    wave = TREC.replace(b"q1_method", b"q2_method")

    answer = upload(lena, study, ("wave-2.run", wave))

    assertContains(lena.get(answer.url), "bm25 was there already and has rankings of")
    assert Run.objects.get().rankings.count() == 2


def test_upload_that_is_too_large_is_refused_before_it_is_read(study, lena, monkeypatch):
    monkeypatch.setattr(uploading, "MAX_BYTES", 10)

    assertContains(upload(lena, study, ("bm25.run", TREC)), "larger than", status_code=413)


def test_tab_shows_from_the_first_run_on(study, lena):
    overview = reverse("annotation:collection", args=[study.collection.slug])

    assertNotContains(lena.get(overview), address(study))
    upload(lena, study, ("bm25.run", TREC))
    assertContains(lena.get(overview), address(study))


def test_system_is_described_and_a_taken_key_is_reported(study, lena):
    run = add_run(collection=study.collection, run=run_of({"q1_method": ["q1c1"]}), by=None).run
    other = run_of({"q1_method": ["q1c1"]}, tag="e5")
    add_run(collection=study.collection, run=other, by=None)
    page = reverse("datasets:run", args=[run.public_id])
    details = {"name": "BM25", "key": "bm25", "kind": "retrieval", "model_family": "lexical"}

    lena.post(page, details | {"is_pooled": "on"})
    answer = lena.post(page, details | {"key": "e5"})

    system = System.objects.get(key="bm25")
    assert (system.name, system.model_family, system.is_pooled) == ("BM25", "lexical", True)
    assert answer.status_code == 422


def test_run_is_removed(study, lena):
    run = add_run(collection=study.collection, run=run_of({"q1_method": ["q1c1"]}), by=None).run
    page = lena.get(reverse("datasets:run", args=[run.public_id]))

    lena.post(reverse("datasets:remove-run", args=[run.public_id]))

    assertContains(page, "<title>Run ")
    assertContains(page, 'aria-label="Remove the run"')  # opens the second click
    assert not Run.objects.exists()


def test_run_that_another_lead_removed_a_moment_ago_is_gone(study, lena, monkeypatch):
    run = add_run(collection=study.collection, run=run_of({"q1_method": ["q1c1"]}), by=None).run
    remove_run = actions.remove_run

    def remove_after_another(**arguments):
        remove_run(**arguments)
        remove_run(**arguments)

    monkeypatch.setattr(actions, "remove_run", remove_after_another)
    answer = lena.post(reverse("datasets:remove-run", args=[run.public_id]))

    assertContains(answer, "This was removed a moment ago", status_code=404)


def test_guard_is_set(study, lena):
    guard = reverse("datasets:set-scoring-guard", args=[study.collection.slug])

    lena.post(guard, {"scores_wait_for_locking": "on"})
    study.collection.refresh_from_db()
    assert study.collection.scores_wait_for_locking
    lena.post(guard, {})
    study.collection.refresh_from_db()
    assert not study.collection.scores_wait_for_locking


@pytest.mark.parametrize("count", [1, 3])
def test_list_takes_the_same_statements_for_one_run_and_three(
    study, lena, count, django_assert_num_queries
):
    for number in range(count):
        run = run_of({"q1_method": ["q1c1"]}, tag=f"run{number}")
        add_run(collection=study.collection, run=run, by=study.lena)

    with django_assert_num_queries(8):
        lena.get(address(study))
