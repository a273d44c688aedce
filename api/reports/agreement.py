"""The figures of agreement and of audits, as their pages compute them."""

from typing import Any

from rest_framework.response import Response

from agreement.pages.audits import get_read
from agreement.pages.downloads import report_of
from agreement.pages.frame import get_selection
from agreement.study.filters import NAMES
from agreement.subjects.audits.reading import as_json
from agreement.subjects.registry import table_of, tables_of
from agreement.tables.writing import as_data
from api.documentation import Parameter, described, files
from api.endpoint import Endpoint, TableEndpoint
from api.reports.tables import DATA, LEAD, TABLES_DATA, table_answer
from datasets.models import Scope

FILTERS = {name: f"As on the pages of agreement: {name}." for name in NAMES.values()}
# Of single tables, as their pages have them.
OF_PAGES = ["measure", "relevant", "sort"]
OF_TABLES = (
    FILTERS
    | {name: f"As on the pages that have it: {name}." for name in OF_PAGES}
    | {
        "a": "On the page `against`: the source of values, an address of `sources`; by default "
        "gold.",
        "b": "On the page `against`: the values that they are held against.",
    }
)


class Agreement(Endpoint):
    scope, roles = Scope.READ, LEAD

    @described(
        "get-agreement",
        "The whole report of agreement, as the page's own file of JSON has it.",
        answers={(200, "application/json"): DATA},
        parameters=[Parameter(name, about) for name, about in FILTERS.items()],
        tag="Figures",
    )
    def get(self, request: Any, slug: str) -> Response:
        return Response(report_of(get_selection(request, slug)))


class AgreementPage(Endpoint):
    scope, roles = Scope.READ, LEAD

    @described(
        "list-agreement-tables",
        "Every table of one page of agreement: overview, queries, annotators, disagreements, "
        "time, facets, pool, audits or against.",
        answers={(200, "application/json"): TABLES_DATA},
        parameters=[Parameter(name, about) for name, about in OF_TABLES.items()],
        tag="Figures",
    )
    def get(self, request: Any, slug: str, page: str) -> Response:
        selection = get_selection(request, slug)
        return Response([as_data(table) for table in tables_of(selection, page, request.GET)])


class AgreementTable(TableEndpoint):
    scope, roles = Scope.READ, LEAD

    @described(
        "get-agreement-table",
        "One table of a page of agreement.",
        answers={(200, "application/json"): DATA} | files("Its rows."),
        parameters=[Parameter(name, about) for name, about in OF_TABLES.items()],
        tag="Figures",
    )
    def get(self, request: Any, slug: str, page: str, table: str) -> Any:
        selection = get_selection(request, slug)
        figures = table_of(selection, page, table, request.GET)
        facts = {"chosen": dict(selection.filters_in_words)}
        return table_answer(request, figures, f"{slug}-{page}-{table}", facts)


class AuditReport(Endpoint):
    # It has every pair with its consensus and decision.
    scope, roles = Scope.RATINGS, LEAD

    @described(
        "get-audit-report",
        "The figures of an audit; for a lead who works through it, only once it is closed.",
        answers={(200, "application/json"): DATA},
        tag="Figures",
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Response:
        audit, figures = get_read(request.user, slug, public_id)
        return Response(as_json(audit, figures))
