"""A balanced plan of who rates what: pure functions, no database.

Every batch gets different annotators, the load in pairs is evened out, and annotator pairs are
mixed so that agreement is not that of two people alone.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice

Member = Hashable


@dataclass(frozen=True)
class BatchNeed:
    """A batch to be staffed: `size` in pairs, free seats by ordinal, and who may not sit there
    (`barred`: everybody who holds or ever held one of its seats, or could read its ratings)."""

    key: Hashable
    size: int
    free_ordinals: Sequence[int]
    barred: Collection[Member] = field(default=frozenset())
    sitting: Collection[Member] = field(default=frozenset())


@dataclass(frozen=True)
class Placement:
    batch: Hashable
    ordinal: int
    member: Member


@dataclass(frozen=True)
class Plan:
    """`placements` to make, and `unfilled` seats for which nobody was left, as (batch, ordinal)."""

    placements: Sequence[Placement]
    unfilled: Sequence[tuple[Hashable, int]]
    loads: Mapping[Member, int]


def plan_assignment(
    batches: Sequence[BatchNeed],
    members: Sequence[Member],
    loads: Mapping[Member, int] | None = None,
    together: Mapping[frozenset[Member], int] | None = None,
) -> Plan:
    """Place members on free seats, largest batch first.

    `loads` is the number of pairs each member already has; `together` how many batches two members
    already share. It considers the groups that leave the loads no further apart than the largest
    batch, or than earlier loads and holders force. Of these it takes the group whose members have
    met least, then the most even one, then the first in the order of `members`. The seat order
    alternates, so that nobody is always the first rater. Deterministic: the same input gives the
    same plan.
    """
    load = Counter(dict.fromkeys(members, 0))
    load.update({m: n for m, n in (loads or {}).items() if m in load})
    shared = Counter(together or {})
    first_seats: Counter[Member] = Counter()
    rank = {member: index for index, member in enumerate(members)}
    placements: list[Placement] = []
    unfilled: list[tuple[Hashable, int]] = []
    largest = max((batch.size for batch in batches), default=0)
    for need in sorted(batches, key=lambda b: -b.size):
        eligible = sorted(
            (m for m in members if m not in need.barred), key=lambda m: (load[m], rank[m])
        )
        group_size = min(len(need.free_ordinals), len(eligible))
        group = _best_group(need, eligible, group_size, load, shared, rank, largest)
        group = sorted(group, key=lambda m: (first_seats[m], rank[m]))
        if group:
            first_seats[group[0]] += 1
        for ordinal, member in zip(need.free_ordinals, group, strict=False):
            placements.append(Placement(need.key, ordinal, member))
            load[member] += need.size
        unfilled += [(need.key, ordinal) for ordinal in need.free_ordinals[group_size:]]
        shared.update(frozenset(pair) for pair in combinations([*group, *need.sitting], 2))
    return Plan(placements, unfilled, dict(load))


def _best_group(need, eligible, group_size, load, shared, rank, largest):
    """The best group of `group_size` eligible members, which are given least loaded first.

    Only the least loaded few are combined, so that the search stays small with many members.
    """
    if not group_size:
        return []

    most = max(load.values())
    ascending = sorted(load, key=load.__getitem__)

    def spread(group):
        """Loads only grow, so the least is that of the group or of the first beside it."""
        beside = islice((load[m] for m in ascending if m not in group), 1)
        after = [load[m] + need.size for m in group]
        return max([*after, most]) - min([*after, *beside])

    def met(group):
        return sum(shared[frozenset(two)] for two in combinations([*group, *need.sitting], 2))

    spreads = {
        group: spread(group) for group in combinations(eligible[: group_size + 4], group_size)
    }
    tolerated = max(largest, min(spreads.values()))
    return min(
        (group for group in spreads if spreads[group] <= tolerated),
        key=lambda group: (met(group), spreads[group], [rank[m] for m in group]),
    )
