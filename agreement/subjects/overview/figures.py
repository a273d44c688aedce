"""The figures of a topic and of a facet, before adjudication and after it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agreement.statistics import (
    Comparing,
    Disagreement,
    FiguresOfTopic,
    Overruling,
    RatedTopics,
    Summary,
    SummaryKind,
    TopicMeans,
    disagreement_by_topic,
    disagreement_in_all,
    mean,
    means_by_topic,
    overruling_by_topic,
    overruling_in_all,
    pooled,
    summarised,
)
from agreement.study.counted import Counted, TopicRatings
from agreement.study.rows import ADJUDICATED
from agreement.study.scales import GRADE_NAMES, OF_BOTH, Measures, Scale, measures_of
from agreement.tables.columns import Unit
from formats.words import counted


@dataclass(frozen=True)
class Row:
    """All measures over some pairs, and how many topics, of how many queries, and pairs they rest
    on."""

    figures: Mapping[str, Summary]
    topics: int
    queries: int
    pairs: int

    @property
    def measures(self) -> dict[str, Summary]:
        """Those of the table."""
        return {name: self.figures[name] for name in OF_BOTH.names if name in self.figures}


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
        Cut(name, title, tuple(other == place for other in places))
        for place, (name, title) in enumerate(scale.titles.items())
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

    figures: FiguresOfTopic
    disagreement: Disagreement


@dataclass(frozen=True)
class Decided(Row):
    """One topic after adjudication."""

    figures: FiguresOfTopic
    overruling: Overruling


@dataclass(frozen=True)
class TopicFigures:
    """One topic under one rule; `before` and `after` are None as long as it is not that far."""

    topic: TopicRatings
    before: Rated | None
    after: Decided | None


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

    @property
    def scale(self) -> Scale:
        return self._before.counted.ratings.scale

    @property
    def titles(self) -> Measures:
        """The measures that it has, and what they are called."""
        return measures_of(self.scale)

    @cached_property
    def confusion(self) -> list[list[int]]:
        """Counts of the values of an earlier seat (rows) against those of a later one, over every
        two seats."""
        return self._before.counted.confusion(self._before.topics).tolist()

    @cached_property
    def pairs_by_raters(self) -> dict[int, int]:
        """{seats of a pair: how many pairs have so many}, ascending."""
        return self._before.chosen.overlaps

    @property
    def on_one_rater(self) -> str:
        """What pairs with one rater do to its figures; empty unless others have more."""
        pairs = self.pairs_by_raters
        if len(pairs) < 2 or 1 not in pairs:
            return ""
        return (
            f"{pairs[1]:,} of {self.before.pairs:,} pairs have one rater, whose rating is compared "
            "with none before adjudication, and after it with gold that is mostly this rating."
        )

    @property
    def adjudicators(self) -> int:
        """How many people gave a pair its value by a decision."""
        ratings = self._after.chosen.ratings
        return len(set(ratings.adjudicator[ratings.origin == ADJUDICATED].tolist()))

    @cached_property
    def overlaps(self) -> list[OfOverlap]:
        """The pairs apart by their number of seats, ascending."""
        before, after = self._before.chosen, self._after.chosen
        return [
            OfOverlap(
                seats,
                _row(before.of_overlap(seats), self.titles, self.kind),
                _row(after.of_overlap(seats), self.titles, self.kind),
            )
            for seats in self.pairs_by_raters
        ]

    @cached_property
    def grades(self) -> list[OfGrade]:
        cuts = cuts_of(self.scale)
        return [_of_grade(cut, self.rated, self.decided, self.kind) for cut in cuts]

    @cached_property
    def compared(self) -> dict[tuple[int, int], int]:
        """The number of pairs that both of two seats rated."""
        return self._before.chosen.pairs_compared()

    def rests_on(self, unit: Unit) -> str:
        """The topics and pairs behind its figures, in a sentence."""
        before, after = self.before, self.after
        return (
            f"{self.name}: {unit.of_queries(before.topics, before.queries)} with "
            f"{counted(before.pairs, 'pair')} before, "
            f"{unit.of_queries(after.topics, after.queries)} with {after.pairs:,} after; "
            f"{self.topics:,} in all."
        )


@dataclass(frozen=True)
class _Part:
    """The topics at these positions of what counts."""

    counted: Counted
    topics: list[int]

    @cached_property
    def chosen(self) -> Counted:
        return self.counted.of_topics(self.topics)


@dataclass(frozen=True)
class Side:
    """The topics that are so far, before adjudication or after it, and the measures of each."""

    counted: Counted

    @cached_property
    def means(self) -> dict[str, TopicMeans]:
        keys = measures_of(self.counted.ratings.scale).keys
        return means_by_topic(self.counted.topics, keys, comparing=self.counted.comparing)


def topic_figures(
    progress: Sequence[TopicRatings], before: Side, after: Side
) -> list[TopicFigures]:
    rated_pairs, decided_pairs = before.counted.ratings, after.counted.ratings
    differing = disagreement_by_topic(before.counted.topics)
    overruled = overruling_by_topic(after.counted.topics)
    figures_of_topics = []
    for number, topic in enumerate(progress):
        rated = decided = None
        if topic.is_rated:
            rated = Rated(
                FiguresOfTopic(before.means, number),
                topics=1,
                queries=rated_pairs.queries([number]),
                pairs=before.counted.pairs_of(number),
                disagreement=differing[number],
            )
        if topic.is_decided:
            decided = Decided(
                FiguresOfTopic(after.means, number),
                topics=1,
                queries=decided_pairs.queries([number]),
                pairs=after.counted.pairs_of(number),
                overruling=overruled[number],
            )
        figures_of_topics.append(TopicFigures(topic, rated, decided))
    return figures_of_topics


def _row(counted: Counted, measures: Measures, kind: SummaryKind) -> Row:
    """With gold after adjudication, between raters before it. The pairs may be none, which do not
    tell their scale."""
    topics = counted.topics
    figures = summarised(topics, measures.keys, kind=kind, comparing=counted.comparing)
    queries = counted.ratings.queries(range(topics.topics))
    return Row(figures, topics.topics, queries, topics.pairs)


def _row_of_topics(
    side: Side, numbers: Sequence[int], topics: RatedTopics, kind: SummaryKind
) -> Row:
    """Of the topics at these positions, which `topics` has; a median or mean is that of their
    figures."""
    if kind is SummaryKind.POOLED:
        keys = measures_of(side.counted.ratings.scale).keys
        figures = pooled(topics, keys, comparing=side.counted.comparing)
    else:
        figures = {name: means.summary(kind, numbers) for name, means in side.means.items()}
    return Row(figures, len(numbers), side.counted.ratings.queries(numbers), topics.pairs)


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
    before: Side,
    after: Side,
    kind: SummaryKind,
) -> FacetFigures:
    chosen = [n for n, figures in enumerate(topics) if not key or figures.topic.facet == key]
    rated = {n: row for n in chosen if (row := topics[n].before)}
    decided = {n: done for n in chosen if (done := topics[n].after)}
    of_rated = before.counted.topics.only(list(rated))
    of_decided = after.counted.topics.only(list(decided))
    overrulings = [done.overruling for done in decided.values()]
    return FacetFigures(
        key=key,
        name=name,
        topics=len(chosen),
        kind=kind,
        before=_row_of_topics(before, list(rated), of_rated, kind),
        after=_row_of_topics(after, list(decided), of_decided, kind),
        disagreement=disagreement_in_all(row.disagreement for row in rated.values()),
        overruling=overruling_in_all(overrulings),
        overruling_share=mean(counts.share for counts in overrulings),
        rated=of_rated,
        decided=of_decided,
        _before=_Part(before.counted, list(rated)),
        _after=_Part(after.counted, list(decided)),
    )
