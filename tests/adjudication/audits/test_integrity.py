"""The verifier sees what is wrong with an audit: each rule is broken by raw rows once."""

import uuid

import pytest
from django.utils import timezone

from adjudication.actions import decide
from adjudication.models import AuditedPair, Decision
from config.integrity import findings
from tests.adjudication.audits import make_audit, make_audit_study
from tests.damage import rewrite, run_sql
from tests.shelf import shelved


@shelved
def audit(db):
    """Two of five pairs are decided."""
    study = make_audit_study()
    audit = make_audit(study)
    for audited in audit.audited_pairs.filter(is_control=False)[:2]:
        decide(
            pair=audited.pair,
            by=study.carol,
            save_id=uuid.uuid4(),
            option=study.option(3),
            audit=audit,
        )
    return audit


def lose_a_pair(audit):
    run_sql("DELETE FROM adjudication_auditedpair WHERE is_control")


def open_beside_a_closed_audit(audit):
    run_sql("UPDATE adjudication_audit SET closed_at = '2026-01-01', closed_by_id = drawn_by_id")


def name_another_decision(audit):
    first, second = AuditedPair.objects.exclude(decision=None)
    AuditedPair.objects.filter(pk=second.pk).update(decision=None)
    rewrite(AuditedPair.objects.filter(pk=first.pk), decision=second.decision)


def count_what_no_longer_stands(audit):
    Decision.objects.update(superseded_at=timezone.now())


def forget_the_adjudicator(audit):
    audit.adjudicators.clear()


DAMAGES = {
    lose_a_pair: "not as drawn",
    open_beside_a_closed_audit: "is open where its audit is not",
    name_another_decision: "names a decision on another pair",
    count_what_no_longer_stands: "no longer stands",
    forget_the_adjudicator: "by somebody outside its audit",
}


def test_a_sound_audit_has_no_findings(audit):
    assert list(findings()) == []


@pytest.mark.parametrize(("damage", "finding"), DAMAGES.items())
def test_each_damage_is_found(audit, damage, finding):
    damage(audit)

    assert any(finding in sentence for sentence in findings())
