"""Two workers at once, each on a connection of its own."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from audit.chain import seal_trail
from webhooks.delivering import deliver_due
from webhooks.models import Delivery
from webhooks.outbox import collect

WORKERS = 4

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]


def at_once(function):
    """What each of several workers gets that begin at one moment."""
    barrier = threading.Barrier(WORKERS)

    def work(_):
        try:
            barrier.wait()
            return function()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(work, range(WORKERS)))


def test_workers_that_meet_queue_and_deliver_each_event_once(
    transactional_db, study, receiver, add
):
    hooks = [add(), add()]
    study.finish(alice=1, bob=1)
    seal_trail()

    assert sum(at_once(collect)) == 2
    assert sum(at_once(deliver_due)) == 2

    assert len(receiver.received) == 2
    assert [hook.deliveries.get().tries.count() for hook in hooks] == [1, 1]
    assert {row.state for row in Delivery.objects.all()} == {Delivery.State.DELIVERED}
