"""Two exports of a collection beside each other: what changed, and what is known of each change.

The changes of two exports never change, so they are kept in memory until others need the room.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from accounts.models import User
from accounts.parameters import one_of
from agreement.study.filters import ALL, Channel
from annotation.models import Pair
from annotation.reading.formulas import plain_formulas
from audit.shelf import Shelf
from datasets.models import Collection, Document, Topic
from formats.grouping import in_chunks
from releases.access import withheld_batches
from releases.erratum.changes import Change, Changes, changes_between
from releases.erratum.grades import grades_of
from releases.erratum.reading import TOPICS, Exported, NotComparable
from releases.erratum.reasons import Reason, Reasons, last_event
from releases.models import Export

# In all comparisons that a process keeps; one takes some 150 bytes.
MOST_CHANGES = 200_000
_shelf = Shelf(MOST_CHANGES)
# Pairs that one statement looks up.
AT_ONCE = 1_000


class Known(NamedTuple):
    """A change with what is known beside its grades: the reason, and the pair with the document's
    title; the pair is None where grades are of whole queries."""

    change: Change
    reason: Reason
    pair: UUID | None
    title: str


@dataclass(frozen=True, eq=False)
class Erratum:
    """The changes from an export to a later one. `reasons` is None where the trail has nothing to
    tell: of values other than gold, of gold by different mappings, and of folders."""

    collection: Collection
    older: Exported
    newer: Exported
    reasons: Reasons | None = None
    changes: Changes = field(init=False)

    def __post_init__(self) -> None:
        if self.older.unit != self.newer.unit:
            raise NotComparable(
                f"{self.older.name} grades {self.older.unit}, and {_inside(self.newer.name)} "
                f"grades {self.newer.unit}. Choose two with grades of the same."
            )
        if self.older.has_averages != self.newer.has_averages:
            averages, others = sorted(
                (self.older, self.newer), key=lambda exported: not exported.has_averages
            )
            raise NotComparable(
                f"{averages.name} grades {averages.unit} by averages over their aspects, and "
                f"{_inside(others.name)} by sums. Choose two of one format."
            )
        changes = changes_between(grades_of(self.older), grades_of(self.newer))
        object.__setattr__(self, "changes", changes)

    @cached_property
    def facet_of(self) -> dict[str, str]:
        """{topic: its facet}; of whole queries nothing."""
        if self.older.unit != TOPICS:
            return {}
        topics = Topic.objects.filter(collection=self.collection)
        return dict(topics.values_list("external_id", "facet"))

    def chosen(
        self, *, kind: str = "", topic: str = "", facet: str | None = None
    ) -> Sequence[Change]:
        """The changes of a kind, a topic or a facet alone; BadRequest for a facet that the scheme
        lacks, or a topic that there is not."""
        if topic:
            one_of({"topic": topic}, "topic", [*self.changes.crossed, *self.facet_of])
        if facet is not None:
            facets = self.collection.scheme.facets.values_list("key", flat=True)
            one_of({"facet": facet}, "facet", ["", ALL, *facets])
        return [
            row
            for row in self.changes.rows
            if (not kind or row.kind == kind)
            and (not topic or row.topic == topic)
            and (facet in (None, ALL) or self.facet_of.get(row.topic, "") == facet)
        ]

    def known(self, rows: Sequence[Change]) -> Iterator[Known]:
        """The changes with what is known of them, looked up in parts."""
        for chunk in in_chunks(rows, AT_ONCE):
            yield from self._looked_up(chunk)

    def _looked_up(self, rows: Sequence[Change]) -> Iterator[Known]:
        names = {row.document for row in rows}
        documents = Document.objects.filter(collection=self.collection, external_id__in=names)
        titles = {
            name: plain_formulas(title)
            for name, title in documents.values_list("external_id", "title")
        }
        pairs = self._pairs(rows, names)
        for row in rows:
            public_id, batch = pairs.get((row.topic, row.document), (None, None))
            reason = Reason()
            if self.reasons and public_id:
                reason = self.reasons.of(row, str(public_id), batch)
            yield Known(row, reason, public_id, titles.get(row.document, ""))

    def _pairs(
        self, rows: Sequence[Change], documents: set[str]
    ) -> dict[tuple[str, str], tuple[UUID, int | None]]:
        """{(topic, document): (the pair's public id, its batch)}"""
        if self.older.unit != TOPICS:
            return {}
        pairs = Pair.objects.filter(
            topic__collection=self.collection,
            topic__external_id__in={row.topic for row in rows},
            document__external_id__in=documents,
        )
        names = ("topic__external_id", "document__external_id", "public_id", "batch")
        return {
            (topic, document): (public_id, batch)
            for topic, document, public_id, batch in pairs.values_list(*names)
        }


def in_order(first: Export, second: Export) -> tuple[Export, Export]:
    """Two exports, the older one first."""
    return (first, second) if first.pk <= second.pk else (second, first)


def ids_of(older: Export, newer: Export) -> dict[str, object]:
    """The names of the two for programs."""
    return {"older": str(older.public_id), "newer": str(newer.public_id)}


def erratum_of(older: Export, newer: Export, *, viewer: User | None = None) -> Erratum:
    """What changed between two exports that the viewer may see; None is the server's own shell.

    Raises NotComparable with a sentence.
    """
    older, newer = in_order(older, newer)
    hidden = frozenset(map(str, withheld_batches(viewer, older.collection)) if viewer else ())
    return _shelf.get(
        (older.public_id, newer.public_id, hidden),
        lambda: _read(older, newer, hidden),
        weigh=lambda erratum: len(erratum.changes.rows) + 1,
    )


def _read(older: Export, newer: Export, hidden: frozenset[str]) -> Erratum:
    first, second = Exported.of(older), Exported.of(newer)
    reasons = None
    if first.is_gold and first.source == second.source:
        moments = (
            last_event(older, first.manifest.get("trail")),
            last_event(newer, second.manifest.get("trail")),
        )
        of_pages = [
            export
            for export, exported in ((older, first), (newer, second))
            if exported.manifest.get("channel") == Channel.PAGES
        ]
        reasons = Reasons(
            older,
            newer,
            moments,
            hidden,
            # A lead for whom a batch was left out learns no seal.
            has_all=bool(first.manifest.get("trail")),
            of_pages=of_pages[0] if len(of_pages) == 1 else None,
        )
    return Erratum(older.collection, first, second, reasons)


def _inside(name: str) -> str:
    """A name inside a sentence."""
    return name[:1].lower() + name[1:]
