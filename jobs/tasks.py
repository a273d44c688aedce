"""The two messages that Celery carries."""

from celery import shared_task
from celery.signals import worker_ready

from jobs import actions


@shared_task(name="jobs.run")
def run(public_id):
    actions.run_job(public_id)


@shared_task(name="jobs.sweep")
def sweep(at_start=False):
    actions.sweep(at_start=at_start)


@worker_ready.connect
def sweep_at_start(**kwargs):
    sweep.delay(at_start=True)
