from django.urls import path

from evaluation.definitions import views as definitions
from evaluation.pages import against, compare, downloads, lab, scores, stability
from evaluation.queries import views

app_name = "evaluation"
urlpatterns = [
    path("collections/<slug:slug>/queries/", views.queries, name="queries"),
    path(
        "collections/<slug:slug>/queries/statistics/",
        views.query_statistics,
        name="query-statistics",
    ),
    path("collections/<slug:slug>/queries/<uuid:public_id>/", views.query, name="query"),
    path("collections/<slug:slug>/agreement/against/", against.against, name="against"),
    path("collections/<slug:slug>/runs/scores/", scores.scores, name="runs"),
    path("collections/<slug:slug>/runs/compare/", compare.compare, name="compare"),
    path("collections/<slug:slug>/runs/stability/", stability.stability, name="stability"),
    path("collections/<slug:slug>/runs/lab/", lab.lab, name="lab"),
    path("collections/<slug:slug>/runs/mappings/", definitions.mappings, name="mappings"),
    path("collections/<slug:slug>/runs/mappings/<slug:key>/", definitions.mapping, name="mapping"),
    path("collections/<slug:slug>/runs/protocols/", definitions.protocols, name="protocols"),
    path(
        "collections/<slug:slug>/runs/protocols/<slug:key>/",
        definitions.protocol,
        name="protocol",
    ),
    path(
        "collections/<slug:slug>/runs/tables/<slug:figure>.<slug:suffix>",
        downloads.table,
        name="table",
    ),
]
