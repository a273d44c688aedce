"""The trail replayed: each event is compared with the rows, field by field.

Ratings and events are read side by side, each once and in the order in which they were written, so
that half a million need no more memory than a few.
"""

from collections import defaultdict
from decimal import Decimal, InvalidOperation

from django.db.models import Count, F, Max

from adjudication.models import Decision
from annotation.models import (
    Batch,
    Pair,
    Rating,
    RatingRevision,
    Scheme,
    SchemeVersion,
    Seat,
    Tenure,
)
from annotation.reading.text_hashes import ANSWER_FIELDS, SEAT_FIELDS, judged_texts
from audit.models import Event
from datasets.models import Membership, Topic
from imports.evidence import DECISION_FIELDS, RowsHash

RATING_VERBS = ["rate", "change rating"]
ROWS_AT_ONCE = 2_000
SECONDS = Decimal("0.1")  # as precise as the column


def replay_findings(using):
    """Yield a sentence wherever the trail and the rows differ."""
    trail = TrailState(using)
    yield from trail.oddities
    yield from _answers(trail, using)
    yield from _rating_rows(using)
    yield from _decisions(trail, using)
    yield from _batches(trail, using)
    yield from _seats(trail, using)
    yield from _texts_judged(trail, using)
    yield from _schemes(trail, using)
    yield from _topics(trail, using)
    yield from _roles(trail, using)


class TrailState:
    """The state that the events describe, without the ratings."""

    def __init__(self, using):
        self.oddities = []
        self.batches = {}  # public id: after of its making, kept up to date
        self.raised = {}  # public id of a batch: the overlap it began with
        self.holders = {}  # public id of a seat: of its holder, or None
        self.tenures = set()  # (seat, member), by public ids
        self.handed_in = {}  # public id of a seat: whether it is
        self.judged = []  # (seat, texts)
        self.decisions = {}  # public id: (event, how it ended: None or an event)
        self.wording = {}  # (collection, version): hash
        self.schemes = {}  # collection: after of its making and of changed rules
        self.locked = {}  # public id of a topic: whether it is
        self.roles = {}  # public id of a member: roles, None where removed
        self.imports = {}  # public id of an import: evidence
        self.late_answers = set()  # ratings that began here, in a batch that came with an import
        imported_seats = {
            str(seat)
            for seat in Seat.objects.using(using)
            .filter(batch__imported__isnull=False)
            .values_list("public_id", flat=True)
        }
        events = Event.objects.using(using).order_by("id")
        for event in events.exclude(verb__in=RATING_VERBS).iterator(chunk_size=ROWS_AT_ONCE):
            self._listen(event)
        if imported_seats:
            firsts = events.filter(verb="rate").values_list("after", flat=True)
            for after in firsts.iterator(chunk_size=ROWS_AT_ONCE):
                if after["seat"] in imported_seats:
                    self.late_answers.add(after["rating"])

    def _listen(self, event):
        after, before, subject = event.after or {}, event.before or {}, event.subject_id
        collection = str(event.collection)
        match event.verb:
            case "make batch":
                self.batches[subject] = {"drawn": None, **after}
            case "raise overlap":
                self.raised.setdefault(subject, before["overlap"])
                self.batches.setdefault(subject, {})["overlap"] = after["overlap"]
            case "set way":
                self.batches.setdefault(subject, {})["way"] = after["way"]
            case "assign seat":
                self.holders[subject] = after["holder"]
                if after["holder"]:
                    self.tenures.add((subject, after["holder"]))
            case "hand in seat":
                self.handed_in[subject] = True
                if "texts" in after:
                    self.judged.append((subject, after["texts"]))
            case "return seat":
                self.handed_in[subject] = False
                if after:  # the seat becomes free, since its holder could read the batch
                    self.holders[subject] = after["holder"]
            case "decide" | "change decision":
                if event.verb == "change decision":
                    self._end(before["decision"], event)
                if after["decision"] in self.decisions:
                    self.oddities.append(f"Decision {after['decision']} was made twice.")
                self.decisions[after["decision"]] = (event, None)
            case "reopen":
                self._end(before["decision"], event)
            case "create scheme" | "write scheme":
                self.schemes[collection] = dict(after)
                if "wording" in after:
                    self.wording[collection, after.get("version", 1)] = after["wording"]
            case "edit scheme":
                if "wording" in after:
                    self.wording[collection, after["version"]] = after["wording"]
            case "change rules":
                self.schemes.setdefault(collection, {}).update(after)
            case "lock topic" | "unlock topic":
                self.locked[subject] = event.verb == "lock topic"
            case "accept invitation" | "set roles" | "link member":
                self.roles[subject] = after["roles"]
            case "remove member":
                self.roles[subject] = None
            case "import":
                if "evidence" in after:
                    self.imports[subject] = after["evidence"]

    def _end(self, decision, event):
        # An imported decision has no event of its own; its end has.
        began, _ = self.decisions.get(decision, (None, None))
        self.decisions[decision] = (began, event)


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
                yield from self._take(left, self.waiting_left, self.waiting_right, False)
            if right is not None:
                yield from self._take(right, self.waiting_right, self.waiting_left, True)
            left, right = next(lefts, None), next(rights, None)

    def _take(self, item, mine, others, is_right):
        key, value = item
        if key in others:
            other = others.pop(key)
            yield (other, value) if is_right else (value, other)
        elif key in mine:
            self.doubled.append(key)
        else:
            mine[key] = value


