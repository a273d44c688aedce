"""Whole addresses for commands, which have no request to take the host from."""

from django.conf import settings
from django.urls import reverse

LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}
EVERY_ADDRESS = {"0.0.0.0", "::", "[::]"}  # noqa: S104


def usual_address():
    """Where people reach this server, as far as its settings tell."""
    names = [name for name in settings.ALLOWED_HOSTS if not name.startswith(".")]
    public_name = next((name for name in names if name not in LOOPBACK), None)
    if settings.SECURE_SSL_REDIRECT and public_name:
        return f"https://{public_name}"
    host = settings.HOST
    if host in EVERY_ADDRESS:
        host = next((name for name in names if name != host), "localhost")
    elif host == "127.0.0.1":
        # The name that `script/server` says, too: a browser that is signed in under one is not
        # under the other.
        host = "localhost"
    return f"http://{host}:{settings.PORT}"


def add_url_option(parser):
    parser.add_argument(
        "--url",
        default=usual_address(),
        help="where people reach this server (default: %(default)s)",
    )


def address_of(name, *args, url):
    return url.rstrip("/") + reverse(name, args=args)
