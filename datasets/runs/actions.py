"""Actions that add, name and remove runs and the systems that made them."""

from dataclasses import dataclass
from typing import Any

from accounts.models import User
from audit.actions import record
from audit.refusals import Invalid, Refused
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.changing import differing, write_change
from datasets.models import Collection, Level, Ranking, Run, System
from datasets.runs.levels import level_of
from datasets.runs.rankings import hash_of_columns, read_rankings
from datasets.runs.strangers import KnownDocuments
from formats import records
from formats.trec.runs import MAX_TAG_LENGTH

ROWS_AT_ONCE = 500


@dataclass(frozen=True)
class StoredRun:
    """A run, and whether it is new: the same rankings stored twice are one run."""

    run: Run
    is_new: bool


def add_run(
    *,
    collection: Collection,
    run: records.Run,
    by: User | None,
    level: str = "",
    order: str = Run.Order.SCORE,
    system: str = "",
    known: KnownDocuments | None = None,
    **details: Any,
) -> StoredRun:
    """Store a run that was read strictly, under the system of that key (by default its tag).

    `level` is guessed from the ids where it is empty. `known` saves reading the documents of the
    collection for each of many runs. `details` (name, kind, model_family,
    is_pooled) are those of a system that is new. The same rankings of the same system again change
    nothing; others with the same tag at the same level are refused.
    """
    if len(run.tag) > MAX_TAG_LENGTH:
        raise Invalid(f"The tag of the run is longer than {MAX_TAG_LENGTH} characters.")
    reading = read_rankings(run, by_rank=order == Run.Order.RANK)
    columns = [ranked.columns() for ranked in reading.lists]
    strangers = (known or KnownDocuments(collection)).strangers(run.lines)
    row = Run(
        level=level_of(collection, run.topics, level=level),
        tag=run.tag,
        order=order,
        file_name=run.file,
        file_sha256=run.sha256,
        content_sha256=hash_of_columns(columns),
        report=reading.report | {"strangers": vars(strangers)},
        created_by=by,
    )
    return _store(
        collection=collection, run=row, columns=columns, key=system or run.tag, details=details
    )


def is_run_stored(*, collection: Collection, run: records.Run) -> bool:
    """Whether the collection has this run; refuses, as `add_run` does, another of its tag."""
    earlier = Run.objects.filter(system__collection=collection, system__key=run.tag, tag=run.tag)
    if not earlier.exists():
        return False
    same_level = earlier.filter(level=level_of(collection, run.topics)).first()
    if same_level is None:
        return False
    columns = [ranked.columns() for ranked in read_rankings(run, by_rank=False).lists]
    content = hash_of_columns(columns)
    if (same_level.content_sha256, same_level.order) != (content, Run.Order.SCORE):
        raise Refused(_another_run(same_level))
    return True


def _another_run(run: Run) -> str:
    return (
        f"{run.system} has another run {run.tag} of {Level(run.level).label} already. Remove that "
        "one and bring all of its rankings in one file, or write another tag into this file."
    )


@one_transaction
def _store(
    *,
    collection: Collection,
    run: Run,
    columns: list[tuple[str, str, str, str]],
    key: str,
    details: dict[str, Any],
) -> StoredRun:
    # Two uploads of one file at once become one run.
    locked(collection)
    system = System.objects.filter(collection=collection, key=key).first()
    if system is None:
        system = System.objects.create(
            collection=collection, key=key, **{"name": key, **_filled(details)}
        )
    earlier = system.runs.filter(level=run.level, tag=run.tag).first()
    if earlier and earlier.content_sha256 == run.content_sha256 and earlier.order == run.order:
        return StoredRun(earlier, is_new=False)
    if earlier:
        raise Refused(_another_run(earlier))
    run.system = system
    run.pk = None  # a second attempt of the transaction begins anew
    run.save(force_insert=True)
    Ranking.objects.bulk_create(
        (
            Ranking(run=run, external_id=name, documents=documents, scores=scores, ranks=ranks)
            for name, documents, scores, ranks in columns
        ),
        batch_size=ROWS_AT_ONCE,
    )
    record(Verb.ADD_RUN, run, by=run.created_by, collection=collection, after=_trace(run))
    return StoredRun(run, is_new=True)


def _trace(run: Run) -> dict[str, str]:
    """A run as the trail records it."""
    return {
        "system": run.system.key,
        "tag": run.tag,
        "level": run.level,
        "order": run.order,
        "file": run.file_name,
        "sha256": run.file_sha256,
        "content": run.content_sha256,
    }


@one_transaction
def change_system(*, system: System, by: User, **details: Any) -> System:
    """Change what a system is called and what kind it is."""
    locked(system.collection)
    system = System.objects.get(pk=system.pk)
    changed = differing(system, details)
    key = changed.get("key")
    if key and System.objects.filter(collection=system.collection, key=key).exists():
        raise Invalid(f"Another system of the collection has the key {key!r}.")
    write_change(system, changed, verb=Verb.CHANGE_SYSTEM, by=by)
    return system


@one_transaction
def remove_run(*, run: Run, by: User) -> None:
    """Remove a run and its rankings; its system goes with its last run.

    Pools keep what the run brought into them, with its name.
    """
    locked(run.system.collection)
    run = Run.objects.select_related("system__collection").get(pk=run.pk)
    system = run.system
    record(
        Verb.REMOVE_RUN,
        run,
        by=by,
        collection=system.collection,
        before={"system": system.key, "tag": run.tag, "content": run.content_sha256},
    )
    run.delete()
    if not system.runs.exists():
        system.delete()


def _filled(details: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in details.items() if value not in ("", None)}
