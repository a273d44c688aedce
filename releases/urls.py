from django.urls import path

from releases import query_views, views

app_name = "releases"

urlpatterns = [
    path("collections/<slug:slug>/queries/", query_views.queries, name="queries"),
    path(
        "collections/<slug:slug>/queries/statistics/",
        query_views.query_statistics,
        name="query-statistics",
    ),
    path("collections/<slug:slug>/queries/<uuid:public_id>/", query_views.query, name="query"),
    path("collections/<slug:slug>/exports/", views.exports, name="exports"),
    path("exports/<uuid:public_id>/<path:name>", views.download, name="download"),
]
