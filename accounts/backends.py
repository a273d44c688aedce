"""The signed-in user, read by a statement that is built once, as every request reads it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.contrib.auth.backends import ModelBackend

from accounts.models import User
from audit.statements import Select

USER = Select(lambda pk: User.objects.filter(pk=pk), int)
_at_hand: ContextVar[User | None] = ContextVar("at_hand", default=None)


class Backend(ModelBackend):
    def get_user(self, user_id: Any) -> User | None:
        user = _at_hand.get()
        if user is None or user.pk != user_id:
            user = USER.first(user_id)
        return user if user and self.user_can_authenticate(user) else None


@contextmanager
def account_at_hand(account: User | None) -> Iterator[None]:
    """Inside, asking for this account gives the one at hand, without a statement."""
    token = _at_hand.set(account)
    try:
        yield
    finally:
        _at_hand.reset(token)
