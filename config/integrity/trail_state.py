"""What the events of the trail say of everything but ratings, to be compared with the rows."""

from collections import defaultdict
from datetime import timedelta

from annotation.models import Seat
from audit.models import Event
from audit.verbs import Verb

RATING_VERBS = [Verb.RATE, Verb.CHANGE_RATING]
ROWS_AT_ONCE = 2_000
# Rows of one transaction are not written at the very same moment.
OF_ONE_TRANSACTION = timedelta(minutes=1)


def is_near(moment, other):
    return abs(moment - other) < OF_ONE_TRANSACTION


def is_of(event, account, moment):
    """Whether an event was caused by this account, by its key, at about this moment."""
    return event.actor_id == account and is_near(event.at, moment)


class TrailState:
    """The state that the events describe, without the ratings."""

    def __init__(self, using):
        self.oddities = []
        self.batches = {}  # public id: after of its making, kept up to date
        self.holders = {}  # public id of a seat: of its holder, or None
        self.first_holders = {}  # public id of a seat: of whom an import gave it to, or None
        self.tenures = {}  # (seat, member), by public ids: when it began
        self.handed_in = {}  # public id of a seat: when, None where it was returned
        self.judged = []  # (seat, texts)
        self.decisions = {}  # public id: (event, how it ended: None or an event)
        self.first_values = {}  # (pair, account): key of the option
        self.waivers = {}  # public id: event
        self.flag_answers = {}  # public id: event
        self.wording = {}  # (collection, version): hash; None where it was not traced yet
        # Public id of a collection: details and settings. Earlier trails named those that changed.
        self.collections = defaultdict(dict)
        self.schemes = {}  # collection: after of its making and of changed rules
        # Public id of a query: hash of its pool. Earlier trails had none.
        self.pools = {}
        self.locked = {}  # public id of a topic: whether it is
        self.roles = {}  # public id of a member: roles, None where removed
        # Public id of a member: the account's public id, or its key where it joined itself.
        self.accounts = {}
        self.role_changes = defaultdict(list)  # public id of a member: moments
        self.imported = {}  # public id of an import: what its event says it brought
        self.imports = {}  # public id of an import that brought answers or scores: evidence
        self.late_answers = set()  # ratings that began here, in a batch that came with an import
        imported_seats = {
            str(seat)
            for seat in Seat.objects.using(using)
            .filter(batch__imported__isnull=False)
            .values_list("public_id", flat=True)
        }
        events = Event.objects.using(using).order_by("id")
        for event in events.exclude(verb__in=RATING_VERBS).iterator(chunk_size=ROWS_AT_ONCE):
            try:
                self._listen(event)
            except (KeyError, TypeError):
                self.oddities.append(f"Event {event.id} does not say what “{event.verb}” says.")
        if imported_seats:
            firsts = events.filter(verb=Verb.RATE).values_list("after", flat=True)
            for after in firsts.iterator(chunk_size=ROWS_AT_ONCE):
                if after["seat"] in imported_seats:
                    self.late_answers.add(after["rating"])

    def _listen(self, event):
        after, before, subject = event.after or {}, event.before or {}, event.subject_id
        collection = str(event.collection)
        match event.verb:
            case Verb.MAKE_BATCH:
                self.batches[subject] = {"drawn": None, **after}
            case Verb.RAISE_OVERLAP:
                self.batches.setdefault(subject, {})["overlap"] = after["overlap"]
            case Verb.SET_WAY:
                self.batches.setdefault(subject, {})["way"] = after["way"]
            case Verb.ASSIGN_SEAT:
                self.holders[subject] = after["holder"]
                first = self.first_holders.setdefault(subject, before["holder"])
                if after["holder"] not in (None, first):
                    self.tenures.setdefault((subject, after["holder"]), event.at)
            case Verb.HAND_IN_SEAT:
                self.handed_in[subject] = event.at
                if "texts" in after:
                    self.judged.append((subject, after["texts"]))
            case Verb.RETURN_SEAT:
                self.handed_in[subject] = None
                if after:  # the seat becomes free, since its holder could read the batch
                    self.holders[subject] = after["holder"]
                    self.first_holders.setdefault(subject, before["holder"])
            case Verb.DECIDE | Verb.CHANGE_DECISION:
                if event.verb == Verb.CHANGE_DECISION:
                    self._end(before["decision"], event)
                if after["decision"] in self.decisions:
                    self.oddities.append(f"Decision {after['decision']} was made twice.")
                self.decisions[after["decision"]] = (event, None)
            case Verb.REOPEN:
                self._end(before["decision"], event)
            case Verb.GIVE_FIRST_VALUE:
                self.first_values[subject, event.actor_id] = after["option"]
            case Verb.WAIVE_READING:
                self.waivers[after["waiver"]] = event
            case Verb.ANSWER_FLAG:
                self.flag_answers[after["answer"]] = event
            case (
                Verb.CREATE_COLLECTION
                | Verb.CHANGE_DETAILS
                | Verb.CHANGE_SIGN_IN_RULES
                | Verb.CHANGE_SCORING_GUARD
                | Verb.CHANGE_PROGRAMS
            ):
                self.collections[subject].update(after)
            case Verb.CREATE_SCHEME | Verb.WRITE_SCHEME:
                self.schemes[collection] = dict(after)
                self.wording[collection, after.get("version", 1)] = after.get("wording")
            case Verb.EDIT_SCHEME:
                self.wording[collection, after["version"]] = after.get("wording")
            case Verb.CHANGE_RULES:
                self.schemes.setdefault(collection, {}).update(after)
            case Verb.WRITE_QUERY | Verb.ADD_TO_POOL | Verb.REMOVE_FROM_POOL:
                if "pool" in after:
                    self.pools[subject] = after["pool"]
            case Verb.REMOVE_QUERY:
                self.pools.pop(subject, None)
            case Verb.LOCK_TOPIC | Verb.UNLOCK_TOPIC:
                self.locked[subject] = event.verb == Verb.LOCK_TOPIC
            case Verb.ACCEPT_INVITATION | Verb.SET_ROLES | Verb.LINK_MEMBER | Verb.REMOVE_MEMBER:
                self.roles[subject] = after.get("roles")
                if event.verb == Verb.ACCEPT_INVITATION:
                    self.accounts[subject] = event.actor_id
                elif "account" in after:
                    self.accounts[subject] = after["account"]
                self.role_changes[subject].append(event.at)
            case Verb.IMPORT:
                self.imported[subject] = after
                self.pools |= after.get("pools", {})
                if "evidence" in after:
                    self.imports[subject] = after["evidence"]

    def _end(self, decision, event):
        # An imported decision has no event of its own; its end has.
        began, _ = self.decisions.get(decision, (None, None))
        self.decisions[decision] = (began, event)
