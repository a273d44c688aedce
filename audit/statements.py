"""Statements whose SQL is built once, for what happens at every save.

Django builds the SQL of a query anew each time it is used, which is most of what a short query
costs. What is built here follows from the models and querysets as ever: a field that is added, or a
condition that changes, needs nothing more. On PostgreSQL each connection prepares and plans a
statement once, since planning a short join takes longer than running it.
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


Build = Callable[..., models.QuerySet]
Places = list[tuple[Any, int | None]]
Statement = tuple[str, Sequence[Any]]


class Select:
    """A queryset for which each use gives its own values.

    `build` makes the queryset from one argument for each of `types`, in their order. Rows are
    model instances, with what `select_related` and annotations add, or where the queryset has
    `values` or `values_list`, named tuples.

    `locks` are querysets of the same arguments that lock rows, one after the other, before the rows
    are read. They are sent together. Each is a statement of its own all the same, and PostgreSQL
    lets each see what was committed when it begins: so what is read is as it is under the locks.
    SQLite locks no rows and gets none of them: its transactions that write follow each other.
    """

    def __init__(self, build: Build, *types: type, locks: Sequence[Build] = ()) -> None:
        self._build, self._locks = build, locks
        self._markers = [MARKERS[kind](number) for number, kind in enumerate(types)]

    def rows(self, *values: Any) -> list[Any]:
        """The rows for these values, in the order of `types`."""
        statements, converters, as_row = self._built
        database = _database()
        with database.cursor() as cursor:
            _execute(
                cursor,
                *(
                    (
                        sql,
                        [
                            param if at is None else _prepared(values[at], database)
                            for param, at in places
                        ],
                    )
                    for sql, places in statements
                ),
            )
            rows = [list(row) for row in cursor.fetchall()]
        for cells in rows:
            for column, convert, expression in converters:
                cells[column] = convert(cells[column], expression, database)
        return [as_row(cells) for cells in rows]

    def first(self, *values: Any) -> Any:
        """The first row, or None."""
        return next(iter(self.rows(*values)), None)

    @functools.cached_property
    def _built(self) -> tuple[list[tuple[str, Places]], list[Any], Callable[[list], Any]]:
        query = self._build(*self._markers).query
        compiler = query.get_compiler(connection=connection)
        locks = self._locks if connection.features.has_select_for_update else ()
        statements = [
            self._placed(*compiler.as_sql())
            for compiler in [
                *(lock(*self._markers).query.get_compiler(connection=connection) for lock in locks),
                compiler,
            ]
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
            return statements, converters, lambda cells: row(*cells)
        return statements, converters, _instances(compiler)

    def _placed(self, sql: str, params: Iterable[Any]) -> tuple[str, Places]:
        """A statement, and for each parameter its value, or the place of the one to be given."""
        markers = [_prepared(marker, connection) for marker in self._markers]
        return sql, [
            (None, markers.index(param)) if param in markers else (param, None) for param in params
        ]


def padded(values: Iterable[Any], count: int) -> list[Any]:
    """At least one value, and the last again until there are `count`: for "one of these"."""
    row = list(values)
    return row + row[-1:] * (count - len(row))


def _instances(compiler: Any) -> Callable[[list], Any]:
    """From the cells of a row to a model instance, as Django's own querysets make them."""
    select, info = compiler.select, compiler.klass_info
    first, last = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [expression.target.attname for expression, *_ in select[first:last]]
    populators = get_related_populators(info, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]

    def as_instance(cells: list) -> Any:
        row = info["model"].from_db(DEFAULT_DB_ALIAS, names, cells[first:last])
        for populator in populators:
            populator.populate(cells, row)
        for name, column in compiler.annotation_col_map.items():
            setattr(row, name, cells[column])
        return row

    return as_instance


def _database() -> Any:
    """The connection of this thread, which `connection` would look up at each use again."""
    return connections[DEFAULT_DB_ALIAS]


def _prepared(value: Any, database: Any) -> Any:
    """A value as the database's driver takes it."""
    if isinstance(value, uuid.UUID) and not database.features.has_native_uuid_field:
        return value.hex
    return value


# By the driver's connection: the statements that it has prepared.
_prepared_by: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()


def _execute(cursor: Any, *statements: Statement) -> None:
    """Run statements that are used again and again with other values. PostgreSQL gets them
    together; what the last of them returns can be fetched."""
    if cursor.db.vendor == "postgresql":
        sql = "; ".join(_prepare(sql, len(params), cursor.db) for sql, params in statements)
        cursor.execute(sql, [param for _, params in statements for param in params])
        return
    for sql, params in statements:
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


def insert(row: models.Model, *, after: Iterable[Statement] = ()) -> None:
    """Insert one row, and give it its key. The statements in `after` run before it.

    What the database fills in by itself (`db_default`) is left to it, and is not read back.
    """
    database = _database()
    with database.cursor() as cursor:
        _execute(cursor, *after, insertion(row))
        row.pk = cursor.fetchone()[0]
    row._state.adding = False
    row._state.db = database.alias


def insert_with(row: models.Model, name: str, *, after: Iterable[Statement] = ()) -> None:
    """Insert a row and, before it, the new one to which its field `name` refers, as `insert` does.

    PostgreSQL gets both in one statement, in which the one takes the key of the other.
    """
    database = _database()
    referred: models.Model = getattr(row, name)
    reference = row._meta.get_field(name).attname  # type: ignore[union-attr]
    if database.vendor != "postgresql":
        insert(referred, after=after)
        setattr(row, reference, referred.pk)
        insert(row)
        return
    sql, fields = _insertion_with(type(row), name)
    values = [
        *_values(referred, _insertion(type(referred))[1], database, add=True),
        *_values(row, fields, database, add=True),
    ]
    with database.cursor() as cursor:
        _execute(cursor, *after, (sql, values))
        row.pk, referred.pk = cursor.fetchone()
    setattr(row, reference, referred.pk)
    for inserted in (row, referred):
        inserted._state.adding = False
        inserted._state.db = database.alias


def insertion(row: models.Model) -> Statement:
    """The statement that inserts a row, to be sent along with another."""
    database = _database()
    sql, fields = _insertion(type(row))
    return sql, _values(row, fields, database, add=True)


def change(row: models.Model, names: Iterable[str]) -> Statement:
    """The statement that writes these fields of a row that is there, to be sent along."""
    database = _database()
    sql, fields = _updating(type(row), tuple(names))
    return sql, [*_values(row, fields, database, add=False), row.pk]


@functools.cache
def _insertion(model: type[models.Model]) -> tuple[str, list[models.Field]]:
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
def _insertion_with(model: type[models.Model], name: str) -> tuple[str, list[models.Field]]:
    """PostgreSQL's statement that inserts a row and the one it refers to, and the fields of the
    row itself whose values it takes, after those of the other."""
    referring = model._meta.get_field(name)
    first, _ = _insertion(referring.related_model)
    _, fields = _insertion(model)
    columns = ", ".join(map(_column, fields))
    values = ", ".join(
        "(SELECT * FROM referred)" if field is referring else "%s" for field in fields
    )
    table, key = connection.ops.quote_name(model._meta.db_table), _column(model._meta.pk)
    sql = (
        f"WITH referred AS ({first}) "  # noqa: S608
        f"INSERT INTO {table} ({columns}) VALUES ({values}) RETURNING {key}, {_column(referring)}"
    )
    return sql, [field for field in fields if field is not referring]


@functools.cache
def _updating(model: type[models.Model], names: Sequence[str]) -> tuple[str, list[models.Field]]:
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
