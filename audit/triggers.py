"""Database triggers as migration operations, for SQLite and PostgreSQL alike.

A trigger refuses a row with a sentence when its condition is true. Conditions are SQL that both
databases understand, over NEW and OLD. The operations of all migrations together say which triggers
a database must have; `trigger_findings` compares.
"""

import re
from dataclasses import dataclass

from django.db import DEFAULT_DB_ALIAS, connections, migrations
from django.db.migrations.executor import MigrationExecutor


@dataclass(frozen=True)
class Refusal:
    """Refuse `event` (INSERT, UPDATE or DELETE) on `table` where `condition` holds."""

    name: str
    table: str
    event: str
    message: str
    condition: str = "TRUE"

    def create_sql(self, vendor):
        if vendor == "sqlite":
            return [
                f"CREATE TRIGGER {self.name} BEFORE {self.event} ON {self.table} FOR EACH ROW "
                f"WHEN {self.condition} BEGIN SELECT RAISE(ABORT, '{self.message}'); END"
            ]
        row = "OLD" if self.event == "DELETE" else "NEW"
        return [
            f"CREATE FUNCTION {self.name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF {self.condition} THEN RAISE EXCEPTION '{self.message}' "
            f"USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN {row}; END $$",
            f"CREATE TRIGGER {self.name} BEFORE {self.event} ON {self.table} "
            f"FOR EACH ROW EXECUTE FUNCTION {self.name}()",
        ]

    def drop_sql(self, vendor):
        if vendor == "sqlite":
            return [f"DROP TRIGGER {self.name}"]
        return [f"DROP TRIGGER {self.name} ON {self.table}", f"DROP FUNCTION {self.name}()"]

    def operation(self):
        """Create the trigger."""
        return CreateTrigger(self)

    def removal(self):
        """Drop the trigger, as before one of the same name with another condition."""
        return DropTrigger(self)


class _TriggerOperation(migrations.RunPython):
    def __init__(self, refusal, forwards, backwards):
        self.refusal = refusal
        super().__init__(_executing(forwards), _executing(backwards))


class CreateTrigger(_TriggerOperation):
    def __init__(self, refusal):
        super().__init__(refusal, refusal.create_sql, refusal.drop_sql)


class DropTrigger(_TriggerOperation):
    def __init__(self, refusal):
        super().__init__(refusal, refusal.drop_sql, refusal.create_sql)


def _executing(statements):
    def run(apps, schema_editor):
        for statement in statements(schema_editor.connection.vendor):
            schema_editor.execute(statement, params=None)

    return run


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
            _, sql = aside.pop()
            schema_editor.execute(sql, params=None)

    return [
        migrations.RunPython(set_aside, put_back),
        *operations,
        migrations.RunPython(put_back, set_aside),
    ]


def expected_refusals(connection):
    """{name: Refusal} of the triggers that the migrations leave behind."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True)
    refusals = {}
    for migration, _ in plan:
        for operation in migration.operations:
            if isinstance(operation, CreateTrigger):
                refusals[operation.refusal.name] = operation.refusal
            elif isinstance(operation, DropTrigger):
                del refusals[operation.refusal.name]
    return refusals


def trigger_findings(*, using=DEFAULT_DB_ALIAS):
    """Yield a sentence for every trigger that is missing, switched off, strange or changed."""
    connection = connections[using]
    texts_of = _sqlite_texts if connection.vendor == "sqlite" else _postgresql_texts
    with connection.cursor() as cursor:
        there = texts_of(cursor)
    expected = expected_refusals(connection)
    for name, refusal in expected.items():
        wanted = [_in_one_line(text) for text in refusal.create_sql(connection.vendor)]
        if name not in there:
            yield f"The trigger {name} is missing or switched off."
        elif there[name] != wanted:
            yield f"The trigger {name} is not what it was made as."
    for name in sorted(there.keys() - expected):
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
        made = f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE {language} AS $${body}$$"
        if argument_count or not is_plain:
            made += " with settings of its own"
        # Schemas are named in what the server gives back, and never in what we write.
        bare = re.sub(r"\b(ON|FUNCTION) [^ .()]+\.", r"\1 ", trigger)
        texts[name] = [_in_one_line(made), _in_one_line(bare)]
    return texts


def _in_one_line(text):
    return " ".join(text.split())
