"""Disputes of one kind, through all topics: by facet, boundary, cause, pair of raters."""

import hashlib
import hmac
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cached_property
from operator import itemgetter
from typing import Self

from django.utils.http import urlencode

from adjudication.gaps import Gap, gap_of
from adjudication.scale import Scale
from datasets.models import Collection, Membership
from formats.decimals import plain

# Not a slug, so that no cause of a scheme can have this key.
UNSTATED = "!unstated"
# What an address holds where its pair is one of a sequence.
WALK, QUEUE = "walk", "queue"


@dataclass(frozen=True)
class Dispute:
    """What a sequence knows of a pair. `answers` are by annotator; None is "cannot judge".

    `cause` is that of the standing decision, UNSTATED where it names none, empty while the pair
    waits. `values` are those of the topic's scale, ascending; empty where grades have no order.
    """

    facet: str
    answers: Mapping[int, Decimal | None]
    values: tuple[Decimal, ...]
    cause: str

    @property
    def kind(self) -> Hashable:
        """All that a sequence may go by. The answers to a pair are in no particular order."""
        return self.facet, self.cause, tuple(sorted(self.answers.items()))

    @property
    def waits(self) -> bool:
        return not self.cause

    @cached_property
    def ends(self) -> tuple[Decimal, Decimal] | None:
        """The lowest and the highest value; None where nobody gave one."""
        values = [value for value in self.answers.values() if value is not None]
        return (min(values), max(values)) if values else None

    @property
    def boundaries(self) -> list[str]:
        """The steps of the scale that lie between the lowest and the highest rating."""
        if self.ends is None:
            return []
        lowest, highest = self.ends
        return [
            f"{plain(low)},{plain(high)}"
            for low, high in zip(self.values, self.values[1:], strict=False)
            if lowest <= low and high <= highest
        ]

    def part(self, first: int, second: int) -> bool:
        """Whether these two annotators rated the pair and answered differently."""
        if first not in self.answers or second not in self.answers:
            return False
        return self.answers[first] != self.answers[second]


def gap_between(dispute: Dispute, scale: Scale) -> Gap:
    """The difference between the ratings of the pair, in the words of its scale."""
    lowest, highest = dispute.ends or (None, None)
    return gap_of(
        scale,
        lowest=lowest,
        highest=highest,
        rating_count=len(dispute.answers),
        cannot_judge_count=sum(value is None for value in dispute.answers.values()),
    )


@dataclass(frozen=True)
class Sequence:
    """The kind of disputes to take one after the other. An empty field limits nothing.

    `raters` names two annotators by keys that only this server can lead back to people.
    """

    facet: str = ""
    boundary: str = ""
    cause: str = ""
    raters: str = ""

    @classmethod
    def read(cls, parameters: Mapping[str, str], *, hides_ratings: bool) -> Self | None:
        """The sequence that an address names, or None. Where the scheme hides the ratings, limits
        that would reveal them are ignored."""
        if parameters.get(WALK) != QUEUE:
            return None
        limits = {"facet", "cause"} if hides_ratings else {field.name for field in fields(cls)}
        return cls(**{name: parameters.get(name, "") for name in limits})

    @property
    def address(self) -> str:
        """The query string of its pairs' addresses, without the `?`."""
        limits = {field.name: getattr(self, field.name) for field in fields(self)}
        return urlencode({WALK: QUEUE} | {name: key for name, key in limits.items() if key})

    @property
    def is_of_decided(self) -> bool:
        """Causes are named by decisions, so these pairs are decided ones to look at again."""
        return bool(self.cause)

    def holds(self, dispute: Dispute, raters: "Raters") -> bool:
        if self.cause and dispute.cause != self.cause:
            return False
        if self.facet and dispute.facet != self.facet:
            return False
        if self.boundary and self.boundary not in dispute.boundaries:
            return False
        if not self.raters:
            return True
        two = raters.two(self.raters)
        return two is not None and dispute.part(*two)


class Raters:
    """Annotators without names: each has a key for addresses and a letter for people.

    Both follow from the collection's secret key alone. So they stay the same, and reveal neither a
    name nor the pseudonym in exports. A pair's own page has other letters, drawn anew for each
    pair, so that no page tells which rater gave which grade.
    """

    LETTERS = "KLMNPQRSTUVWXYZ"

    def __init__(self, collection: Collection, members: list[Membership]) -> None:
        secret = bytes.fromhex(collection.pseudonym_key)

        def key(member: Membership) -> str:
            identity = f"adjudication.sequence\x1f{member.public_id}"
            return hmac.new(secret, identity.encode(), hashlib.sha256).hexdigest()[:12]

        keys = {member.pk: key(member) for member in members}
        self.keys = dict(sorted(keys.items(), key=itemgetter(1)))
        self._members = {key: pk for pk, key in self.keys.items()}

    def letter(self, member: int) -> str:
        place, letters = list(self.keys).index(member), self.LETTERS
        again = place // len(letters)
        return letters[place % len(letters)] + (str(again + 1) if again else "")

    def key_of(self, first: int, second: int) -> str:
        return "-".join(sorted([self.keys[first], self.keys[second]]))

    def name_of(self, first: int, second: int) -> str:
        return " and ".join(sorted([self.letter(first), self.letter(second)]))

    def two(self, key: str) -> tuple[int, int] | None:
        """The two annotators of a key, or None."""
        members = [self._members[part] for part in key.split("-") if part in self._members]
        return (members[0], members[1]) if len(members) == 2 else None
