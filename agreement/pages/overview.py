"""How well people agree: the four numbers of CSFCube's table with their intervals, what they rest
on, and how they moved."""

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from agreement.actions import known_or_queued
from agreement.pages import charts
from agreement.pages.frame import here, show
from agreement.study.selection import selection_of
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import left_out_of, overview_of
from agreement.subjects.overview.report import MEASURE_NAMES
from agreement.subjects.overview.tables import makers_of
from agreement.subjects.overview.uncertainty import AFTER, BEFORE, by_row, in_words
from datasets.access import get_membership
from datasets.models import Role

ROUTE = "agreement:agreement"


@login_required
@require_safe
def agreement(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    if not hasattr(member.collection, "scheme"):
        context = {"member": member, "collection": member.collection}
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
    known = overview.apart(intervals)
    of_table = by_row(report, known["table"])
    topics = overview.topics
    makers = makers_of(selection, parameters, known.__getitem__)
    return {
        "report": report,
        "facet": facet,
        "tables": {key: make() for key, make in makers.items()},
        "cards": charts.cards(facet, of_table[facet.key, BEFORE], of_table[facet.key, AFTER]),
        "interval_words": {
            part: in_words(wanted, report.unit)
            for part, wanted in overview.apart(overview.wanted).items()
        },
        "summary_words": report.unit.summary(report.summary),
        "several": overview.several,
        "course": overview.course,
        "course_plots": charts.course_plots(overview.course, known["course"]),
        "undefined": left_out_of(topics),
        "not_yet": [topic for topic in topics if topic.not_yet_before or topic.not_yet_after],
        "methods": methods_paragraph(selection, overview),
        "measures": MEASURE_NAMES,
    }
