"""The page on which people make and revoke their tokens. Leads see those of the collection."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.listing import listing
from accounts.outcomes import refusal_in
from datasets.access import get_membership
from datasets.actions import change_programs
from datasets.models import Membership, Role, Scope, Token
from datasets.tokens import actions
from datasets.tokens.forms import TokenForm


@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: Any, slug: str) -> HttpResponse:
    """The tokens of a member. A POST is answered with the page: the token is shown this once."""
    return _page(request, get_membership(request.user, slug))


@require_http_methods(["GET", "HEAD", "POST"])
def admin_tokens(request: Any) -> HttpResponse:
    """The tokens by which a site admin's programs create collections."""
    if not request.user.is_site_admin:
        raise PermissionDenied("Only site admins may do this.")
    return _page(request, None)


def _page(request: Any, member: Membership | None) -> HttpResponse:
    form = TokenForm(request.POST or None, membership=member)
    token, shown, status = None, "", 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            with refusal_in(form):
                token, shown = actions.make_token(
                    account=request.user, membership=member, **form.cleaned_data
                )
                form, status = TokenForm(membership=member), 200
    context = _context(request, member, form) | {
        "shown": shown,
        "can_read": token is not None and Scope.READ in token.scopes,
        "installation": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "datasets/tokens.html", context, None, status)


def _context(request, member, form):
    tokens = Token.objects.filter(account=request.user, membership=member, revoked_at=None)
    others = Token.objects.none()
    if member and member.is_lead:
        others = Token.objects.working().filter(membership__collection=member.collection)
        others = others.exclude(account=request.user).select_related("membership", "account")
    searched = listing(others, request.GET, text=_text_of)
    return {
        "member": member,
        "collection": member and member.collection,
        "tokens": tokens,
        **searched.context(),
        "form": form,
    }


def _text_of(token):
    return f"{token.membership.name} {token.name} {' '.join(token.scopes)}"


@require_POST
def revoke(request: Any, public_id: UUID) -> HttpResponse:
    """Its person revokes a token, or a lead of the collection; for others it does not exist."""
    token = (
        Token.objects.select_related("membership__collection").filter(public_id=public_id).first()
    )
    if token is None or not _may_revoke(request, token):
        raise Http404("There is no such token.")
    actions.revoke_token(token=token, by=request.user)
    messages.success(request, f"Revoked: {token}. It no longer gives access.")
    if token.membership is None:
        return redirect("datasets:admin-tokens")
    return redirect("datasets:tokens", token.membership.collection.slug)


def _may_revoke(request, token: Token) -> bool:
    if token.membership is None:
        return token.account_id == request.user.pk
    members = Membership.objects.current().filter(
        collection=token.membership.collection_id, user=request.user
    )
    member = members.first()
    return member is not None and (member.is_lead or token.account_id == request.user.pk)


@require_POST
def set_programs(request: Any, slug: str) -> HttpResponse:
    """Let programs rate in the collection, or not any more."""
    member = get_membership(request.user, slug, Role.LEAD)
    change_programs(
        collection=member.collection,
        by=request.user,
        programs_may_rate="programs_may_rate" in request.POST,
    )
    messages.success(request, "Saved.")
    return redirect("datasets:tokens", slug)
