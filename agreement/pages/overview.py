"""The overview: the four numbers of CSFCube's table with their intervals, the data that they rest
on, and their course over the study."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import floor

from django.shortcuts import render
from django.views.decorators.http import require_safe

from agreement.pages.frame import here, show
from agreement.statistics import Figure, Interval, Summary, SummaryKind
from agreement.study.intervals import in_words, known_or_queued
from agreement.study.scales import AFTER, BEFORE, WITHOUT_ORDER
from agreement.study.selection import selection_of
from agreement.subjects.overview.by_facet import by_row
from agreement.subjects.overview.figures import FacetFigures
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import left_out_of, makers_of, overview_of
from agreement.tables.cells import Axis, Mark
from agreement.tables.columns import ends_of
from datasets.access import get_membership, of_member
from datasets.models import Role

ROUTE = "agreement:agreement"


@require_safe
def agreement(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    if not hasattr(member.collection, "scheme"):
        context = of_member(member)
        return render(request, "agreement/no_scheme.html", context)
    selection = selection_of(member, request.user, request.GET)
    overview = overview_of(selection)
    intervals, job = known_or_queued(
        selection, "overview", overview.wanted, url=here(selection, ROUTE)
    )
    context = _context(selection, overview, intervals, request.GET)
    return show(request, selection, ROUTE, "agreement/overview.html", context | {"job": job})


def _context(selection, overview, intervals, parameters):
    report, facet = overview.report, overview.facet
    intervals_of = overview.apart(intervals)
    of_table = by_row(report, intervals_of["table"])
    topics = overview.topics
    makers = makers_of(selection, parameters, intervals_of.__getitem__)
    return {
        "report": report,
        "facet": facet,
        "tables": {key: make() for key, make in makers.items()},
        "cards": cards(facet, of_table[facet.key, BEFORE], of_table[facet.key, AFTER]),
        "interval_words": {
            part: in_words(requests, report.unit)
            for part, requests in overview.apart(overview.wanted).items()
        },
        "summary_words": report.unit.summary(report.summary),
        "several": overview.several,
        "course": overview.course,
        "undefined": left_out_of(topics),
        "not_yet": [figures.topic for figures in topics if not figures.topic.is_decided],
        "methods": methods_paragraph(selection, overview),
        "grades_title": f"Agreement by {facet.scale.noun}",
        "without_order": "" if facet.scale.is_ordinal else WITHOUT_ORDER,
    }


def axis_for(measure: str, values: Iterable[float]) -> Axis:
    """0 to 100 for percent; for a coefficient up to 1, from 0, -0.5 or -1 as the values need.

    Steps are such that the labels have room on a phone.
    """
    if measure == "percent":
        return Axis(0, 100, 25)
    lowest = min([0.0, *values])
    return Axis(floor(2 * lowest) / 2, 1, 0.25 if lowest == 0 else 0.5)


@dataclass(frozen=True)
class Card:
    """One measure of the chosen facet, before and after adjudication, and on how many topics each
    rests: of a median or mean those with a figure."""

    measure: str
    before: Summary
    after: Summary
    before_topics: int
    after_topics: int
    before_interval: Interval | None
    after_interval: Interval | None
    axis: Axis
    before_mark: Mark
    after_mark: Mark


def cards(
    facet: FacetFigures,
    before: Mapping[str, Interval] | None,
    after: Mapping[str, Interval] | None,
) -> list[Card]:
    """A card per measure; intervals are None as long as they are not known."""
    result = []
    for measure, rated in facet.before.measures.items():
        decided = facet.after.measures[measure]
        whiskers = before[measure] if before else None, after[measure] if after else None
        axis = axis_for(measure, _reach([rated.figure, decided.figure], whiskers))
        is_pooled = facet.kind is SummaryKind.POOLED
        result.append(
            Card(
                measure,
                rated,
                decided,
                facet.before.topics if is_pooled else rated.defined,
                facet.after.topics if is_pooled else decided.defined,
                *whiskers,
                axis,
                axis.mark(rated.figure.value, *ends_of(whiskers[0])),
                axis.mark(decided.figure.value, *ends_of(whiskers[1])),
            )
        )
    return result


def _reach(figures: Iterable[Figure], intervals: Iterable[Interval | None]) -> list[float]:
    """All values that an axis must have room for."""
    ends = [end for interval in intervals if interval for end in (interval.low, interval.high)]
    values = [figure.value for figure in figures]
    return [value for value in (*values, *ends) if value is not None]
