from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.assigning.planning import BatchNeed, Placement, plan_assignment

MEMBERS = ["alice", "bob", "dan", "eve", "fay", "gus"]


@st.composite
def fresh_studies(draw):
    """Batches with nobody in them, and enough people to fill every one."""
    overlap = draw(st.integers(1, 3))
    members = MEMBERS[: draw(st.integers(overlap, len(MEMBERS)))]
    sizes = draw(st.lists(st.integers(1, 250), min_size=1, max_size=25))
    ordinals = list(range(1, overlap + 1))
    return [BatchNeed(index, size, ordinals) for index, size in enumerate(sizes)], members


@st.composite
def begun_studies(draw):
    """Batches some of whose seats are held, or were, by some of the people."""
    batches = []
    for index in range(draw(st.integers(1, 12))):
        barred = draw(st.sets(st.sampled_from(MEMBERS)))
        sitting = draw(st.sets(st.sampled_from(sorted(barred)))) if barred else set()
        free = list(range(len(sitting) + 1, len(sitting) + 1 + draw(st.integers(1, 3))))
        size = draw(st.integers(1, 250))
        batches.append(BatchNeed(index, size, free, barred=barred, sitting=sitting))
    loads = draw(st.dictionaries(st.sampled_from(MEMBERS), st.integers(0, 500)))
    return batches, loads


def groups(plan):
    """{batch: its members in the order of the seats}."""
    members = {}
    for placed in sorted(plan.placements, key=lambda placed: placed.ordinal):
        members.setdefault(placed.batch, []).append(placed.member)
    return members


@given(fresh_studies())
def test_every_seat_is_filled_and_nobody_sits_twice_in_a_batch(study):
    batches, members = study

    plan = plan_assignment(batches, members)

    assert plan.unfilled == []
    filled = Counter((placed.batch, placed.ordinal) for placed in plan.placements)
    assert filled == Counter((b.key, ordinal) for b in batches for ordinal in b.free_ordinals)
    assert all(len(set(group)) == len(group) for group in groups(plan).values())


@given(fresh_studies())
def test_loads_lie_no_further_apart_than_the_largest_batch(study):
    batches, members = study

    loads = plan_assignment(batches, members).loads

    assert max(loads.values()) - min(loads.values()) <= max(batch.size for batch in batches)


@given(begun_studies())
def test_nobody_gets_a_seat_in_a_batch_that_they_hold_or_held(study):
    batches, loads = study

    plan = plan_assignment(batches, MEMBERS, loads)

    for batch in batches:
        group = groups(plan).get(batch.key, [])
        assert not set(group) & batch.barred
        unfilled = [key for key, _ in plan.unfilled if key == batch.key]
        eligible = [member for member in MEMBERS if member not in batch.barred]
        assert len(group) == min(len(batch.free_ordinals), len(eligible))
        assert len(group) + len(unfilled) == len(batch.free_ordinals)


@given(begun_studies())
def test_the_loads_told_are_the_loads_that_result(study):
    batches, loads = study
    size = {batch.key: batch.size for batch in batches}

    plan = plan_assignment(batches, MEMBERS, loads)

    expected = Counter({member: loads.get(member, 0) for member in MEMBERS})
    for placed in plan.placements:
        expected[placed.member] += size[placed.batch]
    assert plan.loads == dict(expected)


def test_the_same_input_gives_the_same_plan():
    batches = [BatchNeed(index, 50 + index % 7, [1, 2]) for index in range(20)]

    assert plan_assignment(batches, MEMBERS) == plan_assignment(batches, MEMBERS)


def test_annotator_pairs_are_mixed():
    """Pools as large as CSFCube's, all different: with four people all six pairs must meet."""
    batches = [BatchNeed(index, 88 + 7 * index, [1, 2]) for index in range(24)]

    plan = plan_assignment(batches, MEMBERS[:4])

    met = Counter(frozenset(two) for g in groups(plan).values() for two in combinations(g, 2))
    assert sorted(met.values()) == [4, 4, 4, 4, 4, 4]


def test_members_who_met_before_are_parted():
    batches = [BatchNeed("new", 10, [1, 2])]

    plan = plan_assignment(
        batches, ["alice", "bob", "dan"], together={frozenset({"alice", "bob"}): 1}
    )

    assert groups(plan) == {"new": ["alice", "dan"]}


