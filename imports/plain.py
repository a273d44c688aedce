"""Inserting many narrow rows from plain tuples.

`bulk_create` makes an instance of each row and asks every field what to do with every value; of
three hundred thousand rows that was more than half of an import's work.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db import connection, models

# What databases take as it is.
PLAIN_FIELDS = {"CharField", "TextField", "BooleanField", "IntegerField", "PositiveIntegerField"}


class PlainInsert:
    """The INSERT of one model from tuples of `fields`, given by the names of their attributes.

    Every other field gets its default, as an unsaved instance has it, or the database's. Nothing
    is validated and nothing is returned; the database's own constraints hold.
    """

    def __init__(self, model: type[models.Model], fields: Sequence[str]):
        concrete = [field for field in model._meta.concrete_fields if not field.generated]
        by_name = {field.attname: field for field in concrete}
        given = [by_name[name] for name in fields]
        left = [
            field
            for field in concrete
            if field not in given and not field.primary_key and not field.has_db_default()
        ]
        made = [field for field in left if callable(field.default)]
        same = [field for field in left if field not in made]
        self.prepared = [_preparing(field) for field in given]
        self.defaults = [(field, field.get_default) for field in made]
        self.constants = tuple(
            field.get_db_prep_save(field.get_default(), connection) for field in same
        )
        quote = connection.ops.quote_name
        columns = ", ".join(quote(str(field.column)) for field in [*given, *made, *same])
        # Names of our own tables and columns; values go in as parameters.
        self.insert = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES "  # noqa: S608
        self.places = f"({', '.join(['%s'] * (len(given) + len(left)))})"

    def execute(self, rows: Iterable[Sequence[Any]]) -> None:
        """Insert the rows in the transaction of the caller."""
        values = [self._values(row) for row in rows]
        if not values:
            return
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.executemany(f"{self.insert}{self.places}", values)
            else:
                places = ", ".join([self.places] * len(values))
                cursor.execute(f"{self.insert}{places}", [cell for row in values for cell in row])

    def _values(self, row: Sequence[Any]) -> tuple[Any, ...]:
        return (
            *(
                value if prepare is None else prepare(value)
                for prepare, value in zip(self.prepared, row, strict=True)
            ),
            *(field.get_db_prep_save(default(), connection) for field, default in self.defaults),
            *self.constants,
        )


class PlainUpdate:
    """The UPDATE of these fields of one model by key, from tuples of values with the key last."""

    def __init__(self, model: type[models.Model], fields: Sequence[str]):
        by_name = {field.attname: field for field in model._meta.concrete_fields}
        given = [by_name[name] for name in fields]
        self.prepared = [_preparing(field) for field in given]
        quote = connection.ops.quote_name
        values = ", ".join(f"{quote(str(field.column))} = %s" for field in given)
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
    """How a value of the field gets ready for the database; None where it is already."""
    target = field.target_field if field.is_relation else field
    if field.is_relation or target.get_internal_type() in PLAIN_FIELDS:
        return None
    return lambda value: field.get_db_prep_save(value, connection)
