"""Export formats: pure functions from records to the text of files."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from agreement.study.filters import Channel
from evaluation.scores import SUB_QUERY_SIZES, Rule
from formats.decimals import printed_grade


@dataclass(frozen=True)
class ExportFile:
    """One file of an export as parts of text. `has_gold`: incomplete gold marks its name."""

    name: str
    parts: Iterable[str]
    has_gold: bool = True

    def marked_name(self, is_incomplete: bool) -> str:
        if not (self.has_gold and is_incomplete):
            return self.name
        stem, _, suffix = self.name.rpartition(".")
        return f"{stem}-incomplete.{suffix}"


class Level(StrEnum):
    """The unit that counts as one query of an export: a whole query, an aspect, or a sub-query.

    Sub-queries are those of two and of three aspects together, or of one size alone.
    """

    QUERIES = "queries"
    ASPECTS = "aspects"
    SUB_QUERIES = "sub-queries"
    TWO_ASPECTS = "two-aspects"
    THREE_ASPECTS = "three-aspects"


# How many aspects the sub-queries of a level have.
SIZES = {
    Level.SUB_QUERIES: SUB_QUERY_SIZES,
    Level.TWO_ASPECTS: (2,),
    Level.THREE_ASPECTS: (3,),
}


@dataclass(frozen=True)
class Choices:
    """Choices beside the format; a format ignores those that do not concern it."""

    level: Level = Level.QUERIES
    rule: Rule = Rule.PAPER  # of sub-queries
    with_notes: bool = False
    channel: Channel = Channel.ANY


class UnfitError(ValueError):
    """This collection cannot be written in this format; the sentence says why and what can."""


def whole(value: Decimal, topic_id: str, document: str) -> int:
    """A grade as the integer that it must be, or UnfitError."""
    if value != value.to_integral_value():
        raise UnfitError(
            f"{document} has the grade {printed_grade(value)} in {topic_id}; this format holds "
            "whole numbers only, and grades are never rounded in silence. Choose CSV or BIRCO "
            "JSON, or values by a mapping that gives each option a whole number (Runs, Mappings)."
        )
    return int(value)
