"""Whose judgments a figure or a file rests on: one word for scores, comparisons and exports."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


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
# Made of what the seats of a pair said.
OF_SEATS = {Kind.SEAT, Kind.MEMBER, Kind.MAJORITY, Kind.MEDIAN, Kind.HIGHEST, Kind.LOWEST}
ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth")


@dataclass(frozen=True)
class Source:
    """`key` tells apart those of one kind; `name` is what people read and changes nothing."""

    kind: Kind = Kind.GOLD
    key: str = ""
    name: str = ""

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
            which = "needs a key, such as seat:1" if not key else "takes no key"
            raise ValueError(f"The source {kind!r} {which}.")
        return cls(Kind(kind), key)

    @property
    def in_words(self) -> str:
        return self.name or self.address


GOLD = Source(Kind.GOLD, name="gold")


def seat(ordinal: int) -> Source:
    return Source(Kind.SEAT, str(ordinal), f"{ORDINALS[ordinal - 1].lower()} seat")
