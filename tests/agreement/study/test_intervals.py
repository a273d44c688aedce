"""Intervals are computed once, at once or in the background, and never belong to other figures."""

from dataclasses import replace

import numpy as np
import pytest
from django.db import OperationalError
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from agreement.models import KnownIntervals
from agreement.statistics import Over, SummaryKind, intervals
from agreement.statistics.measures import MEASURES
from agreement.study import intervals as of_page
from agreement.study.intervals import Wanted, compute_missing, known_intervals
from agreement.study.selection import selection_of
from datasets.models import Membership
from jobs.models import Job
from jobs.running import run_job
from tests.agreement.statistics.plain import rated_topics
from tests.factories.studies import make_member, make_study
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


def test_intervals_of_another_program_are_others(monkeypatch):
    before = wanted().key

    monkeypatch.setattr(of_page, "program_hash", lambda *of: "another")

    assert wanted().key != before


def test_ratings_of_another_shape_have_other_intervals():
    """The same numbers, of two patterns of three ratings and of three patterns of two."""
    interval = wanted()
    patterns = np.array([[0, 1, 2], [2, 1, 0]], dtype=interval.topics.patterns.dtype)
    two, three = (
        replace(interval, topics=replace(interval.topics, patterns=patterns.reshape(shape)))
        for shape in ((2, 3), (3, 2))
    )

    assert two.key != three.key


def test_progress_is_told_by_cost_after_each_interval(study):
    steps = []

    compute_missing(
        study.collection, [wanted(0), wanted(1)], lambda done, total: steps.append((done, total))
    )

    each = wanted().cost
    assert steps == [(each, 2 * each), (2 * each, 2 * each)]


def test_what_another_reader_kept_meanwhile_does_no_harm(study, monkeypatch):
    compute = Wanted.compute

    def compute_while_another_does(interval):
        monkeypatch.setattr(Wanted, "compute", compute)
        compute_missing(study.collection, [interval])
        return interval.compute()

    monkeypatch.setattr(Wanted, "compute", compute_while_another_does)

    assert compute_missing(study.collection, [wanted()]).keys() == {wanted().key}
    assert KnownIntervals.objects.count() == 1


def test_each_lead_waits_for_a_job_of_their_own_and_for_one_alone(study, monkeypatch):
    monkeypatch.setattr(of_page, "QUICK", 0)
    make_member(study.collection, "Nora", "lead")
    leads = Membership.objects.filter(collection=study.collection, is_lead=True)

    jobs = [
        of_page.known_or_queued(selection_of(lead, lead.user, {}), "overview", [wanted()], url="/")
        for lead in leads
        for _ in range(2)
    ]

    assert [known for known, _ in jobs] == [[None]] * 4
    assert [job.created_by for _, job in jobs] == [lead.user for lead in leads for _ in range(2)]
    assert Job.objects.count() == 2


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
