"""Revisions of ratings compared with their events in the trail.

Both are read side by side, each once and in the order in which they were written, so that half a
million need no more memory than a few.
"""

from collections import defaultdict
from decimal import Decimal, InvalidOperation

from django.db.models import Count, F, Max

from annotation.models import Rating, RatingRevision
from annotation.reading.text_hashes import ANSWER_FIELDS, in_words
from audit.models import Event
from audit.verbs import Verb
from config.integrity.trail_state import RATING_VERBS, ROWS_AT_ONCE, is_near
from datasets.models import Import
from imports.evidence import RowsHash

SECONDS = Decimal("0.1")  # as precise as the column


class _Merge:
    """Pairs two streams by key, whichever comes first; keeps only what still waits."""

    def __init__(self, lefts, rights):
        self.lefts, self.rights = lefts, rights
        self.waiting_left, self.waiting_right = {}, {}
        self.doubled = []

    def pairs(self):
        lefts, rights = iter(self.lefts), iter(self.rights)
        left, right = next(lefts, None), next(rights, None)
        while left is not None or right is not None:
            if left is not None:
                yield from self._take(left, is_right=False)
            if right is not None:
                yield from self._take(right, is_right=True)
            left, right = next(lefts, None), next(rights, None)

    def _take(self, item, *, is_right):
        """Pair an item with the one of the other stream, or let it wait for that."""
        key, value = item
        waiting = [self.waiting_left, self.waiting_right]
        of_this_stream, of_the_other = waiting[is_right], waiting[not is_right]
        if key in of_the_other:
            counterpart = of_the_other.pop(key)
            yield (counterpart, value) if is_right else (value, counterpart)
        elif key in of_this_stream:
            self.doubled.append(key)
        else:
            of_this_stream[key] = value


def answer_findings(trail, using):
    """Every revision is what its event says, and every event has its revision."""
    by_import = defaultdict(RowsHash)
    revisions = RatingRevision.objects.using(using).order_by("pk")
    rows = revisions.values_list(
        *ANSWER_FIELDS,
        *SENDER_NAMES.values(),
        *("saved_at", "rating__created_at"),
        "rating__seat__batch__imported__public_id",
    ).iterator(chunk_size=ROWS_AT_ONCE)

    def answered():
        for *row, saved_at, created_at, imported in rows:
            answer, sender = row[: len(ANSWER_FIELDS)], row[len(ANSWER_FIELDS) :]
            rating, version = str(answer[0]), answer[1]
            if imported and version == 1 and rating not in trail.late_answers:
                by_import[str(imported)].add(answer)
            else:
                moments = [saved_at, created_at] if version == 1 else [saved_at]
                yield (rating, version), (answer, sender, moments)

    events = Event.objects.using(using).filter(verb__in=RATING_VERBS).order_by("id")
    traced = (
        ((after["rating"], after["version"]), (subject, actor, verb, after, at))
        for subject, actor, verb, after, at in events.values_list(
            "subject_id", "actor", "verb", "after", "at"
        ).iterator(chunk_size=ROWS_AT_ONCE)
    )
    merge = _Merge(answered(), traced)
    for (answer, sender, moments), (subject, actor, verb, after, at) in merge.pairs():
        differences = _differences(answer, subject, after)
        differences += _differences_of_sender(sender, actor, after, author=answer[AUTHOR])
        if (verb == Verb.RATE) != (after["version"] == 1):
            differences.append("version")
        if not all(is_near(moment, at) for moment in moments):
            differences.append("time")
        if differences:
            yield (
                f"Revision {answer[1]} of rating {answer[0]} is not what the trail says "
                f"({', '.join(differences)})."
            )
    yield from _unmatched(merge)
    for imported, evidence in trail.imports.items():
        if by_import[imported].sha256 != evidence["ratings"]:
            yield f"The ratings of import {imported} are not those that it brought."


def _unmatched(merge):
    for rating, version in merge.doubled:
        yield f"Revision {version} of rating {rating} has two events in the trail."
    for rating, version in merge.waiting_left:
        yield f"Revision {version} of rating {rating} has 0 events in the trail."
    for rating, version in merge.waiting_right:
        yield f"The trail knows revision {version} of rating {rating}, which is gone."


# Who sent a revision: the account, that of the rating's author, and the token of a program.
SENDER_NAMES = {
    "saved_by": "saved_by",
    "annotator": "rating__annotator__user",
    "token": "program_save__token__public_id",
}
# Of a rating that an import brought to a stored batch the event names its author.
AUTHOR = ANSWER_FIELDS.index("rating__annotator__public_id")
# Names of what events say of an answer, as it stands in ANSWER_FIELDS.
ANSWER_NAMES = {
    "seat": "rating__seat__public_id",
    "position": "rating__position",
    "option": "option__key",
    "cannot_judge": "cannot_judge",
    "note": "note",
    "is_flagged": "is_flagged",
    "components": "components",
    "active_seconds": "active_seconds",
    "scheme_version": "scheme_version__number",
}


def _differences(answer, subject, after):
    """Names of the fields in which a revision is not what its event says.

    Events that were written before a field was traced do not have it.
    """
    row = dict(zip(ANSWER_FIELDS, answer, strict=True))
    odd = [] if str(row["rating__pair__public_id"]) == subject else ["pair"]
    for name, field in ANSWER_NAMES.items():
        if name in after and not _same(name, row[field], after[name]):
            odd.append(name)
    return odd


def _differences_of_sender(sender, actor, after, *, author):
    annotator = actor
    if "annotator" in after:
        sender, annotator = [sender[0], author, sender[2]], after["annotator"]
    in_event = (actor, annotator, after.get("token"))
    return [
        name
        for name, stored, expected in zip(SENDER_NAMES, in_words(sender), in_event, strict=True)
        if stored != expected
    ]


def _same(name, stored, in_event):
    if name == "seat":
        return str(stored) == in_event
    if name == "active_seconds":
        try:
            return stored == Decimal(in_event).quantize(SECONDS)
        except InvalidOperation:
            return False
    return stored == in_event


def rating_findings(using):
    """A rating is its last revision, and has all before it; an import that is being written brings
    ratings first and their revisions after them."""
    ratings = Rating.objects.using(using).exclude(
        seat__batch__imported__state=Import.State.INACTIVE
    )
    counted = ratings.annotate(count=Count("revisions"), last=Max("revisions__version"))
    for pk, version in counted.exclude(count=F("version"), last=F("version")).values_list(
        "pk", "version"
    ):
        yield f"Rating {pk} is at version {version} without all revisions."
    last = RatingRevision.objects.using(using).filter(version=F("rating__version"))
    fields = [
        *("option", "cannot_judge", "note", "is_flagged", "active_seconds", "components"),
        "scheme_version",
    ]
    of_rating = [f"rating__{field}" for field in fields]
    for pk, *both in last.values_list("rating", *fields, *of_rating).iterator(
        chunk_size=ROWS_AT_ONCE
    ):
        if both[: len(fields)] != both[len(fields) :]:
            yield f"Rating {pk} is not what its last revision says."
