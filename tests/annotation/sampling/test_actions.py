"""Drawing samples from the pairs that wait."""

import pytest

from annotation.authoring.actions.aspects import add_aspect
from annotation.models import Batch, Pair
from annotation.sampling.actions import draw_sample
from annotation.sampling.strata import By, drawable_pairs
from audit.models import Event
from audit.refusals import Invalid
from datasets.models import Candidate, Query, Topic
from tests.factories.studies import make_aspect_query, make_aspect_study, make_study
from tests.shelf import shelved


@shelved
def study(db):
    """Nine pairs in batches, and 10 topics over 6 documents that wait: 60 pairs."""
    study = make_aspect_study()
    tree = {str(n): [str(n + 1)] for n in range(10, 20, 2)}
    make_aspect_query(study.collection, "1", tree, documents=[f"e{n}" for n in range(6)])
    return study


def sample(study, **given):
    given = {"name": "Test", "size": 20, "overlap": 3, "seed": "7"} | given
    return draw_sample(collection=study.collection, by=study.lena, **given)


def identities(batch):
    return sorted(batch.pairs.values_list("topic__external_id", "document__external_id"))


def strata_of(study, by):
    sizes = {}
    for pair in drawable_pairs(study.collection, by):
        sizes[pair.stratum] = sizes.get(pair.stratum, 0) + 1
    return sizes


def test_a_sample_is_a_batch_with_seats_of_its_own_overlap(study):
    [batch] = sample(study, overlap=2, way=Batch.Way.BY_DOCUMENT)

    assert (batch.name, batch.overlap, batch.way) == ("Test", 2, "document")
    assert batch.pairs.count() == 20
    assert [seat.ordinal for seat in batch.seats.all()] == [1, 2]
    assert batch.drawn == {
        "sample": "Test",
        "size": 20,
        "seed": "7",
        "waiting": 60,
        "stratified_by": "nothing",
        "strata": [["", 60, 20]],
        "parts": 1,
        "part": 1,
    }
    [event] = Event.objects.about(batch)
    assert event.after["drawn"] == batch.drawn


def test_samples_share_no_pair(study):
    [first], [second] = sample(study), sample(study, name="Development")

    assert not set(identities(first)) & set(identities(second))
    assert Pair.objects.waiting().count() == 20


def test_the_same_seed_on_the_same_state_draws_the_same(study, db):
    [batch] = sample(study)
    first = identities(batch)
    other = make_aspect_study(slug="again")
    # The same pairs in a collection of their own, made in another order.
    tree = {str(n): [str(n + 1)] for n in range(18, 8, -2)}
    make_aspect_query(other.collection, "1", tree, documents=[f"e{n}" for n in range(5, -1, -1)])

    assert identities(sample(other)[0]) == first


def test_parts_share_the_work(study):
    batches = sample(study, size=21, parts=2, name="Pilot")

    assert [batch.name for batch in batches] == ["Pilot, part 1 of 2", "Pilot, part 2 of 2"]
    assert [batch.pairs.count() for batch in batches] == [11, 10]
    assert [batch.drawn["part"] for batch in batches] == [1, 2]
    assert batches[0].position < batches[1].position


def test_a_name_that_is_taken_gets_a_number(study):
    names = [batch.name for _ in range(2) for batch in sample(study, size=3)]

    assert names == ["Test", "Test (2)"]


@pytest.mark.parametrize(
    "given",
    [
        {"size": 0},
        {"size": 61},
        {"overlap": 0},
        {"overlap": 10},
        {"parts": 0},
        {"parts": 21},
        {"size": 2, "parts": 3},
        {"name": " "},
        {"seed": ""},
        {"way": "sideways"},
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_is_made(study, given):
    before = study.collection.batches.count()

    with pytest.raises(Invalid):
        sample(study, **given)

    assert study.collection.batches.count() == before
    assert Pair.objects.waiting().count() == 60


def test_a_sample_has_at_most_as_many_parts_as_pairs(study):
    assert [batch.pairs.count() for batch in sample(study, size=3, parts=3)] == [1, 1, 1]


def test_a_refusal_says_how_many_pairs_wait(study):
    with pytest.raises(Invalid, match=r"^60 pairs wait for a batch\."):
        sample(study, size=61)
    sample(study, size=59)
    with pytest.raises(Invalid, match=r"^1 pair waits for a batch\."):
        sample(study, size=2)


def test_pairs_of_locked_topics_are_not_drawn(study):
    Topic.objects.filter(external_id="10").update(
        locked_at="2026-01-01T00:00Z", locked_by=study.lena
    )

    assert len(drawable_pairs(study.collection)) == 54


def test_a_sample_may_be_stratified_by_level(study):
    assert strata_of(study, By.LEVEL) == {"aspect": 30, "sub-aspect": 30}

    [batch] = sample(study, stratify=By.LEVEL)

    assert batch.drawn["strata"] == [["aspect", 30, 10], ["sub-aspect", 30, 10]]
    assert batch.pairs.filter(topic__places__parent=None).count() == 10


def test_a_text_at_both_levels_is_a_stratum_of_its_own(study):
    query = study.collection.queries.get(external_id="1")
    add_aspect(query=query, text="The paper does 11.", by=study.lena)

    strata = strata_of(study, By.LEVEL)

    assert strata == {"aspect": 30, "aspect and sub-aspect": 6, "sub-aspect": 24}


def test_a_sample_may_be_stratified_by_query_type(study):
    make_aspect_query(study.collection, "2", {"30": []}, documents=("e0", "e1"))
    Query.objects.filter(external_id="1").update(metadata={"query_type": "NLP"})
    Query.objects.filter(external_id="2").update(metadata={})

    assert strata_of(study, By.QUERY_TYPE) == {"NLP": 60, "none given": 2}


def test_a_pair_that_two_queries_ask_for_belongs_to_both_types(study):
    second = make_aspect_query(study.collection, "2", {"10": []}, documents=("e0", "f0"))
    Query.objects.filter(pk=second.pk).update(metadata={"query_type": "NLP"})

    # Topic 10 with e0 is in both pools, with f0 in the second alone.
    assert strata_of(study, By.QUERY_TYPE) == {"ML": 59, "ML + NLP": 1, "NLP": 1}


def test_a_sample_may_be_stratified_by_source(study):
    Candidate.objects.filter(external_id="e0").update(sources=["dense", "bm25"])
    Candidate.objects.filter(external_id="e1").update(sources=[])

    assert strata_of(study, By.SOURCE) == {
        "bm25 + dense": 10, "none given": 10, "secret_source": 40,
    }  # fmt: skip


def test_a_csfcube_collection_is_sampled_by_facet_and_type_of_paper(db):
    study = make_study(facets=("method", "result"), assign=False)
    Topic.objects.filter(facet="method").update(metadata={"paper type": "theoretical"})

    assert strata_of(study, By.LEVEL) == {"Method": 3, "Result": 3}
    assert strata_of(study, By.QUERY_TYPE) == {"none given": 3, "theoretical": 3}
    assert sample(study, size=4, stratify=By.LEVEL)[0].pairs.count() == 4


def test_drawing_takes_the_same_statements_however_many_pairs_wait(
    study, django_assert_num_queries
):
    with django_assert_num_queries(5):
        drawable_pairs(study.collection, By.LEVEL)
    make_aspect_query(study.collection, "2", {"40": [], "41": []}, documents=("g1", "g2", "g3"))
    with django_assert_num_queries(5):
        drawable_pairs(study.collection, By.LEVEL)
