"""What must hold when people act on an audit in the same instant."""

import uuid

import pytest

from adjudication.actions import AlreadyDecided, decide, reopen
from adjudication.audits.actions import close_audit
from adjudication.models import Audit, AuditedPair, Decision
from audit.refusals import Invalid, Locked, NotAllowed
from config.integrity import findings
from tests.adjudication.audits import make_audit, make_audit_study
from tests.proof.test_races import race

pytestmark = pytest.mark.django_db(transaction=True)


def decide_as(study, name, pair, audit, value=3):
    return decide(
        pair=pair,
        by=study.members[name].user,
        save_id=uuid.uuid4(),
        option=study.option(value),
        audit=audit,
    )


def names(results):
    return sorted(type(result).__name__ for result in results)


def test_two_adjudicators_of_an_audit_make_one_decision():
    study = make_audit_study()
    audit = make_audit(study, size=6, control_count=2, adjudicators=["carol", "dora"])

    for audited in audit.audited_pairs.all():
        results = race(
            lambda pair=audited.pair: decide_as(study, "carol", pair, audit, 0),
            lambda pair=audited.pair: decide_as(study, "dora", pair, audit, 1),
        )
        assert names(results) == [AlreadyDecided.__name__, Decision.__name__]

    assert Decision.objects.filter(superseded_at=None).count() == 8
    assert AuditedPair.objects.filter(decision__superseded_at=None).count() == 8
    assert list(findings()) == []


def test_a_decision_and_the_end_of_its_audit_leave_a_final_figure():
    study = make_audit_study()

    for number in range(4):
        audit = make_audit(study, size=1, control_count=0, name=f"Audit {number}")
        pair = audit.audited_pairs.get().pair
        decided, closed = race(
            lambda audit=audit, pair=pair: decide_as(study, "carol", pair, audit),
            lambda audit=audit: close_audit(audit=audit, by=study.lena),
        )
        assert isinstance(closed, Audit)
        audited = audit.audited_pairs.get()
        if isinstance(decided, Decision):
            assert audited.decision == decided
        else:
            assert isinstance(decided, Locked)
            assert audited.decision is None
        assert audited.is_open is False
    assert list(findings()) == []


def test_a_reopening_and_the_end_of_an_audit_leave_no_half_figure():
    study = make_audit_study()
    audit = make_audit(study, size=1, control_count=0)
    pair = audit.audited_pairs.get().pair
    decision = decide_as(study, "carol", pair, audit)

    results = race(
        lambda: reopen(pair=pair, by=study.lena, reason="A slip."),
        lambda: close_audit(audit=audit, by=study.lena),
    )

    assert not any(isinstance(result, Exception) for result in results)
    assert audit.audited_pairs.get().decision in (None, decision)
    assert list(findings()) == []


def test_two_draws_at_once_share_no_pair():
    study = make_audit_study(agreed=6)

    results = race(*[lambda name=name: make_audit(study, size=4, name=name) for name in ("A", "B")])

    # Two agreed pairs are left for whoever comes second, who asked for four.
    assert names(results) == [Audit.__name__, Invalid.__name__]
    assert AuditedPair.objects.filter(is_open=True).count() == 5


def test_a_dispute_is_decided_in_the_queue_or_drawn_never_both():
    for number in range(4):
        study = make_audit_study(slug=f"study-{number}", agreed=1, disputed=1)
        pair = study.batch.pairs.disputed().get()

        decided, audit = race(
            lambda study=study, pair=pair: decide_as(study, "carol", pair, None),
            lambda study=study: make_audit(study, size=1, control_count=1),
        )

        assert isinstance(audit, Audit)
        was_drawn = audit.control_count == 1
        assert isinstance(decided, NotAllowed if was_drawn else Decision)
    assert list(findings()) == []
