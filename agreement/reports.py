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
class TopicFigures:
    """One topic under one rule; `before` and `after` are None as long as it is not that far."""

    topic: TopicRatings
    before: Row | None
    after: Row | None
    disagreement: Disagreement | None
    overruling: Overruling | None
    not_yet_before: str
    not_yet_after: str
    rated: tuple[Values, ...] = ()
    decided: tuple[tuple[Values, Values], ...] = ()


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
    collection: object
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
    collection,
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
    rated = tuple(counted_ratings(part.ratings, rule, lowest=scale.lowest) for part in topic.parts)
    decided = tuple(_decided(part, scale, rule) for part in topic.parts)
    before = after = differing = overruled = None
    if topic.is_rated:
        before = Row(between_raters(*rated), 1, sum(part.shape[1] for part in rated))
        differing = disagreement_in_all(disagreement(part) for part in rated)
    if topic.is_decided:
        after = Row(with_gold(*decided), 1, sum(len(gold) for _, gold in decided))
        overruled = overruling_in_all(overruling(*part) for part in decided)
    return TopicFigures(
        topic=topic,
        before=before,
        after=after,
        disagreement=differing,
        overruling=overruled,
        not_yet_before="" if before else _not_rated(topic),
        not_yet_after="" if after else _not_decided(topic),
        rated=rated,
        decided=decided if after else (),
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
    rated = [figures for figures in topics if figures.before]
    decided = [figures for figures in topics if figures.after]
    counts = np.zeros((len(scale.values), len(scale.values)), dtype=int)
    for part in (part for figures in rated for part in figures.rated if len(part) > 1):
        counts += confusion(part[0], part[1], values=scale.values)
    if kind is SummaryKind.POOLED:
        before = between_raters(*(part for figures in rated for part in figures.rated))
        after = with_gold(*(part for figures in decided for part in figures.decided))
    else:
        summarise = {SummaryKind.MEDIAN: median, SummaryKind.MEAN: mean}[kind]
        before = _over_topics([figures.before for figures in rated], summarise)
        after = _over_topics([figures.after for figures in decided], summarise)
    return FacetFigures(
        key=key,
        name=name,
        topics=len(topics),
        before=Row(before, len(rated), sum(figures.before.pairs for figures in rated)),
        after=Row(after, len(decided), sum(figures.after.pairs for figures in decided)),
        disagreement=disagreement_in_all(figures.disagreement for figures in rated),
        confusion=counts.tolist(),
        overruling=overruling_in_all(figures.overruling for figures in decided),
        overruling_share=mean(figures.overruling.share for figures in decided),
    )


def _over_topics(rows: Sequence[Row], summarise: Callable[..., Summary]) -> dict[str, Summary]:
    return {name: summarise(row.measures[name].figure for row in rows) for name in MEASURES}
