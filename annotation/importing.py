"""Pairs that an import brings in, and ratings that were made elsewhere."""

import uuid
from dataclasses import dataclass, field

from django.db.models import Max, Q
from django.utils import timezone

from annotation.actions.settle import settle_pair
from annotation.models import (
    Batch,
    Option,
    Pair,
    Rating,
    RatingRevision,
    Seat,
    Tenure,
)
from datasets.importing.life import delete_in_chunks
from datasets.models import Document, Membership, Topic

# Rating files say that somebody gave no rating, not why.
NOT_RATED = "No rating in the imported file"


@dataclass(frozen=True)
class TopicRatings:
    """Ratings of one topic that were made elsewhere; lists run parallel to `candidates`.

    `answers` maps an annotator's external id to values, None for "cannot judge", in seat order.
    """

    candidates: list[str]
    answers: dict[str, list[int | None]]

    def by_document(self, options):
        """{document: the option of each seat, None for "cannot judge"}."""
        per_document = zip(*self.answers.values(), strict=True)
        return {
            document: [None if value is None else options[value] for value in values]
            for document, values in zip(self.candidates, per_document, strict=True)
        }


@dataclass
class PairPlan:
    """`new` maps a topic's external id to the external ids of documents, in order."""

    new: dict[str, list[str]] = field(default_factory=dict)

    @property
    def count(self):
        return sum(map(len, self.new.values()))


def plan_pairs(wanted, collection):
    """The pairs of `wanted` ({topic: documents}) that are not there yet."""
    stored = {}
    for topic, document in Pair.objects.filter(topic__collection=collection).values_list(
        "topic__external_id", "document__external_id"
    ):
        stored.setdefault(topic, set()).add(document)
    plan = PairPlan()
    for topic, documents in wanted.items():
        known = stored.get(topic, set())
        if missing := [document for document in documents if document not in known]:
            plan.new[topic] = missing
    return plan


def rated_documents(collection, external_ids, *, by):
    """Which of these documents somebody has rated a pair with, or under as the query paper.

    Those of batches in which `by` still rates count as rated: whether the others have come to
    them yet is not for a fellow annotator to learn.
    """
    documents = Document.objects.filter(collection=collection, external_id__in=external_ids)
    taken = Q(pairs__ratings__isnull=False) | Q(queries__topics__pairs__ratings__isnull=False)
    if by:
        blind = Batch.objects.filter(collection=collection).blind_to(by)
        taken |= Q(pairs__batch__in=blind) | Q(queries__topics__pairs__batch__in=blind)
    return set(documents.filter(taken).values_list("external_id", flat=True))


def topics_being_rated_by(user, collection):
    """External ids of the topics with a batch in which this person still rates."""
    if user is None:
        return set()
    blind = Batch.objects.filter(collection=collection).blind_to(user)
    topics = Topic.objects.filter(pairs__batch__in=blind)
    return set(topics.values_list("external_id", flat=True))


def stored_answers(topic_ids, collection):
    """What is stored of these topics: {(topic, document): {annotator: value or None}}.

    Annotators are named as their files named them; who came from no file is "".
    """
    answers = {}
    for topic, document, annotator, value in (
        Rating.objects.filter(
            pair__in=Pair.objects.filter(
                topic__collection=collection, topic__external_id__in=topic_ids
            )
        )
        .order_by("seat__ordinal")
        .values_list(
            "pair__topic__external_id",
            "pair__document__external_id",
            "annotator__external_id",
            "option__value",
        )
    ):
        answers.setdefault((topic, document), {})[annotator] = value
    return answers


def options_by_value(scheme):
    """{value: the option that an imported value stands for}.

    Where options share a value, which of them was chosen is not known; only an option made for
    imports can stand for it.
    """
    options = {}
    for option in Option.objects.filter(scheme=scheme).order_by("is_import_only", "position"):
        if option.value in options and not option.is_import_only:
            options[option.value] = None
        else:
            options[option.value] = option
    return {value: option for value, option in options.items() if option}


def write_pairs(plan, ratings, writer, documents, *, options, decide=None, progress=None):
    """Insert new pairs; those of topics with `ratings` go into a batch of their own, settled.

    A settled pair is inserted as what its ratings make of it, by the same rules as any other;
    `decide(pair, topic_id, document_id)` may then change it. Returns {topic external id: batch}.
    """
    imported = writer.imported
    topics = {
        topic.external_id: topic
        for topic in Topic.including_inactive.filter(
            collection=imported.collection, external_id__in=plan.new
        )
    }
    first = dict(
        Pair.including_inactive.filter(topic__in=topics.values())
        .order_by()
        .values_list("topic__external_id")
        .annotate(next=Max("position") + 1)
    )
    batches = _write_batches(plan, ratings, writer)

    def pairs():
        for topic_id, document_ids in plan.new.items():
            given = ratings[topic_id].by_document(options) if topic_id in ratings else {}
            for index, document_id in enumerate(document_ids):
                pair = Pair(
                    imported=imported,
                    topic=topics[topic_id],
                    document=documents[document_id],
                    batch=batches.get(topic_id),
                    position=first.get(topic_id, 0) + index,
                )
                if given:
                    _settle(pair, given[document_id])
                    if decide:
                        decide(pair, topic_id, document_id)
                yield pair

    writer.insert(Pair, pairs(), progress=progress)
    return batches


