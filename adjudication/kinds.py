"""The kinds of disputes that an adjudicator may take in sequence, and how many there are."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Self, TypeVar

from adjudication.gaps import GAPS
from adjudication.scale import Scale
from adjudication.sequence import UNSTATED, Dispute, Raters, Sequence, gap_between
from annotation.models import Scheme, SchemeVersion
from formats.decimals import typeset
from formats.grouping import grouped

T = TypeVar("T", bound=Hashable)
BOUNDARY = "A boundary, such as 1 | 2, lies between the lowest and the highest rating of a pair."
RATERS = (
    "Raters have letters in place of names. On a pair's own page other letters stand, drawn anew "
    "for each."
)


@dataclass(frozen=True)
class Kind:
    """One choice of a list: what stands in the address, its words, and its pairs."""

    key: str
    words: str
    count: int


@dataclass(frozen=True)
class KindList:
    """A list to choose a kind from: its name in the address, its label, its choices."""

    name: str
    label: str
    all_label: str  # the words for no limit
    kinds: list[Kind]
    hint: str = ""
    selected: str = ""


@dataclass(frozen=True)
class Alike:
    """The first of `count` disputes of the same kinds; a queue of thousands has few such groups."""

    dispute: Dispute
    count: int

    @classmethod
    def of(cls, disputes: Iterable[Dispute]) -> list[Self]:
        alike = grouped((dispute.kind, dispute) for dispute in disputes)
        return [cls(group[0], len(group)) for group in alike.values()]


def kind_lists(
    disputes: Iterable[Dispute], raters: Raters, scheme: Scheme, limits: Mapping[str, str]
) -> tuple[list[KindList], KindList | None]:
    """The lists that limit the open disputes, each with at least two choices; and the list of
    causes, which leads through decided pairs, or None. A list that would reveal hidden ratings is
    left out. `limits` are the parameters of an address."""
    alike = Alike.of(disputes)
    waiting = [group for group in alike if group.dispute.waits]
    decided = [group for group in alike if not group.dispute.waits]
    version = scheme.current
    lists = [KindList("facet", "Facet", "all facets", _facets(waiting, scheme, version))]
    if not scheme.hides_ratings:
        lists += [
            KindList("boundary", "Boundary", "any", _boundaries(waiting), BOUNDARY),
            KindList("show", "Distance", "any", _distances(waiting, scheme, version)),
            KindList("raters", "Raters who differ", "any two", _raters(waiting, raters), RATERS),
        ]
    causes = KindList("cause", "Cause", "", _causes(decided, version))
    causes = replace(causes, selected=limits.get("cause", ""))
    lists = [replace(kind_list, selected=limits.get(kind_list.name, "")) for kind_list in lists]
    return [
        kind_list for kind_list in lists if len(kind_list.kinds) > 1
    ], causes if causes.kinds else None


def in_words(sequence: Sequence, raters: Raters, version: SchemeVersion) -> str:
    """The limits of a sequence, such as "Method · 1 | 2"; "all disputes" if there are none."""
    two = raters.two(sequence.raters)
    parts = [
        sequence.facet and version.words.facet_name(sequence.facet),
        boundary_in_words(sequence.boundary),
        two and f"raters {raters.name_of(*two)}",
        sequence.cause and names_of_causes(version).get(sequence.cause, sequence.cause),
    ]
    return " · ".join(part for part in parts if part) or "all disputes"


def boundary_in_words(key: str) -> str:
    return typeset(key).replace(",", " | ")


def names_of_causes(version: SchemeVersion) -> dict[str, str]:
    return version.words.cause_names | {UNSTATED: "cause not stated"}


def _facets(waiting: list[Alike], scheme: Scheme, version: SchemeVersion) -> list[Kind]:
    counts = _counted((group.dispute.facet, group.count) for group in waiting)
    return [
        Kind(facet.key, version.words.facet_name(facet.key), counts[facet.key])
        for facet in scheme.shown_facets
        if counts[facet.key]
    ]


def _boundaries(waiting: list[Alike]) -> list[Kind]:
    counts = _counted((key, group.count) for group in waiting for key in group.dispute.boundaries)
    in_order = sorted(counts, key=lambda key: [float(value) for value in key.split(",")])
    return [Kind(key, boundary_in_words(key), counts[key]) for key in in_order]


def _distances(waiting: list[Alike], scheme: Scheme, version: SchemeVersion) -> list[Kind]:
    facets = {group.dispute.facet for group in waiting}
    scales = {facet: Scale(scheme, facet, version=version) for facet in facets}
    counts = _counted(
        (gap_between(group.dispute, scales[group.dispute.facet]).key, group.count)
        for group in waiting
    )
    return [Kind(key, words, counts[key]) for key, words in GAPS.items() if counts[key]]


def _raters(waiting: list[Alike], raters: Raters) -> list[Kind]:
    counts = _counted(
        (two, group.count)
        for group in waiting
        for two in combinations(sorted(group.dispute.answers), 2)
        if group.dispute.part(*two)
    )
    kinds = [Kind(raters.key_of(*two), raters.name_of(*two), counts[two]) for two in counts]
    return sorted(kinds, key=lambda kind: kind.words)


def _causes(decided: list[Alike], version: SchemeVersion) -> list[Kind]:
    counts = _counted((group.dispute.cause, group.count) for group in decided)
    cause_names = names_of_causes(version).items()
    return [Kind(key, words, counts[key]) for key, words in cause_names if counts[key]]


def _counted(keys: Iterable[tuple[T, int]]) -> Counter[T]:
    counts: Counter[T] = Counter()
    for key, count in keys:
        counts[key] += count
    return counts
