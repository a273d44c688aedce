"""Database triggers as migration operations, for SQLite and PostgreSQL alike.

A trigger refuses a row with a sentence when its condition is true. Conditions are SQL that both
databases understand, over NEW and OLD.
"""

from dataclasses import dataclass

from django.db import migrations


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
        return migrations.RunPython(self._run(self.create_sql), self._run(self.drop_sql))

    def _run(self, statements):
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
