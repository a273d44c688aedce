"""The table as JSON and as CSV."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from agreement.reports import report_of
from agreement.tables import as_csv, as_json
from agreement.views.frame import ask


@login_required
@require_safe
def agreement_json(request, slug):
    asked = ask(request, slug)
    response = JsonResponse(
        as_json(_report(asked)),
        json_dumps_params={"allow_nan": False, "indent": 1, "ensure_ascii": False},
    )
    response["Content-Disposition"] = f'inline; filename="{_file_name(asked)}.json"'
    return response


@login_required
@require_safe
def agreement_csv(request, slug):
    asked = ask(request, slug)
    response = HttpResponse(as_csv(_report(asked)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{_file_name(asked)}.csv"'
    return response


def _report(asked):
    return report_of(asked.collection, asked.of_all_facets, asked.filters)


def _file_name(asked):
    filters = asked.filters
    return f"{asked.collection.slug}-agreement-{filters.summary}-{filters.cannot_judge}"
