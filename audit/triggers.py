"""Database triggers as migration operations, for SQLite and PostgreSQL alike.

A `Refusal` refuses a row with a sentence when its condition is true; a `Consequence` writes other
rows after one. Conditions and statements are SQL that both databases understand, over NEW and OLD.
The operations of all migrations together say which triggers a database must have;
`trigger_findings` compares.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass

from django.db import DEFAULT_DB_ALIAS, connections, migrations
from django.db.migrations.executor import MigrationExecutor


@dataclass(frozen=True)
class Trigger(ABC):
    """Something that the database itself does at `event` on `table`: INSERT, UPDATE, UPDATE OF
    columns, or DELETE.

    `locked` names rows ("FROM … WHERE …") that PostgreSQL locks against change before it reads the
    condition: one that is being changed at the same moment is waited for. SQLite has one writer.
    """

    name: str
    table: str
    event: str

    @abstractmethod
    def create_sql(self, vendor):
        """The statements that make the trigger."""

    def drop_sql(self, vendor):
        if vendor == "sqlite":
            return [f"DROP TRIGGER {self.name}"]
        return [f"DROP TRIGGER {self.name} ON {self.table}", f"DROP FUNCTION {self.name}()"]

    def operation(self):
        return CreateTrigger(self)

    def removal(self):
        """Drop the trigger, as before one of the same name with another condition."""
        return DropTrigger(self)

    def _on_postgresql(self, moment, body, *, locked):
        lock = f"PERFORM 1 {locked} FOR SHARE; " if locked else ""
        row = "OLD" if self.event == "DELETE" else "NEW"
        return [
            f"CREATE FUNCTION {self.name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"{lock}{body} RETURN {row}; END $$",
            f"CREATE TRIGGER {self.name} {moment} {self.event} ON {self.table} "
            f"FOR EACH ROW EXECUTE FUNCTION {self.name}()",
        ]


class _WithoutModels(migrations.RunPython):
    """Code that reads no model. Django would make all models of that moment anew for each, which
    took a third of the time of a first migration."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        self.code(None, schema_editor)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        self.reverse_code(None, schema_editor)


class _TriggerOperation(_WithoutModels):
    def __init__(self, trigger, forwards, backwards):
        self.trigger = trigger
        super().__init__(_executing(forwards), _executing(backwards))


class CreateTrigger(_TriggerOperation):
    def __init__(self, trigger):
        super().__init__(trigger, trigger.create_sql, trigger.drop_sql)


class DropTrigger(_TriggerOperation):
    def __init__(self, trigger):
        super().__init__(trigger, trigger.drop_sql, trigger.create_sql)


def _executing(statements):
    def run(apps, schema_editor):
        for statement in statements(schema_editor.connection.vendor):
            schema_editor.execute(statement, params=None)

    return run


@dataclass(frozen=True)
class Refusal(Trigger):
    """Refuse the event where `condition` holds."""

    message: str
    condition: str = "TRUE"
    locked: str = ""

    def create_sql(self, vendor):
        if vendor == "sqlite":
            return [
                f"CREATE TRIGGER {self.name} BEFORE {self.event} ON {self.table} FOR EACH ROW "
                f"WHEN {self.condition} BEGIN SELECT RAISE(ABORT, '{self.message}'); END"
            ]
        body = (
            f"IF {self.condition} THEN RAISE EXCEPTION '{self.message}' "
            "USING ERRCODE = 'integrity_constraint_violation'; END IF;"
        )
        return self._on_postgresql("BEFORE", body, locked=self.locked)


# The moment at which a trigger runs, as Django's Now() writes it on SQLite.
NOW = {"sqlite": "STRFTIME('%Y-%m-%d %H:%M:%f', 'now')", "postgresql": "clock_timestamp()"}