def _answers(trail, using):
    """Every revision is what its event says, and every event has its revision."""
    by_import = defaultdict(RowsHash)
    revisions = RatingRevision.objects.using(using).order_by("pk")
    rows = revisions.values_list(
        *ANSWER_FIELDS,
        "saved_by",
        "rating__seat__batch__imported__public_id",
    ).iterator(chunk_size=ROWS_AT_ONCE)

    def answered():
        for *answer, saved_by, imported in rows:
            rating, version = str(answer[0]), answer[1]
            if imported and version == 1 and rating not in trail.late_answers:
                by_import[str(imported)].add(answer)
            else:
                yield (rating, version), (answer, saved_by)

    events = Event.objects.using(using).filter(verb__in=RATING_VERBS).order_by("id")
    traced = (
        ((after["rating"], after["version"]), (subject, actor, verb, after))
        for subject, actor, verb, after in events.values_list(
            "subject_id", "actor", "verb", "after"
        ).iterator(chunk_size=ROWS_AT_ONCE)
    )
    merge = _Merge(answered(), traced)
    for (answer, saved_by), (subject, actor, verb, after) in merge.pairs():
        odd = _differences(answer, subject, after)
        if actor != saved_by:
            odd.append("saved_by")
        if (verb == "rate") != (after["version"] == 1):
            odd.append("version")
        if odd:
            yield (
                f"Revision {answer[1]} of rating {answer[0]} is not what the trail says "
                f"({', '.join(odd)})."
            )
    for rating, version in merge.doubled:
        yield f"Revision {version} of rating {rating} has two events in the trail."
    for rating, version in merge.waiting_left:
        yield f"Revision {version} of rating {rating} has 0 events in the trail."
    for rating, version in merge.waiting_right:
        yield f"The trail knows revision {version} of rating {rating}, which is gone."
    for imported, evidence in trail.imports.items():
        if by_import[imported].sha256 != evidence["ratings"]:
            yield f"The ratings of import {imported} are not those that it brought."


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


def _same(name, stored, in_event):
    if name == "seat":
        return str(stored) == in_event
    if name == "active_seconds":
        try:
            return stored == Decimal(in_event).quantize(SECONDS)
        except InvalidOperation:
            return False
    return stored == in_event


def _rating_rows(using):
    """A rating is its last revision, and has all before it."""
    ratings = Rating.objects.using(using)
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


