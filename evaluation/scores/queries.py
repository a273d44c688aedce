"""A complex query as scores see it: its aspects, what stands below them, and its sentences."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Aspect:
    """An aspect with its sub-aspects.

    `ids` are its own id, then those of everything below it in reading order, each once. A text
    that stands under two aspects has one id, which is in the `ids` of both.
    """

    id: str
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Sentence:
    """A sentence of the query, and the ids of the aspects and sub-aspects it was linked to."""

    text: str
    ids: frozenset[str]


@dataclass(frozen=True)
class ComplexQuery:
    """A query's aspects in the order of its tree, and its sentences in reading order."""

    id: str
    aspects: tuple[Aspect, ...]
    sentences: tuple[Sentence, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Q: every distinct id of the tree, in reading order."""
        return self.ids_of(self.aspects)

    def ids_of(self, aspects: Iterable[Aspect]) -> tuple[str, ...]:
        """The distinct ids of some aspects and of all that stands below them."""
        return tuple(dict.fromkeys(aspect_id for aspect in aspects for aspect_id in aspect.ids))

    def chosen(self, ids: Iterable[str]) -> tuple[Aspect, ...]:
        """The aspects with these ids, in the order of the tree; other ids name no aspect."""
        id_set = set(ids)
        return tuple(aspect for aspect in self.aspects if aspect.id in id_set)

    @cached_property
    def links(self) -> tuple[tuple[frozenset[str], ...], ...]:
        """Per sentence the aspects that each of its links speaks of, as sets of aspect ids.

        A link to an aspect speaks of that aspect alone, also where the same id stands below
        another one. A link to a sub-aspect speaks of every aspect that it stands under. A link
        to an id outside the tree speaks of nothing and is left out.
        """
        roots = {aspect.id for aspect in self.aspects}
        above: dict[str, set[str]] = {}
        for aspect in self.aspects:
            for aspect_id in aspect.ids:
                above.setdefault(aspect_id, set()).add(aspect.id)
        spoken = {
            aspect_id: {aspect_id} if aspect_id in roots else parents
            for aspect_id, parents in above.items()
        }
        return tuple(
            tuple(
                frozenset(spoken[aspect_id])
                for aspect_id in sorted(sentence.ids)
                if aspect_id in spoken
            )
            for sentence in self.sentences
        )
