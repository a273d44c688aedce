"""What a lead asks for: the ratings of a collection that they may see, and which of those."""

from dataclasses import dataclass, replace
from functools import cached_property

from agreement.filters import ALL, Choices, Filters, read_choices
from agreement.progress import TopicRatings, progress_of
from agreement.ratings import Ratings, read_ratings_of
from agreement.statistics import CannotJudge, SummaryKind
from annotation.consensus import in_words
from datasets.models import Collection, Membership

SUMMARIES = {
    SummaryKind.MEDIAN: "median over queries",
    SummaryKind.MEAN: "mean over queries",
    SummaryKind.POOLED: "all pairs pooled",
}
RULES = {
    CannotJudge.LOWEST: "counts as the lowest value",
    CannotJudge.DROP: "leaves the pair out",
}


@dataclass(frozen=True)
class Asked:
    """What one request asks for: the ratings its viewer may see, and those that its filters name.

    `everything` and `chosen` are read once, of one moment.
    """

    member: Membership
    viewer: object
    choices: Choices
    filters: Filters

    @property
    def collection(self) -> Collection:
        return self.member.collection

    @cached_property
    def everything(self) -> Ratings:
        return read_ratings_of(self.collection, viewer=self.viewer)

    @cached_property
    def chosen(self) -> Ratings:
        return self.filters.chosen(self.everything, self.choices)

    @cached_property
    def of_all_facets(self) -> Ratings:
        """The chosen pairs and those of the other facets beside them."""
        return replace(self.filters, facet=ALL).chosen(self.everything, self.choices)

    @property
    def consensus_rule(self) -> str:
        return in_words(self.collection.scheme.rule, self.collection.scheme.rule_distance)

    @property
    def cannot_judge_rule(self) -> str:
        if self.filters.cannot_judge is CannotJudge.DROP:
            return "Pairs with a “cannot judge” are left out of every figure."
        return f"“Cannot judge” counts as the lowest value, {self.everything.scale.lowest:g}."

    @cached_property
    def progress(self) -> list[TopicRatings]:
        return progress_of(self.chosen)


def asked_by(member, viewer, parameters) -> Asked:
    """From the parameters of an address; BadRequest for a value there is not."""
    choices = read_choices(member.collection)
    return Asked(member, viewer, choices, Filters.read(parameters, choices))
