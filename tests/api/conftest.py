import pytest

from tests.factories.studies import make_study
from tests.factories.tokens import program_of

HOME = "/api/v1/collections/study"


@pytest.fixture
def study(db):
    """One topic of three pairs; Alice and Bob hold its seats."""
    return make_study()


@pytest.fixture
def lena(study):
    """The lead's program, with every scope that is of use to her."""
    return program_of(study.members["lena"])


@pytest.fixture
def alice(study):
    return program_of(study.members["alice"])
