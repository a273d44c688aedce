"""Writing the trail."""

from collections.abc import Iterable, Mapping
from typing import Any

from audit.models import Event
from audit.request_ids import current_request_id
from audit.statements import insert
from audit.verbs import Verb

# The collection of the subject, as its `collection` says.
OF_SUBJECT: Any = object()


def event(
    verb: Verb,
    subject: Any,
    *,
    by: Any,
    collection: Any = OF_SUBJECT,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> Event:
    """An unsaved trail event about `subject`, for callers that write many at once.

    `collection` is named where the subject does not say it; None is for what happens outside
    of all collections.
    """
    if collection is OF_SUBJECT:
        collection = getattr(subject, "collection", None)
    return Event(
        # Nobody can mend an event, so a verb that is none is not written.
        verb=Verb(verb),
        subject_type=subject._meta.label_lower,
        subject_id=str(subject.public_id),
        actor=by,
        collection=collection.public_id if collection else None,
        before=before,
        after=after,
        reason=reason,
        request_id=current_request_id(),
    )


def record(verb: Verb, subject: Any, **details: Any) -> Event:
    """Write one event; call it inside the transaction that makes the change."""
    written = event(verb, subject, **details)
    insert(written)
    return written


def record_all(events: Iterable[Event]) -> None:
    """Write many events of one transaction in few statements."""
    Event.objects.bulk_create(events, batch_size=500)
