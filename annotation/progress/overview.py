"""The lead's first page: totals, topics, people, and what to do next."""

from collections import Counter, defaultdict
from decimal import Decimal

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from annotation.models import Pair, Rating
from annotation.progress.attention import flag_counts, undecidable_counts
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
from formats.grouping import grouped, in_chunks

PEOPLE_AT_ONCE = 100  # SQLite refuses a statement of more than 500 parts


def overview(member):
    """The state of the collection of the lead `member`, as far as they may know it."""
    figures = Figures(member)
    [numbers] = totals([figures])
    waiting, flagged = flag_counts(collection=member.collection, user=member.user)
    return Overview(
        **vars(numbers),
        flagged_pairs=flagged,
        flags_to_answer=waiting,
        topics=topic_rows(figures),
        people=person_rows(figures),
        adjudicators=list(
            Membership.objects.current().filter(collection=member.collection, is_adjudicator=True)
        ),
    )


def totals(of_collections):
    """The numbers alone of each collection, from counts by topic, batch and seat."""
    collections = [figures.collection for figures in of_collections]
    undecidable = undecidable_counts(
        [figures.collection for figures in of_collections if figures.has_open_disputes]
    )
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
    in_queue = figures.in_queue
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
        disputes=sum(row.disputes for row in in_queue),
        decided=sum(row.decided for row in in_queue),
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
    counts = grouped((row.topic, row) for row in figures.pairs)
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
            disputes=sum(counted.disputes for counted in in_queue) if handed_in else None,
            decided=sum(counted.decided for counted in in_queue),
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
    if not all(seat.is_handed_in for seat in row.seats):
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
    seconds = median_seconds(figures)
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


def median_seconds(figures):
    """{member id: median active seconds per rated pair} over their ratings with a recorded time.

    A large study has half a million ratings, and how many each person gave is counted already. So
    their times are passed up to the middle, in the order of an index, in one statement for
    everybody. Ratings without a time are counted only beside some with one: an imported study has
    none but these.
    """
    ratings = Rating.objects.order_by()
    if figures.blind:
        ratings = ratings.filter(Q(annotator=figures.member) | ~Q(seat__batch__in=figures.blind))
    ratings_given = figures.ratings_given
    timed = ratings.filter(annotator=OuterRef("pk"), active_seconds__gt=0)
    people = Membership.objects.filter(Exists(timed), pk__in=ratings_given).values_list(
        "pk", flat=True
    )
    times_of = Counter({member: ratings_given[member] for member in people})
    untimed = ratings.filter(annotator__in=times_of, active_seconds=0).values_list("annotator")
    times_of.subtract(dict(untimed.annotate(n=EACH)))
    middles = _middles(ratings.filter(active_seconds__gt=0), +times_of)
    middle_of = grouped((member, Decimal(str(seconds))) for member, seconds in middles)
    return {member: float(sum(middle) / len(middle)) for member, middle in middle_of.items()}


def _middles(ratings, times_of):
    """(member id, seconds) in the middle of the times of each: one of an odd number, else two.

    `times_of` has the number of times of each member. The SQL of a member is built once: to have
    that of many built by Django takes longer than their times.
    """
    somebody = -1
    times = ratings.filter(annotator=somebody).order_by("active_seconds")
    sql, params = times.values_list("annotator", "active_seconds").query.sql_with_params()
    part = f"SELECT * FROM ({sql} LIMIT %s OFFSET %s) AS middle"  # noqa: S608 - SQL of Django
    with connection.cursor() as cursor:
        for some in in_chunks(times_of.items(), PEOPLE_AT_ONCE):
            values = []
            for member, n in some:
                values += [member if param == somebody else param for param in params]
                values += [2 - n % 2, (n - 1) // 2]
            cursor.execute(" UNION ALL ".join([part] * len(some)), values)
            yield from cursor
