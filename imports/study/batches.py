"""The batches that a study's ratings come in as."""

from collections import defaultdict
from collections.abc import Iterable

from formats.grouping import grouped
from formats.records import MAX_OVERLAP
from imports.answers import BatchRatings
from imports.study.entries import Key, Resolved


def as_batches(resolved: Resolved, rated: Iterable[Key], name: str = "") -> list[BatchRatings]:
    """A batch for each topic, or of this `name` for all, and each list of people who have its
    pairs, in the order of seats: mostly one, unless a crowd rated it, or batches and seats of
    different people. It is finished, unless the files say that its pairs are to have more
    answers."""
    batches = []
    for batch, keys in grouped((name or key[0], key) for key in rated).items():
        groups: dict[tuple[tuple[str, ...], int], list[Key]] = defaultdict(list)
        for key in keys:
            raters = tuple(resolved.answers[key])
            overlap = max(len(raters), resolved.overlaps.get(key, 0))
            groups[raters, overlap].append(key)
        for (raters, overlap), group in groups.items():
            if len(raters) > MAX_OVERLAP:
                continue  # refused
            batches.append(
                BatchRatings(
                    name=batch,
                    annotators=list(raters),
                    answers={key: list(resolved.answers[key].values()) for key in group},
                    overlap=overlap,
                )
            )
    return batches
