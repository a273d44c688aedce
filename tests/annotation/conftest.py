from tests.factories.studies import make_study
from tests.shelf import shelved


@shelved
def study(db):
    return make_study()
