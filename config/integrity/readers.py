"""Nobody rates in a batch whose ratings they could read: recomputed from the times of roles."""

from collections import defaultdict
from itertools import compress

from django.db.models import Exists, F, Min, OuterRef

from annotation.models import Pair, Rating, RatingRevision, Seat, Tenure, Waiver
from audit.models import Event
from audit.verbs import Verb
from config.integrity.order import could_read_before, sat_down_after_ratings
from datasets.models import Membership, Role, RolePeriod
from formats.grouping import grouped

READING = [Role.ADJUDICATOR, Role.LEAD]


def reader_findings(using):
    """Yield a sentence for every row at odds with the rule, or with what it rests on."""
    yield from _role_periods(using)
    yield from _tenures(using)
    yield from _fixed_ratings(using)


def _role_periods(using):
    """The periods that stand are the roles that members have."""
    periods = RolePeriod.objects.using(using).filter(until=None)
    standing = grouped(periods.values_list("member", "role"))
    for pk, removed_at, *flags in Membership.objects.using(using).values_list(
        "pk", "removed_at", *(f"is_{role}" for role in Role.values)
    ):
        roles = set() if removed_at else set(compress(Role.values, flags))
        if set(standing[pk]) != roles:
            yield f"Member {pk} has the roles {sorted(roles)}; their periods say otherwise."


def _tenures(using):
    periods = RolePeriod.objects.using(using).filter(role__in=READING)
    times_of_role = grouped(
        (member, times) for member, *times in periods.values_list("member", "since", "until")
    )
    tenures = list(
        Tenure.objects.using(using)
        .filter(member__in=list(times_of_role))
        .values_list("pk", "batch", "member", "since")
    )
    first = defaultdict(dict)
    for batch, author, at in (
        Rating.objects.using(using)
        .filter(seat__batch__in={batch for _, batch, _, _ in tenures})
        .order_by()
        .values_list("seat__batch", "annotator")
        .annotate(Min("created_at"))
    ):
        first[batch][author] = at
    waived = set(Waiver.objects.using(using).values_list("batch", "member"))
    for pk, batch, member, taken_at in tenures:
        others = [at for author, at in first[batch].items() if author != member and at < taken_at]
        could_read = others and any(
            since <= taken_at and (until is None or until >= min(others))
            for since, until in times_of_role[member]
        )
        could_read = could_read and (batch, member) not in waived
        if could_read and sat_down_after_ratings(pk, using):
            yield f"Tenure {pk} is of member {member}, who could read ratings of batch {batch}."
    for batch, member in (
        Waiver.objects.using(using)
        .filter(member__user=F("given_by"))
        .values_list("batch", "member")
    ):
        yield f"Member {member} waived for themselves that they could read batch {batch}."


def _fixed_ratings(using):
    unfinished = Seat.objects.using(using).filter(handed_in_at=None).values("batch")
    members = Membership.objects.using(using).filter(removed_at=None)
    finished = Tenure.objects.using(using).exclude(batch__in=unfinished)
    unmarked = finished.filter(could_read_since=None)
    for pk in unmarked.filter(member__in=members.filter(is_lead=True)).values_list("pk", flat=True):
        yield f"Tenure {pk} is of a lead in a finished batch, and does not say so."
    own_ratings = Rating.objects.filter(pair=OuterRef("pk"), annotator=OuterRef(OuterRef("member")))
    others = Pair.including_inactive.filter(~Exists(own_ratings), batch=OuterRef("batch"))
    adjudicators = members.filter(is_adjudicator=True)
    of_a_part = unmarked.filter(Exists(others), member__in=adjudicators)
    for pk in of_a_part.values_list("pk", flat=True):
        yield f"Tenure {pk} is of an adjudicator who could read its batch, and does not say so."
    for rating, public_id, version, batch, member in (
        RatingRevision.objects.using(using)
        .filter(
            version__gt=1,
            rating__annotator__tenures__batch=F("rating__seat__batch"),
            saved_at__gt=F("rating__annotator__tenures__could_read_since"),
        )
        .values_list(
            *("rating", "rating__public_id", "version", "rating__seat__batch"), "rating__annotator"
        )
    ):
        changes = Event.objects.using(using).filter(
            verb=Verb.CHANGE_RATING, after__rating=str(public_id), after__version=version
        )
        change = changes.order_by("id").values_list("id", flat=True).first()
        if change is None or could_read_before(change, batch, member, using):
            yield f"Rating {rating} was changed after its author could read the others."
