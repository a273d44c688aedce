import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains

from accounts.models import User
from jobs import running
from jobs.models import Job
from jobs.registry import JobError
from tests.factories.studies import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(alice, handle):
    handle(lambda run: {})
    return Job.objects.create(kind="count", created_by=alice)


def ended(job, **fields):
    Job.objects.filter(pk=job.pk).update(finished_at=timezone.now(), **fields)


def page_of(job):
    return reverse("jobs:job-page", args=[job.public_id])


def test_the_page_of_a_running_job_shows_stage_and_progress_and_asks_again(client, alice, job):
    claimed = running.claim(job.public_id)
    Job.objects.filter(pk=claimed.pk).update(
        stage="Reading documents", progress_done=1200, progress_total=5000
    )
    client.force_login(alice)

    body = client.get(page_of(job)).content.decode()

    assert "Counting" in body
    assert "Reading documents" in body
    assert '<progress max="5000" value="1200"' in body
    assert f'hx-get="{page_of(job)}"' in body
    assert '<meta http-equiv="refresh" content="3">' in body


def test_a_fragment_of_the_page_is_the_job_alone(client, alice, job):
    client.force_login(alice)

    body = client.get(page_of(job), headers={"HX-Request": "true"}).content.decode()

    assert body.strip().startswith('<div id="job"')
    assert "<html" not in body


def test_a_finished_job_leads_on_and_asks_no_more(client, alice, job):
    ended(job, state="done", result={"url": "/counted/", "message": "Counted to 3."})
    client.force_login(alice)

    body = client.get(page_of(job)).content.decode()

    assert "Counted to 3." in body
    assert 'href="/counted/"' in body
    assert "hx-get" not in body
    assert "refresh" not in body


def test_the_page_of_a_job_names_its_collection_in_the_bar_at_the_top(client, job):
    study = make_study(assign=False)
    of_study = {"collection": study.collection.public_id, "created_by": study.lena}
    Job.objects.filter(pk=job.pk).update(**of_study)
    client.force_login(study.lena)

    page = client.get(page_of(job))

    assertContains(page, f'aria-current="true">{study.collection.name}</a>')
    assertContains(page, f" · {study.collection.name} · Facetwise</title>")


def test_a_failed_job_lists_its_errors_as_text_and_counts_the_rest(client, alice, job):
    errors = ["line 1: <script>alert(1)</script>", *(f"line {n}" for n in range(2, 101))]
    ended(
        job,
        state="failed",
        error="The folder is not whole.",
        result={"errors": errors, "error_count": 1234},
    )
    client.force_login(alice)

    body = client.get(page_of(job)).content.decode()

    assert "The folder is not whole." in body
    assert "The first 100 of 1,234 problems:" in body
    assert "line 1: &lt;script&gt;alert(1)&lt;/script&gt;" in body
    assert "<script>alert" not in body


def test_a_job_is_shown_to_its_creator_and_site_admins_and_is_unknown_to_others(client, job):
    dave = User.objects.create_user("dave@example.org", name="Dave")
    ada = User.objects.create_user("ada@example.org", name="Ada", is_site_admin=True)

    assert client.get(page_of(job)).status_code == 302
    client.force_login(dave)
    assert client.get(page_of(job)).status_code == 404
    client.force_login(ada)
    assert client.get(page_of(job)).status_code == 200


def test_a_job_cannot_be_changed_over_its_page(client, alice, job):
    client.force_login(alice)

    assert client.post(page_of(job)).status_code == 405


@pytest.mark.django_db(transaction=True)
def test_the_page_of_a_job_moves_by_itself_to_its_end(open_page, alice, handle):
    def fail(run):
        raise JobError("The folder is not whole.", ["queries-release.csv: line 3"])

    handle(fail)
    job = Job.objects.create(kind="count", created_by=alice)
    page = open_page(alice)
    page.goto(page_of(job))
    page.get_by_text("Waiting for the background worker.").wait_for()

    running.run_job(job.public_id)

    page.get_by_role("alert").get_by_text("The folder is not whole.").wait_for()
    page.get_by_text("queries-release.csv: line 3").wait_for()


@pytest.mark.django_db(transaction=True)
def test_the_page_of_a_job_is_accessible_and_fits(
    open_page, alice, handle, assert_accessible_and_fits, stress
):
    handle(lambda run: {})
    jobs = [Job.objects.create(kind="count", created_by=alice) for _ in range(4)]
    running.claim(jobs[1].public_id)
    Job.objects.filter(pk=jobs[1].pk).update(stage="Reading", progress_total=9)
    ended(jobs[2], state="done", result={"url": "/"})
    ended(jobs[3], state="failed", error="No.", result={"errors": ["a"], "error_count": 1})
    page = open_page(alice)

    _waiting, claimed, _done, failed = jobs
    for job in stress([claimed, failed], jobs):
        page.goto(page_of(job))
        page.locator("#job").wait_for()
        assert_accessible_and_fits(page)


def test_the_page_of_a_job_works_without_script(open_page, alice, job):
    page = open_page(alice, java_script_enabled=False)
    page.goto(page_of(job))

    ended(job, state="done", result={"message": "Counted to 3."})

    page.get_by_text("Counted to 3.").wait_for()
