"""Columns of tables that programs read: a name, what it means, and where its cells come from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from api.viewer import Viewer

# From the database's value to the cell's.
Convert = Callable[[Any], Any]


class Kind(StrEnum):
    ID = "id"
    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    TIME = "time"
    DAY = "day"
    TEXTS = "texts"
    DATA = "data"  # JSON of any shape


@dataclass(frozen=True)
class Column:
    """`path` leads from a row to the cell in the database, the name itself where it is empty.

    `convert` makes, once for each part of the rows, what turns the database's value into the
    cell's. `lookup` makes it from the numbers of that part's rows, whose values it reads itself.
    """

    name: str
    about: str
    kind: Kind = Kind.TEXT
    path: str = ""
    convert: Callable[[Viewer], Convert] | None = None
    lookup: Callable[[Viewer, Sequence[int]], Convert] | None = None

    @property
    def source(self) -> str:
        return "pk" if self.lookup else self.path or self.name

    def conversion(self, viewer: Viewer, numbers: Sequence[int]) -> Convert:
        """The conversion of the cells of the rows with these numbers."""
        if self.lookup:
            return self.lookup(viewer, numbers)
        return self.convert(viewer) if self.convert else plain


def plain(value: Any) -> Any:
    """The value as JSON and Arrow have it; times stay times."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, UUID):
        return str(value)
    return value


def written(value: Any) -> str:
    """JSON for a value that `json.dumps` does not know."""
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value)


def identifier(about: str) -> Column:
    return Column("id", about, Kind.ID, "public_id")
