import re
import stat
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
        ("", env.host, {"default": "127.0.0.1"}, "127.0.0.1"),
        ("10.0.0.5", env.host, {"default": "127.0.0.1"}, "10.0.0.5"),
        ("::1", env.host, {"default": "127.0.0.1"}, "[::1]"),
        ("[::1]", env.host, {"default": "127.0.0.1"}, "[::1]"),
        ("", env.boolean, {}, False),
        ("1", env.boolean, {}, True),
        ("Yes", env.boolean, {}, True),
        ("off", env.boolean, {"default": True}, False),
        ("", env.integer, {"default": 8000, "minimum": 1, "maximum": 65535}, 8000),
        ("+1", env.integer, {"default": 8000, "minimum": 1, "maximum": 65535}, 1),
        ("65535", env.integer, {"default": 8000, "minimum": 1, "maximum": 65535}, 65535),
        ("", env.size, {"default": 7}, 7),
        ("200MB", env.size, {"default": 7}, 200_000_000),
        ("1.5 gb", env.size, {"default": 7}, 1_500_000_000),
        ("1000", env.size, {"default": 7}, 1000),
        ("0.001kB", env.size, {"default": 7}, 1),
        ("", env.hosts, {"default": {"localhost"}}, ["localhost"]),
        ("a.org, .b.org", env.hosts, {}, ["a.org", ".b.org"]),
        ("[::1], A.org,", env.hosts, {}, ["[::1]", "A.org"]),
        ("", env.origins, {}, []),
        ("https://*.a.org", env.origins, {}, ["https://*.a.org"]),
        ("", env.path, {"default": "/here"}, Path("/here")),
        ("/a/../b", env.path, {"default": "/here"}, Path("/b")),
        ("", env.choice, {"default": "wal", "choices": {"wal"}}, "wal"),
        ("wal", env.choice, {"default": "x", "choices": {"wal"}}, "wal"),
        ("", env.several, {"allowed_words": {"leads"}}, set()),
        ("leads,, leads", env.several, {"allowed_words": {"leads"}}, {"leads"}),
        ("", env.networks, {}, []),
        ("*, 10.0.0.0/8,::1", env.networks, {}, ["*", "10.0.0.0/8", "::1"]),
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
        ("blue", env.choice, {"default": "wal", "choices": {"wal", "truncate"}}),
        ("leads,everybody", env.several, {"allowed_words": {"leads", "site-admins"}}),
        ("10.0.0.0/33", env.networks, {}),
        ("10.0.0.1/8", env.networks, {}),
        ("localhost", env.networks, {}),
        ("127.0.0.1, ,::1", env.networks, {}),
        ("~nobody-of-this-name/state", env.path, {"default": "/"}),
        ("0", env.integer, {"default": 1, "minimum": 1, "maximum": 9}),
        ("10", env.integer, {"default": 1, "minimum": 1, "maximum": 9}),
        ("eight", env.integer, {"default": 1, "minimum": 1, "maximum": 9}),
        ("1" * 5000, env.integer, {"default": 1, "minimum": 1, "maximum": 9}),
        ("much", env.size, {"default": 1}),
        ("-1MB", env.size, {"default": 1}),
        ("0", env.size, {"default": 1}),
        ("0.0001KB", env.size, {"default": 1}),
        ("200MiB", env.size, {"default": 1}),
        ("1" * 400 + "GB", env.size, {"default": 1}),
        ("*", env.hosts, {}),
        ("https://a.org", env.hosts, {}),
        ("a.org, *", env.hosts, {}),
        ("a.org:8000", env.hosts, {}),
        ("::1", env.hosts, {}),
        ("a.org b.org", env.hosts, {}),
        ("a_b.org", env.hosts, {}),
        ("a.org", env.origins, {}),
        ("https://a.org/path", env.origins, {}),
        ("https://a.org?next=x", env.origins, {}),
        ("https://a.org#top", env.origins, {}),
        ("https://a.org,b.org", env.origins, {}),
        ("https://", env.origins, {}),
        ("https://:443", env.origins, {}),
        ("https://a.org:99999", env.origins, {}),
        ("https://[a", env.origins, {}),
        ("bucket", env.bucket, {}),
        ("s3://Bucket", env.bucket, {}),
        ("s3:///folder", env.bucket, {}),
        ("s3://ab", env.bucket, {}),
        ("s3://bucket:9000", env.bucket, {}),
        ("s3://[", env.bucket, {}),
        ("s3://bucket?endpoint=https://", env.bucket, {}),
        ("s3://bucket?endpoint=host:9000", env.bucket, {}),
        ("s3://bucket?colour=red", env.bucket, {}),
        ("http://host", env.redis, {}),
        ("redis://host:99999", env.redis, {}),
        ("redis://[", env.redis, {}),
        ("host:587", env.email, {}),
        ("smtp://host:port", env.email, {}),
        ("smtp://", env.email, {}),
        ("smtp://[", env.email, {}),
        ("mysql://host/name", env.database, {"default": ""}),
        ("sqlite://file", env.database, {"default": ""}),
        ("postgresql://host:99999/name", env.database, {"default": ""}),
        ("postgresql://host/name?port=99999", env.database, {"default": ""}),
        ("postgresql://host/name?port=abc", env.database, {"default": ""}),
        ("postgresql://[::1/name", env.database, {"default": ""}),
        ("sqlite:///", env.database, {"default": ""}),
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


