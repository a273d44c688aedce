"""The signed-in user, read by a statement that is built once, as every request reads it."""

from typing import Any

from django.contrib.auth.backends import ModelBackend

from accounts.models import User
from audit.statements import Select

USER = Select(lambda pk: User.objects.filter(pk=pk), int)


class Backend(ModelBackend):
    def get_user(self, user_id: Any) -> User | None:
        user = USER.first(user_id)
        return user if user and self.user_can_authenticate(user) else None
