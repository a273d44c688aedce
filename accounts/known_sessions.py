"""A web process's memory of who is signed in. It saves a read of the session before an action that
checks it anyway, under the locks that the action takes.

A POST to a view that is `tried_in_known_session` is first tried with the session as this process
last read it. The action compares that with `signed_in`. If they differ, or anything else is in the
way, nothing is kept: the session is read, and the view is called, as for any request.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import CharField, Exists, Value
from django.db.models.functions import MD5, Concat, Now
from django.http import HttpRequest, HttpResponse

from accounts.models import Session, User
from accounts.sessions import REFRESH, SEEN
from audit.shelf import Shelf

MAX_SESSIONS = 500  # 3 kB each


@dataclass(frozen=True, slots=True)
class KnownSession:
    """A session as it was read, with whom it signed in. It is shared by requests: neither is to be
    changed."""

    edition: UUID
    account: User
    seen_at: int

    @property
    def credentials(self) -> tuple[UUID, str]:
        """The arguments of `signed_in`."""
        return self.edition, self.account.sign_in_digest


_sessions = Shelf(MAX_SESSIONS)
Attempt = Callable[..., HttpResponse | None]


def signed_in(edition: UUID, sign_in_digest: str) -> Exists:
    """Whether a session is still the one that was read and has not ended, and its person has the
    same password and was neither deactivated nor signed out everywhere."""
    signs_in_by = Concat(
        "account__password", Value(":"), "account__session_epoch", output_field=CharField()
    )
    return Exists(
        Session.objects.alias(digest=MD5(signs_in_by)).filter(
            edition=edition,
            expire_date__gt=Now(),
            account__is_active=True,
            digest=sign_in_digest,
        )
    )


def known_session(request: HttpRequest) -> KnownSession | None:
    """The session that a request names, if this process knows it and it is not to be written."""
    known: KnownSession | None = _sessions.peek(_key_of(request))
    return known if known and 0 <= time.time() - known.seen_at < REFRESH else None


def remember(request: HttpRequest) -> None:
    """Keep the session of a signed-in request that lacks nothing, if it is not to be written."""
    session = request.session
    if not request.user.is_authenticated or session.modified:
        return
    row = session.row  # type: ignore[attr-defined]
    if row and row.account == request.user:
        _sessions.put(_key_of(request), KnownSession(row.edition, row.account, session[SEEN]))


def tried_in_known_session(attempt: Attempt) -> Callable[[Callable], Callable]:
    """Mark a view instead of which `attempt` may answer a POST.

    `attempt` takes the view's request and arguments, and the `KnownSession` as `session`. It
    answers what was kept; where nothing was, it returns None.
    """

    def mark(view: Callable) -> Callable:
        view.in_known_session = attempt  # type: ignore[attr-defined]
        return view

    return mark


def is_tried(view: Callable) -> bool:
    return hasattr(view, "in_known_session")


def answer_in_known_session(
    request: HttpRequest, view: Callable, *args: Any, **kwargs: Any
) -> HttpResponse | None:
    """The answer of a view's attempt; None where there is none, and the session is to be read."""
    if request.method != "POST" or not is_tried(view):
        return None
    known: KnownSession = request.known_session  # type: ignore[attr-defined]
    as_ever, answer = request.user, None
    request.user = request._cached_user = known.account  # type: ignore[attr-defined]
    try:
        answer = view.in_known_session(  # type: ignore[attr-defined]
            request, *args, session=known, **kwargs
        )
    finally:
        if answer is None:
            _sessions.drop(_key_of(request))
            request.user = as_ever
            del request._cached_user  # type: ignore[attr-defined]
    return answer


def _key_of(request: HttpRequest) -> str:
    return request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