@dataclass(frozen=True)
class Consequence(Trigger):
    """Run `statements` after the event where `condition` holds; `{now}` in them is the moment."""

    statements: tuple[str, ...]
    condition: str = "TRUE"
    locked: str = ""

    def create_sql(self, vendor):
        statements = " ".join(
            f"{statement.replace('{now}', NOW[vendor])};" for statement in self.statements
        )
        if vendor == "sqlite":
            return [
                f"CREATE TRIGGER {self.name} AFTER {self.event} ON {self.table} FOR EACH ROW "
                f"WHEN {self.condition} BEGIN {statements} END"
            ]
        body = f"IF {self.condition} THEN {statements} END IF;"
        return self._on_postgresql("AFTER", body, locked=self.locked)


def append_only(table, *, unless="FALSE"):
    """Refuse every UPDATE, and every DELETE but where `unless` holds."""
    message = f"{table} is append-only"
    return [
        Refusal(f"{table}_no_update", table, "UPDATE", message),
        Refusal(f"{table}_no_delete", table, "DELETE", message, f"NOT ({unless})"),
    ]


def with_triggers_aside(operations):
    """The operations of a migration that changes tables which have triggers, or which a trigger
    of another table reads.

    SQLite changes most columns and constraints by making the table anew: its triggers would be
    lost, and those that read it stop the renaming. They are set aside and put back as they were.
    """
    aside = []

    def set_aside(apps, schema_editor):
        if schema_editor.connection.vendor != "sqlite":
            return
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            aside[:] = cursor.fetchall()
        for name, _ in aside:
            schema_editor.execute(f"DROP TRIGGER {name}", params=None)

    def put_back(apps, schema_editor):
        while aside:
            # Triggers fire in the order in which they were made.
            _, sql = aside.pop(0)
            schema_editor.execute(sql, params=None)

    return [_WithoutModels(set_aside, put_back), *operations, _WithoutModels(put_back, set_aside)]


def expected_triggers(connection):
    """{name: Trigger} of those that the migrations leave behind."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True)
    triggers = {}
    for migration, _ in plan:
        for operation in migration.operations:
            if isinstance(operation, CreateTrigger):
                triggers[operation.trigger.name] = operation.trigger
            elif isinstance(operation, DropTrigger):
                del triggers[operation.trigger.name]
    return triggers


def trigger_findings(*, using=DEFAULT_DB_ALIAS):
    """Yield a sentence for every trigger that is missing, switched off, strange or changed."""
    connection = connections[using]
    texts_of = _sqlite_texts if connection.vendor == "sqlite" else _postgresql_texts
    with connection.cursor() as cursor:
        texts = texts_of(cursor)
    expected = expected_triggers(connection)
    for name, trigger in expected.items():
        wanted = [_in_one_line(text) for text in trigger.create_sql(connection.vendor)]
        if name not in texts:
            yield f"The trigger {name} is missing or switched off."
        elif texts[name] != wanted:
            yield f"The trigger {name} is not what it was made as."
    for name in sorted(texts.keys() - expected):
        yield f"The trigger {name} is none of ours."


def _sqlite_texts(cursor):
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    return {name: [_in_one_line(sql)] for name, sql in cursor.fetchall()}


def _postgresql_texts(cursor):
    """{trigger: [its function, itself]} as statements, of those that fire."""
    cursor.execute(
        "SELECT tgname, proname, prosrc, pg_get_triggerdef(pg_trigger.oid), lanname,"
        " pronargs, proconfig IS NULL"
        " FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid"
        " JOIN pg_language ON pg_language.oid = prolang"
        " JOIN pg_class ON pg_class.oid = tgrelid"
        " WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')"
        " AND pg_table_is_visible(pg_class.oid)"
    )
    texts = {}
    for name, function, body, trigger, language, argument_count, is_plain in cursor.fetchall():
        statement = (
            f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE {language} AS $${body}$$"
        )
        if argument_count or not is_plain:
            statement += " with settings of its own"
        # Schemas are named in what the server gives back, and never in what we write.
        bare = re.sub(r"\b(ON|FUNCTION) [^ .()]+\.", r"\1 ", trigger)
        texts[name] = [_in_one_line(statement), _in_one_line(bare)]
    return texts


def _in_one_line(text):
    return " ".join(text.split())
