"""What the adjudicator's screens show, worked out before a template prints it."""

import hashlib
import hmac
import math
import uuid
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from adjudication.actions import decide
from adjudication.components import Comparison
from adjudication.querysets import decided_topics, queue_topics, topic_pairs
from adjudication.value_line import value_line
from annotation.models import Option, Pair, Rating
from annotation.reading.lens import candidate_lens, query_lens
from annotation.reading.texts import sentences, shown_query
from datasets.models import Membership, Query, Topic
from formats.records import PLAIN_FACET

NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]
LETTERS = "ABCDEFGHI"
SHAPES = ["round", "square", "arch"]


class Scale:
    """The options of a topic's scale in their present wording, and how far apart two values lie.

    `facet` is the topic's, or empty for what does not ask about a topic.
    """

    def __init__(self, scheme, facet, *, version=None):
        self.scheme = scheme
        self.version = version or scheme.current
        scale = scheme.scale_of(facet)
        self.options, self.values, self.is_ordinal = scale.offered, scale.values, scale.is_ordinal
        self.words = self.version.options_for(facet)

    @cached_property
    def facets(self):
        return list(self.scheme.shown_facets) if self.version.wording["facets"] else []

    @property
    def labels_facets(self):
        """Whether sentences of papers carry labels that count as facets."""
        return any(facet.sentence_labels for facet in self.facets)

    def name_of(self, key):
        """What a facet that is shown is called; empty for aspects and for plain relevance."""
        return "" if key in ("", PLAIN_FACET) else self.facet(key).get("name", "")

    def facet(self, key):
        """Name, question and definitions of a facet, or of aspects where the key is empty."""
        return self.version.words_for(key)

    @property
    def causes(self):
        return self.version.wording["causes"]

    @property
    def rule(self):
        """What goes to an adjudicator, as a sentence."""
        return self.scheme.rule_in_words

    def name(self, option):
        unnamed = "label not recorded" if option.is_import_only else option.key
        return self.words.get(option.key, {}).get("name", unnamed)

    def shortcut(self, option):
        return self.words.get(option.key, {}).get("shortcut", "")

    def definition(self, option, facet):
        return self.facet(facet).get("definitions", {}).get(option.key, "")

    def label(self, option):
        """An option in one line, such as "2 · Similar"."""
        return f"{option.value.normalize():f} · {self.name(option)}"

    def steps(self, lowest, highest):
        """How many grades two values lie apart: steps on the scale, whatever its values are."""
        return self.values.index(highest) - self.values.index(lowest)


@dataclass(frozen=True)
class Rater:
    """One rating without its author: a letter and a shape stand for them."""

    letter: str
    rating: Rating
    label: str

    @property
    def seconds(self):
        seconds = round(self.rating.active_seconds)
        return f"{seconds} s" if seconds < 100 else f"{seconds // 60} min {seconds % 60} s"

    @property
    def shape(self):
        return SHAPES[LETTERS.index(self.letter) % len(SHAPES)]

    @property
    def has_words(self):
        """They said something beside their grade."""
        return bool(self.rating.note or self.rating.cannot_judge)


def nameless(pair, user, scale):
    """The ratings of a pair as A, B and so on, in an order of the pair's own.

    The order comes from a keyed hash, so that it is the same at every look and says nothing of
    seats, names or who was first; the key never leaves the server.
    """
    key = bytes.fromhex(pair.topic.collection.pseudonym_key)

    def place(rating):
        identity = f"{pair.public_id}\x1f{rating.public_id}"
        return hmac.digest(key, identity.encode(), hashlib.sha256)

    ratings = Rating.objects.visible_to(user).filter(pair=pair).select_related("option")
    return [
        Rater(letter, rating, scale.label(rating.option) if rating.option else "Cannot judge")
        for letter, rating in zip(LETTERS, sorted(ratings, key=place), strict=False)
    ]


@dataclass(frozen=True)
class Gap:
    """How the ratings of a pair differ: the key of its filter, and a headline."""

    key: str
    words: str


