"""Every action in every test is held to the rule that kept figures rest on: whoever changes rows of
a collection writes an event of a collection in the same transaction
(agreement/study/selection.py)."""

import re
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.db.models.signals import post_init

# No kept figure rests on these: they are of no collection, copies of others, or read at each use.
NOT_KEPT = {
    "adjudication_topichold",
    "agreement_knownintervals",
    "agreement_topiccopy",
    "datasets_import",  # hides its rows until it is activated, which is an event
    "datasets_keptanswer",
    "datasets_token",
    "evaluation_knownresult",
    "imports_draft",
    "imports_keptmatching",
}
CHANGE = re.compile(r'(INSERT( OR IGNORE)? INTO|UPDATE|DELETE FROM) "?(?P<table>\w+)')
OF_NO_COLLECTION = ("accounts_", "audit_", "django_", "jobs_", "webhooks_")


class Watched:
    """The tables that an action changed, and whether it wrote an event of a collection."""

    def __init__(self):
        self.tables = set()
        self.has_event = False

    def __call__(self, execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if (change := CHANGE.match(sql)) and context["cursor"].rowcount:
            self.tables.add(change["table"])
        return result

    def tables_without_event(self):
        if self.has_event:
            return []
        changed = sorted(self.tables - NOT_KEPT)
        return [table for table in changed if not table.startswith(OF_NO_COLLECTION)]


def watched_now():
    """The action that this thread is in; None outside."""
    wrappers = connection.execute_wrappers
    return next((wrapper for wrapper in wrappers if isinstance(wrapper, Watched)), None)


def note_event(instance, **kwargs):
    if instance.pk is None and instance.collection and (watched := watched_now()):
        watched.has_event = True


class Transactions:
    """What `audit.transactions` takes of `django.db.transaction`. An action that another calls is
    part of it."""

    on_commit = staticmethod(transaction.on_commit)

    @staticmethod
    @contextmanager
    def atomic(**options):
        if watched_now():
            with transaction.atomic(**options):
                yield
            return
        watched = Watched()
        with transaction.atomic(**options), connection.execute_wrapper(watched):
            yield
        if tables := watched.tables_without_event():
            raise AssertionError(f"changed without an event of a collection: {', '.join(tables)}")


@contextmanager
def watch_actions():
    from audit import transactions
    from audit.models import Event

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transactions, "transaction", Transactions)
        post_init.connect(note_event, sender=Event)
        yield
        post_init.disconnect(note_event, sender=Event)
