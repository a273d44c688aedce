"""The differences between the grades of two exports: pure functions, without files or Django."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple


class Grade(NamedTuple):
    """A grade as its file writes it, without needless zeros, and the key of the option behind it;
    "" where the file tells none."""

    value: str
    option: str = ""


# {topic: {document: its grade}} of every judged pair.
Grades = Mapping[str, Mapping[str, Grade]]


class Kind(StrEnum):
    """How a judgment of one export stands to the other's."""

    CHANGED = "changed"  # another grade, or another option where both tell it
    NEW = "new"  # in the newer one alone
    GONE = "gone"  # in the older one alone


class Change(NamedTuple):
    kind: Kind
    topic: str
    document: str
    old: Grade | None
    new: Grade | None


@dataclass(frozen=True)
class Changes:
    """`rows` are the changes by topic and document. `crossed` counts, for each topic, the pairs of
    (older value, newer value), with "" where there is none; pairs that stayed are among them."""

    rows: tuple[Change, ...]
    crossed: Mapping[str, Counter[tuple[str, str]]]

    def count(self, kind: Kind) -> int:
        return self._by_kind[kind]

    @cached_property
    def _by_kind(self) -> Counter[Kind]:
        return Counter(row.kind for row in self.rows)

    @property
    def before(self) -> int:
        """The number of judgments of the older export."""
        return self._sum(0)

    @property
    def after(self) -> int:
        return self._sum(1)

    def _sum(self, side: int) -> int:
        return sum(
            number
            for counts in self.crossed.values()
            for values, number in counts.items()
            if values[side]
        )


def changes_between(older: Grades, newer: Grades) -> Changes:
    rows: list[Change] = []
    crossed: dict[str, Counter[tuple[str, str]]] = {}
    for topic in sorted(older.keys() | newer.keys()):
        before, after = older.get(topic, {}), newer.get(topic, {})
        counts = crossed[topic] = Counter[tuple[str, str]]()
        for document in sorted(before.keys() | after.keys()):
            old, new = before.get(document), after.get(document)
            counts[old.value if old else "", new.value if new else ""] += 1
            if kind := _kind(old, new):
                rows.append(Change(kind, topic, document, old, new))
    return Changes(tuple(rows), crossed)


def _kind(old: Grade | None, new: Grade | None) -> Kind | None:
    if old == new:
        return None
    if old is None:
        return Kind.NEW
    if new is None:
        return Kind.GONE
    is_same = old.value == new.value and "" in (old.option, new.option)
    return None if is_same else Kind.CHANGED
