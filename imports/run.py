"""The common steps of all imports: compare, write under an inactive import, activate at the end."""

from collections.abc import Callable, Container, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection, transaction

from adjudication.models import Decision
from annotation.models import Scheme
from annotation.reading.fixed import lock_batches, shown_as_before
from audit.refusals import Refused
from datasets.models import Import
from formats.decimals import plain
from formats.problems import BadInputError, Problems
from imports import life
from imports import pairs as pairs_in
from imports.evidence import answer_evidence, text_evidence

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


@dataclass(frozen=True)
class Outcome:
    """The outcome of an import. `imported` is None if everything was there already."""

    imported: Import | None
    summary: dict

    @property
    def sentence(self):
        if self.imported is None:
            return "Everything in these files is in the collection already. Nothing was changed."
        added = added_in_words(self.summary)
        sentence = f"Added {added}." if added else "Nothing was added."
        changed = self.summary["changed"]
        if not changed:
            return sentence
        verb = "was" if changed == 1 else "were"
        return f"{sentence} {counted(changed, 'stored entry')} {verb} updated."


def added_in_words(summary):
    """What an import adds, "" where it is nothing: "3 documents, 1 query"."""
    counts = [(summary.get(key), word) for key, word in COUNTED.items()]
    return ", ".join(counted(count, word) for count, word in counts if count)


def counted(count, word):
    if count != 1 and word.startswith("set "):
        word = word.replace("set", "sets")
    elif count != 1:
        word = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{count:,} {word}"


class Moving:
    """One import of one kind, from comparing to the last transaction.

    A kind says what each step is: `compare` adds to `problems` and plans; `is_empty` tells whether
    there is nothing to do; `write(writer, writing)` inserts `row_count` rows or so, and calls
    `writing` with how many are there; `apply` changes stored rows in the last transaction, and may
    still add problems; `follow_up` adds in it what rests on the rows that came in; `summary` counts
    it all. `kind` and `fingerprint` tell the same input.
    """

    kind = ""
    # Whether the same input is compared again, since the collection may have changed in other ways.
    compares_always = False

    def __init__(self, collection, by):
        self.collection, self.by = collection, by
        self.problems = Problems()

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
    def answers_last(self) -> bool:
        """Whether `apply` writes ratings, so that their evidence is gathered after it."""
        return False

    def follow_up(self):
        """Add rows that depend on the rows of this import, which are active by now."""


def survey(moving):
    """Compare without writing anything; raises BadInputError with all that is refused."""
    moving.compare()
    moving.problems.raise_any()
    pairs_in.refuse_locked(moving.collection, moving.growing_topics)
    return moving


def no_progress(done, total, stage):
    """A listener that ignores progress."""


@life.without_cycle_search()
def carry_out(moving, *, progress=no_progress, effect=None):
    """Compare, write and activate, whole or not at all; returns the Outcome.

    Rows of imports that died go first. The same input as last time changes nothing. `effect` is a
    context manager for the last transaction, by default one of its own.

    Raises BadInputError with all that differs from what is stored, or ImportRunningError.
    """
    sweep_dead_imports()
    collection, by = moving.collection, moving.by
    kind, fingerprint = moving.kind, moving.fingerprint
    latest = collection.imports.filter(state=Import.State.ACTIVE).first()
    is_known = latest and (latest.kind, latest.fingerprint) == (kind, fingerprint)
    if is_known and not moving.compares_always:
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
            return Outcome(None, moving.summary())
        total = moving.row_count
        moving.write(writer, lambda done: progress(min(done, total), total, "Writing"))
        writer.plan_anew()
        evidence = {} if moving.answers_last else answer_evidence(writer.imported)
        with (effect or _own_transaction)() as result, shown_as_before(moving.stakes):
            # Nobody hands pairs out meanwhile, which this import may do, too.
            collection.lock()
            lock_batches(collection)
            pairs_in.hold_topics(writer.imported)
            moving.apply()
            moving.problems.raise_any()
            if moving.answers_last:
                evidence = answer_evidence(writer.imported)
            if evidence:
                evidence["texts"] = text_evidence(writer.imported)
            imported = writer.activate(by=by, summary=moving.summary(), evidence=evidence)
            moving.follow_up()
            outcome = Outcome(imported, imported.summary)
            result["message"] = outcome.sentence
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


def _refuse_another_scheme(collection):
    """Refuse to go on if the scheme was changed since the files were read: grades were matched with
    its options then. While the import is being written, nobody changes it."""
    read = getattr(collection, "scheme", None)
    if read and _judging(read) != _judging(Scheme.objects.get(pk=read.pk)):
        raise Refused("The scheme was changed meanwhile. Nothing was imported; import again.")


def _judging(scheme):
    return scheme.rule, {scale.pk: scale.distance for scale in scheme.all_scales}


@contextmanager
def _own_transaction():
    with transaction.atomic():
        yield {}


def in_words(answers):
    """Ratings of one pair in words: "annotator1 2, annotator2 none"."""
    parts = (
        f"{annotator or 'somebody'} {grade_in_words(value)}" for annotator, value in answers.items()
    )
    return ", ".join(parts) or "none"


def grade_in_words(value):
    return "none" if value is None else plain(Decimal(value))


def sweep_dead_imports():
    """Delete the hidden rows of imports whose process died; run at a worker's start, too."""
    for imported in life.dead_imports():
        life.delete_in_chunks(Decision.objects.filter(pair__imported=imported))
        pairs_in.delete_rows(imported)
        life.delete_rows(imported)
        life.mark_swept(imported)
