import facetwise
import httpx
import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from api import limits
from tests.factories.studies import make_study
from tests.factories.tokens import program_of, token_of
from tests.shelf import shelved

HOME = "/api/v1/collections/study"


@shelved
def study(db):
    """One topic of three pairs; Alice and Bob hold its seats."""
    return make_study()


@shelved
def lena(study):
    """The lead's program, with every scope that is of use to her."""
    return program_of(study.members["lena"])


@shelved
def alice(study):
    return program_of(study.members["alice"])


@pytest.fixture
def unlimited(monkeypatch):
    """Programs ask as often as they like."""
    monkeypatch.setattr(limits, "BLOCK", 1_000_000)


@pytest.fixture
def kept_connection():
    """A server closes what it used; the connection of the test is kept for its transaction."""
    signals = [request_started, request_finished]
    connected = [signal for signal in signals if signal.disconnect(close_old_connections)]
    yield
    for signal in connected:
        signal.connect(close_old_connections)


@pytest.fixture
def client_of(kept_connection, unlimited):
    """`client_of(member)`: the Python client with a token of theirs, in this process."""
    transport = httpx.WSGITransport(app=WSGIHandler(), raise_app_exceptions=True)

    def make(member=None, token=""):
        token = token or token_of(member)[1]
        return facetwise.Client("http://localhost", token, transport=transport)

    return make
