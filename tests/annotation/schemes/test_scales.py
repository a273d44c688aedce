"""A scale for each facet: what is rated, settled and decided is on the scale of the topic."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from adjudication.actions import decide
from annotation.models import Scale, Scheme
from annotation.schemes.actions import change_rules
from audit.refusals import Invalid
from config.integrity import findings
from tests.factories.studies import make_study
from tests.shelf import shelved

pytestmark = pytest.mark.django_db

FACETS = {"definition": "litsearch", "facets": ("quality", "specificity")}


@shelved
def study():
    return make_study(**FACETS)


@pytest.fixture
def quality(study):
    return study.topics[0]


@pytest.fixture
def specificity(study):
    return study.topics[1]


def option(study, topic, value):
    return study.scheme.scale_of(topic.facet).option_list[value]


def rate(study, name, topic, values):
    for pair, value in zip(topic.pairs.all(), values, strict=True):
        study.rate(name, pair, None, option=option(study, topic, value), cannot_judge="")


def finish(study, topic, **values):
    batch = topic.pairs.first().batch
    for name, given in values.items():
        rate(study, name, topic, given)
        study.hand_in(name, batch)


def test_each_topic_is_rated_on_the_scale_of_its_facet(client, study, quality, specificity):
    client.force_login(study.alice)
    pages = {}
    for topic in (quality, specificity):
        seat = study.seat("alice", topic.pairs.first().batch)
        pages[topic.facet] = client.get(reverse("annotation:rate-pair", args=[seat.public_id, 1]))

    assertContains(pages["quality"], 'value="acceptable"')
    assertNotContains(pages["quality"], 'value="specific"')
    assertContains(pages["specificity"], 'value="broad"')
    assertNotContains(pages["specificity"], 'value="acceptable"')


@pytest.mark.both
def test_an_option_of_another_scale_is_refused_by_the_action(study, quality, specificity):
    with pytest.raises(Invalid, match="not part of the scheme"):
        study.rate(
            "alice",
            quality.pairs.first(),
            None,
            option=option(study, specificity, 1),
            cannot_judge="",
        )


@pytest.mark.both
def test_an_option_of_another_scale_is_refused_by_the_database(study, quality, specificity):
    pair = quality.pairs.first()
    study.rate("alice", pair, None, option=option(study, quality, 1), cannot_judge="")

    with pytest.raises(IntegrityError, match="option_fits"), transaction.atomic():
        pair.ratings.update(option=option(study, specificity, 1))


def test_adjudicators_decide_on_the_scale_of_the_topic(study, quality, specificity):
    finish(study, quality, alice=[0, 2, 1], bob=[1, 2, 1])
    pair = quality.pairs.disputed().get()

    with pytest.raises(Invalid, match="not part of the scheme"):
        decide(
            pair=pair,
            by=study.carol,
            option=option(study, specificity, 0),
            save_id=uuid.uuid4(),
            based_on=None,
        )
    decide(
        pair=pair,
        by=study.carol,
        option=option(study, quality, 1),
        save_id=uuid.uuid4(),
        based_on=None,
    )

    pair.refresh_from_db()
    assert (pair.gold_value, pair.gold_option.scale.facet) == (1, "quality")
    assert findings() == []


def test_the_distance_of_a_rule_is_that_of_the_scale(study, quality, specificity):
    Scheme.objects.update(rule="difference_of_at_least")
    Scale.objects.filter(facet="quality").update(distance=2)
    Scale.objects.filter(facet="specificity").update(distance=1)

    finish(study, quality, alice=[0, 0, 1], bob=[1, 2, 1])
    finish(study, specificity, alice=[0, 1, 1], bob=[1, 1, 1])

    assert [pair.state for pair in quality.pairs.all()] == ["agreed", "disputed", "agreed"]
    assert [pair.state for pair in specificity.pairs.all()] == ["disputed", "agreed", "agreed"]


def test_one_shared_scale_or_one_for_each_facet_never_both(study):
    with pytest.raises(IntegrityError, match="alone_or_of_a_facet"), transaction.atomic():
        Scale.objects.create(scheme=study.scheme, facet="", position=9)


def test_a_distance_is_set_on_every_scale_at_once(study):
    change_rules(
        scheme=study.scheme,
        by=study.lena,
        rule="difference_of_at_least",
        rule_distance="1",
        overlap=2,
    )

    scheme = Scheme.objects.get()
    assert [scale.distance for scale in scheme.all_scales] == [1, 1]
    assert findings() == []


def test_grades_without_an_order_take_no_rule_of_distances(study):
    Scale.objects.filter(facet="specificity").update(is_ordinal=False)

    with pytest.raises(Invalid, match="without an order"):
        change_rules(
            scheme=Scheme.objects.get(),
            by=study.lena,
            rule="difference_of_at_least",
            rule_distance="1",
            overlap=2,
        )
