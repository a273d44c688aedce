"""The pages of webhooks: a collection's hooks, and one hook with every try."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import uncompressed
from accounts.outcomes import outcome_as_message, refusal_in
from datasets.access import get_membership, of_member
from datasets.models import Membership, Role
from webhooks import actions
from webhooks.access import get_delivery, get_hook, visible_deliveries
from webhooks.forms import HookForm
from webhooks.kinds import LABELS
from webhooks.models import Delivery, Hook

SHOWN_DELIVERIES = 25


# The address of a hook may be a key by itself.
@uncompressed
@require_http_methods(["GET", "HEAD", "POST"])
def hooks(request: Any, slug: str) -> HttpResponse:
    """POST adds a hook, and is answered with its page: the secret is shown this once."""
    member = get_membership(request.user, slug, Role.LEAD)
    form = HookForm(request.POST or None)
    if request.method != "POST":
        return _list(request, member, form)
    if form.is_valid():
        with refusal_in(form, "address"):
            hook, secret = actions.add_hook(
                collection=member.collection, by=request.user, **form.cleaned_data
            )
            return _page(request, hook, member, secret=secret)
    return _list(request, member, form, status=422)


def _list(request: Any, member: Membership, form: HookForm, *, status: int = 200) -> HttpResponse:
    context = {**of_member(member), "hooks": member.collection.hooks.all(), "form": form}
    return render(request, "webhooks/hooks.html", context, status=status)


@uncompressed
@require_http_methods(["GET", "HEAD", "POST"])
def hook(request: Any, public_id: UUID) -> HttpResponse:
    row, member = get_hook(request.user, public_id)
    if request.method != "POST":
        return _page(request, row, member)
    form = HookForm(request.POST)
    if form.is_valid():
        with refusal_in(form, "address"):
            actions.change_hook(hook=row, by=request.user, **form.cleaned_data)
            messages.success(request, "Saved.")
            return redirect(row)
    return _page(request, row, member, form=form, status=422)


def _page(
    request: Any,
    row: Hook,
    member: Membership,
    *,
    form: HookForm | None = None,
    secret: str = "",
    status: int = 200,
) -> HttpResponse:
    deliveries = visible_deliveries(request.user, member.collection).filter(hook=row)
    deliveries = deliveries.prefetch_related("tries__by")
    pages = Paginator(deliveries, SHOWN_DELIVERIES)
    page, now = pages.get_page(request.GET.get("page")), timezone.now()
    context = {
        **of_member(member),
        "hook": row,
        "form": form or HookForm(initial={"address": row.address, "kinds": row.kinds}),
        "secret": secret,
        "page": page,
        "deliveries": [
            (delivery, LABELS.get(delivery.kind, delivery.kind), _next_try(delivery, row, now))
            for delivery in page
        ],
        "now": now,
    }
    return render(request, "webhooks/hook.html", context, status=status)


def _next_try(delivery: Delivery, hook: Hook, now: datetime) -> datetime | None:
    """None where nothing keeps it from being tried now. What a person sent again does not wait for
    the hook's pause."""
    pause = None if delivery.asked_by_id else hook.quiet_until
    moment = max(delivery.next_try_at, pause or delivery.next_try_at)
    return moment if moment > now else None


@require_POST
def renew_secret(request: Any, public_id: UUID) -> HttpResponse:
    """Answered with the page itself, not a redirect: the secret is shown this once."""
    row, member = get_hook(request.user, public_id)
    return _page(request, row, member, secret=actions.renew_secret(hook=row, by=request.user))


@require_POST
def turn_on(request: Any, public_id: UUID) -> HttpResponse:
    row, _ = get_hook(request.user, public_id)
    return _acted(request, row, partial(actions.turn_on, hook=row), "The webhook is on.")


@require_POST
def turn_off(request: Any, public_id: UUID) -> HttpResponse:
    row, _ = get_hook(request.user, public_id)
    return _acted(request, row, partial(actions.turn_off, hook=row), "The webhook is off.")


@require_POST
def send_test(request: Any, public_id: UUID) -> HttpResponse:
    row, _ = get_hook(request.user, public_id)
    sentence = "A test is on its way. Reload the page to see its answer."
    return _acted(request, row, partial(actions.send_test, hook=row), sentence)


@require_POST
def remove(request: Any, public_id: UUID) -> HttpResponse:
    row, member = get_hook(request.user, public_id)
    actions.remove_hook(hook=row, by=request.user)
    messages.success(request, "The webhook is removed.")
    return redirect("webhooks:hooks", member.collection.slug)


@require_POST
def resend(request: Any, public_id: UUID) -> HttpResponse:
    delivery, _ = get_delivery(request.user, public_id)
    sentence = "It is on its way. Reload the page to see the answer."
    return _acted(request, delivery.hook, partial(actions.resend, delivery=delivery), sentence)


def _acted(request: Any, row: Hook, act: Callable[..., Any], sentence: str) -> HttpResponse:
    """Back on the hook's page, the sentence says what was done; or the action, why it was not."""
    with outcome_as_message(request, sentence):
        act(by=request.user)
    return redirect(row)
