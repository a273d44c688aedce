"""Typed readers of the environment.

Each reader returns a value of its type or fails with a sentence that names the variable and the
value it saw. So a wrong deployment stops at start instead of misbehaving later. Passwords inside
addresses are masked in these sentences. An empty variable counts as an unset one.
"""

import os
import re
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}
# Django's backends, each doing a little less.
SQLITE, POSTGRESQL = "config.backends.sqlite3", "config.backends.postgresql"
UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}
LAST_PORT = 65535
PORT = f"an address with a port from 0 to {LAST_PORT}"
# As Django knows the host of a request, less its port: no other entry could ever match one.
HOST = re.compile(r"\.?[a-z0-9.-]+|\[[a-f0-9:.]+\]", re.IGNORECASE)


def _fail(name, value, expected):
    raise ImproperlyConfigured(f"{name} is {_without_password(value)!r}; expected {expected}.")


def _without_password(value):
    """An address as it was written, less its credentials: before its last `@`, or in its query."""
    value = re.sub(r"(?i)([?&][^=&]*(?:pass|secret|key|token)[^=&]*=)[^&]*", r"\1***", value)
    before, at, host = value.rpartition("@")
    if not at:
        return value
    scheme, separator, credentials = before.partition("://")
    if not separator:
        scheme, credentials = "", before
    user, colon, _ = credentials.partition(":")
    return f"{scheme}{separator}{user if colon else ''}{colon}***@{host}"


def text(name, default=""):
    return os.environ.get(name, "").strip() or default


def host(name, default):
    """An address to serve on; one of version 6 in brackets, as it stands in the address of a page
    and in the Host header."""
    value = text(name, default).strip("[]")
    return f"[{value}]" if ":" in value else value


def boolean(name, default=False):
    value = text(name).lower()
    if not value:
        return default
    if value in TRUE or value in FALSE:
        return value in TRUE
    return _fail(name, value, "1 or 0 (also true/false, yes/no, on/off)")


def choice(name, default, choices):
    value = text(name, default)
    if value not in choices:
        return _fail(name, value, f"one of {', '.join(sorted(choices))}")
    return value


def integer(name, default, *, minimum, maximum):
    value = text(name)
    if not value:
        return default
    if re.fullmatch(r"[+-]?[0-9]{1,18}", value) and minimum <= int(value) <= maximum:
        return int(value)
    return _fail(name, value, f"a whole number from {minimum} to {maximum}")


def token(name):
    """A secret that a program presents, or empty. It is never repeated."""
    value = text(name)
    if value and not re.fullmatch(r"[!-~]{20,}", value):
        raise ImproperlyConfigured(
            f"{name} has {len(value)} characters; expected at least 20 random ones of ASCII, "
            "without spaces."
        )
    return value


def size(name, default):
    """A number of bytes, as `200MB`, `1.5 GB` or plain `1000000` (units of 1000)."""
    value = text(name)
    if not value:
        return default
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]+)?)\s*(KB|MB|GB|)", value, re.IGNORECASE)
    if not match or not (in_bytes := int(float(match[1]) * UNITS[match[2].upper()])):
        return _fail(name, value, "a size such as 200MB or 2GB")
    return in_bytes


def path(name, default):
    value = text(name)
    try:
        return Path(value).expanduser().resolve() if value else Path(default)
    except RuntimeError:  # as for ~somebody
        return _fail(name, value, "a path; there is no such home folder")


