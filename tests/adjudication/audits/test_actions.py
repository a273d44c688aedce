import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from adjudication.actions import AlreadyDecided, decide, give_first_value, reopen, take_topic
from adjudication.audits.actions import MAX_SIZE, close_audit, drawn_hash
from adjudication.audits.drawing import Limits
from adjudication.models import Audit, AuditedPair, Decision, TopicHold
from annotation.assigning.actions.assign import return_seat
from annotation.assigning.actions.batches import lock_topic, make_batches
from annotation.models import Pair
from audit.models import Event
from audit.refusals import Invalid, Locked, NotAllowed
from config.integrity import findings
from datasets.models import Membership
from tests.adjudication.audits import entry, make_audit, make_audit_study
from tests.adjudication.conftest import hide_ratings
from tests.damage import rewrite
from tests.factories.studies import assign_all, make_member, make_study, make_topic
from tests.shelf import shelved


@shelved
def study(db):
    """Six pairs agreed on 2 and two disputed; adjudicators Carol and Dora."""
    return make_audit_study()


def decide_in(study, audit, pair, value, *, by="carol", **details):
    choice = {"option": study.option(value)} if value is not None else {}
    return decide(
        pair=pair,
        by=study.members[by].user,
        audit=audit,
        **{"save_id": uuid.uuid4(), **choice, **details},
    )


def gold(pair):
    pair.refresh_from_db()
    return pair.state, pair.gold_origin, pair.gold_value


def drawn(audit):
    return [
        (audited.pair.document.external_id, audited.is_control)
        for audited in audit.audited_pairs.select_related("pair__document")
    ]


# --- drawing ---


def test_an_audit_keeps_how_it_was_drawn(study):
    audit = make_audit(study, size=4)

    assert (audit.population, audit.size) == (6, 4)
    assert (audit.control_population, audit.control_count) == (2, 1)
    agreed = audit.audited_pairs.filter(is_control=False)
    assert {audited.consensus for audited in agreed} == {2}
    assert {audited.pair.state for audited in agreed} == {"agreed"}
    control = audit.audited_pairs.get(is_control=True)
    assert (control.consensus, control.pair.state) == (None, "disputed")
    assert [audited.position for audited in audit.audited_pairs.all()] == [1, 2, 3, 4, 5]
    event = Event.objects.about(audit).get()
    assert (event.verb, event.actor, event.collection) == (
        "draw audit",
        study.lena,
        study.collection.public_id,
    )
    assert event.after == {
        "name": "Audit",
        "seed": "seed",
        "size": 4,
        "population": 6,
        "controls": 1,
        "control_population": 2,
        "facet": "",
        "query": None,
        "batch": None,
        "adjudicators": [str(study.members["carol"].public_id)],
        "drawn": drawn_hash(audit.pk),
    }
    assert list(findings()) == []


def test_the_hash_of_a_draw_tells_which_pairs_were_drawn_in_which_order_and_their_consensus(study):
    audit = make_audit(study)
    whole, row = drawn_hash(audit.pk), audit.audited_pairs.filter(pk=entry(audit).pk)
    before = row.values("pair", "position", "consensus").get()
    other = study.batch.pairs.exclude(audited__audit=audit).first()

    for name, value in (("pair", other.pk), ("position", 100), ("consensus", 3)):
        rewrite(row, **{name: value})
        assert drawn_hash(audit.pk) != whole
        rewrite(row, **{name: before[name]})
    assert drawn_hash(audit.pk) == whole


def test_the_same_seed_on_the_same_state_draws_the_same(study):
    other = make_audit_study(slug="other")
    # Stored in another order, the pairs have other ids.
    for pair in other.batch.pairs.reverse():
        Pair.objects.filter(pk=pair.pk).update(position=100 - pair.position)

    assert drawn(make_audit(study)) == drawn(make_audit(other))


def test_what_a_seed_draws_can_be_recomputed_anywhere(study):
    """By SHA-256 over the seed and the identifiers that exports carry, as coreutils compute it:
    printf 'seed\x1fq1_method\x1fq1c1' | sha256sum, and with 'order\x1f' before them the order."""
    assert drawn(make_audit(study)) == [
        ("q1c6", False),
        ("q1c8", True),
        ("q1c2", False),
        ("q1c1", False),
        ("q1c3", False),
    ]


