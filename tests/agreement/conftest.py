"""The real sample, for tests that read it only."""

import pytest
from django.core.management import call_command

from annotation.actions.schemes import create_scheme, load_definition
from datasets.models import Collection, Membership
from tests.factories.studies import make_aspect_study, make_document, make_user


@pytest.fixture
def half(db, shared_data):
    """CSFCube's half, imported with its ratings; Lena leads it."""
    collection = Collection.objects.create(slug="half", name="CSFCube, half")
    create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
    call_command(
        "import_csfcube",
        str(shared_data / "csfcube-half"),
        collection=collection.slug,
        with_ratings=True,
        verbosity=0,
    )
    lena = make_user("Lena")
    Membership.objects.create(collection=collection, user=lena, name="Lena", is_lead=True)
    return collection


@pytest.fixture
def three(db):
    """Four pairs judged by three under the majority rule: one alike, two with a majority, one
    with three different values."""
    study = make_aspect_study()
    batch = study.batch
    batch.pairs.create(
        topic=study.topics[0], document=make_document(study.collection, "d4"), position=9
    )
    study.finish(alice=[0, 1, 2, 0], bob=[0, 1, 0, 1], erin=[0, 2, 2, 2], batch=batch)
    return study