@pytest.mark.parametrize("read", [env.email, env.redis, env.bucket, env.origins])
def test_a_password_that_breaks_its_address_is_not_shown_either(given, read):
    """A `[` that is not written as %5B begins an address of IPv6."""
    given("smtp://user:hu[sh@host")

    with pytest.raises(ImproperlyConfigured, match=r"'smtp://user:\*\*\*@host'; expected "):
        read("SETTING")


def test_an_origin_holds_no_credentials(given):
    given("https://user:hush@a.org")

    with pytest.raises(ImproperlyConfigured, match="expected origins") as failure:
        env.origins("SETTING")

    assert "hush" not in str(failure.value)


@pytest.mark.parametrize("value", ["x" * 19, "x" * 10 + " " + "x" * 10, "ü" * 30])
def test_a_token_is_long_plain_and_never_repeated(given, value):
    given(value)

    with pytest.raises(ImproperlyConfigured, match=f"SETTING has {len(value)} characters") as error:
        env.token("SETTING")

    assert value not in str(error.value)


def test_a_token_of_twenty_characters_is_taken_and_none_is_none(given):
    given("~!" * 10)
    assert env.token("SETTING") == "~!" * 10

    given("")
    assert env.token("SETTING") == ""


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
        ("postgresql://owner:word@host/name", {"ENGINE": env.SQLITE, "NAME": Path("name")}),
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
        ("postgresql://host/name?port=5433", ("name", "", "", "host", "5433", {})),
        ("postgresql://host/name?port=65535", ("name", "", "", "host", "65535", {})),
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


def test_a_mail_connection_gives_up_after_ten_seconds_and_may_have_no_user(given):
    given("smtp+plain://mail.org")

    mail = env.email("SETTING")

    assert (mail["EMAIL_HOST_USER"], mail["EMAIL_HOST_PASSWORD"]) == ("", "")
    assert (mail["EMAIL_PORT"], mail["EMAIL_TIMEOUT"]) == (25, 10)


def test_a_folder_is_made_with_those_above_it_and_for_its_owner_alone(tmp_path):
    folder = env.folder("SETTING", tmp_path / "a" / "b")

    assert folder.is_dir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert env.folder("SETTING", folder) == folder


def test_a_folder_that_cannot_be_made_is_named_with_the_reason(tmp_path):
    file = tmp_path / "file"
    file.touch()

    with pytest.raises(ImproperlyConfigured, match=rf"SETTING is '{file}'.*\(File exists\)"):
        env.folder("SETTING", file)
