"""The frame of all agreement pages: access, filters, the controls that choose them, the state, the
page around."""

from dataclasses import dataclass, replace
from html import escape

import numpy as np
from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from accounts.fragments import render_changing
from agreement.statistics import CannotJudge, SummaryKind
from agreement.study.filters import ALL, HANDED_IN, Channel, Filters, Resampled
from agreement.study.grades import Relevance
from agreement.study.intervals import OVER
from agreement.study.selection import Selection, selection_of
from agreement.tables.columns import METHODS, RULES, TOPIC, Unit
from annotation.access import get_scheme
from datasets.access import get_membership, of_member
from datasets.models import Collection, Role

# The pages of the section in the order of its navigation: name of the route, words.
PAGES = {
    "agreement:agreement": "Overview",
    "agreement:queries": "Topics",
    "agreement:annotators": "Annotators",
    "agreement:time": "Time",
    "agreement:disagreements": "Disagreements",
    "agreement:facets": "Facets",
    "agreement:pool": "Pool",
    "agreement:audits": "Audit",
    "evaluation:against": "Other judgments",
}

# The filters beside those of pairs that change something on a page; on the others all do.
CANNOT_JUDGE = frozenset({"cannot-judge"})
ACTING = {
    "agreement:annotators": CANNOT_JUDGE,
    "agreement:time": frozenset[str](),
    "agreement:disagreements": CANNOT_JUDGE,
    "agreement:facets": CANNOT_JUDGE,
    "agreement:pool": CANNOT_JUDGE,
    "evaluation:against": CANNOT_JUDGE,
}

INTERVALS = ("bootstrap", "resampled")

# Queries on one page of a long list of them.
AT_A_TIME = 100

# Of an option in a list.
MOST_CHARACTERS = 60
SELECTED = " selected"


def page_name(route: str, unit: Unit) -> str:
    """The page of topics has the name of their unit, and that of facets is about grades where no
    topic has a facet."""
    if route == "agreement:queries":
        return unit.many.capitalize()
    if route == "agreement:facets" and unit != TOPIC:
        return "Grades"
    return PAGES.get(route, "One figure")


def pages_of(collection: Collection, unit: Unit, route: str) -> list[tuple[str, str, bool]]:
    """(name, address, whether it is open) of each page in the navigation of the section."""
    return [
        (page_name(name, unit), reverse(name, args=[collection.slug]), name == route)
        for name in PAGES
    ]


def get_selection(request, slug) -> Selection:
    """The lead's request: 404 and 403 as everywhere, 404 without a scheme, 400 for a filter that
    names nothing."""
    member = get_membership(request.user, slug, Role.LEAD)
    get_scheme(member.collection)
    return selection_of(member, request.user, request.GET)


def page_of(request, rows: list):
    """The page of a long list that the address names; the first where it names none."""
    return Paginator(rows, AT_A_TIME).get_page(request.GET.get("page"))


def here(selection: Selection, route: str, **page) -> str:
    """The address of a page with its filters, and with parameters of its own."""
    home = reverse(route, args=[selection.collection.slug])
    address = selection.filters.address(**page)
    return f"{home}?{address}" if address else home


def show(request, selection: Selection, route: str, template: str, context: dict, **page):
    """The page, or for htmx the part of it that changes. `page` has the parameters that this page
    has beside the filters, by name, with their present values; they stay in its own links."""
    context = {
        **_page_context(selection, route, page),
        **_filter_context(selection, route, page),
        **_state_context(selection, page),
        **context,
    }
    address = here(selection, route, **page)
    return render_changing(request, template, context, address=address)


def _page_context(selection: Selection, route: str, page) -> dict:
    """What the page is and where it leads."""
    collection, unit = selection.collection, selection.unit
    return {
        **of_member(selection.member),
        "unit": unit,
        "heading": _heading(route, selection),
        "page_name": page_name(route, unit),
        "pages": pages_of(collection, unit, route),
        "home": reverse(route, args=[collection.slug]),
        "address": selection.filters.address(**page),
        "to_report": here(selection, "agreement:report"),
    }


def _filter_context(selection: Selection, route: str, page) -> dict:
    """The filters as they are chosen, and their choices."""
    filters, choices = selection.filters, selection.choices
    all_controls = controls_of(selection)
    acting = ACTING.get(route, {control.name for control in all_controls})
    controls = [control for control in all_controls if control.name in acting]
    usual_intervals = replace(filters, method=Filters.method, resampled=Filters.resampled)
    has_facet_of_all = choices.shares_a_scale or not choices.facets
    return {
        "filters": filters,
        "filtered": filters.chooses_pairs or bool(filters.query),
        "filter_address": filters.address(),
        "unfiltered": Filters().address(**page),
        # What `opens` may limit a list by: ALL stands also for no facets at all.
        "facet_keys": {*choices.facets, *([ALL] if has_facet_of_all else [])},
        "facet_links": _facet_links(selection, page),
        "has_different_scales": not choices.shares_a_scale,
        "controls": [control for control in controls if control.name not in INTERVALS],
        "more_controls": more_controls(selection),
        "interval_controls": [control for control in controls if control.name in INTERVALS],
        # What other pages go by stays in the address while this one is used.
        "kept_fields": [
            (control.name, control.value)
            for control in all_controls
            if control.name not in acting and control.value != control.options[0][0]
        ],
        "has_own_intervals": filters != usual_intervals,
    }


