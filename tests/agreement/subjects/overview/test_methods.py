"""The methods paragraph claims no more about ratings than is known."""

from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django.asserts import assertContains

from adjudication.actions import decide
from agreement.study.selection import selection_of
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import overview_of
from annotation.assigning.actions.batches import make_batches, raise_overlap
from annotation.models import Batch
from datasets.models import Import
from tests.factories.studies import assign_all, make_member, make_study
from tests.shelf import shelved

pytestmark = pytest.mark.once

BLIND = "annotators see neither each other's ratings nor the sources of a paper"
IMPORTED = "how they were given is for the source of the import to say"


@shelved
def study(db):
    study = make_study(facets=("background", "method"), candidates=3)
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[0, 1, 2], bob=[0, 1, 1])
    return study


def as_if_imported(batches):
    [collection] = {batch.collection for batch in batches}
    imported = Import.objects.create(
        collection=collection,
        kind="csfcube",
        state=Import.State.ACTIVE,
        activated_at=timezone.now(),
    )
    Batch.objects.filter(pk__in=[batch.pk for batch in batches]).update(imported=imported)


def paragraph_of(study):
    selection = selection_of(study.members["lena"], study.lena, {})
    return methods_paragraph(selection, overview_of(selection))


def test_ratings_given_here_are_called_blind(study):
    text = paragraph_of(study)

    assert BLIND in text
    assert IMPORTED not in text


def test_of_imported_ratings_no_blindness_is_claimed(study):
    as_if_imported(study.collection.batches.all())

    text = paragraph_of(study)

    assert BLIND not in text
    assert "independently" not in text
    assert IMPORTED in text


def test_both_kinds_are_told_apart_with_their_counts(study):
    as_if_imported(study.collection.batches.all()[:1])

    text = paragraph_of(study)

    assert f"The ratings of 3 pairs were imported; {IMPORTED}" in text
    assert "Those of the other 3 pairs were given independently in Facetwise" in text
    assert BLIND in text


def test_those_who_decided_are_counted(study):
    dora = make_member(study.collection, "Dora", "adjudicator").user
    first, second = (batch.pairs.disputed().get() for batch in study.collection.batches.all())
    chose = "chose a value that no annotator had given for"
    consensus = paragraph_of(study)

    decide(pair=first, by=study.carol, save_id=uuid4(), option=study.option(1))
    by_one = paragraph_of(study)
    decide(pair=second, by=dora, save_id=uuid4(), option=study.option(1))
    by_two = paragraph_of(study)

    assert chose not in consensus
    assert f"The adjudicator {chose}" in by_one
    assert f"The 2 adjudicators {chose}" in by_two


def test_gold_that_nobody_decided_is_ascribed_to_the_rule(db):
    study = make_study(candidates=3)
    study.finish(alice=[0, 1, 2], bob=[0, 1, 2])

    assert "The rule chose a value that no annotator had given for 0.0%" in paragraph_of(study)


def test_one_rater_is_compared_with_nobody(client, db):
    study = make_study(candidates=3, assign=False, overlap=1)
    [batch] = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, [batch], ["alice"])
    study.finish(alice=[0, 1, 2])
    client.force_login(study.lena)

    page = client.get("/collections/study/agreement/")

    assert "of 1 query were each rated by one annotator." in paragraph_of(study)
    assertContains(page, "pairs of one rater;")
    assert page.context["report"].compared_in_words.startswith("Pairs of one rater. Before:")
    assertContains(page, "these figures say nothing of how two people agree")


def test_pairs_with_one_rater_beside_others_are_counted_apart(client, db):
    study = make_study(facets=("background", "method"), assign=False, overlap=1)
    single, double = make_batches(collection=study.collection, by=study.lena)
    raise_overlap(batch=double, overlap=2, by=study.lena, reason="To report agreement.")
    assign_all(study, [single], ["alice"])
    assign_all(study, [double], ["alice", "bob"])
    study.finish(single, alice=[0, 1, 2])
    study.finish(double, alice=[0, 1, 2], bob=[0, 1, 2])
    client.force_login(study.lena)
    note = "3 of 6 pairs have one rater, whose rating is compared with none before adjudication"

    page = client.get("/collections/study/agreement/")

    assert note in paragraph_of(study)
    assert note in page.context["report"].compared_in_words
    assertContains(page, note)
    assertContains(page, "n&nbsp;=&nbsp;2 after, 1 before")
