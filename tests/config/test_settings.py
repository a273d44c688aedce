"""The settings as an installation has them, read in a process of its own."""

import json
import os
import subprocess
import sys

import pytest

# Of this Python: `sqlite3` is the wheel's by now, where there is one.
STANDARD_SQLITE = tuple(
    map(
        int,
        subprocess.check_output(
            [sys.executable, "-c", "import sqlite3; print(sqlite3.sqlite_version)"], text=True
        ).split("."),
    )
)
PRINT = """
import json, sys
from django.conf import settings
print(json.dumps({name: getattr(settings, name, None) for name in sys.argv[1:]}, default=str))
"""


@pytest.fixture
def read(tmp_path):
    """`read(*names, **environment)`: the values of those settings; raises on a failing start."""

    def run(*names, **environment):
        env = {
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "FACETWISE_STATE": str(tmp_path),
            **environment,
        }
        result = subprocess.run(
            [sys.executable, "-c", PRINT, *names], env=env, capture_output=True, text=True
        )
        if result.returncode:
            raise RuntimeError(result.stderr.strip().splitlines()[-1])
        return json.loads(result.stdout)

    return run


def test_a_fresh_installation_is_closed_and_works_on_plain_http_at_home(read):
    settings = read(
        *("DEBUG", "ALLOWED_HOSTS", "SESSION_COOKIE_SECURE", "SECURE_SSL_REDIRECT"),
        *("SESSION_COOKIE_HTTPONLY", "SESSION_COOKIE_AGE", "MAIL_CONFIGURED"),
    )

    assert settings.pop("ALLOWED_HOSTS").sort() is None
    assert settings == {
        "DEBUG": False,
        "SESSION_COOKIE_SECURE": False,
        "SECURE_SSL_REDIRECT": False,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_AGE": 30 * 24 * 60 * 60,
        "MAIL_CONFIGURED": False,
    }


def test_a_fresh_installation_answers_only_to_this_machine(read):
    hosts = set(read("ALLOWED_HOSTS")["ALLOWED_HOSTS"])

    assert hosts == {"localhost", "127.0.0.1", "[::1]"}


def test_passwords_are_hashed_by_argon2_and_have_twelve_characters(read):
    settings = read("PASSWORD_HASHERS", "AUTH_PASSWORD_VALIDATORS")

    assert settings["PASSWORD_HASHERS"][0].endswith("Argon2PasswordHasher")
    assert {"min_length": 12} in [v.get("OPTIONS") for v in settings["AUTH_PASSWORD_VALIDATORS"]]


def test_the_https_profile_hardens_cookies_and_redirects(read):
    settings = read(
        *("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT"),
        *("SECURE_HSTS_SECONDS", "SECURE_HSTS_PRELOAD"),
        *("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME"),
        FACETWISE_HTTPS="1",
    )

    assert settings == {
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 31_536_000,
        "SECURE_HSTS_PRELOAD": False,
        "SESSION_COOKIE_NAME": "__Host-sessionid",
        "CSRF_COOKIE_NAME": "__Host-csrftoken",
    }


def test_the_https_profile_passes_djangos_deployment_check(tmp_path):
    result = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env={
            "PATH": os.environ["PATH"],
            "FACETWISE_STATE": str(tmp_path),
            "FACETWISE_HTTPS": "1",
            "ALLOWED_HOSTS": "facetwise.example.org",
        },
        capture_output=True,
        text=True,
    )

    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "http"),
        ("DATABASE_URL", "oracle://host/name"),
        ("REDIS_URL", "localhost:6379"),
        ("FACETWISE_MAX_UPLOAD", "lots"),
        ("FACETWISE_HTTPS", "sometimes"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_its_name_and_value(read, variable, value):
    with pytest.raises(RuntimeError, match=f"{variable} is '{value}'; expected "):
        read("DEBUG", **{variable: value})


def test_machines_that_share_files_do_not_each_make_a_key(read):
    with pytest.raises(RuntimeError, match="SECRET_KEY is not set"):
        read("DEBUG", FACETWISE_FILES="s3://bucket/folder")

    settings = read("STORAGES", FACETWISE_FILES="s3://bucket/folder", SECRET_KEY="k" * 50)

    stores = settings["STORAGES"]
    assert {name: stores[name]["OPTIONS"]["location"] for name in ("uploads", "exports")} == {
        "uploads": "folder/uploads",
        "exports": "folder/exports",
    }


SQLITE = """
import sys
if sys.argv[1:] == ["without-wheel"]:
    sys.modules["pysqlite3"] = None
from config import settings
import sqlite3
from django.db.backends.sqlite3.base import Database
print(Database.sqlite_version, sqlite3.sqlite_version, settings.SQLITE_JOURNAL_MODE)
"""


def sqlite_in_use(tmp_path, *arguments):
    env = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "FACETWISE_STATE": str(tmp_path),
    }
    command = [sys.executable, "-c", SQLITE, *arguments]
    return subprocess.check_output(command, env=env, text=True).split()


def test_one_sqlite_serves_the_whole_process_and_a_new_one_uses_wal(tmp_path):
    pysqlite3 = pytest.importorskip("pysqlite3")

    newest = max(pysqlite3.sqlite_version_info, STANDARD_SQLITE)
    version = ".".join(map(str, newest))
    assert sqlite_in_use(tmp_path) == [version, version, "wal"]


def test_without_the_wheel_an_old_sqlite_of_python_uses_truncate(tmp_path):
    version = ".".join(map(str, STANDARD_SQLITE))
    journal = "wal" if STANDARD_SQLITE >= (3, 51, 3) else "truncate"

    assert sqlite_in_use(tmp_path, "without-wheel") == [version, version, journal]


@pytest.mark.parametrize("journal", ["truncate", "wal"])
def test_the_journal_of_sqlite_can_be_chosen(read, journal):
    chosen = read("SQLITE_JOURNAL_MODE", FACETWISE_SQLITE_JOURNAL=journal)

    assert chosen == {"SQLITE_JOURNAL_MODE": journal}


def test_another_journal_stops_the_start(read):
    with pytest.raises(RuntimeError, match="FACETWISE_SQLITE_JOURNAL is 'off'; expected one of"):
        read("DATABASES", FACETWISE_SQLITE_JOURNAL="off")
