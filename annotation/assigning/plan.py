"""A balanced plan for the free seats, as a lead reads it before applying it."""

from collections import Counter
from collections.abc import Container, Hashable
from dataclasses import dataclass
from itertools import combinations

from annotation.assigning.actions.changes import Barred
from annotation.assigning.barring import Why, bars_of
from annotation.assigning.planning import BatchNeed, plan_assignment
from annotation.assigning.seats import BatchRow, ShownSeat, assignable_members, batch_rows, loads
from annotation.models import Batch, Seat, Waiver
from annotation.progress.figures import Figures, percent
from audit.refusals import Invalid
from datasets.models import Membership, Topic

MOST_TICKED = 500


@dataclass
class PlannedBatch:
    """`seats` pairs each seat with who gets it; None where it is held, or nobody is left.

    A batch that is not chosen is there to be chosen.
    """

    row: BatchRow
    seats: list[tuple[ShownSeat, Membership | None]]
    is_chosen: bool


@dataclass
class Share:
    """Pairs in a member's seats before and after; the per cents are of the largest load."""

    member: Membership
    is_chosen: bool
    before: int
    after: int
    before_percent: int
    after_percent: int


@dataclass
class Proposal:
    """`barred` pairs a member with the batches whose free seats they cannot get, since they could
    read ratings there. `waivers`: where a lead lets somebody rate all the same."""

    batches: list[PlannedBatch]
    people: list[Share]
    unfilled: int
    barred: list[tuple[Membership, list[Batch]]]
    waivers: list[Waiver]

    @property
    def placements(self):
        return [(seat, to) for batch in self.batches for seat, to in batch.seats if to]

    @property
    def staffed_batches(self):
        """The number of batches that get a member."""
        return sum(any(to for _, to in batch.seats) for batch in self.batches)

    @property
    def lets_choose(self):
        """Whether its batches can be ticked: a form takes no more fields than this."""
        return 1 < len(self.batches) <= MOST_TICKED

    @property
    def has_facets(self):
        return any(batch.row.facets for batch in self.batches)


def propose(
    member: Membership,
    *,
    chosen_people: Container[str] | None,
    chosen_batches: Container[str] | None,
) -> Proposal:
    """A plan for the free seats of the lead's collection, among the chosen people and batches, by
    their public ids; without a choice among the usual people, and for all batches."""
    figures = Figures(member)
    people = assignable_members(member.collection)
    if chosen_people is None:
        participants = _usual_people(people, overlap=member.collection.scheme.overlap)
    else:
        participants = [person for person in people if str(person.public_id) in chosen_people]
    load = loads(figures)
    bars = bars_of(figures.collection, viewer=member, blind=figures.blind)
    every_need = _needs(figures, bars)
    needs = [
        need
        for need in every_need
        if chosen_batches is None or str(figures.batches[need.key].public_id) in chosen_batches
    ]
    plan = plan_assignment(
        needs,
        [person.pk for person in participants],
        {person.pk: load[person] for person in participants},
        _together(figures),
    )
    by_pk = {person.pk: person for person in people}
    placed: dict[Hashable, dict[int, Membership]] = {need.key: {} for need in every_need}
    keys_in_plan = {need.key for need in needs}
    for placement in plan.placements:
        placed[placement.batch][placement.ordinal] = by_pk[placement.member]
    in_order = [batch for pk, batch in figures.batches.items() if pk in placed]
    rows = batch_rows(figures, batches=in_order, bars=bars)
    return Proposal(
        batches=[
            PlannedBatch(
                row,
                [(seat.seat, placed[row.batch.pk].get(seat.seat.ordinal)) for seat in row.seats],
                row.batch.pk in keys_in_plan,
            )
            for row in rows
        ],
        people=_shares(people, participants, load, plan.loads),
        unfilled=len(plan.unfilled),
        barred=_barred(people, needs, bars, figures),
        waivers=[waiver for row in rows for waiver in row.waivers],
    )


def _shares(people, participants, load, loads_by_pk) -> list[Share]:
    """Everybody's pairs to rate before the plan and after it, also as parts of the most."""
    after = {person: loads_by_pk.get(person.pk, load[person]) for person in people}
    most = max([*load.values(), *after.values()], default=0)
    return [
        Share(
            member=person,
            is_chosen=person in participants,
            before=load[person],
            after=after[person],
            before_percent=percent(load[person], most),
            after_percent=percent(after[person], most),
        )
        for person in people
    ]


def _barred(people, needs, bars, figures):
    """(person, batches) of those who could have read ratings of batches that need somebody."""
    batches_of = {
        person: [
            figures.batches[need.key]
            for need in needs
            if (bar := bars[need.key].get(person.pk)) and bar.why is Why.COULD_READ
        ]
        for person in people
    }
    return [(person, batches) for person, batches in batches_of.items() if batches]


def _usual_people(people: list[Membership], *, overlap: int) -> list[Membership]:
    """The people of a plan before a lead chooses: all whose only role is to rate, if they are
    enough. An adjudicator may not decide what they rated, and a lead who rates sees less."""
    raters = [person for person in people if not (person.is_adjudicator or person.is_lead)]
    return raters if len(raters) >= overlap else people


def placements_of(member, entries):
    """[(seat, member)] of a plan that names both by their public ids, as text.

    Whoever is barred for the lead `member`, by what they may know, is refused: the plan of a lead
    who is blind to a batch must not try out whether somebody has rated there.
    """
    batches = Batch.objects.filter(collection=member.collection)
    seats = Seat.objects.filter(batch__in=batches).select_related("batch")
    seat_of = {str(seat.public_id): seat for seat in seats}
    takers = {str(taker.public_id): taker for taker in assignable_members(member.collection)}
    try:
        placements = [(seat_of[seat], takers[taker]) for seat, taker in entries]
    except KeyError:
        raise Invalid(
            "Somebody in this plan is no longer an annotator. Nothing was assigned; look at the "
            "new plan."
        ) from None
    if not placements:
        raise Invalid("The plan assigns no seat.")
    blind = set(batches.blind_to(member.user).values_list("pk", flat=True))
    bars = bars_of(member.collection, within=blind, viewer=member, blind=blind) if blind else {}
    for seat, taker in placements:
        bar = bars[seat.batch_id].get(taker.pk) if seat.batch_id in blind else None
        if bar and bar.seat != seat.pk:
            raise Barred(bar.sentence(taker, seat.batch))
    return placements


def _needs(figures, bars):
    """The batches that a balanced plan staffs: those with free seats and without a locked topic."""
    locked = set(
        Topic.objects.filter(collection=figures.collection)
        .exclude(locked_at=None)
        .values_list("pk", flat=True)
    )
    needs = []
    for batch, seats in figures.seats.items():
        free = [seat for seat in seats if seat.holder is None]
        if free and not locked & set(figures.sizes[batch]):
            needs.append(
                BatchNeed(
                    key=batch,
                    size=figures.whole_sizes[batch],
                    free_ordinals=[seat.ordinal for seat in free],
                    barred=set(bars[batch]),
                    sitting=[seat.holder_id for seat in seats if seat.holder],
                )
            )
    return needs


def _together(figures):
    """{two members: batches in which both hold a seat}."""
    met = Counter()
    for seats in figures.seats.values():
        holders = sorted(seat.holder_id for seat in seats if seat.holder)
        met.update(frozenset(two) for two in combinations(holders, 2))
    return met
