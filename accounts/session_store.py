"""Sessions in the database, as Django keeps them, read by a statement that is built once."""

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from audit.statements import Select

ROWS_AT_ONCE = 1_000
SESSION = Select(lambda key: Session.objects.filter(session_key=key), str)


class SessionStore(db.SessionStore):
    """Sessions as Django keeps them. Every signed-in request begins here."""

    def _get_session_from_db(self) -> Any:
        session = SESSION.first(self.session_key)
        if session is not None and session.expire_date > timezone.now():
            return session
        self._session_key = None
        return None

    @classmethod
    def clear_expired(cls) -> None:
        """Delete the rows of sessions that are over, few in each transaction."""
        over = Session.objects.filter(expire_date__lte=timezone.now()).order_by("expire_date")
        while keys := list(over.values_list("pk", flat=True)[:ROWS_AT_ONCE]):
            Session.objects.filter(pk__in=keys).delete()

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session
