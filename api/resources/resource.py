"""One list that programs read: its readers, its rows and its columns."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from accounts.parameters import MOST_ALTERNATIVES, no_such_choice, one_of
from api.columns import Column, Convert, plain
from api.cursors import cursor_of, number_of
from api.viewer import Viewer, facet_in
from datasets.models import Role, Scope

Row = tuple[Any, ...]
Rows = QuerySet | Sequence[Any]


def pseudonym_of(viewer: Viewer) -> Convert:
    """A member's pseudonym from their database id."""
    return viewer.people.__getitem__


def is_none(viewer: Viewer) -> Convert:
    return lambda value: value is None


def _at(row: Any, path: str) -> Any:
    """What a path leads to from an object; None where it breaks off."""
    for name in path.split("__"):
        row = None if row is None else getattr(row, name)
    return row


# Fields that name something. Other words may come with a later row.
NAMES = {"external_id", "public_id", "tag"}


def _refuse_no_choice(viewer: Viewer, rows: QuerySet, name: str, path: str, value: str) -> None:
    """Refuse a value that no row can have: it is no choice of its field, or the collection has
    nothing of this name. What leads may filter by they may list, so this tells them nothing new."""
    *relations, key = path.split("__")
    model = rows.model
    for relation in relations:
        model = model._meta.get_field(relation).related_model
    if choices := model._meta.get_field(key).choices:
        one_of({name: value}, name, [word for word, _ in choices])
    if key not in NAMES:
        return
    named = model.objects.filter(collection=viewer.collection) if relations else rows
    try:
        if named.filter(**{key: value}).exists():
            return
    except ValidationError:  # no UUID
        pass
    words = named.order_by(key).values_list(key, flat=True).distinct()
    raise no_such_choice(name, value, map(str, words[: MOST_ALTERNATIVES + 1]))


@dataclass(frozen=True)
class Resource:
    """`rows` are those that the viewer may see: a queryset or a list of objects, whose columns are
    read by their paths, or tuples with a cell per column. `filters` lead from a parameter to a path
    of the queryset."""

    name: str
    about: str
    columns: tuple[Column, ...]
    rows: Callable[[Viewer], Rows]
    scope: Scope = Scope.READ
    roles: tuple[Role, ...] = (Role.LEAD,)
    filters: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> Column | None:
        """The column by which one row is asked for, where rows have public ids."""
        first = self.columns[0]
        return first if first.name == "id" else None

    def chunk(self, viewer: Viewer, after: int, size: int) -> tuple[list[Row], int | None]:
        """Up to `size` rows after a number, and the number to go on from; None at the end.

        Each chunk is a statement of its own: no reader, however slow, holds up who writes.
        """
        rows = self.rows(viewer)
        if not isinstance(rows, QuerySet):
            some = rows[after : after + size]
            more = after + size < len(rows)
            return self._cells_of(viewer, some), after + size if more else None
        numbered_rows = self._read(
            viewer, self.filtered(rows, viewer).filter(pk__gt=after), size + 1
        )
        numbers = [number for number, _ in numbered_rows]
        return [row for _, row in numbered_rows[:size]], numbers[size - 1] if len(
            numbered_rows
        ) > size else None

    def chunks(self, viewer: Viewer, size: int) -> Iterator[list[Row]]:
        after: int | None = 0
        while after is not None:
            rows, after = self.chunk(viewer, after, size)
            yield rows

    def row_of(self, viewer: Viewer, public_id: Any) -> Row | None:
        rows = self.rows(viewer)
        if not isinstance(rows, QuerySet):
            return next(
                (row for row in self._cells_of(viewer, rows) if row[0] == str(public_id)), None
            )
        path = self.columns[0].source
        numbered_rows = self._read(viewer, rows.filter(**{path: public_id}), 1)
        return numbered_rows[0][1] if numbered_rows else None

    def filtered(self, every_row: QuerySet, viewer: Viewer) -> QuerySet:
        rows = every_row
        for name, path in self.filters.items():
            value = facet_in(viewer) if name == "facet" else viewer.parameters.get(name)
            if value:
                _refuse_no_choice(viewer, every_row, name, path, value)
                rows = rows.filter(**{path: value})
        return rows

    def _cells_of(self, viewer: Viewer, rows: Sequence[Any]) -> list[Row]:
        conversions = [column.conversion(viewer, ()) for column in self.columns]
        return [
            tuple(map(plain, row))
            if isinstance(row, tuple)
            else tuple(
                make(_at(row, column.source))
                for column, make in zip(self.columns, conversions, strict=True)
            )
            for row in rows
        ]

    def _read(self, viewer: Viewer, rows: QuerySet, size: int) -> list[tuple[int, Row]]:
        paths = ["pk", *dict.fromkeys(column.source for column in self.columns)]
        paths = list(dict.fromkeys(paths))
        read_rows = list(rows.order_by("pk").values_list(*paths)[:size])
        numbers = [values[0] for values in read_rows]
        cells = [
            (paths.index(column.source), column.conversion(viewer, numbers))
            for column in self.columns
        ]
        return [
            (values[0], tuple(make(values[number]) for number, make in cells))
            for values in read_rows
        ]

    def page(
        self, viewer: Viewer, cursor: str, size: int
    ) -> tuple[list[dict[str, Any]], str | None]:
        """The rows of a page by column, and the cursor of the next."""
        after = number_of(cursor, self.name) if cursor else 0
        rows, following = self.chunk(viewer, after, size)
        names = [column.name for column in self.columns]
        records = [dict(zip(names, row, strict=True)) for row in rows]
        return records, None if following is None else cursor_of(following, self.name)
