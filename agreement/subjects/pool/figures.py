"""The contents of pools and the share of each source: CSFCube's Table 1 and Appendix D."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from agreement.statistics import Share
from agreement.study.grades import Gold, Graded, Relevance, gold_of, graded
from agreement.study.parts import Part, parts_of
from agreement.study.ratings import Ratings
from agreement.study.rows import Mask
from agreement.study.selection import Selection, kept
from agreement.study.sources import Sources, read_sources

# A source whose name has one of these words is a citation, or a list of references.
CITATIONS = {"cited", "cites", "citing", "citation", "citations", "reference", "references"}
UNNAMED = "no source recorded"


@dataclass(frozen=True)
class Source:
    """The pairs that a source brought in, and of these the ones that no other did.

    `candidates` are entries in pools, `brought` and `alone` judged pairs. `recall` is the part of
    all relevant pairs that it brought.
    """

    name: str
    candidates: int
    brought: Graded
    alone: Graded
    recall: Share

    @property
    def alone_share(self) -> Share:
        """The share of its pairs that no other source brought in."""
        return Share(self.alone.total, self.brought.total)


@dataclass(frozen=True)
class Cited:
    """Pairs of a part whose document a citation brought in, and the others."""

    name: str
    cited: Graded
    others: Graded

    @property
    def recall(self) -> Share:
        """Of the relevant pairs, those that are cited."""
        relevant = self.cited.relevant.count
        return Share(relevant, relevant + self.others.relevant.count)

    @property
    def missed(self) -> Share:
        """Of the relevant pairs, those that are not."""
        return Share(self.others.relevant.count, self.recall.of)

    @property
    def both(self) -> list[tuple[str, Graded, Share]]:
        """(words, their grades, their part of all relevant pairs)."""
        return [("cited", self.cited, self.recall), ("not cited", self.others, self.missed)]


@dataclass(frozen=True)
class Spread:
    """Pairs of some pools in all, and the least, the most and the average of a pool; those three
    are None without pools."""

    total: int
    least: int | None
    most: int | None
    average: float | None


@dataclass(frozen=True)
class Column:
    """A facet, a level or all of Table 1.

    `pool` counts the pairs of all topics, `judged` and `grades` (one per value of the scale,
    ascending) the pairs with a gold value, of topics that are decided. `from_grades` counts those
    with that value or a higher one.
    """

    key: str
    name: str
    queries: int
    topics: int
    decided: int
    pool: Spread
    judged: Spread
    grades: list[Spread]
    from_grades: list[Spread]


@dataclass(frozen=True)
class Row:
    """A line of Table 1: what it counts, and a cell for each column. `list` and `list_cell` name
    the pairs that a spread counts (`agreement.pairs.lists`); queries and pools have none."""

    words: str
    cells: Sequence[int | Spread]
    list: str = ""
    list_cell: str = ""


@dataclass(frozen=True)
class Pool:
    """`every` is all that was judged. Each part is computed when it is first needed."""

    relevance: Relevance
    has_facets: bool
    every: Graded
    done: Gold = field(repr=False)
    _ratings: Ratings = field(repr=False)
    _sources: Sources = field(repr=False)
    _parts: list[Part] = field(repr=False)

    @cached_property
    def columns(self) -> list[Column]:
        return [_column(part, self._ratings, self.done) for part in self._parts]

    @cached_property
    def sources(self) -> list[Source]:
        """The one with the most relevant first, that without a name last."""
        return _by_source(self._sources, self.done, self.every)

    @property
    def candidates(self) -> int:
        return len(self._sources.of_candidates)

    @property
    def without_text(self) -> int:
        return self._sources.without_text

    @property
    def citations(self) -> list[str]:
        return [name for name in self._sources.names if is_citation(name)]

    @cached_property
    def cited(self) -> list[Cited]:
        """Empty where no source is a citation."""
        return _cited(self._sources, self.citations, self.done, self._parts, self.relevance)

    @property
    def named(self) -> list[Source]:
        """The sources, less what has none."""
        return [source for source in self.sources if source.name != UNNAMED]

    @property
    def by_loss(self) -> list[Source]:
        """The sources without which the most relevant pairs would be missing first."""
        return sorted(self.named, key=lambda source: (-source.alone.relevant.count, source.name))

    @property
    def best(self) -> Source | None:
        """The one with the largest share of relevant pairs."""
        return next((source for source in self.named if source.brought.relevant.count), None)

    @property
    def only_it(self) -> Source | None:
        """The one without which the most relevant pairs would be missing."""
        return next((source for source in self.by_loss if source.alone.relevant.count), None)

    @property
    def table(self) -> list[Row]:
        """Table 1, the highest grade first; of the grades between the lowest and the highest also
        those from it on, as the paper counts them."""
        columns = self.columns
        rows = [
            Row("Queries", [of_part.queries for of_part in columns]),
            Row("Pools", [of_part.topics for of_part in columns]),
            Row("Pool size", [of_part.pool for of_part in columns], "pooled"),
            Row("Pools judged", [of_part.decided for of_part in columns]),
            Row("Judged pairs", [of_part.judged for of_part in columns], "judged"),
        ]
        scale = self.relevance.scale
        for place, name in reversed(list(enumerate(scale.names))):
            if scale.is_ordinal and 0 < place < len(scale.names) - 1:
                from_it = [column.from_grades[place] for column in columns]
                rows.append(Row(f"Grade {scale.or_more(name)}", from_it, "judged", f"{name}+"))
            of_grade = [of_part.grades[place] for of_part in columns]
            rows.append(Row(scale.titles[name], of_grade, "judged", name))
        return rows


def pool_of(selection: Selection, parameters: Mapping[str, str]) -> Pool:
    return _pool_of(selection, Relevance.read(selection.chosen.scale, parameters))


@kept
def _pool_of(selection: Selection, relevance: Relevance) -> Pool:
    ratings = selection.chosen
    done = gold_of(ratings, selection.progress, selection.filters.cannot_judge)
    parts = parts_of(selection, ratings)
    return Pool(
        relevance,
        bool(selection.choices.facets),
        graded("", "All", done.grades, relevance),
        done,
        ratings,
        read_sources(selection.collection, done.pairs),
        # All is not told beside its only part.
        parts[:1] if len(parts) == 2 else parts,
    )


def is_citation(name: str) -> bool:
    """Whether the name of a source says that the query cites the document, or the reverse."""
    return bool(CITATIONS & set(re.split(r"[^a-z]+", name.lower())))


def _by_source(sources: Sources, done: Gold, whole: Graded) -> list[Source]:
    brought_by = sources.of_pairs.sum(axis=1)
    of_sources = [
        _source(
            name,
            sources.of_pairs[:, number],
            sources.of_pairs[:, number] & (brought_by == 1),
            int(sources.of_candidates[:, number].sum()),
            done,
            whole,
        )
        for number, name in enumerate(sources.names)
    ]
    of_sources.sort(key=lambda source: (-(source.brought.relevant.value or 0.0), source.name))
    unnamed = brought_by == 0
    candidates = int((~sources.of_candidates.any(axis=1)).sum())
    of_sources.append(_source(UNNAMED, unnamed, unnamed, candidates, done, whole))
    return [source for source in of_sources if source.brought.total]


def _source(name, brought: Mask, alone: Mask, candidates, done: Gold, whole: Graded) -> Source:
    of_all = graded(name, name, done.grades[brought], whole.relevance)
    return Source(
        name=name,
        candidates=candidates,
        brought=of_all,
        alone=graded(name, name, done.grades[alone], whole.relevance),
        recall=Share(of_all.relevant.count, whole.relevant.count),
    )


def _cited(sources: Sources, citations, done: Gold, parts, relevance) -> list[Cited]:
    if not citations:
        return []
    is_cited = sources.of_pairs[:, [name in citations for name in sources.names]].any(axis=1)
    of_parts = []
    for part in parts:
        in_part = part.pairs(done.pairs)
        cited = graded(part.key, part.name, done.grades[in_part & is_cited], relevance)
        others = graded(part.key, part.name, done.grades[in_part & ~is_cited], relevance)
        of_parts.append(Cited(part.name, cited, others))
    return of_parts


def _column(part: Part, ratings: Ratings, done: Gold) -> Column:
    decided = np.array([topic.is_decided for topic in done.progress], dtype=bool) & part.topics
    places = range(len(ratings.scale.values))
    return Column(
        key=part.key,
        name=part.name,
        queries=len(
            {
                query
                for topic, is_own in zip(ratings.topics, part.topics, strict=True)
                for query in (topic.queries if is_own else ())
            }
        ),
        topics=int(part.topics.sum()),
        decided=int(decided.sum()),
        pool=_spread(ratings.topic, part.topics),
        judged=_spread(done.pairs.topic, decided),
        grades=[_spread(done.pairs.topic[done.grades == place], decided) for place in places],
        from_grades=[_spread(done.pairs.topic[done.grades >= place], decided) for place in places],
    )


def _spread(topic_of_pairs: npt.NDArray[np.int64], topics: Mask) -> Spread:
    counts = np.bincount(topic_of_pairs, minlength=len(topics))[topics]
    if not counts.size:
        return Spread(0, None, None, None)
    return Spread(int(counts.sum()), int(counts.min()), int(counts.max()), float(counts.mean()))
