"""Drawing an audit, and closing it."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models.functions import Now

from accounts.models import User
from adjudication.audits.drawing import (
    Limits,
    agreed_pairs,
    control_pairs,
    drawables,
    drawn_in_order,
)
from adjudication.models import Audit, AuditedPair
from annotation.assigning.actions.batches import ROWS_AT_ONCE
from annotation.models import Pair
from annotation.rating.settle import lock_pairs
from annotation.reading.text_hashes import in_words
from annotation.sampling.drawing import Drawable
from audit.actions import record
from audit.hashes import sha256_of
from audit.refusals import Invalid, NotAllowed, Refused
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.access import is_lead
from datasets.models import Collection, Membership, Topic
from formats.grouping import in_chunks
from formats.words import counted

MAX_SIZE = 500
MAX_NAME_LENGTH = 200
MAX_SEED_LENGTH = 80
WHOLE_COLLECTION = Limits()
# What a drawn pair is, by whether it is a control.
STATES = {False: Pair.State.AGREED, True: Pair.State.DISPUTED}


@one_transaction
def draw_audit(
    *,
    collection: Collection,
    name: str,
    size: int,
    seed: str,
    adjudicators: Sequence[Membership],
    by: User,
    control_count: int | None = None,
    limits: Limits = WHOLE_COLLECTION,
) -> Audit:
    """Draw `size` agreed pairs at random for the adjudicators, and disputed ones as controls.

    `control_count` disputed pairs are mixed in, or as many as there are; a quarter of the size
    where it is None. Until the audit is closed all its pairs are out of the queue. The same seed
    on the same state draws the same pairs in the same order.

    Raises NotAllowed for anybody but a lead, and Invalid.
    """
    name, seed = name.strip(), seed.strip()
    if not is_lead(by, collection):
        raise NotAllowed("Only a lead draws an audit.")
    # Lock out decisions: a decision holds the topic's lock, and would not know of the audit.
    _lock_topics(collection)
    _check(collection, name, size, seed, adjudicators, control_count)
    drawn_from = {"collection": collection, "adjudicators": adjudicators, "limits": limits}
    agreed = drawables(agreed_pairs(**drawn_from))
    controls = drawables(control_pairs(**drawn_from))
    if size > len(agreed):
        raise Invalid(_too_few(len(agreed)))
    if control_count is None:
        control_count = math.ceil(size / 4)
    audit = Audit.objects.create(
        collection=collection,
        name=name,
        seed=seed,
        facet=limits.facet,
        query=limits.query,
        batch=limits.batch,
        size=size,
        population=len(agreed),
        control_count=min(control_count, len(controls)),
        control_population=len(controls),
        drawn_by=by,
    )
    audit.adjudicators.set(adjudicators)
    _add_pairs(audit, agreed, controls)
    record(Verb.DRAW_AUDIT, audit, by=by, after=_trace(audit, adjudicators))
    return audit


def _trace(audit: Audit, adjudicators: Sequence[Membership]) -> dict[str, Any]:
    """What the trail keeps of a draw."""
    return {
        "name": audit.name,
        "seed": audit.seed,
        "size": audit.size,
        "population": audit.population,
        "controls": audit.control_count,
        "control_population": audit.control_population,
        "facet": audit.facet,
        "query": audit.query and audit.query.external_id,
        "batch": audit.batch and audit.batch.name,
        "adjudicators": sorted(str(member.public_id) for member in adjudicators),
        "drawn": drawn_hash(audit.pk),
    }


def drawn_hash(audit: int, using: str = DEFAULT_DB_ALIAS) -> str:
    """A hash over the pairs of an audit, by its key, in their order."""
    rows = AuditedPair.objects.using(using).filter(audit=audit).order_by("position")
    fields = ["position", "pair__public_id", "is_control", "consensus"]
    return sha256_of([in_words(row) for row in rows.values_list(*fields)])


@one_transaction
def close_audit(*, audit: Audit, by: User) -> Audit:
    """End an audit: its figures are final, and controls without a decision return to the queue."""
    if not is_lead(by, audit.collection_id):
        raise NotAllowed("Only a lead closes an audit.")
    audit = (
        Audit.objects.select_related("collection")
        .select_for_update(no_key=True, of=("self",))
        .get(pk=audit.pk)
    )
    if not audit.is_open:
        return audit
    decided = audit.audited_pairs.filter(decision__isnull=False).count()
    audit.audited_pairs.update(is_open=False)
    Audit.objects.filter(pk=audit.pk).update(closed_at=Now(), closed_by=by)
    audit.refresh_from_db(fields=["closed_at", "closed_by"])
    record(Verb.CLOSE_AUDIT, audit, by=by, after={"decided": decided})
    return audit


def _lock_topics(collection: Collection) -> None:
    topics = Topic.objects.filter(collection=collection).order_by("pk")
    list(topics.select_for_update(no_key=True, of=("self",)).values_list("pk"))


def _check(
    collection: Collection,
    name: str,
    size: int,
    seed: str,
    adjudicators: Sequence[Membership],
    control_count: int | None,
) -> None:
    if not name or len(name) > MAX_NAME_LENGTH:
        raise Invalid(f"Give the audit a name of at most {MAX_NAME_LENGTH} characters.")
    if collection.audits.filter(name=name).exists():
        raise Invalid(f"There is an audit called “{name}” already. Give this one another name.")
    if not seed or len(seed) > MAX_SEED_LENGTH:
        raise Invalid(f"An audit needs a seed: any word of at most {MAX_SEED_LENGTH} characters.")
    if not 1 <= size <= MAX_SIZE:
        raise Invalid(f"An audit has 1 to {MAX_SIZE} agreed pairs. Draw several for more.")
    if control_count is not None and not 0 <= control_count <= MAX_SIZE:
        raise Invalid(f"An audit mixes in 0 to {MAX_SIZE} disputed pairs.")
    member_ids = {member.pk for member in adjudicators}
    able = Membership.objects.current().filter(
        collection=collection, is_adjudicator=True, user__is_active=True, pk__in=member_ids
    )
    if not member_ids or able.count() != len(member_ids):
        raise Invalid("Choose adjudicators of the collection who can sign in.")


def _too_few(available: int) -> str:
    if not available:
        return (
            "No agreed pair can be drawn. A pair needs its gold by consensus, an open topic, and "
            "adjudicators who did not rate it."
        )
    pairs = counted(available, "agreed pair")
    return f"{pairs} can be drawn. Choose a number up to that."


def _add_pairs(audit: Audit, agreed: Sequence[Drawable], controls: Sequence[Drawable]) -> None:
    drawn = drawn_in_order(
        agreed, controls, size=audit.size, control_count=audit.control_count, seed=audit.seed
    )
    pairs = _locked([pair for pair, _ in drawn])
    if any(pairs[pk].state != STATES[is_control] for pk, is_control in drawn):
        raise Refused("Ratings of these pairs changed meanwhile. Nothing was drawn; try again.")
    AuditedPair.objects.bulk_create(
        [
            AuditedPair(
                audit=audit,
                pair=pairs[pk],
                position=position,
                is_control=is_control,
                consensus=pairs[pk].gold_value,
            )
            for position, (pk, is_control) in enumerate(drawn, start=1)
        ],
        batch_size=100,
    )


def _locked(pair_ids: Iterable[int]) -> dict[int, Pair]:
    pairs: dict[int, Pair] = {}
    for chunk in in_chunks(sorted(pair_ids), ROWS_AT_ONCE):
        pairs |= {pair.pk: pair for pair in lock_pairs(Pair.objects.filter(pk__in=chunk))}
    return pairs
