"""The worker's clock sends events to hooks."""

import pytest

from audit.chain import seal_trail
from config.celery import app
from webhooks.models import Delivery
from webhooks.tasks import deliver


def test_the_task_collects_and_delivers(study, receiver, hook):
    study.finish(alice=1, bob=1)
    seal_trail()

    deliver()

    assert len(receiver.received) == 1
    assert hook.deliveries.get().state == Delivery.State.DELIVERED


@pytest.mark.parametrize("name", ["deliver-webhooks", "forget-deliveries"])
def test_the_clock_asks_for_tasks_that_the_worker_knows(name):
    app.loader.import_default_modules()

    assert app.conf.beat_schedule[name]["task"] in app.tasks
