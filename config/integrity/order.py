"""Who came first by the order of the trail, whatever the clock said: clocks are set back."""

from django.db.models import Exists, OuterRef

from annotation.models import Batch, Pair, Rating, Tenure
from audit.models import Event
from audit.verbs import Verb
from datasets.models import Membership

OF_ROLES = [Verb.ACCEPT_INVITATION, Verb.SET_ROLES, Verb.LINK_MEMBER, Verb.REMOVE_MEMBER]


def sat_down_after_ratings(tenure, using):
    """Whether somebody else had rated in the batch of a tenure, by its key, when it began.

    An import brings seats and ratings at once, without events; whoever is given a seat of its batch
    later comes after them.
    """
    tenure = Tenure.objects.using(using).select_related("batch", "seat", "member").get(pk=tenure)
    holder = str(tenure.member.public_id)
    changes = Event.objects.using(using).about(tenure.seat)
    changes = [event for event in changes if "holder" in (event.before or {})]
    if tenure.batch.imported_id is not None:
        return bool(changes) and changes[0].before["holder"] != holder
    given = next((event.id for event in changes if event.after["holder"] == holder), None)
    rated = _about(Pair.including_inactive.using(using).filter(batch=tenure.batch), using)
    others = rated.filter(verb=Verb.RATE).exclude(actor=tenure.member.user_id)
    return given is None or others.filter(id__lt=given).exists()


def could_read_before(change, batch, member, using):
    """Whether a member with a seat of a batch had a role that reads ratings at a moment before an
    event, by its id, while every seat of the batch was handed in."""
    batch = Batch.including_inactive.using(using).get(pk=batch)
    member = Membership.objects.using(using).get(pk=member)
    own_ratings = Rating.objects.filter(pair=OuterRef("pk"), annotator=member)
    pairs = Pair.including_inactive.using(using).filter(batch=batch)
    # Nobody reads, as an adjudicator, a pair that they rated.
    reads_as = {"lead", "adjudicator"} if pairs.filter(~Exists(own_ratings)).exists() else {"lead"}
    seats = {str(seat.public_id): seat for seat in batch.seats.using(using)}
    of_seats = list(_about(batch.seats.using(using), using).order_by("id"))
    of_batch = list(Event.objects.using(using).about(batch).filter(verb=Verb.RAISE_OVERLAP))
    of_roles = list(Event.objects.using(using).about(member).filter(verb__in=OF_ROLES))

    # As it was before all of these events: what none of them changed is as it is now.
    ends = [event for event in of_seats if event.verb in (Verb.HAND_IN_SEAT, Verb.RETURN_SEAT)]
    first = {event.subject_id: event.verb for event in reversed(ends)}
    handed_in = {
        seat
        for seat, row in seats.items()
        if first.get(seat, Verb.RETURN_SEAT if row.handed_in_at else "") == Verb.RETURN_SEAT
    }
    overlap = of_batch[0].before["overlap"] if of_batch else batch.overlap
    roles = (of_roles[0].before or {}).get("roles", []) if of_roles else member.roles
    holder = str(member.public_id)
    given = [event for event in of_seats if _holder(event) == holder]
    sits = not given  # an import gave the seat
    for event in sorted([*of_seats, *of_batch, *of_roles], key=lambda event: event.id):
        if event.id >= change:
            break
        match event.verb:
            case Verb.HAND_IN_SEAT:
                handed_in.add(event.subject_id)
            case Verb.RETURN_SEAT:
                handed_in.discard(event.subject_id)
            case Verb.ASSIGN_SEAT:
                sits = sits or event in given
            case Verb.RAISE_OVERLAP:
                overlap = event.after["overlap"]
            case _:
                roles = (event.after or {}).get("roles", [])
        if sits and reads_as & set(roles) and overlap == len(handed_in):
            return True
    return False


def _about(rows, using):
    names = [str(public_id) for public_id in rows.values_list("public_id", flat=True)]
    subject_type = rows.model._meta.label_lower
    return Event.objects.using(using).filter(subject_type=subject_type, subject_id__in=names)


def _holder(event):
    return (event.after or {}).get("holder") if event.verb == Verb.ASSIGN_SEAT else None
