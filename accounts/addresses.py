"""Whole addresses for commands, which have no request to take the host from."""

from django.conf import settings
from django.urls import reverse


def add_url_option(parser):
    parser.add_argument(
        "--url",
        default=f"http://{settings.HOST}:{settings.PORT}",
        help="where people reach this server (default: %(default)s)",
    )


def address_of(name, *args, url):
    return url.rstrip("/") + reverse(name, args=args)
