"""Actions that add, name and remove judgments of others. They never become gold."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from accounts.models import User
from audit.actions import record
from audit.refusals import Invalid, Refused
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.changing import differing, write_change
from datasets.models import Collection, Judgments, JudgmentSet, Level, TopicPlace
from datasets.runs.levels import level_of
from datasets.runs.rankings import hash_of_columns
from formats import records
from formats.problems import Problems

ROWS_AT_ONCE = 500
# A file that speaks of whole queries says so; others are asked by their ids.
SAID = {"query": Level.QUERIES}


@dataclass(frozen=True)
class StoredJudgments:
    """A set of judgments, and whether it is new: the same file stored twice is one set."""

    judgment_set: JudgmentSet
    is_new: bool


def add_judgments(
    *,
    collection: Collection,
    judgments: records.JudgmentSet,
    by: User | None,
    key: str = "",
    level: str = "",
    scale_note: str = "",
) -> StoredJudgments:
    """Store what a reader made of a file as a named set beside the collection.

    Literals stay as they are written. `level` is guessed from the ids where it is empty, `key` is
    made from the name. Numbers of aspects that the file gives must be the collection's. The same
    judgments under the same key again change nothing. Raises BadInputError with file and line.
    """
    lists = _lists_of(judgments, collection)
    columns = _columns_of(lists)
    judgment_set = JudgmentSet(
        collection=collection,
        key=key or key_of(judgments.name),
        name=judgments.name,
        level=level_of(collection, lists.keys(), level=level or SAID.get(judgments.level, "")),
        scale_note=scale_note or judgments.note,
        file_name=judgments.file,
        file_sha256=judgments.sha256,
        content_sha256=hash_of_columns(columns),
        created_by=by,
    )
    return _store(judgment_set, columns)


def key_of(name: str) -> str:
    """The key of a set that is called so."""
    return "-".join(name.split())


def are_judgments_stored(*, collection: Collection, judgments: records.JudgmentSet) -> bool:
    """Whether the collection has these; refuses, as `add_judgments` does, others of their key."""
    earlier = JudgmentSet.objects.filter(collection=collection, key=key_of(judgments.name)).first()
    if earlier is None:
        return False
    columns = _columns_of(_lists_of(judgments, collection))
    if earlier.content_sha256 != hash_of_columns(columns):
        raise Refused(_other_judgments(earlier.key))
    return True


def _other_judgments(key: str) -> str:
    return (
        f"There are other judgments with the key {key!r} already. Remove them, or give these "
        "another name."
    )


def _columns_of(lists: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str, str]]:
    return [
        (external_id, "\n".join(literals), "\n".join(literals.values()))
        for external_id, literals in lists.items()
    ]


@one_transaction
def _store(judgment_set: JudgmentSet, columns: list[tuple[str, str, str]]) -> StoredJudgments:
    collection = judgment_set.collection
    # Two uploads of one file at once become one set.
    locked(collection)
    earlier = JudgmentSet.objects.filter(collection=collection, key=judgment_set.key).first()
    if earlier and earlier.content_sha256 == judgment_set.content_sha256:
        return StoredJudgments(earlier, is_new=False)
    if earlier:
        raise Refused(_other_judgments(earlier.key))
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
        Verb.ADD_JUDGMENTS,
        judgment_set,
        by=judgment_set.created_by,
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
    """Change what a set is called and the note on its scale."""
    locked(judgment_set.collection)
    judgment_set = JudgmentSet.objects.get(pk=judgment_set.pk)
    changed = differing(judgment_set, details)
    sets = JudgmentSet.objects.filter(collection=judgment_set.collection)
    if "key" in changed and sets.filter(key=changed["key"]).exists():
        raise Invalid(f"Other judgments of the collection have the key {changed['key']!r}.")
    write_change(judgment_set, changed, verb=Verb.CHANGE_JUDGMENTS, by=by)
    return judgment_set


@one_transaction
def remove_judgments(*, judgment_set: JudgmentSet, by: User) -> None:
    """Remove a set with all its judgments."""
    locked(judgment_set.collection)
    judgment_set = JudgmentSet.objects.get(pk=judgment_set.pk)
    record(
        Verb.REMOVE_JUDGMENTS,
        judgment_set,
        by=by,
        before={"key": judgment_set.key, "content": judgment_set.content_sha256},
    )
    judgment_set.delete()


def _lists_of(judgments: records.JudgmentSet, collection: Collection) -> dict[str, dict[str, str]]:
    """{topic or query: {document: literal}}, checked."""
    lists: dict[str, dict[str, str]] = {}
    problems = Problems()
    aspect_counts = (
        _aspect_counts(collection) if any(row.size for row in judgments.judgments) else {}
    )
    for row in judgments.judgments:
        literals = lists.setdefault(row.subject, {})
        if row.document in literals:
            problems.add(
                row.place.file,
                row.place.inside,
                f"the document {row.document} is judged twice for {row.subject}.",
                "Keep one of the two lines.",
            )
        if not row.literal.strip() or "\n" in row.literal:
            problems.add(
                row.place.file,
                row.place.inside,
                f"the grade {row.literal!r} is not a word or number on one line.",
            )
        count = aspect_counts.get(row.subject)
        if row.size and count is not None and str(count) != row.size:
            problems.add(
                row.place.file,
                row.place.inside,
                f"query {row.subject} has {row.size} aspects and sub-aspects here and {count} in "
                "the collection.",
                "Its sums would be of another scale. Import the version that these belong to.",
            )
        literals[row.document] = row.literal
    problems.raise_any()
    return lists


def _aspect_counts(collection: Collection) -> dict[str, int]:
    """{query: number of distinct aspects and sub-aspects}"""
    places = TopicPlace.objects.filter(query__collection=collection).order_by()
    return dict(places.values_list("query__external_id").annotate(Count("topic", distinct=True)))


def grade_counts(literals: Mapping[str, Mapping[str, str]]) -> list[tuple[str, int]]:
    """Each literal and how often it stands, by number where all are numbers."""
    counts = Counter(grade for grades in literals.values() for grade in grades.values())
    try:
        return sorted(counts.items(), key=lambda item: (float(item[0]), item[0]))
    except ValueError:
        return sorted(counts.items())


def grade_in_words(grades: Iterable[str]) -> str:
    """The first grade of several words, which no line of qrels can hold; empty without one."""
    return min((grade for grade in grades if len(grade.split()) > 1), default="")


def qrels_text(literals: Mapping[str, Mapping[str, str]]) -> str:
    """TREC's four columns, sorted; grades as they were written. Invalid where one has several
    words."""
    if grade := grade_in_words({word for of_one in literals.values() for word in of_one.values()}):
        raise Invalid(
            f"The grade {grade!r} has several words, and in qrels white space divides the columns. "
            "Read these judgments through the API, or import them again with one word for each "
            "grade."
        )
    return "".join(
        f"{subject} 0 {document} {literals[subject][document]}\n"
        for subject in sorted(literals)
        for document in sorted(literals[subject])
    )
