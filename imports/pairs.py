"""Writing imported pairs, and finished batches of ratings made elsewhere."""

import uuid
from collections.abc import Container, Iterable, Mapping, Sequence

from django.utils import timezone

from annotation.assigning.actions.batches import batch_names, free_name
from annotation.models import (
    Batch,
    MachineRun,
    MachineScore,
    Pair,
    Rating,
    RatingRevision,
    Scheme,
    Seat,
    SideText,
    Tenure,
)
from annotation.rating.settle import settle_pair
from audit.refusals import Locked
from audit.transactions import locked
from datasets.models import Collection, Import, Membership, Topic
from datasets.positions import next_position, next_positions
from formats.grouping import in_chunks
from formats.words import listed
from imports.answers import Answer
from imports.life import Writer, delete_in_chunks

# The fields that settling sets of a pair, and their values for an unrated pair.
SETTLED = ["state", "gold_origin", "gold_value", "gold_option_id"]
# The fields that an answer sets of a rating and of its revision.
ANSWERED = ["option_id", "cannot_judge", "note"]
UNSETTLED = [Pair.State.OPEN.value, "", None, None]
# New batches in a transaction, which holds the collection.
BATCHES_AT_ONCE = 250


def write_pairs(plan, ratings, writer, documents, *, decide, progress):
    """Insert new pairs. Pairs with answers in `ratings` (a list of BatchRatings) go into their own
    batches, settled. `documents` is {external id: key}.

    A settled pair is inserted as what its ratings make of it, by the same rules as any other;
    `decide(pair, topic_id, document_id)` may then change it. Returns the new batches, parallel to
    `ratings`.
    """
    imported = writer.imported
    # Ids instead of objects, here and below: a file may bring a hundred thousand pairs.
    topics = Topic.including_inactive.filter(collection=imported.collection)
    topic_of = {
        external_id: (pk, facet)
        for external_id, pk, facet in topics.values_list("external_id", "pk", "facet")
    }
    pairs_of_topics = Pair.including_inactive.filter(topic__in=topics)
    position_of = next_positions(pairs_of_topics, by="topic__external_id")
    batches = write_batches(ratings, writer)
    answered = {
        key: (batch, answers)
        for batch, batch_ratings in zip(batches, ratings, strict=True)
        for key, answers in batch_ratings.answers.items()
    }
    scheme = imported.collection.scheme if ratings else None

    def pairs():
        for topic_id, document_ids in plan.new.items():
            topic, facet = topic_of[topic_id]
            for position, document_id in enumerate(document_ids, position_of.get(topic_id, 0)):
                place = (imported.pk, topic, documents[document_id], position)
                batch, answers = answered.get((topic_id, document_id), (None, None))
                if batch is None:
                    yield *place, None, *UNSETTLED
                    continue
                pair = Pair(batch=batch)
                settle_answers(pair, answers, scheme=scheme, facet=facet, overlap=batch.overlap)
                decide(pair, topic_id, document_id)
                yield *place, batch.pk, *(getattr(pair, field) for field in SETTLED)

    writer.insert_plain(
        Pair,
        ["imported_id", "topic_id", "document_id", "position", "batch_id", *SETTLED],
        pairs(),
        progress=progress,
    )
    return batches


def refuse_locked(collection: Collection, topics: Container[str]) -> None:
    """A locked topic takes no pair: its gold is final. Raises Locked where one of these is."""
    rows = Topic.objects.filter(collection=collection, locked_at__isnull=False)
    ids = rows.order_by("position", "pk").values_list("external_id", flat=True)
    locked = [topic for topic in ids if topic in topics]
    if locked:
        named, it = f"Topic {locked[0]} is", "it"
        if len(locked) > 1:
            named, it = f"Topics {listed(locked, most=10)} are", "them"
        raise Locked(
            f"{named} locked, and this would add pairs to {it}. Nothing was changed. "
            f"Unlock {it} first."
        )


def hold_topics(imported: Import) -> None:
    """Refuse the pairs of an import where their topic was locked meanwhile; until the transaction
    ends none is. Locks come in the usual order: batches are locked already, pairs are not."""
    rows = Pair.including_inactive.filter(imported=imported)
    topics = Topic.objects.filter(pk__in=rows.values("topic")).order_by("pk")
    held = topics.select_for_update(no_key=True, of=("self",))
    refuse_locked(imported.collection, {topic.external_id for topic in held})


def settle_answers(
    pair: Pair, answers: Sequence[Answer], *, scheme: Scheme, facet: str, overlap: int
) -> None:
    """Set (without saving) what the answers make of a pair, by the scheme's rule: they are those of
    all seats, unless `overlap` asks for more."""
    settle_pair(
        pair,
        [answer.option for answer in answers],
        overlap=max(overlap, len(answers)),
        rule=scheme.rule,
        distance=scheme.scale_of(facet).distance,
        is_handed_in=True,
    )


