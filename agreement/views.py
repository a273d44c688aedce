"""The agreement table of a collection, for its leads: page, JSON and CSV."""

from collections import Counter

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from agreement import charts
from agreement.reports import MEASURE_NAMES, SUMMARY_NAMES, report_on
from agreement.statistics import CannotJudge, SummaryKind, disagreement_in_all
from agreement.tables import as_csv, as_json
from datasets.access import get_membership
from datasets.models import Role

RULES = {
    CannotJudge.LOWEST: "counts as the lowest value",
    CannotJudge.DROP: "leaves the pair out",
}


@login_required
@require_safe
def agreement(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    context = {"member": member, "collection": member.collection}
    # Going back in the browser's history asks for the whole page, also by htmx.
    is_fragment = request.htmx and not request.htmx.history_restore_request
    template = "agreement/agreement.html" + ("#figures" if is_fragment else "")
    if hasattr(member.collection, "scheme"):
        report = _report(request, member)
        context |= _page(report, _choices(request, report))
    response = render(request, template, context)
    response["Vary"] = "HX-Request"
    return response


@login_required
@require_safe
def agreement_json(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    report = _report(request, member)
    response = JsonResponse(
        as_json(report), json_dumps_params={"allow_nan": False, "indent": 1, "ensure_ascii": False}
    )
    response["Content-Disposition"] = f'inline; filename="{_file_name(report)}.json"'
    return response


@login_required
@require_safe
def agreement_csv(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    report = _report(request, member)
    response = HttpResponse(as_csv(report), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{_file_name(report)}.csv"'
    return response


def _report(request, member):
    """The report that the address asks for, without what this viewer may not see yet."""
    if not hasattr(member.collection, "scheme"):
        raise Http404("The collection has no scheme yet.")
    return report_on(
        member.collection,
        viewer=request.user,
        cannot_judge=CannotJudge(_one_of(request, "cannot-judge", RULES)),
        summary=SummaryKind(_one_of(request, "summary", SUMMARY_NAMES)),
    )


def _choices(request, report):
    facets = ["all", *(facet.key for facet in report.facets)]
    return {
        "facet": _one_of(request, "facet", facets),
        "measure": _one_of(request, "measure", MEASURE_NAMES),
        "summary": report.summary.value,
        "cannot-judge": report.cannot_judge.value,
    }


def _one_of(request, name, allowed):
    """A parameter's value; the first allowed one where it is absent, 400 for any other."""
    value = request.GET.get(name) or next(iter(allowed))
    if value not in allowed:
        raise BadRequest(f"{name} is {value!r}; expected one of {', '.join(allowed)}.")
    return value


def _file_name(report):
    return f"{report.collection.slug}-agreement-{report.summary}-{report.cannot_judge}"


def _page(report, choices):
    by_key = {"all": report.whole} | {facet.key: facet for facet in report.facets}
    facet = by_key[choices["facet"]]
    topics = [figures for figures in report.topics if figures.topic.facet == facet.key]
    if choices["facet"] == "all":
        topics = report.topics
    rows = [*report.facets, report.whole]
    distances = sorted(disagreement_in_all(row.disagreement for row in rows).by_distance)
    return {
        "report": report,
        "facet": facet,
        "rows": rows,
        "cards": charts.cards(facet, topics),
        "plot": charts.plot(facet, topics, choices["measure"]),
        "confusion": charts.confusion_rows(facet, report),
        "scale": [f"{value:g}" for value in report.scale.values],
        "distances": [f"{distance:g}" for distance in distances],
        "bars": [(row, charts.distance_bar(row.disagreement, distances)) for row in rows],
        "undefined": _undefined(topics),
        "measures": MEASURE_NAMES,
        "measure": choices["measure"],
        "measure_name": MEASURE_NAMES[choices["measure"]],
        "summaries": {kind.value: words for kind, words in SUMMARY_NAMES.items()},
        "summary_words": SUMMARY_NAMES[report.summary],
        "rules": {rule.value: words for rule, words in RULES.items()},
        "facet_links": [
            (row.name, urlencode(choices | {"facet": key}), row is facet)
            for key, row in by_key.items()
        ],
        "address": urlencode(choices),
        "facet_choice": choices["facet"],
    }


def _undefined(topics):
    """[(measure, when, reason, number of topics)]: the figures that no summary contains."""
    counts = Counter(
        (MEASURE_NAMES[measure], when, str(reason))
        for figures in topics
        for when, row in (("before", figures.before), ("after", figures.after))
        if row
        for measure, summary in row.measures.items()
        for reason in summary.left_out
    )
    return [(*key, count) for key, count in counts.items()]