@pytest.mark.parametrize(
    ("size", "wanted", "mixed_in"),
    [(4, None, 1), (5, None, 2), (3, 0, 0), (3, 1, 1), (3, 2, 2), (3, 7, 2)],
)
def test_controls_are_mixed_in_where_there_are_any(study, size, wanted, mixed_in):
    audit = make_audit(study, size=size, control_count=wanted)

    assert audit.control_count == mixed_in
    assert audit.audited_pairs.filter(is_control=True).count() == mixed_in


def test_a_topic_that_somebody_has_open_gives_no_controls(study):
    take_topic(topic=study.topics[0], by=study.members["dora"].user)
    assert make_audit(study).control_population == 0

    TopicHold.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert make_audit(study, size=1, name="B").control_population == 2


@pytest.mark.parametrize(
    ("limit", "agreed", "disputed"), [("facet", 3, 1), ("query", 2, 0), ("batch", 3, 1)]
)
def test_an_audit_may_be_limited(db, limit, agreed, disputed):
    study = make_audit_study(facets=("method", "result"), agreed=3, disputed=1)
    make_topic(study.collection, query_id="q2", facet="method", candidates=2)
    added = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, added, ["alice", "bob"])
    study.finish(batch=added[0], alice=1, bob=1)
    limits = {
        "facet": Limits(facet="result"),
        "query": Limits(query=study.collection.queries.get(external_id="q2")),
        "batch": Limits(batch=study.collection.batches.all()[1]),
    }[limit]

    audit = make_audit(study, size=1, limits=limits)

    assert (audit.population, audit.control_population) == (agreed, disputed)
    assert Limits(audit.facet, audit.query, audit.batch) == limits
    after = Event.objects.about(audit).get().after
    assert limits == Limits(
        after["facet"],
        study.collection.queries.filter(external_id=after["query"]).first(),
        study.collection.batches.filter(name=after["batch"]).first(),
    )


def test_pairs_that_an_adjudicator_knows_are_not_drawn(db):
    study = make_audit_study(agreed=3, disputed=2)
    for name in ["alice", "bob"]:
        study.members[name].is_adjudicator = True
        study.members[name].save(update_fields=["is_adjudicator"])
    with pytest.raises(Invalid, match="No agreed pair"):
        make_audit(study, adjudicators=["carol", "alice"], size=1)

    decided, disputed = study.batch.pairs.disputed()
    decide_in(study, None, decided, 3)
    reopen(pair=decided, by=study.lena, reason="Again.")
    TopicHold.objects.all().delete()
    assert make_audit(study, size=1).control_population == 1
    audit = make_audit(study, size=1, adjudicators=["dora"], name="B")
    assert audit.control_population == 1  # the other one is in the first audit
    assert disputed != decided


def test_a_first_value_makes_a_pair_known(study):
    hide_ratings(study)
    pair = study.batch.pairs.disputed().first()

    give_first_value(pair=pair, by=study.carol, option=study.option(3))

    assert make_audit(study).control_population == 1


def test_locked_topics_and_pairs_still_being_rated_are_not_drawn(db):
    study = make_audit_study(facets=("method", "result"), agreed=3, disputed=0)
    lock_topic(topic=study.topics[0], by=study.lena)
    assert make_audit(study, size=1).population == 3

    returned = study.collection.batches.all()[1]
    return_seat(seat=study.seat("bob", returned), by=study.lena, reason="Look again.")
    with pytest.raises(Invalid, match="No agreed pair"):
        make_audit(study, size=1, name="B")


def test_a_pair_is_in_one_open_audit_at_most(study):
    first = make_audit(study, size=4)
    assert make_audit(study, size=1, name="B").population == 2

    with pytest.raises(IntegrityError), transaction.atomic():
        AuditedPair.objects.create(
            audit=Audit.objects.get(name="B"),
            pair=first.audited_pairs.filter(is_control=False).first().pair,
            position=9,
            is_control=False,
            consensus=2,
        )


