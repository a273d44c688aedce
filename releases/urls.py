from django.urls import path

from releases import views

app_name = "releases"
urlpatterns = [
    path("collections/<slug:slug>/exports/", views.exports, name="exports"),
    path("exports/<uuid:public_id>/<path:name>", views.download, name="download"),
]
