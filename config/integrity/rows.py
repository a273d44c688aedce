"""Every invariant, recomputed from raw rows.

Nothing here goes through the actions or querysets of the applications: their rows are read back
table by table and compared with the rules. Only the consensus rules are shared, since they are the
definition.
"""

from collections import Counter, defaultdict

from django.db.models import F

from adjudication.models import Decision
from annotation.models import Batch, MachineRun, MachineScore, Pair, Rating, Scheme, Seat, Tenure
from annotation.rating.consensus import judge
from config.integrity.audits import audit_findings
from datasets.models import Document, Import, Topic, TopicPlace
from formats.grouping import grouped

ROWS_AT_ONCE = 2_000


def row_findings(using):
    """Yield one sentence for every row that breaks an invariant; nothing when all hold."""
    yield from _imports(using)
    yield from _trees(using)
    yield from _machine_scores(using)
    yield from _seats(using)
    for scheme in Scheme.objects.using(using).all():
        yield from _collection(scheme, using)
    yield from audit_findings(using)


def _imports(using):
    dead = Import.objects.using(using).filter(state=Import.State.DEAD).values("pk")
    for model in (Document, Topic, Batch, Pair, MachineRun, MachineScore):
        row_count = model.including_inactive.using(using).filter(imported__in=dead).count()
        if row_count:
            yield f"{row_count} rows of {model._meta.label} belong to an import that died."


def _written(model, using):
    """The rows of a model but those of an import that is being written: its batches have no seats
    yet, its pairs no ratings, and nobody sees them. The rules hold once it is active."""
    return model.including_inactive.using(using).exclude(imported__state=Import.State.INACTIVE)


def _trees(using):
    """Aspects stand in trees: a place hangs below one of the same query, and never below itself."""
    places = {
        pk: (query, parent)
        for pk, query, parent in TopicPlace.objects.using(using).values_list(
            "pk", "query", "parent"
        )
    }
    for pk, (query, parent) in places.items():
        if parent is not None and places[parent][0] != query:
            yield f"Place {pk} of query {query} hangs below one of query {places[parent][0]}."
        above = set()
        while parent is not None and parent not in above:
            above.add(parent)
            parent = places[parent][1]
        if parent is not None:
            yield f"Place {pk} of query {query} is above itself."


def _machine_scores(using):
    strays = (
        MachineScore.including_inactive.using(using)
        .exclude(pair__topic__collection=F("run__collection"))
        .count()
    )
    if strays:
        yield f"{strays} machine scores are of another collection than their run."


def _seats(using):
    ordinals = grouped(Seat.objects.using(using).values_list("batch", "ordinal"))
    for pk, overlap in _written(Batch, using).values_list("pk", "overlap"):
        if sorted(ordinals[pk]) != list(range(1, overlap + 1)):
            yield f"Batch {pk} has seats {sorted(ordinals[pk])}; its overlap is {overlap}."
    tenures = set(Tenure.objects.using(using).values_list("batch", "seat", "member"))
    seat_counts = Counter((batch, member) for batch, _, member in tenures)
    for (batch, member), count in seat_counts.items():
        if count > 1:
            yield f"Member {member} held {count} seats of batch {batch}."
    for pk, batch, holder in (
        Seat.objects.using(using).exclude(holder=None).values_list("pk", "batch", "holder")
    ):
        if (batch, pk, holder) not in tenures:
            yield f"Seat {pk} is held by member {holder}, and no tenure says so."
    for batch, seat, annotator in (
        Rating.objects.using(using)
        .order_by()
        .values_list("seat__batch", "seat", "annotator")
        .distinct()
    ):
        if (batch, seat, annotator) not in tenures:
            yield f"Member {annotator} rated in seat {seat} without ever holding it."


SETTLED = ["gold_origin", "gold_value", "gold_option_id"]


def _scales_of(scheme, distances):
    """One shared scale, or one for each facet; a rule of distances has one on every scale."""
    facets = set(scheme.facets.values_list("key", flat=True))
    if set(distances) not in ({""}, facets):
        yield f"The scheme {scheme.pk} has facets {sorted(facets)} and scales {sorted(distances)}."
    has_a_distance = scheme.rule == "difference_of_at_least"
    if any((distance is not None) != has_a_distance for distance in distances.values()):
        yield f"The scheme {scheme.pk} has distances that do not fit its rule."


def _seats_by_batch(scheme, using):
    """{batch: {seat: whether it is handed in}}"""
    seats = defaultdict(dict)
    for pk, batch, handed_in_at in (
        Seat.objects.using(using)
        .filter(batch__collection=scheme.collection_id)
        .values_list("pk", "batch", "handed_in_at")
    ):
        seats[batch][pk] = handed_in_at is not None
    return seats


def _ratings_by_pair(scheme, using):
    return _Grouped(
        Rating.objects.using(using)
        .filter(pair__topic__collection=scheme.collection_id)
        .values(
            "pk",
            "pair_id",
            "seat_id",
            "annotator_id",
            "option_id",
            "cannot_judge",
            "scheme_version_id",
        )
        .order_by("pair_id")
        .iterator(chunk_size=ROWS_AT_ONCE)
    )


