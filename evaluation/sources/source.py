"""Sources of values: whose judgments a score, a comparison or an export rests on."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from evaluation.sources.mapping import Mapping


class Kind(StrEnum):
    GOLD = "gold"
    SEAT = "seat"
    MEMBER = "member"
    MAJORITY = "majority"
    MEDIAN = "median"
    HIGHEST = "highest"
    LOWEST = "lowest"
    MACHINE = "machine"
    JUDGMENTS = "judgments"


# Of these there are several, told apart by a key: a seat's ordinal, a member's pseudonym, a machine
# run's public id, the key of a set of judgments.
KEYED = {Kind.SEAT, Kind.MEMBER, Kind.MACHINE, Kind.JUDGMENTS}
# Sources made from the ratings of a pair's seats.
OF_SEATS = {Kind.SEAT, Kind.MEMBER, Kind.MAJORITY, Kind.MEDIAN, Kind.HIGHEST, Kind.LOWEST}
ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth")


@dataclass(frozen=True)
class Source:
    """`key` tells apart those of one kind; `name` is what people read and changes nothing.

    `mapping`: what its options count as; without one they count as their values. `least` is the
    least relevant grade, where it is not the protocol's.
    """

    kind: Kind = Kind.GOLD
    key: str = ""
    name: str = ""
    mapping: Mapping | None = None
    least: float | None = None

    @property
    def address(self) -> str:
        """As it stands in an address, a command and a manifest: `gold`, `seat:1`."""
        return f"{self.kind}:{self.key}" if self.key else str(self.kind)

    @classmethod
    def read(cls, text: str) -> Self:
        """ValueError with a sentence for what names no source."""
        kind, _, key = text.partition(":")
        if kind not in list(Kind):
            raise ValueError(f"There is no source {text!r}; expected one of {', '.join(Kind)}.")
        if (Kind(kind) in KEYED) != bool(key):
            demand = "needs a key, such as seat:1" if not key else "takes no key"
            raise ValueError(f"The source {kind!r} {demand}.")
        return cls(Kind(kind), key)

    def read_as(self, other: "Source") -> Self:
        """This source under the mapping and from the least relevant grade of another."""
        return replace(self, mapping=other.mapping, least=other.least)

    @property
    def is_plain_gold(self) -> bool:
        return self.kind is Kind.GOLD and self.mapping is None and self.least is None

    @property
    def in_words(self) -> str:
        name = self.name or self.address
        return f"{name}, by the mapping {self.mapping.in_words}" if self.mapping else name

    @property
    def named(self) -> str:
        """Inside a sentence: "gold", "the first seat"."""
        return self.in_words if self.kind is Kind.GOLD else f"the {self.in_words}"

    @property
    def data(self) -> dict[str, Any]:
        """As files and manifests name it."""
        data: dict[str, Any] = {"address": self.address, "name": self.name or self.address}
        if self.mapping:
            data["mapping"] = self.mapping.data
        if self.least is not None:
            data["least_relevant_grade"] = self.least
        return data


GOLD = Source(Kind.GOLD, name="gold")


def seat(ordinal: int) -> Source:
    return Source(Kind.SEAT, str(ordinal), f"{ORDINALS[ordinal - 1].lower()} seat")
