from django.urls import path

from accounts import factor_views, people_views, views

app_name = "accounts"
urlpatterns = [
    path("sign-in/", views.sign_in, name="sign-in"),
    path("sign-in/code/", views.sign_in_code, name="sign-in-code"),
    path("sign-out/", views.sign_out, name="sign-out"),
    path("password/", views.change_password, name="password-change"),
    path("password/reset/", views.request_reset, name="password-reset"),
    path("password/reset/<uuid:public_id>/<str:token>/", views.set_password, name="password-set"),
    path("settings/", views.edit_settings, name="settings"),
    path("settings/display/", views.save_display, name="save-display"),
    path("settings/second-factor/", factor_views.factor_page, name="second-factor"),
    path("settings/second-factor/begin/", factor_views.begin, name="begin-second-factor"),
    path("settings/second-factor/qr.svg", factor_views.qr_code, name="second-factor-qr"),
    path("settings/second-factor/confirm/", factor_views.confirm, name="confirm-second-factor"),
    path("settings/second-factor/codes/", factor_views.replace_codes, name="recovery-codes"),
    path("settings/second-factor/off/", factor_views.turn_off, name="turn-off-second-factor"),
    path("setup/<str:token>/", views.set_up, name="set-up"),
    path("people/", people_views.people, name="people"),
    path("people/<uuid:public_id>/deactivate/", people_views.deactivate, name="deactivate"),
    path("people/<uuid:public_id>/reactivate/", people_views.reactivate, name="reactivate"),
    path(
        "people/<uuid:public_id>/sign-out/",
        people_views.sign_out_everywhere,
        name="sign-out-everywhere",
    ),
    path(
        "people/<uuid:public_id>/second-factor/",
        people_views.remove_second_factor,
        name="remove-second-factor",
    ),
    path("people/<uuid:public_id>/reset-link/", people_views.reset_link, name="reset-link"),
]
