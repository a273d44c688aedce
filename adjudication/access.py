"""Access to disputed pairs: the loader, and its refusals; see annotation/access.py."""

from uuid import UUID

from django.http import Http404

from accounts.models import User
from adjudication.querysets import contested, readable_by
from annotation.models import Pair
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


def get_pair(user: User, public_id: UUID, *, to_decide: bool = False) -> tuple[Membership, Pair]:
    """An adjudicator's membership and a pair that waits for them or that they decided; `to_decide`
    also one that somebody else has decided since it was opened."""
    pairs = Pair.objects.select_related("topic__collection__scheme", "document", "side_text")
    pair, member = get_for(user, Role.ADJUDICATOR, pairs, public_id, path="topic__collection")
    readable_pairs = contested(member) if to_decide else readable_by(member)
    if not readable_pairs.filter(pk=pair.pk).exists():
        raise no_object()
    return member, pair
