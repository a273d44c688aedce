"""Runs, judgments of others, mappings and protocols are what was stored, and the trail knows each
of them."""

from audit.models import Event
from audit.verbs import Verb
from config.integrity.trail_state import is_of
from datasets.models import Judgments, JudgmentSet, Ranking, Run, System
from datasets.runs.rankings import hash_of_columns
from evaluation.models import MappingVersion, ProtocolVersion

KINDS = [
    (Run, "system", Ranking, "run", ["external_id", "documents", "scores", "ranks"]),
    (
        JudgmentSet,
        "collection",
        Judgments,
        "judgment_set",
        ["external_id", "documents", "literals"],
    ),
]
# What the trail calls otherwise than the row does.
COLUMNS = {"file": "file_name", "sha256": "file_sha256", "content": "content_sha256"}


def evaluated_findings(using):
    """Yield a sentence for every one of them that is not what the trail says."""
    yield from _definition_findings(using)
    for model, parent, lists, field, columns in KINDS:
        noun = model._meta.verbose_name
        in_trail = _in_trail(model, using)
        events = Event.objects.using(using).filter(verb__in=[Verb.ADD_RUN, Verb.ADD_JUDGMENTS])
        makers = dict(events.values_list("subject_id", "actor"))
        stored_rows = model._base_manager.using(using).select_related(parent)
        for row in stored_rows.order_by("pk"):
            event = in_trail.pop(str(row.public_id), None)
            rows = lists._base_manager.using(using).filter(**{field: row})
            if event is None:
                yield f"The {noun} {row.public_id} has no event in the trail."
            elif others := _others(row, event, hash_of_columns(rows.values_list(*columns))):
                yield f"The {noun} {row.public_id} is not what was stored ({', '.join(others)})."
            elif makers[str(row.public_id)] != row.created_by_id:
                yield f"The {noun} {row.public_id} was stored by another than the trail says."
            if any(
                len({text.count("\n") for text in texts}) > 1
                for texts in rows.values_list(*columns[1:])
            ):
                yield f"The {noun} {row.public_id} has columns of different lengths."
        for public_id in in_trail:
            yield f"The trail knows the {noun} {public_id}, which is gone."


def _others(row, event, content):
    """Names of what is not as the trail says; `content` is the hash of the stored lists."""
    stored = {name: _stored(row, name) for name in event}
    others = [name for name in stored if stored[name] != event[name]]
    return others or (["content"] if event["content"] != content else [])


def _stored(row, name):
    return row.system.key if name == "system" else getattr(row, COLUMNS.get(name, name))


def _definition_findings(using):
    for model, content in [(MappingVersion, "grades"), (ProtocolVersion, "data")]:
        noun = model._meta.verbose_name
        events = Event.objects.using(using).filter(subject_type=model._meta.label_lower)
        in_trail = {event.subject_id: event for event in events.order_by("id")}
        for row in model.objects.using(using).order_by("pk"):
            stored = {"key": row.key, "version": row.number, "name": row.name}
            stored[content] = getattr(row, content)
            event = in_trail.pop(str(row.public_id), None)
            if event is None or event.after != stored:
                yield f"The {noun} {row.public_id} is not what the trail says."
            elif not is_of(event, row.created_by_id, row.created_at):
                yield f"The {noun} {row.public_id} was not made by whom or when the trail says."
        for public_id in in_trail:
            yield f"The trail knows the {noun} {public_id}, which is gone."


def _in_trail(model, using):
    """{public id: what the trail says of it} of those that were added and not removed. The system
    of a run may get another key afterwards."""
    rows = {}
    collections = {}
    kinds = [model._meta.label_lower, System._meta.label_lower]
    events = Event.objects.using(using).filter(subject_type__in=kinds).order_by("id")
    for collection, subject, verb, before, after in events.values_list(
        "collection", "subject_id", "verb", "before", "after"
    ):
        match verb:
            case Verb.REMOVE_RUN | Verb.REMOVE_JUDGMENTS:
                rows.pop(subject, None)
            case Verb.CHANGE_SYSTEM if "key" in after:
                for row_id, row in rows.items():
                    if (collections[row_id], row.get("system")) == (collection, before["key"]):
                        row["system"] = after["key"]
            case Verb.CHANGE_SYSTEM:
                pass
            case _:
                rows[subject] = rows.get(subject, {}) | after
                collections[subject] = collection
    return rows
