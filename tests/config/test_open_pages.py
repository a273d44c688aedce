"""Which pages are open to strangers: whatever is added waits for somebody who is signed in."""

from django.urls import URLResolver, get_resolver

from api.problem import no_endpoint

OPEN = {
    *("sign-in/", "sign-in/code/", "sign-out/", "password/reset/", "setup/<str:token>/"),
    "password/reset/<uuid:public_id>/<str:token>/",
    "invitations/<str:token>/",
    *("healthz", "metrics"),  # what they tell of the installation takes a token of their own
    *("api/", "api/v1/openapi.json"),
}


def addresses(patterns, before=""):
    for pattern in patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, address)
        else:
            yield address, pattern.callback


def test_only_these_pages_are_open_to_strangers():
    is_open = {
        address
        for address, view in addresses(get_resolver().url_patterns)
        # Programs show their tokens to endpoints, which look at them by themselves.
        if not getattr(view, "login_required", True) and not hasattr(view, "cls")
        if view is not no_endpoint
    }

    assert is_open == OPEN
