"""Random lives of a batch, held against a model of a few lines.

Every step is an action of the product or a refused attempt at one. After each step the rows
must say what the model says (invariants 2, 3, 5 and 6), and the integrity check must be content
(on a push after every fifth step, which is most of its time).
"""

import os
import uuid
from collections import Counter

import pytest
from django.db import transaction
from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from adjudication.actions import decide, reopen
from adjudication.models import Decision
from annotation.assigning.actions.assign import assign_seat, hand_in, return_seat
from annotation.assigning.actions.batches import lock_topic, raise_overlap, set_way, unlock_topic
from annotation.assigning.actions.waive import waive_reading
from annotation.models import Batch, Rating, RatingRevision
from annotation.rating.rate import rate_pair
from audit.refusals import Refused
from config.integrity import findings
from datasets.actions import set_roles
from tests.factories.studies import make_aspect_study, make_member, make_study

ANNOTATORS = ["alice", "bob", "erin", "frank", "carol", "lena"]
READERS = {"carol", "lena"}
PAIRS = st.integers(0, 1)
SEATS = st.integers(0, 3)
NAMES = st.sampled_from(ANNOTATORS)
VALUES = st.sampled_from([None, 0, 1, 2, 3])


class Lifecycle(RuleBasedStateMachine):
    """Two pairs; Carol adjudicates and Lena leads, and both may rate as well. Nora leads."""

    scheme = {}
    highest = 3
    examples = 2
    # All rows are held against all rules after every so many steps, and at the end: what breaks one
    # stays broken.
    steps_between_checks = 1 if os.environ.get("FACETWISE_STRESS") == "full" else 20

    def __init__(self):
        super().__init__()
        self.steps = 0
        self.sandbox = transaction.atomic()
        self.sandbox.__enter__()
        self.study = self.make_study()
        for name in ["Erin", "Frank"]:
            self.study.members[name.lower()] = make_member(self.study.collection, name, "annotator")
        nora = make_member(self.study.collection, "Nora", "lead")
        for name in READERS:
            reader = self.study.members[name]
            roles = [*reader.roles, "annotator"]
            self.study.members[name] = set_roles(membership=reader, by=nora.user, roles=roles)
        self.study.members["nora"] = nora
        self.pairs = list(self.study.batch.pairs.all())
        self.topic = self.study.topics[0]
        self.of_topic = [n for n, pair in enumerate(self.pairs) if pair.topic_id == self.topic.pk]
        # The model: who sits where, and where each ever sat, what was answered by whom, what was
        # decided.
        self.holder = [None] * self.study.batch.overlap
        self.holder[:2] = ["alice", "bob"]
        self.ever = {"alice": 0, "bob": 1}
        self.waived = set()
        self.fixed = set()  # who could read ratings of others when all was handed in
        self.handed_in = [False] * len(self.holder)
        self.answers = {}
        self.saves = Counter()
        self.decision = {}
        self.decisions_made = 0
        self.locked = False

    def make_study(self):
        return make_study(candidates=2, assign=True, **self.scheme)

    def teardown(self):
        try:
            assert list(findings()) == []
        finally:
            transaction.set_rollback(True)
            self.sandbox.__exit__(None, None, None)

    def user(self, name):
        return self.study.members[name].user

    def seat(self, index):
        return self.study.batch.seats.get(ordinal=index + 1)

    def attempt(self, allowed, action, **arguments):
        """Run an action that the model allows, or see it refused without a trace."""
        if allowed:
            return action(**arguments)
        with pytest.raises(Refused):
            action(**arguments)
        return None

    @rule(index=SEATS, name=NAMES, number=PAIRS, value=VALUES, is_stale=st.booleans())
    def rate(self, index, name, number, value, is_stale):
        if index >= len(self.holder):
            return
        pair, key = self.pairs[number], (number, index)
        value = self.on_the_scale(value)
        author = self.answers.get(key, (name,))[0]
        version = self.saves[key]
        allowed = (
            self.holder[index] == name
            and not self.handed_in[index]
            and author == name
            and not is_stale
        )
        save = {
            "seat": self.seat(index),
            "pair_id": pair.pk,
            "by": self.user(name),
            "save_id": uuid.uuid4(),
            "based_on": version + 1 if is_stale else version,
            "option": None if value is None else self.study.option(value),
            "cannot_judge": "garbled" if value is None else "",
            "scheme_version": self.study.scheme.current,
        }
        if self.attempt(allowed, rate_pair, **save):
            self.answers[key] = (name, value)
            self.saves[key] += 1
            rate_pair(**save)  # the same save again is the same rating

    @rule(index=SEATS)
    def hand_in(self, index):
        if index >= len(self.holder) or self.holder[index] is None:
            return
        complete = all((number, index) in self.answers for number in range(2))
        self.attempt(
            complete or self.handed_in[index],
            hand_in,
            seat=self.seat(index),
            by=self.user(self.holder[index]),
        )
        self.handed_in[index] = self.handed_in[index] or complete
        if all(self.handed_in):
            self.fixed |= {"lena"} & self.ever.keys()
            if len({number for number, _ in self.answers_of("carol")}) < len(self.pairs):
                self.fixed |= {"carol"} & self.ever.keys()

    @initialize(values=st.none() | st.lists(VALUES, min_size=8, max_size=8))
    def perhaps_start_finished(self, values):
        """Half of the lives begin late, since single steps seldom reach a decision."""
        if values:
            self.everybody_finishes(values)

    @rule(values=st.lists(VALUES, min_size=8, max_size=8))
    def everybody_finishes(self, values):
        for index in range(len(self.holder)):
            free = [name for name in ANNOTATORS[:4] if name not in self.ever]
            if self.holder[index] is None and free:
                self.assign(index, free[0])
            name = self.holder[index]
            if name is None or self.handed_in[index]:
                continue
            for number in range(2):
                if (number, index) not in self.answers:
                    self.rate(index, name, number, values[2 * index + number], is_stale=False)
            self.hand_in(index)

    @rule(index=SEATS, by=st.sampled_from(["lena", "nora"]))
    def return_seat(self, index, by):
        if index >= len(self.holder):
            return
        is_readers = self.holder[index] in self.fixed
        is_own = is_readers and by == self.holder[index]
        allowed = self.handed_in[index] and not self.locked and not is_own
        self.attempt(
            allowed, return_seat, seat=self.seat(index), by=self.user(by), reason="look again"
        )
        if allowed:
            self.handed_in[index] = False
            if is_readers:
                self.holder[index] = None

    def answers_of(self, name):
        return [key for key, (author, _) in self.answers.items() if author == name]

    def could_read(self, name):
        """Whether ratings of others bar this member from a first seat."""
        rated = any(author != name for author, _ in self.answers.values())
        return name in READERS and name not in self.ever and rated

    @rule(name=NAMES)
    def waive(self, name):
        decided = name == "carol" and self.decisions_made
        allowed = self.could_read(name) and name not in self.waived and not decided
        if self.attempt(
            allowed,
            waive_reading,
            batch=self.study.batch,
            member=self.study.members[name],
            by=self.study.nora,
            reason="nobody else knows the field",
        ):
            self.waived.add(name)

    @rule(index=SEATS, name=st.none() | NAMES)
    def assign(self, index, name):
        if index >= len(self.holder) or name == self.holder[index]:
            return
        allowed = (
            not self.handed_in[index]
            and not self.locked
            and self.ever.get(name, index) == index
            and not (name == "carol" and self.decisions_made)
            and name not in self.fixed
            and (name in self.waived or not self.could_read(name))
        )
        self.attempt(
            allowed,
            assign_seat,
            seat=self.seat(index),
            member=self.study.members[name] if name else None,
            by=self.study.lena,
            reason="moved away",
        )
        if allowed:
            self.holder[index] = name
            if name:
                self.ever[name] = index

    @precondition(lambda self: len(self.holder) < 4 and all(self.handed_in))
    @rule()
    def raise_overlap(self):
        self.attempt(
            not self.locked,
            raise_overlap,
            batch=self.study.batch,
            overlap=len(self.holder) + 1,
            by=self.study.lena,
            reason="more evidence",
        )
        if not self.locked:
            self.holder.append(None)
            self.handed_in.append(False)

    def on_the_scale(self, value):
        return None if value is None else min(value, self.highest)

    @rule(way=st.sampled_from(Batch.Way.values))
    def set_way(self, way):
        set_way(batch=self.study.batch, way=way, by=self.study.lena)

    @rule(number=PAIRS, value=VALUES)
    def decide(self, number, value):
        value = self.on_the_scale(value)
        standing = Decision.objects.filter(pair=self.pairs[number], superseded_at=None).first()
        rated_by_carol = any(rated == number for rated, _ in self.answers_of("carol"))
        allowed = (
            not self.is_locked(number)
            and all(self.handed_in)
            and not rated_by_carol
            and self.expected_state(number) in {"disputed", "adjudicated", "excluded"}
        )
        decision = self.attempt(
            allowed,
            decide,
            pair=self.pairs[number],
            by=self.study.carol,
            save_id=uuid.uuid4(),
            based_on=standing.public_id if standing else None,
            option=None if value is None else self.study.option(value),
            exclusion_reason="not a paper" if value is None else "",
            rationale="weighed both",
        )
        if decision:
            event("decided again" if standing else "decided")
            self.decision[number] = "excluded" if value is None else value
            self.decisions_made += 1

    @rule(number=PAIRS)
    def reopen(self, number):
        allowed = number in self.decision and not self.is_locked(number)
        self.attempt(
            allowed, reopen, pair=self.pairs[number], by=self.study.lena, reason="new guideline"
        )
        if allowed:
            del self.decision[number]

    @rule()
    def lock_or_unlock(self):
        if self.locked:
            unlock_topic(topic=self.topic, by=self.study.lena, reason="a mistake")
            self.locked = False
            return
        allowed = all(self.handed_in) and all(
            self.expected_state(number) in {"agreed", "adjudicated", "excluded"}
            for number in self.of_topic
        )
        self.attempt(allowed, lock_topic, topic=self.topic, by=self.study.lena)
        self.locked = allowed
        event(f"locked: {allowed}")

    def is_locked(self, number):
        return self.locked and number in self.of_topic

    def expected_state(self, number):
        if number in self.decision:
            return "excluded" if self.decision[number] == "excluded" else "adjudicated"
        values = [value for key, (_, value) in self.answers.items() if key[0] == number]
        if not values:
            return "open"
        if len(values) < len(self.holder):
            return "partial"
        return "agreed" if self.consensus(values) is not None else "disputed"

    def consensus(self, values):
        """The value that the rule accepts, or None."""
        given = sorted(value for value in values if value is not None)
        match self.study.scheme.rule:
            case "majority":
                return next((v for v in set(given) if 2 * given.count(v) > len(values)), None)
            case "difference_of_at_least":
                close = len(given) == len(values) and given[-1] - given[0] < 2
                return given[(len(given) - 1) // 2] if close else None
            case "any_difference":
                return values[0] if None not in values and len(set(values)) == 1 else None
        return None

    @invariant()
    def rows_say_what_the_model_says(self):
        for number, pair in enumerate(self.pairs):
            pair.refresh_from_db()
            state = self.expected_state(number)
            gold = None
            if state == "adjudicated":
                gold = self.decision[number]
            elif state == "agreed" and all(self.handed_in):
                gold = self.consensus(
                    [value for key, (_, value) in self.answers.items() if key[0] == number]
                )
            assert (pair.state, pair.gold_value) == (state, gold)
        assert Rating.objects.count() == len(self.answers)
        assert RatingRevision.objects.count() == sum(self.saves.values())
        assert Decision.objects.count() == self.decisions_made
        assert Decision.objects.filter(superseded_at=None).count() == len(self.decision)

    @invariant()
    def every_invariant_holds(self):
        self.steps += 1
        if self.steps % self.steps_between_checks == 0:
            assert list(findings()) == []


class MajorityOfThree(Lifecycle):
    scheme = {"overlap": 3, "rule": {"name": "majority"}}
    examples = 1


class DistanceOfTwo(Lifecycle):
    scheme = {"overlap": 3, "rule": {"name": "difference_of_at_least", "distance": "2"}}
    examples = 1


class AdjudicateAll(Lifecycle):
    scheme = {"overlap": 3, "rule": {"name": "adjudicate_all"}}
    examples = 1


class Aspects(Lifecycle):
    """Two aspects of one document, of which two options share a value."""

    highest = 2
    examples = 1

    def make_study(self):
        return make_aspect_study(
            in_one_batch=True,
            annotators=["alice", "bob"],
            query={"tree": {"0": ["1"]}, "documents": ["d1"]},
        )


@pytest.mark.parametrize(
    "machine", [Lifecycle, MajorityOfThree, DistanceOfTwo, AdjudicateAll, Aspects]
)
def test_no_life_of_a_batch_breaks_an_invariant(db, machine):
    full = os.environ.get("FACETWISE_STRESS") == "full"
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=200 if full else machine.examples,
            stateful_step_count=50,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
