"""The export page and its downloads."""

import hashlib
import io
import re
import uuid
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from accounts.models import User
from adjudication.actions import decide, reopen
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.schemes.actions import load_definition
from audit.models import Event
from datasets.models import Membership
from datasets.stores import names_in
from jobs.actions import enqueue
from jobs.models import Job
from releases.actions import make_export
from releases.models import Export
from releases.tasks import tidy
from tests.factories.studies import (
    make_aspect_study,
    make_collection,
    make_member,
    make_study,
    make_topic,
    make_user,
)
from tests.releases.test_levels import VALUES, make_run, rated
from tests.shelf import shelved

PAGE = "/collections/study/exports/"


@pytest.fixture
def lena(client, finished):
    """The lead's browser."""
    client.force_login(finished.lena)
    return client


@shelved
def export(finished):
    return make_export(collection=finished.collection, export_format="csv", by=finished.lena)


def stored_text(export, name):
    with Export.store().open(export.stored_name(name)) as file:
        return file.read().decode()


def address(export, name="ratings.csv"):
    return f"/exports/{export.public_id}/{name}"


OUTSIDERS = [("alice", 403), ("carol", 403), ("dave", 404), ("ada", 404), (None, 302)]


def sign_in(client, name):
    if name:
        client.force_login(User.objects.get(email=f"{name}@example.org"))


@pytest.mark.parametrize(("name", "expected"), OUTSIDERS)
def test_only_leads_make_exports(client, finished, name, expected):
    sign_in(client, name)

    assert client.get(PAGE).status_code == expected
    assert client.post(PAGE, {"format": "trec"}).status_code == expected
    assert not Job.objects.exists()


@pytest.mark.parametrize(("name", "expected"), OUTSIDERS)
def test_only_leads_download(client, export, name, expected):
    sign_in(client, name)

    assert client.get(address(export)).status_code == expected


def test_an_export_by_the_page(transactional_db, client, eager_jobs):
    study = make_study()
    study.finish(alice=1, bob=1)
    client.force_login(study.lena)

    response = client.post(PAGE, {"format": "trec"})

    job = Job.objects.get()
    assertRedirects(response, job.get_absolute_url())
    assert (job.state, job.error) == ("done", "")
    export = Export.objects.get()
    assert (export.format, export.is_incomplete, export.counts["gold"]) == ("trec", False, 3)
    assert Event.objects.get(verb="export").subject_id == str(export.public_id)
    page = client.get(PAGE)
    assertContains(page, "3 of 3 pairs have gold")
    assertContains(page, address(export, "qrels-all.txt"))


def test_a_level_of_a_machine_run_by_the_page(transactional_db, client, eager_jobs):
    study = rated()
    run = make_run(study, {(topic, f"d{n}"): 1 for topic in VALUES for n in (1, 2, 3)})
    client.force_login(study.lena)
    page = "/collections/aspects/exports/"

    shown = client.get(page)
    client.post(
        page, {"format": "beir", "level": "sub-queries", "values": f"machine:{run.public_id}"}
    )

    assertContains(shown, "Machine run gpt, first")
    assert Job.objects.get().error == ""
    export = Export.objects.get()
    assert export.options == {
        "allow_incomplete": False,
        "with_notes": False,
        "level": "sub-queries",
        "source": {
            "address": f"machine:{run.public_id}",
            "name": "machine run gpt, first",
            "in_words": "machine run gpt, first",
        },
        "protocol": "doris-mae",
    }
    assert export.archive_name == "aspects-beir-sub-queries-machine.zip"
    assert stored_text(export, "qrels/test.tsv").endswith("0_0+3\td3\t4\n")
    assertContains(client.get(page), "machine run gpt, first")


def test_a_format_that_does_not_fit_is_not_offered_and_says_why(finished, client):
    client.force_login(finished.lena)

    page = client.get(PAGE).content.decode()
    refused = client.post(PAGE, {"format": "doris-mae"})

    assert 'name="format" value="csfcube"' in page
    assert 'name="format" value="doris-mae"' not in page
    assert "DORIS-MAE does not fit: it holds texts with aspects." in page
    assert refused.status_code == 422
    assert refused.context["form"].errors["format"] == [
        "DORIS-MAE does not fit: it holds texts with aspects."
    ]


