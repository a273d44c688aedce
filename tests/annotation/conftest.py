import pytest

from tests.factories.studies import make_study


@pytest.fixture
def study(db):
    return make_study()
