import pytest

from accounts.models import User
from jobs.registry import HANDLERS, Handler
from tests.shelf import shelved


@shelved
def alice(db):
    return User.objects.create_user("alice@example.org", name="Alice")


@pytest.fixture
def handle(monkeypatch):
    """`handle(function)`: what jobs of kind "count" do in this test."""

    def register(function):
        monkeypatch.setitem(HANDLERS, "count", Handler("count", "Counting", function))

    return register
