"""The page of all endpoints, made from the schema, which programs read as JSON."""

import pytest

from api import page
from api.page import _fields, _operations, _parts, schema

pytestmark = pytest.mark.once

# Enough of a schema for one list and one write.
SCHEMAS = {
    "Row": {"properties": {"id": {"description": "Its `id`."}, "name": {}}},
    "Page": {"properties": {"results": {"items": {"$ref": "#/components/schemas/Row"}}}},
}


@pytest.fixture
def small(monkeypatch):
    made = {"components": {"schemas": SCHEMAS}, "paths": {}}
    monkeypatch.setattr(page, "schema", lambda: made)
    return made


def body(schema, kind="application/json"):
    return {"content": {kind: {"schema": schema}}}


def test_fields_of_a_row_are_its_names_and_their_meanings(small):
    row = {"$ref": "#/components/schemas/Row"}

    assert _fields(body(row)) == [("id", "Its id."), ("name", "")]
    assert _fields(body({"type": "array", "items": row})) == [("id", "Its id."), ("name", "")]


def test_fields_of_a_list_are_those_of_its_rows(small):
    assert _fields(body({"$ref": "#/components/schemas/Page"})) == [("id", "Its id."), ("name", "")]


def test_fields_of_files_are_those_of_the_form_that_they_come_in(small):
    form = {"properties": {"files": {"description": "The files."}}}

    assert _fields(body(form, "multipart/form-data")) == [("files", "The files.")]


@pytest.mark.parametrize("nothing", [None, {}, body({}), body({"type": "string"}, "text/csv")])
def test_what_holds_no_fields_has_none(small, nothing):
    assert _fields(nothing) == []


def test_an_operation_says_for_whom_it_is_and_what_stands_in_its_address(small):
    small["paths"]["/collections/{slug}/runs"] = {
        "get": {
            "summary": "The `runs`.",
            "description": "The `runs`.\n\nFor leads; scope `read`.",
            "parameters": [
                {"name": "slug", "in": "path"},
                {"name": "tag", "in": "query", "description": "Only `tag`."},
                {"name": "Idempotency-Key", "in": "header"},
            ],
            "responses": {"200": body({"$ref": "#/components/schemas/Row"}), "404": {}},
        }
    }

    [operation] = _operations()

    assert (operation["method"], operation["path"]) == ("GET", "/api/v1/collections/{slug}/runs")
    assert (operation["summary"], operation["who"]) == ("The runs.", "For leads; scope read.")
    assert operation["parameters_shown"] == [("tag", "Only tag.")]
    assert (operation["sent"], operation["fields"]) == ([], [("id", "Its id."), ("name", "")])


def test_every_operation_is_on_the_page_once_under_its_kind_of_thing():
    shown = [(o["method"], o["path"]) for part in _parts().values() for o in part]
    made = [
        (method.upper(), f"/api/v1{path}")
        for path, methods in schema()["paths"].items()
        for method in methods
    ]

    assert sorted(shown) == sorted(made)
    assert {"collections", "runs", "ratings", "adjudication", "own-seats"} <= _parts().keys()
    assert all("/runs" in operation["path"] for operation in _parts()["runs"])


def test_every_operation_says_who_may_call_it():
    assert all(
        operation["who"].startswith("For ") and "scope " in operation["who"]
        for part in _parts().values()
        for operation in part
    )
