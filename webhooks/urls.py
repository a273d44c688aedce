from django.urls import path

from webhooks import views

app_name = "webhooks"
urlpatterns = [
    path("collections/<slug:slug>/webhooks/", views.hooks, name="hooks"),
    path("webhooks/<uuid:public_id>/", views.hook, name="hook"),
    path("webhooks/<uuid:public_id>/secret/", views.renew_secret, name="renew-secret"),
    path("webhooks/<uuid:public_id>/turn-on/", views.turn_on, name="turn-on"),
    path("webhooks/<uuid:public_id>/turn-off/", views.turn_off, name="turn-off"),
    path("webhooks/<uuid:public_id>/test/", views.send_test, name="send-test"),
    path("webhooks/<uuid:public_id>/remove/", views.remove, name="remove"),
    path("webhooks/deliveries/<uuid:public_id>/resend/", views.resend, name="resend"),
]
