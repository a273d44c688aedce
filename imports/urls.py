from django.urls import path

from imports import views

app_name = "imports"
urlpatterns = [
    path("collections/<slug:slug>/import/", views.import_data, name="import"),
]
