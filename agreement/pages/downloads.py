"""Downloads: the whole report as JSON and CSV, and every table in several formats."""

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from agreement.pages.frame import get_selection
from agreement.study.selection import Selection
from agreement.subjects.overview.files import as_csv as report_as_csv
from agreement.subjects.overview.files import as_json as report_as_json
from agreement.subjects.overview.report import report_for
from agreement.subjects.registry import table_of
from agreement.tables.pictures import as_png, as_svg
from agreement.tables.table import Table
from agreement.tables.writing import as_csv, as_json, as_latex


@login_required
@require_safe
def agreement_json(request, slug):
    selection = get_selection(request, slug)
    response = JsonResponse(
        report_of(selection),
        json_dumps_params={"allow_nan": False, "indent": 1, "ensure_ascii": False},
    )
    response["Content-Disposition"] = f'inline; filename="{_file_name(selection)}.json"'
    return response


def report_of(selection: Selection) -> dict:
    """The whole report as plain data."""
    return report_as_json(report_for(selection))


@login_required
@require_safe
def agreement_csv(request, slug):
    selection = get_selection(request, slug)
    response = HttpResponse(
        report_as_csv(report_for(selection)), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{_file_name(selection)}.csv"'
    return response


@login_required
@require_safe
def table(request, slug, page, sheet, suffix):
    """One table of a page, under the filters of the address, or the picture drawn from it."""
    selection = get_selection(request, slug)
    if suffix not in FORMATS:
        raise Http404(f"There is no format {suffix!r}; expected one of {', '.join(FORMATS)}.")
    content_type, write = FORMATS[suffix]
    try:
        chosen_table = table_of(selection, page, sheet, request.GET)
    except KeyError:
        raise Http404(f"There is no table {sheet!r} on the page {page!r}.") from None
    if suffix in PICTURES and chosen_table.picture is None:
        raise Http404(f"The table {sheet!r} has no picture.")
    name = f"{selection.collection.slug}-{page}-{sheet}"
    response = HttpResponse(
        write(chosen_table, name, selection, request.GET), content_type=content_type
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.{suffix}"'
    return response


def _tex(chosen_table: Table, name, selection, parameters):
    with_intervals = bool(parameters.get("intervals"))
    return as_latex(
        chosen_table, label=f"tab:{name}", intervals=with_intervals, about=selection.in_words
    )


def _svg(chosen_table: Table, name, selection, parameters):
    return as_svg(chosen_table, about=selection.in_words)


def _png(chosen_table: Table, name, selection, parameters):
    return as_png(chosen_table, about=selection.in_words)


def _json(chosen_table: Table, name, selection, parameters):
    collection = selection.collection
    return as_json(
        chosen_table,
        collection={"slug": collection.slug, "name": collection.name},
        licence=collection.licence,
        source=collection.source,
        citation=collection.citation,
        chosen=dict(selection.filters_in_words),
    )


def _csv(chosen_table: Table, name, selection, parameters):
    return as_csv(chosen_table)


# Of each format: its type, and what writes a table under a name, with the address's parameters.
FORMATS: dict[str, tuple[str, Callable]] = {
    "csv": ("text/csv; charset=utf-8", _csv),
    "json": ("application/json", _json),
    "tex": ("application/x-tex; charset=utf-8", _tex),
    "svg": ("image/svg+xml", _svg),
    "png": ("image/png", _png),
}
PICTURES = ("svg", "png")


def _file_name(selection):
    filters = selection.filters
    return f"{selection.collection.slug}-agreement-{filters.summary}-{filters.cannot_judge}"
