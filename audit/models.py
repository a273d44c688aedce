"""The append-only trail: who did what to which object, from what to what, and why."""

import uuid
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Any, Self

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Case, Q, Value, When
from django.db.models.functions import Cast, Now, Replace

from audit.verbs import verbs


def by_account(*, null: bool = False) -> Any:
    """A column for the account of whoever did something. Rows outlive accounts."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=null, related_name="+"
    )


class PublicRow(models.Model):
    """A row with a public id, by which the trail, addresses and files name it."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    class Meta:
        abstract = True


class CreatedRow(models.Model):
    """A row with its maker and its time. The maker is None for the server's own shell."""

    created_by = by_account(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        abstract = True


class EventQuerySet(models.QuerySet):
    def about(self, subject: Any) -> Self:
        """Events about one object, oldest first."""
        return self.filter(
            subject_type=subject._meta.label_lower, subject_id=str(subject.public_id)
        ).order_by("id")

    def of_collection(self, collection: Any) -> Self:
        return self.filter(collection=collection.public_id)

    def with_ids(self, **kinds: type[models.Model]) -> Self:
        """With the public id of the subject under the name of its kind, null under the others.

        Databases keep public ids in their own ways; without hyphens all of them read the text as
        one.
        """
        public_id = Cast(Replace("subject_id", Value("-")), models.UUIDField())
        return self.alias(
            **{
                name: Case(When(subject_type=kind._meta.label_lower, then=public_id))
                for name, kind in kinds.items()
            }
        )

    def in_ranges(self, ranges: Sequence[Sequence[int]]) -> Iterator[Any]:
        """Events whose ids are in one of the ranges, in the order of these."""
        for first in range(0, len(ranges), 100):
            part = ranges[first : first + 100]
            within = [Q(id__gte=low, id__lte=high) for low, high in part]
            yield from self.filter(reduce(or_, within)).order_by("id")


class Event(models.Model):
    """One change, written in the transaction that makes it; a trigger refuses UPDATE and DELETE.

    The trail is a floor below what it describes, so it names its subjects by label and public id
    instead of by foreign key; it outlives them.
    """

    at = models.DateTimeField(db_default=Now(), editable=False)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )
    verb = models.CharField(max_length=60, choices=verbs)
    collection = models.UUIDField(null=True)
    subject_type = models.CharField(max_length=60)
    subject_id = models.CharField(max_length=64)
    before = models.JSONField(null=True, encoder=DjangoJSONEncoder)
    after = models.JSONField(null=True, encoder=DjangoJSONEncoder)
    reason = models.TextField(blank=True)
    # The answer's X-Request-ID, also of the request that queued a job; null in the shell.
    request_id = models.UUIDField(null=True)

    objects = EventQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["subject_type", "subject_id"], name="audit_event_subject"),
            models.Index(fields=["collection", "id"], name="audit_event_collection"),
        ]

    def __str__(self):
        return f"{self.verb} {self.subject_type} {self.subject_id}"


class Seal(models.Model):
    """One link of the chain over the trail (audit/chain.py); triggers refuse UPDATE and DELETE.

    `ranges` are the ids of the events that it covers, as [[first, last], ...]; `last_event` is the
    highest id that it or a seal before it covers; `previous` is the hash of the seal before.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    previous = models.CharField(max_length=64, blank=True)
    coverage = models.PositiveSmallIntegerField()
    ranges = models.JSONField()
    event_count = models.PositiveIntegerField()
    last_event = models.PositiveBigIntegerField()
    sealed_at = models.DateTimeField()
    sha256 = models.CharField(max_length=64, unique=True)

    class Meta:
        indexes = [models.Index(fields=["sealed_at"], name="audit_seal_sealed_at")]

    def __str__(self):
        return f"seal {self.number}"
