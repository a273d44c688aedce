"""The common steps of all imports: compare, write under an inactive import, activate at the end."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import connection, transaction

from accounts.models import User
from adjudication.models import Decision
from annotation.models import Scheme
from annotation.reading.fixed import lock_batches, shown_as_before
from audit.models import Event
from audit.refusals import Refused
from audit.transactions import locked
from audit.verbs import Verb
from datasets.models import Collection, Import
from formats.decimals import printed_grade
from formats.problems import BadInputError, Problems
from formats.words import counted
from imports import life
from imports import pairs as pairs_in
from imports.evidence import answer_evidence, pool_evidence, text_evidence

# The counts of an import's summary, with their names.
COUNTED = {
    "papers": "document",
    "queries": "query",
    "topics": "topic",
    "pairs": "pair",
    "ratings": "rating",
    "decisions": "decision",
    "machine_scores": "machine score",
    "runs": "run",
    "judgment_sets": "set of judgments",
}

Progress = Callable[[int, int, str], None]
Writing = Callable[[int], None]
# The last transaction, which yields the result that a job shows.
Effect = Callable[[], AbstractContextManager[dict[str, Any]]]


@dataclass(frozen=True)
class Outcome:
    """The outcome of an import. `imported` is None if everything was there already; `remarks` are
    those of what was compared then."""

    imported: Import | None
    summary: dict[str, Any]
    remarks: Sequence[str] = ()

    @property
    def sentence(self) -> str:
        if self.imported is None:
            return "Everything in these files is in the collection already. Nothing was changed."
        added = added_in_words(self.summary)
        sentence = f"Added {added}." if added else "Nothing was added."
        changed = self.summary["changed"]
        if not changed:
            return sentence
        verb = "was" if changed == 1 else "were"
        return f"{sentence} {counted(changed, 'stored entry')} {verb} updated."


def added_in_words(summary: Mapping[str, Any]) -> str:
    """What an import adds, "" where it is nothing: "3 documents, 1 query"."""
    counts = [(summary.get(key), word) for key, word in COUNTED.items()]
    return ", ".join(counted(count, word) for count, word in counts if count)


def _some(shown: Sequence[str], count: int, separator: str = ", ") -> str:
    more = f"{separator}and others, {count:,} in all" if count > len(shown) else ""
    return separator.join(shown) + more


def remarks_on(summary: Mapping[str, Any]) -> list[str]:
    """What the counts of an import's summary do not say."""
    sentences = []
    if count := summary.get("without_text_count"):
        sentences.append(
            "Named in a pool but without text, kept as candidates without pairs: "
            f"{_some(summary['without_text'], count)}."
        )
    if count := summary.get("unpooled"):
        sentences.append(f"Documents in no pool, counted and not kept: {count:,}.")
    if count := summary.get("unparsed_count"):
        sentences.append(
            "Machine answers that could not be read as a score (-1), kept without a value: "
            f"{_some(summary['unparsed'], count, '; ')}."
        )
    return [*sentences, *summary.get("notes", [])]


class Moving(ABC):
    """One import of one kind, from comparing to the last transaction.

    `kind` and `fingerprint` tell the same input. What is refused goes to `problems`.
    """

    kind = ""
    # Whether the same input is compared again, since the collection may have changed in other ways.
    compares_always = False

    def __init__(self, collection: Collection, by: User | None) -> None:
        self.collection, self.by = collection, by
        self.problems = Problems()

    @property
    @abstractmethod
    def fingerprint(self) -> str: ...

    @abstractmethod
    def compare(self) -> None:
        """Compare with the stored rows, and plan."""

    @property
    @abstractmethod
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""

    @property
    @abstractmethod
    def row_count(self) -> int:
        """About how many rows `write` inserts."""

    @abstractmethod
    def write(self, writer: life.Writer, writing: Writing) -> None:
        """Insert the rows, and call `writing` with how many are there."""

    @abstractmethod
    def apply(self) -> None:
        """Change stored rows in the last transaction; may still add problems."""

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """The counts of it all (COUNTED), and what else its page shows."""

    @property
    def growing_topics(self) -> Container[str]:
        """External ids of the topics that get pairs: refused where one is locked."""
        return ()

    @property
    def stakes(self) -> Iterable[int]:
        """Topics that stand elsewhere, or whose pairs are shown with another query, after the last
        transaction: refused where somebody held a seat of their batch."""
        return ()

    @property
    def changed_candidates(self) -> Iterable[int]:
        """Stored candidates that `apply` changes, by key."""
        return ()

    @property
    def remarks(self) -> list[str]:
        """Sentences on what was read otherwise than it stands in the files, or not at all."""
        return []

    @property
    def answers_last(self) -> bool:
        """Whether `apply` writes ratings, so that their evidence is gathered after it."""
        return False

    def follow_up(self) -> None:  # noqa: B027 - most kinds have none
        """Add rows that depend on the rows of this import, which are active by now."""


