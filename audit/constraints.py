"""Constraints of models, named for their rule: `annotation_pair_once_per_topic`."""

from typing import Any

from django.db.models import CheckConstraint, Q, UniqueConstraint

NAME = "%(app_label)s_%(class)s_{}"


def check(rule: str, condition: Q) -> CheckConstraint:
    """What holds of every row."""
    return CheckConstraint(condition=condition, name=NAME.format(rule))


def unique(rule: str, *fields: str, **options: Any) -> UniqueConstraint:
    """No two rows have the same values in these fields."""
    return UniqueConstraint(fields=fields, name=NAME.format(rule), **options)
