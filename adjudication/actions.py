"""Deciding disputed pairs and those of an audit, changing a decision, reopening it."""

from typing import Any, NamedTuple
from uuid import UUID

from django.db.models.functions import Now

from accounts.models import User
from adjudication.audits.entries import keep_decision, lock_entry, release_decision
from adjudication.holds import hold_topic
from adjudication.models import Audit, Decision, FirstValue, TopicHold
from annotation.models import Batch, Option, Pair, Scheme
from annotation.rating.rate import NO_SUCH_GRADE
from annotation.rating.settle import SETTLED_FIELDS, lock_pairs, set_decision, settle
from audit.actions import record
from audit.refusals import Invalid, Locked, NotAllowed, Refused, Stale
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.access import is_lead
from datasets.models import Membership, Topic

MAX_REASON_LENGTH = 5_000


class AlreadyDecided(Stale):
    """Another decision stands; `current` is it."""


class SaveIdReused(Invalid):
    """The save was sent before with something else in it."""


class RationaleMissing(Invalid):
    """A value that no rater gave needs a reason."""


class Choice(NamedTuple):
    """What is decided: a grade, or to leave the pair out with a reason; and why."""

    option: Option | None
    exclusion_reason: str
    cause: str
    rationale: str


@one_transaction
def decide(
    *,
    pair: Pair,
    by: User,
    save_id: UUID,
    based_on: UUID | None = None,
    option: Option | None = None,
    exclusion_reason: str = "",
    cause: str = "",
    rationale: str = "",
    audit: Audit | None = None,
) -> Decision:
    """Set the gold of a disputed pair, or leave the pair out with a reason; return the decision.

    The same action changes one's own decision: `based_on` is the public id of the standing decision
    that the adjudicator had in view, None where there was none. The same `save_id` sent again
    returns the decision it made. A rationale is needed for a value that no rater gave. Where the
    scheme hides the ratings, the adjudicator first gives a value without seeing them. Otherwise the
    demand for a rationale would reveal which values the raters did not give. Deciding takes the
    topic for another 30 minutes where nobody else has it open.

    A pair of an open `audit` is decided in it and nowhere else, agreed or not, by the audit's
    adjudicators. There nothing depends on the ratings: no rationale and no first value is asked
    for, and the topic is not taken.

    Raises NotAllowed (a rater of the pair, not an adjudicator, not in the queue or the audit),
    AlreadyDecided, Locked (the lead locked the topic or closed the audit), Invalid.
    """
    choice = Choice(option, exclusion_reason.strip(), cause, rationale.strip())
    topic, pair = _lock(pair)
    member = _adjudicator(by, topic.collection_id)
    if replayed := _replayed(pair, member, save_id, choice):
        return replayed
    entry = lock_entry(pair, audit, member)
    _check_case(topic, pair, member)
    standing = _standing(pair)
    _check_standing(standing, member, based_on)
    _check_choice(topic, choice)
    if entry is None:
        _check_dispute(pair, standing)
        _check_against_ratings(pair, topic.collection.scheme, member, choice)

    if standing:
        _supersede(standing, by=by)
    decision = Decision.objects.create(
        pair=pair, adjudicator=member, save_id=save_id, **choice._asdict()
    )
    set_decision(pair, option)
    pair.save(update_fields=SETTLED_FIELDS)
    if entry:
        keep_decision(entry, decision, topic=topic)
    record(
        Verb.CHANGE_DECISION if standing else Verb.DECIDE,
        pair,
        by=by,
        collection=topic.collection,
        before=trace_of(standing) if standing else None,
        after=trace_of(decision) | ({"audit": audit.public_id} if audit else {}),
    )
    if entry is None:
        hold_topic(topic, member)
    return decision


@one_transaction
def reopen(*, pair: Pair, by: User, reason: str) -> Pair:
    """Withdraw the standing decision, with a reason; it stays in the history.

    The pair returns to where its ratings put it: disputed, or agreed where the decision was about
    a pair on which the raters agree. In an open audit it waits for a decision again.
    """
    topic, pair = _lock(pair)
    if not is_lead(by, topic.collection_id):
        raise NotAllowed("Only a lead reopens a decision.")
    if topic.is_locked:
        raise Locked(f"Topic {topic.external_id} is locked. Unlock it first.")
    if not reason.strip():
        raise Invalid("Say why the decision is reopened.")
    standing = _standing(pair)
    if standing is None or pair.batch is None:
        is_agreed = pair.gold_origin == Pair.Origin.CONSENSUS
        audit = " Its raters agree; an adjudicator decides such pairs in an audit."
        raise Refused(f"No decision stands for this pair.{audit if is_agreed else ''}")
    release_decision(standing)
    _supersede(standing, by=by, reopening_reason=reason.strip())
    pair.state = Pair.State.DISPUTED
    settle([pair], batch=pair.batch)
    record(
        Verb.REOPEN,
        pair,
        by=by,
        collection=topic.collection,
        before=trace_of(standing),
        reason=reason.strip(),
    )
    return pair


