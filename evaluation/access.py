"""Whose values a page may show."""

from uuid import UUID

from django.http import Http404

from annotation.models import MachineRun
from datasets.models import Collection


def get_machine_run(collection: Collection, public_id: UUID) -> MachineRun:
    """A machine run of the collection, by its public id."""
    run = MachineRun.objects.filter(collection=collection, public_id=public_id).first()
    if run is None:
        raise Http404("There is no such machine run.")
    return run
