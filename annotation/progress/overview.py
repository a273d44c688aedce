"""The lead's first page: totals, topics, people, and what to do next."""

from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import accumulate

from django.db.models import Q

from annotation.models import Pair, Rating
from annotation.progress.attention import flagged_pairs, undecidable_counts
from annotation.progress.figures import (
    EACH,
    Figures,
    ListedTopic,
    asking_queries,
    facet_names,
    listed_topics,
    titles,
)
from annotation.progress.rows import Overview, PersonRow, TopicRow, TopicState, Totals
from datasets.models import Membership, Topic

SENT_ON = {Pair.State.DISPUTED, Pair.State.ADJUDICATED, Pair.State.EXCLUDED}
DECIDED = {Pair.State.ADJUDICATED, Pair.State.EXCLUDED}


def overview(member):
    """The state of the collection of the lead `member`, as far as they may know it."""
    figures = Figures(member)
    [numbers] = totals([figures])
    flagged = flagged_pairs(collection=member.collection, user=member.user)
    return Overview(
        **vars(numbers),
        flagged_pairs=flagged.count(),
        topics=topic_rows(figures),
        people=person_rows(figures),
        adjudicators=list(
            Membership.objects.current().filter(collection=member.collection, is_adjudicator=True)
        ),
    )


def totals(of_collections):
    """The numbers alone of each collection, from counts by topic, batch and seat."""
    collections = [figures.collection for figures in of_collections]
    undecidable = undecidable_counts(collections)
    with_topics = set(
        Topic.objects.filter(collection__in=collections)
        .order_by()
        .values_list("collection", flat=True)
        .distinct()
    )
    return [
        _totals(figures, figures.collection.pk in with_topics, undecidable[figures.collection.pk])
        for figures in of_collections
    ]


def _totals(figures, has_topics, undecidable):
    visible_rows = [row for row in figures.pairs if row.batch not in figures.blind]
    in_queue = [row for row in figures.pairs if row.batch in figures.handed_in]
    overlap = figures.collection.scheme.overlap
    gold = Counter()
    for row in visible_rows:
        if row.origin:
            gold[row.origin] += row.count
    shown_seats = [
        seat
        for batch, seats in figures.seats.items()
        if batch not in figures.blind
        for seat in seats
    ]
    return Totals(
        has_topics=has_topics,
        pairs=sum(row.count for row in visible_rows),
        ratings_given=sum(sum(figures.rated[seat.pk].values()) for seat in shown_seats),
        ratings_wanted=sum(
            row.count * (len(figures.seats[row.batch]) if row.batch else overlap)
            for row in visible_rows
        ),
        disputes=sum(row.count for row in in_queue if row.state in SENT_ON),
        decided=sum(row.count for row in in_queue if row.state in DECIDED),
        gold={origin: gold[origin] for origin in Pair.Origin.values},
        waiting_pairs=sum(row.count for row in figures.pairs if row.batch is None),
        free_seats=sum(
            seat.holder_id is None for seats in figures.seats.values() for seat in seats
        ),
        undecidable_pairs=undecidable,
        hidden_batches=len(figures.blind),
    )


def topic_rows(figures, *, topic=None):
    """A row for each topic of the collection, in its order, or for the one."""
    title_of = titles(figures.collection)
    facet_name_of = facet_names(figures.collection.scheme)
    queries_of = {} if facet_name_of else asking_queries(figures.collection)
    counts = defaultdict(list)
    for row in figures.pairs:
        counts[row.topic].append(row)
    rows = []
    topics = [ListedTopic.of(topic)] if topic else listed_topics(figures.collection)
    for topic in topics:
        of_topic = counts[topic.pk]
        batches = sorted({row.batch for row in of_topic if row.batch})
        waiting = sum(row.count for row in of_topic if row.batch is None)
        handed_in = [batch for batch in batches if batch in figures.handed_in]
        in_queue = [row for row in of_topic if row.batch in handed_in]
        row = TopicRow(
            topic=topic,
            title=title_of.get(topic.pk, topic.external_id),
            facet_name=facet_name_of.get(topic.facet, ""),
            queries=queries_of.get(topic.pk, []),
            pairs=sum(row.count for row in of_topic),
            waiting=waiting,
            seats=[seat for batch in batches for seat in figures.seats[batch]],
            figures=figures,
            disputes=sum(r.count for r in in_queue if r.state in SENT_ON) if handed_in else None,
            decided=sum(r.count for r in in_queue if r.state in DECIDED),
            state=TopicState.DONE,
            is_hidden=any(batch in figures.blind for batch in batches),
        )
        row.state = _state(row)
        rows.append(row)
    return rows


def _state(row):
    if row.topic.is_locked:
        return TopicState.LOCKED
    if not row.pairs:
        return TopicState.EMPTY
    if row.waiting:
        return TopicState.WAITING
    if any(seat.holder_id is None for seat in row.seats):
        return TopicState.UNASSIGNED
    if any(seat.handed_in_at is None for seat in row.seats):
        return TopicState.RATING
    if row.disputes > row.decided:
        return TopicState.ADJUDICATION
    return TopicState.DONE


def person_rows(figures):
    """Every current annotator, and whoever else holds a seat, by name."""
    # By key: to look a member up by themselves takes longer than all the counting.
    holders, seats_of, hidden = {}, defaultdict(list), Counter()
    for batch, seats in figures.seats.items():
        for seat in seats:
            if seat.holder is None:
                continue
            holders[seat.holder_id] = seat.holder
            if batch in figures.blind and seat.holder_id != figures.member.pk:
                hidden[seat.holder_id] += 1
            else:
                seats_of[seat.holder_id].append(seat)
    annotators = Membership.objects.annotators().filter(collection=figures.collection)
    members = sorted({*annotators, *holders.values()}, key=lambda m: (m.name.casefold(), m.pk))
    seconds = median_seconds(figures, members)
    rows = []
    for member in members:
        shares = [figures.own_share(seat) for seat in seats_of[member.pk]]
        rows.append(
            PersonRow(
                member=member,
                to_rate=sum(to_rate for to_rate, _ in shares),
                answered=sum(answered for _, answered in shares),
                hidden_seats=hidden[member.pk],
                median_seconds=seconds.get(member.pk),
            )
        )
    return rows


def median_seconds(figures, members):
    """{member id: median active seconds per rated pair} of these members, over their ratings with
    a recorded time.

    Each person's times come counted, in the order of an index, in one statement for everybody.
    Members are named by their ids: asked for by a condition, PostgreSQL puts the times of all of
    them into a table of its own, which takes three times as long.
    """
    ratings = Rating.objects.filter(
        annotator__in=[member.pk for member in members], active_seconds__gt=0
    )
    if figures.blind:
        ratings = ratings.filter(Q(annotator=figures.member) | ~Q(seat__batch__in=figures.blind))
    times = ratings.order_by("annotator", "active_seconds").values_list(
        "annotator", "active_seconds"
    )
    counts_of = defaultdict(list)
    for member, seconds, count in times.annotate(n=EACH):
        counts_of[member].append((seconds, count))
    return {member: _median(counts) for member, counts in counts_of.items()}


def _median(counts):
    """The median of values that occur so often: (value, times) in the order of values."""
    ends = list(accumulate(times for _, times in counts))
    middle = [bisect_right(ends, place) for place in ((ends[-1] - 1) // 2, ends[-1] // 2)]
    return float(sum(counts[at][0] for at in middle) / 2)
