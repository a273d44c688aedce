"""The values on which raters differ, their distances, and the outcomes."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from agreement.statistics import (
    Disagreement,
    Interval,
    binomial_interval,
    disagreement_in_all,
    extremes,
)
from agreement.statistics.arrays import Values
from agreement.study.counted import Counted
from agreement.study.ratings import Ratings
from agreement.study.rows import ADJUDICATED, CONSENSUS, EXCLUDED, Mask
from agreement.study.scales import Scale
from agreement.study.selection import Selection, kept
from agreement.subjects.overview.figures import FacetFigures
from agreement.subjects.overview.report import Report, report_for, rows_chosen
from formats.decimals import printed_grade


class Outcome(StrEnum):
    """The outcome of a pair whose raters gave different values.

    The first four are an adjudicator's: the lowest of the ratings, the highest, a value strictly
    between them, or one below or above them all. Of labels there are two: one that a rater gave,
    or another. RULE: the consensus rule settled it, as a majority does.
    """

    LOWER = "lower"
    HIGHER = "higher"
    BETWEEN = "between"
    NEITHER = "neither"
    GIVEN = "a rater's label"
    OTHER = "another label"
    EXCLUDED = "excluded"
    RULE = "settled by the rule"
    OPEN = "to decide"


DECIDED = (Outcome.LOWER, Outcome.HIGHER, Outcome.BETWEEN, Outcome.NEITHER)
DECIDED_LABELS = (Outcome.GIVEN, Outcome.OTHER)
# The word for all of these in the addresses of lists.
WITH_VALUE = "decided"


@dataclass(frozen=True)
class Outcomes:
    """Pairs with different values under one heading, by what became of them."""

    name: str
    counts: dict[Outcome, int]
    ways: tuple[Outcome, ...] = DECIDED  # an adjudicator's
    cell: str = ""  # by which a list of its pairs is named

    @property
    def pairs(self) -> int:
        return sum(self.counts.values())

    @property
    def decided(self) -> int:
        """Those that an adjudicator gave a value; the shares are of these."""
        return sum(self.counts[outcome] for outcome in self.ways)

    @property
    def shares(self) -> list[tuple[Outcome, int, float | None, Interval | None]]:
        """(outcome, pairs, share from 0 to 1, exact 95% interval) of the decided ones."""
        return [
            (
                outcome,
                self.counts[outcome],
                self.counts[outcome] / self.decided if self.decided else None,
                binomial_interval(self.counts[outcome], self.decided) if self.decided else None,
            )
            for outcome in self.ways
        ]


@dataclass(frozen=True)
class Part:
    """A facet, or all: how many pairs, how far apart, and what became of those that differ."""

    key: str
    name: str
    disagreement: Disagreement
    outcomes: Outcomes

    @property
    def alike(self) -> int:
        """Pairs whose raters gave one value."""
        return self.disagreement.pairs - self.disagreement.differing


@dataclass(frozen=True)
class Disagreements:
    """`splits` are the differing pairs of the chosen facet by lowest and highest value, or by the
    labels given, the most common first; `causes` those decided, by the cause that was recorded."""

    parts: list[Part]
    confusion: npt.NDArray[np.int_]
    splits: list[Outcomes]
    causes: list[Outcomes]


@dataclass(frozen=True)
class DisagreementsShown:
    """The figures of the page; `distances` are all that occur, ascending."""

    report: Report
    facet: FacetFigures
    figures: Disagreements
    distances: list[float]

    @property
    def scale(self) -> Scale:
        return self.report.scale

    @property
    def ways(self) -> tuple[Outcome, ...]:
        return DECIDED if self.scale.is_ordinal else DECIDED_LABELS


@kept
def disagreements_shown(selection: Selection) -> DisagreementsShown:
    report = report_for(selection)
    facet, _ = rows_chosen(selection, report)
    rows = report.rows
    figures = disagreements_of(
        report.before,
        [(row.key, row.name, row.disagreement) for row in rows],
        facet=facet.key,
        causes=selection.collection.scheme.current.words.cause_names,
    )
    distances = sorted(disagreement_in_all(row.disagreement for row in rows).by_distance)
    return DisagreementsShown(report, facet, figures, distances)


def disagreements_of(
    counted: Counted, parts: Sequence[tuple[str, str, Disagreement]], *, facet: str, causes: dict
) -> Disagreements:
    """Of pairs that count before adjudication. `parts` are (key, name, distances) of the rows to
    show, "" the key of all; `causes` maps keys of causes to their names."""
    ratings = counted.ratings
    lowest, highest = extremes(ratings.values)
    became = became_of(ratings, lowest, highest)
    differs = highest > lowest
    facets = np.array([topic.facet for topic in ratings.topics])
    of_facet = facets[ratings.topic] if ratings.size else np.empty(0, dtype="U1")

    def in_part(key: str) -> Mask:
        return differs & (of_facet == key) if key else differs

    chosen = in_part(facet)
    numbers = [
        number
        for number, facet_of_topic in enumerate(facets.tolist())
        if facet in ("", facet_of_topic)
    ]
    return Disagreements(
        parts=[
            Part(key, name, distances, _outcomes(ratings, name, became[in_part(key)]))
            for key, name, distances in parts
        ],
        confusion=counted.confusion(numbers),
        splits=_splits(ratings, lowest, highest, became, chosen),
        causes=_causes(ratings, became, chosen, causes),
    )


def became_of(ratings: Ratings, lowest: Values, highest: Values) -> npt.NDArray[np.object_]:
    gold, origin = ratings.gold, ratings.origin
    became = np.full(ratings.size, Outcome.OPEN, dtype=object)
    became[origin == CONSENSUS] = Outcome.RULE
    became[origin == EXCLUDED] = Outcome.EXCLUDED
    decided = origin == ADJUDICATED
    if not ratings.scale.is_ordinal:
        became[decided] = Outcome.OTHER
        became[decided & (ratings.values == gold).any(axis=0)] = Outcome.GIVEN
        return became
    became[decided] = Outcome.NEITHER
    became[decided & (gold > lowest) & (gold < highest)] = Outcome.BETWEEN
    became[decided & (gold == lowest)] = Outcome.LOWER
    became[decided & (gold == highest)] = Outcome.HIGHER
    return became


def _outcomes(
    ratings: Ratings, name: str, became: npt.NDArray[np.object_], cell: str = ""
) -> Outcomes:
    counts = {outcome: int((became == outcome).sum()) for outcome in Outcome}
    ways = DECIDED if ratings.scale.is_ordinal else DECIDED_LABELS
    return Outcomes(name, counts, ways, cell)


def _splits(ratings, lowest, highest, became, chosen) -> list[Outcomes]:
    if not ratings.scale.is_ordinal:
        return _splits_of_labels(ratings, became, chosen)
    values = ratings.scale.values
    splits = [
        _outcomes(
            ratings,
            f"{printed_grade(low)} and {printed_grade(high)}",
            became[chosen & (lowest == low) & (highest == high)],
            cell=f"{low:g},{high:g}",
        )
        for low in values
        for high in values
        if low < high
    ]
    return sorted(
        (outcomes for outcomes in splits if outcomes.pairs), key=lambda outcomes: -outcomes.pairs
    )


def labels_given(ratings: Ratings) -> Mask:
    """(values of the scale, pairs): whether a rater of the pair gave the label."""
    return np.array([(ratings.values == value).any(axis=0) for value in ratings.scale.values])


def _splits_of_labels(ratings, became, chosen) -> list[Outcomes]:
    """By the labels that raters of a pair gave, whoever gave which: "theory / survey"."""
    given, scale = labels_given(ratings), ratings.scale
    splits = []
    for labels in np.unique(given[:, chosen], axis=1).T:
        places = np.flatnonzero(labels).tolist()
        mask = chosen & (given == labels[:, np.newaxis]).all(axis=0)
        splits.append(
            _outcomes(
                ratings,
                " / ".join(scale.words[place] for place in places),
                became[mask],
                cell=",".join(scale.names[place] for place in places),
            )
        )
    return sorted(splits, key=lambda outcomes: -outcomes.pairs)


def _causes(ratings, became, chosen, names) -> list[Outcomes]:
    decided = chosen & ratings.is_decided
    used = np.unique(ratings.cause[decided]).tolist()
    cause_keys = [key for key in names if key in used]
    others = [key for key in used if key and key not in names]
    by_cause = [
        _outcomes(ratings, names.get(key, key), became[decided & (ratings.cause == key)], cell=key)
        for key in (*cause_keys, *others)
    ]
    if "" in used:
        without = became[decided & (ratings.cause == "")]
        by_cause.append(_outcomes(ratings, "no cause recorded", without))
    return by_cause
