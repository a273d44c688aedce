"""Intervals are computed once, at once or in the background, and never belong to other figures."""

import numpy as np
import pytest
from django.db import OperationalError
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from agreement.models import KnownIntervals
from agreement.statistics import MEASURES, Over, SummaryKind, intervals
from agreement.study import intervals as of_page
from agreement.study.intervals import Wanted, compute_missing, known_intervals
from jobs.actions import run_job
from jobs.models import Job
from tests.agreement.statistics.plain import rated_topics
from tests.factories.studies import make_study
from tests.shelf import shelved

pytestmark = pytest.mark.django_db


def wanted(seed=0, *, kind=SummaryKind.MEDIAN):
    ratings = np.random.default_rng(seed).integers(0, 4, size=(3, 2, 20)).astype(float)
    topics = rated_topics(list(ratings), values=[0, 1, 2, 3])
    return Wanted(topics, tuple(MEASURES), kind, Over.TOPICS)


@shelved
def study():
    study = make_study(facets=("background", "method"), candidates=4)
    for batch in study.collection.batches.all():
        study.finish(alice=[0, 1, 2, 3], bob=[0, 1, 2, 0], batch=batch)
    return study


def test_kept_intervals_are_those_that_were_computed(study):
    interval = wanted()
    expected = intervals(interval.topics, MEASURES, summary=interval.summary, over=interval.over)

    [first], missing = known_intervals(study.collection, [interval])
    [again], _ = known_intervals(study.collection, [wanted()])

    assert missing == 0
    assert first == again == expected
    assert KnownIntervals.objects.count() == 1


def test_other_ratings_or_another_summary_have_other_intervals():
    keys = {wanted().key, wanted(seed=1).key, wanted(kind=SummaryKind.MEAN).key}

    assert len(keys) == 3
    assert wanted().key in keys


def test_nothing_is_computed_twice(study, monkeypatch):
    compute_missing(study.collection, [wanted()])

    monkeypatch.setattr(Wanted, "compute", None)
    compute_missing(study.collection, [wanted()])


def test_a_page_is_shown_where_nothing_can_be_kept_and_a_job_says_so(study, monkeypatch):
    def fail(*args, **options):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(KnownIntervals.objects, "bulk_create", fail)

    assert known_intervals(study.collection, [wanted()])[1] == 0
    with pytest.raises(OperationalError):
        compute_missing(study.collection, [wanted()])


def test_oldest_are_forgotten(study, monkeypatch):
    monkeypatch.setattr(of_page, "KEPT", 2)

    for seed in range(4):
        compute_missing(study.collection, [wanted(seed)])

    keys = set(KnownIntervals.objects.values_list("key", flat=True))
    assert keys == {wanted(2).key, wanted(3).key}


def page_of(client, study):
    return client.get(reverse("agreement:agreement", args=[study.collection.slug]))


def test_large_study_shows_figures_at_once_and_intervals_when_they_are_ready(
    client, study, monkeypatch
):
    monkeypatch.setattr(of_page, "QUICK", 0)
    client.force_login(study.lena)

    page = page_of(client, study)
    assertContains(page, "75.00")
    assertContains(page, "their intervals are being computed")
    again = page_of(client, study)
    assertContains(again, "their intervals are being computed")
    job = Job.objects.get()

    done = run_job(job.public_id)
    assert (done.state, done.result["message"]) == ("done", "The intervals are ready.")
    assert done.result["url"] == reverse("agreement:agreement", args=[study.collection.slug])

    ready = page_of(client, study)
    assertNotContains(ready, "being computed")
    assertContains(ready, "95% interval 75.00 to 75.00")
    assert Job.objects.count() == 1


def test_job_of_somebody_who_no_longer_leads_computes_nothing(client, study, monkeypatch):
    monkeypatch.setattr(of_page, "QUICK", 0)
    client.force_login(study.lena)
    page_of(client, study)
    study.members["lena"].is_lead = False
    study.members["lena"].is_annotator = True
    study.members["lena"].save()

    job = run_job(Job.objects.get().public_id)

    assert (job.state, job.error) == ("failed", "You no longer lead this collection.")
    assert not KnownIntervals.objects.exists()
