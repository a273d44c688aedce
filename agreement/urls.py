from django.urls import path

from agreement import views

app_name = "agreement"

urlpatterns = [
    path("collections/<slug:slug>/agreement/", views.agreement, name="agreement"),
    path("collections/<slug:slug>/agreement.csv", views.agreement_csv, name="agreement-csv"),
    path("collections/<slug:slug>/agreement.json", views.agreement_json, name="agreement-json"),
]