def _decisions_by_pair(scheme, using):
    rows = (
        Decision.objects.using(using)
        .filter(pair__topic__collection=scheme.collection_id)
        .values("pk", "pair_id", "adjudicator_id", "option_id", "superseded_at")
    )
    return grouped((row["pair_id"], row) for row in rows)


def _collection(scheme, using):
    pairs = _written(Pair, using).filter(topic__collection=scheme.collection_id)
    options = defaultdict(dict)  # by the facet of the scale, "" for a shared one
    for facet, pk, value in scheme.options.values_list("scale__facet", "pk", "value"):
        options[facet][pk] = value
    distances = dict(scheme.scales.values_list("facet", "distance"))
    yield from _scales_of(scheme, distances)
    versions = set(scheme.versions.values_list("pk", flat=True))
    overlaps = dict(
        Batch.including_inactive.using(using)
        .filter(collection=scheme.collection_id)
        .values_list("pk", "overlap")
    )
    seats = _seats_by_batch(scheme, using)
    ratings = _ratings_by_pair(scheme, using)
    decisions = _decisions_by_pair(scheme, using)
    for pair in (
        pairs.order_by("pk")
        .values("pk", "batch_id", "state", "topic__facet", *SETTLED)
        .iterator(chunk_size=ROWS_AT_ONCE)
    ):
        pair_ratings = ratings.of(pair["pk"])
        facet = "" if "" in distances else pair["topic__facet"]
        scale = options[facet]
        yield from _foreign(pair_ratings, scale, versions)
        yield from _ratings_of(pair, pair_ratings, seats[pair["batch_id"]])
        pair_decisions = decisions[pair["pk"]]
        standing = [row for row in pair_decisions if row["superseded_at"] is None]
        yield from _decisions_of(pair, pair_ratings, pair_decisions, standing)
        expected = _expected(
            [scale.get(row["option_id"]) for row in pair_ratings],
            standing,
            scale,
            rule=scheme.rule,
            distance=distances.get(facet),
            overlap=overlaps.get(pair["batch_id"], 0),
            is_handed_in=all(seats[pair["batch_id"]].values()),
        )
        stored = (pair["state"], pair["gold_origin"], pair["gold_value"])
        if stored != expected:
            yield f"Pair {pair['pk']} is {stored}; its rows say {expected}."
        gold_option = pair["gold_option_id"]
        if gold_option is not None and scale.get(gold_option) != pair["gold_value"]:
            yield f"Pair {pair['pk']} has a gold option that does not stand for its gold value."


def _foreign(ratings, scale, versions):
    for row in ratings:
        if row["option_id"] is not None and row["option_id"] not in scale:
            yield f"Rating {row['pk']} names an option of another scale than its topic's."
        if row["scheme_version_id"] not in versions:
            yield f"Rating {row['pk']} names a version of another scheme."


class _Grouped:
    """Rows in order of their pairs, given out pair by pair."""

    def __init__(self, rows):
        self.rows = rows
        self.upcoming = next(rows, None)

    def of(self, pair):
        group = []
        while self.upcoming and self.upcoming["pair_id"] <= pair:
            group.append(self.upcoming)
            self.upcoming = next(self.rows, None)
        return group


def _ratings_of(pair, pair_ratings, seats):
    if pair["batch_id"] is None and pair_ratings:
        yield f"Pair {pair['pk']} has {len(pair_ratings)} ratings and no batch."
        return
    for column in ("seat_id", "annotator_id"):
        if len({row[column] for row in pair_ratings}) < len(pair_ratings):
            yield f"Pair {pair['pk']} has two ratings with one {column}."
    for row in pair_ratings:
        if row["seat_id"] not in seats:
            yield f"Rating {row['pk']} is from a seat of another batch."
        if (row["option_id"] is None) == (row["cannot_judge"] == ""):
            yield f'Rating {row["pk"]} must have an option or "cannot judge", not both or neither.'
    answered = {row["seat_id"] for row in pair_ratings}
    for seat, is_handed_in in seats.items():
        if is_handed_in and seat not in answered:
            yield f"Seat {seat} is handed in without an answer for pair {pair['pk']}."


def _decisions_of(pair, pair_ratings, decisions, standing):
    if len(standing) > 1:
        yield f"Pair {pair['pk']} has {len(standing)} standing decisions."
    raters = {row["annotator_id"] for row in pair_ratings}
    for decision in decisions:
        if decision["adjudicator_id"] in raters:
            yield f"Decision {decision['pk']} was made by a rater of its pair."


def _expected(answers, standing, options, *, rule, distance, overlap, is_handed_in):
    """(state, origin, value) that the rows of a pair amount to."""
    if standing:
        option = standing[0]["option_id"]
        if option is None:
            return "excluded", "excluded", None
        return "adjudicated", "adjudicated", options.get(option)
    if not answers:
        return "open", "", None
    if len(answers) < overlap:
        return "partial", "", None
    verdict = judge(answers, rule=rule, distance=distance)
    if not verdict.agreed:
        return "disputed", "", None
    if is_handed_in:
        return "agreed", "consensus", verdict.value
    return "agreed", "", None
