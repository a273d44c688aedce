"""Access to disputed pairs: the loader, and its refusals; see annotation/access.py."""

from collections.abc import Callable
from uuid import UUID

from django.http import Http404

from accounts.models import User
from adjudication.querysets import contested, readable_by
from annotation.models import Pair
from annotation.querysets import PairQuerySet
from datasets.access import get_for, get_membership, no_object
from datasets.models import Membership, Role, Topic


def get_topic(user: User, slug: str, public_id: UUID) -> tuple[Membership, Topic]:
    """An adjudicator's membership and a topic in which they have something to decide or decided."""
    member = get_membership(user, slug, Role.ADJUDICATOR)
    topic = (
        Topic.objects.select_related("collection__scheme")
        .filter(collection=member.collection_id, public_id=public_id)
        .first()
    )
    if topic is None or not readable_by(member).filter(topic=topic).exists():
        raise Http404("There is no such topic.")
    return member, topic


def get_pair_to_read(user: User, public_id: UUID) -> tuple[Membership, Pair]:
    """An adjudicator's membership and a pair that waits for them or that they decided."""
    return _get_pair(user, public_id, readable_by)


def get_pair_to_decide(user: User, public_id: UUID) -> tuple[Membership, Pair]:
    """The same, and also a pair that somebody else has decided since it was opened."""
    return _get_pair(user, public_id, contested)


def _get_pair(
    user: User, public_id: UUID, pairs_for: Callable[[Membership], PairQuerySet]
) -> tuple[Membership, Pair]:
    pairs = Pair.objects.select_related("topic__collection__scheme", "document", "side_text")
    pair, member = get_for(user, Role.ADJUDICATOR, pairs, public_id, path="topic__collection")
    if not pairs_for(member).filter(pk=pair.pk).exists():
        raise no_object()
    return member, pair
