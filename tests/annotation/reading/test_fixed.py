"""What is fixed once somebody held a seat: topics, documents, and how a pair is shown."""

import pytest
from django.db.models import Q

from annotation.assigning.actions.assign import assign_seat
from annotation.models import MachineRun, MachineScore, Pair
from annotation.reading.fixed import (
    Fixed,
    fixed_topics,
    held_batches,
    held_documents,
    held_topics,
    shown_as_before,
)
from datasets.models import Topic, TopicPlace
from tests.factories.studies import (
    assign_all,
    make_aspect_query,
    make_aspect_study,
    make_document,
    make_study,
    put_in_batch,
)
from tests.shelf import shelved


@shelved
def study(db):
    """Four aspects over d1, d2 and d3, a batch each; Alice holds a seat of batch "1" alone. A
    second query asks for "1" as well, and its own d9."""
    study = make_aspect_study(annotators=())
    make_aspect_query(study.collection, "1", {"9": ["1"]}, documents=("d1", "d9"))
    put_in_batch(study, Pair.objects.filter(batch=None), study.collection.batches.get(name="1"))
    assign_all(study, [study.collection.batches.get(name="1")], ["alice"])
    return study


@pytest.fixture
def elsewhere(study):
    """Another collection, with a held batch of its own."""
    return make_study(slug="elsewhere")


def test_topics_and_documents_of_held_batches_alone_are_held(study, elsewhere):
    make_document(study.collection, "free")

    assert held_topics(study.collection) == {"1": "1", "9": "1"}
    assert held_documents(study.collection, ["d1", "d9", "free", "q1", "q1c1"]) == {
        "d1": "1",
        "d9": "1",
    }
    name = elsewhere.batch.name
    assert held_documents(elsewhere.collection, ["q1", "q1c1", "d1"]) == {"q1": name, "q1c1": name}
    assert held_documents(study.collection, []) == {}


def test_of_several_held_batches_the_first_by_name_is_told(study):
    assign_all(study, study.collection.batches.filter(name="0"), ["bob"])

    held = held_batches(Q(collection=study.collection), "pairs__document__external_id")

    assert (held["d1"], held["d9"]) == ("0", "1")


def test_a_batch_that_somebody_held_once_is_held(study):
    batch = study.collection.batches.get(name="1")

    assign_seat(seat=batch.seats.get(ordinal=1), member=None, by=study.lena)

    assert held_topics(study.collection) == {"1": "1", "9": "1"}


def test_a_topic_is_fixed_by_a_seat_a_lock_or_a_machine(study):
    run = MachineRun.objects.create(collection=study.collection, model="gpt", name="first")
    for topic in ("0", "1"):
        pair = Pair.objects.filter(topic__external_id=topic).first()
        MachineScore.objects.create(run=run, pair=pair, value=1, response="text")
    Topic.objects.filter(external_id="2").update(
        locked_at="2026-01-01T00:00Z", locked_by=study.lena
    )
    held = "Somebody holds or held a seat of batch 1."

    assert fixed_topics(study.collection.topics.all()) == {
        "0": "A machine has rated pairs of it.",
        "1": held,
        "2": "The topic is locked.",
        "9": held,
    }
    assert fixed_topics(study.collection.topics.filter(external_id="3")) == {}


# --- how pairs of held batches are shown ---


def place(study, query, topic):
    return TopicPlace.objects.filter(query__external_id=query, topic__external_id=topic)


def pool_of_first(study):
    return study.collection.queries.get(external_id="0").candidates


def enter_the_first_pool(study):
    document = study.collection.documents.get(external_id="d9")
    pool_of_first(study).create(external_id="d9", document=document, sources=[], position=9)


@pytest.mark.parametrize(
    "change",
    [
        lambda study: place(study, "0", "1").update(parent=None),
        lambda study: place(study, "1", "9").update(position=5),
        lambda study: place(study, "0", "1").update(position=5),
        lambda study: pool_of_first(study).filter(external_id="d2").delete(),
        enter_the_first_pool,
    ],
    ids=["up", "same", "among siblings", "d2", "d9"],
)
def test_a_change_is_refused_where_it_shows_a_held_pair_otherwise(study, change, request):
    topics = study.collection.topics.values_list("pk", flat=True)
    before = shown(study)

    if request.node.callspec.id in {"same", "d2"}:
        with shown_as_before(topics):
            change(study)
        assert shown(study) == before
    else:
        with pytest.raises(Fixed, match="seat of batch 1"), shown_as_before(topics):
            change(study)


def shown(study):
    """With which query each pair of the held batch is shown."""
    pairs = Pair.objects.with_query().filter(batch__name="1").order_by("pk")
    return [pair.query_id for pair in pairs]


def test_pairs_of_other_topics_are_not_looked_at(study):
    other = study.collection.topics.exclude(external_id__in=["1", "9"])

    with shown_as_before(other.values_list("pk", flat=True)):
        place(study, "0", "1").update(parent=None)
