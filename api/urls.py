"""The addresses under `/api/v1/`. Lists and writes come from their registries; other reports stand
here."""

from typing import Any

from api import framework  # noqa: F401 - before anything else imports the framework

# isort: split
from django.urls import path, register_converter
from django.urls.converters import StringConverter

from api import collection
from api.problem import no_endpoint
from api.reports import agreement, erratum, rows, runs
from api.resources.registry import LISTS
from api.views import routes_of, writing_routes, written
from api.writes import authoring, data, deciding, rating, schemes
from api.writes.write import HOME, ROW


class AnythingConverter(StringConverter):
    """Whatever stands in an address, line ends too."""

    regex = r"[\s\S]+"


register_converter(AnythingConverter, "anything")

# {name of the route: (its address, what is read there)}
READS: dict[str, tuple[str, Any]] = {
    "collections": ("collections", collection.Collections),
    "collection": (HOME, collection.CollectionDetails),
    "scheme": (f"{HOME}/scheme", collection.Scheme),
    "wording": (f"{HOME}/scheme/wording", schemes.Wording),
    "settings": (f"{HOME}/settings", collection.Settings),
    "agreement": (f"{HOME}/agreement", agreement.Agreement),
    "agreement-page": (f"{HOME}/agreement/<slug:page>", agreement.AgreementPage),
    "agreement-table": (f"{HOME}/agreement/<slug:page>/<slug:table>", agreement.AgreementTable),
    "scores": (f"{HOME}/scores", runs.Scores),
    "runs-table": (f"{HOME}/scores/<slug:figure>", runs.RunsTable),
    "rankings": (f"{HOME}/runs/{ROW}/rankings", rows.Rankings),
    "grades": (f"{HOME}/judgments/{ROW}/grades", rows.Judged),
    "qrels": (f"{HOME}/qrels", rows.Qrels),
    "case": (f"{HOME}/adjudication/{ROW}", deciding.Case),
    "audit-pair": (f"{HOME}/audit-pairs/{ROW}", deciding.AuditPair),
    "audit-report": (f"{HOME}/audits/{ROW}/report", agreement.AuditReport),
    "aspects": (f"{HOME}/queries/{ROW}/aspects", authoring.Aspects),
    "own-pairs": (f"{rating.OWN_SEAT_AT}/pairs", rating.OwnPairs),
    "own-pair": (f"{rating.OWN_SEAT_AT}/pairs/<int:position>", rating.OwnPair),
    "export-changes": (f"{HOME}/exports/{ROW}/changes", erratum.ExportChanges),
    "export-changes-runs": (f"{HOME}/exports/{ROW}/changes/runs", erratum.ExportChangesRuns),
    "export-file": (f"{HOME}/exports/{ROW}/files/<path:name>", data.ExportFile),
}
READ_ROUTES = [
    *(route for resource in LISTS for route in routes_of(resource)),
    *(path(address, written(address, view), name=name) for name, (address, view) in READS.items()),
]

app_name = "api"
urlpatterns = [
    *READ_ROUTES,
    *writing_routes(reading_paths={str(route.pattern) for route in READ_ROUTES}),
    path("", no_endpoint, name="home"),
    path("<anything:rest>", no_endpoint, name="nothing"),
]