def test_somebody_who_sits_in_the_batch_already_counts_as_met():
    batches = [
        BatchNeed("first", 10, [2], barred={"alice"}, sitting={"alice"}),
        BatchNeed("second", 10, [2], barred={"alice"}, sitting={"alice"}),
    ]

    plan = plan_assignment(batches, ["alice", "bob", "dan"])

    assert groups(plan) == {"first": ["bob"], "second": ["dan"]}


def test_nobody_is_always_the_first_rater():
    batches = [BatchNeed(index, 10, [1, 2]) for index in range(12)]

    plan = plan_assignment(batches, ["alice", "bob", "dan"])

    assert Counter(g[0] for g in groups(plan).values()) == {"alice": 4, "bob": 4, "dan": 4}


def test_too_few_people_leave_seats_unfilled():
    plan = plan_assignment([BatchNeed("batch", 10, [1, 2])], ["alice"])

    assert plan.placements == [Placement("batch", 1, "alice")]
    assert plan.unfilled == [("batch", 2)]


def test_without_batches_nobody_is_placed():
    plan = plan_assignment([], MEMBERS, {"alice": 30, "stranger": 5})

    assert (plan.placements, plan.unfilled) == ([], [])
    assert plan.loads == dict.fromkeys(MEMBERS, 0) | {"alice": 30}


def test_of_many_members_the_least_loaded_are_placed_wherever_they_stand():
    members = [f"m{number:02}" for number in range(12)]
    loads = {member: 100 - 5 * number for number, member in enumerate(members)}

    plan = plan_assignment([BatchNeed("batch", 10, [1, 2])], members, loads)

    assert groups(plan) == {"batch": ["m10", "m11"]}


@pytest.mark.parametrize(
    ("loads", "placed"),
    [
        # Whoever would go beyond the heaviest load counts it, and others do not.
        ({"alice": 0, "bob": 0, "dan": 40}, "alice"),
        ({"alice": 25, "bob": 20, "dan": 40}, "bob"),
        ({"alice": 30, "bob": 20, "dan": 20}, "bob"),
    ],
)
def test_the_most_even_of_equal_groups_is_placed(loads, placed):
    plan = plan_assignment([BatchNeed("batch", 10, [1])], ["alice", "bob", "dan"], loads)

    assert groups(plan) == {"batch": [placed]}


def test_where_one_load_keeps_all_others_apart_members_who_met_least_are_placed():
    """Whoever takes the seat, Eve's pairs are 80 more than the fewest."""
    loads = {"alice": 30, "bob": 20, "dan": 20, "eve": 100}
    met = {frozenset({"fay", name}): 1 for name in ("bob", "dan")}

    plan = plan_assignment(
        [BatchNeed("batch", 10, [1], barred={"fay"}, sitting={"fay"})], [*loads], loads, met
    )

    assert groups(plan) == {"batch": ["alice"]}


def test_members_who_met_share_a_batch_where_others_are_far_too_loaded():
    """To part Alice and Bob would leave loads 90 apart, where the batch has 10 pairs."""
    plan = plan_assignment(
        [BatchNeed("batch", 10, [1, 2])],
        ["alice", "bob", "dan"],
        {"dan": 80},
        {frozenset({"alice", "bob"}): 3},
    )

    assert groups(plan) == {"batch": ["alice", "bob"]}


def test_larger_batches_are_placed_first():
    plan = plan_assignment(
        [BatchNeed("small", 5, [1]), BatchNeed("large", 10, [1])], ["alice", "bob"]
    )

    assert groups(plan) == {"large": ["alice"], "small": ["bob"]}


def test_who_met_least_may_have_as_many_pairs_more_as_the_largest_batch_has():
    """Alice's pairs would be 8 more than Bob's: less than a whole batch, if not the one placed."""
    large = BatchNeed("large", 10, [1], barred={"alice", "bob"})
    small = BatchNeed("small", 2, [1], sitting={"fay"})

    plan = plan_assignment(
        [large, small], ["alice", "bob"], {"alice": 6}, {frozenset({"bob", "fay"}): 1}
    )

    assert groups(plan) == {"small": ["alice"]}
