"""Sessions in the database, read together with the account that is signed in."""

from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone

from accounts.models import Session
from audit.statements import Select

ROWS_AT_ONCE = 1_000
SESSION = Select(lambda key: Session.objects.select_related("account").filter(session_key=key), str)


class SessionStore(db.SessionStore):
    """A request's session. Every signed-in request begins by reading it."""

    _row: Session | None = None

    def __init__(self, session_key: str | None = None) -> None:
        """Anybody may put anything into a cookie: what cannot be a key counts as none."""
        super().__init__(session_key if session_key and session_key.isalnum() else None)

    @property
    def row(self) -> Session | None:
        """The row as it was read, with its account; None of a session that is new or over."""
        self.keys()  # reads the row, if nobody did
        return self._row

    def _get_session_from_db(self) -> Session | None:
        session: Session | None = SESSION.first(self.session_key)
        if session is not None and session.expire_date > timezone.now():
            self._row = session
            return session
        self._session_key = None
        return None

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        session = cast(Session, super().create_model_instance(data))
        session.account_id = data.get(SESSION_KEY)
        return session

    @classmethod
    def clear_expired(cls) -> None:
        """Delete the rows of sessions that are over, few in each transaction."""
        over = Session.objects.filter(expire_date__lte=timezone.now()).order_by("expire_date")
        while keys := list(over.values_list("pk", flat=True)[:ROWS_AT_ONCE]):
            Session.objects.filter(pk__in=keys).delete()

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session
