"""What the worker does by its clock; the message of a job is in `jobs/running.py`."""

from celery import shared_task

from jobs import actions
from jobs.models import Pulse


@shared_task(name="jobs.sweep")
def sweep(at_start: bool = False) -> None:
    actions.sweep(at_start=at_start)
    Pulse.objects.beat(Pulse.Part.WORKER)
