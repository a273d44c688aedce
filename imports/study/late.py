"""Ratings and decisions that come after their pairs: a project that was half finished elsewhere.

They change what is shown already, so all of them are written in the last transaction of their
import, and their number is bounded: every save of a rating waits for that transaction.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from django.db.models import Exists, OuterRef

from adjudication.actions import trace_of
from adjudication.models import AuditedPair, Decision
from annotation.models import Batch, Pair, Rating
from annotation.rating.settle import SETTLED_FIELDS, set_decision
from audit.actions import event, record_all
from audit.models import Event
from audit.refusals import Refused
from audit.verbs import Verb
from datasets.models import Collection, Import, Topic
from formats.grouping import grouped, in_chunks
from imports import pairs as pairs_in
from imports.answers import Answer, BatchRatings
from imports.life import Writer
from imports.study.entries import Key, Resolved, Verdict

# About a second of the last transaction.
MAX_LATE_ANSWERS = 25_000
LOOKED_UP_AT_ONCE = 500


class StoredPairs:
    """The states of the stored pairs of some topics: whether they still take ratings or decisions
    from files."""

    def __init__(self, collection: Collection, topics: Iterable[str]) -> None:
        pairs = Pair.objects.filter(
            topic__collection=collection, topic__external_id__in=list(topics)
        )
        rows = pairs.values_list(
            *("topic__external_id", "document__external_id", "pk", "batch__name", "batch"),
            "topic__locked_at",
        )
        self._rows = {(topic, document): row for topic, document, *row in rows}
        handed_in = pairs.filter(state__in=[Pair.State.AGREED, Pair.State.DISPUTED]).handed_in()
        audited = AuditedPair.objects.filter(is_open=True, pair__in=pairs)
        self._audited = set(audited.values_list("pair", flat=True))
        self._decidable = set(handed_in.values_list("pk", flat=True))

    def key_of(self, key: Key) -> int:
        return int(self._rows[key][0])

    def batch_of(self, key: Key) -> int:
        return int(self._rows[key][2])

    def why_not_rated(self, key: Key) -> str:
        """Why a pair without ratings takes none from a file; empty where it does."""
        _, batch, _, locked_at = self._rows[key]
        if batch is not None:
            return f"is handed out in batch {batch}, where nobody has rated it yet"
        return f"is of the topic {key[0]}, which is locked" if locked_at else ""

    def why_not_decided(self, key: Key, *, is_completed: bool) -> str:
        """Why a pair without a standing decision takes none from a file. `is_completed` says that
        it gets its last ratings with it."""
        if key not in self._rows:
            return "is neither in these files nor in the collection"
        pk, batch, _, locked_at = self._rows[key]
        if batch is None:
            return "has no rating, neither in these files nor in the collection"
        if locked_at:
            return f"is of the topic {key[0]}, which is locked"
        waits = pk not in self._audited and (is_completed or pk in self._decidable)
        return "" if waits else "does not wait for an adjudicator"


class StoredAnswers:
    """The stored answers to the pairs of some topics: ratings by member, gold, and decided
    pairs."""

    def __init__(self, collection: Collection, topics: Iterable[str]) -> None:
        self.pairs = StoredPairs(collection, topics)
        pairs = Pair.objects.filter(
            topic__collection=collection, topic__external_id__in=list(topics)
        )
        names = ("topic__external_id", "document__external_id")
        keys = {pk: (topic, document) for pk, topic, document in pairs.values_list("pk", *names)}
        self.answers: dict[Key, dict[int, Answer]] = defaultdict(dict)
        ratings = Rating.objects.filter(pair__in=pairs).select_related("option")
        for rating in ratings.iterator(chunk_size=2000):
            self.answers[keys[rating.pair_id]][rating.annotator_id] = Answer(
                rating.option, rating.cannot_judge, rating.note
            )
        self.gold = {keys[pk]: value for pk, value in pairs.values_list("pk", "gold_value")}
        decisions = Decision.objects.filter(superseded_at=None, pair__in=pairs)
        self.decided = {keys[pk] for pk in decisions.values_list("pair", flat=True)}


def join_batches(
    batches: Sequence[Batch],
    ratings: Sequence[BatchRatings],
    pair_ids: Mapping[Key, int],
    settled: Mapping[Key, Pair],
) -> None:
    """Put pairs that wait into their new batches, as their ratings and decisions leave them.

    Raises Refused where one was handed out meanwhile. Call it before the seats are held.
    """
    pair_count = 0
    for batch, batch_ratings in zip(batches, ratings, strict=True):
        outcomes = grouped(
            (tuple(getattr(settled[key], field) for field in pairs_in.SETTLED), pair_ids[key])
            for key in batch_ratings.answers
        )
        for outcome, ids in outcomes.items():
            values = dict(zip(pairs_in.SETTLED, outcome, strict=True))
            for chunk in in_chunks(ids, LOOKED_UP_AT_ONCE):
                waiting = Pair.including_inactive.filter(pk__in=chunk, batch=None)
                pair_count += waiting.update(batch=batch, **values)
    if pair_count != sum(len(batch_ratings.answers) for batch_ratings in ratings):
        raise Refused("Pairs of these files were handed out meanwhile. Nothing was changed.")


def decide_stored(
    keys: Sequence[Key],
    resolved: Resolved,
    stored: StoredPairs,
    decision_of: Callable[[Verdict, int], Decision],
    writer: Writer,
) -> None:
    """Write decisions on pairs that were rated before, each with its event in the trail.

    `decision_of(verdict, pair id)` is an unsaved Decision. Raises Refused where a
    pair was decided meanwhile.
    """
    ids = [stored.key_of(key) for key in keys]
    pairs = _lock_undecided(ids)
    decisions, events = [], []
    for key, pk in zip(keys, ids, strict=True):
        verdict, pair = resolved.verdicts[key], pairs[pk]
        set_decision(pair, verdict.option)
        decision = decision_of(verdict, pk)
        decisions.append(decision)
        events.append(_event_of(decision, pair, writer.imported))
    Decision.objects.bulk_create(decisions, batch_size=LOOKED_UP_AT_ONCE)
    Pair.objects.bulk_update(pairs.values(), SETTLED_FIELDS, batch_size=LOOKED_UP_AT_ONCE)
    record_all(events)


def _lock_undecided(ids: Sequence[int]) -> dict[int, Pair]:
    # Topics before pairs, as decisions lock them; none is locked by a lead meanwhile.
    topics = Topic.objects.filter(pk__in=Pair.objects.filter(pk__in=ids).values("topic"))
    list(topics.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk"))
    open_pairs = Pair.objects.filter(
        ~Exists(AuditedPair.objects.filter(is_open=True, pair=OuterRef("pk"))),
        pk__in=ids,
        state__in=[Pair.State.AGREED, Pair.State.DISPUTED],
        topic__locked_at=None,
    )
    locked = open_pairs.select_for_update(no_key=True, of=("self",)).order_by("pk")
    pairs = {pair.pk: pair for pair in locked}
    if len(pairs) != len(ids):
        raise Refused("Pairs of these files were decided meanwhile. Nothing was changed.")
    return pairs


def _event_of(decision: Decision, pair: Pair, imported: Import) -> Event:
    return event(
        Verb.DECIDE,
        pair,
        by=imported.created_by,
        collection=imported.collection,
        after=trace_of(decision)
        | {"import": imported.public_id, "adjudicator": decision.adjudicator.public_id},
    )
