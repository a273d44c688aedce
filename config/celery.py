"""Celery: delivers "look at this job" to a worker. The job's row in the database is the truth."""

import os
import warnings

from celery import Celery
from celery.platforms import SecurityWarning
from celery.signals import worker_init
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

from config.beat import Beat

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# The warning about root is about messages that are code (pickle). Ours are JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)
TRANSPORT_ALIASES["folder"] = "config.broker:Transport"


def broker():
    """Redis where REDIS_URL names one, else a folder beside the database."""
    if settings.REDIS_URL:
        return {
            "broker_url": settings.REDIS_URL,
            "broker_transport_options": {
                "socket_connect_timeout": 2,
                "socket_timeout": 5,
                "visibility_timeout": 7200,  # longer than any task may take
                # Sending fails at once; the sweep tries again, so that no page waits for Redis.
                "max_retries": 0,
            },
        }
    folder = settings.STATE_DIR / "broker"
    (folder / "messages").mkdir(parents=True, exist_ok=True)
    return {
        "broker_url": "folder://localhost",
        "broker_transport_options": {
            "data_folder_in": str(folder / "messages"),
            "data_folder_out": str(folder / "messages"),
            "control_folder": str(folder / "control"),
            "polling_interval": 0.5,
        },
    }


app = Celery("facetwise")
app.conf.update(
    broker(),
    result_backend=None,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_time_limit=3600,
    task_publish_retry=False,
    worker_concurrency=settings.JOB_WORKERS,
    worker_prefetch_multiplier=1,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,  # for ever: Redis may be away for a night
    timezone="UTC",
    # Of the worker's own clock (config/beat.py); `schedule` is in seconds.
    beat_schedule={
        "sweep-jobs": {
            "task": "jobs.sweep",
            "schedule": float(min(30, settings.JOB_STALE_SECONDS)),
            # A worker that was busy need not catch up on sweeps.
            "options": {"expires": 25},
        },
        "seal-trail": {"task": "audit.seal", "schedule": 60.0, "options": {"expires": 50}},
        "deliver-webhooks": {
            "task": "webhooks.deliver",
            "schedule": 15.0,
            "options": {"expires": 14},
        },
        "forget-deliveries": {
            "task": "webhooks.forget",
            "schedule": 3600.0,
            "options": {"expires": 3500},
        },
        "forget-answers": {
            "task": "datasets.forget-answers",
            "schedule": 3600.0,
            "options": {"expires": 3500},
        },
        "clear-sessions": {
            "task": "accounts.clear-sessions",
            "schedule": 3600.0,
            "options": {"expires": 3500},
        },
    },
)
app.autodiscover_tasks()


app.steps["worker"].add(Beat)


@worker_init.connect
def refuse_to_work(**kwargs):
    """The worker holds itself to what the web server does (config/gunicorn.py)."""
    from django.db import connections

    from config.checks import refuse_to_serve
    from config.memory import give_back

    os.umask(0o077)  # as gunicorn's
    give_back()
    refuse_to_serve()
    connections.close_all()  # the pool is forked next
