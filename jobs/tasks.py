"""The two messages that Celery carries."""

from celery import shared_task

from jobs import actions
from jobs.models import Pulse


@shared_task(name="jobs.run")
def run(public_id: str) -> None:
    actions.run_job(public_id)


@shared_task(name="jobs.sweep")
def sweep(at_start: bool = False) -> None:
    actions.sweep(at_start=at_start)
    Pulse.objects.beat(Pulse.Part.WORKER)
