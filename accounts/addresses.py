"""Whole addresses for commands, which have no request to take the host from."""

from django.conf import settings
from django.urls import reverse


def add_url_option(parser):
    # The name that `script/server` says, too: a browser that is signed in under one is not under
    # the other.
    host = "localhost" if settings.HOST == "127.0.0.1" else settings.HOST
    parser.add_argument(
        "--url",
        default=f"http://{host}:{settings.PORT}",
        help="where people reach this server (default: %(default)s)",
    )


def address_of(name, *args, url):
    return url.rstrip("/") + reverse(name, args=args)
