"""The doors of pages about accounts: who passes, and what an answer tells the next page."""

import uuid
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.test import RequestFactory

from accounts.access import get_account, secret_address, site_admin_required


def view(request):
    return HttpResponse("inside")


def visit(user, guarded):
    request = RequestFactory().get("/people/")
    request.user = user
    return guarded(request)


def person(*, is_site_admin):
    return SimpleNamespace(is_authenticated=True, is_site_admin=is_site_admin)


def test_only_site_admins_pass():
    guarded = site_admin_required(view)

    assert visit(person(is_site_admin=True), guarded).content == b"inside"
    for other in (person(is_site_admin=False), AnonymousUser()):
        with pytest.raises(PermissionDenied):
            visit(other, guarded)


def test_an_address_with_a_secret_is_named_to_no_later_request():
    assert visit(AnonymousUser(), secret_address(view))["Referrer-Policy"] == "strict-origin"


def test_an_account_is_found_by_its_public_id(ada, alice):
    assert get_account(alice.public_id) == alice
    with pytest.raises(Http404):
        get_account(uuid.uuid4())
