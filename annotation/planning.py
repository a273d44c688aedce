"""A balanced plan of who rates what: pure functions, no database.

Every batch gets different annotators, the load in pairs is evened out, and annotator pairs are
mixed so that agreement is not that of two people alone.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

Member = Hashable


@dataclass(frozen=True)
class BatchNeed:
    """A batch to be staffed: `size` in pairs, free seats by ordinal, and who may not sit there
    (`held_by`: everybody who holds or ever held one of its seats)."""

    key: Hashable
    size: int
    free_ordinals: Sequence[int]
    held_by: Collection[Member] = field(default=frozenset())
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
    """Place members on free seats, largest batch first, the least loaded first.

    `loads` is the number of pairs each member already has; `together` how many batches two
    members already share. Among groups of equal load the one that has worked together least is
    taken, then the one first in `members`. The seat order alternates, so that nobody is always
    the first rater. Deterministic: the same input gives the same plan.
    """
    load = Counter(dict.fromkeys(members, 0))
    load.update({m: n for m, n in (loads or {}).items() if m in load})
    shared = Counter(together or {})
    first_seats: Counter[Member] = Counter()
    rank = {member: index for index, member in enumerate(members)}
    placements: list[Placement] = []
    unfilled: list[tuple[Hashable, int]] = []
    for need in sorted(batches, key=lambda b: -b.size):
        eligible = sorted(
            (m for m in members if m not in need.held_by), key=lambda m: (load[m], rank[m])
        )
        wanted = min(len(need.free_ordinals), len(eligible))
        group = _best_group(eligible, wanted, need.sitting, load, shared, rank)
        group = sorted(group, key=lambda m: (first_seats[m], rank[m]))
        if group:
            first_seats[group[0]] += 1
        for ordinal, member in zip(need.free_ordinals, group, strict=False):
            placements.append(Placement(need.key, ordinal, member))
            load[member] += need.size
        unfilled += [(need.key, ordinal) for ordinal in need.free_ordinals[wanted:]]
        shared.update(frozenset(pair) for pair in combinations([*group, *need.sitting], 2))
    return Plan(placements, unfilled, dict(load))


def _best_group(eligible, wanted, sitting, load, shared, rank):
    """`wanted` members: the least loaded, and among near equals those who met least.

    Only the least loaded few are combined, so that the search stays small with many members.
    """
    if not wanted:
        return []
    near = eligible[: wanted + 4]

    def cost(group):
        met = sum(shared[frozenset(pair)] for pair in combinations([*group, *sitting], 2))
        loads = sorted((load[m] for m in group), reverse=True)
        return (loads, met, [rank[m] for m in group])

    return min(combinations(near, wanted), key=cost)
