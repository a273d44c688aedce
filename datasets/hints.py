"""Hints about a query that is being written: pure functions. A hint never stops anybody.

The numbers are those of the published queries and of the instructions they were written by (Wang
et al. 2023, DORIS-MAE): 95 to 226 words, 3 to 9 aspects, at most 6 sub-aspects each.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from datasets.tree import Tree, mark_of, marks, walk
from formats.words import counted

WORDS = (95, 226)
ASPECTS = (3, 9)
MAX_SUB_ASPECTS = 6
# Share of common words from which two texts are shown as nearly the same. Of the published
# aspects of one query, one pair in a hundred lies above it.
NEAR = 0.7

_WORD = re.compile(r"[^\W_]+")
# Words that most aspects have, whatever they ask for.
_COMMON = frozenset(
    _WORD.findall(
        """
    a an and any are as at be can could do does for from has have in into is it its may must of on
    or should some such that the their them these they this those to use used uses using was were
    which will with would abstract document paper method model system approach work discuss mention
    include
    """
    )
)
_SUFFIXES = ("ations", "ation", "ings", "ing", "ies", "edly", "ed", "es", "ly", "s", "e")


def word_count(text: str) -> int:
    return len(text.split())


def stem(word: str) -> str:
    """A word without the ending that number and tense give it; crude, but the same for all."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word.removesuffix(suffix)
            break
    return word[:-1] if len(word) > 3 and word[-1] in "iy" else word


@lru_cache(maxsize=10_000)
def content_words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning; of all words where none does."""
    words = _WORD.findall(text.casefold())
    return frozenset(map(stem, [word for word in words if word not in _COMMON] or words))


def similarity(first_text: str, second_text: str) -> float:
    """Jaccard's index of the content words of two texts: 0 for none in common, 1 for the same."""
    first, second = content_words(first_text), content_words(second_text)
    union = first | second
    return len(first & second) / len(union) if union else 0.0


def near_duplicates(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pairs of keys whose texts ask for nearly the same, in the order of `texts`."""
    return [
        (first, second)
        for first, second in combinations(texts, 2)
        if similarity(texts[first], texts[second]) >= NEAR
    ]


def hints(
    text: str, sentences: Sequence[Mapping], tree: Tree, texts: Mapping[str, str]
) -> list[str]:
    """Sentences for the writer of a query. `texts` maps the tree's topics to what they say."""
    mark_by = _first_marks(tree)
    return [
        *_about_length(text),
        *_about_shape(tree),
        *_about_links(sentences, mark_by),
        *_about_texts(tree, texts, mark_by),
    ]


def _first_marks(tree: Tree) -> dict[str, str]:
    """{topic: the mark of the first place it stands at}."""
    mark_by = dict(marks(tree))
    first: dict[str, str] = {}
    for aspect, _, _ in walk(tree):
        first.setdefault(aspect.topic, mark_by[aspect.key])
    return first


def _about_length(text: str) -> Iterable[str]:
    words, (fewest, most) = word_count(text), WORDS
    if not fewest <= words <= most:
        yield (
            f"The query has {counted(words, 'word')}; the published ones have {fewest} to {most}."
        )


def _about_shape(tree: Tree) -> Iterable[str]:
    fewest, most = ASPECTS
    if tree and not fewest <= len(tree) <= most:
        there_are = "There is" if len(tree) == 1 else "There are"
        yield f"{there_are} {counted(len(tree), 'aspect')}; {fewest} to {most} are usual."
    for number, aspect in enumerate(tree, start=1):
        if len(aspect.subs) > MAX_SUB_ASPECTS:
            yield (
                f"Aspect {mark_of([number])} has {len(aspect.subs)} sub-aspects; "
                f"at most {MAX_SUB_ASPECTS} are usual."
            )


def _about_links(sentences: Sequence[Mapping], mark_by: Mapping[str, str]) -> Iterable[str]:
    if not mark_by:
        return
    linked = {topic for sentence in sentences for topic in sentence["topics"]}
    for topic, mark in mark_by.items():
        if topic not in linked:
            yield f"Aspect {mark} has no sentence of the query."
    for position, sentence in enumerate(sentences, start=1):
        if not set(sentence["topics"]) & set(mark_by):
            yield f"Sentence {position} belongs to no aspect."


def _about_texts(tree: Tree, texts: Mapping[str, str], mark_by: Mapping[str, str]) -> Iterable[str]:
    of_query = {topic: texts[topic] for topic in mark_by}
    # A sub-aspect repeats words of its aspect by nature.
    related = {frozenset([aspect.topic, sub.topic]) for aspect in tree for sub in aspect.subs}
    for first, second in near_duplicates(of_query):
        if frozenset([first, second]) in related:
            continue
        yield f"Aspects {mark_by[first]} and {mark_by[second]} say nearly the same."
    mark_by_place = dict(marks(tree))
    for aspect, parent, _ in walk(tree):
        if parent and word_count(texts[aspect.topic]) >= word_count(texts[parent.topic]):
            yield (
                f"Sub-aspect {mark_by_place[aspect.key]} is as long as its aspect or longer. "
                "It should ask for no more."
            )
