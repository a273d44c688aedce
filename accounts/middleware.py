"""What a page's fragments are told when the sign-in has ended."""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.shortcuts import resolve_url
from django_htmx.http import HttpResponseClientRedirect


def whole_page_sign_in(get_response):
    """A redirect to sign-in becomes a redirect of the whole page for an htmx request.

    Without it the sign-in page would be swapped into whatever cell asked.
    """

    def middleware(request):
        response = get_response(request)
        if not request.htmx or response.status_code != 302:
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
