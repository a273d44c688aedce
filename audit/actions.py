"""Writing the trail."""

from audit.models import Event
from audit.request_ids import current_request_id
from audit.statements import insert


def event(*, verb, subject, by, collection=None, before=None, after=None, reason=""):
    """An unsaved trail event about `subject`, for callers that write many at once."""
    return Event(
        verb=verb,
        subject_type=subject._meta.label_lower,
        subject_id=str(subject.public_id),
        actor=by,
        collection=collection.public_id if collection else None,
        before=before,
        after=after,
        reason=reason,
        request_id=current_request_id(),
    )


def record(**details):
    """Write one event; call it inside the transaction that makes the change."""
    written = event(**details)
    insert(written)
    return written


def record_all(events):
    """Write many events of one transaction in few statements."""
    Event.objects.bulk_create(events, batch_size=500)