def gap_of(scale, *, lowest, highest, rating_count, cannot_judge_count):
    """The gap between `rating_count` answers with these values, some of them "cannot judge"."""
    if cannot_judge_count == rating_count:
        return Gap("cannot-judge", "Nobody can judge")
    if cannot_judge_count:
        return Gap("cannot-judge", f"{NUMBERS[cannot_judge_count]} cannot judge")
    steps = scale.steps(lowest, highest)
    if steps == 0:
        return Gap("same", "The same grade")
    if not scale.is_ordinal:
        return Gap("differ", "Different grades")
    return Gap("one" if steps == 1 else "more", apart(steps))


def apart(steps):
    count = NUMBERS[steps] if steps < len(NUMBERS) else str(steps)
    return f"{count} grade apart" if steps == 1 else f"{count} grades apart"


@dataclass(frozen=True)
class Place:
    """One pair in the strip; `gap` is None while the scheme hides the ratings."""

    number: int
    pair: Pair
    gap: Gap | None
    is_current: bool

    @property
    def is_decided(self):
        return self.pair.state != Pair.State.DISPUTED

    @property
    def key(self):
        """By which the browser knows the pair."""
        return self.pair.public_id

    @property
    def address(self):
        return reverse("adjudication:decide-pair", args=[self.key])


@dataclass(frozen=True)
class Tick:
    """A place drawn in the strip, from `x` and as wide as `width`, in per cent."""

    place: Place
    x: str
    width: str


@dataclass(frozen=True)
class Filter:
    key: str
    label: str
    count: int
    is_current: bool


class Strip:
    """A topic's disputed pairs and the adjudicator's own decided ones, in one fixed order.

    `shown` limits where "next" and "previous" lead to pairs of one gap. Where the scheme hides
    the ratings there is no filter, since its counts would tell.
    """

    WORDS = {
        "same": "Same grade",
        "one": "1 apart",
        "more": "2 or more",
        "differ": "Different",
        "cannot-judge": "Cannot judge",
    }
    title = "Disputed pairs of this topic"
    noun, whole = "disputed pair", "in this topic"

    def __init__(self, *, member, topic, scale, current=None, shown=""):
        self.member, self.topic, self.scale, self.pair = member, topic, scale, current
        self.is_hidden = scale.scheme.hides_ratings
        self.shown = shown if shown in self.WORDS and not self.is_hidden else ""

    @cached_property
    def places(self):
        pairs = topic_pairs(member=self.member, topic=self.topic).select_related("document")
        return [
            Place(
                number=number,
                pair=pair,
                gap=None if self.is_hidden else self._gap(pair),
                is_current=self.pair is not None and pair.pk == self.pair.pk,
            )
            for number, pair in enumerate(
                pairs.defer("document__sentences", "document__metadata", "document__extra"), 1
            )
        ]

    def _gap(self, pair):
        return gap_of(
            self.scale,
            lowest=pair.lowest,
            highest=pair.highest,
            rating_count=pair.rating_count,
            cannot_judge_count=pair.cannot_judge_count,
        )

    @property
    def home(self):
        """Where a person goes back to, and on to once everything is decided."""
        return reverse("adjudication:queue", args=[self.topic.collection.slug])

    @property
    def show(self):
        """What the address of a pair ends with, so that the filter stays."""
        return f"?show={self.shown}" if self.shown else ""

    def address_of(self, place):
        """The address of one of its pairs, the filter kept; empty for none."""
        return f"{place.address}{self.show}" if place else ""

    @cached_property
    def current(self):
        return next((place for place in self.places if place.is_current), None)

    @property
    def decided_count(self):
        return len(self.places) - self.open_count

    @property
    def open_count(self):
        return sum(not place.is_decided for place in self.places)

    @cached_property
    def matching(self):
        """The places that the filter lets through."""
        return [p for p in self.places if not self.shown or p.gap.key == self.shown]

    @property
    def ticks(self):
        # Few pairs stand at the left in their usual width instead of filling the whole strip.
        step = 100 / max(len(self.places), 24)
        return [
            Tick(place, f"{(place.number - 0.9) * step:.2f}%", f"{0.8 * step:.2f}%")
            for place in self.places
        ]

    @property
    def filters(self):
        if self.is_hidden:
            return []
        counts = {key: sum(p.gap.key == key for p in self.places) for key in self.WORDS}
        return [
            Filter("", "All", len(self.places), not self.shown),
            *(
                Filter(key, self.WORDS[key], count, key == self.shown)
                for key, count in counts.items()
                if count or key == self.shown
            ),
        ]

    def neighbour(self, step):
        """The pair `step` places on among those shown, decided or not; None at an end."""
        here = self.current.number if self.current else 0
        if step > 0:
            return next((p for p in self.matching if p.number > here), None)
        return next((p for p in reversed(self.matching) if p.number < here), None)

    @property
    def next(self):
        return self.neighbour(1)

    @property
    def previous(self):
        return self.neighbour(-1)

    @cached_property
    def next_open(self):
        """The next undecided pair among those shown, from the start again after the last."""
        here = self.current.number if self.current else 0
        waiting = [p for p in self.matching if not p.is_decided and not p.is_current]
        return next((p for p in waiting if p.number > here), next(iter(waiting), None))


