from django.urls import path

from adjudication import views
from adjudication.audits import views as audits

app_name = "adjudication"

urlpatterns = [
    path("collections/<slug:slug>/adjudicate/", views.queue, name="queue"),
    path("collections/<slug:slug>/adjudicate/sequence/", views.sequence, name="sequence"),
    path("collections/<slug:slug>/adjudicate/<uuid:public_id>/", views.topic, name="topic"),
    path(
        "collections/<slug:slug>/adjudicate/<uuid:public_id>/take/",
        views.take_topic,
        name="take-topic",
    ),
    path("adjudicate/<uuid:public_id>/", views.decide_pair, name="decide-pair"),
    path("adjudicate/<uuid:public_id>/guidelines/", views.guidelines, name="guidelines"),
    path("collections/<slug:slug>/adjudicate/audits/<uuid:public_id>/", audits.audit, name="audit"),
    path("adjudicate/audits/<uuid:public_id>/", audits.audit_pair, name="audit-pair"),
    path(
        "adjudicate/audits/<uuid:public_id>/guidelines/",
        audits.audit_guidelines,
        name="audit-guidelines",
    ),
    path("pairs/<uuid:public_id>/reopen/", views.reopen_pair, name="reopen-pair"),
]
