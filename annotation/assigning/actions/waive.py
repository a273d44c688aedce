"""Letting somebody rate although they could have read the ratings of others."""

from accounts.models import User
from annotation.assigning.barring import Why, bars_of
from annotation.models import Batch, Waiver
from audit.actions import record
from audit.refusals import Invalid, NotAllowed, Refused
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.models import Membership


@one_transaction
def waive_reading(*, batch: Batch, member: Membership, by: User, reason: str) -> Waiver:
    """Let a member take a seat of a batch although they could have read its ratings.

    The waiver stands for good: plan, methods paragraph and exports tell of it.
    """
    batch = locked(batch)
    member = locked(member)
    if not Membership.objects.leads().filter(collection=batch.collection_id, user=by).exists():
        raise NotAllowed("Only a lead waives this.")
    if member.user_id == by.pk:
        raise Refused("You cannot waive this for yourself. Ask another lead.")
    if Batch.objects.blind_to(by).filter(pk=batch.pk).exists():
        raise Refused("You rate in this batch yourself, so another lead decides this.")
    if not reason.strip():
        raise Invalid("Say why this person may rate all the same; the reason is kept.")
    bar = bars_of(batch.collection, within=[batch.pk])[batch.pk].get(member.pk)
    if bar is None or bar.why is not Why.COULD_READ:
        raise Invalid(f"For {member} there is nothing to waive in {batch}.")
    waiver = Waiver.objects.create(batch=batch, member=member, reason=reason.strip(), given_by=by)
    record(
        Verb.WAIVE_READING,
        batch,
        by=by,
        after={"waiver": waiver.public_id, "member": member.public_id},
        reason=waiver.reason,
    )
    return waiver