def write_batches(ratings, writer):
    """New batches for these ratings, without pairs and seats."""
    batches = []
    for chunk in in_chunks(ratings, BATCHES_AT_ONCE):
        with writer.chunk():
            # Nobody gives another batch one of these names before they are stored.
            locked(writer.imported.collection)
            batches += writer.create(Batch, list(_named_batches(chunk, writer.imported)))
    return batches


def _named_batches(ratings, imported):
    collection, names = imported.collection, batch_names(imported.collection)
    rows = Batch.including_inactive.filter(collection=collection)
    for position, batch_ratings in enumerate(ratings, start=next_position(rows)):
        batch = Batch(
            imported=imported,
            collection=collection,
            name=free_name(batch_ratings.name, names),
            overlap=batch_ratings.seats,
            position=position,
            created_by=imported.created_by,
        )
        names.add(batch.name)
        yield batch


def write_people(
    roles: Mapping[str, Iterable[str]], writer: Writer, *, names: Mapping[str, str]
) -> dict[str, Membership]:
    """Members without sign-in for people whom only the files know; {external id: member}.

    `roles` says what each is, `names` how they are called.
    """
    collection = writer.imported.collection
    rows = Membership.objects.filter(collection=collection, external_id__in=list(roles))
    stored_ids = set(rows.values_list("external_id", flat=True))
    writer.insert(
        Membership,
        (
            Membership(
                imported=writer.imported,
                collection=collection,
                external_id=external_id,
                name=names[external_id],
                **{f"is_{role}": True for role in role_names},
            )
            for external_id, role_names in roles.items()
            if external_id not in stored_ids
        ),
    )
    return {member.external_id: member for member in rows.all()}


def write_ratings(batches, ratings, members, writer, *, version, progress, pair_ids):
    """Fill the seats of new batches with imported ratings, in the files' order; these seats are
    handed in, others are free. `members` is {name in the file: member}, `pair_ids` {(topic,
    document): key of the pair}."""
    handed_in_at = timezone.now()
    seats = writer.create(
        Seat,
        (
            _seat(batch, batch_ratings, ordinal, members, handed_in_at)
            for batch, batch_ratings in zip(batches, ratings, strict=True)
            for ordinal in range(1, batch_ratings.seats + 1)
        ),
        also=lambda seats: [
            Tenure(batch=seat.batch, seat=seat, member=seat.holder) for seat in seats if seat.holder
        ],
    )
    seat_of = {(seat.batch_id, seat.holder_id): seat for seat in seats}
    writer.insert_plain(
        Rating,
        # No file records the order in which pairs were shown: the position is 0.
        [*("pair_id", "seat_id", "annotator_id", "position", "scheme_version_id"), *ANSWERED],
        (
            (
                pair_ids[key],
                seat_of[batch.pk, members[annotator].pk].pk,
                members[annotator].pk,
                0,
                version.pk,
                answer.option.pk if answer.option else None,
                answer.reason,
                answer.note,
            )
            for batch, batch_ratings in zip(batches, ratings, strict=True)
            for key, answers in batch_ratings.answers.items()
            for annotator, answer in zip(batch_ratings.annotators, answers, strict=True)
        ),
        progress=progress,
    )
    _write_revisions(writer, version)


def _write_revisions(writer, version):
    """The first revision of each rating of new batches."""
    by = writer.imported.created_by
    rated = Rating.objects.filter(seat__batch__imported=writer.imported).order_by("pk")
    writer.insert_plain(
        RatingRevision,
        [*("rating_id", "save_id", "saved_by_id", "scheme_version_id"), *ANSWERED],
        (
            (pk, uuid.uuid4(), by.pk if by else None, version.pk, *answer)
            for pk, *answer in list(rated.values_list("pk", *ANSWERED))
        ),
    )


def _seat(batch, ratings, ordinal, members, handed_in_at):
    if ordinal > len(ratings.annotators):
        return Seat(batch=batch, ordinal=ordinal)
    holder = members[ratings.annotators[ordinal - 1]]
    return Seat(batch=batch, ordinal=ordinal, holder=holder, handed_in_at=handed_in_at)


def pair_ids_of(imported):
    """{(topic external id, document external id): pair id} of an import's pairs."""
    rows = Pair.including_inactive.filter(imported=imported).values_list(
        "topic__external_id", "document__external_id", "pk"
    )
    return {(topic, document): pk for topic, document, pk in rows.iterator()}


def delete_rows(imported):
    """Delete this app's rows of a dead import."""
    delete_in_chunks(RatingRevision.objects.filter(rating__pair__imported=imported))
    delete_in_chunks(Rating.objects.filter(pair__imported=imported))
    delete_in_chunks(Tenure.objects.filter(batch__imported=imported))
    delete_in_chunks(Seat.objects.filter(batch__imported=imported))
    delete_in_chunks(SideText.objects.filter(pair__imported=imported))
    for model in [MachineScore, MachineRun, Pair, Batch]:
        delete_in_chunks(model.including_inactive.filter(imported=imported))
