from django.urls import path

from jobs import views

app_name = "jobs"

urlpatterns = [
    path("jobs/<uuid:public_id>/", views.job_page, name="job-page"),
]
