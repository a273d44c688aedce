"""The scores of runs, as their pages compute them."""

from typing import Any

from django.http import Http404
from rest_framework.response import Response

from annotation.steering import SCORES_CLOSED
from api.documentation import Parameter, described, files
from api.endpoint import Endpoint, TableEndpoint
from api.reports.tables import DATA, LEAD, table_answer
from datasets.models import Scope
from evaluation.pages.downloads import sheet_of
from evaluation.pages.frame import ask
from evaluation.runs.files import all_figures

OF_SCORES = {
    "values": "The source of values: an address of `sources`, by default gold.",
    "mapping": "The mapping by which options count, such as binary; by default their values.",
    "least": "The least relevant grade; by default the protocol's.",
    "protocol": "A protocol's key, or KEY.VERSION; by default the usual one of the collection.",
    "level": "topics, queries or sub-queries.",
    "facet": "One facet.",
    "fold": "One fold.",
    "tag": "Queries with this tag, name=value.",
}
OF_TABLES = OF_SCORES | {
    "measure": "The measure in question, by default the protocol's first.",
    "a": "The first of two runs.",
    "b": "The second.",
    "draws": "topic or pair: the unit for which one rater is drawn.",
    "depth": "Of the pool lab: how many first documents of each run are pooled.",
}


class Scores(Endpoint):
    scope, roles = Scope.READ, LEAD

    @described(
        "get-scores",
        "Every measure of every run: in all, by facet, by fold and by topic.",
        answers={(200, "application/json"): DATA},
        parameters=[Parameter(name, about) for name, about in OF_SCORES.items()],
        tag="Figures",
    )
    def get(self, request: Any, slug: str) -> Response:
        evaluation = ask(request, slug).evaluation
        if evaluation.judging.is_closed:
            raise Http404(SCORES_CLOSED)
        return Response(all_figures(evaluation))


class RunsTable(TableEndpoint):
    scope, roles = Scope.READ, LEAD

    @described(
        "get-runs-table",
        "One table of the pages of runs, such as `scores`; an unknown name lists all.",
        answers={(200, "application/json"): DATA} | files("Its rows."),
        parameters=[Parameter(name, about) for name, about in OF_TABLES.items()],
        tag="Figures",
    )
    def get(self, request: Any, slug: str, figure: str) -> Any:
        page = ask(request, slug)
        return table_answer(request, sheet_of(page, figure), f"{slug}-runs-{figure}", {})