@dataclass(frozen=True)
class Choice:
    """An option to decide for, with the raters who chose it, and those who chose another option
    of the same value.
    """

    option: Option
    shortcut: str
    name: str
    definition: str
    by: list[Rater]
    alike: list[Rater]
    is_own: bool  # the adjudicator's first grade

    @property
    def is_given(self):
        """A rater gave this value; any other needs a reason."""
        return bool(self.by or self.alike)

    @property
    def value(self):
        return f"{self.option.value.normalize():f}"

    @property
    def words(self):
        return f"{self.value} · {self.name}"


class Case:
    """One disputed pair as an adjudicator has it in view; read as it is asked for, as a save
    answered to a script shows the next pair instead.
    """

    def __init__(self, *, pair, member, decision, strip, scale):
        self.pair, self.member, self.decision = pair, member, decision
        self.strip, self.scale = strip, scale
        self.is_locked = pair.topic.is_locked

    @property
    def key(self):
        """By which the browser knows the pair."""
        return self.pair.public_id

    @property
    def address(self):
        return reverse("adjudication:decide-pair", args=[self.key]) + self.strip.show

    @property
    def guidelines_address(self):
        return reverse("adjudication:guidelines", args=[self.key])

    def decide(self, *, by, **decision):
        return decide(pair=self.pair, by=by, **decision)

    @cached_property
    def first_value(self):
        return (
            self.pair.first_values.select_related("option").filter(adjudicator=self.member).first()
        )

    @cached_property
    def asks_first_value(self):
        """The scheme shows the ratings only after a first value of one's own."""
        return self.scale.scheme.hides_ratings and self.first_value is None

    @cached_property
    def raters(self):
        """None until the ratings may be shown."""
        if self.asks_first_value:
            return None
        return nameless(self.pair, self.member.user, self.scale)

    @cached_property
    def comparison(self):
        """The raters' key components side by side; None until the ratings may be shown."""
        return Comparison(self.raters) if self.raters else None

    @cached_property
    def shown(self):
        """The query that is read beside the candidate."""
        return shown_query(self.pair, facets=self.scale.facets, wording=self.scale.version.wording)

    @property
    def facet_name(self):
        return self.scale.name_of(self.pair.topic.facet)

    @property
    def question(self):
        return self.scale.facet(self.pair.topic.facet).get("question", "")

    @property
    def side_text(self):
        """The text that the pair carries beside its document, or None."""
        return getattr(self.pair, "side_text", None)

    @property
    def labelled_facet(self):
        """The name of the topic's facet where sentences may be labelled with it, else empty."""
        labelled = {facet.key for facet in self.scale.facets if facet.sentence_labels}
        return self.facet_name if self.pair.topic.facet in labelled else ""

    @property
    def query_lens(self):
        return query_lens(self.shown, self.labelled_facet)

    @property
    def candidate_lens(self):
        read = sentences(
            self.pair.document,
            facets=self.scale.facets,
            wording=self.scale.version.wording,
            marked=self.pair.topic.facet,
        )
        return candidate_lens(read, self.shown, self.labelled_facet)

    @property
    def choices(self):
        placed = [rater for rater in self.raters or [] if rater.rating.option]
        return [
            Choice(
                option=option,
                shortcut=self.scale.shortcut(option),
                name=self.scale.name(option),
                definition=self.scale.definition(option, self.pair.topic.facet),
                by=[rater for rater in placed if rater.rating.option == option],
                alike=[
                    rater
                    for rater in placed
                    if rater.rating.option != option and rater.rating.option.value == option.value
                ],
                is_own=self.raters is not None
                and self.first_value is not None
                and self.first_value.option_id == option.pk,
            )
            for option in self.scale.options
        ]

    @cached_property
    def gap(self):
        if self.raters is None:
            return None
        values = [rater.rating.option.value for rater in self.raters if rater.rating.option]
        return gap_of(
            self.scale,
            lowest=min(values, default=None),
            highest=max(values, default=None),
            rating_count=len(self.raters),
            cannot_judge_count=len(self.raters) - len(values),
        )

    def words(self, decision):
        """A decision in one line: "2 · Similar", or that the pair is left out."""
        return self.scale.label(decision.option) if decision.option else "Left out"

    @property
    def decision_words(self):
        return self.words(self.decision) if self.decision else ""

    @property
    def save_id(self):
        """The save's UUID in a page without script, the same until another decision is made.

        So a double click and a reload send the same save; a script makes its own.
        """
        identity = f"{self.pair.public_id}:{self.member.public_id}:{self.pair.decisions.count()}"
        digest = salted_hmac("adjudication.save_id", identity, algorithm="sha256").digest()
        return uuid.UUID(bytes=digest[:16], version=4)

    @property
    def own_value(self):
        """The first grade that the adjudicator gave before they saw the ratings, or None."""
        if self.raters is None or not self.first_value:
            return None
        return self.first_value.option.value

    @property
    def line(self):
        return value_line(
            self.scale.values, self.raters, self.own_value, is_ordinal=self.scale.is_ordinal
        )


