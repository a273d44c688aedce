"""The import and export pages in a real browser."""

import uuid

import pytest
from playwright.sync_api import expect

from adjudication.actions import decide, reopen
from datasets.runs.actions import add_run
from jobs.models import Job
from releases.actions import make_export
from tests.factories.csfcube import Folder
from tests.factories.runs import run_of
from tests.factories.studies import make_study


@pytest.fixture
def study(transactional_db):
    return make_study()


def import_files(folder, path):
    written = folder.write(path)
    return [file for file in written.rglob("*") if file.is_file()]


def test_pages_are_accessible_and_fit(study, open_page, assert_accessible_and_fits):
    study.finish(alice=[1, 2, 3], bob=[1, 2, 3])
    make_export(collection=study.collection, export_format="csfcube", by=study.lena)
    page = open_page(study.lena)

    for address in ["/collections/study/exports/", "/collections/study/import/"]:
        page.goto(address)
        for summary in page.locator("summary").all():
            summary.click()
        assert_accessible_and_fits(page)


@pytest.mark.parametrize("with_script", [True, pytest.param(False, marks=pytest.mark.full)])
def test_files_are_uploaded_in_one_go(study, open_page, tmp_path, with_script):
    page = open_page(study.lena, java_script_enabled=with_script)
    page.goto("/collections/study/import/")

    page.locator("input[name=files]").set_input_files(import_files(Folder(), tmp_path))
    page.get_by_role("button", name="Upload and check").click()
    page.get_by_text("Waiting for the background worker.").wait_for()

    assert Job.objects.get().kind == "check-import"


def test_too_large_files_are_reported_before_they_are_sent(study, open_page, tmp_path, settings):
    settings.FACETWISE_MAX_UPLOAD = 1000
    page = open_page(study.lena)
    page.goto("/collections/study/import/")

    page.locator("input[name=files]").set_input_files(import_files(Folder(), tmp_path))
    page.get_by_role("button", name="Upload and check").click()

    page.get_by_text("This is more than 1 kB").wait_for()
    assert page.url.endswith("/import/")
    assert not Job.objects.exists()


def test_a_whole_archive_is_downloaded_with_the_keyboard(study, open_page, assert_fits):
    study.finish(alice=1, bob=1)
    made = make_export(collection=study.collection, export_format="trec", by=study.lena)
    page = open_page(study.lena)
    page.goto("/collections/study/exports/")

    page.locator(".export > summary").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name=f"All files ({made.saved_name})")).to_be_focused()
    with page.expect_download() as download:
        page.keyboard.press("Enter")

    assert download.value.suggested_filename == made.saved_name
    # A collection's short name may be a long one.
    page.locator(".export p > .btn").evaluate("link => link.append('x'.repeat(80))")
    assert_fits(page, [320])


def test_two_exports_are_compared_with_the_keyboard(study, open_page, assert_accessible_and_fits):
    study.finish(alice=[1, 2, 0], bob=[1, 2, 1])
    for export_format in ("trec", "csv"):
        options = {"export_format": export_format, "by": study.lena, "allow_incomplete": True}
        make_export(collection=study.collection, **options)
    pair = study.batch.pairs.disputed().get()
    choice = {"pair": pair, "by": study.carol, "option": study.option(1)}
    decide(save_id=uuid.uuid4(), **choice)
    reopen(pair=pair, by=study.lena, reason="Bob had read another abstract. " * 12)
    decide(save_id=uuid.uuid4(), **choice)
    make_export(collection=study.collection, **options)
    for tag, documents in {"up": ["q1c1", "q1c2"], "down": ["q1c3", "q1c1"]}.items():
        run = run_of({"q1_method": documents}, tag=tag)
        add_run(collection=study.collection, run=run, by=study.lena)
    page = open_page(study.lena)
    page.goto("/collections/study/exports/")

    page.get_by_role("link", name="Which judgments changed").click()
    expect(page.get_by_text("Of 2 judgments none changed and 1 is new.")).to_be_visible()
    rows = page.get_by_role("region", name="Judgment by judgment")
    assert rows.evaluate("rows => rows.scrollWidth <= rows.clientWidth")
    page.get_by_role("link", name="Compute").press("Enter")
    page.get_by_role("combobox", name="Measure").select_option("RR")
    expect(page.get_by_text("By RR, none of 1 pair of runs is the other way round")).to_be_visible()
    assert_accessible_and_fits(page)
    page.locator("#b").focus()
    page.keyboard.press("ArrowDown")

    expect(page.locator(".says")).to_have_text("Both hold the same 2 judgments.")
    expect(page.locator("#live")).to_contain_text("Both hold the same 2 judgments.")
    assert "b=" in page.url