@pytest.mark.parametrize(
    ("details", "sentence"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"seed": " "}, "seed"),
        ({"seed": "x" * 81}, "seed"),
        ({"size": 0}, f"1 to {MAX_SIZE}"),
        ({"size": MAX_SIZE + 1}, f"1 to {MAX_SIZE}"),
        ({"size": 7}, "6 agreed pairs can be drawn"),
        ({"control_count": -1}, "disputed pairs"),
        ({"control_count": MAX_SIZE + 1}, "disputed pairs"),
        ({"adjudicators": []}, "adjudicators"),
        ({"adjudicators": ["alice"]}, "adjudicators"),
    ],
)
def test_an_audit_that_cannot_be_is_refused(study, details, sentence):
    with pytest.raises(Invalid, match=sentence):
        make_audit(study, **details)

    assert (Audit.objects.count(), AuditedPair.objects.count()) == (0, 0)


@pytest.mark.parametrize("details", [{"name": "x" * 200}, {"seed": "x" * 80}, {"size": 6}])
def test_an_audit_at_its_limits_is_drawn(study, details):
    audit = make_audit(study, **details)

    assert audit.audited_pairs.filter(is_control=False).count() == audit.size


def test_other_collections_have_audits_of_their_own(study):
    other = make_audit_study(slug="other")

    make_audit(study, size=1)

    assert make_audit(other, size=1).population == 6


@pytest.mark.parametrize(
    "change", [{"is_adjudicator": False, "is_lead": True}, {"removed_at": timezone.now()}]
)
def test_somebody_who_adjudicates_no_longer_is_refused(study, change):
    Membership.objects.filter(pk=study.members["carol"].pk).update(**change)

    with pytest.raises(Invalid, match="adjudicators of the collection"):
        make_audit(study, adjudicators=["dora", "carol"])


def test_an_adjudicator_without_an_account_to_sign_in_is_refused(study):
    User.objects.filter(pk=study.carol.pk).update(is_active=False)

    with pytest.raises(Invalid, match="who can sign in"):
        make_audit(study)


def test_an_adjudicator_of_another_collection_is_refused(study):
    study.members["oona"] = make_study(slug="other").members["carol"]

    with pytest.raises(Invalid, match="adjudicators of the collection"):
        make_audit(study, adjudicators=["oona"])


def test_two_audits_of_one_name_are_refused(study):
    make_audit(study, size=1)

    with pytest.raises(Invalid, match="another name"):
        make_audit(study, size=1)


@pytest.mark.parametrize("name", ["alice", "carol", "olga"])
def test_only_a_lead_of_the_collection_draws_and_closes(study, name):
    audit = make_audit(study, size=1)
    elsewhere = make_study(slug="other").collection
    study.members["olga"] = make_member(elsewhere, "Olga", "lead")
    lena, study.members["lena"] = study.members["lena"], study.members[name]

    with pytest.raises(NotAllowed):
        make_audit(study, size=1, name="B")
    with pytest.raises(NotAllowed):
        close_audit(audit=audit, by=study.lena)

    study.members["lena"] = lena
    assert close_audit(audit=audit, by=study.lena).closed_by == study.lena


# --- deciding ---


def test_an_agreed_pair_is_decided_in_an_audit(study):
    audit = make_audit(study)
    agreed = entry(audit)

    decision = decide_in(study, audit, agreed.pair, 3)

    assert gold(agreed.pair) == ("adjudicated", "adjudicated", 3)
    agreed.refresh_from_db()
    assert (agreed.decision, agreed.has_changed) == (decision, False)
    event = Event.objects.about(agreed.pair).get(verb="decide")
    assert event.after["audit"] == str(audit.public_id)
    assert TopicHold.objects.count() == 0
    assert list(findings()) == []


def test_a_control_is_decided_in_an_audit(study):
    audit = make_audit(study)
    control = entry(audit, is_control=True)

    decide_in(study, audit, control.pair, 1)  # a grade that nobody gave, without a rationale

    assert gold(control.pair) == ("adjudicated", "adjudicated", 1)
    control.refresh_from_db()
    assert (control.decision.option.value, control.has_changed) == (1, False)


def test_a_pair_of_an_audit_can_be_left_out(study):
    audit = make_audit(study)
    agreed = entry(audit)

    decide_in(study, audit, agreed.pair, None, exclusion_reason="Garbled.")

    assert gold(agreed.pair) == ("excluded", "excluded", None)


def test_an_audit_asks_for_no_first_value(study):
    hide_ratings(study)
    audit = make_audit(study)

    decide_in(study, audit, entry(audit).pair, 0)

    assert gold(entry(audit).pair) == ("adjudicated", "adjudicated", 0)


