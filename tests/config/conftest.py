import logging

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from config.logs import LineFormatter


@pytest.fixture
def lines():
    """The lines that the process logs, as its own handler writes them."""
    written = []

    class Kept(logging.Handler):
        def emit(self, entry):
            written.append(self.format(entry))

    handler = Kept()
    handler.setFormatter(LineFormatter())
    loggers = [logging.getLogger(name) for name in ("", "django")]
    for logger in loggers:
        logger.addHandler(handler)
    yield written
    for logger in loggers:
        logger.removeHandler(handler)


@pytest.fixture
def pending_migration(transactional_db):
    """The name of a migration that the database pretends not to have had, until the test ends."""
    [(app, name)] = MigrationExecutor(connection).loader.graph.leaf_nodes("jobs")
    MigrationRecorder(connection).record_unapplied(app, name)
    yield f"{app}.{name}"
    MigrationRecorder(connection).record_applied(app, name)
