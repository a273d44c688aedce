"""A lead sees what a pool costs, makes it, and draws what a later run leaves unjudged."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains

from annotation.models import Pair
from datasets.models import Candidate
from datasets.runs.actions import add_run
from tests.factories.runs import run_of
from tests.factories.studies import make_document, make_study
from tests.shelf import shelved

pytestmark = pytest.mark.once


@shelved
def study(db):
    study = make_study()
    for external_id in ("d1", "d2"):
        make_document(study.collection, external_id)
    study.run = add(study, "bm25", ["d1", "q1c1", "d2", "gone"])
    return study


def add(study, tag, documents):
    run = run_of({"q1_method": documents}, tag=tag)
    return add_run(collection=study.collection, run=run, by=study.lena).run


@pytest.fixture
def lena(study):
    client = Client()
    client.force_login(study.lena)
    return client


def address(study):
    return reverse("imports:runs-pool", args=[study.collection.slug])


def test_preview_counts_and_writes_nothing(study, lena):
    add(study, "e5", ["d2", "q1c3"])

    page = lena.get(address(study), {"how": "depth-2"})

    assertContains(page, "Depth 2 of 2 runs: 4 pairs, 2 of them new.")
    assertContains(page, "bm25")
    assert Candidate.objects.count() == 3


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({}, "Depth 20 of 1 run: 3 pairs, 2 of them new."),
        ({"depth": "1"}, "Depth 1 of 1 run: 1 pair, 1 of them new."),
        ({"each": "3", "seed": "x"}, "CSFCube&#x27;s draw, 3 each of 1 run: 3 pairs"),
    ],
)
def test_address_says_which_pool(study, lena, parameters, sentence):
    assertContains(lena.get(address(study), parameters), sentence)


def test_document_without_text_is_named(study, lena):
    assertContains(lena.get(address(study)), "Kept as candidates without pairs: gone")


def test_pool_is_made_and_leads_on_to_batches(study, lena):
    answer = lena.post(address(study), {"how": "depth-4", "run": study.run.public_id})

    assert answer.url == reverse("annotation:assign", args=[study.collection.slug])
    assertContains(lena.get(answer.url), "2 new pairs wait for a batch")
    assert Pair.objects.waiting().count() == 2
    again = lena.post(address(study), {"how": "depth-4"})
    assertContains(lena.get(again.url), "This pool is made already")


def test_what_was_chosen_since_the_figures_were_counted_is_shown_before_it_is_made(study, lena):
    shown = lena.get(address(study), {"how": "depth-4"}).context["shown"]

    answer = lena.post(address(study), {"how": "depth-1", "shown": shown})

    assert answer.url == f"{address(study)}?how=depth-1"
    page = lena.get(answer.url)
    assertContains(page, "You chose another pool. Look at its figures, then make it.")
    assertContains(page, "Depth 1 of 1 run")
    assert Pair.objects.waiting().count() == 0
    lena.post(address(study), {"how": "depth-1", "shown": page.context["shown"]})
    assert Pair.objects.waiting().count() == 1


def test_counting_again_writes_nothing(study, lena):
    answer = lena.post(address(study), {"how": "depth-20", "depth": "2", "do": "count"})

    assert answer.url == f"{address(study)}?how=depth-20&depth=2"
    assert Pair.objects.waiting().count() == 0


def test_runs_that_are_too_many_for_an_address_are_counted_at_once(study, lena):
    runs = [add(study, f"run{number}", ["d1"]) for number in range(99)]
    names = [str(run.public_id) for run in [study.run, *runs]]
    choice = {"how": "depth-4", "do": "count"}

    of_all = lena.post(address(study), choice | {"run": names})
    of_few = lena.post(address(study), choice | {"run": names[:1]})
    of_many = lena.post(address(study), choice | {"run": names[1:]})

    assert of_all.url == f"{address(study)}?how=depth-4"
    assert of_few.url == f"{address(study)}?how=depth-4&run={names[0]}"
    assertContains(of_many, "Depth 4 of 99 runs: 1 pair")
    assert Pair.objects.waiting().count() == 0


@pytest.mark.parametrize("parameters", [{"how": "depth-0"}, {"run": "else"}, {"depth": "-1"}])
def test_what_no_page_offers_is_refused(study, lena, parameters):
    assert lena.get(address(study), parameters).status_code == 422
    assert lena.post(address(study), parameters).status_code == 422


def test_unjudged_documents_of_a_run_become_one_batch(study, lena):
    answer = lena.post(reverse("imports:draw-unjudged", args=[study.run.public_id]), {"depth": "1"})

    batch = study.collection.batches.get(name="bm25, first 1")
    assert answer.url == reverse("annotation:batch", args=[batch.public_id])
    assert [pair.document.external_id for pair in batch.pairs.all()] == ["d1"]
    assert batch.seats.count() == study.scheme.overlap


@pytest.mark.parametrize("depth", ["", "0", "x", "9999", "9" * 5000])
def test_depth_of_a_draw_is_checked(study, lena, depth):
    lena.post(reverse("imports:draw-unjudged", args=[study.run.public_id]), {"depth": depth})

    assert study.collection.batches.count() == 1


def test_nothing_unjudged_is_reported(study, lena):
    run = add(study, "e5", ["q1c1"])

    answer = lena.post(reverse("imports:draw-unjudged", args=[run.public_id]), {"depth": "1"})

    assertContains(lena.get(answer.url), "Every document of “e5, first 1” is judged or waits.")


def test_collection_without_runs_leads_to_the_upload(study, lena):
    study.run.delete()

    assertContains(lena.get(address(study)), "No run yet")
