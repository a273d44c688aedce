"""Reading what the official DORIS-MAE file holds of a collection, in a fixed number of statements.

The records are those that the reader of such files makes; what they are called there is said in
`formats/doris_mae/records.py`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

from django.db.models import Min, Q

from annotation.models import Batch, MachineRun, MachineScore, Rating
from datasets.models import Candidate, Document, Membership, Query, Topic
from formats.doris_mae.records import Abstract, AspectQuery, MachineAnswer, RatedPair
from imports.doris_mae.rows import EXTRA_KEY, noted_run
from imports.doris_mae.trees import stored_trees
from imports.machine import EXTRA_KEY as MACHINE_EXTRA
from releases.formats import whole

# From as many seats on, a batch is a test set; a smaller one is for practice. What an import
# brought as a test set stays one.
TEST_SEATS = 3


@dataclass(frozen=True)
class AspectRows:
    """`kept` is what earlier imports left beside the rows; `run` is the (model, name) of the
    answers, None where there are none; `other_runs` are those that the file has no place for."""

    aspects: dict[str, str]
    queries: list[AspectQuery]
    rated: list[RatedPair]
    abstracts: Callable[[], Iterator[Abstract]]
    answers: Callable[[], Iterator[MachineAnswer]]
    run: tuple[str, str] | None
    other_runs: list[str]
    kept: dict


def read_aspect_rows(collection, pairs, using):
    """The rows of the file; of ratings only those of `pairs`."""
    kept = collection.extra.get(EXTRA_KEY, {})
    queries = Query.objects.using(using).filter(collection=collection)
    runs = list(MachineRun.objects.using(using).filter(collection=collection))
    noted = noted_run(collection)
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
        rated=_rated(collection, pairs, kept, using),
        abstracts=lambda: _abstracts(collection, using),
        answers=lambda: _answers(run, using),
        run=(run.model, run.name) if run else None,
        other_runs=[str(machine_run) for machine_run in runs if machine_run != run],
        kept=kept,
    )


def _queries(collection, queries, using):
    pools = defaultdict(list)
    candidates = Candidate.objects.using(using).filter(query__in=queries)
    for query, abstract_id in candidates.order_by("position", "id").values_list(
        "query", "external_id"
    ):
        pools[query].append(abstract_id)
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


def _abstracts(collection, using):
    documents = Document.objects.using(using).filter(collection=collection)
    for document in documents.order_by("position", "id").iterator(chunk_size=500):
        yield Abstract(
            abstract_id=document.external_id,
            title=document.title,
            sentences=document.sentences,
            metadata=document.metadata,
            record=document.extra.get("record", []),
            place="",
        )


def _rated(collection, pairs, kept, using):
    """Entries of Test_set, batch by batch: as the imported file had them, else in pool order."""
    batches = Batch.objects.using(using).filter(collection=collection).handed_in()
    batches = batches.filter(Q(overlap__gte=TEST_SEATS) | Q(imported__isnull=False))
    names = _names(collection, using)
    records = {(aspect, abstract): record for aspect, abstract, record in kept.get("rated", [])}
    ranks, answers = {}, defaultdict(dict)
    for rating in (
        Rating.objects.using(using)
        .filter(pair__in=pairs.filter(batch__in=batches.values("pk")))
        .order_by("id")
        .values(
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
    ):
        key = rating["pair__topic__external_id"], rating["pair__document__external_id"]
        is_imported = rating["pair__batch__imported"] is not None
        ranks.setdefault(
            key,
            (
                rating["pair__batch__position"],
                rating["pair__batch"],
                rating["pk"] if is_imported else rating["pair__topic__position"],
                rating["pair__position"],
            ),
        )
        value = rating["option__value"]
        answers[key][rating["annotator"]] = None if value is None else whole(value, *key)
    return [
        RatedPair(
            *key,
            answers={
                names[annotator]: answers[key][annotator]
                for annotator in names
                if annotator in answers[key]
            },
            record=records.get(key, []),
            place="",
        )
        for key in sorted(ranks, key=ranks.get)
    ]


def _names(collection, using):
    """{member: the key of their scores}, in the order in which they got their first seat.

    A person from a file keeps the file's name; others get the next free number.
    """
    members = (
        Membership.objects.using(using)
        .filter(collection=collection, tenures__isnull=False)
        .annotate(first_seat=Min("tenures__id"))
        .order_by("first_seat")
        .values_list("pk", "external_id")
    )
    used_names = {external_id for _, external_id in members}
    free = (name for number in count(1) if (name := f"annotator_{number}") not in used_names)
    return {pk: external_id or next(free) for pk, external_id in members}


def _answers(run, using):
    if run is None:
        return
    scores = MachineScore.objects.using(using).filter(run=run).order_by("id")
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