def test_the_same_save_sent_again_is_the_same_decision(study):
    audit = make_audit(study)
    pair, save_id = entry(audit).pair, uuid.uuid4()

    decisions = {decide_in(study, audit, pair, 3, save_id=save_id).pk for _ in range(3)}
    close_audit(audit=audit, by=study.lena)
    decisions.add(decide_in(study, audit, pair, 3, save_id=save_id).pk)

    assert len(decisions) == Decision.objects.count() == 1


def test_authors_change_their_decision_until_the_audit_is_closed(study):
    audit = make_audit(study)
    pair = entry(audit).pair
    first = decide_in(study, audit, pair, 3)

    second = decide_in(study, audit, pair, 2, based_on=first.public_id)

    assert entry(audit).decision == second
    close_audit(audit=audit, by=study.lena)
    with pytest.raises(Locked, match="closed"):
        decide_in(study, audit, pair, 0, based_on=second.public_id)
    assert gold(pair) == ("adjudicated", "adjudicated", 2)


def test_a_lock_ends_changes_in_an_audit(db):
    study = make_audit_study(agreed=2, disputed=0)
    audit = make_audit(study, size=2)
    pair = entry(audit).pair
    first = decide_in(study, audit, pair, 3)
    lock_topic(topic=study.topics[0], by=study.lena)

    with pytest.raises(Locked, match="locked topic"):
        decide_in(study, audit, pair, 0, based_on=first.public_id)


def test_nobody_changes_the_decision_of_another_adjudicator(study):
    audit = make_audit(study, adjudicators=["carol", "dora"])
    pair = entry(audit).pair
    first = decide_in(study, audit, pair, 3)

    for based_on in [None, first.public_id]:
        with pytest.raises(AlreadyDecided):
            decide_in(study, audit, pair, 0, by="dora", based_on=based_on)


@pytest.mark.parametrize("is_control", [False, True])
def test_only_the_adjudicators_of_the_audit_decide_in_it(study, is_control):
    audit = make_audit(study)
    pair = entry(audit, is_control=is_control).pair

    for name in ["dora", "alice", "lena"]:
        with pytest.raises(NotAllowed):
            decide_in(study, audit, pair, 3, by=name)

    assert Decision.objects.count() == 0


@pytest.mark.parametrize("is_control", [False, True])
def test_a_pair_of_an_audit_is_decided_nowhere_else(study, is_control):
    audit = make_audit(study)
    pair = entry(audit, is_control=is_control).pair

    for name in ["carol", "dora"]:
        with pytest.raises(NotAllowed):
            decide_in(study, None, pair, 3, by=name)
    first = decide_in(study, audit, pair, 3)
    close_audit(audit=audit, by=study.lena)
    with pytest.raises(NotAllowed):
        decide_in(study, None, pair, 0, based_on=first.public_id)


def test_an_agreed_pair_outside_the_audit_is_not_for_deciding(study):
    audit = make_audit(study)
    inside = audit.audited_pairs.values("pair")
    outside = study.batch.pairs.filter(state="agreed").exclude(pk__in=inside).first()

    for named in [audit, None]:
        with pytest.raises(NotAllowed):
            decide_in(study, named, outside, 2)


def test_nobody_gives_a_first_value_for_a_pair_of_an_audit(study):
    hide_ratings(study)
    control = entry(make_audit(study), is_control=True).pair

    with pytest.raises(NotAllowed):
        give_first_value(pair=control, by=study.members["dora"].user, option=study.option(3))


def test_a_pair_rated_since_the_draw_is_not_for_its_rater(study):
    audit = make_audit(study, size=6)
    pair = entry(audit).pair
    audit.adjudicators.set([study.members["alice"]])
    study.members["alice"].is_adjudicator = True
    study.members["alice"].save(update_fields=["is_adjudicator"])

    with pytest.raises(NotAllowed, match="rated"):
        decide_in(study, audit, pair, 2, by="alice")


