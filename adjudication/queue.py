"""The adjudicator's queue: topics with disputes, and their pairs as cases."""

import math
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse

from adjudication.actions import decide
from adjudication.case import PairInView
from adjudication.gaps import Gap, apart, gap_of
from adjudication.querysets import decided_topics, queue_topics, topic_pairs
from adjudication.raters import nameless
from adjudication.scale import Scale
from adjudication.strip import Place, Strip
from annotation.models import Pair
from datasets.models import Membership, Query, Topic

ROUTE = "adjudication:decide-pair"


def queue_place(number: int, pair: Pair, gap: Gap | None, *, current: Pair | None) -> Place:
    is_decided = pair.state != Pair.State.DISPUTED
    return Place(number, pair, pair.public_id, ROUTE, is_decided, pair == current, gap)


def topic_strip(*, member, topic, scale, current=None, gap_key=""):
    """A topic's disputed pairs and the adjudicator's own decided ones."""
    is_hidden = scale.scheme.hides_ratings

    def gap(pair):
        return gap_of(
            scale,
            lowest=pair.lowest,
            highest=pair.highest,
            rating_count=pair.rating_count,
            cannot_judge_count=pair.cannot_judge_count,
        )

    def read():
        pairs = topic_pairs(member=member, topic=topic).select_related("document")
        return [
            queue_place(number, pair, None if is_hidden else gap(pair), current=current)
            for number, pair in enumerate(
                pairs.defer("document__sentences", "document__metadata", "document__extra"), 1
            )
        ]

    return Strip(
        read_places=read,
        home=reverse("adjudication:queue", args=[topic.collection.slug]),
        beyond=reverse("adjudication:queue", args=[topic.collection.slug])
        + f"?after={topic.public_id}",
        title="Disputed pairs of this topic",
        noun="disputed pair",
        scope="in this topic",
        is_hidden=is_hidden,
        gap_key=gap_key,
    )


class QueueCase(PairInView):
    """A disputed pair, with the ratings side by side."""

    audit = None

    @property
    def key(self):
        """The browser's name for the pair."""
        return self.pair.public_id

    @property
    def address(self):
        return reverse(ROUTE, args=[self.key]) + self.strip.show

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

    @property
    def reopened(self):
        """The decision that a lead reopened, until there is another; with the ratings, not before
        them: a reason may tell what was decided."""
        if self.decision or self.asks_first_value or not self.decisions:
            return None
        last = self.decisions[-1]
        return last if last.reopening_reason else None

    @property
    def reopened_words(self):
        """What this adjudicator had decided, where the reopened decision was theirs."""
        is_theirs = self.reopened and self.reopened.adjudicator_id == self.member.pk
        return self.words(self.reopened) if is_theirs else ""


def query_of(topic):
    """The query at the first place of a topic that came with its places (`queue_topics`)."""
    return topic.places.all()[0].query


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
        """The title of the topic: an aspect, or the query itself under a facet."""
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
    waiting_ids = {topic.pk for topic in waiting}

    def row(topic):
        scale = Scale(scheme, topic.facet, version=version)
        widest = getattr(topic, "widest", None)
        if scheme.hides_ratings or not widest or widest[0] == widest[1] or not scale.is_ordinal:
            widest = None
        hold = getattr(topic, "hold", None)
        seconds = hold.seconds_left if hold else 0
        return Row(
            topic=topic,
            query=query_of(topic),
            facet_name=scale.words.shown_name(topic.facet),
            widest=apart(scale.steps(*widest)) if widest else "",
            decided_count=decided_counts.get(topic.pk, 0),
            holder=hold.adjudicator if seconds > 0 else None,
            minutes_left=math.ceil(seconds / 60),
        )

    only_decided = [topic for topic in decided if topic.pk not in waiting_ids]
    return [row(topic) for topic in waiting], [row(topic) for topic in only_decided]


def first_to_open(waiting, member):
    """The row of the topic that the adjudicator has open, else the first that nobody has."""
    open_here = [row for row in waiting if row.holder == member]
    return next(iter([*open_here, *(row for row in waiting if not row.holder)]), None)


def next_topic(member, *, after):
    """The topic with disputes that comes after another, or from the start again; else None.

    One that another adjudicator has open is passed over. With samples most topics have few
    disputes, and nobody wants to come back here after each.
    """
    waiting = []
    for topic in queue_topics(member=member):
        hold = getattr(topic, "hold", None)
        if not hold or not hold.seconds_left or hold.adjudicator_id == member.pk:
            waiting.append(topic)
    place = (after.position, after.pk)
    waiting.sort(key=lambda topic: (topic.position, topic.pk) <= place)
    return next(iter(waiting), None)