def test_a_format_without_gold_is_made_while_gold_is_missing(transactional_db, client, eager_jobs):
    study = make_aspect_study(query={"documents": ("1", "2", "3")})
    client.force_login(study.lena)
    page = "/collections/aspects/exports/"

    refused = client.post(page, {"format": "trec"})
    client.post(page, {"format": "doris-mae"})

    assert refused.status_code == 409
    assert [export.format for export in Export.objects.all()] == ["doris-mae"]


def test_a_machine_run_for_a_format_of_gold_is_refused_at_once(client, db):
    study = rated()
    run = make_run(study, {})
    client.force_login(study.lena)
    page = "/collections/aspects/exports/"

    response = client.post(page, {"format": "csv", "values": f"machine:{run.public_id}"})

    assertContains(response, "CSV holds gold as it was made, never other values", status_code=422)
    assert not Job.objects.exists()


def test_a_run_that_went_away_fails_the_job_with_a_sentence(transactional_db, client, eager_jobs):
    study = rated()
    job = enqueue(
        kind="export",
        params={"export_format": "trec", "values": f"machine:{uuid.UUID(int=7)}"},
        by=study.lena,
        collection=study.collection.public_id,
    )

    job.refresh_from_db()
    assert (job.state, job.error) == (
        "failed",
        "No machine run is called '00000000-0000-0000-0000-000000000007'. "
        "The runs, as MODEL, NAME: none. Choose again on the page of exports.",
    )  # fmt: skip


def test_what_a_collection_has_no_use_for_is_not_asked(lena):
    response = lena.get(PAGE)

    assertNotContains(response, 'name="level"')
    assertNotContains(response, 'name="mapping"')


def test_missing_gold_is_reported_before_a_job_is_made_with_a_way_on(
    transactional_db, client, eager_jobs
):
    study = make_study()
    client.force_login(study.lena)
    page = client.get(PAGE)
    assertContains(page, "3 pairs have no gold yet")
    assertContains(page, "Make an incomplete export")
    assertNotContains(page, "Make the files")  # nothing else could be made of gold
    assertNotContains(page, "Also when gold is missing")  # the button says it
    assertContains(page, '<details class="further mt3">')
    assertContains(page, 'agreement/pairs/?list=lacking&amp;cell=open">3 pairs</a> not rated')

    response = client.post(PAGE, {"format": "trec"})

    assertContains(response, "Nothing was made: 3 pairs not rated", status_code=409)
    assert not Job.objects.exists()
    client.post(PAGE, {"format": "trec", "allow_incomplete": "on"})
    assert Export.objects.get().files[1]["name"] == "qrels-method-incomplete.txt"


def test_a_collection_without_pairs_has_nothing_to_export(client, db):
    collection = make_collection("empty", load_definition("csfcube"))
    client.force_login(make_member(collection, "Lena", "lead").user)

    page = client.get("/collections/empty/exports/")

    assertContains(page, "Nothing to export yet")
    assertNotContains(page, "Make the files")


def test_an_export_says_which_files_differ_from_the_one_before(lena, finished):
    def made():
        make_export(collection=finished.collection, export_format="trec", by=finished.lena)
        [row, *_] = lena.get(PAGE).context["exports"]
        return {file["name"]: change for file, change in row.files}

    first, again = made(), made()
    pair = finished.batch.pairs.get(gold_origin="adjudicated")
    decide(
        pair=pair,
        by=finished.carol,
        save_id=uuid.uuid4(),
        option=finished.option(0),
        based_on=pair.decisions.get().public_id,
    )
    corrected = made()

    assert set(first.values()) == {""}
    assert set(again.values()) == {"same"}
    assert corrected["qrels-method.txt"] == "changed"
    page = lena.get(PAGE)
    assertContains(page, "files differ from those of")
    assertContains(page, "The same bytes as the export before it")


