"""The addresses under `/api/v1/`. Lists come from their registry; the rest stands here."""

from django.urls import path

from api import collection, page
from api.problem import nothing_here
from api.resources.registry import LISTS
from api.views import routes_of

HOME = "collections/<slug:slug>"

app_name = "api"
urlpatterns = [
    path("openapi.json", page.openapi, name="openapi"),
    path("collections", collection.Collections.as_view(), name="collections"),
    path(HOME, collection.CollectionDetails.as_view(), name="collection"),
    path(f"{HOME}/scheme", collection.Scheme.as_view(), name="scheme"),
    *(route for resource in LISTS for route in routes_of(resource)),
    path("", nothing_here, name="home"),
    path("<path:rest>", nothing_here, name="nothing"),
]
