from django.urls import path

from accounts import people_views, views

app_name = "accounts"
urlpatterns = [
    path("sign-in/", views.sign_in, name="sign-in"),
    path("sign-out/", views.sign_out, name="sign-out"),
    path("password/", views.change_password, name="password-change"),
    path("password/reset/", views.request_reset, name="password-reset"),
    path("password/reset/<uuid:public_id>/<str:token>/", views.set_password, name="password-set"),
    path("settings/", views.edit_settings, name="settings"),
    path("settings/display/", views.save_display, name="save-display"),
    path("setup/<str:token>/", views.set_up, name="set-up"),
    path("people/", people_views.people, name="people"),
    path("people/<uuid:public_id>/deactivate/", people_views.deactivate, name="deactivate"),
    path("people/<uuid:public_id>/reactivate/", people_views.reactivate, name="reactivate"),
    path(
        "people/<uuid:public_id>/sign-out/",
        people_views.sign_out_everywhere,
        name="sign-out-everywhere",
    ),
    path("people/<uuid:public_id>/reset-link/", people_views.reset_link, name="reset-link"),
]
