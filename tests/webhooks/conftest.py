import pytest

from audit.chain import seal_trail
from tests.factories.studies import make_study
from tests.shelf import shelved
from tests.webhooks.receiver import Receiver, running
from webhooks import delivering
from webhooks.actions import add_hook
from webhooks.kinds import BY_NAME
from webhooks.outbox import collect


@pytest.fixture
def receiver(settings):
    """A receiver on this machine, which hooks may call in this test."""
    settings.WEBHOOKS_TO_LOOPBACK = True
    receiver = running(Receiver())
    yield receiver
    receiver.shutdown()
    receiver.server_close()


@shelved
def study(db):
    return make_study()


@pytest.fixture
def add(study, receiver):
    """`add(kinds)`: a hook of the study to the receiver, of every kind if none are named."""

    def added(kinds=tuple(BY_NAME), address=None):
        hook, _ = add_hook(
            collection=study.collection,
            address=address or receiver.address,
            kinds=kinds,
            by=study.lena,
        )
        return hook

    return added


@pytest.fixture
def hook(add):
    return add()


@pytest.fixture
def collected():
    """`collected()`: what happened until now is sealed and queued; says how many deliveries."""

    def run():
        seal_trail()
        return collect()

    return run


@pytest.fixture
def no_jitter(monkeypatch):
    monkeypatch.setattr(delivering.random, "uniform", lambda low, high: low)
