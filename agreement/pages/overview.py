"""How well people agree: the four numbers of CSFCube's table with their intervals, what they rest
on, and how they moved."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from agreement.actions import known_or_queued
from agreement.pages import charts
from agreement.pages.frame import here, show
from agreement.study.selection import selection_of
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import left_out_of, overview_of
from agreement.subjects.overview.report import (
    FURTHER_NAMES,
    GRADE_NAMES,
    MEASURE_NAMES,
    FacetFigures,
)
from agreement.subjects.overview.uncertainty import AFTER, BEFORE, by_row, in_words, rows_of
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
    context = _context(selection, overview, intervals)
    return show(request, selection, ROUTE, "agreement/overview.html", context | {"job": job})


def _context(selection, overview, intervals):
    report, facet = overview.report, overview.facet
    of_table, of_raters, of_course, of_grades = overview.apart(intervals)
    words = [in_words(part, report.unit) for part in overview.apart(overview.wanted)]
    of_table = by_row(report, of_table)
    topics = overview.topics
    return {
        "report": report,
        "facet": facet,
        "rows": [
            _Row(row, of_table[row.key, BEFORE], of_table[row.key, AFTER])
            for row in rows_of(report)
        ],
        "cards": charts.cards(facet, of_table[facet.key, BEFORE], of_table[facet.key, AFTER]),
        "interval_words": dict(zip(("table", "raters", "course", "grades"), words, strict=True)),
        "summary_words": report.unit.summary(report.summary),
        "several": overview.several,
        "compared": [
            {"of": compared, "intervals": found}
            for compared, found in zip(
                overview.several.compared if overview.several else [], of_raters, strict=True
            )
        ],
        "together_intervals": of_raters[0] if of_raters else None,
        "grades": [
            {"of": one, "before": before, "after": after}
            for one, before, after in zip(
                facet.grades, of_grades[::2], of_grades[1::2], strict=True
            )
        ],
        "grade_measures": GRADE_NAMES,
        "further_measures": FURTHER_NAMES,
        "course": overview.course,
        "course_plots": charts.course_plots(overview.course, of_course),
        "course_rows": [
            {"part": part, "intervals": found}
            for part, found in zip(overview.course.parts, of_course, strict=True)
        ],
        "undefined": left_out_of(topics),
        "not_yet": [topic for topic in topics if topic.not_yet_before or topic.not_yet_after],
        "methods": methods_paragraph(selection, overview),
        "measures": MEASURE_NAMES,
    }


@dataclass(frozen=True)
class _Row:
    facet: FacetFigures
    before: dict | None
    after: dict | None
