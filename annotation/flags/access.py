"""Access to flags for the leads who answer them."""

from uuid import UUID

from accounts.models import User
from annotation.models import Pair, Rating
from datasets.access import get_for, no_object
from datasets.models import Membership, Role


def get_flag_for_lead(user: User, public_id: UUID) -> tuple[Rating, Membership]:
    """A rating with a flag, for a lead of its collection who may read it, and their membership.

    The role is asked first: an annotator is told the same before and after a batch is finished.
    """
    path = "pair__topic__collection"
    rating, member = get_for(user, Role.LEAD, Rating.objects, public_id, path=path)
    if not Pair.objects.visible_to_lead(user).filter(pk=rating.pair_id).exists():
        raise no_object()
    return rating, member
