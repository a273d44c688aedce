"""The figures of a topic and of a facet, before adjudication and after it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agreement.statistics import (
    Comparing,
    Disagreement,
    Overruling,
    RatedTopics,
    Summary,
    SummaryKind,
    by_topic,
    disagreement_by_topic,
    disagreement_in_all,
    mean,
    median,
    overruling_by_topic,
    overruling_in_all,
    pooled,
    summarised,
)
from agreement.study.counted import Counted, TopicRatings
from agreement.study.ratings import Scale
from agreement.subjects.overview.names import (
    ALL_MEASURES,
    GRADE_NAMES,
    MEASURE_NAMES,
)
from agreement.tables.columns import Unit


@dataclass(frozen=True)
class Row:
    """All measures over some pairs, and how many topics, of how many queries, and pairs they rest
    on."""

    figures: dict[str, Summary]
    topics: int
    queries: int
    pairs: int

    @property
    def measures(self) -> dict[str, Summary]:
        """The four of the table."""
        return {name: self.figures[name] for name in MEASURE_NAMES}


@dataclass(frozen=True)
class OfOverlap:
    """Pairs with so many seats, before adjudication and after it."""

    seats: int
    before: Row
    after: Row


@dataclass(frozen=True)
class Cut:
    """The scale in two: one grade and all others, or the grades from one on and those below.

    `upper` has a mark per value of the scale; `key` names it in files: "2" or "2+".
    """

    key: str
    name: str
    upper: tuple[bool, ...]


def cuts_of(scale: Scale) -> list[Cut]:
    """Each grade by itself, and in an order from each on but the lowest and the highest."""
    places = range(len(scale.values))
    alone = [
        Cut(name, f"Grade {name}", tuple(other == place for other in places))
        for place, name in enumerate(scale.names)
    ]
    from_it = [
        Cut(f"{name}+", f"Grade {scale.or_more(name)}", tuple(other >= place for other in places))
        for place, name in enumerate(scale.names)
        if 0 < place < len(scale.names) - 1 and scale.is_ordinal
    ]
    return [*alone, *from_it]


@dataclass(frozen=True)
class OfGrade:
    """Agreement on one grade against the rest, or on those from it on."""

    cut: Cut
    before: dict[str, Summary]
    after: dict[str, Summary]


@dataclass(frozen=True)
class Rated(Row):
    """One topic before adjudication."""

    disagreement: Disagreement


@dataclass(frozen=True)
class Decided(Row):
    """One topic after adjudication."""

    overruling: Overruling


@dataclass(frozen=True)
class TopicFigures:
    """One topic under one rule; `before` and `after` are None as long as it is not that far."""

    topic: TopicRatings
    before: Rated | None
    after: Decided | None
    not_yet_before: str
    not_yet_after: str


@dataclass(frozen=True)
class FacetFigures:
    """All topics of a facet, or of the collection: one line of the table.

    `overruling_share` is the mean over topics of the share of their pairs; `overruling` has the
    counts over all of their pairs. `rated` and `decided` are what `before` and `after` are made
    of, and `rated_pairs` and `decided_pairs` the pairs behind them: those of topics that are so
    far. What few pages show is computed when it is first needed.
    """

    key: str
    name: str
    topics: int
    kind: SummaryKind
    before: Row
    after: Row
    disagreement: Disagreement
    overruling: Overruling
    overruling_share: Summary
    rated: RatedTopics = field(compare=False, repr=False)
    decided: RatedTopics = field(compare=False, repr=False)
    _before: "_Part" = field(compare=False, repr=False)
    _after: "_Part" = field(compare=False, repr=False)

    @cached_property
    def confusion(self) -> list[list[int]]:
        """Counts of the values of an earlier seat (rows) against those of a later one, over every
        two seats."""
        return self._before.counted.confusion(self._before.topics).tolist()

    @cached_property
    def pairs_by_raters(self) -> dict[int, int]:
        """{seats of a pair: how many pairs have so many}, ascending."""
        return self._before.chosen.overlaps

    @cached_property
    def overlaps(self) -> list[OfOverlap]:
        """The pairs apart by their number of seats, ascending."""
        before, after = self._before.chosen, self._after.chosen
        return [
            OfOverlap(
                seats,
                _row(before.of_overlap(seats), self.kind),
                _row(after.of_overlap(seats), self.kind),
            )
            for seats in self.pairs_by_raters
        ]

    @cached_property
    def grades(self) -> list[OfGrade]:
        """The agreement on each grade."""
        scale = self._before.counted.ratings.scale
        return [_of_grade(cut, self.rated, self.decided, self.kind) for cut in cuts_of(scale)]

    @cached_property
    def compared(self) -> dict[tuple[int, int], int]:
        """The number of pairs that both of two seats rated."""
        return self._before.chosen.pairs_compared()

    def rests_on(self, unit: Unit) -> str:
        """The topics and pairs behind its figures, in a sentence."""
        before, after = self.before, self.after
        return (
            f"{self.name}: {unit.of_queries(before.topics, before.queries)} with "
            f"{before.pairs:,} pairs before, {unit.of_queries(after.topics, after.queries)} with "
            f"{after.pairs:,} after; {self.topics:,} in all."
        )


@dataclass(frozen=True)
class _Part:
    """The topics at these positions of what counts."""

    counted: Counted
    topics: list[int]

    @cached_property
    def chosen(self) -> Counted:
        return self.counted.of_topics(self.topics)


def topic_figures(
    progress: Sequence[TopicRatings], before: Counted, after: Counted
) -> list[TopicFigures]:
    between = by_topic(before.topics, ALL_MEASURES)
    with_gold = by_topic(after.topics, ALL_MEASURES, comparing=Comparing.WITH_LAST)
    differing = disagreement_by_topic(before.ratings.values, before.ratings.starts)
    overruled = overruling_by_topic(after.ratings.values, after.ratings.gold, after.ratings.starts)
    figures_of_topics = []
    for number, topic in enumerate(progress):
        rated = decided = None
        if topic.is_rated:
            rated = Rated(
                {name: figures[number] for name, figures in between.items()},
                topics=1,
                queries=before.ratings.queries([number]),
                pairs=before.pairs_of(number),
                disagreement=differing[number],
            )
        if topic.is_decided:
            decided = Decided(
                {name: figures[number] for name, figures in with_gold.items()},
                topics=1,
                queries=after.ratings.queries([number]),
                pairs=after.pairs_of(number),
                overruling=overruled[number],
            )
        figures_of_topics.append(
            TopicFigures(topic, rated, decided, topic.not_yet_rated, topic.not_yet_decided)
        )
    return figures_of_topics


def _row(counted: Counted, kind: SummaryKind) -> Row:
    """With gold after adjudication, between raters before it."""
    topics = counted.topics
    figures = summarised(topics, ALL_MEASURES, kind=kind, comparing=_comparing(counted))
    number = range(topics.topics)
    return Row(figures, topics.topics, counted.ratings.queries(number), topics.pairs)


def _row_of_topics(
    counted: Counted, rows: Mapping[int, Row], topics: RatedTopics, kind: SummaryKind
) -> Row:
    """Of topics whose own rows are known; a median or mean is that of their figures."""
    if kind is SummaryKind.POOLED:
        figures = pooled(topics, ALL_MEASURES, comparing=_comparing(counted))
    else:
        summarise = {SummaryKind.MEDIAN: median, SummaryKind.MEAN: mean}[kind]
        known = [row.figures for row in rows.values()]
        figures = {
            name: summarise(figures[name].figure for figures in known) for name in ALL_MEASURES
        }
    return Row(figures, len(rows), counted.ratings.queries(rows), topics.pairs)


def _comparing(counted: Counted) -> Comparing:
    return Comparing.WITH_LAST if counted.with_gold else Comparing.BETWEEN_RATERS


def _of_grade(cut: Cut, rated: RatedTopics, decided: RatedTopics, kind: SummaryKind) -> OfGrade:
    before, after = (topics.as_two_values(cut.upper) for topics in (rated, decided))
    return OfGrade(
        cut,
        summarised(before, GRADE_NAMES, kind=kind),
        summarised(after, GRADE_NAMES, kind=kind, comparing=Comparing.WITH_LAST),
    )


def facet_figures(
    key: str,
    name: str,
    topics: Sequence[TopicFigures],
    before: Counted,
    after: Counted,
    kind: SummaryKind,
) -> FacetFigures:
    chosen = [n for n, figures in enumerate(topics) if not key or figures.topic.facet == key]
    rated = {n: row for n in chosen if (row := topics[n].before)}
    decided = {n: done for n in chosen if (done := topics[n].after)}
    of_rated, of_decided = before.topics.only(list(rated)), after.topics.only(list(decided))
    overrulings = [done.overruling for done in decided.values()]
    return FacetFigures(
        key=key,
        name=name,
        topics=len(chosen),
        kind=kind,
        before=_row_of_topics(before, rated, of_rated, kind),
        after=_row_of_topics(after, decided, of_decided, kind),
        disagreement=disagreement_in_all(
            row_of_topic.disagreement for row_of_topic in rated.values()
        ),
        overruling=overruling_in_all(overrulings),
        overruling_share=mean(counts.share for counts in overrulings),
        rated=of_rated,
        decided=of_decided,
        _before=_Part(before, list(rated)),
        _after=_Part(after, list(decided)),
    )
