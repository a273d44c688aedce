"""Random samples of pairs: pure functions, no database.

The same seed and the same pairs give the same sample, whatever the order in which the pairs come:
each pair's place in the draw is a hash of the seed and of what the pair is.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class Drawable(NamedTuple):
    """A pair that may be drawn: `identity` is made of the identifiers that exports carry."""

    key: Any
    identity: str
    stratum: str = ""


@dataclass(frozen=True)
class Stratum:
    name: str
    size: int
    drawn: int


def rank(seed: str, identity: str) -> bytes:
    """SHA-256 of the seed and the identity, by which pairs are ordered before they are drawn."""
    return hashlib.sha256(f"{seed}\x1f{identity}".encode()).digest()


def allocate(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """The share of `total` for each stratum, in proportion to its size.

    By largest remainder (Hamilton's method): each gets the whole part of its share, and the
    remainder goes to the largest fractions. Of equal fractions the larger stratum comes first, then
    the first by name. No stratum gives more than it has. ValueError where all together have less.
    """
    everything = sum(sizes.values())
    if not 0 <= total <= everything:
        raise ValueError(f"cannot draw {total} of {everything}")
    shares = {name: divmod(total * size, everything or 1) for name, size in sizes.items()}
    allocation = {name: base for name, (base, _) in shares.items()}
    remainder = total - sum(allocation.values())
    by_fraction = sorted(sizes, key=lambda name: (-shares[name][1], -sizes[name], name))
    for name in by_fraction[:remainder]:
        allocation[name] += 1
    return allocation


def strata(pairs: Iterable[Drawable], total: int) -> list[Stratum]:
    """The strata of the pairs by name, with what a sample of `total` takes from each."""
    sizes = Counter(pair.stratum for pair in pairs)
    allocation = allocate(sizes, total)
    return [Stratum(name, sizes[name], allocation[name]) for name in sorted(sizes)]


def draw(pairs: Sequence[Drawable], *, total: int, seed: str) -> list[Drawable]:
    """A stratified random sample, without replacement, in the order of its strata and draw.

    With one stratum it is a simple random sample. ValueError where there are too few pairs.
    """
    allocation = allocate(Counter(pair.stratum for pair in pairs), total)
    in_order = sorted(
        (pair.stratum, rank(seed, pair.identity), pair.identity, index)
        for index, pair in enumerate(pairs)
    )
    sample = []
    for stratum, _, _, index in in_order:
        if allocation[stratum]:
            allocation[stratum] -= 1
            sample.append(pairs[index])
    return sample


def deal(sample: Sequence[Drawable], parts: int) -> list[list[Drawable]]:
    """The sample in so many parts, as even as can be, each with its share of every stratum.

    The order of `draw` is dealt in turn. So a part is as random as the whole.
    """
    if parts < 1:
        raise ValueError("a sample has at least one part")
    return [list(sample[start::parts]) for start in range(parts)]
