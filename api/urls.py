"""The addresses under `/api/v1/`. Lists come from their registry; the rest stands here."""

from django.urls import path

from api import collection, page, reports
from api.problem import nothing_here
from api.resources.registry import LISTS
from api.views import routes_of

HOME = "collections/<slug:slug>"

app_name = "api"
urlpatterns = [
    path("openapi.json", page.openapi, name="openapi"),
    path("collections", collection.Collections.as_view(), name="collections"),
    path(HOME, collection.CollectionDetails.as_view(), name="collection"),
    path(f"{HOME}/scheme", collection.Scheme.as_view(), name="scheme"),
    *(route for resource in LISTS for route in routes_of(resource)),
    path(f"{HOME}/agreement", reports.Agreement.as_view(), name="agreement"),
    path(f"{HOME}/agreement/<slug:page>", reports.AgreementPage.as_view(), name="agreement-page"),
    path(
        f"{HOME}/agreement/<slug:page>/<slug:table>",
        reports.AgreementTable.as_view(),
        name="agreement-table",
    ),
    path(f"{HOME}/scores", reports.Scores.as_view(), name="scores"),
    path(f"{HOME}/scores/<slug:figure>", reports.RunsTable.as_view(), name="runs-table"),
    path(f"{HOME}/runs/<uuid:public_id>/rankings", reports.Rankings.as_view(), name="rankings"),
    path(f"{HOME}/judgments/<uuid:public_id>/grades", reports.Judged.as_view(), name="grades"),
    path(f"{HOME}/qrels", reports.Qrels.as_view(), name="qrels"),
    path("", nothing_here, name="home"),
    path("<path:rest>", nothing_here, name="nothing"),
]