def _decisions(trail, using):
    by_import = defaultdict(RowsHash)
    decided = dict(trail.decisions)
    rows = Decision.objects.using(using).order_by("pk")
    for *row, user, superseded_at, superseded_by, reason, imported in rows.values_list(
        *DECISION_FIELDS,
        *("adjudicator__user", "superseded_at", "superseded_by", "reopening_reason"),
        "pair__batch__imported__public_id",
    ).iterator(chunk_size=ROWS_AT_ONCE):
        public_id = str(row[0])
        began, ended = decided.pop(public_id, (None, None))
        if began is None:
            if imported is None:
                yield f"Decision {public_id} has 0 events in the trail."
                continue
            by_import[str(imported)].add(row)
        else:
            in_event = [began.after[name] for name in DECISION_FIELDS[3:] if name != "option__key"]
            in_event = [began.subject_id, began.after["option"], *in_event]
            # A decision that an import brought names its adjudicator, who may have no account.
            decider = began.after.get("adjudicator", began.actor_id)
            decided_by = str(row[2]) if "adjudicator" in began.after else user
            if [*in_event, decider] != [str(row[1]), *row[3:], decided_by]:
                yield f"Decision {public_id} is not what the trail says."
        if (ended is None) != (superseded_at is None):
            yield f"Decision {public_id} stands where the trail has ended it, or the reverse."
        elif ended and (superseded_by, reason) != (ended.actor_id, ended.reason):
            yield f"Decision {public_id} was not ended as the trail says."
    for public_id in decided:
        yield f"The trail knows decision {public_id}, which is gone."
    for imported, evidence in trail.imports.items():
        if by_import[imported].sha256 != evidence["decisions"]:
            yield f"The decisions of import {imported} are not those that it brought."


def _batches(trail, using):
    pairs = dict(
        Pair.including_inactive.using(using)
        .filter(batch__isnull=False)
        .order_by()
        .values_list("batch")
        .annotate(Count("pk"))
    )
    events = dict(trail.batches)
    for row in Batch.including_inactive.using(using).values(
        "pk", "public_id", "name", "overlap", "way", "drawn", "imported"
    ):
        event = events.pop(str(row["public_id"]), None)
        if row["imported"] is None and (event is None or "name" not in event):
            yield f"Batch {row['pk']} has no event in the trail."
            continue
        row["pairs"] = pairs.get(row["pk"], 0)
        for name in ("name", "overlap", "way", "pairs", "drawn"):
            if event and name in event and event[name] != row[name]:
                yield f"Batch {row['pk']} has {name} {row[name]!r}; the trail says {event[name]!r}."
    for public_id in events:
        yield f"The trail knows batch {public_id}, which is gone."


def _seats(trail, using):
    """The holders of each seat, present and past, and the seats that are handed in."""
    by_import = defaultdict(RowsHash)
    tenures = set(trail.tenures)
    rows = Tenure.objects.using(using).order_by("pk")
    for *row, imported in rows.values_list(*SEAT_FIELDS, "batch__imported__public_id").iterator():
        tenure = str(row[2]), str(row[5])
        if tenure in tenures:
            tenures.remove(tenure)
        elif imported:
            by_import[str(imported)].add(row)
        else:
            yield f"A tenure gives seat {tenure[0]} to member {tenure[1]}; the trail does not."
    for seat, member in tenures:
        yield f"The trail gave seat {seat} to member {member}, and no tenure says so."
    for imported, evidence in trail.imports.items():
        if by_import[imported].sha256 != evidence["seats"]:
            yield f"The seats of import {imported} are not those that it brought."
    handed_in = dict(trail.handed_in)
    holders = dict(trail.holders)
    for public_id, holder, handed_in_at, imported in (
        Seat.objects.using(using)
        .values_list("public_id", "holder__public_id", "handed_in_at", "batch__imported")
        .iterator()
    ):
        seat = str(public_id)
        is_said = handed_in.pop(seat, imported is not None and handed_in_at is not None)
        if is_said != (handed_in_at is not None):
            yield f"Seat {seat} is handed in where the trail says it is not, or the reverse."
        said_holder = holders.pop(seat, str(holder) if imported and holder else None)
        if said_holder != (str(holder) if holder else None):
            yield f"Seat {seat} is held by {holder or 'nobody'}; the trail says {said_holder}."
    for seat in holders.keys() | handed_in.keys():
        yield f"The trail knows seat {seat}, which is gone."


