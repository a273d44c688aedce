"""The pairs of an import that are stored already; nothing here writes."""

from dataclasses import dataclass, field

from annotation.models import Batch, Pair


@dataclass
class PairPlan:
    """`new` maps a topic's external id to the external ids of documents, in order."""

    new: dict[str, list[str]] = field(default_factory=dict)

    @property
    def count(self):
        return sum(map(len, self.new.values()))

    @property
    def keys(self) -> set[tuple[str, str]]:
        """(topic, document) of each."""
        return {
            (topic, document) for topic, documents in self.new.items() for document in documents
        }


def plan_pairs(documents_of, collection):
    """The pairs of `documents_of` ({topic: documents}) that are not there yet."""
    stored = {}
    for topic, document in Pair.objects.filter(topic__collection=collection).values_list(
        "topic__external_id", "document__external_id"
    ):
        stored.setdefault(topic, set()).add(document)
    plan = PairPlan()
    for topic, documents in documents_of.items():
        stored_documents = stored.get(topic, set())
        if missing := [document for document in documents if document not in stored_documents]:
            plan.new[topic] = missing
    return plan


def pairs_being_rated_by(user, collection):
    """(topic, document) of the pairs in batches in which this person still rates, by external ids.

    A comparison of their ratings would tell an annotator what the others gave.
    """
    if user is None:
        return set()
    blind = Batch.objects.filter(collection=collection).blind_to(user)
    pairs = Pair.objects.filter(batch__in=blind)
    return set(pairs.values_list("topic__external_id", "document__external_id"))
