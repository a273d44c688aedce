from django.urls import path

from datasets import views
from datasets.runs import judgment_views as judgments
from datasets.runs import views as runs
from datasets.tokens import views as tokens

app_name = "datasets"
urlpatterns = [
    path("collections/<slug:slug>/members/", views.members, name="members"),
    path("collections/<slug:slug>/members/list/", views.people, name="people"),
    path("collections/<slug:slug>/members/invite/", views.invite, name="invite"),
    path(
        "collections/<slug:slug>/members/<uuid:public_id>/roles/",
        views.set_roles,
        name="set-roles",
    ),
    path(
        "collections/<slug:slug>/members/<uuid:public_id>/link/",
        views.link_member,
        name="link-member",
    ),
    path(
        "collections/<slug:slug>/members/<uuid:public_id>/remove/",
        views.remove_member,
        name="remove-member",
    ),
    path(
        "collections/<slug:slug>/invitations/<uuid:public_id>/revoke/",
        views.revoke_invitation,
        name="revoke-invitation",
    ),
    path("collections/<slug:slug>/runs/", runs.runs, name="runs"),
    path("collections/<slug:slug>/runs/guard/", runs.set_guard, name="set-scoring-guard"),
    path("runs/<uuid:public_id>/", runs.run, name="run"),
    path("runs/<uuid:public_id>/remove/", runs.remove_run, name="remove-run"),
    path("collections/<slug:slug>/judgments/", judgments.judgment_sets, name="judgments"),
    path("judgments/<uuid:public_id>/", judgments.judgment_set, name="judgment-set"),
    path("judgments/<uuid:public_id>/qrels/", judgments.qrels, name="judgments-qrels"),
    path("judgments/<uuid:public_id>/remove/", judgments.remove, name="remove-judgments"),
    path("collections/<slug:slug>/tokens/", tokens.tokens, name="tokens"),
    path("collections/<slug:slug>/tokens/programs/", tokens.set_programs, name="set-programs"),
    path("tokens/", tokens.admin_tokens, name="admin-tokens"),
    path("tokens/<uuid:public_id>/revoke/", tokens.revoke, name="revoke-token"),
    path("invitations/<str:token>/", views.accept_invitation, name="accept-invitation"),
]