def test_complete_gold_is_compared_with_the_incomplete_gold_before_it(lena, finished):
    pair = finished.batch.pairs.get(gold_origin="adjudicated")
    reopen(pair=pair, by=finished.lena, reason="Look again.")
    make_export(
        collection=finished.collection,
        export_format="trec",
        by=finished.lena,
        allow_incomplete=True,
    )
    decide(pair=pair, by=finished.carol, save_id=uuid.uuid4(), option=finished.option(0))
    make_export(collection=finished.collection, export_format="trec", by=finished.lena)

    complete, incomplete = lena.get(PAGE).context["exports"]

    assert complete.before == incomplete.export
    assert {change for _, change in complete.files} == {"changed"}


def test_the_last_export_of_the_page_has_the_one_before_it_too(lena, finished, monkeypatch):
    monkeypatch.setattr("releases.views.SHOWN_EXPORTS", 2)
    for _ in range(2):
        make_export(collection=finished.collection, export_format="trec", by=finished.lena)
    assertContains(lena.get(PAGE), '<h2 id="made-h">Made so far</h2><p>2</p>')

    make_export(collection=finished.collection, export_format="trec", by=finished.lena)
    page = lena.get(PAGE)

    assert len(page.context["exports"]) == 2
    assert all(made.before for made in page.context["exports"])
    assertContains(page, '<h2 id="made-h">Made so far</h2><p>the newest 2</p>')


def test_an_export_at_work_says_where_its_files_will_be(db, client):
    study = make_study()
    client.force_login(study.lena)
    job = Job.objects.create(
        kind="export", collection=study.collection.public_id, created_by=study.lena
    )

    for headers in ({}, {"HX-Request": "true"}):
        page = client.get(job.get_absolute_url(), headers=headers)
        assertContains(page, f'What comes of it is then under <a href="{PAGE}">Exports</a>.')


def test_a_refused_export_leads_back_and_keeps_the_tabs(transactional_db, client, eager_jobs):
    study = make_study()
    client.force_login(study.lena)
    job = enqueue(
        kind="export",
        params={"export_format": "trec", "with_notes": False, "allow_incomplete": False},
        by=study.lena,
        collection=study.collection.public_id,
    )

    response = client.get(job.get_absolute_url())

    assertContains(response, "The gold is not complete (3 not rated)")
    assertContains(response, "Back, to mend it")
    assertContains(response, f'href="{PAGE}" aria-current="page"')


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_as_much_for_three_exports_as_for_one(
    lena, finished, count, django_assert_num_queries
):
    for _ in range(count):
        make_export(collection=finished.collection, export_format="trec", by=finished.lena)

    with django_assert_num_queries(22):
        lena.get(PAGE)


def test_a_failed_record_leaves_no_folder(finished, monkeypatch):
    def fail(*event, **details):
        raise OSError

    monkeypatch.setattr("releases.actions.record", fail)
    before = list(names_in(Export.store()))

    with pytest.raises(OSError):  # noqa: PT011 - any
        make_export(collection=finished.collection, export_format="trec", by=finished.lena)

    assert list(names_in(Export.store())) == before


def test_invalid_choices_start_nothing(lena):
    assert lena.post(PAGE, {"format": "xlsx"}).status_code == 422
    assert not Job.objects.exists()


def test_an_export_without_a_token_against_forgery_is_refused(finished):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(finished.lena)

    assert browser.post(PAGE, {"format": "trec"}).status_code == 403
    assert not Job.objects.exists()


def test_other_methods_are_refused(lena, export):
    assert lena.put(PAGE).status_code == 405
    assert lena.post(address(export)).status_code == 405


def test_files_are_attachments_that_browsers_do_not_guess_about(lena, export):
    response = lena.get(address(export))

    assert response["Content-Disposition"] == 'attachment; filename="ratings.csv"'
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"
    [listed] = [file for file in export.files if file["name"] == "ratings.csv"]
    assert hashlib.sha256(response.getvalue()).hexdigest() == listed["sha256"]


