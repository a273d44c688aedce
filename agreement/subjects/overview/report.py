"""The agreement table of a collection: CSFCube's Table 2, live, with what it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from agreement.statistics import (
    CannotJudge,
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
from agreement.study.counted import Counted, count
from agreement.study.filters import Filters
from agreement.study.grades import Cut, cuts_of
from agreement.study.progress import TopicRatings, progress_of
from agreement.study.ratings import Ratings, Scale, read_ratings_of
from agreement.study.selection import Selection, kept
from agreement.subjects.overview.names import (
    ALL_MEASURES,
    DIFFERENT_SCALES,
    FURTHER_NAMES,
    GRADE_NAMES,
    MEASURE_NAMES,
)
from agreement.tables.columns import Unit, raters_in_words, rule_in_words
from datasets.models import Collection


@dataclass(frozen=True)
class Row:
    """The four measures over some pairs, the further ones, and how many topics, of how many
    queries, and pairs they rest on."""

    measures: dict[str, Summary]
    further: dict[str, Summary]
    topics: int
    queries: int
    pairs: int

    @property
    def figures(self) -> dict[str, Summary]:
        """All of them."""
        return self.measures | self.further


@dataclass(frozen=True)
class OfOverlap:
    """Pairs with so many seats, before adjudication and after it."""

    seats: int
    before: Row
    after: Row


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
        return [
            OfOverlap(
                seats,
                _row(self._before.chosen.of_overlap(seats), self.kind),
                _row(self._after.chosen.of_overlap(seats), self.kind),
            )
            for seats in self.pairs_by_raters
        ]

    @cached_property
    def compared(self) -> dict[tuple[int, int], int]:
        """How many pairs both of two seats rated."""
        return self._before.chosen.pairs_compared()

    @cached_property
    def grades(self) -> list[OfGrade]:
        """The agreement on each grade."""
        return [
            _of_grade(cut, self.rated, self.decided, self.kind)
            for cut in cuts_of(self._before.counted.ratings.scale)
        ]


@dataclass(frozen=True)
class _Part:
    """The topics at these positions of what counts."""

    counted: Counted
    topics: list[int]

    @cached_property
    def chosen(self) -> Counted:
        return self.counted.of_topics(self.topics)


@dataclass(frozen=True)
class Report:
    """`before` and `after` are what figures are made of: the pairs that count under the rule."""

    collection: Collection
    scale: Scale
    filters: Filters
    before: Counted
    after: Counted
    facets: list[FacetFigures]
    whole: FacetFigures
    topics: list[TopicFigures]
    ratings: Ratings = field(compare=False, repr=False)

    @cached_property
    def finished(self) -> Counted:
        """The pairs of batches that are wholly handed in, also of topics that are not. Figures of
        pairs take them all, since a sample never finishes a topic."""
        ratings = self.ratings.only(self.ratings.is_finished)
        return count(ratings, self.filters.cannot_judge)

    @property
    def rows(self) -> list[FacetFigures]:
        """Those of the table: every facet, and all."""
        return [*self.facets, self.whole]

    @property
    def cannot_judge(self) -> CannotJudge:
        return self.filters.cannot_judge

    @property
    def summary(self) -> SummaryKind:
        return self.filters.summary

    @property
    def raters(self) -> int:
        """The number of seats of the pairs that were compared, of those with the most."""
        return self.before.topics.raters

    @property
    def raters_in_words(self) -> str:
        """ "two", or "two to three" where pairs differ."""
        return raters_in_words(self.before.overlaps)

    @property
    def unit(self) -> Unit:
        return self.ratings.unit

    @property
    def in_all(self) -> str:
        """ "63 aspects of 6 queries", whether they are so far or not."""
        queries = self.ratings.queries(range(len(self.topics)))
        return self.unit.of_queries(len(self.topics), queries)

    @property
    def withheld(self) -> list[TopicRatings]:
        return [figures.topic for figures in self.topics if figures.topic.withheld]

    @property
    def mixed(self) -> list[TopicRatings]:
        return [figures.topic for figures in self.topics if figures.topic.mixed_seats]

    @property
    def rule_in_words(self) -> str:
        return rule_in_words(self.cannot_judge, self.scale.lowest)


def report_on(
    collection: Collection,
    *,
    viewer=None,
    cannot_judge: CannotJudge = CannotJudge.LOWEST,
    summary: SummaryKind = SummaryKind.MEDIAN,
) -> Report:
    """The report over everything in the collection; see `report_of`.

    A viewer who holds or ever held a seat of an unfinished batch gets nothing of its topics.
    Without a viewer, as on the command line, all is told. The default rule for "cannot judge" is
    the one the published table came about with.
    """
    filters = Filters(cannot_judge=cannot_judge, summary=summary)
    return report_of(collection, read_ratings_of(collection, viewer=viewer), filters)


def report_of(collection: Collection, ratings: Ratings, filters: Filters) -> Report:
    """Figures of these pairs: before adjudication from topics with every seat handed in, after it
    from topics that moreover have no pair left to decide."""
    if ratings.has_different_scales:
        return _report_by_facet(collection, ratings, filters)
    progress = progress_of(ratings)
    rated = np.array([topic.is_rated for topic in progress], dtype=bool)
    decided = np.array([topic.is_decided for topic in progress], dtype=bool)
    before = count(ratings.only(rated[ratings.topic]), filters.cannot_judge)
    after = count(ratings.only(decided[ratings.topic]), filters.cannot_judge, with_gold=True)
    topics = _topic_figures(progress, before, after)
    facets = [
        _facet_figures(facet, name, topics, before, after, filters.summary)
        for facet, name in facet_names(collection, {topic.facet for topic in progress}).items()
    ]
    whole = _facet_figures("", "All", topics, before, after, filters.summary)
    return Report(collection, ratings.scale, filters, before, after, facets, whole, topics, ratings)


def _report_by_facet(collection: Collection, ratings: Ratings, filters: Filters) -> Report:
    """Each facet on its own scale; over all of them there is no figure, and the row says so."""
    facets: list[FacetFigures] = []
    figures: dict[int, TopicFigures] = {}
    for facet in facet_names(collection, {topic.facet for topic in ratings.topics}):
        numbers = [n for n, topic in enumerate(ratings.topics) if topic.facet == facet]
        part = report_of(collection, ratings.of_topics(numbers), filters)
        facets += part.facets
        figures |= zip(numbers, part.topics, strict=True)
    nothing = ratings.of_topics([])
    before, after = (
        count(nothing, filters.cannot_judge, with_gold=with_gold) for with_gold in (False, True)
    )
    topics = [figures[number] for number in range(len(ratings.topics))]
    whole = _facet_figures("", DIFFERENT_SCALES, [], before, after, filters.summary)
    return Report(collection, ratings.scale, filters, before, after, facets, whole, topics, ratings)


def report_for(selection: Selection) -> Report:
    """Of the chosen pairs and those of the other facets beside them."""
    return _report_of_all_facets(selection.whole)


@kept
def _report_of_all_facets(selection: Selection) -> Report:
    return report_of(selection.collection, selection.chosen, selection.filters)


def facet_names(collection: Collection, used: set[str]) -> dict[str, str]:
    """{key: name} of the facets in use, in the order of the scheme."""
    words = collection.scheme.current.words
    return {
        facet.key: words.facet_name(facet.key)
        for facet in collection.scheme.shown_facets
        if facet.key in used
    }


def _topic_figures(
    progress: Sequence[TopicRatings], before: Counted, after: Counted
) -> list[TopicFigures]:
    between = by_topic(before.topics, ALL_MEASURES)
    with_gold = by_topic(after.topics, ALL_MEASURES, comparing=Comparing.WITH_LAST)
    differing = disagreement_by_topic(before.ratings.values, before.ratings.starts)
    overruled = overruling_by_topic(after.ratings.values, after.ratings.gold, after.ratings.starts)
    topic_figures = []
    for number, topic in enumerate(progress):
        rated = decided = None
        if topic.is_rated:
            rated = Rated(
                *_apart({name: figures[number] for name, figures in between.items()}),
                topics=1,
                queries=before.ratings.queries([number]),
                pairs=before.pairs_of(number),
                disagreement=differing[number],
            )
        if topic.is_decided:
            decided = Decided(
                *_apart({name: figures[number] for name, figures in with_gold.items()}),
                topics=1,
                queries=after.ratings.queries([number]),
                pairs=after.pairs_of(number),
                overruling=overruled[number],
            )
        topic_figures.append(
            TopicFigures(topic, rated, decided, topic.not_yet_rated, topic.not_yet_decided)
        )
    return topic_figures


def _apart(figures: dict[str, Summary]) -> tuple[dict[str, Summary], dict[str, Summary]]:
    """The four of the table, and the further ones."""
    return (
        {name: figures[name] for name in MEASURE_NAMES},
        {name: figures[name] for name in FURTHER_NAMES},
    )


def _row(counted: Counted, kind: SummaryKind) -> Row:
    """With gold after adjudication, between raters before it."""
    topics = counted.topics
    figures = summarised(topics, ALL_MEASURES, kind=kind, comparing=_comparing(counted))
    number = range(topics.topics)
    return Row(*_apart(figures), topics.topics, counted.ratings.queries(number), topics.pairs)


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
    return Row(*_apart(figures), len(rows), counted.ratings.queries(rows), topics.pairs)


def _comparing(counted: Counted) -> Comparing:
    return Comparing.WITH_LAST if counted.with_gold else Comparing.BETWEEN_RATERS


def _of_grade(cut: Cut, rated: RatedTopics, decided: RatedTopics, kind: SummaryKind) -> OfGrade:
    before, after = (topics.as_two_values(cut.upper) for topics in (rated, decided))
    return OfGrade(
        cut,
        summarised(before, GRADE_NAMES, kind=kind),
        summarised(after, GRADE_NAMES, kind=kind, comparing=Comparing.WITH_LAST),
    )


def _facet_figures(
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
