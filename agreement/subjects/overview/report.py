"""The agreement table of a collection: CSFCube's Table 2, live, with what it rests on."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from agreement.statistics import CannotJudge, Over, SummaryKind
from agreement.study.counted import Counted, TopicRatings, count, finished_of, progress_of
from agreement.study.filters import Filters
from agreement.study.intervals import Wanted
from agreement.study.ratings import Ratings, read_ratings_of
from agreement.study.scales import DIFFERENT_SCALES, Measures, Scale, measures_of
from agreement.study.selection import Selection, kept
from agreement.subjects.overview.figures import (
    FacetFigures,
    Side,
    TopicFigures,
    facet_figures,
    topic_figures,
)
from agreement.tables.columns import Unit, raters_in_words, rule_in_words
from datasets.models import Collection


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
    _wanted: dict[int, Wanted] = field(default_factory=dict, compare=False, repr=False)

    def wanted_of(self, topic: int) -> Wanted:
        """The intervals of one rated topic, by its number: its pairs are resampled."""
        if topic not in self._wanted:
            self._wanted[topic] = Wanted(
                self.before.topics.alone(topic),
                tuple(measures_of(self.scale).names),
                SummaryKind.POOLED,
                Over.PAIRS,
                method=self.filters.method,
            )
        return self._wanted[topic]

    @cached_property
    def finished(self) -> Counted:
        return finished_of(self.ratings, self.filters.cannot_judge)

    @property
    def rows(self) -> list[FacetFigures]:
        """Those of the table: every facet, and all. A facet alone with a scale of its own is never
        put together with others, so all of it would be the same row again."""
        is_alone = len(self.facets) == 1 and "" not in self.ratings.scales
        return self.facets if is_alone else [*self.facets, self.whole]

    @property
    def measures(self) -> Measures:
        """All that its rows have."""
        return measures_of(*self.ratings.scales_in_use)

    @property
    def cannot_judge(self) -> CannotJudge:
        return self.filters.cannot_judge

    @property
    def summary(self) -> SummaryKind:
        return self.filters.summary

    @property
    def raters(self) -> int:
        """The number of seats of the pairs that were compared, of those with the most."""
        if self.ratings.has_different_scales:
            return max(self._overlaps, default=0)
        return self.before.topics.raters

    @property
    def raters_in_words(self) -> str:
        """ "two", or "two to three" where pairs differ."""
        return raters_in_words(self._overlaps)

    @cached_property
    def _overlaps(self) -> set[int]:
        """How many seats the pairs have; of facets that nothing puts together, of each."""
        if self.ratings.has_different_scales:
            return {seats for facet in self.facets for seats in facet.pairs_by_raters}
        return set(self.before.overlaps)

    @property
    def compared_in_words(self) -> str:
        """The lists that are compared, with the number of pairs if these differ."""
        two = "the mean over every two seats" if self.raters > 2 else "first seat and second"
        if self.raters > 2 and not self.scale.is_ordinal:
            two = f"alpha of all seats at once, the others {two}"
        compared = self.whole.compared
        if len(set(compared.values())) > 1:
            words = ", ".join(
                f"{first} and {second} over {pairs:,}"
                for (first, second), pairs in compared.items()
            )
            two = f"{two} (seats {words} pairs)"
        after = (
            f"After: the mean over seats of a seat's ratings and the gold, per "
            f"{self.unit.singular}; undefined where that of one seat is. {self.whole.on_one_rater}"
        )
        raters = f"Pairs of {self.raters_in_words} rater{'' if self.raters == 1 else 's'}."
        return f"{raters} Before: {two}. {after.strip()}"

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
        scales = self.ratings.scales_in_use
        lowest = [scale.lowest for scale in scales if scale.is_ordinal]
        filters = self.filters if lowest else self.filters.of_labels
        return rule_in_words(filters.cannot_judge, *lowest, has_labels=len(lowest) < len(scales))


def report_on(
    collection: Collection,
    *,
    cannot_judge: CannotJudge = CannotJudge.LOWEST,
    summary: SummaryKind = SummaryKind.MEDIAN,
) -> Report:
    """The report over everything in the collection, as on the command line; see `report_of`.

    The default rule for "cannot judge" is the one the published table came about with.
    """
    filters = Filters(cannot_judge=cannot_judge, summary=summary)
    return report_of(collection, read_ratings_of(collection), filters)


def report_of(
    collection: Collection,
    ratings: Ratings,
    filters: Filters,
    progress: list[TopicRatings] | None = None,
) -> Report:
    """Figures of these pairs: before adjudication from topics with every seat handed in, after it
    from topics that moreover have no pair left to decide. `progress` is theirs, where it is at
    hand."""
    if ratings.has_different_scales:
        return _report_by_facet(collection, ratings, filters)
    if not ratings.scale.is_ordinal:
        filters = filters.of_labels
    progress = progress or progress_of(ratings)
    rated = np.array([topic.is_rated for topic in progress], dtype=bool)
    decided = np.array([topic.is_decided for topic in progress], dtype=bool)
    before = count(ratings.only(rated[ratings.topic]), filters.cannot_judge)
    after = count(ratings.only(decided[ratings.topic]), filters.cannot_judge, with_gold=True)
    sides = Side(before), Side(after)
    topics = topic_figures(progress, *sides)
    facets = [
        facet_figures(facet, name, topics, *sides, filters.summary)
        for facet, name in facet_names(collection, {topic.facet for topic in progress}).items()
    ]
    whole = facet_figures("", "All", topics, *sides, filters.summary)
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
    whole = facet_figures("", DIFFERENT_SCALES, [], Side(before), Side(after), filters.summary)
    return Report(collection, ratings.scale, filters, before, after, facets, whole, topics, ratings)


def report_for(selection: Selection) -> Report:
    """Of the chosen pairs and those of the other facets beside them."""
    return _report_of(selection.whole)


def whole_report_for(selection: Selection) -> Report:
    """The same for a file of everything: of other facets on other scales, too."""
    return _report_of(selection.of_every_facet)


@kept
def _report_of(selection: Selection) -> Report:
    return report_of(selection.collection, selection.chosen, selection.filters, selection.progress)


def rows_chosen(selection: Selection, report: Report) -> tuple[FacetFigures, list[TopicFigures]]:
    """The row of the facet that the filters choose, and its topics."""
    key = selection.filters.facet_key
    facet = next((row for row in report.rows if row.key == key), report.whole)
    return facet, [figures for figures in report.topics if facet.key in ("", figures.topic.facet)]


def facet_names(collection: Collection, used: set[str]) -> dict[str, str]:
    """{key: name} of the facets in use, in the order of the scheme."""
    words = collection.scheme.current.words
    return {
        facet.key: words.facet_name(facet.key)
        for facet in collection.scheme.shown_facets
        if facet.key in used
    }
