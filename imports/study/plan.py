"""What an import is going to change. Made without writing anything."""

from dataclasses import dataclass, field
from typing import Any

from datasets.models import Candidate
from formats import records
from imports import stored as stored_pairs
from imports.study.entries import Key
from imports.study.further import FurtherSeat, RatedBatch


@dataclass
class Plan:
    """The changes of an import, by external ids."""

    documents: list[str] = field(default_factory=list)
    queries: list[records.Query] = field(default_factory=list)
    topics: list[records.Topic] = field(default_factory=list)
    # Places of stored topics, or in stored queries: (topic, where).
    places: list[tuple[str, records.TopicPlace]] = field(default_factory=list)
    candidates: list[tuple[str, str, list[str]]] = field(default_factory=list)  # query, document
    pairs: stored_pairs.PairPlan = field(default_factory=stored_pairs.PairPlan)
    answered: list[Key] = field(default_factory=list)  # new pairs that come with answers
    # Pairs of topics of which one was stored without ratings, with their answers; and stored pairs
    # that were rated before, with a decision.
    late: list[Key] = field(default_factory=list)
    decided: list[Key] = field(default_factory=list)
    # Ratings of pairs that an earlier import brought with ratings, and the batches of these pairs.
    further: list[FurtherSeat] = field(default_factory=list)
    rated_batches: dict[int, RatedBatch] = field(default_factory=dict)
    # Rows that differ from the stored ones: in their texts, and in metadata alone.
    retold: list[str] = field(default_factory=list)
    annotated: list[str] = field(default_factory=list)
    reworded: list[records.Query] = field(default_factory=list)
    requeried: list[records.Query] = field(default_factory=list)
    retitled: list[records.Topic] = field(default_factory=list)
    annotated_topics: list[records.Topic] = field(default_factory=list)
    rearranged: list[records.Query] = field(default_factory=list)  # places in another order
    extended: list[records.Query] = field(default_factory=list)  # the stored places, and more
    resourced: list[Candidate] = field(default_factory=list)  # other sources, or text at last
    numbers: dict[str, str] = field(default_factory=dict)  # of people, by their names in the files
    extra: dict[str, Any] | None = None  # what the collection keeps beside, where it changes
    fills: dict[str, str] = field(default_factory=dict)  # empty fields of the collection

    @property
    def is_empty(self) -> bool:
        return not self.pairs.new and not any(
            value for name, value in vars(self).items() if name != "pairs"
        )

    @property
    def changed_count(self) -> int:
        documents = len(self.retold) + len(self.annotated)
        changed = [self.reworded, self.requeried, self.rearranged, self.extended]
        queries = {query.id for changed_queries in changed for query in changed_queries}
        topics = len(self.retitled) + len(self.annotated_topics)
        return documents + len(queries) + topics + len(self.resourced)
