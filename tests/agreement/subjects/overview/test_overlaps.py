"""Pairs with two raters and pairs with three are kept apart, and never pooled silently."""

import json
import re

import pytest
from django.http import QueryDict
from django.urls import reverse

from agreement.statistics import SummaryKind
from agreement.study.selection import selection_of
from agreement.subjects import registry
from agreement.subjects.overview.files import as_csv, as_json
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.overview.report import report_on
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from tests.factories.studies import make_document, make_member, make_study
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@shelved
def mixed():
    """Four pairs of a topic that two rated, and two more that three did."""
    study = make_study(candidates=4)
    study.finish(alice=[0, 1, 2, 3], bob=[0, 1, 2, 0])
    for number in range(2):
        document = make_document(study.collection, f"x{number}")
        study.topics[0].pairs.create(document=document, position=9 + number)
    [extra] = make_batches(collection=study.collection, by=study.lena)
    extra.overlap = 3
    extra.save()
    extra.seats.create(ordinal=3)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    for seat, name in zip(extra.seats.all(), ["alice", "bob", "erin"], strict=True):
        assign_seat(seat=seat, member=study.members[name], by=study.lena)
    study.finish(extra, alice=[0, 1], bob=[2, 1], erin=[2, 2])
    return study


def overview(study, query=""):
    return overview_of(selection_of(study.members["lena"], study.lena, QueryDict(query)))


def test_a_row_has_the_pairs_with_so_many_raters(mixed):
    report = report_on(mixed.collection, summary=SummaryKind.POOLED)

    two, three = report.whole.overlaps
    assert [
        (overlap.seats, overlap.before.pairs, overlap.before.topics) for overlap in (two, three)
    ] == [
        (2, 4, 1),
        (3, 2, 1),
    ]
    assert two.before.measures["percent"].figure.value == 75
    # First and second agree on one of two, first and third on none, second and third on one.
    assert three.before.measures["percent"].figure.value == pytest.approx(100 / 3)
    assert report.raters_in_words == "two to three"
    assert report.whole.compared == {(1, 2): 6, (1, 3): 2, (2, 3): 2}


def test_pairs_of_as_many_raters_need_no_such_rows(client):
    study = make_study(candidates=4)
    study.finish(alice=[0, 1, 2, 3], bob=[0, 1, 2, 0])

    report = report_on(study.collection)

    assert report.raters_in_words == "two"
    assert [overlap.seats for overlap in report.whole.overlaps] == [2]
    assert "raters" not in {table.key for table in tables_of(study)}
    client.force_login(study.lena)
    assert "By number of raters" not in client.get(address(study)).content.decode()


def tables_of(study):
    selection = selection_of(study.members["lena"], study.lena, QueryDict(""))
    return registry.tables_of(selection, "overview", {})


def address(study):
    return reverse("agreement:agreement", args=[study.collection.slug])


def test_every_output_says_how_many_rated_and_over_how_many_pairs(mixed, client):
    client.force_login(mixed.lena)

    page = re.sub(r"\s+", " ", client.get(address(mixed)).content.decode())
    tables = {table.key: table for table in tables_of(mixed)}
    content = as_json(report_on(mixed.collection))
    lines = as_csv(report_on(mixed.collection)).splitlines()

    assert "pairs of two to three raters" in page
    assert "By number of raters" in page
    assert "seats 1 and 2, 6; seats 1 and 3, 2; seats 2 and 3, 2." in page
    assert tables["several"].title == "Agreement of two to three raters before adjudication"
    assert "Pairs by their raters: 4 with two, 2 with three." in tables["several"].notes
    assert [row[0] for row in tables["raters"].rows] == ["two", "three"]
    assert (
        "(seats 1 and 2 over 6, 1 and 3 over 2, 2 and 3 over 2 pairs)" in tables["table"].notes[0]
    )
    assert content["raters"] == "two to three"
    assert [overlap["raters"] for overlap in content["all"]["by_raters"]] == [2, 3]
    assert content["several_raters"]["pairs_by_raters"] == {"2": 4, "3": 2}
    assert sum(",3,median,lowest," in line for line in lines) > 0
    json.dumps(content, allow_nan=False)


def test_methods_paragraph_says_how_many_pairs_each_number_rated(mixed):
    selection = selection_of(mixed.members["lena"], mixed.lena, QueryDict(""))

    text = methods_paragraph(selection, overview_of(selection))

    assert "by two to three of 3 annotators (4 pairs by two, 2 pairs by three)" in text
