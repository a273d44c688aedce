"""Checks of every request's session, and the answer to a fragment whose session has ended."""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware, get_user
from django.contrib.auth.views import redirect_to_login
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django_htmx.http import HttpResponseClientRedirect

from accounts import devices, known_sessions, sessions
from accounts.backends import account_at_hand


class SignedIn(AuthenticationMiddleware):
    """Django's `request.user`, checked as ever; its row came with the session."""

    def process_request(self, request):
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: _signed_in(request))


def _signed_in(request):
    row = request.session.row
    with account_at_hand(row and row.account):
        return get_user(request)


def known_device(get_response):
    """Somebody signed in: the browser is told that it is known to their account."""

    def middleware(request):
        response = get_response(request)
        if email := getattr(request, "remembered_email", None):
            devices.remember(request, response, email)
        return response

    return middleware


class LastingSession:
    """Ends sessions that are over, and leads who must have a second factor to the page that makes
    it.

    A session that was in use a moment ago costs no statement; where a view can do without, it is
    not read (accounts/known_sessions.py).
    """

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        request.known_session = known_sessions.known_session(request)
        # A session that is known was in use a moment ago, and needs no second factor.
        if not request.known_session and (answer := _check_session(request)):
            return answer
        return self.get_response(request)

    def process_view(self, request, view, args, kwargs):
        if request.known_session:
            answer = known_sessions.answer_in_known_session(request, view, *args, **kwargs)
            if answer or (answer := _check_session(request)):
                return answer
        if known_sessions.is_tried(view):
            known_sessions.remember(request)
        return None


def _check_session(request):
    """What is answered instead of the page, if anything."""
    sessions.end_if_over(request)
    if request.session.get(sessions.MUST_ENROL) and not _may_without_factor(request.path):
        page = reverse("accounts:second-factor")
        return HttpResponseClientRedirect(page) if request.htmx else redirect(page)
    return None


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