def folder(name, path):
    """The folder at `path`, which `name` chose, made where it is missing: for its owner alone."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        return _fail(name, str(path), f"a folder that can be made and used ({error.strerror})")
    return path


def hosts(name, default=()):
    """Host names separated by commas; a leading dot means all its subdomains."""
    value = text(name)
    if not value:
        return list(default)
    names = [host.strip() for host in value.split(",") if host.strip()]
    if not all(HOST.fullmatch(host) for host in names):
        return _fail(name, value, "host names separated by commas, without scheme, port, path or *")
    return names


def origins(name):
    """Origins such as `https://facetwise.example.org`, separated by commas."""
    value = text(name)
    addresses = [origin.strip().rstrip("/") for origin in value.split(",") if origin.strip()]
    expected = "origins such as https://facetwise.example.org"
    for origin in addresses:
        parts = _parts(name, origin, expected)
        _port(name, origin, parts)
        if parts.scheme not in {"http", "https"} or origin != f"{parts.scheme}://{parts.netloc}":
            return _fail(name, value, expected)
        if not parts.hostname or "@" in parts.netloc:
            return _fail(name, value, expected)
    return addresses


def several(name, allowed_words):
    """Some of the known words, separated by commas."""
    value = text(name)
    words = {word.strip() for word in value.split(",") if word.strip()}
    if words - allowed_words:
        return _fail(
            name, value, f"some of {', '.join(sorted(allowed_words))}, separated by commas"
        )
    return words


def networks(name):
    """Addresses and networks separated by commas, such as `127.0.0.1,10.0.0.0/8`; `*` is any."""
    value = text(name)
    # As gunicorn divides them: what it would not take, as a blank between two commas, is told here.
    addresses = [address.strip() for address in value.split(",") if address]
    for address in addresses:
        try:
            ip_network("0.0.0.0/0" if address == "*" else address)
        except ValueError:
            return _fail(name, value, "addresses or networks such as 127.0.0.1,10.0.0.0/8")
    return addresses


def _parts(name, value, expected):
    try:
        return urlsplit(value)
    except ValueError:  # as for a [ in a password that is not written as %5B
        return _fail(name, value, expected)


def _port(name, value, parts):
    try:
        return parts.port
    except ValueError:
        return _fail(name, value, PORT)


def database(name, default):
    """`sqlite:///relative/or//absolute/file` or `postgresql://user:password@host:port/name`.

    A PostgreSQL address may carry `host` (a socket's directory) and `sslmode` after the `?`.
    Returns ENGINE, NAME and the connection's own parts; the settings add the options.
    """
    value = text(name, default)
    expected = "sqlite:///path/to/file or postgresql://user:password@host:5432/name"
    parts = _parts(name, value, expected)
    if parts.scheme == "sqlite":
        file = unquote(parts.path.removeprefix("/"))
        if parts.netloc or not file:
            return _fail(name, value, expected)
        return {"ENGINE": SQLITE, "NAME": Path(file)}
    if parts.scheme not in {"postgres", "postgresql"}:
        return _fail(name, value, expected)
    query = dict(parse_qsl(parts.query))
    host = query.pop("host", "") or parts.hostname or ""
    database_name = unquote(parts.path.removeprefix("/"))
    port = query.pop("port", "") or str(_port(name, value, parts) or "")
    if not database_name or set(query) - {"sslmode", "sslrootcert"}:
        return _fail(name, value, expected)
    if port and not (re.fullmatch("[0-9]{1,5}", port) and int(port) <= LAST_PORT):
        return _fail(name, value, PORT)
    return {
        "ENGINE": POSTGRESQL,
        "NAME": database_name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": port,
        "OPTIONS": query,
    }


def owner(name, application):
    """The owner of the application's PostgreSQL database, in the same form; empty: no other user.

    Returns the settings in which the owner's connection differs from the application's.
    """
    value = text(name)
    if not value:
        return {}
    parts = database(name, "")
    if parts["ENGINE"] != POSTGRESQL or parts["NAME"] != application["NAME"]:
        return _fail(name, value, "another user of the PostgreSQL database in DATABASE_URL")
    # A migration may take its time, but holds up nobody who waits for a table.
    parts["OPTIONS"]["options"] = "-c lock_timeout=5000"
    return {part: parts[part] for part in ("USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}


def bucket(name):
    """`s3://bucket/folder?endpoint=https://host:9000&region=name`, or empty: no bucket.

    Returns the options of a storage of django-storages. The keys to the bucket come from
    AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the machine's role.
    """
    value = text(name)
    if not value:
        return {}
    expected = "s3://bucket/folder?endpoint=https://host:9000&region=name (keys stand apart)"
    parts = _parts(name, value, expected)
    query = dict(parse_qsl(parts.query))
    endpoint = query.pop("endpoint", None)
    region = query.pop("region", None)
    wrong_endpoint = endpoint and not re.match(r"https?://[^/]", endpoint)
    is_named = re.fullmatch(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", parts.netloc)
    if parts.scheme != "s3" or not is_named or wrong_endpoint or query:
        return _fail(name, value, expected)
    return {
        "bucket_name": parts.netloc,
        "location": parts.path.strip("/"),
        "endpoint_url": endpoint,
        "region_name": region,
    }


def redis(name):
    """`redis://`, `rediss://` (TLS) or `redis+socket://` with a path; empty where not wished."""
    value = text(name)
    expected = "redis://:password@host:6379/0"
    parts = _parts(name, value, expected)
    if value and parts.scheme not in {"redis", "rediss", "redis+socket"}:
        return _fail(name, value, expected)
    _port(name, value, parts)
    return value


def email(name):
    """`smtp://user:password@host:587` (STARTTLS), `smtps://…:465` (TLS) or empty: no mail.

    `smtp+plain://host:25` sends without encryption, for a relay on the same host.
    Returns the Django settings of a mail connection, or an empty dict.
    """
    value = text(name)
    if not value:
        return {}
    expected = "smtp://user:password@host:587 or smtps://user:password@host"
    parts = _parts(name, value, expected)
    ports = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
    if parts.scheme not in ports or not parts.hostname:
        return _fail(name, value, expected)
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": _port(name, value, parts) or ports[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": 10,
    }
