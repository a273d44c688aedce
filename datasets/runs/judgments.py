"""What adds, names and removes judgments of others. They never become gold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from audit.actions import record
from audit.refusals import Invalid, Refused
from audit.transactions import one_transaction
from datasets.models import Collection, Judgments, JudgmentSet, TopicPlace
from datasets.runs.levels import level_of
from datasets.runs.rankings import hash_of_columns

ROWS_AT_ONCE = 500
SET_DETAILS = ["key", "name", "scale_note"]


@dataclass(frozen=True)
class StoredJudgments:
    """A set of judgments, and whether it is new: the same file stored twice is one set."""

    judgment_set: JudgmentSet
    is_new: bool


def add_judgments(
    *,
    collection: Collection,
    grades: Mapping[str, Mapping[str, str]],
    key: str,
    file_name: str,
    file_sha256: str,
    by: User | None,
    name: str = "",
    level: str = "",
    scale_note: str = "",
    aspect_counts: Mapping[str, int] | None = None,
) -> StoredJudgments:
    """Store {topic or query: {document: literal}} as a named set beside the collection.

    Literals stay as they are written. `level` is guessed from the ids where it is empty.
    `aspect_counts` are the numbers of aspects and sub-aspects that the file gives its queries; they
    must be the collection's. The same judgments under the same key again change nothing.
    """
    _check(grades)
    if aspect_counts:
        _check_aspect_counts(collection, aspect_counts)
    columns = [
        (external_id, "\n".join(literals), "\n".join(literals.values()))
        for external_id, literals in grades.items()
    ]
    judgment_set = JudgmentSet(
        collection=collection,
        key=key,
        name=name or key,
        level=level_of(collection, grades.keys(), level=level),
        scale_note=scale_note,
        file_name=file_name,
        file_sha256=file_sha256,
        content_sha256=hash_of_columns(columns),
        created_by=by,
    )
    return _store(judgment_set, columns)


@one_transaction
def _store(judgment_set: JudgmentSet, columns: list[tuple[str, str, str]]) -> StoredJudgments:
    collection = judgment_set.collection
    _lock(collection)
    earlier = JudgmentSet.objects.filter(collection=collection, key=judgment_set.key).first()
    if earlier and earlier.content_sha256 == judgment_set.content_sha256:
        return StoredJudgments(earlier, is_new=False)
    if earlier:
        raise Refused(
            f"There are other judgments with the key {judgment_set.key!r} already. Remove them, or "
            "choose another key."
        )
    judgment_set.pk = None  # a second attempt of the transaction begins anew
    judgment_set.save(force_insert=True)
    Judgments.objects.bulk_create(
        (
            Judgments(
                judgment_set=judgment_set,
                external_id=external_id,
                documents=documents,
                literals=literals,
            )
            for external_id, documents, literals in columns
        ),
        batch_size=ROWS_AT_ONCE,
    )
    record(
        verb="add judgments",
        subject=judgment_set,
        by=judgment_set.created_by,
        collection=collection,
        after={
            "key": judgment_set.key,
            "name": judgment_set.name,
            "level": judgment_set.level,
            "file": judgment_set.file_name,
            "sha256": judgment_set.file_sha256,
            "content": judgment_set.content_sha256,
        },
    )
    return StoredJudgments(judgment_set, is_new=True)


@one_transaction
def change_judgments(*, judgment_set: JudgmentSet, by: User, **details: Any) -> JudgmentSet:
    """Change what a set is called and the note on its scale (SET_DETAILS)."""
    _lock(judgment_set.collection)
    judgment_set = JudgmentSet.objects.get(pk=judgment_set.pk)
    before = {name: getattr(judgment_set, name) for name in details}
    changed = {name: value for name, value in details.items() if before[name] != value}
    if not changed:
        return judgment_set
    sets = JudgmentSet.objects.filter(collection=judgment_set.collection)
    if "key" in changed and sets.filter(key=changed["key"]).exists():
        raise Invalid(f"Other judgments of the collection have the key {changed['key']!r}.")
    for name, value in changed.items():
        setattr(judgment_set, name, value)
    judgment_set.save(update_fields=list(changed))
    record(
        verb="change judgments",
        subject=judgment_set,
        by=by,
        collection=judgment_set.collection,
        before={name: before[name] for name in changed},
        after=changed,
    )
    return judgment_set


@one_transaction
def remove_judgments(*, judgment_set: JudgmentSet, by: User) -> None:
    """Remove a set with all its judgments."""
    _lock(judgment_set.collection)
    judgment_set = JudgmentSet.objects.get(pk=judgment_set.pk)
    record(
        verb="remove judgments",
        subject=judgment_set,
        by=by,
        collection=judgment_set.collection,
        before={"key": judgment_set.key, "content": judgment_set.content_sha256},
    )
    judgment_set.delete()


def _lock(collection: Collection) -> None:
    # Two uploads of one file at once become one set.
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)


def _check(grades: Mapping[str, Mapping[str, str]]) -> None:
    for external_id, literals in grades.items():
        for document, literal in literals.items():
            if not literal.strip() or "\n" in literal:
                raise Invalid(
                    f"The grade of {document} for {external_id} is {literal!r}. A grade is a word "
                    "or number on one line."
                )


def _check_aspect_counts(collection: Collection, counts: Mapping[str, int]) -> None:
    topics: dict[str, set[int]] = {}
    places = TopicPlace.objects.filter(query__collection=collection)
    for query, topic in places.values_list("query__external_id", "topic"):
        topics.setdefault(query, set()).add(topic)
    for query, count in counts.items():
        if query in topics and len(topics[query]) != count:
            raise Invalid(
                f"The file says that query {query} has {count} aspects and sub-aspects; here it "
                f"has {len(topics[query])}. Its sums would be of another scale."
            )
