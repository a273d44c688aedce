import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains

from annotation.models import Batch, Pair
from annotation.sampling.elsewhere.actions import hand_out_chosen
from audit.models import Event
from audit.refusals import Invalid
from tests.factories.studies import make_aspect_query, make_aspect_study
from tests.shelf import shelved

GIVEN = [("3", "e2"), ("0", "e1")]


@shelved
def study(db):
    """The first query's pairs are in batches; those of the second wait."""
    study = make_aspect_study()
    make_aspect_query(study.collection, query_id="1", documents=["e1", "e2"])
    return study


def hand_out(study, pairs, **changes):
    options = {"name": "published", "overlap": 3, "way": "document", "by": study.lena} | changes
    return hand_out_chosen(collection=study.collection, pairs=pairs, **options)


def test_the_pairs_named_become_one_batch(study):
    batch = hand_out(study, GIVEN)

    named = batch.pairs.values_list("topic__external_id", "document__external_id")
    assert sorted(named) == sorted(GIVEN)
    assert (batch.name, batch.way, batch.seats.count()) == ("published", "document", 3)
    assert Event.objects.filter(verb="make batch", subject_id=str(batch.public_id)).count() == 1


def test_a_second_batch_of_that_name_gets_a_number(study):
    hand_out(study, GIVEN[:1])

    assert hand_out(study, GIVEN[1:]).name == "published (2)"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": " "}, "Give the batch a name"),
        ({"overlap": 0}, "1 to 9 ratings"),
        ({"overlap": 10}, "1 to 9 ratings"),
    ],
)
def test_a_batch_has_a_name_and_seats(study, changes, says):
    with pytest.raises(Invalid, match=says):
        hand_out(study, GIVEN, **changes)


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ([*GIVEN, ("0", "nowhere")], "3: 0 nowhere is not a pair of this collection"),
        ([*GIVEN, ("0", "d1")], "3: 0 d1 is in a batch already"),
        ([*GIVEN, GIVEN[0]], "3: 3 e2 is named at 1 already"),
        ([("x", str(n)) for n in range(40)], "and 20 more"),
        ([("x", str(n)) for n in range(21)], "and 1 more"),
        ([], "at least one pair"),
    ],
)
def test_all_of_them_or_none(study, pairs, says):
    before = Batch.objects.count()

    with pytest.raises(Invalid, match=says):
        hand_out(study, pairs)

    assert Batch.objects.count() == before
    assert not Pair.objects.filter(document__external_id__in=["e1", "e2"], batch__isnull=False)


@shelved
def address(study):
    return reverse("annotation:given-pairs", args=[study.collection.slug])


def fields(**changes):
    return {
        "name": "published",
        "overlap": 3,
        "way": "document",
        "pairs": "3 e2\n\n0 e1\n",
    } | changes


def test_a_lead_pastes_the_pairs_of_a_published_sample(client, study, address):
    client.force_login(study.lena)

    answer = client.post(address, fields())

    batch = Batch.objects.get(name="published")
    assert batch.pairs.count() == 2
    assert answer.url == reverse("annotation:batch", args=[batch.public_id])


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"pairs": "3 e2\n0"}, "Line 2 is “0”; expected a topic and a document"),
        ({"pairs": "3 nowhere"}, "1: 3 nowhere is not a pair of this collection"),
        ({"pairs": " "}, "This field is required"),
        ({"overlap": 10}, "less than or equal to 9"),
    ],
)
def test_what_cannot_be_handed_out_is_said_and_kept(client, study, address, changes, says):
    client.force_login(study.lena)

    answer = client.post(address, fields(**changes))

    assert answer.status_code == 422
    assertContains(answer, says, status_code=422)
    assertContains(answer, 'value="published"', status_code=422)
    assert not Batch.objects.filter(name="published").exists()
