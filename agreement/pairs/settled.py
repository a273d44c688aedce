"""Lists of pairs with gold, of topics that are done."""

from collections.abc import Callable

import numpy as np

from agreement.pairs.made import FACETS, OVERVIEW, POOL, Made, Maker, listed, wrong
from agreement.statistics import extremes
from agreement.study.grades import Gold, gold_of
from agreement.study.rows import Ids, Mask
from agreement.study.selection import Selection
from agreement.study.sources import read_sources
from agreement.subjects.pool.figures import UNNAMED, is_citation
from formats.records import MAX_OVERLAP
from formats.whole_numbers import whole_number


def settled(selection: Selection) -> Gold:
    """The chosen pairs that figures after adjudication count."""
    return gold_of(selection.chosen, selection.progress, selection.filters.cannot_judge)


def _of(page: str, choose: Callable[[Selection, Gold, str], tuple[str, Mask]]) -> Maker:
    """`choose` gives the words and the mask of a cell."""

    def make(selection: Selection, cell: str) -> Made:
        gold = settled(selection)
        words, mask = choose(selection, gold, cell)
        return listed(selection, page, words, gold.pairs, mask)

    return make


def graded(gold: Gold, cell: str) -> tuple[str, Mask]:
    """Pairs whose gold is a grade, "2", or from it on, "2+"; all where the cell is empty. Of labels
    nothing lies above one: "2+" is that label."""
    if not cell:
        return "with gold", np.ones(gold.pairs.size, dtype=bool)
    scale = gold.pairs.scale
    names = scale.names
    name = cell.removesuffix("+")
    if name not in names:
        raise wrong(cell, f"one of {', '.join(names)}, or 2+ for 2 and more")
    place = names.index(name)
    if name == cell or not scale.is_ordinal:
        return f"gold {scale.words[place]}", gold.grades == place
    return f"gold {scale.words[place]} or more", gold.grades >= place


def _gold(selection: Selection, gold: Gold, cell: str) -> tuple[str, Mask]:
    return graded(gold, cell)


def _raters(selection: Selection, gold: Gold, cell: str) -> tuple[str, Mask]:
    count = whole_number(cell, most=MAX_OVERLAP)
    if count is None:
        raise wrong(cell, "a number of raters")
    return f"{count} raters, with gold", gold.pairs.seats == count


def _pooled(selection: Selection, cell: str) -> Made:
    """The chosen pairs, judged or not, that the viewer may read."""
    ratings = selection.chosen
    return listed(selection, POOL, "in a pool", ratings, ~ratings.is_withheld)


def _overruled(selection: Selection, gold: Gold, cell: str) -> tuple[str, Mask]:
    """As `agreement.statistics.overruling_by_topic` counts them."""
    values, final = gold.pairs.values, gold.pairs.gold
    rating_counts = np.count_nonzero(~np.isnan(values), axis=0)
    lowest, highest = extremes(values)
    outside = (rating_counts > 0) & ((final < lowest) | (final > highest))
    masks = {
        "": ("gold that no rater gave", (rating_counts > 0) & (values != final).all(axis=0)),
        "outside": ("gold outside the ratings", outside),
        "against": (
            "gold against what all raters gave",
            outside & (lowest == highest) & (rating_counts > 1),
        ),
    }
    if cell not in masks:
        raise wrong(cell, "nothing, outside or against")
    return masks[cell]


def _source(selection: Selection, gold: Gold, cell: str) -> tuple[str, Mask]:
    brought, grade, name = _brought(selection, gold, cell)
    words, mask = graded(gold, grade)
    return f"{name}, {words}", brought & mask


def _alone(selection: Selection, gold: Gold, cell: str) -> tuple[str, Mask]:
    brought, grade, name = _brought(selection, gold, cell)
    number_of_sources = read_sources(selection.collection, gold.pairs).of_pairs.sum(axis=1)
    words, mask = graded(gold, grade)
    return f"only {name}, {words}", brought & (number_of_sources == 1) & mask


