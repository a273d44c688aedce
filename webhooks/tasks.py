"""The message that sends to hooks what happened, every few seconds."""

import logging

from celery import shared_task

from jobs.actions import broker_errors
from webhooks.delivering import deliver_due, forget_old
from webhooks.outbox import collect

logger = logging.getLogger(__name__)


@shared_task(name="webhooks.deliver")
def deliver() -> None:
    collect()
    deliver_due()


@shared_task(name="webhooks.forget")
def forget() -> None:
    forget_old()


def send_message() -> None:
    """Have a worker deliver now; where the broker is away, its clock asks for it later."""
    try:
        deliver.delay()
    except broker_errors() as error:
        logger.warning("Broker away (%s); webhooks wait for the worker's clock.", error)
