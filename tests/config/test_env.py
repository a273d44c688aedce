import re
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


@pytest.fixture
def given(monkeypatch):
    """`given(value)`: what SETTING is in the environment."""
    return lambda value: monkeypatch.setenv("SETTING", value)


@pytest.mark.parametrize(
    ("value", "read", "options", "result"),
    [
        ("", env.text, {"default": "there"}, "there"),
        (" here ", env.text, {}, "here"),
        ("", env.boolean, {}, False),
        ("1", env.boolean, {}, True),
        ("Yes", env.boolean, {}, True),
        ("off", env.boolean, {"default": True}, False),
        ("", env.integer, {"default": 8000, "minimum": 1, "maximum": 65535}, 8000),
        ("65535", env.integer, {"default": 8000, "minimum": 1, "maximum": 65535}, 65535),
        ("", env.size, {"default": 7}, 7),
        ("200MB", env.size, {"default": 7}, 200_000_000),
        ("1.5 gb", env.size, {"default": 7}, 1_500_000_000),
        ("1000", env.size, {"default": 7}, 1000),
        ("", env.hosts, {"default": {"localhost"}}, ["localhost"]),
        ("a.org, .b.org", env.hosts, {}, ["a.org", ".b.org"]),
        ("", env.origins, {}, []),
        ("https://a.org/,http://b:8000", env.origins, {}, ["https://a.org", "http://b:8000"]),
        ("", env.bucket, {}, {}),
        ("", env.redis, {}, ""),
        ("redis://:p@host:6379/0", env.redis, {}, "redis://:p@host:6379/0"),
        ("", env.email, {}, {}),
    ],
)
def test_a_reader_returns_a_value_of_its_type(given, value, read, options, result):
    given(value)

    assert read("SETTING", **options) == result


@pytest.mark.parametrize(
    ("value", "read", "options"),
    [
        ("maybe", env.boolean, {}),
        ("0", env.integer, {"default": 1, "minimum": 1, "maximum": 9}),
        ("10", env.integer, {"default": 1, "minimum": 1, "maximum": 9}),
        ("eight", env.integer, {"default": 1, "minimum": 1, "maximum": 9}),
        ("1" * 5000, env.integer, {"default": 1, "minimum": 1, "maximum": 9}),
        ("much", env.size, {"default": 1}),
        ("-1MB", env.size, {"default": 1}),
        ("0", env.size, {"default": 1}),
        ("*", env.hosts, {}),
        ("https://a.org", env.hosts, {}),
        ("a.org", env.origins, {}),
        ("https://a.org/path", env.origins, {}),
        ("bucket", env.bucket, {}),
        ("s3://Bucket", env.bucket, {}),
        ("s3:///folder", env.bucket, {}),
        ("s3://bucket?endpoint=host:9000", env.bucket, {}),
        ("s3://bucket?colour=red", env.bucket, {}),
        ("http://host", env.redis, {}),
        ("host:587", env.email, {}),
        ("smtp://host:port", env.email, {}),
        ("mysql://host/name", env.database, {"default": ""}),
        ("sqlite://file", env.database, {"default": ""}),
        ("postgresql://host:99999/name", env.database, {"default": ""}),
        ("postgresql://host", env.database, {"default": ""}),
        ("postgresql://host/name?sslmod=require", env.database, {"default": ""}),
    ],
)
def test_a_reader_fails_by_naming_the_variable_and_the_value(given, value, read, options):
    given(value)

    with pytest.raises(ImproperlyConfigured) as failure:
        read("SETTING", **options)

    assert str(failure.value).startswith(f"SETTING is {value!r}; expected ")


def test_a_failing_address_is_shown_without_its_password(given):
    given("mysql://user:hush@host/name")

    with pytest.raises(ImproperlyConfigured) as failure:
        env.database("SETTING", "")

    assert "mysql://user:***@host/name" in str(failure.value)
    assert "hush" not in str(failure.value)


def test_a_bucket_does_not_take_its_keys_in_the_address(given):
    given("s3://key:hush@bucket")

    with pytest.raises(ImproperlyConfigured, match="keys stand apart") as failure:
        env.bucket("SETTING")

    assert "hush" not in str(failure.value)


