from django.urls import path

from annotation.views import collections

app_name = "annotation"
urlpatterns = [
    path("collections/", collections.collections, name="collections"),
    # Before addresses with a slug in this place; no collection may have the short name "new".
    path("collections/new/", collections.create_collection, name="create-collection"),
    path("collections/<slug:slug>/lead-link/", collections.lead_link, name="lead-link"),
]