def _brought(selection: Selection, gold: Gold, cell: str) -> tuple[Mask, str, str]:
    """(pairs of a source, the grade, the source's name) of a cell such as "2+,bm25"."""
    grade, _, name = cell.partition(",")
    sources = read_sources(selection.collection, gold.pairs)
    if name == UNNAMED:
        return sources.of_pairs.sum(axis=1) == 0, grade, name
    if name not in sources.names:
        raise wrong(cell, "a grade or nothing, a comma, and the name of a source")
    return sources.of_pairs[:, sources.names.index(name)], grade, name


def _cited(selection: Selection, gold: Gold, cell: str) -> tuple[str, Mask]:
    grade, _, citation = cell.partition(",")
    if citation not in ("cited", "not cited"):
        raise wrong(cell, "a grade or nothing, a comma, and cited or not cited")
    sources = read_sources(selection.collection, gold.pairs)
    cited = sources.of_pairs[:, [is_citation(name) for name in sources.names]].any(axis=1)
    words, mask = graded(gold, grade)
    return f"{citation}, {words}", mask & (cited if citation == "cited" else ~cited)


def _crossed(selection: Selection, cell: str) -> Made:
    """Documents that a query was given under two facets: "background,method"; with their grades,
    "background,method,2,3", where "2+" is 2 or more and "2-" less than 2; with a grade that one of
    them has at least, "background,method,2+"; or "background,method,same". Both pairs of each."""
    first, second, *grades = cell.split(",") if 0 < cell.count(",") < 4 else ("", "")
    names = selection.choices.facets
    if first not in names or second not in names:
        raise wrong(cell, "two facets, with a grade of each or without")
    whole = selection.whole
    gold = gold_of(whole.chosen, whole.progress, whole.filters.cannot_judge)
    mask = np.zeros(gold.pairs.size, dtype=bool)
    for first_topic, second_topic in _under_both(gold, first, second):
        pairs_of_first, pairs_of_second = gold.shared(first_topic, second_topic)
        is_listed = np.ones(pairs_of_first.size, dtype=bool)
        if grades == ["same"]:
            is_listed = gold.grades[pairs_of_first] == gold.grades[pairs_of_second]
        elif len(grades) == 1:
            is_listed = _is(gold, pairs_of_first, grades[0]) | _is(gold, pairs_of_second, grades[0])
        elif grades:
            is_listed = _is(gold, pairs_of_first, grades[0]) & _is(gold, pairs_of_second, grades[1])
        mask[pairs_of_first[is_listed]] = mask[pairs_of_second[is_listed]] = True
    words = f"{names[first]} and {names[second]}"
    if len(grades) == 1:
        either = "with one grade" if grades == ["same"] else f"one of them {grades[0]}"
        words = f"{words}, {either}"
    elif grades:
        words = f"{names[first]} {grades[0]}, {names[second]} {grades[1]}"
    return listed(selection, FACETS, words, gold.pairs, mask)


def _is(gold: Gold, places: Ids, grade: str) -> Mask:
    """A mask of the pairs at these places with the grade "2", "2+" from it on, "2-" below it."""
    if grade.endswith("-"):
        return ~_is(gold, places, f"{grade[:-1]}+")
    return graded(gold, grade)[1][places]


def _under_both(gold: Gold, first: str, second: str) -> list[tuple[int, int]]:
    """(topic under the first facet, under the second) of queries that are done under both."""
    return [
        (numbers[first], numbers[second])
        for numbers in gold.topics_of_queries.values()
        if first in numbers
        and second in numbers
        and gold.progress[numbers[first]].is_decided
        and gold.progress[numbers[second]].is_decided
    ]


LISTS: dict[str, Maker] = {
    "gold": _of(FACETS, _gold),
    "judged": _of(POOL, _gold),
    "settled": _of(OVERVIEW, _gold),
    "raters-after": _of(OVERVIEW, _raters),
    "overruled": _of(OVERVIEW, _overruled),
    "source": _of(POOL, _source),
    "alone": _of(POOL, _alone),
    "cited": _of(POOL, _cited),
    "pooled": _pooled,
    "crossed": _crossed,
}
