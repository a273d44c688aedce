"""The verifier sees what is wrong with an audit: each rule is broken by raw rows once."""

import uuid

import pytest
from django.utils import timezone

from adjudication.actions import decide
from adjudication.audits.actions import close_audit
from adjudication.models import Audit, AuditedPair, Decision
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


def limit_it_to_a_query(audit):
    rewrite(Audit.objects.all(), query=audit.collection.queries.get())


def limit_it_to_a_batch(audit):
    rewrite(Audit.objects.all(), batch=audit.collection.batches.get())


def blame_another_for_the_draw(audit):
    rewrite(Audit.objects.all(), drawn_by=audit.adjudicators.get().user)


def draw_it_at_another_time(audit):
    rewrite(Audit.objects.all(), drawn_at="2026-01-01T00:00Z")


def blame_another_for_the_end(audit):
    close_audit(audit=audit, by=audit.drawn_by)
    rewrite(Audit.objects.all(), closed_by=audit.adjudicators.get().user)


def give_it_another_seed_once_it_is_closed(audit):
    close_audit(audit=audit, by=audit.drawn_by)
    rewrite(Audit.objects.all(), seed="convenient")


def close_it_at_another_time(audit):
    close_audit(audit=audit, by=audit.drawn_by)
    rewrite(Audit.objects.all(), closed_at="2026-01-01T00:00Z")


DAMAGES = {
    lose_a_pair: "not as drawn",
    open_beside_a_closed_audit: "is open where its audit is not",
    name_another_decision: "names a decision on another pair",
    count_what_no_longer_stands: "no longer stands",
    forget_the_adjudicator: "by somebody outside its audit",
    limit_it_to_a_query: "is not what the trail says (query)",
    limit_it_to_a_batch: "is not what the trail says (batch)",
    blame_another_for_the_draw: "was not drawn by whom or when the trail says",
    draw_it_at_another_time: "was not drawn by whom or when the trail says",
    blame_another_for_the_end: "was not closed as the trail says",
    give_it_another_seed_once_it_is_closed: "is not what the trail says (seed)",
    close_it_at_another_time: "was not closed as the trail says",
}


def test_a_sound_audit_has_no_findings(audit):
    assert list(findings()) == []

    close_audit(audit=audit, by=audit.drawn_by)
    assert list(findings()) == []


@pytest.mark.parametrize(("damage", "finding"), DAMAGES.items())
def test_each_damage_is_found(audit, damage, finding):
    damage(audit)

    assert any(finding in sentence for sentence in findings())
