from django.urls import path

from imports import views
from imports.pooling import views as pooling

app_name = "imports"
urlpatterns = [
    path("collections/<slug:slug>/import/", views.import_data, name="import"),
    path("collections/<slug:slug>/import/check/", views.check, name="check"),
    path("collections/<slug:slug>/import/start/", views.start, name="start"),
    path("collections/<slug:slug>/import/clear/", views.clear, name="clear"),
    path("collections/<slug:slug>/import/problems.csv", views.problems, name="problems"),
    path(
        "collections/<slug:slug>/import/templates/<slug:table>.csv",
        views.template,
        name="template",
    ),
    path("collections/<slug:slug>/runs/pool/", pooling.runs_pool, name="runs-pool"),
    path("runs/<uuid:public_id>/unjudged/", pooling.draw_unjudged, name="draw-unjudged"),
]
