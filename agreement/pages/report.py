"""Everything on one page for the printer: all tables with their pictures, under pseudonyms."""

from itertools import count

from django.shortcuts import render
from django.views.decorators.http import require_safe

from agreement.pages.frame import PAGES, get_selection, here, page_name
from agreement.study.intervals import known_or_queued
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.registry import sections_of
from agreement.tables.pictures import on_page
from agreement.tables.shown import ShownTable
from agreement.tables.table import Table

ROUTE = "agreement:report"


@require_safe
def report(request, slug):
    selection = get_selection(request, slug)
    overview = overview_of(selection)
    _, job = known_or_queued(selection, "overview", overview.wanted, url=here(selection, ROUTE))
    numbers = count(1)
    sections = [
        (
            _title(page, selection),
            [(next(numbers), ShownTable(table), _picture(table)) for table in tables],
        )
        for page, tables in sections_of(selection)
    ]
    context = {
        "member": selection.member,
        "collection": selection.collection,
        "read_at": selection.everything.read_at,
        "pairs_chosen": selection.chosen.size,
        "filters_in_words": selection.filters_in_words,
        "filter_address": selection.filters.address(),
        "summary_words": selection.unit.summary(selection.filters.summary),
        "consensus_rule": selection.consensus_rule,
        "cannot_judge_rule": selection.cannot_judge_rule,
        "withheld": [topic for topic in selection.progress if topic.withheld],
        "methods": methods_paragraph(selection, overview),
        "sections": sections,
        "job": job,
    }
    return render(request, "agreement/report.html", context)


def _title(page: str, selection) -> str:
    route_name = "agreement" if page == "overview" else page
    routes = [route for route in PAGES if route.partition(":")[2] == route_name]
    return page_name(routes[0], selection.unit) if routes else page.capitalize()


def _picture(table: Table) -> str:
    """Part of the page: fetched one by one, pictures could be of a later state."""
    return on_page(table) if table.picture and table.rows else ""
