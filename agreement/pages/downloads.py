"""Downloads: the whole report as JSON and CSV, and every table in several formats."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from accounts.downloads import CSV, attached
from accounts.parameters import is_yes
from agreement.pages.frame import get_selection
from agreement.study.selection import Selection
from agreement.subjects.overview.files import as_csv as report_as_csv
from agreement.subjects.overview.files import as_json as report_as_json
from agreement.subjects.overview.report import whole_report_for
from agreement.subjects.registry import table_of
from agreement.tables.pictures import PICTURES, as_png, as_svg
from agreement.tables.table import Table
from agreement.tables.writing import as_csv, as_json, as_latex

TYPES = {
    "csv": CSV,
    "json": "application/json",
    "tex": "application/x-tex; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}


@require_safe
def agreement_json(request, slug):
    selection = get_selection(request, slug)
    return json_file(report_of(selection), f"{_file_name(selection)}.json")


def report_of(selection: Selection) -> dict:
    """The whole report as plain data."""
    return report_as_json(whole_report_for(selection))


@require_safe
def agreement_csv(request, slug):
    selection = get_selection(request, slug)
    return attached(report_as_csv(whole_report_for(selection)), CSV, f"{_file_name(selection)}.csv")


@require_safe
def table(request, slug, page, sheet, suffix):
    """One table of a page, under the filters of the address, or the picture drawn from it."""
    selection = get_selection(request, slug)
    check_format(suffix)
    collection = selection.collection
    return table_file(
        table_of(selection, page, sheet, request.GET),
        suffix,
        name=f"{collection.slug}-{page}-{sheet}",
        about=selection.in_words,
        intervals=is_yes(request.GET, "intervals"),
        facts=lambda: {
            "collection": {"slug": collection.slug, "name": collection.name},
            "licence": collection.licence,
            "source": collection.source,
            "citation": collection.citation,
            "chosen": dict(selection.filters_in_words),
        },
    )


def check_format(suffix: str) -> None:
    """404 before anything is computed for a format that there is not."""
    if suffix not in TYPES:
        raise Http404(f"There is no format {suffix!r}; expected one of {', '.join(TYPES)}.")


def table_file(
    chosen_table: Table,
    suffix: str,
    *,
    name: str,
    about: str,
    facts: Callable[[], Mapping[str, Any]],
    intervals: bool = False,
) -> HttpResponse:
    """The table in one of TYPES; `about` says what it is of, `facts` come before it in JSON.

    404 for the picture of a table that has none.
    """
    if suffix in PICTURES and chosen_table.picture is None:
        raise Http404(f"The table {chosen_table.key!r} has no picture.")
    label = f"tab:{name}"
    write: dict[str, Callable[[], str | bytes]] = {
        "csv": lambda: as_csv(chosen_table),
        "json": lambda: as_json(chosen_table, **facts()),
        "tex": lambda: as_latex(chosen_table, label=label, intervals=intervals, about=about),
        "svg": lambda: as_svg(chosen_table, about=about),
        "png": lambda: as_png(chosen_table),
    }
    return attached(write[suffix](), TYPES[suffix], f"{name}.{suffix}")


def json_file(data: dict, name: str) -> JsonResponse:
    """Plain data that the browser shows; it has a name where somebody keeps it."""
    return JsonResponse(
        data,
        json_dumps_params={"allow_nan": False, "indent": 1, "ensure_ascii": False},
        headers={"Content-Disposition": f'inline; filename="{name}"'},
    )


def _file_name(selection):
    filters = selection.filters
    return f"{selection.collection.slug}-agreement-{filters.summary}-{filters.cannot_judge}"
