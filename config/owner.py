"""The owner of the database, where the application's user is another one.

On PostgreSQL whoever owns a table can drop its triggers and rewrite every row. With
`DATABASE_OWNER_URL` migrations run as the owner, and the application's user gets no more rights
than it needs: it alters no table, and has no right to any change that the triggers refuse to
everybody. deploy/roles.sql makes the two users.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.recorder import MigrationRecorder

# PostgreSQL 17 and newer: lets an import renew the planner's statistics of what it wrote.
MAINTAIN_SINCE = 170000
# The body of a trigger that refuses every row (audit/triggers.py), as PostgreSQL keeps it.
ALWAYS_REFUSED = r"IF (TRUE|NOT \(FALSE\)) THEN RAISE"


@contextmanager
def as_owner(alias: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Inside, the connection is the owner's; where there is none, it stays as it is."""
    if not settings.DATABASE_OWNER:
        yield
        return
    connection = connections[alias]
    of_the_application = connection.settings_dict
    connection.close()
    connection.settings_dict = of_the_application | settings.DATABASE_OWNER
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict = of_the_application


def grant_rights(alias: str) -> None:
    """Give the application's user what it may do, and nothing else; call it as the owner."""
    connection = connections[alias]
    user = connection.ops.quote_name(settings.DATABASES[alias]["USER"])
    with connection.cursor() as cursor:
        cursor.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, {user}")
        cursor.execute(f"REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM PUBLIC, {user}")
        cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {user}")
        cursor.execute("SELECT current_setting('server_version_num')::int")
        [version] = cursor.fetchone()
        for table, refused in _refused_events(cursor).items():
            rights = {"SELECT", "INSERT", "UPDATE", "DELETE"} - refused
            if table == MigrationRecorder.Migration._meta.db_table:
                rights = {"SELECT"}
            if version >= MAINTAIN_SINCE:
                rights.add("MAINTAIN")
            name = connection.ops.quote_name(table)
            cursor.execute(f"GRANT {', '.join(sorted(rights))} ON {name} TO {user}")


def _refused_events(cursor) -> dict[str, set[str]]:
    """{table: which of UPDATE and DELETE its triggers refuse for every row}."""
    cursor.execute(
        """SELECT relname,
            coalesce(bool_or(tgtype::int & 16 > 0), FALSE),
            coalesce(bool_or(tgtype::int & 8 > 0), FALSE)
        FROM pg_class
        LEFT JOIN (pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid AND prosrc ~ %s)
            ON tgrelid = pg_class.oid AND NOT tgisinternal
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        GROUP BY relname""",
        [ALWAYS_REFUSED],
    )
    return {
        table: {
            event
            for event, is_refused in [("UPDATE", refuses_update), ("DELETE", refuses_delete)]
            if is_refused
        }
        for table, refuses_update, refuses_delete in cursor.fetchall()
    }
