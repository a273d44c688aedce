"""The kinds of events that a hook may be told of, and what it is told.

A body holds a kind, public ids and counts. It never holds a value, a person, a note or a reason,
and of a batch that somebody still rates nothing at all. So no event of the trail is passed on as it
is: each kind names the events it is made from, and the parts of them that it sends.
"""

from collections.abc import Callable
from dataclasses import dataclass

from annotation.models import Pair
from audit.models import Event
from audit.verbs import Verb
from datasets.models import Collection, Judgments, Ranking, Topic

Counts = dict[str, int]


@dataclass(frozen=True)
class Message:
    """The message on one event: the public id of its subject, and counts."""

    subject: str
    counts: Counts


@dataclass(frozen=True)
class Kind:
    """`tell(event, collection)` is None where the event is none of this kind or must not be told.

    `verbs` are those of the trail; `subject` is the word for what it is about.
    """

    name: str
    label: str
    verbs: tuple[Verb, ...]
    subject: str
    tell: Callable[[Event, Collection], Message | None]


def _completed_batch(event: Event, collection: Collection) -> Message | None:
    """Only the last hand-in of a batch says so in the trail; for the others nothing is sent."""
    batch = (event.after or {}).get("completed_batch")
    if batch is None:
        return None
    return Message(batch["batch"], {"pairs": batch["pairs"], "seats": batch["seats"]})


def _decided_pair(event: Event, collection: Collection) -> Message | None:
    """Not while somebody rates the pair's batch again, whatever was decided before."""
    pairs = Pair.objects.handed_in().filter(
        public_id=event.subject_id, topic__collection=collection
    )
    return Message(event.subject_id, {}) if pairs.exists() else None


def _locked_topic(event: Event, collection: Collection) -> Message:
    topics = Topic.objects.filter(collection=collection)
    counts = {
        "pairs": Pair.objects.filter(topic__public_id=event.subject_id).count(),
        "topics": topics.count(),
        "locked_topics": topics.exclude(locked_at=None).count(),
    }
    return Message(event.subject_id, counts)


IMPORTED = ("papers", "queries", "candidates", "topics", "pairs")
# All that a body counts. A body with any other name is reported (config/integrity/hooks.py).
COUNTED = {*IMPORTED, "seats", "locked_topics", "lists", "files"}


def _done_import(event: Event, collection: Collection) -> Message:
    after = event.after or {}
    return Message(event.subject_id, {name: after[name] for name in IMPORTED if name in after})


def _run(event: Event, collection: Collection) -> Message:
    lists = Ranking.objects.filter(run__public_id=event.subject_id)
    return Message(event.subject_id, {"lists": lists.count()})


def _judgments(event: Event, collection: Collection) -> Message:
    lists = Judgments.objects.filter(judgment_set__public_id=event.subject_id)
    return Message(event.subject_id, {"lists": lists.count()})


def _export(event: Event, collection: Collection) -> Message:
    return Message(event.subject_id, {"files": len((event.after or {}).get("files", {}))})


def _plain(event: Event, collection: Collection) -> Message:
    return Message(event.subject_id, {})


ALL = [
    Kind(
        "batch.completed",
        "Every seat of a batch is handed in",
        (Verb.HAND_IN_SEAT,),
        "batch",
        _completed_batch,
    ),
    Kind(
        "decision.made",
        "A pair was decided, or its decision changed",
        (Verb.DECIDE, Verb.CHANGE_DECISION),
        "pair",
        _decided_pair,
    ),
    Kind("decision.reopened", "A decision was reopened", (Verb.REOPEN,), "pair", _decided_pair),
    Kind("topic.locked", "A topic was locked", (Verb.LOCK_TOPIC,), "topic", _locked_topic),
    Kind("topic.unlocked", "A topic was unlocked", (Verb.UNLOCK_TOPIC,), "topic", _locked_topic),
    Kind("import.done", "An import is done", (Verb.IMPORT,), "import", _done_import),
    Kind("export.made", "An export was made", (Verb.EXPORT,), "export", _export),
    Kind("run.added", "A run was added", (Verb.ADD_RUN, Verb.ADD_RANKINGS), "run", _run),
    Kind("run.removed", "A run was removed", (Verb.REMOVE_RUN,), "run", _plain),
    Kind(
        "judgments.added",
        "Judgments made elsewhere were added",
        (Verb.ADD_JUDGMENTS,),
        "judgments",
        _judgments,
    ),
    Kind(
        "judgments.removed",
        "Judgments made elsewhere were removed",
        (Verb.REMOVE_JUDGMENTS,),
        "judgments",
        _plain,
    ),
    Kind(
        "scheme.changed",
        "The scheme was written or changed",
        (Verb.WRITE_SCHEME, Verb.EDIT_SCHEME, Verb.CHANGE_RULES),
        "collection",
        _plain,
    ),
]
BY_NAME = {kind.name: kind for kind in ALL}
BY_VERB = {verb: kind for kind in ALL for verb in kind.verbs}
CHOICES = [(kind.name, kind.label) for kind in ALL]
# What a lead sends to see whether the receiver hears; no hook chooses it.
TEST = "test"
LABELS = dict(CHOICES) | {TEST: "A test"}
SUBJECTS = {kind.name: kind.subject for kind in ALL} | {TEST: "webhook"}
