"""Reading what the official DORIS-MAE file holds of a collection, in a fixed number of statements.

The records are those that the reader of such files makes; what they are called there is said in
`formats/doris_mae/records.py`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from typing import Any, NamedTuple

from django.db.models import Min, Q, QuerySet

from annotation.models import Batch, MachineRun, MachineScore, Pair, Rating
from datasets.models import Candidate, Collection, Membership, Query, Topic
from datasets.pseudonyms import published_name
from formats.doris_mae.records import AspectQuery, MachineAnswer, RatedPair
from formats.doris_mae.study import KIND, noted_run
from formats.grouping import grouped
from imports.machine import EXTRA_KEY as MACHINE_EXTRA
from imports.study.trees import stored_trees
from releases.formats import whole

# From as many seats on, a batch is a test set; a smaller one is for practice. What an import
# brought as a test set stays one.
TEST_SEATS = 3


@dataclass(frozen=True)
class AspectRows:
    """`extra` is what earlier imports left beside the rows; `run` is the (model, name) of the
    answers, None where there are none; `other_runs` are those that the file has no place for."""

    aspects: dict[str, str]
    queries: list[AspectQuery]
    rated: list[RatedPair]
    answers: Callable[[], Iterator[MachineAnswer]]
    run: tuple[str, str] | None
    other_runs: list[str]
    extra: Mapping[str, Any]


def read_aspect_rows(
    collection: Collection, pairs: QuerySet[Pair], blind: QuerySet[Batch], using: str
) -> AspectRows:
    """The rows of the file: ratings of `pairs` alone, and no answers of `blind` batches."""
    extra = collection.extra.get(KIND, {})
    queries = Query.objects.using(using).filter(collection=collection)
    runs = list(MachineRun.objects.using(using).filter(collection=collection))
    noted = noted_run(extra)
    run = next(
        (machine_run for machine_run in runs if (machine_run.model, machine_run.name) == noted),
        runs[0] if runs else None,
    )
    return AspectRows(
        aspects=dict(
            Topic.objects.using(using)
            .filter(collection=collection)
            .values_list("external_id", "text")
        ),
        queries=_queries(collection, queries, using),
        rated=_rated(collection, pairs, extra, using),
        answers=lambda: _answers(run, blind, using),
        run=(run.model, run.name) if run else None,
        other_runs=[str(machine_run) for machine_run in runs if machine_run != run],
        extra=extra,
    )


def _queries(collection: Collection, queries: QuerySet[Query], using: str) -> list[AspectQuery]:
    candidates = Candidate.objects.using(using).filter(query__in=queries)
    pools = grouped(candidates.order_by("position", "id").values_list("query", "external_id"))
    trees = stored_trees(collection, using)
    return [
        AspectQuery(
            query_id=query.external_id,
            text=query.text,
            sentences=query.sentences,
            tree=trees.get(query.external_id, {}),
            pool=pools[query.pk],
            strays=[],
            metadata=query.metadata,
            record=query.extra.get("record", []),
            place="",
        )
        for query in queries
    ]


# The columns of a RatingRow.
COLUMNS = (
    "pk",
    "annotator",
    "option__value",
    "pair__topic__external_id",
    "pair__document__external_id",
    "pair__topic__position",
    "pair__position",
    "pair__batch",
    "pair__batch__position",
    "pair__batch__imported",
)


class RatingRow(NamedTuple):
    """A rating with what puts its pair in order, as plain values."""

    pk: int
    annotator: int
    value: Decimal | None
    aspect: str
    abstract: str
    topic_position: int
    position: int
    batch: int
    batch_position: int
    imported: int | None

    @property
    def key(self) -> tuple[str, str]:
        return self.aspect, self.abstract

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """The place of its pair: as the imported file had it, else in pool order."""
        in_batch = self.topic_position if self.imported is None else self.pk
        return self.batch_position, self.batch, in_batch, self.position


def _rated(
    collection: Collection, pairs: QuerySet[Pair], extra: Mapping[str, Any], using: str
) -> list[RatedPair]:
    """Entries of Test_set, batch by batch."""
    batches = Batch.objects.using(using).filter(collection=collection).handed_in()
    batches = batches.filter(Q(overlap__gte=TEST_SEATS) | Q(imported__isnull=False))
    ratings = Rating.objects.using(using).filter(
        pair__in=pairs.filter(batch__in=batches.values("pk"))
    )
    ranks: dict[tuple[str, str], tuple[int, ...]] = {}
    answers: defaultdict[tuple[str, str], dict[int, int | None]] = defaultdict(dict)
    for row in map(RatingRow._make, ratings.order_by("id").values_list(*COLUMNS)):
        ranks.setdefault(row.key, row.rank)
        value = None if row.value is None else whole(row.value, *row.key)
        answers[row.key][row.annotator] = value
    names = _names(collection, using)
    records = {(aspect, abstract): record for aspect, abstract, record in extra.get("rated", [])}
    return [
        RatedPair(
            *key,
            answers={
                name: answers[key][annotator]
                for annotator, name in names.items()
                if annotator in answers[key]
            },
            record=records.get(key, []),
            place="",
        )
        for key in sorted(ranks, key=ranks.__getitem__)
    ]


def _names(collection: Collection, using: str) -> dict[int, str]:
    """{member: the key of their scores}, in the order in which they got their first seat.

    A person keeps the name that a published file has for them; others get the next free number.
    """
    members = (
        Membership.objects.using(using)
        .filter(collection=collection, tenures__isnull=False)
        .select_related("imported")
        .annotate(first_seat=Min("tenures__id"))
        .order_by("first_seat")
    )
    names = {member.pk: published_name(member) for member in members}
    used_names = set(names.values())
    free = (name for number in count(1) if (name := f"annotator_{number}") not in used_names)
    return {pk: name or next(free) for pk, name in names.items()}


def _answers(run: MachineRun | None, blind: QuerySet[Batch], using: str) -> Iterator[MachineAnswer]:
    if run is None:
        return
    of_run = MachineScore.objects.using(using).filter(run=run)
    scores = of_run.exclude(pair__batch__in=blind.values("pk")).order_by("id")
    for aspect, abstract, value, response, extra in scores.values_list(
        "pair__topic__external_id", "pair__document__external_id", "value", "response", "extra"
    ).iterator():
        yield MachineAnswer(
            aspect_id=aspect,
            abstract_id=abstract,
            value=None if value is None else whole(value, aspect, abstract),
            response=response,
            record=extra.get(MACHINE_EXTRA, []),
            place="",
        )
