"""Ends of sessions: an idle time by the person's roles, and a longest time for all.

What a request needs is in the session, which signing in loads anyway. Every few minutes the session
is written and the person's roles are read again. So a lead's change holds within these minutes, and
the rules of now always judge a session that was idle for longer.
"""

import time
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from accounts.models import User

REFRESH = 5 * 60  # seconds between two writes of when a session was last seen
# Hours for people without a collection, and for the roles of a new one.
DEFAULT_IDLE_HOURS = 7 * 24
DEFAULT_LEAD_IDLE_HOURS = 24

BEGAN, SEEN, MUST_ENROL = "began_at", "seen_at", "must_enrol"
HALF_SIGNED_IN = "half_signed_in"
PATIENCE = 10 * 60  # seconds between the password and the code


@dataclass(frozen=True)
class Rules:
    """The session rules for one person, the strictest of all their roles."""

    idle_seconds: int
    needs_second_factor: bool

    def shut_out(self, account: User) -> bool:
        """Whether the account sees nothing before it has set up the second factor it must have."""
        return self.needs_second_factor and not account.has_second_factor


def rules_for(account: User) -> Rules:
    hours = []
    needs_second_factor = False
    if account.is_site_admin:
        hours.append(settings.ADMIN_IDLE_HOURS)
        needs_second_factor = "site-admins" in settings.SECOND_FACTOR_REQUIRED
    # Collections are a floor above; the reverse relation is known here without importing them.
    for member in account.memberships.filter(removed_at=None).select_related("collection"):
        collection = member.collection
        if member.is_lead:
            hours.append(collection.lead_idle_hours)
            needs_second_factor |= (
                collection.leads_need_second_factor or "leads" in settings.SECOND_FACTOR_REQUIRED
            )
        if member.is_annotator or member.is_adjudicator:
            hours.append(collection.idle_hours)
    return Rules(min(hours, default=DEFAULT_IDLE_HOURS) * 60 * 60, needs_second_factor)


@receiver(user_logged_in)
def begin(sender, request: HttpRequest, user: User, **_: object) -> None:
    """A person has signed in, in whichever way."""
    request.session.pop(HALF_SIGNED_IN, None)
    request.session[BEGAN] = int(time.time())
    refresh(request, user)
    # The answer tells the browser that it is known now (accounts/middleware.py).
    request.remembered_email = user.email  # type: ignore[attr-defined]


def refresh(request: HttpRequest, account: User, rules: Rules | None = None) -> None:
    """Note that the session is in use, and what its person may do now."""
    now = int(time.time())
    request.session[SEEN] = now
    request.session[BEGAN] = min(request.session[BEGAN], now)
    request.session[MUST_ENROL] = (rules or rules_for(account)).shut_out(account)


def end_if_over(request: HttpRequest) -> None:
    """Sign out whoever was idle for too long, or signed in too long ago."""
    session = request.session
    now = int(time.time())
    # A time ahead of now was written while the clock was wrong, and says nothing.
    if SESSION_KEY not in session or 0 <= now - session.get(SEEN, 0) < REFRESH:
        return
    account = request.user
    if not account.is_authenticated:
        return
    rules = rules_for(account)
    longest = settings.SESSION_DAYS * 24 * 60 * 60
    if now - session.get(SEEN, 0) > rules.idle_seconds or now - session.get(BEGAN, 0) > longest:
        logout(request)
    else:
        refresh(request, account, rules)


def is_fresh(request: HttpRequest) -> bool:
    """Whether the password was typed only just now, so that nobody else can sit there."""
    return 0 <= time.time() - request.session.get(BEGAN, 0) < REFRESH


def wait_for_code(request: HttpRequest, account: User) -> None:
    """The password was right: the session waits for a code, and nobody is signed in yet."""
    request.session.cycle_key()
    request.session[HALF_SIGNED_IN] = {
        "account": account.pk,
        "hash": account.get_session_auth_hash(),
        "at": int(time.time()),
    }


def half_signed_in(request: HttpRequest) -> User | None:
    """The person whose password was typed in this session a moment ago; None after that."""
    pending = request.session.get(HALF_SIGNED_IN)
    if not pending or not 0 <= time.time() - pending["at"] <= PATIENCE:
        return None
    account = User.objects.filter(pk=pending["account"], is_active=True).first()
    # A password that was changed meanwhile, or a sign-out everywhere, begins anew.
    if account and constant_time_compare(pending["hash"], account.get_session_auth_hash()):
        return account
    return None
