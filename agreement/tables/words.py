"""What choices and counts are called, in one place for pages, files, the command and papers."""

from collections.abc import Iterable
from dataclasses import dataclass

from agreement.statistics import CannotJudge, Method, Over, SummaryKind

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

METHODS = {
    Method.PERCENTILE: "percentile",
    Method.BCA: "BCa",
}
RULES = {
    CannotJudge.LOWEST: "counts as the lowest value",
    CannotJudge.DROP: "leaves the pair out",
    CannotJudge.GAPS: "is a gap in the pair",
}


@dataclass(frozen=True)
class Unit:
    """What figures are summarised over: a topic, which is a query where nothing divides it, a query
    under a facet, or an aspect of a query.

    `whole` is what is drawn where queries are drawn with all of their topics.
    """

    one: str
    many: str
    whole: str

    def count(self, number: int) -> str:
        """ "63 aspects"."""
        return counted(number, self.one, self.many)

    def of_queries(self, topics: int, queries: int) -> str:
        """ "63 aspects of 6 queries"; "8 queries" where a topic is a query."""
        return self.count(topics) + ("" if self is QUERY else f" of {QUERY.count(queries)}")

    def summary(self, kind: SummaryKind) -> str:
        return {
            SummaryKind.MEDIAN: f"median over {self.many}",
            SummaryKind.MEAN: f"mean over {self.many}",
            SummaryKind.POOLED: "all pairs pooled",
        }[kind]

    def over(self, over: Over) -> str:
        """What an interval resampled."""
        return {
            Over.PAIRS: f"pairs within {self.many}",
            Over.TOPICS: self.many,
            Over.QUERIES: self.whole,
            Over.BOTH: f"{self.many} and, within them, pairs",
        }[over]


QUERY = Unit("query", "queries", "whole queries")
TOPIC = Unit("topic", "topics", "whole queries, with all of their facets")
ASPECT = Unit("aspect", "aspects", "whole queries, with all of their aspects")


def rule_in_words(rule: CannotJudge, lowest: float) -> str:
    """What "cannot judge" counts as, and never: a sentence for every table."""
    return {
        CannotJudge.LOWEST: f"“Cannot judge” counts as the lowest value, {lowest:g}.",
        CannotJudge.DROP: "Pairs with a “cannot judge” are left out of every figure.",
        CannotJudge.GAPS: (
            "“Cannot judge” is a gap: two ratings are compared where both were given, and "
            "coefficients of any number of raters take those there are."
        ),
    }[rule]


def raters_in_words(seats: Iterable[int]) -> str:
    """How many rated a pair: "two", or "two to three" where pairs differ."""
    numbers = sorted(set(seats)) or [0]
    words = [NUMBERS[number] if number < len(NUMBERS) else f"{number}" for number in numbers]
    return words[0] if len(words) == 1 else f"{words[0]} to {words[-1]}"


def counted(number: int, singular: str, plural: str | None = None) -> str:
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
