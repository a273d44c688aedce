"""Where the numbers of a page lead."""

from dataclasses import dataclass

from django.urls import reverse

from agreement.study.filters import ALL, Filters, list_address
from agreement.study.parts import LEVELS
from agreement.tables.table import Link, Pairs, Working


@dataclass(frozen=True)
class Addresses:
    """Under the filters of the page. `facets` are those that a list may be limited to."""

    slug: str
    filters: Filters
    facets: frozenset[str]

    def __call__(self, link: Link) -> str:
        """Empty where a link leads nowhere."""
        if isinstance(link, Pairs):
            return self._of_pairs(link)
        return self._of_working(link) if isinstance(link, Working) else link

    def _of_pairs(self, pairs: Pairs) -> str:
        """Empty where facets with scales of their own would be put together. A facet may be a
        level of aspects."""
        named = {"topic": pairs.topic, "query": pairs.query}
        changes = {name: key for name, key in named.items() if key}
        if pairs.facet in LEVELS and pairs.facet not in self.facets:
            changes["level"] = pairs.facet
        elif pairs.facet is not None:
            changes["facet"] = pairs.facet or ALL
        if changes.get("facet", ALL) not in self.facets:
            return ""
        address = list_address(pairs.kind, pairs.cell, self.filters.address(**changes))
        return f"{reverse('agreement:pairs', args=[self.slug])}?{address}"

    def _of_working(self, working: Working) -> str:
        address = self.filters.address(
            facet=working.facet or ALL,
            when=working.when,
            measure=working.measure,
            topic=working.topic,
        )
        return f"{reverse('agreement:working', args=[self.slug])}?{address}"
