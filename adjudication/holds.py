"""Topics that an adjudicator has open. Others see it, and nothing is enforced."""

from django.utils import timezone

from adjudication.models import HOLD, TopicHold
from datasets.models import Membership, Topic


def hold_topic(topic: Topic, member: Membership) -> TopicHold:
    """Take a locked topic for this adjudicator, or keep it longer. Returns the hold that stands."""
    hold = TopicHold.objects.select_related("adjudicator").filter(topic=topic).first()
    if hold and hold.adjudicator_id != member.pk and hold.seconds_left:
        return hold
    hold, _ = TopicHold.objects.update_or_create(
        topic=topic, defaults={"adjudicator": member, "until": timezone.now() + HOLD}
    )
    return hold
