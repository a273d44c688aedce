"""Random lives of a collection that an import began: people come and go, seats change hands, files
bring ratings and decisions late, audits are drawn in between, and the clock is set back.

Nothing is held against a model here. Whatever happens, no action fails otherwise than by a refusal,
the verifier finds all of it sound, and the copies that figures rest on are those of now.
"""

import contextlib
import random
import sqlite3
import uuid
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from adjudication.actions import decide, give_first_value, reopen
from adjudication.audits.actions import close_audit, draw_audit
from adjudication.models import AuditedPair
from agreement.models import TopicCopy
from agreement.study.copies import read_copies
from annotation.assigning.actions.assign import assign_seat, hand_in, return_seat
from annotation.assigning.actions.batches import (
    lock_done_topics,
    make_batches,
    raise_overlap,
    unlock_topics,
)
from annotation.assigning.actions.hand_over import hand_over
from annotation.assigning.actions.waive import waive_reading
from annotation.flags.actions import answer_flag
from annotation.models import Pair, Rating, Seat
from annotation.rating.rate import rate_pair
from audit.refusals import Refused
from config.integrity import findings
from datasets.actions import accept_invitation, invite, link_account, remove_member, set_roles
from datasets.models import Role
from formats.problems import BadInputError
from imports.run import carry_out
from imports.study.importing import StudyMoving
from tests.databases import on_sqlite
from tests.factories.neutral import Neutral
from tests.factories.studies import assign_all, make_member, make_study, make_user

pytestmark = pytest.mark.both
STEPS = 60
GRADES = [None, 0, 1, 2, 3]


@pytest.fixture
def clock(db, monkeypatch):
    """A clock to be set, Python's and SQLite's; that of PostgreSQL is not ours."""
    clock, now = {"ahead": timedelta()}, timezone.now
    monkeypatch.setattr(timezone, "now", lambda: now() + clock["ahead"])
    right = sqlite3.connect(":memory:", check_same_thread=False)

    def strftime(*values):
        values = [*values, f"{clock['ahead'].total_seconds():+.0f} seconds"]
        places = ", ".join("?" * len(values))
        return right.execute(f"SELECT strftime({places})", values).fetchone()[0]

    if on_sqlite():
        # With as many arguments as SQLite's own, so that statements prepared before are made anew.
        # It cannot be taken back: at the end it tells the right time.
        connection.connection.create_function("strftime", -1, strftime)
    yield clock
    clock["ahead"] = timedelta()