def _state_context(selection: Selection, page) -> dict:
    """The state of the study, and the rules of its figures."""
    return {
        "read_at": selection.everything.read_at,
        "pairs_chosen": selection.chosen.size,
        "withheld": [topic for topic in selection.progress if topic.withheld],
        "mixed": [topic for topic in selection.progress if topic.mixed_seats],
        "finished_in_part": _finished_in_part(selection),
        "of_handed_in": selection.filters.address(batch=HANDED_IN, **page),
        "consensus_rule": selection.consensus_rule,
        "cannot_judge_rule": selection.cannot_judge_rule,
    }


def _heading(route: str, selection: Selection) -> str:
    """The title of a page: "Agreement" of the first, else what the page is about."""
    words = page_name(route, selection.unit)
    return "Agreement" if route == "agreement:agreement" else f"Agreement: {words.lower()}"


def _finished_in_part(selection: Selection) -> int:
    """How many pairs are of batches that are handed in, and of topics that are not: of a sample,
    or a second wave."""
    chosen = selection.chosen
    rated = np.array([topic.is_rated for topic in selection.progress], dtype=bool)
    return int((chosen.is_finished & ~rated[chosen.topic]).sum())


def _facet_links(selection, page):
    if not selection.choices.facets:
        return []
    facets = list(selection.choices.facets.items())
    if selection.choices.shares_a_scale:
        facets.append((ALL, "All"))
    page = {**page, "topic": ""}  # a topic is of one facet
    return [
        (name, selection.filters.address(facet=key, **page), key == selection.filters.facet)
        for key, name in facets
    ]


@dataclass(frozen=True)
class Control:
    """A list to choose from in the filter bar."""

    name: str
    label: str
    options: list[tuple[str, str]]
    value: str

    @property
    def as_html(self) -> SafeString:
        """The options, of which a large study has thousands: a template is slow to write them."""
        return SafeString(
            "".join(
                f'<option value="{escape(value)}"{SELECTED if value == self.value else ""}>'
                f"{escape(_shortened(words))}</option>"
                for value, words in self.options
            )
        )


def _shortened(words: str) -> str:
    is_plain = len(words) <= MOST_CHARACTERS and words.isascii()
    return words if is_plain else Truncator(words).chars(MOST_CHARACTERS)


def relevance_control(relevance: Relevance) -> Control:
    return Control("relevant", "Relevant", relevance.choices, relevance.name)


def controls_of(selection: Selection) -> list[Control]:
    """The choices of how figures are made."""
    filters, unit = selection.filters, selection.unit
    summaries = [(kind.value, unit.summary(kind)) for kind in SummaryKind]
    has_lowest = selection.chosen.scale.is_ordinal  # labels have no lowest value
    rules = [
        (rule.value, words)
        for rule, words in RULES.items()
        if has_lowest or rule is not CannotJudge.LOWEST
    ]
    methods = [(method.value, words) for method, words in METHODS.items()]
    resampled = [
        (kind.value, "as fits" if kind is Resampled.FITS else unit.over(over))
        for kind, over in OVER.items()
    ]
    return [
        Control("summary", "Figures", summaries, filters.summary.value),
        Control("cannot-judge", "“Cannot judge”", rules, filters.cannot_judge.value),
        Control("bootstrap", "Intervals", methods, filters.method.value),
        Control("resampled", "Resampled", resampled, filters.resampled.value),
    ]


def more_controls(selection: Selection) -> list[Control]:
    """The choices of which pairs count."""
    filters, choices = selection.filters, selection.choices
    annotators = ((key, member.name) for key, member in choices.annotators.items())
    controls = [
        Control("query", "Query", [("", "all"), *choices.queries.items()], filters.query),
        Control("annotator", "Rated by", [("", "anybody"), *annotators], filters.annotator),
        Control("batch", "Batch", [("", "all"), *choices.batch_names.items()], filters.batch),
    ]
    if len(choices.versions) > 1:
        numbers = ((str(number), f"version {number}") for number in choices.versions)
        version = str(filters.version or "")
        controls.append(Control("version", "Scheme", [("", "any"), *numbers], version))
    if filters.channel or selection.has_program_ratings:
        channels = [("", "any"), (Channel.PAGES.value, "by people at pages")]
        controls.append(Control("channel", "Ratings", channels, filters.channel.value))
    return controls
