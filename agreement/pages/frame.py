"""What all agreement pages share: who may see them, the filters, the state, the page around."""

from dataclasses import dataclass, replace

from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse

from agreement.statistics import SummaryKind
from agreement.study import asking
from agreement.study.asking import Asked, asked_by
from agreement.study.filters import ALL, Filters, Resampled
from agreement.study.grades import Relevance
from agreement.subjects.overview.uncertainty import OVER
from agreement.tables.words import METHODS, RULES
from datasets.access import get_membership
from datasets.models import Role

# The pages of the section in the order of its navigation: name of the route, words.
PAGES = {
    "agreement:agreement": "Overview",
    "agreement:queries": "Queries",
    "agreement:annotators": "Annotators",
    "agreement:time": "Time",
    "agreement:disagreements": "Disagreements",
    "agreement:facets": "Facets",
    "agreement:pool": "Pool",
    "agreement:audits": "Audit",
}

# Queries on one page of a long list of them.
AT_A_TIME = 100


@dataclass(frozen=True)
class Control:
    """A list to choose from in the filter bar."""

    name: str
    label: str
    options: list[tuple[str, str]]
    value: str


def page_name(route: str, asked: Asked) -> str:
    """The page of topics is called by what they are."""
    if route == "agreement:queries":
        return asked.unit.many.capitalize()
    return PAGES.get(route, "Working")


def ask(request, slug) -> Asked:
    """The lead's request: 404 and 403 as everywhere, 404 without a scheme, 400 for a filter that
    names nothing."""
    member = get_membership(request.user, slug, Role.LEAD)
    if not hasattr(member.collection, "scheme"):
        raise Http404("The collection has no scheme yet.")
    return asked_by(member, request.user, request.GET)


def one_of(request, name, allowed) -> str:
    """A parameter of one page; the first allowed value where it is absent, 400 for any other."""
    return asking.one_of(request.GET, name, allowed)


def page_of(request, found: list):
    """The page of a long list that the address names, from 1; 400 for what is no number."""
    text = request.GET.get("page") or "1"
    if not text.isdecimal() or len(text) > 6:
        raise BadRequest(f"page is {text!r}; expected a number.")
    return Paginator(found, AT_A_TIME).get_page(int(text))


def relevance_control(relevance: Relevance) -> Control:
    return Control("relevant", "Relevant", relevance.choices, relevance.name)


def here(asked: Asked, route: str, **page) -> str:
    """The address of a page with its filters, and with parameters of its own."""
    home = reverse(route, args=[asked.collection.slug])
    address = asked.filters.address(**page)
    return f"{home}?{address}" if address else home


def show(request, asked: Asked, route: str, template: str, context: dict, **page):
    """The page, or for htmx the part of it that changes. `page` has the parameters that this page
    has beside the filters, by name, with their present values; they stay in its own links."""
    # Going back in the browser's history asks for the whole page, also by htmx.
    is_fragment = request.htmx and not request.htmx.history_restore_request
    home = reverse(route, args=[asked.collection.slug])
    address = asked.filters.address(**page)
    response = render(
        request,
        template,
        {
            "is_fragment": is_fragment,
            "member": asked.member,
            "collection": asked.collection,
            "filters": asked.filters,
            "pages": [
                (page_name(name, asked), reverse(name, args=[asked.collection.slug]), name == route)
                for name in PAGES
            ],
            "page_name": page_name(route, asked),
            "unit": asked.unit,
            "home": home,
            "to_report": here(asked, "agreement:report"),
            "address": address,
            "filter_address": asked.filters.address(),
            "unfiltered": Filters().address(**page),
            "facet_links": _facet_links(asked, page),
            "has_different_scales": not asked.choices.shares_a_scale,
            "controls": _controls(asked),
            "more_controls": _more_controls(asked),
            "interval_controls": _interval_controls(asked),
            "has_own_intervals": asked.filters
            != replace(asked.filters, method=Filters.method, resampled=Filters.resampled),
            "filtered": asked.filters.chooses_pairs or bool(asked.filters.query),
            "read_at": asked.everything.read_at,
            "pairs_chosen": asked.chosen.size,
            "withheld": [topic for topic in asked.progress if topic.withheld],
            "mixed": [topic for topic in asked.progress if topic.mixed_seats],
            "finished_batches": _finished_batches(asked, page),
            "consensus_rule": asked.consensus_rule,
            "cannot_judge_rule": asked.cannot_judge_rule,
            **context,
        },
    )
    response["Vary"] = "HX-Request"
    if is_fragment:
        response["HX-Push-Url"] = here(asked, route, **page)
    return response


def _finished_batches(asked, page):
    """[(name, address)] of batches that are done where no topic as a whole is, as with samples."""
    if asked.filters.batch or any(topic.is_rated for topic in asked.progress):
        return []
    done = set(asked.chosen.batch[asked.chosen.is_finished].tolist())
    return [
        (batch.name, asked.filters.address(batch=key, **page))
        for key, batch in asked.choices.batches.items()
        if batch.pk in done
    ]


def _facet_links(asked, page):
    if not asked.choices.facets:
        return []
    facets = list(asked.choices.facets.items())
    if asked.choices.shares_a_scale:
        facets.append((ALL, "All"))
    return [
        (name, asked.filters.address(facet=key, **page), key == asked.filters.facet)
        for key, name in facets
    ]


def _controls(asked):
    filters = asked.filters
    return [
        Control(
            "summary",
            "Figures",
            [(kind.value, asked.unit.summary(kind)) for kind in SummaryKind],
            filters.summary.value,
        ),
        Control(
            "cannot-judge",
            "“Cannot judge”",
            [(rule.value, words) for rule, words in RULES.items()],
            filters.cannot_judge.value,
        ),
    ]


def _interval_controls(asked):
    filters = asked.filters
    return [
        Control(
            "bootstrap",
            "Intervals",
            [(method.value, words) for method, words in METHODS.items()],
            filters.method.value,
        ),
        Control(
            "resampled",
            "Resampled",
            [
                (Resampled.FITS.value, "as fits"),
                *(
                    (what.value, asked.unit.over(over))
                    for what, over in OVER.items()
                    if what is not Resampled.FITS
                ),
            ],
            filters.resampled.value,
        ),
    ]


def _more_controls(asked):
    filters, choices = asked.filters, asked.choices
    found = [
        Control("query", "Query", [("", "all"), *choices.queries.items()], filters.query),
        Control(
            "annotator",
            "Rated by",
            [("", "anybody"), *((key, one.name) for key, one in choices.annotators.items())],
            filters.annotator,
        ),
        Control(
            "batch",
            "Batch",
            [("", "all"), *((key, one.name) for key, one in choices.batches.items())],
            filters.batch,
        ),
    ]
    if len(choices.versions) > 1:
        versions = [
            ("", "any"),
            *((str(number), f"version {number}") for number in choices.versions),
        ]
        found.append(Control("version", "Scheme", versions, str(filters.version or "")))
    return found
