"""Access to exports, for leads of the collection."""

from collections.abc import Iterator
from itertools import islice
from uuid import UUID

from django.core.exceptions import BadRequest

from accounts.models import User
from annotation.models import Batch
from datasets.access import get_for, no_object
from datasets.models import Collection, Role
from releases.models import Export


def get_export(user: User, public_id: UUID) -> Export:
    """An export for a lead of its collection, unless it holds what they must not see now."""
    export: Export = get_for(user, Role.LEAD, Export.objects, public_id)[0]
    if export.has_any_of(withheld_batches(user, export.collection)):
        raise no_object()
    return export


def export_named(user: User, name: str, text: str) -> Export:
    """The export that a parameter of an address names by its id; else BadRequest, or as above."""
    try:
        return get_export(user, UUID(text))
    except ValueError:
        raise BadRequest(f"{name} is {text!r}; expected the id of an export.") from None


def visible_exports(
    user: User, collection: Collection, *, newest: int | None = None
) -> Iterator[Export]:
    """A collection's exports, the newest first, or the `newest` of them alone. What holds judgments
    that this lead must not see now is not even counted for them."""
    withheld = withheld_batches(user, collection)
    exports = collection.exports.select_related("created_by", "collection")
    visible = (export for export in exports.iterator() if not export.has_any_of(withheld))
    return islice(visible, newest)


def withheld_batches(user: User, collection: Collection) -> list[UUID]:
    """Public ids of the batches in which this person still has to rate, or once had."""
    blind = Batch.objects.filter(collection=collection).blind_to(user)
    return list(blind.values_list("public_id", flat=True))