def test_a_bucket_has_a_name_a_folder_and_an_address(given):
    given("s3://facetwise-files/lab/one/?endpoint=https%3A%2F%2Fhost%3A9000&region=eu-1")

    assert env.bucket("SETTING") == {
        "bucket_name": "facetwise-files",
        "location": "lab/one",
        "endpoint_url": "https://host:9000",
        "region_name": "eu-1",
    }


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("mysql://user:hu/sh@host/name", "mysql://user:***@host/name"),
        ("user:hush@host", "user:***@host"),
        ("mysql://:hu@sh@host", "mysql://:***@host"),
        ("mysql://hush@host", "mysql://***@host"),
        ("mysql://host?password=hush", "mysql://host?password=***"),
        ("s3://bucket?secret_key=hush&x=1", "s3://bucket?secret_key=***&x=1"),
    ],
)
@pytest.mark.parametrize("read", [env.database, env.bucket])
def test_no_form_of_a_password_is_shown(given, read, address, shown):
    given(address)

    with pytest.raises(ImproperlyConfigured, match=re.escape(f"SETTING is {shown!r};")):
        read("SETTING", *[""] * (read is env.database))


APPLICATION = {"ENGINE": env.POSTGRESQL, "NAME": "name"}


def test_the_owner_is_another_user_of_the_same_database(given):
    assert env.owner("SETTING", APPLICATION) == {}

    given("postgresql://owner:word@host/name?sslmode=require")

    assert env.owner("SETTING", APPLICATION) == {
        "USER": "owner",
        "PASSWORD": "word",
        "HOST": "host",
        "PORT": "",
        "OPTIONS": {"sslmode": "require", "options": "-c lock_timeout=5000"},
    }


@pytest.mark.parametrize(
    ("url", "application"),
    [
        ("postgresql://owner:word@host/other", APPLICATION),
        ("sqlite:///name", APPLICATION),
        ("sqlite:///name", {"ENGINE": env.SQLITE, "NAME": Path("name")}),
    ],
)
def test_an_owner_of_anything_else_is_refused(given, url, application):
    given(url)

    with pytest.raises(ImproperlyConfigured, match="another user of the PostgreSQL database"):
        env.owner("SETTING", application)


def test_an_sqlite_address_names_a_file(given):
    given("sqlite:////data/facet%20wise.sqlite3")

    database = env.database("SETTING", "")

    assert database["ENGINE"] == env.SQLITE
    assert str(database["NAME"]) == "/data/facet wise.sqlite3"


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        (
            "postgresql://user:p%40ss@host:5433/name?sslmode=require",
            ("name", "user", "p@ss", "host", "5433", {"sslmode": "require"}),
        ),
        ("postgres:///name", ("name", "", "", "", "", {})),
        ("postgresql://user:@/name?host=/run/pg", ("name", "user", "", "/run/pg", "", {})),
    ],
)
def test_a_postgresql_address_gives_the_parts_of_a_connection(given, url, parts):
    given(url)

    database = env.database("SETTING", "")

    assert database["ENGINE"] == env.POSTGRESQL
    keys = ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")
    assert tuple(database[key] for key in keys) == parts


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://user:p%40ss@mail.org", 587, True, False),
        ("smtps://user:p%40ss@mail.org", 465, False, True),
        ("smtp+plain://user:p%40ss@mail.org:2525", 2525, False, False),
    ],
)
def test_a_mail_address_says_whether_the_connection_is_encrypted(given, url, port, tls, ssl):
    given(url)

    mail = env.email("SETTING")

    assert (mail["EMAIL_HOST"], mail["EMAIL_HOST_PASSWORD"]) == ("mail.org", "p@ss")
    assert (mail["EMAIL_PORT"], mail["EMAIL_USE_TLS"], mail["EMAIL_USE_SSL"]) == (port, tls, ssl)


def test_a_folder_that_cannot_be_made_is_named_with_the_reason(tmp_path):
    file = tmp_path / "file"
    file.touch()

    with pytest.raises(ImproperlyConfigured, match=rf"SETTING is '{file}'.*\(File exists\)"):
        env.folder("SETTING", file)
