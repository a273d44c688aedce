import pytest

from api import limits


@pytest.fixture(autouse=True)
def patient_api(monkeypatch):
    """Walks ask more often than any program may."""
    monkeypatch.setattr(limits, "BLOCK", 1_000_000)
