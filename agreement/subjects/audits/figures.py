"""The share of agreed pairs to which an adjudicator gives another value.

Pure functions over the pairs that an audit drew. Errors are counted against the consensus at the
time of the draw. Not judged, and counted apart: pairs that wait, that were left out of the gold,
and whose ratings changed between draw and decision.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agreement.statistics import Figure, Interval, Reason, binomial_interval, binomial_upper_bound
from agreement.tables.cells import rounded_up


@dataclass(frozen=True)
class AuditedRow:
    """One drawn pair. `consensus` is None for a control; `value` is None while `is_decided` is
    false, and for a pair that the adjudicator left out.

    `key` is what a page needs to find the pair again, `adjudicator` whoever decided it. `facet` is
    its key. `labels` are what people call the values where these have no order, by value.
    """

    key: object
    position: int
    topic: str
    document: str
    title: str
    facet: str
    is_control: bool
    consensus: float | None
    is_decided: bool = False
    value: float | None = None
    option: str = ""
    reason: str = ""
    has_changed: bool = False
    adjudicator: object = None
    labels: Mapping[float, str] = field(default_factory=dict)

    @property
    def is_judged(self) -> bool:
        """An agreed pair that the error rate counts."""
        return not self.is_control and self.value is not None and not self.has_changed

    @property
    def differs(self) -> bool:
        """Whether the adjudicator gave another value than the consensus."""
        return self.is_judged and self.value != self.consensus

    @property
    def difference(self) -> float | None:
        """The adjudicator's value less the consensus; None where there is nothing to compare, and
        for labels."""
        if self.value is None or self.consensus is None or self.has_changed or self.labels:
            return None
        # Of decimals, 0.3 - 0.2 and 0.2 - 0.1 differ in the last bit and are one difference.
        return round(self.value - self.consensus, 9)

    def shown(self, value: float | None) -> float | str | None:
        """One of its two values as people call it."""
        return self.labels.get(value, value) if value is not None else None


@dataclass(frozen=True)
class Rate:
    """Of so many agreed pairs judged, `differing` have another value."""

    drawn: int
    judged: int
    differing: int
    excluded: int
    changed: int

    @property
    def waiting(self) -> int:
        return self.drawn - self.judged - self.excluded - self.changed

    @property
    def share(self) -> Figure:
        """The error rate, from 0 to 1."""
        if not self.judged:
            return Figure.undefined(Reason.NO_PAIRS)
        return Figure(self.differing / self.judged)

    @cached_property
    def upper_bound(self) -> Interval:
        """One-sided, exact, at 95%: the rate is higher with a probability of 5% at most."""
        return binomial_upper_bound(self.differing, self.judged)

    @cached_property
    def interval(self) -> Interval:
        """Two-sided, exact, at 95%."""
        return binomial_interval(self.differing, self.judged)

    @property
    def at_most(self) -> str:
        """The upper bound as percent, rounded up so that it stays one; empty without pairs."""
        return "" if self.upper_bound.high is None else rounded_up(self.upper_bound.high)


@dataclass(frozen=True)
class Controls:
    drawn: int
    decided: int
    excluded: int

    @property
    def waiting(self) -> int:
        return self.drawn - self.decided - self.excluded


@dataclass(frozen=True)
class AuditReport:
    """The figures of an audit; `population` is how many agreed pairs it was drawn from, `facets`
    the names of facets by their keys, in the scheme's order."""

    population: int
    rows: list[AuditedRow]
    facets: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def agreed(self) -> list[AuditedRow]:
        return [row for row in self.rows if not row.is_control]

    @cached_property
    def whole(self) -> Rate:
        return rate_of(self.agreed)

    @cached_property
    def by_facet(self) -> list[tuple[str, Rate]]:
        """(key of a facet, rate) in the order of the facets."""
        rows = defaultdict(list)
        for row in self.agreed:
            rows[row.facet].append(row)
        return [(facet, rate_of(rows[facet])) for facet in self.facets if facet in rows]

    @cached_property
    def differences(self) -> list[tuple[float, int]]:
        """(value less consensus, pairs) of the pairs with another value, lowest first."""
        counts = Counter(row.difference for row in self.differing if row.difference is not None)
        return sorted(counts.items())

    @property
    def differing(self) -> list[AuditedRow]:
        """The pairs with another value, the largest difference first, then as they were drawn."""
        rows = [row for row in self.agreed if row.differs]
        return sorted(rows, key=lambda row: (-abs(row.difference or 0), row.position))

    @property
    def has_order(self) -> bool:
        """Whether differences of its pairs have a size: not where all are of labels."""
        return not self.rows or any(not row.labels for row in self.rows)

    @cached_property
    def controls(self) -> Controls:
        controls = [row for row in self.rows if row.is_control]
        decided = sum(row.value is not None for row in controls)
        return Controls(len(controls), decided, sum(row.is_decided for row in controls) - decided)

    @cached_property
    def topics(self) -> tuple[int, int]:
        """The number of topics of the agreed pairs, and the number of those in which no control
        hides that pairs are agreed."""
        agreed = {row.topic for row in self.agreed}
        return len(agreed), len(agreed - {row.topic for row in self.rows if row.is_control})

    @property
    def sentence(self) -> str:
        """The result in one sentence, as a paper may print it."""
        rate = self.whole
        if not rate.judged:
            return "No agreed pair of this audit is judged yet."
        pairs = "agreed pair has" if self.population == 1 else "agreed pairs have"
        return (
            f"With 95% confidence, at most {rate.at_most} of the {self.population:,} {pairs} "
            "another value."
        )


def rate_of(rows: Iterable[AuditedRow]) -> Rate:
    """The rate over agreed pairs; controls among the rows are passed over."""
    agreed: Sequence[AuditedRow] = [row for row in rows if not row.is_control]
    judged = [row for row in agreed if row.is_judged]
    changed = sum(row.is_decided and row.has_changed for row in agreed)
    return Rate(
        drawn=len(agreed),
        judged=len(judged),
        differing=sum(row.differs for row in judged),
        excluded=sum(row.is_decided for row in agreed) - len(judged) - changed,
        changed=changed,
    )
