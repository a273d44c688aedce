"""Mappings: what is refused, that versions never change, and what they do to values."""

import uuid

import numpy as np
import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from pytest_django.asserts import assertContains

from annotation.models import Option
from audit.models import Event
from audit.refusals import Invalid
from config.integrity.texts import text_findings
from datasets.models import Collection
from evaluation.definitions.actions import add_mapping
from evaluation.definitions.reading import versions_of
from evaluation.models import MappingVersion
from evaluation.protocols import Missing
from evaluation.sources.choices import source_named
from evaluation.sources.grading import Grading
from evaluation.sources.reading import Judging
from tests.factories.definitions import add_binary, grades_of
from tests.factories.studies import make_study
from tests.shelf import shelved


@shelved
def study(db):
    """One topic: the first rated 2, 0, 3 and the second 2, 1, 1; two pairs are disputed."""
    study = make_study()
    study.finish(alice=[2, 0, 3], bob=[2, 1, 1])
    return study


def grades(study, source, **chosen):
    source = source_named(study.collection, source, **chosen)
    return Judging.of(study.collection).grades(source, Missing.LOWEST).tolist()


def test_a_mapping_that_lacks_an_option_is_refused(study):
    lacking = grades_of(study.collection.scheme, str)
    option = next(iter(lacking[""]))
    del lacking[""][option]

    with pytest.raises(Invalid, match=rf"lacks a grade for the option {option}\.$"):
        add_mapping(collection=study.collection, key="k", name="N", grades=lacking, by=None)
    assert not MappingVersion.objects.exists()


@pytest.mark.parametrize("grade", ["much", "NaN", "1000", "1e1000000", "0.0001", " "])
def test_a_grade_that_is_no_small_decimal_is_refused(study, grade):
    every = grades_of(study.collection.scheme, lambda value: grade)

    with pytest.raises(Invalid, match="grade"):
        add_mapping(collection=study.collection, key="k", name="N", grades=every, by=None)


def test_a_stranger_among_the_options_is_refused(study):
    every = grades_of(study.collection.scheme, str)
    every[""]["no-such"] = "1"

    with pytest.raises(Invalid, match="no option no-such"):
        add_mapping(collection=study.collection, key="k", name="N", grades=every, by=None)


def test_a_change_is_another_version_and_the_same_again_is_none(study):
    add_binary(study.collection, by=study.lena)
    add_binary(study.collection, by=study.lena)
    add_binary(study.collection, from_value=1, by=study.lena)

    rows = MappingVersion.objects.all()
    assert [row.address for row in rows] == ["binary.1", "binary.2"]
    events = Event.objects.filter(verb="add mapping")
    assert [event.after["version"] for event in events.order_by("pk")] == [1, 2]
    assert {(event.actor, event.collection) for event in events} == {
        (study.lena, study.collection.public_id)
    }
    assert versions_of(MappingVersion, make_study(slug="other").collection, "binary") == []
    assert versions_of(MappingVersion, study.collection, "binary") == list(rows)[::-1]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("?!", "A name has at least one letter or digit."),
        ("Binary!", "There is a mapping of this name. Change that one."),
    ],
)
def test_a_new_mapping_needs_a_name_of_its_own(study, client, name, sentence):
    add_binary(study.collection)
    client.force_login(study.lena)
    page = reverse("evaluation:mappings", args=[study.collection.slug])
    form = client.get(page).context["form"]

    refused = client.post(
        page, {field.html_name: field.initial for field in form if field.initial} | {"name": name}
    )

    assert refused.context["form"].errors == {"name": [sentence]}
    assert [row.address for row in MappingVersion.objects.all()] == ["binary.1"]


