from django.urls import path

from imports import views

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
]
