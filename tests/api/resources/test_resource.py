"""A list that programs read: its pages, its cells, and one row by its id."""

import uuid
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.core.exceptions import BadRequest

from annotation.schemes.actions import load_definition
from api.columns import Column, Kind, identifier
from api.resources.data import DOCUMENTS
from api.resources.judged import PAIRS
from api.resources.resource import Resource
from api.viewer import Viewer, facet_in
from datasets.models import Collection
from tests.factories.studies import (
    make_aspect_study,
    make_collection,
    make_member,
    make_study,
    make_topic,
)
from tests.shelf import shelved

NOBODY = SimpleNamespace(parameters={})
FIRST, SECOND = uuid.UUID(int=1), uuid.UUID(int=2)


def numbers(count):
    """A list of so many rows, each a number."""
    columns = (Column("number", "A number.", Kind.INTEGER),)
    return Resource("numbers", "Numbers.", columns, lambda viewer: [(n,) for n in range(count)])


def pages_of(resource, size):
    pages, cursor = [], ""
    while cursor is not None:
        rows, cursor = resource.page(NOBODY, cursor, size)
        pages.append([row["number"] for row in rows])
    return pages


@pytest.mark.parametrize(
    ("count", "pages"),
    [
        (0, [[]]),
        (1, [[0]]),
        (2, [[0, 1]]),
        (3, [[0, 1], [2]]),
        (4, [[0, 1], [2, 3]]),
        (5, [[0, 1], [2, 3], [4]]),
    ],
)
def test_pages_hold_each_row_once_and_the_last_one_says_that_it_is(count, pages):
    assert pages_of(numbers(count), 2) == pages


def test_a_file_of_no_rows_is_one_part_without_rows():
    """The first part is read before an answer begins, so there has to be one."""
    assert list(numbers(0).chunks(NOBODY, 2)) == [[]]
    assert list(numbers(3).chunks(NOBODY, 2)) == [[(0,), (1,)], [(2,)]]


def test_a_cursor_beyond_the_last_row_has_no_rows():
    rows, _ = numbers(5).page(NOBODY, "", 5)
    assert rows
    *_, cursor = numbers(6).page(NOBODY, "", 5)

    assert numbers(2).page(NOBODY, cursor, 5) == ([], None)


def test_cells_of_tuples_are_what_json_has():
    columns = tuple(Column(name, "") for name in ("id", "value", "note"))
    rows = [(FIRST, Decimal("1.50"), None)]
    resource = Resource("rows", "", columns, lambda viewer: rows)

    assert resource.page(NOBODY, "", 9)[0] == [{"id": str(FIRST), "value": 1.5, "note": None}]


def seat(public_id, holder):
    return SimpleNamespace(public_id=public_id, holder=holder)


SEATS = Resource(
    "seats",
    "",
    (
        identifier("Its id."),
        Column("holder", "Who holds it.", path="holder__name"),
        Column("is_free", "", Kind.FLAG, "holder", lambda viewer: lambda holder: holder is None),
    ),
    lambda viewer: [seat(FIRST, SimpleNamespace(name="Alice")), seat(SECOND, None)],
)


def test_cells_of_objects_are_read_by_their_paths_and_a_broken_path_is_no_value():
    rows, _ = SEATS.page(NOBODY, "", 9)

    assert rows == [
        {"id": str(FIRST), "holder": "Alice", "is_free": False},
        {"id": str(SECOND), "holder": None, "is_free": True},
    ]


@pytest.mark.parametrize("public_id", [SECOND, str(SECOND)])
def test_one_row_is_found_by_its_public_id(public_id):
    assert SEATS.row_of(NOBODY, public_id) == (str(SECOND), None, True)


def test_a_row_that_is_not_there_is_none():
    assert SEATS.row_of(NOBODY, uuid.UUID(int=3)) is None


def test_rows_are_asked_for_singly_where_their_first_column_is_an_id():
    assert SEATS.key.name == "id"
    assert numbers(1).key is None


# Of a study, on its database


