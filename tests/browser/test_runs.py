"""From the first run to a pool, in a real browser."""

import pytest
from playwright.sync_api import expect

from annotation.models import Pair
from datasets.models import Run
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import make_document, make_study

pytestmark = pytest.mark.django_db(transaction=True)

TREC = b"q1_method Q0 d1 1 2.0 bm25\nq1_method Q0 q1c1 2 2.0 bm25\nq1_method Q0 gone 3 1 bm25\n"


@pytest.fixture
def study():
    study = make_study()
    make_document(study.collection, "d1")
    return study


def test_pages_of_runs_are_accessible_and_fit(open_page, study, assert_accessible_and_fits):
    for tag, documents in [("bm25", ["d1", "q1c1", "gone"]), ("e5", ["q1c2", "d1"])]:
        run = run_of({"q1_method": documents}, tag=tag)
        add_run(collection=study.collection, run=run, by=study.lena)
    judgments = judgments_of({"q1_method": {"d1": "1.5"}})
    added = add_judgments(collection=study.collection, judgments=judgments, by=study.lena)
    page = open_page(study.lena)

    for address in [
        "/collections/study/runs/",
        f"/runs/{Run.objects.first().public_id}/",
        "/collections/study/runs/pool/?how=depth-2",
        "/collections/study/judgments/",
        f"/judgments/{added.judgment_set.public_id}/",
    ]:
        page.goto(address)
        assert_accessible_and_fits(page)

    # On a phone tabs are one line, with the current one in sight.
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/collections/study/exports/")
    expect(page.get_by_role("link", name="Exports", exact=True)).to_be_in_viewport()
    assert page.locator(".tabs").bounding_box()["height"] < 48


def test_upload_report_pool_and_batches_follow_each_other(open_page, study):
    page = open_page(study.lena)
    page.goto("/collections/study/runs/")

    page.get_by_label("Files of runs").set_input_files(
        {"name": "bm25.run", "mimeType": "text/plain", "buffer": TREC}
    )
    page.get_by_role("button", name="Upload the runs").click()
    expect(page.get_by_role("heading", name="bm25")).to_be_visible()
    page.get_by_role("link", name="Pool from runs").click()
    page.get_by_label("Depth 5", exact=True).check()
    expect(page.get_by_text("Depth 5 of 1 run:")).to_be_visible()
    page.get_by_label("Another depth").fill("2")
    page.get_by_role("button", name="Count again").click()
    expect(page.get_by_text("Depth 2 of 1 run: 2 pairs, 1 of them new.")).to_be_visible()
    page.get_by_role("button", name="Make the pool").click()

    expect(page.get_by_text("1 new pair waits for a batch.")).to_be_visible()
    assert Pair.objects.waiting().get().document.external_id == "d1"
