"""The page of an import decides, whenever it is opened, what its reader may see."""

import importlib

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from accounts.models import User
from datasets.actions import remove_member, set_roles
from datasets.models import Membership
from imports.models import Draft
from jobs.models import Job
from tests.factories.csfcube import Folder
from tests.factories.studies import make_member, make_study, make_user
from tests.imports.test_page import PAGE, chosen
from tests.shelf import shelved

QUOTE = "gives q1_background with q1c1 2, but 1 is stored."


def signed_in(user):
    browser = Client()
    browser.force_login(user)
    return browser


@pytest.fixture
def refused(transactional_db, eager_jobs, settings, tmp_path):
    """A study, and Lena's import of other ratings than those that are stored."""
    settings.STATE_DIR = tmp_path / "state"
    settings.STATE_DIR.mkdir()
    study = make_study(assign=False, facets=())
    lena = signed_in(study.lena)
    folder = Folder()

    def check():
        lena.post(PAGE, {"files": chosen(folder)})
        lena.post(f"{PAGE}check/", {"ask:with_ratings": "yes"})

    check()
    lena.post(f"{PAGE}start/")
    folder.annotations["background"]["q1"] |= {
        "relevance_ann1": [2, 0, -1],
        "relevance_max": [2, 3, 2],
    }
    check()
    return study, Job.objects.latest("id")


def page_of(job, user):
    return signed_in(user).get(job.get_absolute_url())


def test_a_check_quotes_ratings_on_the_page_of_its_lead_and_in_no_job(refused):
    study, job = refused
    ada = make_user("Adele", is_site_admin=True)
    make_member(study.collection, "Lars", "lead")

    assertContains(signed_in(study.lena).get(PAGE), QUOTE)
    for person in (study.lena, ada):
        assertNotContains(page_of(job, person), "is stored")
    assertNotContains(signed_in(User.objects.get(name="Lars")).get(PAGE), "is stored")
    assert signed_in(ada).get(PAGE).status_code == 404


def test_every_problem_that_quotes_ratings_names_their_topic(refused):
    [draft] = Draft.objects.all()

    problems = draft.report["problems"]
    assert QUOTE in str(problems)
    assert {problem["about"] for problem in problems} == {"q1_background"}


@pytest.mark.parametrize("ended", ["removed", "no lead"])
def test_a_job_is_closed_to_somebody_who_leads_no_longer(refused, ended):
    study, job = refused
    other = make_member(study.collection, "Olga", "lead")
    member = study.members["lena"]
    if ended == "removed":
        remove_member(membership=member, by=other.user)
    else:
        set_roles(membership=member, by=other.user, roles=["annotator"])

    assert page_of(job, study.lena).status_code == 404


def test_another_lead_does_not_see_the_job(refused):
    study, job = refused

    assert page_of(job, make_member(study.collection, "Olga", "lead").user).status_code == 404


@shelved
def nora(db):
    """A lead who rates beside Bob, and a job of hers that quotes ratings of their batch."""
    study = make_study()
    member = study.members["alice"]
    Membership.objects.filter(pk=member.pk).update(is_lead=True)
    quote = {"text": "the ratings are 2, but 1 is stored.", "about": study.topics[0].external_id}
    job = Job.objects.create(
        kind="import-files",
        collection=study.collection.public_id,
        created_by=member.user,
        state="failed",
        error="There are 2 problems.",
        finished_at=timezone.now(),
        result={"errors": ["line 3 is broken.", quote], "error_count": 2},
    )
    return study, job


def test_a_lead_who_rates_is_quoted_nothing_until_all_seats_are_handed_in(nora):
    study, job = nora

    page = page_of(job, study.alice)
    assertContains(page, "line 3 is broken.")
    assertContains(page, "are not listed until every seat of it is handed in")
    assertNotContains(page, "1 is stored")
    assertNotContains(page, "2 problems:")

    study.finish(alice=1, bob=1)

    assertContains(page_of(job, study.alice), "1 is stored")


def test_quotes_of_before_are_dropped_since_nobody_knows_of_what(nora):
    _, job = nora
    old = "x.json: the ratings are 2, but 1 are stored. Stored ratings are never replaced."
    Job.objects.update(result={"errors": ["line 3 is broken.", old], "error_count": 2})
    migration = importlib.import_module("jobs.migrations.0003_quoted_ratings")

    migration.drop_quotes(apps, None)

    job.refresh_from_db()
    assert job.result["errors"] == ["line 3 is broken.", migration.INSTEAD]
