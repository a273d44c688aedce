"""Sub-queries: two or three aspects of a query, with the sentences that ask for them.

The aspects are chosen, not the sub-aspects, which follow theirs. The text is the concatenation of
their sentences: those of the first aspect in reading order, then those of the next that are not
there yet, and so on. (The published texts are in this order. It differs from the query's own order
where the sentences of two aspects interlace.) A combination whose sentences ask for more than its
ids hold is left out; `Rule` has the two readings of that, the paper's and its code's.

What neither says, and how it is read here: a sentence that is linked to nothing belongs to no
combination and stands in the way of none. A combination without any sentence has no text, so it is
no query and is left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from evaluation.scores.queries import Aspect, ComplexQuery

SUB_QUERY_SIZES = (2, 3)

# In an aspect's id these would make the id of a sub-query ambiguous.
ESCAPES = str.maketrans({"%": "%25", "+": "%2B", "_": "%5F"})


class Rule(StrEnum):
    """The rule of sub-queries: which combinations of aspects count, and what their text is.

    PAPER: none of the sentences speaks of an aspect that was not chosen (Wang et al. 2023,
    arXiv:2310.04678). A sentence that is linked to a sub-aspect belongs to its aspects.
    CODE: the sentences are linked to no more ids than there are chosen aspects, as the published
    `create_subquery_dataset` counts them. The sentences are those linked to a chosen aspect itself.
    Where a chosen aspect has no sentence of its own, another one may so take its place.
    """

    PAPER = "paper"
    CODE = "code"


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


def sub_queries(
    query: ComplexQuery, sizes: Sequence[int] = SUB_QUERY_SIZES, *, rule: Rule = Rule.PAPER
) -> Iterator[SubQuery]:
    """All sub-queries of a query, smaller ones first, each size in the order of the tree."""
    for size in sizes:
        for aspects in combinations(query.aspects, size):
            candidate = sub_query(query, aspects, rule=rule)
            if candidate.text and not _asks_for_more(query, aspects, rule):
                yield candidate


def sub_query(
    query: ComplexQuery, aspects: Sequence[Aspect], *, rule: Rule = Rule.PAPER
) -> SubQuery:
    """These aspects of the query as a sub-query, whether or not the rule keeps it."""
    return SubQuery(
        id=f"{query.id}_{'+'.join(aspect.id.translate(ESCAPES) for aspect in aspects)}",
        aspects=tuple(aspects),
        ids=query.ids_of(aspects),
        text=" ".join(dict.fromkeys(_sentences(query, aspects, rule))),
    )


def aspects_beyond(query: ComplexQuery, aspects: Iterable[Aspect]) -> tuple[Aspect, ...]:
    """The aspects that the sentences of these also speak of."""
    ids = {aspect.id for aspect in aspects}
    beyond: set[str] = set()
    for links in query.links:
        if any(link & ids for link in links):
            beyond.update(*(link for link in links if not link & ids))
    return query.chosen(beyond)


def _asks_for_more(query: ComplexQuery, aspects: Sequence[Aspect], rule: Rule) -> bool:
    if rule is Rule.PAPER:
        return bool(aspects_beyond(query, aspects))
    ids = {aspect.id for aspect in aspects}
    linked = [sentence.ids for sentence in query.sentences if sentence.ids & ids]
    return len(frozenset().union(*linked)) > len(ids)


def _sentences(query: ComplexQuery, aspects: Iterable[Aspect], rule: Rule) -> Iterator[str]:
    for aspect in aspects:
        for sentence, links in zip(query.sentences, query.links, strict=True):
            if rule is Rule.CODE:
                is_its = aspect.id in sentence.ids
            else:
                is_its = any(aspect.id in link for link in links)
            if is_its:
                yield sentence.text
