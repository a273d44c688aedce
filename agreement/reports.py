"""The agreement report of a collection: CSFCube's Table 2, live, with what it rests on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from agreement.ratings import Part, Scale, TopicRatings, get_scale, get_topic_ratings
from agreement.statistics import (
    MEASURES,
    CannotJudge,
    Disagreement,
    Overruling,
    Summary,
    SummaryKind,
    between_raters,
    confusion,
    counted_pairs,
    counted_ratings,
    disagreement,
    disagreement_in_all,
    mean,
    median,
    overruling,
    overruling_in_all,
    with_gold,
)
from agreement.statistics.lists import Values
from datasets.models import Collection

MEASURE_NAMES = {
    "rho": "Spearman's rho",
    "alpha": "Krippendorff's alpha, ordinal",
    "kappa": "Cohen's kappa, unweighted",
    "percent": "Percent agreement",
}
SUMMARY_NAMES = {
    SummaryKind.MEDIAN: "median over queries",
    SummaryKind.MEAN: "mean over queries",
    SummaryKind.POOLED: "all pairs pooled",
}


@dataclass(frozen=True)
class Row:
    """The four measures over some pairs, and how many topics and pairs they rest on."""

    measures: dict[str, Summary]
    topics: int
    pairs: int


@dataclass(frozen=True)
class Rated(Row):
    """One topic before adjudication; `parts` are its ratings as they count under the rule."""

    disagreement: Disagreement
    parts: tuple[Values, ...]


@dataclass(frozen=True)
class Decided(Row):
    """One topic after adjudication; `parts` are ratings and gold of the pairs that have gold."""

    overruling: Overruling
    parts: tuple[tuple[Values, Values], ...]


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
    counts over all of their pairs. `confusion` counts first seat (rows) against second seat.
    """

    key: str
    name: str
    topics: int
    before: Row
    after: Row
    disagreement: Disagreement
    confusion: list[list[int]]
    overruling: Overruling
    overruling_share: Summary


@dataclass(frozen=True)
class Report:
    collection: Collection
    scale: Scale
    cannot_judge: CannotJudge
    summary: SummaryKind
    facets: list[FacetFigures]
    whole: FacetFigures
    topics: list[TopicFigures]

    @property
    def withheld(self) -> list[TopicRatings]:
        return [figures.topic for figures in self.topics if figures.topic.withheld]

    @property
    def mixed(self) -> list[TopicRatings]:
        return [figures.topic for figures in self.topics if figures.topic.mixed_seats]

    @property
    def rule_in_words(self) -> str:
        if self.cannot_judge is CannotJudge.DROP:
            return "Pairs with a “cannot judge” are left out of every figure."
        return f"“Cannot judge” counts as the lowest value, {self.scale.lowest:g}."


def report_on(
    collection: Collection,
    *,
    viewer=None,
    cannot_judge: CannotJudge = CannotJudge.LOWEST,
    summary: SummaryKind = SummaryKind.MEDIAN,
) -> Report:
    """Figures before adjudication come from topics with every seat handed in, those after it from
    topics that moreover have no pair left to decide.

    A viewer who holds or ever held a seat of an unfinished batch gets nothing of its topic.
    Without a viewer, as on the command line, all is told. The default rule for "cannot judge" is
    the one the published table came about with.
    """
    scale = get_scale(collection.scheme)
    topics = [
        _topic_figures(topic, scale, cannot_judge)
        for topic in get_topic_ratings(collection, viewer=viewer)
    ]
    wording = collection.scheme.current.wording["facets"]
    used = {figures.topic.facet for figures in topics}
    facets = [
        _facet_figures(
            facet.key,
            wording.get(facet.key, {}).get("name", facet.key),
            [figures for figures in topics if figures.topic.facet == facet.key],
            scale,
            summary,
        )
        for facet in collection.scheme.facets.all()
        if facet.key in used
    ]
    whole = _facet_figures("", "All", topics, scale, summary)
    return Report(collection, scale, cannot_judge, summary, facets, whole, topics)


def _topic_figures(topic: TopicRatings, scale: Scale, rule: CannotJudge) -> TopicFigures:
    before = after = None
    if topic.is_rated:
        rated = tuple(counted_ratings(p.ratings, rule, lowest=scale.lowest) for p in topic.parts)
        before = Rated(
            measures=between_raters(*rated),
            topics=1,
            pairs=sum(part.shape[1] for part in rated),
            disagreement=disagreement_in_all(disagreement(part) for part in rated),
            parts=rated,
        )
    if topic.is_decided:
        decided = tuple(_decided(part, scale, rule) for part in topic.parts)
        after = Decided(
            measures=with_gold(*decided),
            topics=1,
            pairs=sum(len(gold) for _, gold in decided),
            overruling=overruling_in_all(overruling(*part) for part in decided),
            parts=decided,
        )
    return TopicFigures(
        topic=topic,
        before=before,
        after=after,
        not_yet_before="" if before else _not_rated(topic),
        not_yet_after="" if after else _not_decided(topic),
    )


def _decided(part: Part, scale: Scale, rule: CannotJudge) -> tuple[Values, Values]:
    """Ratings and gold of the pairs that count under the rule and have a gold value."""
    kept = counted_pairs(part.ratings, rule) & ~np.isnan(part.gold)
    return counted_ratings(part.ratings[:, kept], rule, lowest=scale.lowest), part.gold[kept]


def _not_rated(topic: TopicRatings) -> str:
    if topic.withheld:
        return "left out while you hold or held a seat and the batch is unfinished"
    if not topic.pairs:
        return "no pairs"
    if topic.waiting:
        return f"{_pairs(topic.waiting)} in no batch"
    return f"{_pairs(topic.unfinished)} with a seat not handed in"


def _not_decided(topic: TopicRatings) -> str:
    if not topic.is_rated:
        return _not_rated(topic)
    return f"{_pairs(topic.undecided)} to decide"


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count:,} pairs"


def _facet_figures(
    key: str, name: str, topics: Sequence[TopicFigures], scale: Scale, kind: SummaryKind
) -> FacetFigures:
    rated = [figures.before for figures in topics if figures.before]
    decided = [figures.after for figures in topics if figures.after]
    counts = np.zeros((len(scale.values), len(scale.values)), dtype=int)
    for part in (part for topic in rated for part in topic.parts if len(part) > 1):
        counts += confusion(part[0], part[1], values=scale.values)
    if kind is SummaryKind.POOLED:
        before = between_raters(*(part for topic in rated for part in topic.parts))
        after = with_gold(*(part for topic in decided for part in topic.parts))
    else:
        summarise = {SummaryKind.MEDIAN: median, SummaryKind.MEAN: mean}[kind]
        before, after = _over_topics(rated, summarise), _over_topics(decided, summarise)
    return FacetFigures(
        key=key,
        name=name,
        topics=len(topics),
        before=Row(before, len(rated), sum(topic.pairs for topic in rated)),
        after=Row(after, len(decided), sum(topic.pairs for topic in decided)),
        disagreement=disagreement_in_all(topic.disagreement for topic in rated),
        confusion=counts.tolist(),
        overruling=overruling_in_all(topic.overruling for topic in decided),
        overruling_share=mean(topic.overruling.share for topic in decided),
    )


def _over_topics(rows: Sequence[Row], summarise: Callable[..., Summary]) -> dict[str, Summary]:
    return {name: summarise(row.measures[name].figure for row in rows) for name in MEASURES}
