import uuid

import pytest

from adjudication.actions import decide
from annotation.schemes.actions import change_rules
from tests.factories.studies import make_member, make_study
from tests.shelf import shelved


@shelved
def study(db):
    """Three pairs handed in: three grades apart, one apart, and agreed on 2."""
    study = make_study()
    study.finish(alice=[0, 1, 2], bob=[3, 2, 2])
    return study


@shelved
def pair(study):
    """The pair that Alice rated 0 and Bob rated 3."""
    return study.batch.pairs.first()


@shelved
def dora(study):
    """A second adjudicator."""
    study.members["dora"] = make_member(study.collection, "Dora", "adjudicator")
    return study.members["dora"].user


@pytest.fixture
def decide_as(study):
    """`decide_as(user, pair, value, **details)`; value None leaves the pair out."""

    def decided(user, pair, value, **details):
        choice = {"option": study.option(value)} if value is not None else {}
        return decide(pair=pair, by=user, **{"save_id": uuid.uuid4(), **choice, **details})

    return decided


def hide_ratings(study):
    """The scheme shows ratings to an adjudicator only after a first value of their own."""
    scheme = study.scheme
    change_rules(
        scheme=scheme, by=study.lena, rule=scheme.rule, overlap=scheme.overlap, hides_ratings=True
    )
    study.collection.refresh_from_db()
