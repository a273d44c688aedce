"""The state of a pair, settled from the answers of its seats."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet

from annotation.models import Batch, Option, Pair, Rating, Seat
from annotation.rating.consensus import judge
from audit.statements import Statement, change

State = Pair.State
DECIDED = {State.ADJUDICATED, State.EXCLUDED}
SETTLED_FIELDS = ["state", "gold_origin", "gold_value", "gold_option"]


def lock_pairs(pairs: QuerySet[Pair]) -> list[Pair]:
    """The pairs, locked in one fixed order until the transaction ends.

    Without this lock two last ratings that arrive together each see the other seat empty, and
    nobody opens the dispute. (SQLite has no row locks; its transactions are IMMEDIATE instead.)
    """
    return list(pairs.select_for_update(no_key=True, of=("self",)).order_by("pk"))


def settle_rated(pair: Any, options: Sequence[Option | None]) -> Statement:
    """Settle one locked pair whose batch has an open seat, from all its answers.

    `pair` is a row of `STANDING`, read under the lock: whoever raises the overlap settles the pair
    too, and so either waits for this transaction or was waited for. Returns the statement that
    writes the pair, whether it changed or not, so that a save does the same work for the first
    rater and the last.
    """
    if pair.state not in DECIDED:
        settle_pair(
            pair,
            options,
            overlap=pair.overlap,
            rule=pair.rule,
            distance=pair.distance,
            is_handed_in=False,
        )
    return change(pair, SETTLED_FIELDS)


def settle(pairs: Sequence[Pair], *, batch: Batch) -> list[Pair]:
    """Recompute state and gold of locked pairs of one batch from their ratings.

    A pair with a standing decision stays decided, whatever its raters do. Consensus is gold only
    once every seat of the batch is handed in. Returns the pairs that changed.
    """
    scheme = batch.collection.scheme
    is_handed_in = not Seat.objects.filter(batch=batch, handed_in_at=None).exists()
    answers = defaultdict(list)
    ratings = Rating.objects.filter(pair__in=pairs).select_related("option__scale")
    for rating in ratings.order_by("seat_id"):
        answers[rating.pair_id].append(rating.option)
    changed = []
    for pair in pairs:
        if pair.state in DECIDED:
            continue
        before = _settled(pair)
        settle_pair(
            pair,
            answers[pair.pk],
            overlap=batch.overlap,
            rule=scheme.rule,
            distance=distance_between(answers[pair.pk]),
            is_handed_in=is_handed_in,
        )
        if _settled(pair) != before:
            changed.append(pair)
    Pair.including_inactive.bulk_update(changed, SETTLED_FIELDS, batch_size=200)
    return changed


def _settled(pair: Pair) -> tuple[Any, ...]:
    """What a pair is settled to; its option by id, so that none is read."""
    return pair.state, pair.gold_origin, pair.gold_value, pair.gold_option_id


def distance_between(options: Iterable[Option | None]) -> Decimal | None:
    """The rule's distance on the scale of these options, with the scale at hand.

    None where nobody chose one, which no rule accepts.
    """
    return next((option.scale.distance for option in options if option), None)


def settle_pair(
    pair: Pair,
    options: Sequence[Option | None],
    *,
    overlap: int,
    rule: str,
    distance: Decimal | None,
    is_handed_in: bool,
) -> None:
    """Set (without saving) state and gold of an undecided pair.

    `options` has one entry per answered seat: an Option, or None for "cannot judge".
    """
    pair.gold_origin, pair.gold_value, pair.gold_option = "", None, None
    if not options:
        pair.state = State.OPEN
        return
    if len(options) < overlap:
        pair.state = State.PARTIAL
        return
    values = [option.value if option else None for option in options]
    verdict = judge(values, rule=rule, distance=distance)
    pair.state = State.AGREED if verdict.agreed else State.DISPUTED
    if verdict.agreed and is_handed_in:
        pair.gold_origin = Pair.Origin.CONSENSUS
        pair.gold_value = verdict.value
        gold_options = {option for option in options if option and option.value == verdict.value}
        pair.gold_option = gold_options.pop() if len(gold_options) == 1 else None


def set_decision(pair: Pair, option: Option | None) -> None:
    """Set (without saving) state and gold of a pair that an adjudicator decided: the option, or
    None where they left the pair out."""
    if option:
        pair.state, pair.gold_origin = State.ADJUDICATED, Pair.Origin.ADJUDICATED
        pair.gold_value, pair.gold_option = option.value, option
    else:
        pair.state, pair.gold_origin = State.EXCLUDED, Pair.Origin.EXCLUDED
        pair.gold_value = pair.gold_option = None
