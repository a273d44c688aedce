"""Agreement of two sources: coefficients, and counts of each value against each other value.

The unit that is compared is a pair. If a set of judgments is of whole queries, the unit is a query
with a document, and the first source's value is the sum over the query's aspects (S, as DORIS-MAE
has it).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agreement.statistics import REGISTRY, Figure, Reason
from agreement.statistics.arrays import Values
from agreement.study.filters import CannotJudge
from agreement.study.rows import Ids, Mask
from agreement.study.selection import Selection, kept
from audit.refusals import Invalid
from datasets.models import Level, TopicPlace
from evaluation.protocols import Missing
from evaluation.sources.choices import source_named, sources_of
from evaluation.sources.elsewhere import judgments_of
from evaluation.sources.reading import Judging
from evaluation.sources.source import Kind, Source
from formats.grouping import grouped

# Measures of two lists. Those of equality or distance need both lists on one scale; those of order
# do not.
MEASURES = ["percent", "kappa", "alpha", "mean_signed_difference", "rho", "tau_b"]
BY_ORDER = {"rho", "tau_b"}
# What stands second where nothing is named: the first there is of these.
ELSEWHERE = (Kind.JUDGMENTS, Kind.MACHINE)
# More different values make a table that nobody reads.
MOST_VALUES = 16


class NotComparable(Exception):
    """Why two sources cannot be compared, as a sentence."""


@dataclass(frozen=True)
class Row:
    """A measure over all that is compared, and its mean over the topics that have it."""

    name: str
    title: str
    pooled: Figure
    mean: Figure
    topics: int


@dataclass(frozen=True)
class Against:
    """Two sources over the same units; `group` is the place of a unit's topic, or query; `pairs`
    are the keys of the pairs that make each unit."""

    first: Source
    second: Source
    level: Level
    is_ordinal: bool
    scale: tuple[float, ...]  # of the first
    group: Ids
    ours: Values
    theirs: Values
    pairs: Sequence[Sequence[int]] | Ids
    left_out: int  # units that one of the two alone has

    @property
    def size(self) -> int:
        return len(self.ours)

    @cached_property
    def on_one_scale(self) -> bool:
        """Whether the second's values stand on the scale of the first."""
        return set(np.unique(self.theirs).tolist()) <= set(self.scale)

    @cached_property
    def values(self) -> tuple[list[float], list[float]]:
        """The values in rows and in columns; both of the whole scale where they share it. A median
        may lie between two values of the scale."""
        is_shared = self.on_one_scale and self.level == Level.TOPICS
        scale = self.scale if is_shared else ()
        rows, columns = (sorted({*scale, *of.tolist()}) for of in (self.ours, self.theirs))
        return rows, columns

    @property
    def has_table(self) -> bool:
        return max(len(values) for values in self.values) <= MOST_VALUES

    @property
    def counts(self) -> list[list[int]]:
        rows, columns = self.values
        counts = np.zeros((len(rows), len(columns)), dtype=np.int64)
        at = np.searchsorted(rows, self.ours), np.searchsorted(columns, self.theirs)
        np.add.at(counts, at, 1)
        return [[int(count) for count in row] for row in counts]

    def behind(self, ours: float, theirs: float) -> list[int]:
        """The keys of the pairs of a cell."""
        mask = (self.ours == ours) & (self.theirs == theirs)
        return [int(pair) for unit in np.flatnonzero(mask).tolist() for pair in self.pairs[unit]]

    @cached_property
    def _by_group(self) -> list[tuple[Values, Values]]:
        """The two lists of each group that has any, each in the order of the units."""
        order = np.argsort(self.group, kind="stable")
        _, starts = np.unique(self.group[order], return_index=True)
        ours, theirs = (np.split(values[order], starts[1:]) for values in (self.ours, self.theirs))
        return list(zip(ours, theirs, strict=True)) if len(order) else []

    @cached_property
    def rows(self) -> list[Row]:
        """The measures. Labels have those of equality alone."""
        return [
            self._row(name)
            for name in MEASURES
            if self.is_ordinal or REGISTRY[name].level == "nominal"
        ]

    def _row(self, name: str) -> Row:
        measure = REGISTRY[name]
        if name not in BY_ORDER and not self.on_one_scale and self.level == Level.TOPICS:
            undefined = Figure.undefined(Reason.OTHER_SCALE)
            return Row(name, measure.title, undefined, undefined, 0)
        figures = [measure.function(ours, theirs) for ours, theirs in self._by_group]
        defined = [figure.value for figure in figures if figure.value is not None]
        mean = Figure(float(np.mean(defined))) if defined else Figure.undefined(Reason.NO_FIGURES)
        return Row(
            name, measure.title, measure.function(self.ours, self.theirs), mean, len(defined)
        )


def chosen_sources(
    selection: Selection, parameters: Mapping[str, str]
) -> tuple[Source, Source | None]:
    """The sources that the address names as `a` and `b`; by default gold, and the first set of
    judgments or else machine run. Raises ValueError with a sentence for a source that is
    missing."""
    collection = selection.collection
    first = source_named(collection, parameters.get("a") or Kind.GOLD.value)
    if address := parameters.get("b"):
        return first, source_named(collection, address)
    elsewhere = [source for source in sources_of(collection) if source.kind in ELSEWHERE]
    return first, min(elsewhere, key=lambda source: ELSEWHERE.index(source.kind), default=None)


