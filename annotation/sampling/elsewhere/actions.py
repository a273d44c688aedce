"""Batches of pairs that were chosen elsewhere, such as a published sample."""

from collections.abc import Iterable, Sequence

from accounts.models import User
from annotation.assigning.actions.batches import hand_out
from annotation.models import Batch, Pair
from audit.refusals import Invalid
from audit.transactions import locked, one_transaction
from datasets.models import Collection
from formats.grouping import in_chunks
from formats.records import MAX_OVERLAP

MAX_LISTED = 20
LOOKED_UP_AT_ONCE = 400

Named = tuple[str, str]  # a pair by its topic and document, as exports name them


@one_transaction
def hand_out_chosen(
    *,
    collection: Collection,
    name: str,
    pairs: Sequence[Named],
    overlap: int,
    by: User,
    way: str = Batch.Way.BY_TOPIC,
) -> Batch:
    """Make one batch of pairs named by (topic, document), the identifiers that exports carry.

    All of them or none: Invalid names the first that are no pairs of the collection, that a batch
    holds already, or that are named twice, with their places in the list, counted from 1.
    """
    if not name.strip():
        raise Invalid("Give the batch a name.")
    if not 1 <= overlap <= MAX_OVERLAP:
        raise Invalid(f"A pair has 1 to {MAX_OVERLAP} ratings.")
    if not pairs:
        raise Invalid("Name at least one pair.")
    locked(collection)
    stored_pairs = _look_up(collection, pairs)
    _check_pairs(pairs, stored_pairs)
    batch = Batch(name=name.strip(), overlap=overlap, way=way)
    drawn = [(batch, [stored_pairs[pair][0] for pair in pairs])]
    return hand_out(drawn, collection=collection, by=by)[0]


def _check_pairs(pairs: Sequence[Named], stored_pairs: dict[Named, tuple[int, int | None]]) -> None:
    problems: list[str] = []
    places: dict[Named, int] = {}
    for place, pair in enumerate(pairs, start=1):
        if pair in places:
            problems.append(f"{place}: {' '.join(pair)} is named at {places[pair]} already.")
            continue
        places[pair] = place
        if pair not in stored_pairs:
            problems.append(f"{place}: {' '.join(pair)} is not a pair of this collection.")
        elif stored_pairs[pair][1] is not None:
            problems.append(f"{place}: {' '.join(pair)} is in a batch already.")
    if problems:
        more = len(problems) - MAX_LISTED
        sentences = problems[:MAX_LISTED] + ([f"… and {more:,} more."] if more > 0 else [])
        raise Invalid("Nothing was handed out. " + " ".join(sentences))


def _look_up(collection: Collection, pairs: Iterable[Named]) -> dict[Named, tuple[int, int | None]]:
    """{(topic, document): (pair, its batch or None)} of those that there are."""
    names = set(pairs)
    stored_pairs: dict[Named, tuple[int, int | None]] = {}
    topics = sorted({topic for topic, _ in names})
    for chunk in in_chunks(topics, LOOKED_UP_AT_ONCE):
        rows = Pair.objects.filter(
            topic__collection=collection, topic__external_id__in=chunk
        ).values_list("topic__external_id", "document__external_id", "pk", "batch")
        for topic, document, pk, batch in rows.order_by():
            if (topic, document) in names:
                stored_pairs[topic, document] = pk, batch
    return stored_pairs