class Life:
    """Ann and Ben rated the first topic elsewhere; Alice and Bob have the seats of the second; the
    pairs of the third wait."""

    def __init__(self, seed, clock):
        self.chance, self.clock, self.audits = random.Random(seed), clock, 0
        facets = ("method", "result", "background")
        study = make_study(
            facets=facets,
            candidates=2,
            slug=f"life-{seed}",
            assign=False,
            hides_ratings=bool(seed % 2),
        )
        self.study, self.collection = study, study.collection
        made_elsewhere = Neutral().rate("q1_method", "q1c1", ann=2, ben=1)
        self.bring(made_elsewhere.rate("q1_method", "q1c2", ann=2, ben=2))
        topics = [study.topics[1]]
        batches = make_batches(collection=self.collection, by=study.lena, topics=topics)
        assign_all(study, batches, ["alice", "bob"])
        for name, roles in {"Erin": ["annotator"], "Dora": ["annotator", "adjudicator"]}.items():
            study.members[name.lower()] = make_member(self.collection, name, *roles)
        study.members["nora"] = make_member(self.collection, "Nora", "annotator", "lead")

    def live(self):
        steps = [name for name in dir(self) if name.startswith("step_")]
        for name in self.chance.choices(steps, k=STEPS):
            try:
                with transaction.atomic():
                    getattr(self, name)()
            except (Refused, BadInputError):
                pass

    def one(self, rows):
        """Any of them, None where there are none."""
        rows = list(rows)
        return self.chance.choice(rows) if rows else None

    @property
    def lead(self):
        return self.chance.choice([self.study.lena, self.study.lena, self.study.nora])

    @property
    def adjudicator(self):
        return self.study.members[self.chance.choice(["carol", "dora"])]

    @property
    def member(self):
        return self.one(self.collection.memberships.all())

    @property
    def batch(self):
        return self.one(self.collection.batches.all())

    @property
    def seat(self):
        return self.one(Seat.objects.filter(batch__collection=self.collection))

    @property
    def pairs(self):
        return Pair.objects.filter(topic__collection=self.collection)

    def bring(self, neutral):
        carry_out(StudyMoving(neutral.study, self.collection, self.study.lena))

    def rate(self, seat, pair):
        rating, grade = pair.ratings.filter(seat=seat).first(), self.chance.choice(GRADES)
        rate_pair(
            seat=seat,
            pair_id=pair.pk,
            by=seat.holder.user,
            save_id=uuid.uuid4(),
            based_on=rating.version if rating else 0,
            option=None if grade is None else self.study.option(grade),
            cannot_judge="garbled" if grade is None else "",
            scheme_version=self.study.scheme.current,
            is_flagged=self.chance.random() < 0.3,
        )

    def step_people_rate(self):
        seats = [seat for seat in self.batch.seats.all() if seat.holder and seat.holder.user]
        for seat in seats[: self.chance.randint(1, 4)]:
            for pair in seat.batch.pairs.all():
                with contextlib.suppress(Refused):
                    self.rate(seat, pair)
            with contextlib.suppress(Refused):
                hand_in(seat=seat, by=seat.holder.user)

    step_more_people_rate = step_others_rate = step_people_rate

    def step_give_a_seat(self):
        seat = self.one(self.batch.seats.filter(holder=None)) or self.seat
        assign_seat(
            seat=seat, member=self.chance.choice([None, self.member]), by=self.lead, reason="ill"
        )

    step_give_another_seat = step_give_a_seat

    def step_return_a_seat(self):
        return_seat(seat=self.seat, by=self.lead, reason="look again")

    def step_hand_seats_over(self):
        hand_over(holder=self.member, to=self.member, by=self.lead, reason="leaves")

    def step_raise_the_overlap(self):
        batch = self.batch
        raise_overlap(batch=batch, overlap=batch.overlap + 1, by=self.lead, reason="more")

    def step_hand_out(self):
        make_batches(collection=self.collection, by=self.lead)

    def step_lock(self):
        lock_done_topics(collection=self.collection, by=self.lead)

    def step_unlock(self):
        unlock_topics(collection=self.collection, by=self.lead, reason="a mistake")

    def step_decide(self, pair=None, audit=None):
        if not (pair := pair or self.one(self.pairs.disputed())):
            return
        standing = pair.decisions.filter(superseded_at=None).first()
        grade, by = self.chance.choice(GRADES), self.adjudicator.user
        option = None if grade is None else self.study.option(grade)
        if option and not audit:
            give_first_value(pair=pair, by=by, option=option)
        decide(
            pair=pair,
            by=by,
            save_id=uuid.uuid4(),
            based_on=standing and standing.public_id,
            option=option,
            exclusion_reason="" if option else "not a paper",
            rationale="weighed",
            audit=audit,
        )

    def step_reopen(self):
        if pair := self.one(self.pairs.filter(state__in=["adjudicated", "excluded"])):
            reopen(pair=pair, by=self.lead, reason="new guideline")

    def step_draw_an_audit(self):
        self.audits += 1
        draw_audit(
            collection=self.collection,
            name=f"Audit {self.audits}",
            size=1,
            seed="seed",
            adjudicators=[self.adjudicator],
            by=self.lead,
        )

    def step_decide_in_an_audit(self):
        entries = AuditedPair.objects.filter(audit__collection=self.collection)
        if entry := self.one(entries):
            self.step_decide(entry.pair, entry.audit)

    def step_close_an_audit(self):
        if audit := self.one(self.collection.audits.all()):
            close_audit(audit=audit, by=self.lead)

    def step_set_roles(self):
        roles = self.chance.sample(Role.values, self.chance.randint(1, 3))
        set_roles(membership=self.member, by=self.lead, roles=roles)

    def step_remove(self):
        remove_member(membership=self.member, by=self.lead)

    def step_come_back(self):
        role = self.chance.choice(Role.values)
        _, token = invite(collection=self.collection, role=role, by=self.lead)
        if user := self.member.user:
            accept_invitation(token=token, by=user)

    def step_link(self):
        if place := self.one(self.collection.memberships.filter(user=None, removed_at=None)):
            user = make_user(f"linked{place.pk}")
            self.study.members[place.name] = link_account(membership=place, user=user, by=self.lead)

    def step_waive(self):
        waive_reading(batch=self.batch, member=self.member, by=self.lead, reason="nobody else")

    def step_answer_a_flag(self):
        flagged = Rating.objects.filter(pair__in=self.pairs, is_flagged=True)
        if rating := self.one(flagged):
            answer_flag(rating=rating, by=self.lead, kind="reply", text="See the guidelines.")

    def step_import(self):
        topic = self.chance.choice(["q1_method", "q1_background"])
        document = self.chance.choice(["q1c1", "q1c2"])
        neutral, raters = Neutral(), self.chance.sample(["ann", "ben", "cy"], 2)
        if self.chance.random() < 0.7:
            grades = {rater: self.chance.choice(GRADES) for rater in raters}
            neutral.rate(topic, document, **grades)
        decider = self.chance.choice(["ann", "dan"])
        self.bring(neutral.decide(topic, document, self.chance.choice(GRADES), decider))

    def step_set_the_clock(self):
        if on_sqlite():
            self.clock["ahead"] += timedelta(hours=self.chance.choice([-3, -1, 1, 2]))

    def step_read_figures(self):
        read_copies(self.collection, may_keep=True)


def rows_of(copies):
    parts = copies.pairs, copies.ratings, copies.decisions
    return [sorted(map(repr, part.tolist())) for part in parts]


def test_no_life_of_a_collection_makes_a_finding(clock, stress):
    for seed in range(stress(2, 60)):
        with transaction.atomic():
            clock["ahead"] = timedelta()
            life = Life(seed, clock)
            life.live()

            assert findings() == [], f"life {seed}"
            kept = read_copies(life.collection, may_keep=True)
            TopicCopy.objects.all().delete()
            assert rows_of(kept) == rows_of(read_copies(life.collection, may_keep=True))
            transaction.set_rollback(True)
