import pytest

from tests.factories.studies import make_user


@pytest.fixture
def ada(db):
    """A site admin."""
    return make_user("Ada", is_site_admin=True)


@pytest.fixture
def alice(db):
    return make_user("Alice")


@pytest.fixture
def dave(db):
    return make_user("Dave")
