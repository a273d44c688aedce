"""A list that programs read: its pages, its cells, and one row by its id."""

import uuid
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.core.exceptions import BadRequest

from annotation.schemes.actions import load_definition
from api.columns import Column, Kind, identifier
from api.resources.resource import Resource, Viewer, facet_in
from tests.factories.studies import make_collection, make_study

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


@pytest.mark.django_db
@pytest.mark.once
def test_a_facet_is_one_of_the_scheme_of_the_collection():
    """Not one that another collection has."""
    study = make_study(assign=False)
    make_collection("other", load_definition("litsearch"))

    def chosen(**parameters):
        return facet_in(Viewer(study.members["lena"], study.lena, parameters))

    assert (chosen(), chosen(facet=""), chosen(facet="all")) == ("", "", "")
    assert chosen(facet="method") == "method"
    for facet in ("quality", "x"):
        words = f"facet is '{facet}'; expected one of all, background, method, result"
        with pytest.raises(BadRequest, match=words):
            chosen(facet=facet)
