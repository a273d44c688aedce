"""Background work that people can watch."""

from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.urls import reverse

from audit.constraints import check
from audit.models import CreatedRow, PublicRow

# Three beats of the worker's clock.
SILENCE = timedelta(seconds=90)


def lately(field: str, limit: timedelta) -> Q:
    """Whether a moment is no longer ago than that, by the database's clock. One that lies as far
    ahead was written before the clock was set back, and says nothing."""
    return Q((f"{field}__range", (Now() - limit, Now() + limit)))


def _beats_lately() -> Q:
    return lately("heartbeat_at", timedelta(seconds=settings.JOB_STALE_SECONDS))


class JobQuerySet(models.QuerySet):
    def active(self) -> Self:
        return self.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])

    def beating(self) -> Self:
        """Running jobs with a fresh heartbeat."""
        return self.filter(_beats_lately(), state=Job.State.RUNNING)

    def silent(self) -> Self:
        """Running jobs whose worker died."""
        return self.filter(~_beats_lately(), state=Job.State.RUNNING)

    def visible_to(self, user: Any) -> Self:
        """A job is visible to its creator and to site admins."""
        if user.is_site_admin:
            return self
        return self.filter(created_by=user)

    def claimed(self, job: "Job") -> Self:
        """The row of `job`, as long as this attempt still holds it.

        The number of attempts is the token: a worker that was thought dead and comes back holds
        an older number, and whatever it then writes touches no row.
        """
        return self.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts)


class Job(PublicRow, CreatedRow):
    """One piece of background work. This row is the truth; a message only says "look"."""

    class State(models.TextChoices):
        QUEUED = "queued", "waiting"  # nobody works on it; a sweep sends it again if need be
        RUNNING = "running", "running"  # one worker holds it, as long as its heartbeat is fresh
        DONE = "done", "done"  # its effect is in the database; never runs again
        FAILED = "failed", "failed"  # `error` says why in a sentence; never runs again

    kind = models.CharField(max_length=60)
    # Jobs are a floor below collections and name them by their public id.
    collection = models.UUIDField(null=True, editable=False)
    params = models.JSONField(default=dict)
    # The request that queued it, whose id its log lines and events carry.
    request_id = models.UUIDField(null=True, editable=False)
    state = models.CharField(max_length=7, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    stage = models.CharField(max_length=200, blank=True)
    progress_done = models.PositiveBigIntegerField(default=0)
    progress_total = models.PositiveBigIntegerField(default=0)  # 0: not known
    result = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    sent_at = models.DateTimeField(null=True, editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    heartbeat_at = models.DateTimeField(null=True, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            check("state_known", Q(state__in=["queued", "running", "done", "failed"])),
            check(
                "running_has_heartbeat",
                ~Q(state="running")
                | Q(attempts__gte=1, started_at__isnull=False, heartbeat_at__isnull=False),
            ),
            check(
                "finished_has_time",
                Q(state__in=["queued", "running"], finished_at=None)
                | Q(state__in=["done", "failed"], finished_at__isnull=False),
            ),
            check("failed_has_error", Q(state="failed") ^ Q(error="")),
        ]
        indexes = [
            models.Index(
                fields=["state", "heartbeat_at"],
                condition=Q(state__in=["queued", "running"]),
                name="jobs_job_active",
            ),
            models.Index(fields=["collection", "-created_at"], name="jobs_job_collection"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"

    def get_absolute_url(self) -> str:
        return reverse("jobs:job-page", args=[self.public_id])

    @property
    def is_active(self) -> bool:
        return self.state in {self.State.QUEUED, self.State.RUNNING}


class PulseQuerySet(models.QuerySet):
    def beat(self, *parts: "Pulse.Part") -> None:
        """Say that these parts are well now."""
        for part in parts:
            self.update_or_create(part=part, defaults={"at": Now()})

    def fresh(self) -> Self:
        return self.filter(lately("at", SILENCE))


class Pulse(models.Model):
    """When a part of the background work was last known to be well, by the database's clock.

    In the database rather than in a file, for worker and web server may be on different hosts.
    """

    class Part(models.TextChoices):
        BEAT = "beat", "beat"  # the worker's clock ran
        BROKER = "broker", "broker"  # and the broker took its message
        WORKER = "worker", "worker"  # which a worker then received

    part = models.CharField(max_length=6, choices=Part, primary_key=True)
    at = models.DateTimeField()

    objects = PulseQuerySet.as_manager()

    class Meta:
        constraints = [check("part_known", Q(part__in=["beat", "broker", "worker"]))]

    def __str__(self) -> str:
        return f"{self.part} at {self.at}"
