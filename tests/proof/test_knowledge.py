"""Who may know what, over random lives of a collection whose people change their roles.

What somebody has ever been able to read is noted step by step, apart from every rule of the
product. Nobody who could read another's rating of a batch rates in it afterwards, unless a lead
waived it; and who has only ever been an annotator reads their own ratings alone.
"""

import os
import uuid

import pytest
from django.db import transaction
from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from adjudication.actions import decide, reopen
from annotation.assigning.actions.assign import assign_seat, hand_in, return_seat
from annotation.assigning.actions.batches import lock_topic, raise_overlap, unlock_topic
from annotation.assigning.actions.hand_over import hand_over
from annotation.assigning.actions.waive import waive_reading
from annotation.models import Rating, Waiver
from annotation.rating.rate import rate_pair
from audit.refusals import Refused
from config.integrity import findings
from datasets.actions import accept_invitation, invite, remove_member, set_roles
from datasets.models import Role
from tests.factories.studies import make_member, make_study

PEOPLE = ["alice", "bob", "carol", "erin", "frank", "lena"]
NAMES = st.sampled_from(PEOPLE)
LEADS = st.sampled_from(["lena", "nora", "erin"])
SEATS = st.integers(0, 3)
PAIRS = st.integers(0, 1)
VALUES = st.sampled_from([None, 0, 1, 3])
ROLES = st.sets(st.sampled_from(Role.values), min_size=1)


