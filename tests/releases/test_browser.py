"""The import and export pages in a real browser."""

import pytest
from playwright.sync_api import expect

from jobs.models import Job
from releases.actions import make_export
from tests.factories.csfcube import Folder
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


@pytest.mark.parametrize("with_script", [True, False])
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


def test_a_whole_archive_is_downloaded_with_the_keyboard(study, open_page):
    study.finish(alice=1, bob=1)
    make_export(collection=study.collection, export_format="trec", by=study.lena)
    page = open_page(study.lena)
    page.goto("/collections/study/exports/")

    page.locator(".export > summary").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="All files (study-trec.zip)")).to_be_focused()
    with page.expect_download() as download:
        page.keyboard.press("Enter")

    assert download.value.suggested_filename == "study-trec.zip"
