"""Changing fields of a stored row, with its trace."""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from audit.actions import record
from audit.verbs import Verb


def differing(row: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the values that the row does not hold already."""
    return {name: value for name, value in values.items() if getattr(row, name) != value}


def write_change(row: Any, changed: Mapping[str, Any], *, verb: Verb, by: User | None) -> None:
    """Save fields of a locked row, and record what they were and are; nothing where none differ."""
    if not changed:
        return
    before = {name: getattr(row, name) for name in changed}
    for name, value in changed.items():
        setattr(row, name, value)
    row.save(update_fields=list(changed))
    record(verb, row, by=by, before=before, after=changed)
