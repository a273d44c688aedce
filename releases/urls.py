from django.urls import path

from releases import views
from releases.erratum import views as erratum

app_name = "releases"
urlpatterns = [
    path("collections/<slug:slug>/exports/", views.exports, name="exports"),
    path("collections/<slug:slug>/exports/changes/", erratum.changes, name="changes"),
    path(
        "collections/<slug:slug>/exports/changes.<slug:suffix>",
        erratum.changes_file,
        name="changes-file",
    ),
    path(
        "collections/<slug:slug>/exports/changes/runs.<slug:suffix>",
        erratum.runs_file,
        name="changes-runs",
    ),
    path("exports/<uuid:public_id>/<path:name>", views.download, name="download"),
]
