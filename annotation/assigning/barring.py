"""The bars to a seat: members who may not take it, with the reason (ADR 10)."""

from collections import defaultdict
from collections.abc import Collection as Values
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.db.models import Min

from annotation.models import Batch, Pair, Rating, Tenure, Waiver
from datasets.models import Collection, Membership, Role, RolePeriod

# Roles with which others' ratings can be read.
READERS = [Role.LEAD, Role.ADJUDICATOR]


class Why(Enum):
    """Why a member is barred from the seats of a batch, as a sentence about them."""

    HELD = "{member} holds or held a seat of {batch}, and so cannot hold another one in it."
    FIXED = (
        "{member} could read the ratings of {batch} once it was finished, and so cannot rate in it "
        "any more."
    )
    DECIDED = "{member} has decided pairs of {batch}, and so cannot rate them."
    COULD_READ = (
        "{member} was a lead or adjudicator while somebody else could rate in {batch}. A person "
        "who could read ratings does not rate beside them, unless another lead waives it with a "
        "reason."
    )


@dataclass(frozen=True)
class Bar:
    """`seat` is the one seat that the member may still take, the one they held."""

    why: Why
    seat: int | None = None

    def sentence(self, member: Membership, batch: Batch | str) -> str:
        return self.why.value.format(member=member, batch=batch)


Bars = dict[int, dict[int, Bar]]


def bars_of(
    collection: Collection,
    *,
    within: Iterable[int] | None = None,
    viewer: Membership | None = None,
    blind: Values[int] = frozenset(),
) -> Bars:
    """{batch: {member: Bar}} of the collection, or of the batches `within`; by ids.

    A `viewer` who is blind to a batch (`blind`) must not learn whether somebody has rated in it.
    There members are barred as if each seat had been rated from the moment it was taken.
    """
    batches = Batch.objects.filter(collection=collection)
    if within is not None:
        batches = batches.filter(pk__in=list(within))
    bars: Bars = defaultdict(dict)
    for pk, member in _could_read(collection, batches, viewer, blind):
        bars[pk][member] = Bar(Why.COULD_READ)
    decided = Pair.objects.filter(batch__in=batches, decisions__isnull=False).order_by()
    for pk, member in decided.values_list("batch", "decisions__adjudicator").distinct():
        if pk not in blind:
            bars[pk][member] = Bar(Why.DECIDED)
    tenures = Tenure.objects.filter(batch__in=batches)
    for pk, member, seat, could_read in tenures.values_list(
        "batch", "member", "seat", "could_read_since"
    ):
        bars[pk][member] = Bar(Why.FIXED) if could_read else Bar(Why.HELD, seat)
    return bars


def _could_read(collection, batches, viewer, blind):
    """(batch, member) of current annotators who could read others' ratings, and are not waived."""
    readers = _reading_until(collection)
    if not readers:
        return
    waived = set(Waiver.objects.filter(batch__in=batches).values_list("batch", "member"))
    for batch, first_by_author in _first_ratings(batches, viewer, blind).items():
        for member, until in readers.items():
            others = [first for author, first in first_by_author.items() if author != member]
            if not others or (until and until < min(others)):
                continue
            if batch in blind or (batch, member) not in waived:
                yield batch, member


def _reading_until(collection) -> dict[int, datetime | None]:
    """{annotator: when they last had a role that reads ratings, None while they have one}."""
    annotators = Membership.objects.annotators().filter(collection=collection)
    periods = RolePeriod.objects.filter(member__in=annotators, role__in=READERS)
    until: dict[int, datetime | None] = {}
    for member, end in periods.values_list("member", "until"):
        standing = until.get(member, end)
        until[member] = max(standing, end) if standing and end else None
    return until


def _first_ratings(batches, viewer, blind) -> dict[int, dict[int, datetime]]:
    """{batch: {author: their first rating}}; where the viewer is blind, others count from the
    moment they took their seat."""
    first: dict[int, dict[int, datetime]] = defaultdict(dict)
    rated = (
        Rating.objects.filter(seat__batch__in=batches)
        .order_by()
        .values_list("seat__batch", "annotator")
        .annotate(Min("created_at"))
    )
    for batch, author, at in rated:
        if batch not in blind or author == viewer.pk:
            first[batch][author] = at
    if blind:
        tenures = Tenure.objects.filter(batch__in=batches.filter(pk__in=blind))
        for batch, member, since in tenures.exclude(member=viewer).values_list(
            "batch", "member", "since"
        ):
            first[batch][member] = since
    return first
