"""Runs, judgments of others, mappings and protocols are what was stored, and the trail knows each
of them."""

from audit.models import Event
from audit.verbs import Verb
from datasets.models import Judgments, JudgmentSet, Ranking, Run
from datasets.runs.rankings import hash_of_columns
from evaluation.models import MappingVersion, ProtocolVersion

KINDS = [
    (Run, Ranking, "run", ["external_id", "documents", "scores", "ranks"]),
    (JudgmentSet, Judgments, "judgment_set", ["external_id", "documents", "literals"]),
]


def evaluated_findings(using):
    """Yield a sentence for every one of them that is not what the trail says."""
    yield from _definition_findings(using)
    for model, lists, field, columns in KINDS:
        noun = model._meta.verbose_name
        contents = _hashes_in_trail(model, using)
        for row in model._base_manager.using(using).order_by("pk"):
            hash_in_trail = contents.pop(str(row.public_id), None)
            rows = lists._base_manager.using(using).filter(**{field: row})
            stored = hash_of_columns(rows.values_list(*columns))
            if hash_in_trail is None:
                yield f"The {noun} {row.public_id} has no event in the trail."
            elif not hash_in_trail == stored == row.content_sha256:
                yield f"The {noun} {row.public_id} is not what was stored."
            if any(
                len({text.count("\n") for text in texts}) > 1
                for texts in rows.values_list(*columns[1:])
            ):
                yield f"The {noun} {row.public_id} has columns of different lengths."
        for public_id in contents:
            yield f"The trail knows the {noun} {public_id}, which is gone."


def _definition_findings(using):
    for model, content in [(MappingVersion, "grades"), (ProtocolVersion, "data")]:
        noun = model._meta.verbose_name
        events = Event.objects.using(using).filter(subject_type=model._meta.label_lower)
        in_trail = dict(events.order_by("id").values_list("subject_id", "after"))
        for row in model.objects.using(using).order_by("pk"):
            stored = {"key": row.key, "version": row.number, "name": row.name}
            stored[content] = getattr(row, content)
            if in_trail.pop(str(row.public_id), None) != stored:
                yield f"The {noun} {row.public_id} is not what the trail says."
        for public_id in in_trail:
            yield f"The trail knows the {noun} {public_id}, which is gone."


def _hashes_in_trail(model, using):
    """{public id: hash of the content} of those that were added and not removed."""
    contents = {}
    events = Event.objects.using(using).filter(subject_type=model._meta.label_lower)
    for subject, verb, after in events.order_by("id").values_list("subject_id", "verb", "after"):
        if verb in (Verb.ADD_RUN, Verb.ADD_RANKINGS, Verb.ADD_JUDGMENTS):
            contents[subject] = after["content"]
        elif verb in (Verb.REMOVE_RUN, Verb.REMOVE_JUDGMENTS):
            contents.pop(subject, None)
    return contents
