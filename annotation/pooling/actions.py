"""Making a pool from runs: candidates with their ranks, and pairs that wait for a batch."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max

from accounts.models import User
from annotation.assigning.actions.batches import free_name, hand_out
from annotation.authoring.rules import lock_collection
from annotation.models import Batch, Pair
from annotation.pooling.draw import Pool, Way, draw_pool
from annotation.pooling.reading import (
    Subject,
    labelled_rankings,
    stock_of,
    subjects_of,
)
from annotation.reading.fixed import lock_batches, shown_as_before
from audit.actions import record
from audit.refusals import Invalid, Locked
from audit.transactions import one_transaction
from datasets.models import Candidate, Collection, Run, System, Topic
from datasets.positions import next_position

ROWS_AT_ONCE = 500
MAX_SIZE = 10_000
MAX_SEED_LENGTH = 40


@dataclass(frozen=True)
class Made:
    """What a pool added: candidates that are new, pairs that are new and wait for a batch, and how
    many of its documents the collection has no text of."""

    candidates: int
    pairs: int
    without_text: int
    resourced: int  # candidates that were there and know more runs now

    @property
    def changes_nothing(self) -> bool:
        return not (self.candidates or self.pairs or self.resourced)


@one_transaction
def make_pool(
    *,
    collection: Collection,
    runs: Sequence[Run],
    way: Way,
    size: int,
    by: User,
    seed: str = "",
    whole: Sequence[Run] = (),
) -> Made:
    """Add what runs of one level put on top to the pools, and the pairs that this asks for.

    `size` is the depth, or the number of documents of each run; runs in `whole` are taken whole.
    The same runs, size and seed again change nothing. A document without text becomes a candidate
    without pairs. Nothing leaves a pool. Refused where a locked topic would get a pair.
    """
    levels = {run.level for run in [*runs, *whole]}
    if len(levels) != 1:
        raise Invalid("Choose at least one run, and runs of one level: topics or queries.")
    if not 1 <= size <= MAX_SIZE:
        raise Invalid(f"Choose a number between 1 and {MAX_SIZE:,}.")
    if len(seed) > MAX_SEED_LENGTH or (way == Way.DRAW and not seed.strip()):
        raise Invalid(f"The draw needs a seed, of at most {MAX_SEED_LENGTH} characters.")
    lock_collection(collection)
    lock_batches(collection)
    subjects = subjects_of(collection, levels.pop())
    every = list({run.pk: run for run in [*runs, *whole]}.values())
    rankings = labelled_rankings(every, subjects)
    pool = draw_pool(rankings, way=way, size=size, seed=seed, whole=[run.label for run in whole])
    stock = stock_of(collection)
    topics = {topic.pk for name in pool for topic in subjects[name].topics}
    with shown_as_before(topics):
        candidates, resourced = _add_candidates(pool, subjects, stock.documents)
    pairs = _add_pairs(stock.new_pairs(pool, subjects))
    System.objects.filter(runs__in=[run.pk for run in every]).update(is_pooled=True)
    made = Made(candidates, pairs, len(stock.without_text(pool)), resourced)
    if not made.changes_nothing:
        record(
            verb="pool from runs",
            subject=collection,
            by=by,
            collection=collection,
            after={
                "way": way,
                "size": size,
                "seed": seed if way == Way.DRAW else "",
                "runs": {run.label: run.content_sha256 for run in every},
                "whole": sorted(run.label for run in whole),
                "candidates": candidates,
                "pairs": pairs,
            },
        )
    return made


def _add_candidates(
    pool: Pool, subjects: dict[str, Subject], documents: dict[str, int]
) -> tuple[int, int]:
    """Add what is new and tell what is there of its runs; (new, told more)."""
    queries = {subjects[name].query.pk for name in pool}
    known: dict[int, dict[str, Candidate]] = {query: {} for query in queries}
    last: dict[int, int] = dict.fromkeys(queries, -1)
    for candidate in Candidate.including_inactive.filter(query__in=queries):
        known[candidate.query_id][candidate.external_id] = candidate
        last[candidate.query_id] = max(last[candidate.query_id], candidate.position)
    new: list[Candidate] = []
    changed: dict[int, Candidate] = {}
    for name, pooled in pool.items():
        query = subjects[name].query
        for one in pooled:
            if one.document not in known[query.pk]:
                last[query.pk] += 1
                known[query.pk][one.document] = Candidate(
                    query=query,
                    external_id=one.document,
                    document_id=documents.get(one.document),
                    position=last[query.pk],
                )
                new.append(known[query.pk][one.document])
            candidate = known[query.pk][one.document]
            if _learns(candidate, name, one.ranks, documents) and candidate.pk:
                changed[candidate.pk] = candidate
    Candidate.objects.bulk_create(new, batch_size=ROWS_AT_ONCE)
    Candidate.objects.bulk_update(
        changed.values(), ["sources", "ranks", "document"], batch_size=ROWS_AT_ONCE
    )
    return len(new), len(changed)


def _learns(
    candidate: Candidate, name: str, ranks: dict[str, int], documents: dict[str, int]
) -> bool:
    """Note on a candidate which runs proposed it for a topic, and its text if it came since."""
    sources = [*candidate.sources, *(run for run in ranks if run not in candidate.sources)]
    noted = {**candidate.ranks, name: {**candidate.ranks.get(name, {}), **ranks}}
    document = candidate.document_id or documents.get(candidate.external_id)
    before = (candidate.sources, candidate.ranks, candidate.document_id)
    candidate.sources, candidate.ranks, candidate.document_id = sources, noted, document
    return before != (sources, noted, document)


def _add_pairs(new: list[tuple[Topic, int]]) -> int:
    topics = {topic.pk for topic, _ in new}
    rows = Pair.including_inactive.filter(topic__in=topics).order_by()
    last = dict(rows.values_list("topic").annotate(last=Max("position")))
    pairs = []
    for topic, document in new:
        if topic.is_locked:
            raise Locked(
                f"Topic {topic.external_id} is locked, and the pool would add to it. Nothing was "
                "changed. Unlock it first."
            )
        last[topic.pk] = last.get(topic.pk, -1) + 1
        pairs.append(Pair(topic=topic, document_id=document, position=last[topic.pk]))
    Pair.objects.bulk_create(pairs, batch_size=ROWS_AT_ONCE)
    return len(pairs)


@one_transaction
def draw_unjudged(*, collection: Collection, run: Run, depth: int, by: User) -> Batch:
    """Add what is unjudged of a run's first `depth` documents to the pools, and hand all of it out
    in one batch, which is returned."""
    stock = stock_of(collection)
    make_pool(collection=collection, runs=[run], way=Way.DEPTH, size=depth, by=by)
    new = Pair.objects.waiting().filter(topic__collection=collection)
    keys = [
        pk
        for pk, topic, document in new.values_list("pk", "topic", "document")
        if (topic, document) not in stock.pairs
    ]
    if not keys:
        raise Invalid(f"Every document that {run} has in its first {depth:,} is judged or waits.")
    taken = set(collection.batches.values_list("name", flat=True))
    batch = Batch(
        collection=collection,
        name=free_name(f"{run}, first {depth}", taken),
        overlap=collection.scheme.overlap,
        position=next_position(collection.batches),
        created_by=by,
    )
    return hand_out(batch, keys)
