import pytest

from annotation.assigning.actions.batches import make_batches
from annotation.models import Rating
from tests.factories.studies import assign_all, make_member, make_study


def readable(study, name):
    """(who rated, which pair) of every rating that this member may read."""
    ratings = Rating.objects.visible_to(study.members[name].user)
    return set(ratings.values_list("annotator__name", "pair__document__external_id"))


@pytest.fixture
def study(db):
    """A batch of Alice and Bob, and one of Bob and Erin, who adjudicates too."""
    study = make_study(facets=("method", "result"), assign=False)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator", "adjudicator")
    batches = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, batches[:1], ["alice", "bob"])
    assign_all(study, batches[1:], ["erin", "bob"])
    return study


def test_an_adjudicator_reads_the_ratings_of_disputes_that_they_did_not_rate(study):
    first, second = study.collection.batches.all()
    study.finish(first, alice=[0, 1, 2], bob=[3, 1, 2])
    study.finish(second, erin=[0, 1, 2], bob=[3, 1, 2])
    of_others = Rating.objects.visible_to(study.erin).exclude(annotator=study.members["erin"])

    assert {rating.pair for rating in of_others} == {first.pairs.first()}
    assert of_others.count() == 2


def test_an_adjudicator_reads_nothing_of_a_batch_that_is_not_finished(study):
    first, _ = study.collection.batches.all()
    study.rate_all("alice", 0, first)
    study.hand_in("alice", first)
    study.rate_all("bob", 3, first)

    assert readable(study, "erin") == set()


def test_an_annotator_reads_their_own_ratings_alone(study):
    first, _ = study.collection.batches.all()
    study.finish(first, alice=[0, 1, 2], bob=[3, 1, 2])

    assert {name for name, _ in readable(study, "alice")} == {"Alice"}
    assert len(readable(study, "alice")) == 3
