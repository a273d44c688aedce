"""Papers that rankings name: their titles, and the pairs behind them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from accounts.models import User
from annotation.models import Pair
from datasets.models import Document
from datasets.models.documents import read_untitled
from evaluation.runs.evaluation import Evaluation


@dataclass(frozen=True)
class Papers:
    """`titles` by document, `pairs` the public ids of pairs by (topic, document): those that the
    viewer may be told of. A paper that nobody was asked to judge has no pair."""

    titles: Mapping[str, str]
    pairs: Mapping[tuple[str, str], str]

    @classmethod
    def of(cls, evaluation: Evaluation, keys: Collection[tuple[str, str]]) -> "Papers":
        """The papers of some (topic, document), in the ids of the collection."""
        collection = evaluation.collection
        documents = {document for _, document in keys}
        named = Document.objects.filter(collection=collection, external_id__in=documents)
        papers = list(named.only("external_id", "title"))
        read_untitled(papers)
        pairs = Pair.objects.filter(
            topic__collection=collection,
            topic__external_id__in={topic for topic, _ in keys},
            document__external_id__in=documents,
        )
        if isinstance(evaluation.viewer, User):
            pairs = pairs.visible_to_lead(evaluation.viewer)
        rows = pairs.values_list("topic__external_id", "document__external_id", "public_id")
        return cls(
            {paper.external_id: paper.heading or paper.external_id for paper in papers},
            {(topic, document): str(public_id) for topic, document, public_id in rows},
        )
