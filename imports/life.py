"""The life of an import: begin, write in short transactions, activate; or die and be swept.

Rows are written under an import that is not active, which hides them from everybody. One last
transaction activates it. A process that dies in between leaves hidden rows, which the next import
or the start of a worker deletes.
"""

import fcntl
import gc
import os
import time
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from audit.actions import record
from audit.refusals import Refused
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.models import Candidate, Document, Import, Membership, Query, Topic, TopicPlace
from imports.bulk_rows import PlainInsert
from imports.connection import CACHE_KILOBYTES, count_tables, forget_plans, keep_pages

# Rows in a transaction: at first, and the bounds to which their time may move it. Narrow rows reach
# the most, so that an import of some hundred thousand does not spend its time in pauses.
FIRST_ROWS = 250
MIN_ROWS = 50
MAX_ROWS = 2000
DELETED_ROWS = 500
# Seconds that a transaction should stay below, since every rating waits for it on SQLite.
MAX_TRANSACTION_SECONDS = 0.2
# SQLite's waiters look again up to every 100 ms, so that a pause must be worth looking for.
PAUSE_SECONDS = 0.02


class ImportRunningError(Refused):
    """Another import into the collection is being written."""


class ImportLostError(RuntimeError):
    """This import was taken for dead and swept while it was still writing."""


@contextmanager
def without_cycle_search():
    """Let Python's garbage collector rest: reference counts free what an import makes.

    An import holds hundreds of thousands of small objects and hardly a cycle among them. Looking
    for cycles over and over took a third of its processor time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def begin(*, collection, kind, fingerprint, by):
    """A new inactive import and the writer of its rows. Sweep dead imports first."""
    try:
        with transaction.atomic():
            imported = Import.objects.create(
                collection=collection, kind=kind, fingerprint=fingerprint, created_by=by
            )
    except IntegrityError:
        raise ImportRunningError(
            "Another import into this collection is running. Wait until it is done."
        ) from None
    return Writer(imported)


class Writer:
    """Writes the rows of one import, a few hundred in a transaction, with a pause between two, in
    which the next rows are made.

    Holds a lock file as long as its process lives, by which a sweep on the same machine tells at
    once that it died.
    """

    def __init__(self, imported):
        self.imported = imported
        self.grown = set()  # the tables that have new rows since they were counted
        self.rows_per_chunk = FIRST_ROWS
        self.written = 0
        self._turn_of_others_ends = 0.0  # by time.monotonic
        path = lock_path(imported)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        self._lock = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._usual_cache = keep_pages(-CACHE_KILOBYTES)

    def close(self):
        """Let go of the lock and of the memory; harmless when done twice."""
        if self._lock is not None:
            lock_path(self.imported).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None
            keep_pages(self._usual_cache)

    @contextmanager
    def chunk(self):
        """One short transaction of this import; raises ImportLostError once it was swept."""
        self._wait_for_turn()
        started = time.monotonic()
        with transaction.atomic():
            self._hold()
            yield
        seconds = time.monotonic() - started
        if seconds > 0.75 * MAX_TRANSACTION_SECONDS:
            self.rows_per_chunk = max(MIN_ROWS, self.rows_per_chunk // 2)
        elif seconds < 0.25 * MAX_TRANSACTION_SECONDS:
            self.rows_per_chunk = min(MAX_ROWS, self.rows_per_chunk * 2)
        self._turn_of_others_ends = time.monotonic() + max(PAUSE_SECONDS, seconds / 2)

    def _wait_for_turn(self):
        """Let others write after a transaction of this import: SQLite does not queue its writers.
        The time since then counts."""
        if not connection.in_atomic_block:
            time.sleep(max(0, self._turn_of_others_ends - time.monotonic()))

    def _hold(self):
        """Lock the import's row and say that its writer is alive."""
        is_held = Import.objects.filter(pk=self.imported.pk, state=Import.State.INACTIVE).update(
            heartbeat_at=Now()
        )
        if not is_held:
            raise ImportLostError(str(self.imported))

    def insert(self, model, rows, *, progress=None):
        """Insert unsaved rows in chunks, keeping none of them in memory."""
        for _ in self._chunks(model, rows, None, progress):
            pass

    def create(self, model, rows, *, also=None, progress=None):
        """Insert unsaved rows in chunks; returns them, saved.

        `also(saved rows)` gives rows of another model that go with them, in one transaction.
        """
        return [row for chunk in self._chunks(model, rows, also, progress) for row in chunk]

    def insert_plain(self, model, fields, rows, *, progress=None):
        """Insert many narrow rows in chunks, from tuples of these fields (see PlainInsert)."""
        insert = PlainInsert(model, fields)
        for _ in self._in_chunks(model, rows, insert.write, progress, ready=insert.ready):
            pass

    def _chunks(self, model, rows, also, progress):
        def write_others(others):
            if others:
                self.grown.add(type(others[0]))
                type(others[0])._base_manager.bulk_create(others)

        def write(chunk):
            model._base_manager.bulk_create(chunk)
            if also:
                write_others(also(chunk))

        return self._in_chunks(model, rows, write, progress)

    def _in_chunks(self, model, rows, write, progress, *, ready=list):
        rows = iter(rows)
        count = planned_for = 0
        while chunk := ready(islice(rows, self.rows_per_chunk)):
            if count >= planned_for:  # each time that the rows have doubled
                self.plan_anew()
                planned_for = 2 * count
            with self.chunk():
                write(chunk)
            self.grown.add(model)
            count += len(chunk)
            self.written += len(chunk)
            if progress:
                progress(self.written)
            yield chunk

    def plan_anew(self):
        """Have the database plan for the rows as they are now, before it goes through them."""
        self._wait_for_turn()
        count_tables(self.grown)
        self.grown.clear()
        forget_plans()

    def activate(self, *, by, summary, traces):
        """Show everything at once; call it inside the last transaction.

        `traces` go to the trail beside the summary where there are any: hashes of what came in
        without events.
        """
        self._hold()
        Import.objects.filter(pk=self.imported.pk).update(
            state=Import.State.ACTIVE, activated_at=Now(), summary=summary
        )
        self.imported.refresh_from_db()
        record(
            Verb.IMPORT,
            self.imported,
            by=by,
            after=summary | {name: hashes for name, hashes in traces.items() if hashes},
        )
        return self.imported