@shelved
def lena(study):
    """A lead who looks, `lena(topic="q1")`: with these parameters."""
    # Of the same names as the study has, and others.
    make_study(slug="other", assign=False)
    make_collection("third", load_definition("litsearch"))
    return lambda **parameters: Viewer(study.members["lena"], study.lena, parameters)


def documents(resource, viewer, cursor="", size=100):
    rows, following = resource.page(viewer, cursor, size)
    return [row["document"] for row in rows], following


@pytest.mark.once
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_pages_of_stored_rows_hold_each_once(lena, size):
    pages, cursor = [], ""
    while cursor is not None:
        page, cursor = documents(DOCUMENTS, lena(), cursor, size)
        pages.append(page)

    assert [name for page in pages for name in page] == ["q1", "q1c1", "q1c2", "q1c3"]
    assert [len(page) for page in pages[:-1]] == [size] * (len(pages) - 1)
    assert 1 <= len(pages[-1]) <= size


@pytest.mark.once
def test_a_stored_row_is_found_by_its_id_in_its_own_collection_alone(study, lena):
    first, second = study.batch.pairs.order_by("pk")[:2]
    elsewhere = Collection.objects.get(slug="other").topics.get().pairs.first()

    assert PAIRS.row_of(lena(), first.public_id)[0] == str(first.public_id)
    assert PAIRS.row_of(lena(), second.public_id)[0] == str(second.public_id)
    assert PAIRS.row_of(lena(), elsewhere.public_id) is None


@pytest.mark.once
@pytest.mark.parametrize(
    ("parameters", "shown"),
    [
        ({}, ["q1c1", "q1c2", "q1c3"]),
        ({"document": ""}, ["q1c1", "q1c2", "q1c3"]),
        ({"document": "q1c2"}, ["q1c2"]),
        ({"document": "q1c2", "topic": "q1_method"}, ["q1c2"]),
        ({"document": "q1"}, []),
        ({"state": "open"}, ["q1c1", "q1c2", "q1c3"]),
        ({"state": "disputed"}, []),
        ({"facet": "method"}, ["q1c1", "q1c2", "q1c3"]),
        ({"facet": "result"}, []),
        ({"facet": "all", "document": "q1c3"}, ["q1c3"]),
    ],
)
def test_filters_narrow_a_list_together(lena, parameters, shown):
    assert documents(PAIRS, lena(**parameters))[0] == shown


@pytest.mark.once
def test_a_name_of_another_collection_is_as_one_that_there_is_not(study, lena):
    make_topic(Collection.objects.get(slug="other"), query_id="q2")

    with pytest.raises(BadRequest, match=r"^document is 'q2c1'; expected one of q1, q1c1, q1c2, q"):
        PAIRS.page(lena(document="q2c1"), "", 9)
    with pytest.raises(BadRequest, match=r"^facet is 'quality'; expected one of all, background, "):
        PAIRS.page(lena(facet="quality"), "", 9)


@pytest.mark.once
def test_a_refusal_names_nothing_of_another_collection(study, lena):
    elsewhere = make_member(Collection.objects.get(slug="third"), "Tom", "lead")

    with pytest.raises(BadRequest, match=r"^document is 'q1c1', but there is none yet\.$"):
        DOCUMENTS.page(Viewer(elsewhere, elsewhere.user, {"document": "q1c1"}), "", 9)


@pytest.mark.once
def test_a_topic_that_stands_twice_in_a_query_names_it_once(db):
    study = make_aspect_study()
    viewer = Viewer(study.members["lena"], study.lena)
    query = study.collection.queries.get()
    assert query.places.count() > len(viewer.queries)

    assert {tuple(queries) for queries in viewer.queries.values()} == {(query.external_id,)}


@pytest.mark.once
def test_facets_are_those_of_the_scheme_of_the_collection(lena):
    assert [facet_in(lena(**p)) for p in ({}, {"facet": ""}, {"facet": "all"})] == ["", "", ""]
    assert facet_in(lena(facet="method")) == "method"
