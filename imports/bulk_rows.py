"""Inserting many narrow rows from plain tuples.

`bulk_create` makes an instance of each row and asks every field what to do with every value. With
three hundred thousand rows that was more than half of an import's work.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from operator import attrgetter
from typing import Any

from django.db import connection, models

from audit.hashes import ContentHash

# Types that databases take as they are.
PLAIN_FIELDS = {"CharField", "TextField", "BooleanField", "IntegerField", "PositiveIntegerField"}


class PlainInsert:
    """The INSERT of one model from tuples of `fields`, given by the names of their attributes.

    Content hashes are computed where the texts are given. Every other field gets its default, as
    an unsaved instance has it, or the database's. Nothing is validated and nothing is returned;
    the database's own constraints hold.
    """

    def __init__(self, model: type[models.Model], fields: Sequence[str]):
        concrete = [field for field in model._meta.concrete_fields if not field.generated]
        by_name = {field.attname: field for field in concrete}
        named_fields = [by_name[name] for name in fields]
        other_fields = [
            field
            for field in concrete
            if field not in named_fields and not field.primary_key and not field.has_db_default()
        ]
        hashes = [
            field
            for field in other_fields
            if isinstance(field, ContentHash) and set(field.of) <= set(fields)
        ]
        row_defaults = [
            field for field in other_fields if field not in hashes and _differs_by_row(field)
        ]
        constants = [
            field for field in other_fields if field not in hashes and field not in row_defaults
        ]
        self.prepared = [_preparing(field) for field in named_fields]
        self.hashes = [
            (field.hash_of, [fields.index(name) for name in field.of]) for field in hashes
        ]
        self.defaults = [(field.get_default, _preparing(field)) for field in row_defaults]
        self.constants = [
            field.get_db_prep_save(_default_of(field), connection) for field in constants
        ]
        quote = connection.ops.quote_name
        columns = ", ".join(
            quote(str(field.column))
            for field in [*named_fields, *hashes, *row_defaults, *constants]
        )
        # Names of our own tables and columns; values go in as parameters.
        self.insert = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES "  # noqa: S608
        self.places = f"({', '.join(['%s'] * (len(named_fields) + len(other_fields)))})"

    def execute(self, rows: Iterable[Sequence[Any]]) -> None:
        """Insert the rows in the transaction of the caller."""
        self.write(self.ready(rows))

    def ready(self, rows: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
        """The rows as the database takes them, made before a transaction keeps others waiting.

        They are made column by column, which is quick for many.
        """
        columns = list(zip(*rows, strict=True))
        if not columns:
            return []
        count = len(columns[0])
        cells: list[Iterable[Any]] = [
            _prepared(prepare, column)
            for prepare, column in zip(self.prepared, columns, strict=True)
        ]
        cells += [map(hash_of, *(columns[at] for at in places)) for hash_of, places in self.hashes]
        cells += [
            _prepared(prepare, [default() for _ in range(count)])
            for default, prepare in self.defaults
        ]
        cells += [repeat(value, count) for value in self.constants]
        return list(zip(*cells, strict=True))

    def write(self, values: Sequence[tuple[Any, ...]]) -> None:
        """Insert what `ready` gave in the transaction of the caller."""
        if not values:
            return
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.executemany(f"{self.insert}{self.places}", values)
            else:
                places = ", ".join([self.places] * len(values))
                cursor.execute(f"{self.insert}{places}", list(chain.from_iterable(values)))


class PlainUpdate:
    """The UPDATE of these fields of one model by key, from tuples of values with the key last."""

    def __init__(self, model: type[models.Model], fields: Sequence[str]):
        by_name = {field.attname: field for field in model._meta.concrete_fields}
        named_fields = [by_name[name] for name in fields]
        self.prepared = [_preparing(field) for field in named_fields]
        quote = connection.ops.quote_name
        values = ", ".join(f"{quote(str(field.column))} = %s" for field in named_fields)
        key, table = quote(str(model._meta.pk.column)), quote(model._meta.db_table)
        self.update = f"UPDATE {table} SET {values} WHERE {key} = %s"  # noqa: S608

    def execute(self, rows: Iterable[Sequence[Any]]) -> None:
        """Update the rows in the transaction of the caller."""
        values = [
            (
                *(
                    value if prepare is None else prepare(value)
                    for prepare, value in zip(self.prepared, row[:-1], strict=True)
                ),
                row[-1],
            )
            for row in rows
        ]
        if values:
            with connection.cursor() as cursor:
                cursor.executemany(self.update, values)


def _preparing(field: Any) -> Callable[[Any], Any] | None:
    """The function that prepares a value of the field for the database; None where nothing is
    needed."""
    target = field.target_field if field.is_relation else field
    kind = target.get_internal_type()
    if field.is_relation or kind in PLAIN_FIELDS:
        return None
    # The fields' own ways ask much about each value; these two kinds are in every row.
    if kind == "JSONField":
        adapt, encoder = connection.ops.adapt_json_value, field.encoder
        return lambda value: None if value is None else adapt(value, encoder)
    if kind == "UUIDField":
        return None if connection.features.has_native_uuid_field else attrgetter("hex")
    return lambda value: None if value is None else field.get_db_prep_save(value, connection)


def _prepared(prepare: Callable[[Any], Any] | None, column: Iterable[Any]) -> Iterable[Any]:
    return column if prepare is None else map(prepare, column)


def _differs_by_row(field: Any) -> bool:
    return field.has_default() and callable(field.default) and field.default not in (dict, list)


def _default_of(field: Any) -> Any:
    """The default that all rows share. A choice is its plain text, which SQLite takes at once."""
    default = field.get_default()
    return default.value if isinstance(default, models.Choices) else default