class Knowledge(RuleBasedStateMachine):
    """Two pairs in one batch. Nora leads throughout, so that there is somebody to decide."""

    def __init__(self):
        super().__init__()
        self.sandbox = transaction.atomic()
        self.sandbox.__enter__()
        self.study = make_study(candidates=2)
        for name in ["Erin", "Frank"]:
            self.study.members[name.lower()] = make_member(self.study.collection, name, "annotator")
        self.study.members["nora"] = make_member(self.study.collection, "Nora", "lead")
        self.pairs = list(self.study.batch.pairs.all())
        self.read_by = {name: set() for name in [*PEOPLE, "nora"]}
        self.was_more = {"carol", "lena", "nora"}

    def teardown(self):
        try:
            assert list(findings()) == []
        finally:
            transaction.set_rollback(True)
            self.sandbox.__exit__(None, None, None)

    def member(self, name):
        member = self.study.members[name]
        member.refresh_from_db()
        return member

    def user(self, name):
        return self.study.members[name].user

    def is_lead(self, name):
        member = self.member(name)
        return member.is_lead and not member.removed_at

    def seat(self, index):
        return self.study.batch.seats.filter(ordinal=index + 1).first()

    def attempt(self, action, **arguments):
        try:
            return action(**arguments)
        except Refused:
            return None

    @rule(index=SEATS, number=PAIRS, value=VALUES)
    def rate(self, index, number, value):
        seat, pair = self.seat(index), self.pairs[number]
        if seat is None or seat.holder is None:
            return
        rating = pair.ratings.filter(seat=seat).first()
        name = seat.holder.name.lower()
        if self.attempt(
            rate_pair,
            seat=seat,
            pair_id=pair.pk,
            by=self.user(name),
            save_id=uuid.uuid4(),
            based_on=rating.version if rating else 0,
            option=None if value is None else self.study.option(value),
            cannot_judge="garbled" if value is None else "",
            scheme_version=self.study.scheme.current,
        ):
            is_waived = Waiver.objects.filter(batch=seat.batch, member=seat.holder).exists()
            event(f"rates, waived: {is_waived}")
            assert is_waived or not self.read_by[name], f"{name} had read {self.read_by[name]}"

    @rule(index=SEATS, values=st.lists(VALUES, min_size=2, max_size=2))
    def finish(self, index, values):
        for number, value in enumerate(values):
            self.rate(index, number, value)
        seat = self.seat(index)
        if seat and seat.holder:
            self.attempt(hand_in, seat=seat, by=seat.holder.user)

    @rule(values=st.lists(VALUES, min_size=8, max_size=8))
    def everybody_finishes(self, values):
        for index in range(self.study.batch.overlap):
            self.finish(index, values[2 * index : 2 * index + 2])

    @rule(index=SEATS, by=LEADS)
    def return_seat(self, index, by):
        if self.is_lead(by) and (seat := self.seat(index)):
            self.attempt(return_seat, seat=seat, by=self.user(by), reason="look again")

    @rule(index=SEATS, name=st.none() | NAMES)
    def assign(self, index, name):
        if seat := self.seat(index):
            member = self.member(name) if name else None
            self.attempt(
                assign_seat, seat=seat, member=member, by=self.study.nora, reason="moved away"
            )

    @rule(name=NAMES, to=NAMES)
    def hand_over(self, name, to):
        if name != to:
            self.attempt(
                hand_over,
                holder=self.member(name),
                to=self.member(to),
                by=self.study.nora,
                reason="leaves",
            )

    @rule()
    def raise_overlap(self):
        self.attempt(
            raise_overlap,
            batch=self.study.batch,
            overlap=self.study.batch.overlap + 1,
            by=self.study.nora,
            reason="more",
        )

    @rule(name=NAMES, roles=ROLES)
    def set_roles(self, name, roles):
        if self.member(name).removed_at is None and self.attempt(
            set_roles, membership=self.member(name), by=self.study.nora, roles=roles
        ):
            self.note_roles(name)

    @rule(name=NAMES)
    def remove(self, name):
        self.attempt(remove_member, membership=self.member(name), by=self.study.nora)

    @rule(name=NAMES, role=st.sampled_from(Role.values))
    def invite(self, name, role):
        _, token = invite(collection=self.study.collection, role=role, by=self.study.nora)
        accept_invitation(token=token, by=self.user(name))
        self.note_roles(name)

    def note_roles(self, name):
        member = self.member(name)
        if member.is_lead or member.is_adjudicator:
            self.was_more.add(name)

    @rule(name=NAMES)
    def waive(self, name):
        self.attempt(
            waive_reading,
            batch=self.study.batch,
            member=self.member(name),
            by=self.study.nora,
            reason="nobody else knows the field",
        )

    @rule(number=PAIRS, value=VALUES, name=st.sampled_from(["carol", "frank"]))
    def decide(self, number, value, name):
        pair = self.pairs[number]
        standing = pair.decisions.filter(superseded_at=None).first()
        if self.attempt(
            decide,
            pair=pair,
            by=self.user(name),
            save_id=uuid.uuid4(),
            based_on=standing.public_id if standing else None,
            option=None if value is None else self.study.option(value),
            exclusion_reason="not a paper" if value is None else "",
            rationale="weighed both",
        ):
            event("decides")

    @rule(number=PAIRS)
    def reopen(self, number):
        self.attempt(reopen, pair=self.pairs[number], by=self.study.nora, reason="new guideline")

    @rule()
    def lock_or_unlock(self):
        topic = self.study.topics[0]
        self.attempt(lock_topic, topic=topic, by=self.study.nora)
        if topic.is_locked:
            self.attempt(unlock_topic, topic=topic, by=self.study.nora, reason="a mistake")

    @invariant()
    def note_what_can_be_read(self):
        for name, read in self.read_by.items():
            seen = Rating.objects.visible_to(self.user(name))
            others = set(seen.exclude(annotator__user=self.user(name)).values_list("pk", flat=True))
            read |= others
            assert not others or name in self.was_more, f"{name} reads {others}"


@pytest.mark.once
def test_nobody_rates_a_batch_after_reading_it(db):
    full = os.environ.get("FACETWISE_STRESS") == "full"
    run_state_machine_as_test(
        Knowledge,
        settings=settings(
            max_examples=200 if full else 1,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
