"""Writing a pool from runs: candidates with their ranks, and pairs that wait for a batch."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.assigning.actions.batches import hand_out
from annotation.models import Batch, Pair
from annotation.pooling.draw import MAX_SEED_LENGTH, MAX_SIZE, Pool, Way, draw_pool
from annotation.pooling.reading import Subject, labelled_rankings, stock_of, subjects_of
from audit.actions import record
from audit.refusals import Invalid
from audit.verbs import Verb
from datasets.models import Candidate, Collection, Run, System
from datasets.positions import next_positions
from imports import pairs as pairs_in
from imports.bulk_rows import PlainUpdate
from imports.life import Writer
from imports.run import Moving, Writing

KIND = "pool from runs"


@dataclass(frozen=True)
class PoolRequest:
    """`size` is the depth, or the number of documents of each run; those in `whole` are taken
    whole."""

    runs: Sequence[Run]
    way: Way
    size: int
    seed: str = ""
    whole: Sequence[Run] = ()

    def __post_init__(self) -> None:
        if len({run.level for run in self.all_runs}) != 1:
            raise Invalid("Choose at least one run, and runs of one level: topics or queries.")
        if not 1 <= self.size <= MAX_SIZE:
            raise Invalid(f"Choose a number between 1 and {MAX_SIZE:,}.")
        if len(self.seed) > MAX_SEED_LENGTH or (self.way == Way.DRAW and not self.seed.strip()):
            raise Invalid(f"The draw needs a seed, of at most {MAX_SEED_LENGTH} characters.")

    @property
    def all_runs(self) -> list[Run]:
        return list({run.pk: run for run in [*self.runs, *self.whole]}.values())

    def as_request(self) -> dict[str, Any]:
        """The fields by which the trail recognises the same pool."""
        return {
            "way": self.way,
            "size": self.size,
            "seed": self.seed if self.way == Way.DRAW else "",
            "runs": {run.label: run.content_sha256 for run in self.all_runs},
            "whole": sorted(run.label for run in self.whole),
        }


@dataclass
class Changes:
    """Changes to the candidates. `changed` are stored candidates that gain runs or a text."""

    new: list[Candidate] = field(default_factory=list)
    changed: dict[int, Candidate] = field(default_factory=dict)


class PoolMoving(Moving):
    """Nothing leaves a pool; a document without text becomes a candidate without pairs.

    With `batch_name`, the pairs are handed out in a batch of that name as well.
    """

    kind = KIND
    compares_always = True
    batch: Batch

    def __init__(
        self, collection: Collection, by: Any, request: PoolRequest, *, batch_name: str = ""
    ) -> None:
        super().__init__(collection, by)
        self.request, self.batch_name = request, batch_name

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(
            json.dumps(self.request.as_request(), sort_keys=True).encode()
        ).hexdigest()

    def compare(self) -> None:
        request = self.request
        runs = request.all_runs
        self.subjects = subjects_of(self.collection, runs[0].level)
        whole = [run.label for run in request.whole]
        self.pool = draw_pool(
            labelled_rankings(runs, self.subjects),
            way=request.way,
            size=request.size,
            seed=request.seed,
            whole_runs=whole,
        )
        stock = stock_of(self.collection)
        self.changes = changes_of(self.pool, self.subjects, stock.documents)
        self.new_pairs = stock.new_pairs(self.pool, self.subjects)
        self.without_text = stock.without_text(self.pool)
        if self.batch_name and not self.new_pairs:
            raise Invalid(f"Every document of “{self.batch_name}” is judged or waits.")

    @property
    def growing_topics(self) -> set[str]:
        return {topic.external_id for topic, _ in self.new_pairs}

    @property
    def is_empty(self) -> bool:
        return not (self.changes.new or self.changes.changed or self.new_pairs)

    @property
    def row_count(self) -> int:
        return len(self.changes.new) + len(self.new_pairs)

    def write(self, writer: Writer, writing: Writing) -> None:
        writer.insert_plain(
            Candidate,
            ["imported_id", *CANDIDATE_FIELDS],
            (
                (writer.imported.pk, *(getattr(candidate, name) for name in CANDIDATE_FIELDS))
                for candidate in self.changes.new
            ),
            progress=writing,
        )
        writer.insert_plain(
            Pair,
            ["imported_id", "topic_id", "document_id", "position", "batch_id", *pairs_in.SETTLED],
            self._pair_rows(writer.imported.pk),
            progress=writing,
        )

    def _pair_rows(self, imported: int) -> Iterator[tuple[Any, ...]]:
        topics = {topic.pk for topic, _ in self.new_pairs}
        next_of = next_positions(Pair.including_inactive.filter(topic__in=topics), by="topic")
        for topic, document in self.new_pairs:
            position = next_of.get(topic.pk, 0)
            next_of[topic.pk] = position + 1
            yield imported, topic.pk, document, position, None, *pairs_in.UNSETTLED

    @property
    def stakes(self) -> set[int]:
        return {topic.pk for name in self.pool for topic in self.subjects[name].topics}

    @property
    def changed_candidates(self) -> list[int]:
        return list(self.changes.changed)

    def apply(self) -> None:
        update = PlainUpdate(Candidate, ["sources", "ranks", "document_id"])
        update.execute(
            (candidate.sources, candidate.ranks, candidate.document_id, key)
            for key, candidate in self.changes.changed.items()
        )
        runs = [run.pk for run in self.request.all_runs]
        System.objects.filter(runs__in=runs).update(is_pooled=True)

    def follow_up(self) -> None:
        record(
            Verb.POOL_FROM_RUNS,
            self.collection,
            by=self.by,
            collection=self.collection,
            after={
                **self.request.as_request(),
                "candidates": len(self.changes.new),
                "pairs": len(self.new_pairs),
            },
        )
        if self.batch_name:
            self._hand_out()

    def _hand_out(self) -> None:
        collection = self.collection
        pair_keys = {(topic.pk, document) for topic, document in self.new_pairs}
        waiting = Pair.objects.waiting().filter(topic__in={topic for topic, _ in pair_keys})
        rows = waiting.values_list("pk", "topic", "document")
        batch = Batch(name=self.batch_name, overlap=collection.scheme.overlap)
        pairs = [pk for pk, *pair in rows if tuple(pair) in pair_keys]
        [self.batch] = hand_out([(batch, pairs)], collection=collection, by=self.by)

    def summary(self) -> dict[str, Any]:
        return {
            "candidates": len(self.changes.new),
            "pairs": len(self.new_pairs),
            "changed": len(self.changes.changed),
            "without_text_count": len(self.without_text),
        }


CANDIDATE_FIELDS = ["query_id", "external_id", "document_id", "sources", "ranks", "position"]


def changes_of(pool: Pool, subjects: dict[str, Subject], documents: dict[str, int]) -> Changes:
    """New candidates, and stored ones that learn of runs or a text; nothing is written."""
    queries = {subjects[name].query.pk for name in pool}
    stored: dict[int, dict[str, Candidate]] = {query: {} for query in queries}
    last: dict[int, int] = dict.fromkeys(queries, -1)
    for candidate in Candidate.including_inactive.filter(query__in=queries):
        stored[candidate.query_id][candidate.external_id] = candidate
        last[candidate.query_id] = max(last[candidate.query_id], candidate.position)
    changes = Changes()
    for name, pooled in pool.items():
        query = subjects[name].query
        for entry in pooled:
            if entry.document not in stored[query.pk]:
                last[query.pk] += 1
                stored[query.pk][entry.document] = Candidate(
                    query=query,
                    external_id=entry.document,
                    document_id=documents.get(entry.document),
                    position=last[query.pk],
                )
                changes.new.append(stored[query.pk][entry.document])
            candidate = stored[query.pk][entry.document]
            if _adds_runs(candidate, name, entry.ranks, documents) and candidate.pk:
                changes.changed[candidate.pk] = candidate
    return changes


def _adds_runs(
    candidate: Candidate, name: str, ranks: dict[str, int], documents: dict[str, int]
) -> bool:
    """Note on a candidate which runs proposed it for a topic, and its text if it came since."""
    sources = [*candidate.sources, *(run for run in ranks if run not in candidate.sources)]
    noted = {**candidate.ranks, name: {**candidate.ranks.get(name, {}), **ranks}}
    document = candidate.document_id or documents.get(candidate.external_id)
    before = (candidate.sources, candidate.ranks, candidate.document_id)
    candidate.sources, candidate.ranks, candidate.document_id = sources, noted, document
    return before != (sources, noted, document)
