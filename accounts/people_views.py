"""The people page: accounts, for site admins. They never set or see a password."""

from collections import defaultdict

from django.conf import settings
from django.contrib import messages
from django.db.models import Exists, OuterRef
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts import actions, second_factor
from accounts.access import get_account, site_admin_required
from accounts.listing import listing
from accounts.models import SecondFactor, User
from accounts.outcomes import outcome_as_message
from accounts.views import mail_reset_link, reset_address
from audit.refusals import Refused

# The orders of accounts besides that of their names.
ORDERS = {
    "seen": ("last sign-in first", lambda account: -_seconds(account.last_login)),
    "newest": ("newest first", lambda account: -_seconds(account.date_joined)),
}


def _seconds(moment):
    return moment.timestamp() if moment else 0.0


@site_admin_required
@require_GET
def people(request):
    return render(request, "accounts/people.html", _context(request))


def _context(request):
    context = listing(_accounts(), request.GET, text=_text_of, orders=ORDERS).context()
    led_alone = _led_alone()
    for account in context["page"]:
        account.led_alone = led_alone[account.pk]
    return context


def _led_alone():
    """{account: names of the collections that nobody else leads who can sign in}"""
    leads = User.objects.filter(
        is_active=True, memberships__is_lead=True, memberships__removed_at=None
    )
    leads_of = defaultdict(list)
    for account, *collection in leads.order_by("memberships__collection__name").values_list(
        "pk", "memberships__collection__name", "memberships__collection"
    ):
        leads_of[tuple(collection)].append(account)
    led_alone = defaultdict(list)
    for (name, _), accounts in leads_of.items():
        if len(accounts) == 1:
            led_alone[accounts[0]].append(name)
    return led_alone


def _text_of(account):
    return f"{account.name} {account.email}"


def _accounts():
    with_factor = SecondFactor.objects.confirmed().filter(account=OuterRef("pk"))
    return User.objects.annotate(shows_codes=Exists(with_factor)).order_by(
        "-is_active", "name", "email"
    )


@site_admin_required
@require_POST
def deactivate(request, public_id):
    return _act(request, public_id, actions.deactivate, "{} is deactivated and signed out.")


@site_admin_required
@require_POST
def reactivate(request, public_id):
    return _act(request, public_id, actions.reactivate, "{} can sign in again.")


@site_admin_required
@require_POST
def sign_out_everywhere(request, public_id):
    return _act(
        request, public_id, actions.sign_out_everywhere, "{} is signed out on every device."
    )


@site_admin_required
@require_POST
def remove_second_factor(request, public_id):
    return _act(
        request,
        public_id,
        second_factor.remove_second_factor,
        "{} signs in without a code now.",
    )


def _act(request, public_id, action, done):
    account = get_account(public_id)
    with outcome_as_message(request, done.format(account)):
        action(account=account, by=request.user)
    return redirect("accounts:people")


@site_admin_required
@require_POST
def reset_link(request, public_id):
    """Mail the owner a link; only where no mail is configured is it shown, once, to hand over.

    Then the answer is the page itself, not a redirect, so that the link is nowhere stored.
    """
    account = get_account(public_id)
    try:
        token = actions.make_reset_link(account=account, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("accounts:people")
    if settings.MAIL_CONFIGURED:
        mail_reset_link(request, account, token)
        messages.success(request, f"A reset link is on its way to {account.email}.")
        return redirect("accounts:people")
    return render(
        request,
        "accounts/people.html",
        {**_context(request), "link_for": account, "link": reset_address(request, account, token)},
    )
