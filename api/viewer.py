"""Who asks for a list or a report, and what for."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from accounts.models import User
from accounts.parameters import one_of
from agreement.study.filters import ALL
from annotation.models import Facet
from annotation.progress.figures import asking_queries
from datasets.models import Collection, Membership
from datasets.pseudonyms import pseudonym


@dataclass(frozen=True)
class Viewer:
    """The person who asks, their membership, the parameters, and the scopes of the token."""

    member: Membership
    user: User
    parameters: Mapping[str, str] = field(default_factory=dict)
    scopes: Container[str] = ()

    @property
    def collection(self) -> Collection:
        return self.member.collection

    @cached_property
    def people(self) -> dict[int, str]:
        """The pseudonym of each member, by database id."""
        members = Membership.objects.filter(collection=self.collection)
        return {member.pk: pseudonym(self.collection, member) for member in members}

    @cached_property
    def queries(self) -> dict[int, list[str]]:
        """{topic: the ids of the queries that it stands in, in their order}."""
        return asking_queries(self.collection)


def facet_in(viewer: Viewer) -> str:
    """The facet that an address names, "" for all; BadRequest for one that the scheme lacks."""
    if not viewer.parameters.get("facet"):
        return ""
    facets = Facet.objects.filter(scheme__collection=viewer.collection)
    facet = one_of(viewer.parameters, "facet", [ALL, *facets.values_list("key", flat=True)])
    return "" if facet == ALL else facet
