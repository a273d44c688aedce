"""Statements whose SQL is built once, for what happens at every save.

Django builds the SQL of a query anew each time it is used, which is most of what a short query
costs. What is built here follows from the models and querysets as ever: a field that is added, or a
condition that changes, needs nothing more. On PostgreSQL each connection prepares a statement once,
since planning a short join takes longer than running it.
"""

import functools
import hashlib
import itertools
import re
import uuid
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models.query import get_related_populators

# Values that no row has: they show where in the statement the value of each use belongs.
MARKERS: dict[type, Callable[[int], Any]] = {
    int: lambda number: -(2**62) - number,
    str: lambda number: f"\x1f{number}",
    uuid.UUID: lambda number: uuid.UUID(int=2**127 + number),
}


class Select:
    """A queryset for which each use gives its own values.

    `build` makes the queryset from one argument for each of `types`, in their order. Rows are
    model instances, with what `select_related` and annotations add, or where the queryset has
    `values` or `values_list`, named tuples.
    """

    def __init__(self, build: Callable[..., models.QuerySet], *types: type) -> None:
        self._build = build
        self._markers = [MARKERS[kind](number) for number, kind in enumerate(types)]

    def rows(self, *values: Any) -> list[Any]:
        """The rows for these values, in the order of `types`."""
        sql, places, converters, as_row = self._built
        params = [param if place is None else _prepared(values[place]) for param, place in places]
        database = connections[DEFAULT_DB_ALIAS]  # `connection` looks this up at each use
        with database.cursor() as cursor:
            _execute(cursor, sql, params)
            rows = [list(row) for row in cursor.fetchall()]
        for cells in rows:
            for column, convert, expression in converters:
                cells[column] = convert(cells[column], expression, database)
        return [as_row(cells) for cells in rows]

    def first(self, *values: Any) -> Any:
        """The first row, or None."""
        return next(iter(self.rows(*values)), None)

    @functools.cached_property
    def _built(self) -> tuple[str, list[tuple[Any, int | None]], list[Any], Callable[[list], Any]]:
        query = self._build(*self._markers).query
        compiler = query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        markers = [_prepared(marker) for marker in self._markers]
        places: list[tuple[Any, int | None]] = [
            (None, markers.index(param)) if param in markers else (param, None) for param in params
        ]
        converters = [
            (column, convert, expression)
            for column, (functions, expression) in compiler.get_converters(
                [expression for expression, *_ in compiler.select]
            ).items()
            for convert in functions
        ]
        if query.selected is not None:
            row = namedtuple("Row", list(query.selected))  # type: ignore[misc]
            return sql, places, converters, lambda cells: row(*cells)
        return sql, places, converters, _instances(compiler)


def padded(values: Iterable[Any], count: int) -> list[Any]:
    """At least one value, and the last again until there are `count`: for "one of these"."""
    row = list(values)
    return row + row[-1:] * (count - len(row))


def _instances(compiler: Any) -> Callable[[list], Any]:
    """From the cells of a row to a model instance, as Django's own querysets make them."""
    select, info = compiler.select, compiler.klass_info
    first, last = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [expression.target.attname for expression, *_ in select[first:last]]
    populators = get_related_populators(info, select, connection.alias)  # type: ignore[call-arg]

    def as_instance(cells: list) -> Any:
        row = info["model"].from_db(connection.alias, names, cells[first:last])
        for populator in populators:
            populator.populate(cells, row)
        for name, column in compiler.annotation_col_map.items():
            setattr(row, name, cells[column])
        return row

    return as_instance


def _prepared(value: Any) -> Any:
    """A value as the database's driver takes it."""
    if isinstance(value, uuid.UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    return value


# By the driver's connection: the statements that it has prepared.
_prepared_by: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()


def _execute(cursor: Any, sql: str, params: Sequence[Any]) -> None:
    """Run a statement that is used again and again with other values."""
    if cursor.db.vendor == "postgresql":
        sql = _prepare(sql, len(params), cursor.db)
    cursor.execute(sql, params)


def _prepare(sql: str, count: int, database: Any) -> str:
    """The statement that runs this one with `count` values, prepared in this connection."""
    name, running = _naming(sql, count)
    names = _prepared_by.setdefault(database.connection, set())
    if name not in names:
        numbers = itertools.count(1)
        numbered = re.sub(
            "%[s%]", lambda mark: f"${next(numbers)}" if mark[0] == "%s" else "%", sql
        )
        with database.wrap_database_errors, database.connection.cursor() as cursor:
            cursor.execute(f"PREPARE {name} AS {numbered}")
        names.add(name)
    return running


@functools.cache
def _naming(sql: str, count: int) -> tuple[str, str]:
    name = f"kept_{hashlib.sha256(sql.encode()).hexdigest()[:16]}"
    values = f" ({', '.join(['%s'] * count)})" if count else ""
    return name, f"EXECUTE {name}{values}"


def insert(row: models.Model) -> None:
    """Insert one row, and give it its key.

    What the database fills in by itself (`db_default`) is left to it, and is not read back.
    """
    database = connections[DEFAULT_DB_ALIAS]
    sql, fields = _insertion(type(row), database.vendor)
    with database.cursor() as cursor:
        _execute(cursor, sql, _values(row, fields, database, add=True))
        row.pk = cursor.fetchone()[0]
    row._state.adding = False
    row._state.db = database.alias


def update(row: models.Model, names: Iterable[str]) -> None:
    """Write these fields of a row that is there."""
    database = connections[DEFAULT_DB_ALIAS]
    sql, fields = _updating(type(row), tuple(names), database.vendor)
    with database.cursor() as cursor:
        _execute(cursor, sql, [*_values(row, fields, database, add=False), row.pk])


@functools.cache
def _insertion(model: type[models.Model], vendor: str) -> tuple[str, list[models.Field]]:
    fields = [
        field
        for field in model._meta.concrete_fields
        if not field.primary_key and not field.has_db_default()
    ]
    columns = ", ".join(map(_column, fields))
    values = ", ".join("%s" for _ in fields)
    table, key = connection.ops.quote_name(model._meta.db_table), _column(model._meta.pk)
    return f"INSERT INTO {table} ({columns}) VALUES ({values}) RETURNING {key}", fields  # noqa: S608


@functools.cache
def _updating(
    model: type[models.Model], names: Sequence[str], vendor: str
) -> tuple[str, list[models.Field]]:
    by_name = {field.name: field for field in model._meta.concrete_fields}
    fields = [by_name[name] for name in names]
    columns = ", ".join(f"{_column(field)} = %s" for field in fields)
    table, key = connection.ops.quote_name(model._meta.db_table), _column(model._meta.pk)
    return f"UPDATE {table} SET {columns} WHERE {key} = %s", fields  # noqa: S608


def _column(field: Any) -> str:
    return connection.ops.quote_name(field.column)


def _values(
    row: models.Model, fields: Sequence[models.Field], database: Any, *, add: bool
) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, add), database) for field in fields]
