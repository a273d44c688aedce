from tests.factories.studies import make_aspect_study
from tests.shelf import shelved


@shelved
def three(db):
    """Four pairs judged by three under the majority rule: one alike, two with a majority, one
    with three different values."""
    study = make_aspect_study(also=["d4"])
    study.finish(alice=[0, 1, 2, 0], bob=[0, 1, 0, 1], erin=[0, 2, 2, 2])
    return study
