"""A lead who rates in a batch that came with ratings does not learn what a further file brings."""

import pytest

from annotation.assigning.actions.assign import assign_seat
from datasets.actions import set_roles
from imports.run import carry_out
from imports.study.importing import StudyMoving
from tests.factories.definitions import add_binary
from tests.factories.neutral import Neutral
from tests.factories.studies import make_member, make_study
from tests.factories.tokens import token_of
from tests.proof.test_blind_leads import are_alike, lived, rank_everything
from webhooks.actions import add_hook
from webhooks.kinds import BY_NAME

pytestmark = [pytest.mark.once, pytest.mark.full, pytest.mark.django_db]


def file_of(rater, *grades, overlap=4):
    neutral = Neutral().query("q9", text="Why?", facets=["method"])
    for number, grade in enumerate(grades, start=1):
        neutral.document(f"z{number}").pool("q9", f"z{number}")
        neutral.rate("q9_method", f"z{number}", overlap=overlap, **{rater: grade})
    neutral.study.fingerprint = f"{rater} {grades}"
    return neutral.study


@pytest.fixture
def study():
    study = make_study()
    collection = study.collection
    first = Neutral().query("q8", text="When?", facets=["method"]).document("y").pool("q8", "y")
    carry_out(StudyMoving(first.rate("q8_method", "y", Quirin=1).study, collection, study.lena))
    carry_out(StudyMoving(file_of("Zelda", 0, 1, 2), collection, study.lena))
    study.running = collection.batches.get(name="q9_method")
    nora = make_member(collection, "Nora", "annotator")
    study.members["nora"] = nora
    study.members["dora"] = make_member(collection, "Dora", "adjudicator", "annotator")
    assign_seat(seat=study.running.seats.get(ordinal=2), member=nora, by=study.lena)
    set_roles(membership=nora, roles=["annotator", "lead"], by=study.lena)
    rank_everything(study)
    add_hook(collection=collection, address="https://example.org/", kinds=BY_NAME, by=study.lena)
    study.hooks = collection.hooks.all()
    add_binary(collection, by=study.lena)
    study.token, _ = token_of(study.members["alice"])
    # Whoever is looked at on the pages of one member.
    study.members["bob"] = collection.memberships.get(name="Quirin")
    return study


def brings(*grades):
    def act(study):
        carry_out(StudyMoving(file_of("Quirin", *grades), study.collection, study.lena))

    return act


def test_a_lead_who_rates_cannot_tell_what_a_further_file_says(study):
    """Neither the grades in it, nor for how many pairs there are some."""
    baseline = lived(study, brings(0, 1, 2), [])

    for grades in [(2, 0, 0), (0, 1)]:
        evening = lived(study, brings(*grades), [])

        assert [route for route, *_ in evening] == [route for route, *_ in baseline]
        pairs = zip(evening, baseline, strict=True)
        differing = {mine[0] for mine, theirs in pairs if not are_alike(mine, theirs)}
        assert differing == set(), f"of {grades}"
