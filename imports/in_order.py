"""Rows of a collection that stand in an order: queries and topics."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from django.db.models import QuerySet

from datasets.models import Query, Topic
from datasets.positions import next_position
from imports.life import Writer

M = TypeVar("M", Query, Topic)


def insert_in_order(
    model: type[M],
    values: Iterable[Mapping[str, Any]],
    writer: Writer,
    progress: Callable[[int], None] | None = None,
) -> QuerySet[M]:
    """Insert rows with these fields after those of the collection; returns all rows it then has."""
    imported = writer.imported
    rows = model.including_inactive.filter(collection=imported.collection)
    writer.insert(
        model,
        (
            model(imported=imported, collection=imported.collection, position=position, **fields)
            for position, fields in enumerate(values, start=next_position(rows))
        ),
        progress=progress,
    )
    return rows