def lock_path(imported):
    return settings.STATE_DIR / "imports" / f"{imported.public_id}.lock"


def dead_imports():
    """Imports whose writer is gone, and swept ones that still have rows; marks them dead.

    On the writer's machine its lock file tells at once; elsewhere a silent heart does.
    """
    silent_since = timezone.now() - timedelta(seconds=settings.JOB_STALE_SECONDS)
    for imported in Import.objects.filter(state=Import.State.INACTIVE):
        if _is_dead(imported, silent_since):
            abandon(imported)
    return Import.objects.filter(Q(state=Import.State.DEAD) & ~Q(summary__has_key="swept"))


def _is_dead(imported, silent_since):
    try:
        lock = os.open(lock_path(imported), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return imported.heartbeat_at < silent_since
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False  # its writer lives
    else:
        return True
    finally:
        os.close(lock)


@one_transaction
def abandon(imported):
    """Give an import up; the sweep deletes its rows."""
    Import.objects.filter(pk=imported.pk, state=Import.State.INACTIVE).update(
        state=Import.State.DEAD
    )


def discard(imported):
    """Take back an import that turned out to have nothing to write."""
    Import.objects.filter(pk=imported.pk, state=Import.State.INACTIVE).delete()


def delete_rows(imported):
    """Delete this app's rows of a dead import; the higher layers have deleted theirs before."""
    places = TopicPlace.objects.filter(Q(topic__imported=imported) | Q(query__imported=imported))
    delete_in_chunks(places.filter(parent__isnull=False))
    delete_in_chunks(places)
    for model in [Topic, Candidate, Query, Document]:
        delete_in_chunks(model.including_inactive.filter(imported=imported))
    delete_in_chunks(Membership.objects.filter(imported=imported))


def delete_in_chunks(rows):
    """Delete rows in transactions as short as those that wrote them."""
    while ids := list(rows.order_by("pk").values_list("pk", flat=True)[:DELETED_ROWS]):
        with transaction.atomic():
            rows.model._base_manager.filter(pk__in=ids).delete()
        if not connection.in_atomic_block:
            time.sleep(PAUSE_SECONDS)


@one_transaction
def mark_swept(imported):
    """Say that nothing is left of a dead import."""
    Import.objects.filter(pk=imported.pk).update(summary={"swept": True})
    lock_path(imported).unlink(missing_ok=True)
