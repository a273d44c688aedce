"""Checks of every request's session, and the answer to a fragment whose session has ended."""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from accounts import devices, sessions


def known_device(get_response):
    """Somebody signed in: the browser is told that it is known to their account."""

    def middleware(request):
        response = get_response(request)
        if email := getattr(request, "remembered_email", None):
            devices.remember(request, response, email)
        return response

    return middleware


def lasting_session(get_response):
    """End sessions that are over, and lead who must have a second factor to the page that makes it.

    A session that was in use a moment ago costs no statement.
    """

    def middleware(request):
        sessions.end_if_over(request)
        if request.session.get(sessions.MUST_ENROL) and not _may_without_factor(request.path):
            page = reverse("accounts:second-factor")
            return HttpResponseClientRedirect(page) if request.htmx else redirect(page)
        return get_response(request)

    return middleware


def _may_without_factor(path):
    return path.startswith(reverse("accounts:second-factor")) or path in {
        reverse("accounts:sign-out"),
        reverse("accounts:save-display"),
        reverse("healthz"),
    }


def whole_page_sign_in(get_response):
    """A redirect to sign-in becomes a redirect of the whole page for an htmx request.

    Without it the sign-in page would be swapped into whatever cell asked.
    """

    def middleware(request):
        response = get_response(request)
        if response.status_code != 302 or not request.htmx:
            return response
        if urlsplit(response["Location"]).path != resolve_url(settings.LOGIN_URL):
            return response
        return HttpResponseClientRedirect(redirect_to_login(_page_of(request)).url)

    return middleware


def _page_of(request):
    """The page that a fragment was asked from, where the browser names one of ours."""
    try:
        return request.htmx.current_url_abs_path or "/"
    except ValueError:  # no address, such as http://[
        return "/"
