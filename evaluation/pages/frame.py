"""What all pages of runs share: who may see them, what is asked for, the page around."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode

from agreement.pages.frame import Control
from datasets.access import get_membership
from datasets.models import Level, Membership, Role
from evaluation.definitions.reading import (
    mappings_of,
    protocol_named,
    protocols_of,
    usual_protocol,
)
from evaluation.measures import Measure, parse
from evaluation.protocols import Protocol, Summary
from evaluation.runs.asked import ALL, Asked, levels_of
from evaluation.sources.choices import source_named, sources_of

# The pages of the section in the order of its navigation: name of the route, words.
PAGES = {
    "evaluation:runs": "Scores",
    "evaluation:compare": "Compare two",
    "evaluation:stability": "Does it matter?",
    "evaluation:lab": "Pool lab",
}
# In an address, with what they are where it does not say.
DEFAULTS = {
    "facet": ALL,
    "values": "gold",
    "mapping": "",
    "least": "",
    "fold": ALL,
    "tag": "",
    "level": "",
    "protocol": "",
}
MOST_ALTERNATIVES = 12


@dataclass(frozen=True)
class Page:
    """A lead's request for a page of runs."""

    member: Membership
    asked: Asked
    parameters: Mapping[str, str]

    @property
    def slug(self) -> str:
        return self.asked.collection.slug

    def address(self, route: str, **changes: str) -> str:
        """The address of a page with what is chosen here, and with parameters of its own."""
        chosen = {name: self.parameters.get(name, "") for name in DEFAULTS} | changes
        query = urlencode(
            [
                (name, value)
                for name, value in chosen.items()
                if value and value != DEFAULTS.get(name)
            ]
        )
        home = reverse(route, args=[self.slug])
        return f"{home}?{query}" if query else home

    def measure(self) -> Measure:
        """The measure that the address names, by default the protocol's first.

        A measure of another protocol gives way to the first: the filter form sends the one that
        was chosen before the protocol was.
        """
        measures = {measure.name: measure for measure in self.asked.protocol.parsed}
        first = next(iter(measures))
        name = self.parameters.get("measure") or first
        if name not in measures and _is_measure(name):
            name = first
        return one_of("measure", name, measures)


def _is_measure(name: str) -> bool:
    try:
        parse(name)
    except ValueError:
        return False
    return True


def one_of(name: str, value: str, allowed: Mapping[str, Any]) -> Any:
    """BadRequest with a sentence for a value there is not."""
    if value not in allowed:
        some = ", ".join(list(allowed)[:MOST_ALTERNATIVES])
        raise BadRequest(f"{name} is {value!r}; expected one of {some}.")
    return allowed[value]


def ask(request, slug: str) -> Page:
    """The lead's request: 404 and 403 as everywhere, 400 for a parameter that names nothing."""
    member = get_membership(request.user, slug, Role.LEAD)
    collection = member.collection
    if not hasattr(collection, "scheme"):
        raise Http404("The collection has no scheme yet.")
    parameters = request.GET
    levels = levels_of(collection) or [Level.TOPICS]
    level = one_of(
        "level", parameters.get("level") or levels[0], {one.value: one for one in levels}
    )
    try:
        source = source_named(
            collection,
            parameters.get("values") or "gold",
            mapping=parameters.get("mapping", ""),
            least=parameters.get("least", ""),
        )
    except ValueError as error:
        raise BadRequest(str(error)) from None
    asked = Asked(
        collection=collection,
        protocol=_protocol(parameters, collection),
        source=source,
        viewer=request.user,
        level=level,
        facet=parameters.get("facet") or ALL,
        fold=parameters.get("fold") or ALL,
        tag=parameters.get("tag", ""),
    )
    facets = facets_of(asked)
    if asked.judging.ratings.has_different_scales and facets:
        # Figures over different scales are not pooled: one facet at a time.
        asked = asked.of_facet(parameters.get("facet") or next(iter(facets)))
        one_of("facet", asked.facet, dict.fromkeys(facets))
    one_of("facet", asked.facet, dict.fromkeys([ALL, *facets]))
    one_of("fold", asked.fold, dict.fromkeys([ALL, *asked.folds.get(asked.facet, {})]))
    one_of("tag", asked.tag, dict.fromkeys(["", *asked.tags]))
    return Page(member, asked, parameters)


def _protocol(parameters: Mapping[str, str], collection) -> Protocol:
    """As the address names it; by default that which fits the kind of study."""
    name = parameters.get("protocol")
    if not name:
        return usual_protocol(collection)
    try:
        return protocol_named(collection, name)
    except ValueError as error:
        raise BadRequest(str(error)) from None


