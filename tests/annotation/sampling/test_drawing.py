"""Random samples: pure functions."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.sampling.drawing import Drawable, Stratum, allocate, deal, draw, strata

sizes = st.dictionaries(st.text("abc", min_size=1, max_size=3), st.integers(1, 40), min_size=1)


@st.composite
def pairs_and_total(draw_from):
    pairs = [
        Drawable(number, f"t{number}", name)
        for number, name in enumerate(
            name for name, size in draw_from(sizes).items() for _ in range(size)
        )
    ]
    return pairs, draw_from(st.integers(0, len(pairs)))


@pytest.mark.parametrize(
    ("of", "total", "given_to"),
    [
        ({"a": 50, "b": 30, "c": 20}, 10, {"a": 5, "b": 3, "c": 2}),
        # Shares 4.5, 3.15, 1.35: the largest fraction, .5, gets the one that is left.
        ({"a": 100, "b": 70, "c": 30}, 9, {"a": 5, "b": 3, "c": 1}),
        # Fractions .5 and .5: the larger stratum; of two as large, the first by name.
        ({"a": 3, "b": 1}, 2, {"a": 2, "b": 0}),
        ({"b": 1, "a": 1}, 1, {"a": 1, "b": 0}),
        ({"a": 1}, 1, {"a": 1}),
        ({"a": 7}, 0, {"a": 0}),
        ({}, 0, {}),
    ],
)
def test_a_sample_is_allocated_by_largest_remainder(of, total, given_to):
    assert allocate(of, total) == given_to


@given(sizes, st.data())
def test_every_stratum_gives_its_share_to_within_one(of, data):
    total = data.draw(st.integers(0, sum(of.values())))

    given_by = allocate(of, total)

    assert sum(given_by.values()) == total
    for name, size in of.items():
        assert abs(given_by[name] - total * size / sum(of.values())) < 1
        assert given_by[name] <= size


@pytest.mark.parametrize("total", [-1, 4])
def test_more_than_there_is_cannot_be_drawn(total):
    with pytest.raises(ValueError, match="of 3"):
        allocate({"a": 1, "b": 2}, total)


@given(pairs_and_total(), st.text(max_size=5), st.randoms(use_true_random=False))
def test_a_draw_depends_on_the_seed_and_the_pairs_but_not_on_their_order(drawn, seed, shuffler):
    pairs, total = drawn
    shuffled = shuffler.sample(pairs, len(pairs))

    sample = draw(pairs, total=total, seed=seed)

    assert sample == draw(shuffled, total=total, seed=seed)
    assert len(set(sample)) == total
    assert set(sample) <= set(pairs)
    assert Counter(pair.stratum for pair in sample) == +Counter(
        allocate(Counter(pair.stratum for pair in pairs), total)
    )


@given(pairs_and_total(), st.integers(1, 6))
def test_parts_are_even_and_together_the_sample(drawn, parts):
    pairs, total = drawn
    sample = draw(pairs, total=total, seed="s")

    dealt = deal(sample, parts)

    assert sorted(pair for part in dealt for pair in part) == sorted(sample)
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    for name in {pair.stratum for pair in sample}:
        shares = [sum(pair.stratum == name for pair in part) for part in dealt]
        assert max(shares) - min(shares) <= 1


def test_a_sample_has_at_least_one_part():
    with pytest.raises(ValueError, match="at least one"):
        deal([], 0)


def test_another_seed_draws_another_sample():
    pairs = [Drawable(number, f"t{number}") for number in range(100)]

    samples = {
        frozenset(pair.key for pair in draw(pairs, total=10, seed=str(seed))) for seed in range(20)
    }

    assert len(samples) == 20


def test_every_pair_is_as_likely_as_any_other():
    pairs = [Drawable(number, f"t{number}") for number in range(20)]

    drawn = Counter(
        pair.key for seed in range(2000) for pair in draw(pairs, total=5, seed=str(seed))
    )

    # Binomial with n = 2000 and p = 1/4: five standard deviations are 97.
    assert all(abs(drawn[number] - 500) < 97 for number in range(20))


def test_strata_come_by_name_with_size_and_share():
    pairs = [Drawable(n, f"t{n}", "b" if n < 6 else "a") for n in range(9)]
    random.Random(1).shuffle(pairs)

    assert strata(pairs, 3) == [Stratum("a", 3, 1), Stratum("b", 6, 2)]
