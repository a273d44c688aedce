"""Everything that changed a pair's ratings and decisions, in human words."""

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from annotation.models import Batch, FlagAnswer, RatingRevision
from annotation.rating.components import WORDS
from audit.models import Event
from audit.verbs import Verb
from datasets.models import Membership
from formats.decimals import printed_grade


@dataclass
class Entry:
    """One change. `before` and `after` are answers in words; `details` are (label, text)."""

    at: datetime
    person: str
    icon: str
    event: str
    before: str = ""
    after: str = ""
    reason: str = ""
    details: list[tuple[str, str]] = field(default_factory=list)


class Words:
    """Turns keys and public ids of the trail into what people called them then: an option and a
    cause have the names of the version of the scheme under which they were chosen."""

    def __init__(self, topic):
        collection, scheme = topic.collection, topic.collection.scheme
        self.facet = topic.facet
        self.versions = list(scheme.versions.all())
        scale = scheme.scale_of(topic.facet)
        self.values = {option.key: option.value for option in scale.option_list}
        self.members = {
            str(member.public_id): member.name
            for member in Membership.objects.filter(collection=collection)
        }

    def version_at(self, at):
        return next(
            (version for version in reversed(self.versions) if version.created_at <= at),
            self.versions[0],
        )

    def option(self, key, version):
        if not key:
            return ""
        words = version.words.options_for(self.facet).get(key)
        value = printed_grade(self.values[key]) if key in self.values else ""
        return f"{value} {words.name if words else key}".strip()

    def cause(self, key, at):
        return self.version_at(at).words.cause_name(key)

    def member(self, public_id):
        return self.members.get(public_id, "somebody") if public_id else "nobody"

    def rating(self, revision):
        if revision.option:
            return self.option(revision.option.key, revision.scheme_version)
        return f"Cannot judge: {revision.cannot_judge}"

    def decision(self, decision):
        if decision.option:
            return self.option(decision.option.key, self.version_at(decision.decided_at))
        return f"Excluded: {decision.exclusion_reason}"


def history(pair):
    """The events of a pair, oldest first: its ratings, decisions, seats, batch and topic."""
    words = Words(pair.topic)
    entries = [*_ratings(pair, words), *_decisions(pair, words), *_events(pair, words)]
    return sorted(entries, key=lambda entry: entry.at)


def _ratings(pair, words):
    revisions = (
        RatingRevision.objects.filter(rating__pair=pair)
        .select_related("option", "rating__annotator", "rating__seat", "saved_by", "scheme_version")
        .order_by("rating", "version")
    )
    previous = None
    for revision in revisions:
        if previous is not None and previous.rating_id != revision.rating_id:
            previous = None
        yield _rating_entry(revision, previous, words)
        previous = revision


def _rating_entry(revision, previous, words):
    author = revision.rating.annotator.name
    is_own = revision.saved_by_id == revision.rating.annotator.user_id
    entry = Entry(
        at=revision.saved_at,
        person=author if is_own or revision.saved_by is None else str(revision.saved_by),
        icon="pencil",
        event=f"rated in seat {revision.rating.seat.ordinal}"
        if is_own
        else f"brought in the rating of {author}, seat {revision.rating.seat.ordinal}",
        after=words.rating(revision),
        details=[("Scheme", f"version {revision.scheme_version.number}")],
    )
    if revision.active_seconds:
        entry.details.append(("Active time", f"{revision.active_seconds:.0f} s"))
    if previous:
        entry.icon = "rotate-ccw"
        entry.event = f"changed the rating in seat {revision.rating.seat.ordinal}"
        entry.before = words.rating(previous)
    if revision.note != (previous.note if previous else ""):
        entry.details.append(("Note", revision.note or "removed"))
    if revision.is_flagged != (previous.is_flagged if previous else False):
        entry.details.append(("Flag", "set" if revision.is_flagged else "taken back"))
    if revision.components != (previous.components if previous else []):
        entry.details.append(("Key components", _components(revision) or "removed"))
    return entry


def _components(revision):
    return "; ".join(
        f"{component['text']}: {WORDS[component['met']].lower()}"
        for component in revision.components
    )


