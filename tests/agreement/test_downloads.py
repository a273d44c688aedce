"""Every table of the agreement pages, and the picture drawn from it, as files."""

import csv
import io
import re

import pytest
from django.urls import reverse

from agreement.asking import asked_by
from agreement.sheets.registry import SHEETS
from tests.factories.studies import make_study, make_user

pytestmark = pytest.mark.django_db

FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "tex": "application/x-tex; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}


@pytest.fixture
def study():
    study = make_study(facets=("background", "method"), candidates=4)
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[0, 1, 2, 3], bob=[0, 1, 1, 1])
    return study


@pytest.fixture
def lena(client, study):
    client.force_login(study.lena)
    return client


def address(study, page, sheet, suffix, **query):
    return reverse(
        "agreement:sheet", args=[study.collection.slug, page, sheet, suffix], query=query
    )


def all_sheets(study):
    member = study.collection.memberships.get(name="Lena")
    asked = asked_by(member, study.lena, {})
    return [(page, sheet) for page, sheets in SHEETS.items() for sheet in sheets(asked, {})]


def test_every_sheet_of_every_page_comes_in_every_format(lena, study):
    for page, sheet in all_sheets(study):
        for suffix, content_type in FORMATS.items():
            response = lena.get(address(study, page, sheet.key, suffix))
            if sheet.picture is None and suffix in ("svg", "png"):
                assert response.status_code == 404
                continue
            assert response.status_code == 200, (page, sheet.key, suffix)
            assert response["Content-Type"] == content_type
            name = f"study-{page}-{sheet.key}.{suffix}"
            assert response["Content-Disposition"] == f'attachment; filename="{name}"'


def test_no_file_names_a_person(lena, study):
    for page, sheet in all_sheets(study):
        for suffix in ("csv", "json", "tex"):
            text = lena.get(address(study, page, sheet.key, suffix)).content.decode().lower()
            assert not {"alice", "bob", "lena", "carol"} & set(re.findall(r"\w+", text))


def test_every_sheet_is_linked_by_its_page(lena, study):
    for page, sheet in all_sheets(study):
        route = "agreement:agreement" if page == "overview" else f"agreement:{page}"
        shown = lena.get(reverse(route, args=[study.collection.slug])).content.decode()
        assert address(study, page, sheet.key, "csv") in shown
        assert (address(study, page, sheet.key, "svg") in shown) == (sheet.picture is not None)


def test_a_file_keeps_the_filters_of_its_page(lena, study):
    rows = csv.reader(
        io.StringIO(
            lena.get(
                address(study, "disagreements", "distances", "csv", facet="method")
            ).content.decode()
        )
    )
    page = lena.get(
        reverse("agreement:disagreements", args=["study"], query={"cannot-judge": "drop"})
    )

    assert next(rows)[0] == "facet"
    assert address(study, "disagreements", "distances", "csv") + "?cannot-judge=drop" in (
        page.content.decode()
    )


@pytest.mark.parametrize(
    ("page", "sheet", "suffix"),
    [
        ("disagreements", "no-such", "csv"),
        ("no-such", "distances", "csv"),
        ("disagreements", "distances", "pdf"),
    ],
)
def test_what_there_is_not_is_not_found(lena, study, page, sheet, suffix):
    assert lena.get(address(study, page, sheet, suffix)).status_code == 404


@pytest.mark.parametrize("role", ["alice", "carol"])
def test_annotators_and_adjudicators_are_refused(client, study, role):
    client.force_login(getattr(study, role))

    assert client.get(address(study, "disagreements", "distances", "csv")).status_code == 403


def test_strangers_find_nothing(client, study):
    client.force_login(make_user("Dave"))

    assert client.get(address(study, "disagreements", "distances", "csv")).status_code == 404
