"""Everything on one page for the printer: all sheets with their pictures, under pseudonyms."""

import base64

from csp.decorators import csp_update
from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from agreement.actions import known_or_asked_for
from agreement.pages.frame import PAGES, ask, here, page_name
from agreement.subjects.overview.methods import methods_paragraph
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.registry import sections_of
from agreement.tables.printing import PrintedSheet

ROUTE = "agreement:report"


@login_required
@require_safe
# The pictures are part of the page: fetched one by one, they could be of a later state.
@csp_update({"img-src": ["data:"]})  # type: ignore[arg-type] # typed for views of one argument
def report(request, slug):
    asked = ask(request, slug)
    overview = overview_of(asked)
    _, job = known_or_asked_for(asked, "overview", overview.wanted, url=here(asked, ROUTE))
    sections = [
        (_title(page, asked), [(one, _picture(one)) for one in sheets])
        for page, sheets in sections_of(asked)
    ]
    context = {
        "member": asked.member,
        "collection": asked.collection,
        "read_at": asked.everything.read_at,
        "pairs_chosen": asked.chosen.size,
        "filters_in_words": asked.filters_in_words,
        "filter_address": asked.filters.address(),
        "summary_words": asked.unit.summary(asked.filters.summary),
        "consensus_rule": asked.consensus_rule,
        "cannot_judge_rule": asked.cannot_judge_rule,
        "withheld": [topic for topic in asked.progress if topic.withheld],
        "methods": methods_paragraph(asked, overview),
        "sections": sections,
        "job": job,
    }
    return render(request, "agreement/report.html", context)


def _title(page: str, asked) -> str:
    route = "agreement:agreement" if page == "overview" else f"agreement:{page}"
    return page_name(route, asked) if route in PAGES else page.capitalize()


def _picture(one: PrintedSheet) -> str:
    """The picture as an address that holds it; empty where the sheet has none."""
    if one.sheet.picture is None or not one.sheet.rows:
        return ""
    # Imported by the first picture: it takes a second, which no other page should wait for.
    from agreement.tables.drawing import as_svg

    return f"data:image/svg+xml;base64,{base64.b64encode(as_svg(one.sheet)).decode()}"