def _settle(pair, answers):
    scheme = pair.batch.collection.scheme
    settle_pair(
        pair,
        answers,
        overlap=pair.batch.overlap,
        rule=scheme.rule,
        distance=scheme.rule_distance,
        is_handed_in=True,
    )


def _write_batches(plan, ratings, writer):
    imported, collection = writer.imported, writer.imported.collection
    rows = Batch.including_inactive.filter(collection=collection)
    last = rows.aggregate(last=Max("position"))["last"] or 0
    taken = set(rows.values_list("name", flat=True))
    batches = {}
    for topic_id in plan.new:
        if topic_id in ratings:
            name = topic_id if topic_id not in taken else f"{topic_id} (imported)"
            batches[topic_id] = Batch(
                imported=imported,
                collection=collection,
                name=name,
                overlap=len(ratings[topic_id].answers),
                position=last + len(batches) + 1,
                created_by=imported.created_by,
            )
    writer.insert(Batch, batches.values())
    return batches


def write_members(external_ids, writer, *, names, role):
    """Members without sign-in for people whom only the files know; {external id: member}."""
    collection = writer.imported.collection
    rows = Membership.objects.filter(collection=collection, external_id__in=external_ids)
    known = set(rows.values_list("external_id", flat=True))
    writer.insert(
        Membership,
        (
            Membership(
                imported=writer.imported,
                collection=collection,
                external_id=external_id,
                name=names[external_id],
                **{f"is_{role}": True},
            )
            for external_id in external_ids
            if external_id not in known
        ),
    )
    return {member.external_id: member for member in rows.all()}


def write_ratings(batches, ratings, members, writer, *, version, options, progress=None):
    """Fill the seats of new batches with imported ratings; the seats are handed in."""
    by = writer.imported.created_by
    handed_in_at = timezone.now()
    seats = writer.create(
        Seat,
        (
            Seat(
                batch=batch,
                ordinal=ordinal,
                holder=members[annotator],
                handed_in_at=handed_in_at,
            )
            for topic_id, batch in batches.items()
            for ordinal, annotator in enumerate(ratings[topic_id].answers, start=1)
        ),
        also=lambda seats: [
            Tenure(batch=seat.batch, seat=seat, member=seat.holder) for seat in seats
        ],
    )
    seat_of = {(seat.batch.pk, seat.holder.external_id): seat for seat in seats}
    pair_ids = pair_ids_of(writer.imported)
    writer.insert(
        Rating,
        (
            Rating(
                pair_id=pair_ids[topic_id, document_id],
                seat=seat_of[batch.pk, annotator],
                annotator=members[annotator],
                position=0,  # in which order the pairs were shown is not recorded
                scheme_version=version,
                option=None if value is None else options[value],
                cannot_judge=NOT_RATED if value is None else "",
            )
            for topic_id, batch in batches.items()
            for annotator, values in ratings[topic_id].answers.items()
            for document_id, value in zip(ratings[topic_id].candidates, values, strict=True)
        ),
        also=lambda given: [
            RatingRevision(
                rating=rating,
                save_id=uuid.uuid4(),
                saved_by=by,
                scheme_version=version,
                option=rating.option,
                cannot_judge=rating.cannot_judge,
            )
            for rating in given
        ],
        progress=progress,
    )


def pair_ids_of(imported):
    """{(topic external id, document external id): pair id} of an import's pairs."""
    rows = Pair.including_inactive.filter(imported=imported).values_list(
        "topic__external_id", "document__external_id", "pk"
    )
    return {(topic, document): pk for topic, document, pk in rows.iterator()}


def delete_rows(imported):
    """Delete what this app holds of a dead import."""
    delete_in_chunks(RatingRevision.objects.filter(rating__pair__imported=imported))
    delete_in_chunks(Rating.objects.filter(pair__imported=imported))
    delete_in_chunks(Tenure.objects.filter(batch__imported=imported))
    delete_in_chunks(Seat.objects.filter(batch__imported=imported))
    for model in [Pair, Batch]:
        delete_in_chunks(model.including_inactive.filter(imported=imported))
