"""One request for a write: who sent it, about which object, with which checked fields."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from accounts.models import User
from annotation.access import get_scheme
from annotation.models import Scheme
from datasets.models import Collection, Membership


@dataclass
class Call:
    """`fields` are what the form or the serializer made of the body; `arguments` stand in the
    address. `key` is the client's own UUID of this request, if it has one; `prepared` is what was
    read of the files."""

    request: Any
    member: Membership
    arguments: Mapping[str, Any]
    noun: str = ""
    target: Any = None
    form: Any = None
    fields: dict[str, Any] = field(default_factory=dict)
    key: UUID | None = None
    prepared: Any = None

    @property
    def user(self) -> User:
        return self.request.user

    @property
    def public_id(self) -> UUID:
        return self.arguments["public_id"]

    @property
    def collection(self) -> Collection:
        return self.member.collection

    @property
    def scheme(self) -> Scheme:
        return get_scheme(self.collection)


@dataclass(frozen=True)
class Target:
    """An object that an address names: its name in actions, and the loader that finds or refuses
    it."""

    noun: str
    load: Callable[[Call], Any]


def calling(action: Callable[..., Any], tell: Callable[[Any], Any] = lambda made: made) -> Any:
    """Call a page's action: the target under its noun, the person, and the fields. `tell` makes the
    answer from the action's result."""
    return lambda call: tell(action(**{call.noun: call.target}, by=call.user, **call.fields))