def survey(moving: Moving) -> Moving:
    """Compare without writing anything; raises BadInputError with all that is refused."""
    moving.compare()
    moving.problems.raise_any()
    pairs_in.refuse_locked(moving.collection, moving.growing_topics)
    return moving


def no_progress(done: int, total: int, stage: str) -> None:
    """A listener that ignores progress."""


@life.without_cycle_search()
def carry_out(
    moving: Moving, *, progress: Progress = no_progress, effect: Effect | None = None
) -> Outcome:
    """Compare, write and activate, whole or not at all; returns the Outcome.

    Rows of imports that died go first. The same input as last time changes nothing, unless rows
    were removed meanwhile. `effect` is a context manager for the last transaction, by default one
    of its own.

    Raises BadInputError with all that differs from what is stored, or ImportRunningError.
    """
    sweep_dead_imports()
    collection, by = moving.collection, moving.by
    kind, fingerprint = moving.kind, moving.fingerprint
    latest = collection.imports.filter(state=Import.State.ACTIVE).first()
    if (
        not moving.compares_always
        and latest
        and (latest.kind, latest.fingerprint) == (kind, fingerprint)
        and not _has_removals_since(latest)
    ):
        return Outcome(None, latest.summary)

    progress(0, 0, "Comparing with the stored rows")
    writer = life.begin(collection=collection, kind=kind, fingerprint=fingerprint, by=by)
    try:
        try:
            _refuse_another_scheme(collection)
            survey(moving)
        except (BadInputError, Refused):
            life.discard(writer.imported)
            raise
        if moving.is_empty:
            life.discard(writer.imported)
            return Outcome(None, moving.summary(), moving.remarks)
        total = moving.row_count
        moving.write(writer, lambda done: progress(min(done, total), total, "Writing"))
        writer.plan_anew()
        outcome = _activate(moving, writer, effect or _own_transaction)
    except BaseException:
        # Inside a larger transaction its rollback takes the rows away.
        if not connection.in_atomic_block:
            writer.close()
            life.abandon(writer.imported)
            sweep_dead_imports()
        raise
    finally:
        writer.close()
    return outcome


def _has_removals_since(imported: Import) -> bool:
    """By the order of the trail, which no clock turns round."""
    events = Event.objects.of_collection(imported.collection)
    activation = events.filter(verb=Verb.IMPORT, subject_id=imported.public_id).values("pk")[:1]
    return events.filter(verb__startswith="remove ", pk__gt=activation).exists()


def _activate(moving: Moving, writer: life.Writer, effect: Effect) -> Outcome:
    """The last transaction, after which everybody sees the rows."""
    evidence = {} if moving.answers_last else answer_evidence(writer.imported)
    pools = pool_evidence(writer.imported)
    with effect() as result, shown_as_before(moving.stakes):
        # Nobody hands pairs out meanwhile, which this import may do, too.
        locked(moving.collection)
        lock_batches(moving.collection)
        pairs_in.hold_topics(writer.imported)
        moving.apply()
        moving.problems.raise_any()
        if moving.answers_last:
            evidence = answer_evidence(writer.imported)
        if evidence:
            evidence["texts"] = text_evidence(writer.imported)
        pools |= pool_evidence(writer.imported, moving.changed_candidates)
        traces = {"evidence": evidence, "pools": pools}
        imported = writer.activate(by=moving.by, summary=moving.summary(), traces=traces)
        moving.follow_up()
        outcome = Outcome(imported, imported.summary)
        result["message"] = outcome.sentence
    return outcome


def _refuse_another_scheme(collection: Collection) -> None:
    """Refuse to go on if the scheme was changed since the files were read: grades were matched with
    its options then. While the import is being written, nobody changes it."""
    scheme = getattr(collection, "scheme", None)
    if scheme and _judging(scheme) != _judging(Scheme.objects.get(pk=scheme.pk)):
        raise Refused("The scheme was changed meanwhile. Nothing was imported; import again.")


def _judging(scheme: Scheme) -> tuple[str, dict[int, Decimal | None]]:
    return scheme.rule, {scale.pk: scale.distance for scale in scheme.all_scales}


@contextmanager
def _own_transaction() -> Iterator[dict[str, Any]]:
    with transaction.atomic():
        yield {}


def grade_in_words(value: Decimal | int | str | None) -> str:
    return "none" if value is None else printed_grade(Decimal(value))


def sweep_dead_imports() -> None:
    """Delete the hidden rows of imports whose process died; run at a worker's start, too."""
    for imported in life.dead_imports():
        life.delete_in_chunks(Decision.objects.filter(pair__imported=imported))
        pairs_in.delete_rows(imported)
        life.delete_rows(imported)
        life.mark_swept(imported)