@one_transaction
def give_first_value(*, pair: Pair, by: User, option: Option) -> FirstValue:
    """Keep the value an adjudicator gives before the scheme lets them see the ratings.

    Given once: a second call returns the first value, whatever it says.
    """
    topic, pair = _lock(pair)
    member = _adjudicator(by, topic.collection_id)
    _check_case(topic, pair, member)
    standing = _standing(pair)
    if standing and standing.adjudicator_id != member.pk:
        raise AlreadyDecided("This pair was decided by another adjudicator.", current=standing)
    lock_entry(pair, None, member)
    _check_dispute(pair, standing)
    _check_offered(option, topic)
    first, created = FirstValue.objects.get_or_create(
        pair=pair, adjudicator=member, defaults={"option": option}
    )
    if created:
        record(
            Verb.GIVE_FIRST_VALUE,
            pair,
            by=by,
            collection=topic.collection,
            after={"option": option.key},
        )
    return first


@one_transaction
def take_topic(*, topic: Topic, by: User) -> TopicHold:
    """Mark a topic as being worked on by this adjudicator for 30 minutes, where it is free.

    Returns the hold that stands, which may be another adjudicator's: it is shown, not enforced.
    """
    topic = locked(topic)
    return hold_topic(topic, _adjudicator(by, topic.collection_id))


def _lock(pair: Pair) -> tuple[Topic, Pair]:
    """The topic and the pair, locked in this order, read afresh."""
    topic = (
        Topic.objects.select_related("collection__scheme")
        .select_for_update(no_key=True, of=("self",))
        .get(pk=pair.topic_id)
    )
    [pair] = lock_pairs(Pair.objects.filter(pk=pair.pk))
    return topic, pair


def _adjudicator(user: User, collection_id: int) -> Membership:
    member = (
        Membership.objects.current()
        .filter(collection=collection_id, user=user, is_adjudicator=True)
        .first()
    )
    if member is None:
        raise NotAllowed("Only an adjudicator of the collection decides.")
    return member


def _standing(pair: Pair) -> Decision | None:
    return pair.decisions.filter(superseded_at=None).first()


def _replayed(pair: Pair, member: Membership, save_id: UUID, choice: Choice) -> Decision | None:
    decision = Decision.objects.filter(save_id=save_id).first()
    if decision is None:
        return None
    stored_choice = Choice(*(getattr(decision, field) for field in Choice._fields))
    if (decision.pair_id, decision.adjudicator_id, stored_choice) != (pair.pk, member.pk, choice):
        raise SaveIdReused("This save was already sent with another decision. Nothing was changed.")
    return decision


def _check_standing(standing: Decision | None, member: Membership, based_on: UUID | None) -> None:
    if standing and standing.public_id != based_on:
        raise AlreadyDecided("This pair was decided meanwhile.", current=standing)
    if standing and standing.adjudicator_id != member.pk:
        raise AlreadyDecided("This pair was decided by another adjudicator.", current=standing)
    if standing is None and based_on is not None:
        raise Stale("The decision you saw was reopened by a lead. Look at the pair again.")


def _check_dispute(pair: Pair, standing: Decision | None) -> None:
    if standing is None and pair.state != Pair.State.DISPUTED:
        raise NotAllowed("This pair is not disputed.")


def _check_case(topic: Topic, pair: Pair, member: Membership) -> None:
    if topic.is_locked:
        raise Locked(f"The lead has locked topic {topic.external_id}. Nothing was changed.")
    if pair.ratings.filter(annotator=member).exists():
        raise NotAllowed("Nobody adjudicates a pair that they rated.")
    if not pair.batch_id or not Batch.objects.handed_in().filter(pk=pair.batch_id).exists():
        raise NotAllowed("Not every annotator has handed in this pair.")


def _check_offered(option: Option, topic: Topic) -> None:
    if option not in topic.collection.scheme.scale_of(topic.facet).offered:
        raise Invalid(NO_SUCH_GRADE)


def _check_choice(topic: Topic, choice: Choice) -> None:
    option, exclusion_reason, cause, rationale = choice
    if (option is None) == (not exclusion_reason):
        raise Invalid("Choose a grade, or leave the pair out with a reason.")
    if option:
        _check_offered(option, topic)
    if max(len(exclusion_reason), len(rationale)) > MAX_REASON_LENGTH:
        raise Invalid(f"The reason is longer than {MAX_REASON_LENGTH:,} characters.")
    if cause and cause not in topic.collection.scheme.current.words.cause_names:
        raise Invalid("This cause is not part of the scheme.")


def _check_against_ratings(pair: Pair, scheme: Scheme, member: Membership, choice: Choice) -> None:
    if choice.option is None:
        return
    if scheme.hides_ratings and not pair.first_values.filter(adjudicator=member):
        raise Invalid("Give a first grade of your own; then the ratings are shown.")
    values = set(pair.ratings.values_list("option__value", flat=True))
    if choice.option.value not in values and not choice.rationale:
        raise RationaleMissing("No annotator gave this grade. Say why you decide so.")


def _supersede(decision: Decision, *, by: User, reopening_reason: str = "") -> None:
    Decision.objects.filter(pk=decision.pk).update(
        superseded_at=Now(), superseded_by=by, reopening_reason=reopening_reason
    )


def trace_of(decision: Decision) -> dict[str, Any]:
    """What the trail keeps of a decision."""
    return {
        "decision": decision.public_id,
        "option": decision.option.key if decision.option else None,
        "exclusion_reason": decision.exclusion_reason,
        "cause": decision.cause,
        "rationale": decision.rationale,
    }
