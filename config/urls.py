"""All addresses."""

from django.urls import include, path

from api.page import openapi, reference
from config import views
from config.home import home
from config.lazy_urls import late

handler400 = "config.views.bad_request"
handler404 = "config.views.not_found"
handler500 = "config.views.server_error"

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("metrics", views.figures, name="metrics"),
    path("", home, name="home"),
    path("", include("annotation.urls")),
    path("", include("accounts.urls")),
    path("", include("datasets.urls")),
    path("", include("adjudication.urls")),
    path("", include("imports.urls")),
    path("", include("agreement.urls")),
    path("", include("evaluation.urls")),
    path("", include("releases.urls")),
    path("", include("webhooks.urls")),
    path("", include("jobs.urls")),
    path("api/", reference, name="api-page"),
    path("api/v1/openapi.json", openapi, name="openapi"),
    late("api/v1/", "api.urls", "api"),
]