def test_no_version_can_be_changed_or_deleted(study):
    add_binary(study.collection)

    for change in (
        lambda: MappingVersion.objects.update(name="other"),
        lambda: MappingVersion.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()


def test_verifier_knows_whether_a_mapping_is_what_was_written(study):
    add_binary(study.collection)
    assert list(text_findings("default")) == []

    strange = uuid.uuid4()
    with connection.cursor() as cursor:
        fields = "public_id, collection_id, key, number, name, grades, content_sha256"
        cursor.execute(
            f"INSERT INTO evaluation_mappingversion ({fields}) SELECT %s, collection_id, key, 2,"  # noqa: S608
            " name, '{}', content_sha256 FROM evaluation_mappingversion",
            [strange.hex if connection.vendor == "sqlite" else str(strange)],
        )

    [finding] = text_findings("default")
    assert "is not what was written (key, name, grades)" in finding


def test_seats_are_read_by_the_mapping_before_they_are_combined(study):
    add_binary(study.collection)

    assert grades(study, "seat:1", mapping="binary") == [1, 0, 1]
    assert grades(study, "seat:2", mapping="binary") == [1, 0, 0]
    assert grades(study, "median", mapping="binary") == [1, 0, 0.5]
    assert grades(study, "highest", mapping="binary") == [1, 0, 1]
    assert grades(study, "median") == [2, 0.5, 2]


def test_gold_is_read_by_the_mapping_and_undecided_pairs_have_none(study):
    add_binary(study.collection)

    np.testing.assert_equal(grades(study, "gold", mapping="binary"), [1, np.nan, np.nan])


def test_an_earlier_version_can_still_be_named(study):
    add_binary(study.collection)
    add_binary(study.collection, from_value=1)

    assert grades(study, "seat:2", mapping="binary") == [1, 1, 1]
    assert grades(study, "seat:2", mapping="binary.1") == [1, 0, 0]
    with pytest.raises(ValueError, match=r"no mapping 'binary\.3'; it has binary\.2"):
        source_named(study.collection, "gold", mapping="binary.3")


def test_gold_of_options_that_share_a_value_is_unjudged_where_their_grades_differ(db):
    """Two raters chose options of one value: the rule agreed, the mapping does not."""
    study = make_study()
    scale = study.collection.scheme.all_scales[0]
    shared = [option for option in scale.option_list if option.value == 1]
    Option.objects.create(scale=scale, key="other", value=1, position=9)
    study.collection = Collection.objects.get(pk=study.collection.pk)
    assert len(shared) == 1
    grades_by_key = {
        "": {
            option.key: "5" if option.key == "other" else str(option.value)
            for option in study.collection.scheme.all_scales[0].option_list
        }
    }
    mapping = add_mapping(
        collection=study.collection, key="fine", name="Fine", grades=grades_by_key, by=None
    ).mapping

    grading = Grading.of(study.collection.scheme, mapping)

    np.testing.assert_equal(grading.values(np.array([0.0, 1.0, 2.0]), ""), [0, np.nan, 2])


def test_a_lead_makes_and_changes_a_mapping_in_the_browser(client, study):
    client.force_login(study.lena)
    page = reverse("evaluation:mappings", args=[study.collection.slug])
    fields = {name: "1" for name in client.get(page).context["form"].fields if name != "name"}

    made = client.post(page, fields | {"name": "All the same"})
    changed = client.post(
        made["Location"], fields | {"name": "All the same", next(iter(fields)): "0"}
    )
    again = client.post(page, fields | {"name": "All the same"})
    lacking = client.post(page, fields | {"name": "Other", next(iter(fields)): ""})

    assert changed["Location"] == made["Location"]
    assert [row.address for row in MappingVersion.objects.all()] == [
        "all-the-same.1",
        "all-the-same.2",
    ]
    assert (again.status_code, lacking.status_code) == (422, 422)
    error = f"id_{next(iter(fields))}_error"
    assertContains(lacking, f'<p class="error" id="{error}">The mapping lacks', status_code=422)
    # An id with a space would name two elements here.
    assert " " not in error
    assertContains(lacking, f'aria-describedby="{error}"', status_code=422)
