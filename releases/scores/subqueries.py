"""Sub-queries: two or three aspects of a query, with the sentences that ask for them.

The rule is that of the paper and its published code. The aspects are chosen, not the sub-aspects,
which follow theirs. The text is the concatenation of their sentences: those of the first aspect in
reading order, then those of the next that are not there yet, and so on. (The published texts are
in this order. It differs from the query's own order where the sentences of two aspects interlace.)
A combination is left out when one of its sentences also speaks of an aspect that was not chosen,
for its text would ask for more than its ids hold.

What the rule does not say, and how it is read here: a sentence that is linked to nothing belongs
to no combination and stands in the way of none. An aspect without sentences adds its ids but no
words. A combination without any sentence has no text, so it is no query and is left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from releases.scores.queries import Aspect, ComplexQuery

SIZES = (2, 3)

# In an aspect's id these would make the id of a sub-query ambiguous.
ESCAPES = str.maketrans({"%": "%25", "+": "%2B", "_": "%5F"})


@dataclass(frozen=True)
class SubQuery:
    """Some aspects of a query, their distinct ids with all below them, and their text.

    `id` is `<query>_<aspect>+<aspect>` in the order of the tree, the aspects' ids with "%", "+"
    and "_" percent-encoded, so that no two sub-queries of a collection share one.
    """

    id: str
    aspects: tuple[Aspect, ...]
    ids: tuple[str, ...]
    text: str


def sub_queries(query: ComplexQuery, sizes: Sequence[int] = SIZES) -> Iterator[SubQuery]:
    """All sub-queries of a query, smaller ones first, each size in the order of the tree."""
    for size in sizes:
        for aspects in combinations(query.aspects, size):
            found = sub_query(query, aspects)
            if found.text and not aspects_beyond(query, aspects):
                yield found


def sub_query(query: ComplexQuery, aspects: Sequence[Aspect]) -> SubQuery:
    """These aspects of the query as a sub-query, whether or not the paper's rule keeps it."""
    return SubQuery(
        id=f"{query.id}_{'+'.join(aspect.id.translate(ESCAPES) for aspect in aspects)}",
        aspects=tuple(aspects),
        ids=query.ids_of(aspects),
        text=" ".join(dict.fromkeys(_sentences(query, aspects))),
    )


def aspects_beyond(query: ComplexQuery, aspects: Iterable[Aspect]) -> tuple[Aspect, ...]:
    """The aspects that the sentences of these also speak of."""
    chosen = {aspect.id for aspect in aspects}
    beyond: set[str] = set()
    for links in query.links:
        if any(link & chosen for link in links):
            beyond.update(*(link for link in links if not link & chosen))
    return query.chosen(beyond)


def _sentences(query: ComplexQuery, aspects: Iterable[Aspect]) -> Iterator[str]:
    for aspect in aspects:
        for sentence, links in zip(query.sentences, query.links, strict=True):
            if any(aspect.id in link for link in links):
                yield sentence.text
