"""The common part of all pages of runs: access, parameters, and the frame around the page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from accounts.fragments import render_changing
from accounts.parameters import one_of
from agreement.study.selection import version_of
from annotation.access import get_scheme
from audit.refusals import Refused, raised_as
from datasets.access import get_membership, of_member
from datasets.models import Level, Membership, Role
from evaluation.definitions.reading import chosen_protocol
from evaluation.measures import Measure, parse
from evaluation.orders.draws import Drawn
from evaluation.pages.controls import controls_of
from evaluation.runs.available import levels_of
from evaluation.runs.evaluation import ALL, Evaluation
from evaluation.sources.choices import source_named

# The pages of the section in the order of its navigation: name of the route, words.
PAGES = {
    "evaluation:runs": "Scores",
    "evaluation:compare": "Compare two",
    "evaluation:stability": "Does it matter?",
    "evaluation:lab": "Pool lab",
}
# Parameters of an address, with their defaults.
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


@dataclass(frozen=True)
class Page:
    """A lead's request for a page of runs."""

    member: Membership
    evaluation: Evaluation
    parameters: Mapping[str, str]
    read_at: datetime

    @property
    def slug(self) -> str:
        return self.evaluation.collection.slug

    def address(self, route: str, **changes: str) -> str:
        """The address of a page with what is chosen here, and with parameters of its own."""
        parameters = {name: self.parameters.get(name, "") for name in DEFAULTS} | changes
        query = urlencode(
            [
                (name, value)
                for name, value in parameters.items()
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
        measures = {measure.name: measure for measure in self.evaluation.protocol.parsed}
        name = self.parameters.get("measure", "")
        parameters = {} if name not in measures and _is_measure(name) else self.parameters
        return measures[one_of(parameters, "measure", measures)]

    @property
    def draws(self) -> Drawn:
        return Drawn(one_of(self.parameters, "draws", Drawn))


def _is_measure(name: str) -> bool:
    try:
        parse(name)
    except ValueError:
        return False
    return True


def ask(request, slug: str) -> Page:
    """The lead's request: 404 and 403 as everywhere, 400 for a parameter that names nothing."""
    member = get_membership(request.user, slug, Role.LEAD)
    collection = member.collection
    get_scheme(collection)
    parameters = request.GET
    level = Level(one_of(parameters, "level", levels_of(collection) or [Level.TOPICS]))
    with raised_as(BadRequest, ValueError):
        protocol = chosen_protocol(collection, parameters.get("protocol", ""))
        source = source_named(
            collection,
            parameters.get("values") or "gold",
            mapping=parameters.get("mapping", ""),
            least=parameters.get("least", ""),
        )
    read_at, version = timezone.now(), version_of(collection)
    evaluation = Evaluation(
        collection=collection,
        protocol=protocol,
        source=source,
        viewer=request.user,
        level=level,
        fold=parameters.get("fold") or ALL,
        tag=parameters.get("tag", ""),
        version=version,
    )
    evaluation = of_facet(evaluation, parameters.get("facet", ""))
    one_of(parameters, "fold", [ALL, *evaluation.folds.get(evaluation.facet, {})])
    one_of(parameters, "tag", ["", *evaluation.tags])
    return Page(member, evaluation, parameters, read_at)


def of_facet(evaluation: Evaluation, facet: str) -> Evaluation:
    """The evaluation of the facet that an address names, by default of all; else BadRequest.

    Figures over different scales are not pooled: then it is one facet at a time.
    """
    facets = list(evaluation.facet_names)
    choices = [ALL, *facets]
    if evaluation.judging.ratings.has_different_scales and facets:
        choices = facets
    chosen = one_of({"facet": facet}, "facet", choices)
    return evaluation if chosen == evaluation.facet else evaluation.narrowed(facet=chosen)


def show(request, page: Page, route: str, template: str, context: dict[str, Any]) -> HttpResponse:
    """The page, or for htmx the part of it that changes."""
    evaluation = page.evaluation
    context = {
        **of_member(page.member),
        "evaluation": evaluation,
        "judging": evaluation.judging,
        "page_name": PAGES[route],
        "pages": [(words, page.address(name), name == route) for name, words in PAGES.items()],
        "home": reverse(route, args=[page.slug]),
        "facet_links": _facet_links(page, route),
        "controls": controls_of(page.evaluation),
        "out_of_reach": _is_out_of_reach(evaluation),
        "without_order": evaluation.source.mapping is None and not evaluation.scale.is_ordinal,
        "unmapped": 0 if evaluation.judging.is_closed else evaluation.unmapped,
        "read_at": page.read_at,
        **context,
    }
    return render_changing(request, template, context, address=request.get_full_path())


def or_refusal(figures: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The figures of a page, or the sentence that says why there are none by these values."""
    try:
        return figures()
    except Refused as refused:
        return {"refused": str(refused)}


def _facet_links(page: Page, route: str) -> list[tuple[str, str, bool]]:
    facets = page.evaluation.facet_names
    if not facets:
        return []
    of_subpages = ("a", "b", "measure", "draws", "depth", "against")
    more = {name: page.parameters.get(name, "") for name in of_subpages}
    return [
        (name, page.address(route, facet=key, **more), key == page.evaluation.facet)
        for key, name in [
            *facets.items(),
            *([] if page.evaluation.judging.ratings.has_different_scales else [(ALL, "All")]),
        ]
    ]


def _is_out_of_reach(evaluation: Evaluation) -> bool:
    """Whether no grade of the mapping is as high as the protocol's least relevant one."""
    mapping = evaluation.source.mapping
    return mapping is not None and all(
        float(grade) < evaluation.protocol.least for *_, grade in mapping.grades
    )
