from django.urls import path

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
]