@kept
def compare(selection: Selection, first: Source, second: Source) -> Against:
    """NotComparable where the two are of different things."""
    ratings = selection.chosen
    judging = Judging(selection.collection, ratings, (), 0, False)
    if first.kind == Kind.JUDGMENTS:
        raise NotComparable(
            "Judgments made elsewhere stand second: choose gold, a seat or a person first."
        )
    ours = _grades(selection, judging, first)
    if second.kind != Kind.JUDGMENTS:
        return _of_pairs(selection, first, second, ours, _grades(selection, judging, second))
    try:
        elsewhere = judgments_of(selection.collection, second.key)
    except Invalid as error:
        raise NotComparable(str(error)) from None
    if elsewhere.level == Level.QUERIES and not _is_plain(selection):
        return _of_queries(selection, judging, first, second, ours, elsewhere.grades)
    if elsewhere.level == Level.SUB_QUERIES:
        raise NotComparable(
            f"The judgments {second.in_words} are of sub-queries. Each is made of other aspects of "
            "its query, so that no rating or gold value stands for it."
        )
    keys = [ratings.topics[number].key for number in ratings.topic.tolist()]
    theirs = [
        elsewhere.grades.get(key, {}).get(document, np.nan)
        for key, document in zip(keys, judging.documents, strict=True)
    ]
    return _of_pairs(selection, first, second, ours, np.array(theirs, dtype=float))


def _grades(selection: Selection, judging: Judging, source: Source) -> Values:
    """(pairs,): NaN where the source has not spoken yet, and where the viewer may not see it."""
    rule = selection.filters.cannot_judge
    missing = Missing.LOWEST if rule is CannotJudge.LOWEST else Missing.UNJUDGED
    ratings = judging.ratings
    grades = judging.grades(source, missing)
    counts = np.array(judging.counts(source), dtype=bool)
    if ratings.size:
        grades[~counts[ratings.topic] | ratings.is_withheld] = np.nan
    return grades


def _of_pairs(
    selection: Selection, first: Source, second: Source, ours: Values, theirs: Values
) -> Against:
    ratings = selection.chosen
    has_both: Mask = ~np.isnan(ours) & ~np.isnan(theirs)
    return Against(
        first,
        second,
        Level.TOPICS,
        ratings.scale.is_ordinal,
        ratings.scale.values,
        ratings.topic[has_both],
        ours[has_both],
        theirs[has_both],
        ratings.pair[has_both][:, np.newaxis],
        int((np.isnan(ours) != np.isnan(theirs)).sum()),
    )


def _is_plain(selection: Selection) -> bool:
    """Whether every topic is its query: plain relevance. Where queries have aspects, an aspect and
    a query may have one id by chance."""
    topics = selection.everything.topics
    is_of_aspects = selection.collection.scheme.current.judges_aspects
    return not is_of_aspects and all(topic.queries == (topic.key,) for topic in topics)


def _of_queries(
    selection: Selection,
    judging: Judging,
    first: Source,
    second: Source,
    ours: Values,
    grades: Mapping[str, Mapping[str, float]],
) -> Against:
    """S(document | query): the sum over the distinct aspects of a query, where each has a value."""
    if not selection.collection.scheme.current.judges_aspects:
        raise NotComparable(
            f"The judgments {second.in_words} are of whole queries, and here a query is judged "
            "under each facet. They do not name a facet."
        )
    ratings = selection.chosen
    summed = [
        (number, grade, places)
        for number, grade, places in _places_of_grades(selection, judging, grades)
        if places and -1 not in places and not np.isnan(ours[places]).any()
    ]
    # Of decimals, 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last bit and are one sum.
    sums = [round(float(ours[places].sum()), 9) for _, _, places in summed]
    return Against(
        first,
        second,
        Level.QUERIES,
        ratings.scale.is_ordinal,
        tuple(sorted(set(sums))),
        np.array([number for number, _, _ in summed], dtype=np.int64),
        np.array(sums, dtype=float),
        np.array([grade for _, grade, _ in summed], dtype=float),
        [[int(ratings.pair[place]) for place in places] for _, _, places in summed],
        left_out=sum(map(len, grades.values())) - len(summed),
    )


def _places_of_grades(
    selection: Selection, judging: Judging, grades: Mapping[str, Mapping[str, float]]
) -> Iterator[tuple[int, float, list[int]]]:
    """(query's number, grade, places of the pairs that it is of) of each graded document; -1 for a
    pair that there is not."""
    ratings = selection.chosen
    number_of = {topic.key: number for number, topic in enumerate(ratings.topics)}
    places = TopicPlace.objects.filter(query__collection=selection.collection)
    # An aspect may stand at several places of a query.
    rows = places.values_list("query__external_id", "topic__external_id").order_by().distinct()
    topics_of = grouped(rows)
    at = {
        (topic, document): place
        for place, (topic, document) in enumerate(
            zip(ratings.topic.tolist(), judging.documents, strict=True)
        )
    }
    for number, (query, of_documents) in enumerate(grades.items()):
        topics = [number_of.get(topic, -1) for topic in topics_of.get(query, ())]
        for document, grade in of_documents.items():
            yield number, grade, [at.get((topic, document), -1) for topic in topics]
