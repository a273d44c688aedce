"""Access to runs and judgments, for leads of the collection alone."""

from uuid import UUID

from accounts.models import User
from datasets.access import get_for
from datasets.models import JudgmentSet, Membership, Role, Run


def get_run(user: User, public_id: UUID) -> tuple[Run, Membership]:
    runs = Run.objects.select_related("created_by")
    return get_for(user, Role.LEAD, runs, public_id, path="system__collection")


def get_judgment_set(user: User, public_id: UUID) -> tuple[JudgmentSet, Membership]:
    sets = JudgmentSet.objects.select_related("created_by")
    return get_for(user, Role.LEAD, sets, public_id)
