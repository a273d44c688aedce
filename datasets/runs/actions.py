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
from datasets.runs.rankings import hash_of_columns, lines_of, read_rankings
from datasets.runs.strangers import KnownDocuments
from formats import records
from formats.trec.runs import MAX_TAG_LENGTH

ROWS_AT_ONCE = 500
Columns = tuple[str, str, str, str]
COLUMNS = ("external_id", "documents", "scores", "ranks")


@dataclass(frozen=True)
class StoredRun:
    """A run, and whether it or some of its rankings are new: the same ones stored twice are one
    run. `further_count` rankings were added to those that the run had."""

    run: Run
    is_new: bool
    further_count: int = 0


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
    nothing; those of further topics are added to the run of the same tag and level, and other ones
    of its topics are refused.
    """
    if len(run.tag) > MAX_TAG_LENGTH:
        raise Invalid(f"The tag of the run is longer than {MAX_TAG_LENGTH} characters.")
    reading = read_rankings(run, by_rank=order == Run.Order.RANK)
    columns = [ranked.columns() for ranked in reading.lists]
    known = known or KnownDocuments(collection)
    row = Run(
        level=level_of(collection, run.topics, level=level),
        tag=run.tag,
        order=order,
        file_name=run.file,
        file_sha256=run.sha256,
        content_sha256=hash_of_columns(columns),
        report=reading.report | {"strangers": vars(known.strangers(run.lines))},
        created_by=by,
    )
    return _store(
        collection=collection,
        run=row,
        columns=columns,
        key=system or run.tag,
        known=known,
        details=details,
    )


def topics_to_add(*, collection: Collection, run: records.Run) -> list[str] | None:
    """The topics that the stored run of this tag does not rank and this one does; None where there
    is no such run. Refuses, as `add_run` does, another ranking of a topic."""
    runs = Run.objects.filter(system__collection=collection, system__key=run.tag, tag=run.tag)
    try:
        earlier = runs.filter(level=level_of(collection, run.topics)).first()
    except Invalid:  # of topics that come with it, or of none
        earlier = runs.first()
    if earlier is None:
        return None
    columns = [ranked.columns() for ranked in read_rankings(run, by_rank=False).lists]
    return [topic for topic, *_ in _further(earlier, Run.Order.SCORE, columns)]


def _further(run: Run, order: str, columns: list[Columns]) -> list[Columns]:
    """Those of the rankings whose topics a stored run does not rank; refuses other rankings of the
    topics that it does."""
    further = {texts[0]: texts for texts in columns}
    is_same = run.order == order
    if is_same and run.content_sha256 == hash_of_columns(columns):
        return []
    for texts in run.rankings.values_list(*COLUMNS).iterator():
        is_same &= further.pop(texts[0], texts) == texts
    if not is_same:
        raise Refused(
            f"{run.system} has another run {run.tag} of {Level(run.level).label} already. Remove "
            "that one and bring all of its rankings in one file, or write another tag into this "
            "file."
        )
    return list(further.values())


@one_transaction
def _store(
    *,
    collection: Collection,
    run: Run,
    columns: list[Columns],
    key: str,
    known: KnownDocuments,
    details: dict[str, Any],
) -> StoredRun:
    # Two uploads of one file at once become one run.
    locked(collection)
    system = System.objects.filter(collection=collection, key=key).first()
    if system is None:
        given = {name: value for name, value in details.items() if value not in ("", None)}
        system = System.objects.create(collection=collection, key=key, **{"name": key, **given})
    earlier = system.runs.filter(level=run.level, tag=run.tag).first()
    if earlier:
        return _add_rankings(earlier, run, _further(earlier, run.order, columns), known)
    run.system = system
    run.pk = None  # a second attempt of the transaction begins anew
    run.save(force_insert=True)
    _insert(run, columns)
    record(Verb.ADD_RUN, run, by=run.created_by, collection=collection, after=_trace(run))
    return StoredRun(run, is_new=True)


def _add_rankings(
    run: Run, coming: Run, columns: list[Columns], known: KnownDocuments
) -> StoredRun:
    """Add rankings of further topics, which came as `coming`, to a stored run."""
    if not columns:
        return StoredRun(run, is_new=False)
    before = _trace(run)
    _insert(run, columns)
    whole = list(run.rankings.values_list(*COLUMNS))
    lines = lines_of(whole)
    reading = read_rankings(records.Run(run.tag, "", "", lines))
    run.file_name, run.file_sha256 = coming.file_name, coming.file_sha256
    run.content_sha256 = hash_of_columns(whole)
    run.report = reading.report | {"strangers": vars(known.strangers(lines))}
    run.save(update_fields=["file_name", "file_sha256", "content_sha256", "report"])
    collection = run.system.collection
    record(
        Verb.ADD_RANKINGS,
        run,
        by=coming.created_by,
        collection=collection,
        before=before,
        after=_trace(run),
    )
    return StoredRun(run, is_new=True, further_count=len(columns))


def _insert(run: Run, columns: list[Columns]) -> None:
    rows = (Ranking(run=run, **dict(zip(COLUMNS, texts, strict=True))) for texts in columns)
    Ranking.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)


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