def _texts_judged(trail, using):
    """Compare the texts of handed-in seats with the texts that were read."""
    seats = Seat.objects.using(using).values_list("public_id", "batch")
    batch_of = {str(seat): batch for seat, batch in seats}
    by_batch = defaultdict(list)
    for seat, texts in trail.judged:
        if seat in batch_of:
            by_batch[batch_of[seat]].append(texts)
    batches = Batch.including_inactive.using(using).filter(imported__isnull=False)
    imported = {str(public_id): pk for public_id, pk in batches.values_list("public_id", "pk")}
    for evidence in trail.imports.values():
        for public_id, texts in evidence["texts"].items():
            if public_id in imported:
                by_batch[imported[public_id]].append(texts)
            else:
                yield f"The trail knows batch {public_id}, which is gone."
    for batch, hashes in by_batch.items():
        now = judged_texts(batch, using)
        if any(texts["pairs"] != now["pairs"] for texts in hashes):
            yield f"The texts of the pairs of batch {batch} are not those that were rated."
        queries = {name: sha256 for texts in hashes for name, sha256 in texts["queries"].items()}
        changed = [name for name, sha256 in queries.items() if now["queries"].get(name) != sha256]
        if changed:
            yield (
                f"The text of query {', '.join(changed)} is not the one under which batch {batch} "
                "was rated."
            )


def _schemes(trail, using):
    for scheme in Scheme.objects.using(using).select_related("collection"):
        collection = str(scheme.collection.public_id)
        rules = trail.schemes.get(collection)
        if rules is None:
            yield f"The scheme of collection {collection} has no event in the trail."
            continue
        scales = {scale.facet: scale for scale in scheme.scales.all()}
        options = {facet: {} for facet in scales}
        for facet, key, value in scheme.options.values_list("scale__facet", "key", "value"):
            options[facet][key] = f"{value:.3f}"
        of_scales = {
            "rule_distance": {facet: scale.distance for facet, scale in scales.items()},
            "is_ordinal": {facet: scale.is_ordinal for facet, scale in scales.items()},
            "options": options,
        }
        rows = {
            "rule": scheme.rule,
            "overlap": scheme.overlap,
            "hides_ratings": scheme.hides_ratings,
            "facets": {facet.key: facet.sentence_labels for facet in scheme.facets.all()},
            # A shared scale stands for itself, scales of facets stand by their facet.
            **{name: by_facet.get("", by_facet) for name, by_facet in of_scales.items()},
        }
        if "rule_distance" in rules:
            rules = rules | {"rule_distance": _decimals(rules["rule_distance"])}
        for name, value in rows.items():
            if name in rules and rules[name] != value:
                yield f"The scheme of collection {collection} has other {name} than the trail says."
    wording = dict(trail.wording)
    for collection, number, sha256 in SchemeVersion.objects.using(using).values_list(
        "scheme__collection__public_id", "number", "wording_sha256"
    ):
        if wording.pop((str(collection), number), sha256) != sha256:
            yield f"Version {number} of the scheme of {collection} is not the one that was saved."
    for collection, number in wording:
        yield f"The trail knows version {number} of the scheme of {collection}, which is gone."


def _decimals(distance):
    if isinstance(distance, dict):
        return {facet: _decimals(of_facet) for facet, of_facet in distance.items()}
    return None if distance is None else Decimal(distance)


def _topics(trail, using):
    locked = {
        str(public_id)
        for public_id in Topic.including_inactive.using(using)
        .filter(locked_at__isnull=False)
        .values_list("public_id", flat=True)
    }
    locked_in_trail = {topic for topic, is_locked in trail.locked.items() if is_locked}
    for topic in locked ^ locked_in_trail:
        yield f"Topic {topic} is locked where the trail says it is not, or the reverse."


def _roles(trail, using):
    names = ("annotator", "adjudicator", "lead")
    for public_id, removed_at, *role_flags in Membership.objects.using(using).values_list(
        "public_id", "removed_at", *(f"is_{name}" for name in names)
    ):
        if str(public_id) not in trail.roles:
            continue
        roles_in_trail = trail.roles[str(public_id)]
        roles = [name for name, has in zip(names, role_flags, strict=True) if has]
        if (roles_in_trail is None) != (removed_at is not None) or (
            roles_in_trail and sorted(roles_in_trail) != sorted(roles)
        ):
            yield f"Member {public_id} has other roles than the trail says."
