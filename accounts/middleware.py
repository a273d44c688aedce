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
        back_to = request.htmx.current_url_abs_path or "/"
        return HttpResponseClientRedirect(redirect_to_login(back_to).url)

    return middleware
