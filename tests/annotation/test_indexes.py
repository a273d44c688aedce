"""What a save writes into indexes. A test, since each costs every save a page on SQLite."""

import pytest
from django.db import connection

from annotation.models import Pair, Rating, RatingRevision
from audit.models import Event

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.mark.parametrize("model", [Pair, Rating, RatingRevision, Event])
def test_no_index_of_a_table_that_saves_write_is_the_beginning_of_another(model):
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, model._meta.db_table)
    # One with a condition is of few rows, which another would not find.
    partial = {index.name for index in model._meta.indexes if index.condition}
    indexes = {
        name: tuple(constraint["columns"])
        for name, constraint in constraints.items()
        if (constraint["index"] or constraint["unique"]) and name not in partial
    }

    idle = [
        name
        for name, columns in indexes.items()
        for longer in indexes.values()
        if len(longer) > len(columns) and longer[: len(columns)] == columns
    ]
    assert idle == []