def test_the_archive_holds_every_file_and_the_manifest(lena, export):
    response = lena.get(address(export, "study-csv.zip"))

    with zipfile.ZipFile(io.BytesIO(response.getvalue())) as archive:
        digests = {
            name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()
        }
    assert digests == {file["name"]: file["sha256"] for file in export.files}
    assert "manifest.json" in digests


def test_two_exports_of_a_minute_are_told_apart(finished, lena, export):
    second = make_export(collection=finished.collection, export_format="csv", by=finished.lena)
    first_made = datetime(2026, 3, 5, 10, 20, 7, tzinfo=UTC)
    for made, seconds in ((export, 0), (second, 30)):
        created_at = first_made + timedelta(seconds=seconds)
        Export.objects.filter(pk=made.pk).update(created_at=created_at)

    page = lena.get(PAGE).content.decode()
    archives = [lena.get(address(made, "study-csv.zip")) for made in (export, second)]

    listed = re.findall(r"5 Mar 2026, 10:20:\d\d UTC", page)
    names = [f"study-csv-2026-03-05-1020{seconds}.zip" for seconds in ("07", "37")]
    assert set(listed) == {"5 Mar 2026, 10:20:07 UTC", "5 Mar 2026, 10:20:37 UTC"}
    for name, archive in zip(names, archives, strict=True):
        archive.getvalue()
        assert archive["Content-Disposition"] == f'attachment; filename="{name}"'
        assert f"All files ({name})" in page


@pytest.mark.parametrize(
    "name", ["nothing.txt", "../../secret-key", "..%2F..%2Fsecret-key", "/etc/passwd", "."]
)
def test_names_that_the_export_does_not_list_do_not_exist(lena, export, name):
    assert lena.get(address(export, name)).status_code == 404


def test_an_export_that_is_not_there_does_not_exist(lena):
    assert lena.get("/exports/00000000-0000-4000-8000-000000000000/x.csv").status_code == 404


def test_a_lead_of_another_collection_does_not_download(client, export):
    other = make_study(slug="other", assign=False)
    Membership.objects.filter(collection__slug="study", user=other.lena).update(is_lead=False,
        is_annotator=True)  # fmt: skip
    client.force_login(other.lena)

    assert client.get(address(export)).status_code == 403


def test_a_lead_who_still_rates_gets_no_export_with_that_batch(client, finished, monkeypatch):
    monkeypatch.setattr("releases.views.SHOWN_EXPORTS", 1)
    earlier = make_export(collection=finished.collection, export_format="csv", by=finished.lena)
    make_topic(finished.collection, query_id="q2")
    [batch] = make_batches(collection=finished.collection, by=finished.lena)
    mia = Membership.objects.create(
        collection=finished.collection,
        user=make_user("Mia"),
        name="Mia",
        is_lead=True,
        is_annotator=True,
    )
    for seat, member in zip(batch.seats.all(), [mia, finished.members["bob"]], strict=True):
        assign_seat(seat=seat, member=member, by=finished.lena)
    finished.rate_all("bob", 3, batch)
    export = make_export(
        collection=finished.collection,
        export_format="csv",
        by=finished.lena,
        allow_incomplete=True,
    )
    client.force_login(mia.user)

    page = client.get(PAGE)

    assertNotContains(page, str(export.public_id))
    # What she may not see takes no room from what she may.
    assertContains(page, str(earlier.public_id))
    assertContains(page, "1 batch left out for you")
    assert client.get(address(export, "ratings-incomplete.csv")).status_code == 404
    client.force_login(finished.lena)
    assertContains(client.get(address(export, "ratings-incomplete.csv")), "q2c1")


def test_folders_that_no_export_names_are_deleted_after_a_day(export, monkeypatch):
    store = Export.store()
    left = store.save("left-by-a-dead-worker/qrels/test.tsv", ContentFile(b"half"))

    tidy()
    assert store.exists(left)

    monkeypatch.setattr("datasets.stores.KEPT_SECONDS", -1)
    tidy()
    assert not store.exists("left-by-a-dead-worker")
    assert store.exists(export.stored_name("ratings.csv"))
