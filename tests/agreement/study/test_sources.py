"""Which entry of a pool a pair is."""

import numpy as np
import pytest

from agreement.study.sources import CANDIDATE, _joined


def joined(candidates, pairs):
    """[(the pair's place, the candidate's place)] for (query, document) of each."""
    entries = np.array([(query, document, 0) for query, document in candidates], dtype=CANDIDATE)
    queries, documents = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    row, at = _joined(entries, queries, documents)
    return list(zip(row.tolist(), at.tolist(), strict=True))


def test_pair_is_an_entry_of_the_pool_of_its_own_query():
    candidates = [(2, 9), (1, 4), (2, 4), (1, 7)]

    assert joined(candidates, [(1, 4), (2, 4), (1, 9), (2, 9), (3, 4)]) == [(0, 1), (1, 2), (3, 0)]


@pytest.mark.parametrize(
    ("candidates", "pair"), [([(2, 1)], (1, 9)), ([(2, 1), (5, 1)], (1, 9)), ([(1, 9)], (2, 1))]
)
def test_ids_of_one_query_are_not_taken_for_those_of_another(candidates, pair):
    assert joined(candidates, [pair]) == []


def test_empty_pools_have_no_entry():
    assert joined([], [(1, 4)]) == []


def test_every_pair_of_small_ids_is_found_as_a_search_of_all_entries_finds_it():
    rng = np.random.default_rng(0)
    every = [(query, document) for query in range(1, 5) for document in range(1, 7)]
    for _ in range(50):
        candidates = [every[n] for n in rng.permutation(len(every))[: rng.integers(1, 20)]]
        pairs = [every[n] for n in rng.integers(0, len(every), 12)]

        is_candidate = [pair in candidates for pair in pairs]
        assert joined(candidates, pairs) == [
            (place, candidates.index(pairs[place])) for place in np.flatnonzero(is_candidate)
        ]
