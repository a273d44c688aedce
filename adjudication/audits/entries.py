"""A pair's place in an audit, while its decision is being made, changed or reopened.

Locks are taken in the order topic, pair, audit.
"""

from decimal import Decimal

from adjudication.models import Audit, AuditedPair, Decision
from adjudication.querysets import of_audits
from annotation.models import Pair
from annotation.rating.consensus import judge
from audit.refusals import Locked, NotAllowed
from audit.transactions import locked
from datasets.models import Membership, Topic


def lock_entry(pair: Pair, audit: Audit | None, member: Membership) -> AuditedPair | None:
    """The pair's place in an open audit of this adjudicator, the audit locked against closing.

    Returns None without an audit. Raises NotAllowed if no audit is given and the pair is in one, or
    if the pair is not in the given audit; Locked if a lead has closed it.
    """
    if audit is None:
        if of_audits().filter(pair=pair).exists():
            raise NotAllowed("This pair is not in the queue.")
        return None
    audit = locked(audit)
    entry = audit.audited_pairs.filter(pair=pair, audit__adjudicators=member).first()
    if entry is None:
        raise NotAllowed("This pair is not in an audit of yours.")
    if not audit.is_open:
        raise Locked("A lead has closed this audit. Nothing was changed.")
    return entry


def keep_decision(entry: AuditedPair, decision: Decision, *, topic: Topic) -> None:
    """Note what was decided, and whether the ratings were no longer those of the draw."""
    entry.decision = decision
    entry.has_changed = _consensus(decision.pair, topic) != entry.consensus
    entry.save(update_fields=["decision", "has_changed"])


def release_decision(decision: Decision) -> None:
    """A decision that is reopened no longer counts in an open audit; a closed one is final."""
    AuditedPair.objects.filter(decision=decision, is_open=True).update(
        decision=None, has_changed=False
    )


def _consensus(pair: Pair, topic: Topic) -> Decimal | None:
    """The value on which the ratings agree by the scheme's rule, None where they do not."""
    answers = list(pair.ratings.values_list("option__value", flat=True))
    scheme = topic.collection.scheme
    distance = scheme.scale_of(topic.facet).distance
    return judge(answers, rule=scheme.rule, distance=distance).value