def facets_of(asked: Asked) -> dict[str, str]:
    """{facet: its name} of the facets that topics have, where there is more than one."""
    words = asked.collection.scheme.current.words
    used = {unit.facet for unit in asked.all_units if unit.facet}
    keys = [facet.key for facet in asked.collection.scheme.facets.all() if facet.key in used]
    return {key: words.facet_name(key) for key in keys} if len(keys) > 1 else {}


def show(request, page: Page, route: str, template: str, context: dict[str, Any]) -> HttpResponse:
    """The page, or for htmx the part of it that changes."""
    asked = page.asked
    # Going back in the browser's history asks for the whole page, also by htmx.
    is_fragment = request.htmx and not request.htmx.history_restore_request
    response = render(
        request,
        template,
        {
            "is_fragment": is_fragment,
            "member": page.member,
            "collection": asked.collection,
            "asked": asked,
            "judging": asked.judging,
            "page_name": PAGES[route],
            "pages": [(words, page.address(name), name == route) for name, words in PAGES.items()],
            "home": reverse(route, args=[page.slug]),
            "facet_links": _facet_links(page, route),
            "controls": controls_of(page),
            "out_of_reach": _is_out_of_reach(asked),
            "unmapped": 0 if asked.judging.is_closed else asked.unmapped,
            "read_at": asked.judging.ratings.read_at,
            **context,
        },
    )
    response["Vary"] = "HX-Request"
    if is_fragment:
        response["HX-Push-Url"] = request.get_full_path()
    return response


def _facet_links(page: Page, route: str) -> list[tuple[str, str, bool]]:
    facets = facets_of(page.asked)
    if not facets:
        return []
    own = ("a", "b", "measure", "draws", "depth", "against")
    more = {name: page.parameters.get(name, "") for name in own}
    return [
        (name, page.address(route, facet=key, **more), key == page.asked.facet)
        for key, name in [
            *facets.items(),
            *([] if page.asked.judging.ratings.has_different_scales else [(ALL, "All")]),
        ]
    ]


def controls_of(page: Page) -> list[Control]:
    asked = page.asked
    sources = [(one.address, one.in_words) for one in sources_of(asked.collection)]
    known = protocols_of(asked.collection)
    # An earlier version that the address names is offered beside the latest.
    known |= {asked.protocol.key: asked.protocol}
    protocols = [
        (one.key, f"{one.name}{', two folds' if one.summary is Summary.FOLDS else ''}")
        for one in known.values()
    ]
    found = [
        Control("values", "Values of", sources, asked.source.address),
        *_mapping_control(asked),
        *_least_control(asked),
        Control("protocol", "Protocol", protocols, asked.protocol.key),
    ]
    levels = levels_of(asked.collection)
    if len(levels) > 1:
        found.append(
            Control("level", "Runs of", [(one.value, one.label) for one in levels], asked.level)
        )
    if folds := asked.folds.get(asked.facet):
        options = [(ALL, "all topics"), *((fold, fold) for fold in folds)]
        found.append(Control("fold", "Fold", options, asked.fold))
    if asked.tags:
        options = [("", "any"), *((tag, tag.replace("=", ": ")) for tag in asked.tags)]
        found.append(Control("tag", "Queries", options, asked.tag))
    return found


def _mapping_control(asked: Asked) -> list[Control]:
    """The latest version of each mapping, and an earlier one that the address names."""
    there = mappings_of(asked.collection)
    chosen = asked.source.mapping
    if chosen and chosen not in there:
        there.append(chosen)
    options = [("", "values as they are"), *((one.address, one.in_words) for one in there)]
    return [Control("mapping", "Mapping", options, chosen.address if chosen else "")] * bool(there)


def _is_out_of_reach(asked: Asked) -> bool:
    """Whether no grade of the mapping is as high as the protocol's least relevant one."""
    mapping = asked.source.mapping
    return mapping is not None and all(
        float(grade) < asked.protocol.least for *_, grade in mapping.grades
    )


def _least_control(asked: Asked) -> list[Control]:
    """From which grade on a document is relevant, where there is more than one to choose."""
    mapping, least = asked.source.mapping, asked.source.least
    grades = (
        {float(grade) for *_, grade in mapping.grades}
        if mapping
        else set(asked.judging.ratings.scale.values)
    )
    above = {grade for grade in grades if grade > min(grades)}
    if least is not None:
        above.add(least)
    if not above or (len(above) == 1 and mapping is None):
        return []
    options = [("", "as the protocol says"), *((f"{one:g}", f"{one:g}") for one in sorted(above))]
    return [Control("least", "Relevant from", options, "" if least is None else f"{least:g}")]


def measure_control(page: Page, measure: Measure) -> Control:
    names = [(one.name, one.name) for one in page.asked.protocol.parsed]
    return Control("measure", "Measure", names, measure.name)
