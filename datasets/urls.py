from django.urls import path

from datasets import views

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
    path("invitations/<str:token>/", views.accept_invitation, name="accept-invitation"),
]
