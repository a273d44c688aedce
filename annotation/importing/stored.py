"""What of an import's pairs and ratings is there already; nothing here writes."""

from dataclasses import dataclass, field

from django.db.models import Q

from annotation.models import Batch, Pair, Rating
from datasets.models import Document, Topic


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


def rated_topics(collection, *, by):
    """Topics, by their external ids, of which somebody has rated a pair; like `rated_documents`."""
    rated = Rating.objects.filter(pair__topic__collection=collection)
    taken = Q(pk__in=rated.values("pair__topic"))
    if by:
        blind = Batch.objects.filter(collection=collection).blind_to(by)
        taken |= Q(pk__in=Pair.objects.filter(batch__in=blind).values("topic"))
    topics = Topic.objects.filter(taken, collection=collection)
    return set(topics.values_list("external_id", flat=True))


def pairs_being_rated_by(user, collection):
    """(topic, document) of the pairs in batches in which this person still rates, by external ids.

    A comparison of their ratings would tell an annotator what the others gave.
    """
    if user is None:
        return set()
    blind = Batch.objects.filter(collection=collection).blind_to(user)
    return _keys(Pair.objects.filter(batch__in=blind))


def stored_pairs(collection):
    """(topic, document) of all pairs, by external ids."""
    return _keys(Pair.objects.filter(topic__collection=collection))


def _keys(pairs):
    return set(pairs.values_list("topic__external_id", "document__external_id"))


def stored_answers(collection):
    """What is stored: {(topic, document): {annotator: value or None}}.

    Annotators are named as their files named them; who came from no file is "".
    """
    answers = {}
    for topic, document, annotator, value in (
        Rating.objects.filter(pair__in=Pair.objects.filter(topic__collection=collection))
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