def test_ratings_that_changed_since_the_draw_are_noted(study):
    audit = make_audit(study, size=6)
    changed, same = [audited.pair for audited in audit.audited_pairs.filter(is_control=False)[:2]]
    return_seat(seat=study.seat("bob"), by=study.lena, reason="Look again.")
    with pytest.raises(NotAllowed):
        decide_in(study, audit, changed, 2)
    study.rate("bob", changed, 1)
    study.hand_in("bob")

    for pair in [changed, same]:
        decide_in(study, audit, pair, 2)

    changes = dict(
        audit.audited_pairs.filter(decision__isnull=False).values_list("pair", "has_changed")
    )
    assert changes == {changed.pk: True, same.pk: False}


# --- reopening and closing ---


def test_a_reopened_decision_returns_the_pair_to_agreed_and_to_its_audit(study):
    audit = make_audit(study)
    pair = entry(audit).pair
    first = decide_in(study, audit, pair, 3)

    reopen(pair=pair, by=study.lena, reason="A slip.")

    assert gold(pair) == ("agreed", "consensus", 2)
    assert entry(audit).decision is None
    assert list(findings()) == []
    decide_in(study, audit, pair, 2)
    assert entry(audit).decision != first
    assert list(findings()) == []


def test_closing_makes_the_figures_final(study):
    audit = make_audit(study)
    pair = entry(audit).pair
    decision = decide_in(study, audit, pair, 3)
    close_audit(audit=audit, by=study.lena)
    close_audit(audit=audit, by=study.lena)

    reopen(pair=pair, by=study.lena, reason="A slip.")

    assert gold(pair) == ("agreed", "consensus", 2)
    assert entry(audit).decision == decision
    assert Event.objects.about(audit).filter(verb="close audit").get().after == {"decided": 1}
    assert list(findings()) == []


def test_closing_an_audit_leaves_the_others_open(study):
    first, second = (make_audit(study, size=1, name=name) for name in ("A", "B"))

    close_audit(audit=first, by=study.lena)

    second.refresh_from_db()
    assert (second.is_open, first.audited_pairs.filter(is_open=True).exists()) == (True, False)
    assert second.audited_pairs.filter(is_open=True).count() == second.audited_pairs.count()


def test_undecided_controls_return_to_the_queue_when_the_audit_is_closed(study):
    audit = make_audit(study)
    control = entry(audit, is_control=True).pair

    close_audit(audit=audit, by=study.lena)

    decide_in(study, None, control, 3)
    assert gold(control) == ("adjudicated", "adjudicated", 3)


# --- what the database refuses ---


def refused(match):
    return pytest.raises(IntegrityError, match=match)


def test_the_database_keeps_how_an_audit_was_drawn(study):
    audit = make_audit(study)

    for change in [{"seed": "another"}, {"size": 3}, {"population": 99}]:
        with refused("drawn once"), transaction.atomic():
            Audit.objects.filter(pk=audit.pk).update(**change)
    with refused("append-only"), transaction.atomic():
        audit.audited_pairs.all()._raw_delete(using="default")
    with refused("a drawn pair stays"), transaction.atomic():
        audit.audited_pairs.filter(is_control=False).update(consensus=0)


def test_the_database_keeps_a_closed_audit_as_it_is(study):
    audit = make_audit(study)
    decision = decide_in(study, audit, entry(audit).pair, 3)
    close_audit(audit=audit, by=study.lena)

    with refused("closed audit is final"), transaction.atomic():
        audit.audited_pairs.filter(decision=decision).update(decision=None)
    with refused("closed once"), transaction.atomic():
        Audit.objects.filter(pk=audit.pk).update(closed_at=None, closed_by=None)


def test_the_database_refuses_the_decision_on_another_pair(study):
    audit = make_audit(study)
    decision = decide_in(study, audit, entry(audit).pair, 3)
    other = audit.audited_pairs.filter(decision=None).first()

    with refused("about another pair"), transaction.atomic():
        AuditedPair.objects.filter(pk=other.pk).update(decision=decision)


@pytest.mark.parametrize(
    "wrong", [{"is_control": True, "consensus": 2}, {"is_control": False, "consensus": None}]
)
def test_the_database_wants_a_consensus_for_agreed_pairs_alone(study, wrong):
    audit = make_audit(study, size=1)
    pair = study.batch.pairs.exclude(audited__audit=audit).first()

    with refused("consensus_iff_agreed|CHECK"), transaction.atomic():
        AuditedPair.objects.create(audit=audit, pair=pair, position=50, **wrong)
