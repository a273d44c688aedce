"""The addresses under `/api/v1/`. Lists come from their registry; the rest stands here."""

from api import framework  # noqa: F401 - before anything else imports the framework

# isort: split
from django.urls import path, register_converter
from django.urls.converters import StringConverter

from api import collection, page, reports
from api.problem import nothing_here
from api.resources.registry import LISTS
from api.views import routes_of
from api.writes import data, deciding, rating, work

HOME = "collections/<slug:slug>"
SEATS = f"{HOME}/seats/<uuid:public_id>"
OWN = f"{HOME}/own-seats/<uuid:public_id>"


class AnythingConverter(StringConverter):
    """Whatever stands in an address, line ends too."""

    regex = r"[\s\S]+"


register_converter(AnythingConverter, "anything")

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
    path(f"{HOME}/adjudication/<uuid:public_id>", deciding.Case.as_view(), name="case"),
    path(f"{SEATS}/return", work.ReturnSeat.as_view(), name="return-seat"),
    path(f"{HOME}/batches/<uuid:public_id>/overlap", work.RaiseOverlap.as_view(), name="overlap"),
    path(f"{HOME}/topics/<uuid:public_id>/lock", work.LockTopic.as_view(), name="lock-topic"),
    path(f"{HOME}/topics/<uuid:public_id>/unlock", work.UnlockTopic.as_view(), name="unlock-topic"),
    path(f"{HOME}/pairs/<uuid:public_id>/reopen", work.ReopenPair.as_view(), name="reopen-pair"),
    path(f"{OWN}/pairs", rating.OwnPairs.as_view(), name="own-pairs"),
    path(f"{OWN}/pairs/<int:position>", rating.OwnPair.as_view(), name="own-pair"),
    path(f"{OWN}/hand-in", rating.HandIn.as_view(), name="hand-in"),
    path(
        f"{HOME}/exports/<uuid:public_id>/files/<path:name>",
        data.ExportFile.as_view(),
        name="export-file",
    ),
    path("", nothing_here, name="home"),
    path("<anything:rest>", nothing_here, name="nothing"),
]
