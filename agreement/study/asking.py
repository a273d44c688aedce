"""What a lead asks for: the ratings of a collection that they may see, and which of those."""

from collections.abc import Collection as Values
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from django.core.exceptions import BadRequest

from accounts.models import User
from agreement.study.filters import ALL, Choices, Filters, read_choices
from agreement.study.progress import TopicRatings, progress_of
from agreement.study.ratings import Ratings, read_ratings_of
from agreement.tables.words import Unit, rule_in_words
from datasets.models import Collection, Membership


@dataclass(frozen=True)
class Asked:
    """What one request asks for: the ratings its viewer may see, and those that its filters name.

    `everything` and `chosen` are read once, of one moment.
    """

    member: Membership
    viewer: User
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
        """The chosen pairs and those of the other facets beside them, where one scale is of all."""
        if self.filters.facet == ALL or not self.choices.shares_a_scale:
            return self.chosen
        return replace(self.filters, facet=ALL).chosen(self.everything, self.choices)

    @property
    def consensus_rule(self) -> str:
        return self.collection.scheme.rule_in_words

    @property
    def cannot_judge_rule(self) -> str:
        return rule_in_words(self.filters.cannot_judge, self.chosen.scale.lowest)

    @property
    def unit(self) -> Unit:
        """What topics are called in this study."""
        return self.everything.unit

    @property
    def filters_in_words(self) -> list[tuple[str, str]]:
        """(what is chosen, which) of every filter that leaves pairs out; people by pseudonym."""
        filters, choices = self.filters, self.choices
        found = []
        if filters.facet != ALL:
            found.append(("Facet", choices.facets[filters.facet]))
        if filters.query:
            found.append(("Query", f"{filters.query}: {choices.queries[filters.query]}"))
        if filters.annotator:
            found.append(("Rated by", filters.annotator))
        if filters.batch:
            found.append(("Batch", choices.batches[filters.batch].name))
        if filters.since:
            found.append(("Last rated from", f"{filters.since} (UTC)"))
        if filters.until:
            found.append(("Last rated up to", f"{filters.until} (UTC)"))
        if filters.version:
            found.append(("Scheme", f"version {filters.version}"))
        return found

    @property
    def in_words(self) -> str:
        """What figures are of, for files: "CSFCube. Facet: Method. Median over queries."."""
        chosen = [f"{name}: {value}" for name, value in self.filters_in_words]
        summary = self.unit.summary(self.filters.summary).capitalize()
        return ". ".join([self.collection.name, *(chosen or ["All pairs"]), summary]) + "."

    @cached_property
    def progress(self) -> list[TopicRatings]:
        return progress_of(self.chosen)


def one_of(parameters: Mapping[str, str], name: str, allowed: Values[str]) -> str:
    """A parameter of one page; the first allowed value where it is absent, BadRequest for any
    other."""
    value = parameters.get(name) or next(iter(allowed))
    if value not in allowed:
        raise BadRequest(f"{name} is {value!r}; expected one of {', '.join(allowed)}.")
    return value


def asked_by(member, viewer, parameters) -> Asked:
    """From the parameters of an address; BadRequest for a value there is not."""
    choices = read_choices(member.collection)
    return Asked(member, viewer, choices, Filters.read(parameters, choices))