def _decisions(pair, words):
    # Decisions are a floor above; the reverse relation is known here without importing them.
    previous = None
    rows = pair.decisions.select_related("option", "adjudicator", "superseded_by")
    for decision in rows.order_by("pk"):
        entry = Entry(decision.decided_at, decision.adjudicator.name, "scale", "decided")
        entry.after = words.decision(decision)
        if previous and not previous.reopening_reason:
            entry.event, entry.before = "changed the decision", words.decision(previous)
        if decision.cause:
            entry.details.append(("Cause", words.cause(decision.cause, decision.decided_at)))
        if decision.rationale:
            entry.details.append(("Rationale", decision.rationale))
        yield entry
        if decision.reopening_reason:
            yield Entry(
                decision.superseded_at,
                str(decision.superseded_by),
                "rotate-ccw",
                "reopened the decision",
                before=words.decision(decision),
                reason=decision.reopening_reason,
            )
        previous = decision


def _events(pair, words):
    about = Q(subject_type=pair._meta.label_lower, subject_id=str(pair.public_id))
    about |= Q(subject_type="datasets.topic", subject_id=str(pair.topic.public_id))
    ordinals = {}
    if pair.batch:
        about |= Q(subject_type="annotation.batch", subject_id=str(pair.batch.public_id))
        ordinals = {str(seat.public_id): seat.ordinal for seat in pair.batch.seats.all()}
        about |= Q(subject_type="annotation.seat", subject_id__in=list(ordinals))
    for event in Event.objects.filter(about).select_related("actor").order_by("id"):
        if read := READ.get(event.verb):
            fields = read(event, words, ordinals.get(event.subject_id))
            person = str(event.actor) if event.actor else "An import"
            yield Entry(event.at, person, *fields, reason=event.reason)


def _seat_assigned(event, words, seat):
    holder, former = (event.after or {}).get("holder"), (event.before or {}).get("holder")
    change = (words.member(former), words.member(holder)) if former else ()
    if holder:
        return "user-plus", f"gave seat {seat} to {words.member(holder)}", *change
    return "user-minus", f"freed seat {seat}", *change


def _seat_returned(event, words, seat):
    if event.after and not event.after["holder"]:
        former = words.member(event.before["holder"])
        return "undo-2", f"returned seat {seat}, so that somebody else than {former} takes it"
    return "undo-2", f"returned seat {seat} to its holder"


def _reading_waived(event, words, seat):
    member = words.member(event.after["member"])
    return "eye", f"let {member} rate in the batch, who could have read its ratings"


def _flag_answered(event, words, seat):
    label = FlagAnswer.Kind(event.after["kind"]).label
    return "flag", f"{label}, about a flag", "", event.after["text"]


def _way_changed(event, words, seat):
    ways = (Batch.Way(values["way"]).label for values in (event.before, event.after))
    return "layers", "changed the order in which the batch is rated", *ways


def _overlap_raised(event, words, seat):
    overlaps = (f"{values['overlap']} a pair" for values in (event.before, event.after))
    return "users", "asked for more ratings of the batch", *overlaps


def _first_value(event, words, seat):
    value = words.option(event.after["option"], words.version_at(event.at))
    return "eye-off", "gave a first value, before seeing the ratings", "", value


# Icon and sentence of an event, by its verb; of a change also the answers before and after it.
# Ratings and decisions are read from their own rows, which imported ones have as well.
READ = {
    Verb.GIVE_FIRST_VALUE: _first_value,
    Verb.ASSIGN_SEAT: _seat_assigned,
    Verb.HAND_IN_SEAT: lambda event, words, seat: ("hand", f"handed in seat {seat}"),
    Verb.RETURN_SEAT: _seat_returned,
    Verb.MAKE_BATCH: lambda event, words, seat: (
        "layers",
        f"put the pair into batch {event.after['name']}",
    ),
    Verb.SET_WAY: _way_changed,
    Verb.RAISE_OVERLAP: _overlap_raised,
    Verb.WAIVE_READING: _reading_waived,
    Verb.ANSWER_FLAG: _flag_answered,
    Verb.LOCK_TOPIC: lambda event, words, seat: ("lock", "locked the topic"),
    Verb.UNLOCK_TOPIC: lambda event, words, seat: ("lock-open", "unlocked the topic"),
}