def query_of(topic):
    """The query at the topic's first place, with its document."""
    places = topic.places.all()
    if "places" not in getattr(topic, "_prefetched_objects_cache", {}):
        places = places.select_related("query__document")
    return min(places, key=lambda place: (place.position, place.pk)).query


@dataclass(frozen=True)
class Row:
    """A topic on the queue's page; `widest` is empty where it would tell what is hidden."""

    topic: Topic
    query: Query
    facet_name: str
    widest: str
    decided_count: int
    holder: Membership | None
    minutes_left: int

    @property
    def title(self):
        """What is judged: an aspect, or the query itself under a facet."""
        return self.topic.text or str(self.query)

    @property
    def waiting_count(self):
        return getattr(self.topic, "disputed_count", 0)


def rows(member):
    """The topics with disputes for an adjudicator, and those where only their decisions stand."""
    waiting, decided = queue_topics(member=member), decided_topics(member=member)
    if not waiting and not decided:
        return [], []
    scheme = member.collection.scheme
    version = scheme.current
    decided_counts = {topic.pk: topic.decided_count for topic in decided}
    seen = {topic.pk for topic in waiting}

    def row(topic):
        scale = Scale(scheme, topic.facet, version=version)
        widest = getattr(topic, "widest", None)
        if scheme.hides_ratings or not widest or widest[0] == widest[1] or not scale.is_ordinal:
            widest = None
        hold = getattr(topic, "hold", None)
        seconds = (hold.until - timezone.now()).total_seconds() if hold else 0
        return Row(
            topic=topic,
            query=query_of(topic),
            facet_name=scale.name_of(topic.facet),
            widest=apart(scale.steps(*widest)) if widest else "",
            decided_count=decided_counts.get(topic.pk, 0),
            holder=hold.adjudicator if seconds > 0 else None,
            minutes_left=math.ceil(seconds / 60),
        )

    return [row(t) for t in waiting], [row(t) for t in decided if t.pk not in seen]


def next_topic(member, *, after):
    """The topic with disputes that comes after another, or from the start again; else None.

    One that another adjudicator has open is passed over. With samples most topics have few
    disputes, and nobody wants to come back here after each.
    """
    now = timezone.now()
    waiting = [
        topic
        for topic in queue_topics(member=member)
        if not _is_open_elsewhere(getattr(topic, "hold", None), member, now)
    ]
    place = (after.position, after.pk)
    waiting.sort(key=lambda topic: (topic.position, topic.pk) <= place)
    return next(iter(waiting), None)


def _is_open_elsewhere(hold, member, now):
    return hold is not None and hold.until > now and hold.adjudicator_id != member.pk
