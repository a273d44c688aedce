"""Access to runs and judgments, for leads of the collection alone."""

from uuid import UUID

from django.http import Http404

from accounts.models import User
from datasets.access import get_membership
from datasets.models import JudgmentSet, Membership, Role, Run


def get_run(user: User, public_id: UUID) -> tuple[Run, Membership]:
    runs = Run.objects.select_related("system__collection", "created_by")
    run = runs.filter(public_id=public_id).first()
    if run is None:
        raise Http404("There is no such run.")
    return run, get_membership(user, run.system.collection.slug, Role.LEAD)


def get_judgment_set(user: User, public_id: UUID) -> tuple[JudgmentSet, Membership]:
    sets = JudgmentSet.objects.select_related("collection", "created_by")
    judgments = sets.filter(public_id=public_id).first()
    if judgments is None:
        raise Http404("There are no such judgments.")
    return judgments, get_membership(user, judgments.collection.slug, Role.LEAD)
