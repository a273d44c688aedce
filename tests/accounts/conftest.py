from tests.factories.studies import make_user
from tests.shelf import shelved


@shelved
def ada(db):
    """A site admin."""
    return make_user("Ada", is_site_admin=True)


@shelved
def alice(db):
    return make_user("Alice")


@shelved
def dave(db):
    return make_user("Dave")
